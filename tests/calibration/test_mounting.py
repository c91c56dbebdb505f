"""The mounting guide is true: what it promises is seen and measured in pictures of the virtual table."""

import math
from dataclasses import replace

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calibration import aruco
from calibration.camera import Camera, Lens
from calibration.camera_errors import ImpossibleMounting
from calibration.joint import LensKnowledge
from calibration.mats import MARKER_MM, mat_markers
from calibration.mounting import CEILING_MM, MountGuide, at_height, guide, hanging
from calibration.plan import plan_of
from calibration.profiles import CameraProfile, camera_names, camera_profile
from calibration.reading_needs import MARKER_LEAST_PX, TALLEST_MM, legibles
from calibration.table_finder import find_table
from engine import GAMES
from simulation.makes import DominoLook
from simulation.picture import shoot
from simulation.setting import marker_piece
from simulation.virtual_scene import Lamp, Piece, Sensor, Surface, VirtualScene
from tests.calibration.guides import guided

DATA_SHEETS = sorted(set(camera_names()) - {"unknown"})
PIP_MM = 4.7
PIP_AT_MM = (150.0, -60.0)
"""Where the single pip of the drawn domino lies: the middle of its left half."""


def photographed(game: str, camera: Camera) -> np.ndarray:
    """A grey picture of a game's mat with a domino that shows a 1 on its left half and nothing else."""
    look = DominoLook(pips="printed", bar="none", pip_mm=PIP_MM)
    x, y = PIP_AT_MM
    value = {"set": "double-six", "pips": [1, 0]}
    domino = Piece("domino", "domino", look, x + look.length_mm / 4, y, value=value)
    scene = VirtualScene(
        pieces=(*map(marker_piece, mat_markers(plan_of(game))), domino),
        surface=Surface("felt", (0.05, 0.16, 0.07), (0.04, 0.14, 0.06)),
        lamps=(Lamp((-200.0, 300.0, 1500.0), (1.0, 1.0, 1.0), 0.8, 200.0),),
        camera=camera,
        sensor=Sensor(shot_noise=0.004, read_noise=0.002, contrast=0.0, sharpening=0.0),
    )
    return np.asarray(cv2.cvtColor(shoot(scene).picture, cv2.COLOR_BGR2GRAY))


def pip_across(grey: np.ndarray, camera: Camera) -> float:
    """How many pixels the pip measures, its edge being where the light is half of what it is around it."""
    (u, v), reach = camera.to_pixels([PIP_AT_MM], 9.0)[0], round(6 / camera.mm_per_px())
    window = grey[round(v) - reach : round(v) + reach + 1, round(u) - reach : round(u) + reach + 1]
    fine = cv2.resize(window, None, fx=8, fy=8, interpolation=cv2.INTER_CUBIC)
    light = (fine / 255.0) ** 2.2
    ink = light < (np.percentile(light, 90) + light.min()) / 2
    return 2 * math.sqrt(float(ink.sum()) / math.pi) / 8


@pytest.mark.parametrize(("game", "name"), [("draw-game", "webcam-78"), ("dominoids", "pi-camera-gs-6mm")])
def test_a_camera_that_hangs_as_advised_sees_what_was_said(game: str, name: str) -> None:
    """Every marker of the mat is found, also in the watched picture, and a pip has the pixels said."""
    hung = hanging(plan_of(game), camera_profile(name))
    found = guided(game, name)
    camera = hung.camera(found.best.height_mm)
    grey = photographed(game, camera)
    told = {px.name: px for px in found.best.pixels}

    seen = dict(aruco.detect(grey))
    assert seen.keys() == {place.number for place in mat_markers(plan_of(game))}
    table = find_table([grey], LensKnowledge(hung.lens))
    assert table.camera.pose.eye_mm == pytest.approx((0, 0, found.best.height_mm), abs=3)
    assert MARKER_MM / table.camera.mm_per_px() == pytest.approx(told["marker"].full_px, rel=0.005)

    watched = cv2.resize(grey, found.watch_px, interpolation=cv2.INTER_AREA)
    assert dict(aruco.detect(np.asarray(watched))).keys() == seen.keys()

    drawn = PIP_MM * told["pip"].full_px / told["pip"].size_mm
    assert pip_across(grey, camera) == pytest.approx(drawn, rel=0.1)


