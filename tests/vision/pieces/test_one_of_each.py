"""One pawn and one die of each suit: what is clear of three settles the fourth."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.pieces.one_of_each import shares_of_each

CLEAR = 0.97


def said(*suits: int, clear: float = CLEAR) -> np.ndarray:
    """Pieces that most likely show these suits."""
    rows = np.full((len(suits), 4), (1 - clear) / 3)
    rows[range(len(suits)), suits] = clear
    return rows


def test_three_clear_ones_settle_the_fourth() -> None:
    """A pawn that may be suns or moons is moons where suns is clearly another's."""
    rows = said(0, 2, 3, 1)
    rows[3] = (0.55, 0.43, 0.01, 0.01)
    shared = shares_of_each(rows)
    assert shared[3].argmax() == 1
    assert shared[3][1] > 0.9
    assert (shared[:3].argmax(axis=1) == (0, 2, 3)).all()


def test_all_different_and_clear_is_believed_more() -> None:
    """Four that already differ confirm each other."""
    shared = shares_of_each(said(2, 0, 1, 3, clear=0.9))
    assert (shared.max(axis=1) > 0.98).all()


def test_two_clear_twins_stay_twins_but_less_sure() -> None:
    """Pieces of two sets may lie there: what is plainly seen is not overruled."""
    shared = shares_of_each(said(1, 1, clear=0.9999))
    assert (shared.argmax(axis=1) == 1).all()
    assert (shared.max(axis=1) < 0.9999).all()


@given(st.integers(2, 4), st.integers(0, 2**32 - 1))
def test_shares_stay_shares(count: int, seed: int) -> None:
    """Whatever was said."""
    rng = np.random.default_rng(seed)
    shared = shares_of_each(rng.dirichlet((0.3,) * 4, count))
    assert shared.sum(axis=1) == pytest.approx(np.ones(count))
    assert (shared >= 0).all()
