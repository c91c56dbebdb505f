"""How strong a pen is, told by the squares that it drew on, however few they are."""

import numpy as np
import pytest

from vision.sheet_cells import CELL_PX, Cells, Values, drawn_most
from vision.sheet_fine import FINE_CELL_PX, shared

INK, NOISE = 0.5, 0.02


def darkness(drawn: int, ink: float = INK) -> Values:
    """A map with a stripe on so many squares, and the grain of paper on all."""
    dark = np.abs(np.random.default_rng(4).normal(0, NOISE, (35, CELL_PX, CELL_PX))).astype(np.float32)
    dark[:drawn, :, 20:22] = ink
    return dark


def cells(drawn: int, ink: float = INK) -> Cells:
    """The same as cells without a form."""
    flat = np.zeros((1, 1, 3), np.uint8)
    return Cells(darkness(drawn, ink), np.zeros((CELL_PX, CELL_PX), np.float32), flat)


@pytest.mark.parametrize("drawn", [2, 3, 12, 30])
def test_ink_is_as_strong_on_two_squares_as_on_thirty(drawn: int) -> None:
    """What the readers are shown of it is full ink, and what they are shown of the grain is none."""
    ink = cells(drawn).planes()[:, 2]
    assert ink[:drawn, :, 20:22].min() > 0.9
    assert np.percentile(ink[drawn:], 99) < 0.25


def test_a_single_square_is_no_measure() -> None:
    """A blot or a crease on one alone does not make the ink of all others pale."""
    dark = darkness(3, 0.3)
    dark[10, 5:40, 5:40] = 0.9
    assert drawn_most(dark) == pytest.approx(0.9 * 0.3, abs=0.01)
    assert drawn_most(dark[:1]) == pytest.approx(0.9 * 0.3, abs=0.01)


def test_a_map_is_faint_where_even_its_two_strongest_squares_are() -> None:
    """Grain alone, and pencil hardly darker; not a clear pen, on however few squares."""
    assert cells(0).faint
    assert cells(20, 0.08).faint
    assert not cells(2).faint
    assert not cells(20).faint


@pytest.mark.parametrize("drawn", [2, 20])
def test_the_finer_look_takes_the_same_pen_for_full_ink(drawn: int) -> None:
    """In colour: blue ink takes mostly red away."""
    lost = np.abs(np.random.default_rng(4).normal(0, NOISE, (34, FINE_CELL_PX, FINE_CELL_PX, 3)))
    lost[:drawn, :, 30:32] = (0.2, 0.4, 0.7)
    ink = shared(lost.astype(np.float32)).planes(lost.astype(np.float32))[:, 4]
    assert 0.8 < float(np.median(ink[:drawn, :, 30:32])) < 1.3
    assert np.percentile(ink[drawn:], 99) < 0.25