def test_leaning_as_far_as_is_allowed_still_shows_every_marker() -> None:
    """The tolerance is one: aimed as badly as the guide allows, the whole mat is in the picture."""
    hung = hanging(plan_of("draw-game"), camera_profile("webcam-78"))
    best = guided("draw-game", "webcam-78").best
    assert best.lean_deg > 3
    grey = photographed("draw-game", hung.camera(best.height_mm, lean=(best.lean_deg, 60.0)))
    assert {number for number, _ in aruco.detect(grey)} == {
        place.number for place in mat_markers(plan_of("draw-game"))
    }


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("name", DATA_SHEETS)
def test_every_camera_has_an_answer(game: str, name: str) -> None:
    """A camera hangs somewhere, or the guide says why not and which camera would."""
    found = guided(game, name)
    if found.fits:
        best = found.best
        assert found.lowest_mm - 10 <= best.height_mm <= min(found.highest_mm, CEILING_MM)
        assert best.remarks == found.remarks == ()
        assert best.sees_all
        assert all(px.enough for px in best.pixels)
        assert best.sharp is not False
        assert best.field_mm[0] > found.mat_mm[0]
        assert best.field_mm[1] > found.mat_mm[1]
    else:
        assert found.remarks[-1].startswith("What fits: ")
        for other in found.remarks[-1].removeprefix("What fits: ").rstrip(".").split(", "):
            assert guided(game, other).fits


def test_which_shipped_cameras_do_not_fit() -> None:
    """A long lens alone needs more room than a room has: a change of this list is worth a look."""
    misfits = {name for name in DATA_SHEETS for game in GAMES if not guided(game, name).fits}
    assert misfits == {"pi-camera-hq-16mm"}


