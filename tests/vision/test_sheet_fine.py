"""The finer squares: print is laid on print, and a pen's share is the same over dark print as over paper."""

import cv2
import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from simulation.filled_sheet import OUR_FORM, filled
from simulation.pen_strokes import TAUGHT
from simulation.sheet_photo import PhotoConditions, photographed
from vision.sheet_cells import CASTLE_INDEX
from vision.sheet_fine import FINE_CELL_PX, FINE_PX, PLANES, fine_cells, registered, shared

Pixels = NDArray[np.float32]
_OVER_FORM = 4
"""The plane that shows the pen over the form."""


def printed() -> Pixels:
    """A square with a frame and three circles, soft as in a photo."""
    square = np.zeros((FINE_CELL_PX, FINE_CELL_PX), np.uint8)
    cv2.rectangle(square, (9, 9), (62, 62), 160, 2)
    for y in (20, 36, 52):
        cv2.circle(square, (52, y), 5, 160, 2)
    return cv2.GaussianBlur(square.astype(np.float32) / 255, (0, 0), 0.8)


def moved(square: Pixels, x: float, y: float) -> Pixels:
    """The square elsewhere."""
    way = np.array([[1, 0, x], [0, 1, y]], np.float32)
    return np.asarray(cv2.warpAffine(square, way, square.shape[::-1], flags=cv2.INTER_CUBIC), np.float32)


@settings(max_examples=25, deadline=None)
@given(st.floats(-2.5, 2.5), st.floats(-2.5, 2.5))
def test_a_square_that_lies_aside_is_laid_on_the_others(x: float, y: float) -> None:
    """What is left of its print beside theirs is little, however far aside it lay."""
    one = printed()
    lost = np.repeat(np.stack([moved(one, x, y), *[one] * 33])[..., None], 3, axis=3)
    inner = slice(6, -6)
    before, after = (
        np.abs(some[0] - one[..., None])[inner, inner].mean() for some in (lost, registered(lost))
    )
    assert after < 0.02
    assert after <= before + 0.004


def test_a_pen_takes_the_same_share_over_print_as_over_paper() -> None:
    """A pale stroke shows as strongly across a dark circle as beside it."""
    light = np.repeat(np.stack([1 - printed()] * 34)[..., None], 3, axis=3)
    pen = np.array([0.5, 0.3, 0.1], np.float32)
    light[:14, 25:40, 20:35] *= 1 - pen
    light[0, 15:57, 51:53] *= 1 - pen
    lost = (1 - light).astype(np.float32)
    over = shared(lost).planes(lost)[0, _OVER_FORM]
    print_ = printed()[15:57, 51:53]
    dark, bare = (over[15:57, 51:53][some].mean() for some in (print_ > 0.35, print_ < 0.02))
    assert 0.9 < dark / bare < 1.1
    assert 0.85 < bare < 1.15


def test_squares_of_a_photo_are_all_but_the_castle_in_reading_order() -> None:
    """34 squares of three colours; a coat stands out in its own square alone."""
    rng = np.random.default_rng(3)
    cells = [[None] * 7 for _ in range(5)]
    cells[2][4] = ("black", 0)  # type: ignore[call-overload]  # the square right of the castle
    paper = filled(OUR_FORM, tuple(map(tuple, cells)), False, rng, variety=TAUGHT)
    photo = photographed([paper], PhotoConditions(), rng)
    lost = fine_cells(photo.image, photo.corners[0])
    assert lost.shape == (34, FINE_CELL_PX, FINE_CELL_PX, 3)
    planes = shared(lost).planes(lost)
    assert planes.shape == (34, PLANES, FINE_CELL_PX, FINE_CELL_PX)
    inner = slice(FINE_PX // 3, -FINE_PX // 3)
    assert planes[:, _OVER_FORM, inner, inner].mean(axis=(1, 2)).argmax() == CASTLE_INDEX
    assert np.isfinite(planes).all()


def test_a_sheet_that_nobody_drew_on_shows_no_ink() -> None:
    """Where all squares show the same, no pen is believed to be there, and nothing is divided by none."""
    lost = np.repeat(np.stack([printed()] * 34)[..., None], 3, axis=3)
    planes = shared(lost).planes(lost)
    assert np.abs(planes[:, _OVER_FORM]).max() < 1e-3
