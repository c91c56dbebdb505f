"""How a piece lies to others: on borders, in rows, on top."""

import numpy as np
import pytest

pytest.importorskip("cv2", reason="OpenCV is not here")

from vision.pieces.layout_hints import hints

ROW = np.array([(0.0, 0.0), (30.0, 0.0), (60.0, 0.0), (90.0, 0.0)])
ALL, NONE = np.ones(4, bool), np.zeros(4, bool)


def test_a_row_goes_on_from_its_ends_and_from_a_gap_in_it() -> None:
    """The first has two that follow in its step; one that lies off the row has none."""
    rows = hints(np.vstack([ROW, (45.0, 200.0)]), np.array([*ALL, False]), np.zeros(5, bool))[:, 1]
    assert rows[0] == rows[3] == pytest.approx(np.log1p(1))
    assert rows[4] == 0


def test_a_wall_stands_half_way_between_two_dominoes() -> None:
    """On the border it is exactly there, five millimetres on half a unit off; no domino counts itself."""
    places = np.vstack([ROW[:2], (15.0, 0.0), (20.0, 0.0)])
    off = hints(places, np.array([True, True, False, False]), NONE)[:, 0]
    assert off[2] == pytest.approx(0)
    assert off[3] == pytest.approx(0.5)
    assert off[0] == off[1] == pytest.approx(3.0)


def test_the_next_domino_and_the_next_tile_are_never_the_piece_itself() -> None:
    """Their distances in steps of 50 mm; what is not there is far away."""
    told = hints(ROW, ALL, np.array([True, False, False, False]))
    assert told[:, 2] == pytest.approx(30 / 50)
    assert told[:, 3] == pytest.approx([2.0, 30 / 50, 60 / 50, 90 / 50])
    assert hints(ROW, NONE, NONE) == pytest.approx(np.tile([3.0, 0.0, 2.0, 2.0], (4, 1)))
