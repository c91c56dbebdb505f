"""A new set of pieces is learned from one or two photos, without code."""

from functools import cache
from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration.aruco import Grey
from calibration.camera import Camera, Lens, Pose
from calibration.camera_errors import NoSuchPiece
from calibration.joint import LensKnowledge
from calibration.learned_look import height_from, learn_look
from calibration.mats import loose_markers
from calibration.profiles import piece_set
from calibration.table_finder import Table, find_table
from device.cli import main
from tests.calibration.marked_tables import Maker, photo, scattered

LENS = Lens.from_field_of_view((1920, 1080), 66)
CAMERA = Camera(LENS, Pose.above(900, tilt_deg=14))
OTHER_SIDE = Camera(LENS, Pose.above(900, tilt_deg=20, towards_deg=200, turn_deg=5))
MARKERS = loose_markers((640, 440))
IVORY = Maker((51.0, 25.5), 10.0, (236, 226, 200), ((20, 20, 20),))
BLACK = Maker((44.0, 22.0), 8.0, (30, 30, 34), ((240, 240, 240),))
RAINBOW = Maker(
    (56.0, 28.0), 9.0, (245, 245, 240), ((20, 20, 20), (200, 30, 30), (30, 60, 190), (20, 130, 50))
)
COIN = Maker((19.0, 19.0), 3.0, (214, 186, 140), ((190, 20, 30),), is_disc=True)


def grey(picture: np.ndarray) -> Grey:
    """The picture without its colours."""
    return cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)


@cache
def shot(camera: Camera, maker: Maker, highest: int, seed: int = 0) -> tuple[np.ndarray, Table]:
    """A photo and the table found in it."""
    picture = photo(camera, MARKERS, scattered(9, highest, seed), maker, seed=seed)
    return picture, find_table([grey(picture)], LensKnowledge(LENS))


@pytest.mark.parametrize(
    ("maker", "highest"), [(IVORY, 6), (BLACK, 6), (RAINBOW, 9)], ids=["ivory", "black", "rainbow"]
)
def test_a_domino_set_is_learned_from_one_photo(maker: Maker, highest: int) -> None:
    """Size to half a millimetre, colours to what an eye would call the same, and the highest half."""
    look, count = learn_look([shot(CAMERA, maker, highest)], maker.height_mm)
    assert count == 9
    assert look.shape == "rectangle"
    assert np.abs(np.subtract(look.size_mm, maker.size_mm)).max() < 0.6
    assert np.abs(np.subtract(look.body_rgb, maker.body)).max() < 12
    assert look.pip_counts == tuple(range(highest + 1))
    near = [
        min(np.abs(np.subtract(colour, mark)).max() for mark in look.mark_rgb) for colour in maker.pip_colours
    ]
    assert max(near) < 40


def test_coins_are_round() -> None:
    """Discs are told from tiles by their outline, and have a diameter."""
    look, _ = learn_look([shot(CAMERA, COIN, 0)], COIN.height_mm)
    assert look.shape == "disc"
    assert look.size_mm[0] == look.size_mm[1] == pytest.approx(19, abs=0.6)
    assert look.pip_counts == ()


def test_two_photos_tell_the_height() -> None:
    """The same tiles seen from two sides fit together only at their true height."""
    one, other = shot(CAMERA, IVORY, 6), shot(OTHER_SIDE, IVORY, 6)
    assert height_from(one, other) == pytest.approx(10.0, abs=1.0)


def test_two_photos_from_one_place_tell_no_height() -> None:
    """Without a second side there is no height, and the sentence says what to do."""
    with pytest.raises(NoSuchPiece, match="another side"):
        height_from(shot(CAMERA, IVORY, 6), shot(CAMERA, IVORY, 6))


def test_an_empty_table_teaches_nothing() -> None:
    """No piece between the markers is an error with its remedy."""
    picture = photo(CAMERA, MARKERS, [], IVORY)
    table = find_table([grey(picture)], LensKnowledge(LENS))
    with pytest.raises(NoSuchPiece, match="apart from one another"):
        learn_look([(picture, table)], 8.0)


def test_the_command_writes_a_set_and_adds_to_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`pipwatch calibrate set` writes a TOML set that reads back, and a second kind joins the first."""
    files = []
    for name, camera, maker in (("a", CAMERA, IVORY), ("b", OTHER_SIDE, IVORY), ("c", CAMERA, COIN)):
        files.append(tmp_path / f"{name}.png")
        cv2.imwrite(str(files[-1]), photo(camera, MARKERS, scattered(9, 6 if maker is IVORY else 0), maker))
    out = tmp_path / "mine.toml"
    assert (
        main(["calibrate", "set", str(files[0]), str(files[1]), "--title", "Grandma's", "-o", str(out)]) == 0
    )
    assert main(["calibrate", "set", str(files[2]), "--kind", "coin", "-o", str(out)]) == 0
    learned = piece_set(out)
    assert learned.title == "Grandma's"
    assert sorted(learned.pieces) == ["coin", "domino"]
    assert learned.pieces["domino"].size_mm[0] == pytest.approx(51, abs=1.5)
    assert learned.pieces["domino"].height_mm == pytest.approx(10, abs=2)
    assert "from 9 pieces" in capsys.readouterr().out
