"""Profiles as TOML: what is shipped loads, what is written reads back, and a misspelt key is named."""

import math
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calibration import toml
from calibration.camera import Lens
from calibration.camera_errors import BadProfileFile
from calibration.mats import PAPER_MM, mat_markers
from calibration.plan import Region, TablePlan, plan_of, read_plan
from calibration.profiles import (
    UNKNOWN_CAMERA,
    CameraProfile,
    PieceLook,
    PieceSet,
    camera_names,
    camera_profile,
    piece_set,
    set_names,
)
from engine import GAMES, UnknownGame

REGIONS = {
    "dominoids": {"board", "old-dice", "new-dice", "pool", "stack-suns", "hand-1", "hand-2"},
    "kingdomino-duel": {"dice", "dice-1", "dice-2", "spellbook", "sheet-1", "sheet-2"},
    "dominoes-of-war": {"board", "field", "pool-1", "pool-2", "spares", "discard"},
    "draw-game": {"board", "boneyard", "hand-1", "hand-2"},
}


@pytest.mark.parametrize("name", camera_names())
def test_every_shipped_camera_loads(name: str) -> None:
    """A camera profile knows a plausible lens, and how unsure it is."""
    knowledge = camera_profile(name).knowledge((1920, 1080))
    assert 20 < knowledge.lens.horizontal_deg < 130
    assert 0 < knowledge.focal_share <= 0.15


@pytest.mark.parametrize("name", sorted(set(camera_names()) - {"unknown"}))
def test_every_named_camera_agrees_with_itself(name: str) -> None:
    """Square pixels: the two angles of a data sheet and the shape of the picture belong together.

    A data sheet rounds, and a wide lens bends: four degrees are the most that a shipped one is off.
    """
    profile = camera_profile(name)
    assert profile.vertical_deg is not None
    assert profile.sizes_px
    width, height = profile.sizes_px[0]
    half = math.tan(math.radians(profile.horizontal_deg) / 2) * height / width
    assert 2 * math.degrees(math.atan(half)) == pytest.approx(profile.vertical_deg, abs=4)


def test_libcamera_names_tell_the_camera() -> None:
    """Every Pi camera has its sensor's name; only a sensor with a mount for lenses has two entries."""
    named = [profile.sensor for profile in map(camera_profile, camera_names()) if profile.sensor]
    assert sorted(named) == ["imx219", "imx296", "imx477", "imx477", "imx708", "imx708_wide", "ov5647"]


def test_a_usb_model_names_one_camera() -> None:
    """Every entry of a USB camera has its models, and none is in two of them."""
    entries = {name: camera_profile(name) for name in camera_names() if name.startswith("webcam-")}
    models = [model for entry in entries.values() for model in entry.usb]
    assert all(entry.usb for entry in entries.values())
    assert len(set(models)) == len(models)


def test_a_usb_model_that_is_written_otherwise_is_refused() -> None:
    """By capitals, say, no camera would ever be found."""
    with pytest.raises(ValueError, match="usb should name makers and models"):
        CameraProfile("mine", 70.0, usb=("046D:082D",))


@pytest.mark.parametrize("name", set_names())
def test_every_shipped_set_loads(name: str) -> None:
    """A piece set has pieces with sizes."""
    assert piece_set(name).pieces


def test_the_unknown_camera_is_the_one_in_code() -> None:
    """The profile used where none is named and the shipped file agree."""
    assert camera_profile("unknown") == UNKNOWN_CAMERA


@pytest.mark.parametrize("game", GAMES)
def test_every_game_has_its_regions(game: str) -> None:
    """The plan of a game names the regions its rule book speaks of, none over a marker of the mat."""
    plan = plan_of(game)
    assert REGIONS[game] <= set(plan.regions)
    for marker in mat_markers(plan):
        x, y = marker.centre_mm
        for region in plan.regions.values():
            assert not region.holds(x, y, margin_mm=PAPER_MM / 2 - 0.01)


def test_board_places_are_where_the_layout_says() -> None:
    """On the Dominoids board square a1 has the place (1, 1), and h8 lies at the far right."""
    board = plan_of("dominoids").regions["board"]
    assert board.place_mm(1, 1) == pytest.approx((-88.9, -88.9))
    assert board.place_mm(8, 8) == pytest.approx((88.9, 88.9))
    assert board.place_at(*board.place_mm(3, 5)) == pytest.approx((3, 5))
    assert plan_of("dominoids").regions_at(0, 0) == ("board",)


def test_regions_without_places_say_so() -> None:
    """A dice box has no squares."""
    with pytest.raises(ValueError, match="no board places"):
        plan_of("dominoids").regions["old-dice"].place_mm(1, 1)