cameras = st.builds(
    lambda deg, wide, doubt: CameraProfile(
        "any", deg, focal_share=doubt, sizes_px=((wide, wide * 3 // 4),), nearest_mm=50.0
    ),
    st.floats(30, 90),
    st.integers(1200, 5000),
    st.floats(0.001, 0.1),
)


@settings(max_examples=15, deadline=None)
@given(cameras, st.sampled_from(GAMES), st.floats(300, 2000), st.floats(1.05, 2))
def test_higher_means_fewer_pixels_and_more_field(
    profile: CameraProfile, game: str, height: float, times: float
) -> None:
    """Every thing gets fewer pixels farther off, in proportion, and the field grows."""
    hung = hanging(plan_of(game), profile)
    low, high = at_height(hung, height), at_height(hung, height * times)
    assert low.field_mm[0] * times == pytest.approx(high.field_mm[0])
    for near, far, thing in zip(low.pixels, high.pixels, legibles(game), strict=True):
        assert near.full_px > far.full_px
        share = (height * times - thing.top_mm) / (height - thing.top_mm)
        assert near.full_px / far.full_px == pytest.approx(share, rel=1e-3)
        assert near.watch_px <= near.full_px


@settings(max_examples=15, deadline=None)
@given(cameras, st.sampled_from(GAMES), st.floats(1.05, 1.5))
def test_a_wider_lens_may_hang_lower_and_must(profile: CameraProfile, game: str, times: float) -> None:
    """Seeing more, it needs less height to see all; each piece having fewer pixels, it may hang less high."""
    wider = replace(profile, horizontal_deg=profile.horizontal_deg * times)
    narrow_guide, wide_guide = guide(plan_of(game), profile), guide(plan_of(game), wider)
    assert wide_guide.lowest_mm <= narrow_guide.lowest_mm + 0.5
    assert wide_guide.highest_mm < narrow_guide.highest_mm


@settings(max_examples=15, deadline=None)
@given(cameras, st.sampled_from(GAMES))
def test_the_limits_are_limits(profile: CameraProfile, game: str) -> None:
    """Just inside both limits nothing is wrong; just outside either something is."""
    hung, found = hanging(plan_of(game), profile), guide(plan_of(game), profile)
    for height in (found.lowest_mm + 1, found.highest_mm - 1):
        if found.lowest_mm < height < found.highest_mm:
            assert at_height(hung, height).remarks == ()
    assert at_height(hung, found.lowest_mm - 2).remarks
    # Above the limit the widest camera of the kind has too little; one true to its sheet has it still.
    scale = 1 / (1 - hung.doubt)
    assert at_height(hung, found.highest_mm * scale + TALLEST_MM[game] + 2).remarks


@settings(max_examples=15, deadline=None)
@given(cameras, st.sampled_from(GAMES), st.floats(0, 360))
def test_within_the_tolerances_the_mat_stays_in_the_picture(
    profile: CameraProfile, game: str, way: float
) -> None:
    """Whichever way the camera leans or hangs aside, by so much or by half of each, the mat is still seen."""
    hung, best = hanging(plan_of(game), profile), guide(plan_of(game), profile).best
    corners = np.array([(x, y) for x in (-1, 1) for y in (-1, 1)]) * np.asarray(hung.plan.size_mm) / 2
    turn = math.radians(way)
    aside = (best.aside_mm * math.cos(turn), best.aside_mm * math.sin(turn))
    for camera in (
        hung.camera(best.height_mm, lean=(best.lean_deg, way)),
        hung.camera(best.height_mm, aside=aside),
        hung.camera(best.height_mm, lean=(best.lean_deg / 2, way), aside=(aside[0] / 2, aside[1] / 2)),
    ):
        seen = camera.to_pixels(corners)
        assert np.all((seen > 0) & (seen < np.asarray(hung.lens.size_px) - 1))


def test_a_near_limit_of_the_lens_is_a_limit() -> None:
    """Module 1 is soft nearer than a metre, so that it hangs a metre above the highest piece."""
    found = guided("dominoids", "pi-camera-1")
    assert found.lowest_mm == pytest.approx(1000 + TALLEST_MM["dominoids"])
    assert "sharp" in found.lowest_why
    low = at_height(hanging(plan_of("dominoids"), camera_profile("pi-camera-1")), 800.0)
    assert low.sharp is False
    assert any("not sharp so near" in remark for remark in low.remarks)
    assert guided("dominoids", "webcam-78").best.sharp is None


def test_larger_markers_may_be_watched_from_farther() -> None:
    """Where markers are what forbids a higher place, larger ones allow it."""
    plan, wide = plan_of("draw-game"), camera_profile("pi-camera-3-wide")
    small, large = guide(plan, wide), guide(plan, wide, marker_mm=45.0)
    assert "markers" in small.highest_why
    assert large.highest_mm == pytest.approx(small.highest_mm * 45 / 32)


def test_a_picture_of_another_shape_is_a_part_of_the_sensor() -> None:
    """4:3 cut from a sensor of 16:9 sees the same height and less width; the same shape sees the same."""
    profile, plan = camera_profile("webcam-78"), plan_of("draw-game")
    whole = at_height(hanging(plan, profile, (1920, 1080)), 1000.0)
    part = at_height(hanging(plan, profile, (1280, 960)), 1000.0)
    small = at_height(hanging(plan, profile, (1280, 720)), 1000.0)
    assert part.field_mm[1] == pytest.approx(whole.field_mm[1])
    assert part.field_mm[0] == pytest.approx(whole.field_mm[1] * 4 / 3)
    assert small.field_mm == pytest.approx(whole.field_mm)
    assert small.px_a_mm == pytest.approx(whole.px_a_mm * 2 / 3)


def test_an_upright_picture_is_turned() -> None:
    """A picture that is higher than wide goes with its long side along the long side of the mat."""
    plan = plan_of("draw-game")
    upright = guide(plan, CameraProfile("phone", 40.0, sizes_px=((1080, 1920),)))
    assert upright.turned
    assert upright.best.field_mm[0] > upright.best.field_mm[1]
    assert not guide(plan, camera_profile("webcam-78")).turned


def test_a_calibrated_lens_is_taken_as_it_is() -> None:
    """A lens of one's own counts with its distortion, and without doubt."""
    plan = plan_of("draw-game")
    bent = Lens((1920, 1080), (1400.0, 1400.0), (950.0, 545.0), (0.08, -0.1, 0.001, 0.0, 0.0))
    hung = hanging(plan, CameraProfile("mine", 68.0, lens=bent))
    assert hung.lens == bent
    assert hung.doubt == 0
    found = guide(plan, CameraProfile("mine", 68.0, lens=bent))
    assert hung.sees_all(hung.camera(found.lowest_mm + 1))
    assert not hung.sees_all(hung.camera(found.lowest_mm - 1))


def test_what_a_bent_formula_folds_back_is_not_seen() -> None:
    """A distortion that brings far rays back into the picture does not make a camera see them."""
    folding = Lens((1920, 1080), (1400.0, 1400.0), (959.5, 539.5), (-0.6, 0.0, 0.0, 0.0, 0.0))
    hung = hanging(plan_of("draw-game"), CameraProfile("odd", 68.0, lens=folding))
    low = hung.camera(330.0)
    assert not hung.sees_all(low)


def test_what_cannot_be_is_told() -> None:
    """No camera hangs in the pieces, and none gives more pixels than it has."""
    plan, profile = plan_of("draw-game"), camera_profile("pi-camera-2")
    with pytest.raises(ImpossibleMounting, match="hangs 59 to 20000 mm above the table, not 10"):
        at_height(hanging(plan, profile), 10.0)
    with pytest.raises(ImpossibleMounting, match="gives 3280×2464 at most, not 4608×2592"):
        guide(plan, profile, (4608, 2592))


def test_a_camera_of_too_few_pixels_says_which_height_is_wrong_for_what() -> None:
    """Where the range is empty both of its ends are named, and larger markers where those would do."""
    found: MountGuide = guide(plan_of("draw-game"), CameraProfile("small", 110.0, sizes_px=((640, 480),)))
    assert not found.fits
    assert found.remarks[0].startswith("No height is right: lower than ")
    narrow = guided("draw-game", "pi-camera-hq-16mm")
    assert "higher than a usual room allows (1600 mm)" in narrow.remarks[0]
    assert narrow.remarks[-1] == "What fits: pi-camera-hq-6mm."
    assert narrow.best.pixels[-1].watch_px >= MARKER_LEAST_PX
