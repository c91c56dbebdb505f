"""The lens: from the board, guided; from markers; and what is said when there is too little."""

import numpy as np
import pytest

from benchmarks.geometry import board_picture
from benchmarks.marker_frames import FrameLook, Scenery, board_frame, draw
from benchmarks.rigs import at_board, hand_held, random_lens, random_rig
from calibration.camera import Lens
from calibration.camera_errors import LensShotsMissing, ResolutionChanged
from calibration.lens import Coverage, coverage, is_new, lens_from_board, lens_from_markers
from calibration.lens_board import BoardShot, find_board
from calibration.profiles import UNKNOWN_CAMERA

SIZE = (1280, 720)


@pytest.fixture(scope="module")
def shots() -> tuple[Lens, list[BoardShot], Coverage]:
    """A lens, shots of the board through it until the guide is content, and the coverage then."""
    rng = np.random.default_rng(2)
    lens = random_lens(rng, SIZE)
    board = board_picture()
    taken: list[BoardShot] = []
    for _ in range(60):
        shot = find_board(board_frame(at_board(lens, rng), board, 0.25, FrameLook(), rng))
        if shot is not None and is_new(shot, taken):
            taken.append(shot)
        if coverage(taken).is_enough:
            break
    return lens, taken, coverage(taken)


def test_the_board_gives_the_lens(shots: tuple[Lens, list[BoardShot], Coverage]) -> None:
    """Focal length to three in a thousand, every pixel's ray to less than a pixel."""
    lens, taken, seen = shots
    assert seen.is_enough
    found = lens_from_board(taken)
    assert found.rms_px < 0.15
    assert found.lens.focal_px[0] == pytest.approx(lens.focal_px[0], rel=3e-3)
    x, y = np.meshgrid(np.linspace(40, 1240, 7), np.linspace(40, 680, 5))
    pixels = np.column_stack([x.ravel(), y.ravel()])
    assert np.abs(lens.to_pixels(found.lens.to_rays(pixels)) - pixels).max() < 4.0


def test_the_guide_names_what_is_missing(shots: tuple[Lens, list[BoardShot], Coverage]) -> None:
    """Without shots it asks for a corner of the picture; each shot closes gaps; at the end it says so."""
    _, taken, seen = shots
    assert coverage([]).advice == "hold the board so that it covers the far upper left of the picture"
    gaps = [len(coverage(taken[:n]).missing) for n in range(len(taken) + 1)]
    assert gaps == sorted(gaps, reverse=True)
    assert gaps[0] == 12
    assert seen.advice.startswith("enough")


def test_the_same_view_twice_teaches_nothing(shots: tuple[Lens, list[BoardShot], Coverage]) -> None:
    """A shot like one before is not new."""
    _, taken, _ = shots
    assert not is_new(taken[0], taken)
    assert is_new(taken[0], taken[1:])


def test_too_few_shots_are_refused(shots: tuple[Lens, list[BoardShot], Coverage]) -> None:
    """Five shots are not enough, and the sentence says how many are."""
    with pytest.raises(LensShotsMissing, match="at least 6"):
        lens_from_board(shots[1][:5])


def test_shots_of_two_sizes_are_refused(shots: tuple[Lens, list[BoardShot], Coverage]) -> None:
    """One lens is for one size of picture."""
    one = shots[1][0]
    other = BoardShot((640, 360), one.board_mm, one.seen_px / 2)
    with pytest.raises(ResolutionChanged):
        lens_from_board([*shots[1][:6], other])


def test_an_empty_picture_shows_no_board() -> None:
    """Nothing is found in noise."""
    noise = np.random.default_rng(0).integers(0, 255, (720, 1280), dtype=np.uint8)
    assert find_board(noise) is None


def test_markers_from_several_sides_give_the_lens_too() -> None:
    """Six pictures of four markers, taken by hand, give the focal length to one in a hundred."""
    rng = np.random.default_rng(5)
    rig = random_rig(rng)
    pictures = [draw(hand_held(rig, rng), Scenery(rig.markers), rig.look, rng) for _ in range(6)]
    found = lens_from_markers(pictures, UNKNOWN_CAMERA.knowledge(rig.camera.lens.size_px))
    assert found.lens.focal_px[0] == pytest.approx(rig.camera.lens.focal_px[0], rel=0.01)
    assert found.focal_doubt < 0.01