def test_an_unknown_game_is_named() -> None:
    """A plan is asked for by a game's name."""
    with pytest.raises(UnknownGame, match="chess"):
        plan_of("chess")


def test_a_calibrated_camera_survives_its_file(tmp_path: Path) -> None:
    """What was written is read back equal, lens included."""
    lens = Lens((1920, 1080), (1500.25, 1500.25), (961.5, 538.0), (0.1, -0.2, 0.001, -0.0005, 0.0))
    profile = CameraProfile(
        'my "best" camera\n',
        65.5,
        lens=lens,
        rms_px=0.12,
        sizes_px=((1920, 1080),),
        focus="screw",
        nearest_mm=90.0,
    )
    file = tmp_path / "camera.toml"
    file.write_text(toml.dump(profile), encoding="utf-8")
    assert camera_profile(file) == profile
    assert camera_profile(file).knowledge((1920, 1080)).is_settled


@given(st.text(max_size=30), st.floats(1, 400), st.integers(0, 255))
def test_any_set_survives_its_text(title: str, length: float, part: int) -> None:
    """Titles with any letters and any numbers come back as they were."""
    look = PieceLook("rectangle", (length, length / 2), 8.0, (part, 0, 255), ((1, 2, 3),), (0, 1, 2))
    kept = PieceSet(title, {"domino": look, "odd name!": look})
    assert toml.parse(toml.dump(kept), PieceSet, "x.toml") == kept


@pytest.mark.parametrize("game", GAMES)
def test_a_plan_survives_its_file(game: str, tmp_path: Path) -> None:
    """A plan written by the user is as good as a shipped one."""
    file = tmp_path / "plan.toml"
    file.write_text(toml.dump(plan_of(game)), encoding="utf-8")
    assert read_plan(file) == plan_of(game)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ('title = "x"\nhorizontal_degs = 66', "no key 'horizontal_degs'; the nearest is 'horizontal_deg'"),
        ('title = "x"', "the key 'horizontal_deg' is missing"),
        ('title = "x"\nhorizontal_deg = "66"', "horizontal_deg should be a number, not '66'"),
        ('title = "x"\nhorizontal_deg = true', "should be a number, not True"),
        ('title = "x"\nhorizontal_deg = 266', "between 10 and 150"),
        ('title = "x"\nhorizontal_deg = 66\nbend = [0.1]', "bend should have 2 entries, not 1"),
        ('title = "x"\nhorizontal_deg = 66\nbend = 3', "bend should be a list, not 3"),
        ('title = "x"\nhorizontal_deg = 66\n[lens]\nsize = [1, 2]', "lens: there is no key 'size'"),
        ('title = "x"\nhorizontal_deg = 66\nvertical_deg = 3', "vertical_deg should be between 5 and 150"),
        ('title = "x"\nhorizontal_deg = 66\nnearest_mm = 0', "nearest_mm should be larger than 0"),
        ('title = "x"\nhorizontal_deg = 66\nfocus = "hand"', "one of 'auto', 'screw', 'fixed', not 'hand'"),
        ('title = "x"\nhorizontal_deg = 66\nsizes_px = [[0, 4]]', "sizes_px should be larger than 0"),
        ('title = "x"\nhorizontal_deg = 66\nsizes_px = [[4, 3], [8, 6]]', "the largest first"),
        ('title = "x"\nhorizontal_deg = 66\nsizes_px = [[16, 9], [4, 3]]', "should all have one shape"),
        ("title = ", "is not TOML"),
    ],
)
def test_a_bad_camera_file_has_one_sentence(text: str, sentence: str) -> None:
    """What is wrong is said with the file's name, the key and what would be right."""
    with pytest.raises(BadProfileFile) as raised:
        toml.parse(text, CameraProfile, "cam.toml")
    assert sentence in str(raised.value)
    assert str(raised.value).startswith("cam.toml")
    assert "\n" not in str(raised.value)


def test_a_region_that_sticks_out_is_refused() -> None:
    """A plan must fit its own table."""
    with pytest.raises(ValueError, match="'pool' sticks out"):
        TablePlan("draw-game", (300.0, 200.0), {"pool": Region((140.0, 0.0), (40.0, 40.0))})


def test_unknown_profiles_name_the_nearest(tmp_path: Path) -> None:
    """A name that is not shipped gets a hint, a file that is not there its reason."""
    with pytest.raises(BadProfileFile, match="Did you mean 'pi-camera-3'"):
        camera_profile("picamera-3")
    with pytest.raises(BadProfileFile, match=r"none\.toml cannot be read"):
        piece_set(tmp_path / "none.toml")
