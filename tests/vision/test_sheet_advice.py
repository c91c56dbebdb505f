"""The advice for another photo names what is wrong with this one, and is given only where it helps."""

import numpy as np
import pytest

from vision.sheet_advice import MANY, advice
from vision.sheet_bend import mesh


def flat(light: int) -> np.ndarray:
    """A map of so much light, seen from above."""
    return np.full((208, 288, 3), light, np.uint8)


@pytest.mark.parametrize(
    ("side", "light", "words"),
    [(30, 200, "only 30 pixels wide"), (70, 60, "more light"), (70, 200, "Many squares are doubtful")],
)
def test_the_worst_fault_is_named(side: int, light: int, words: str) -> None:
    """Small squares before darkness, and where neither is to blame, that much is doubtful."""
    assert words in advice(mesh() * side + 10, flat(light), MANY)


def test_where_little_is_doubtful_nothing_is_said() -> None:
    """A few squares are sooner looked at than photographed again."""
    assert advice(mesh() * 20, flat(30), MANY - 1) == ""
