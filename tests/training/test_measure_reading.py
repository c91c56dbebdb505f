"""Readings are counted against the truth as they should be."""

import numpy as np

from tests.vision.pieces.made import COIN, square
from training.examples import Target
from training.measure_reading import pair
from vision.pieces.reading import Reading


def test_a_reading_of_a_stack_belongs_to_the_coin_that_is_seen() -> None:
    """The hidden coins below lie a little nearer to what was read; what shows is the one on top."""
    read = square("coin", COIN, (100, 100), 20)

    def target(x: float, visible: float) -> Target:
        corners = np.array([(x - 10, 90), (x + 10, 90), (x + 10, 110), (x - 10, 110)], float)
        return Target("coin", corners, visible, {"value": COIN, "face": "down"})

    wanted = [target(100.5, 0.04), target(103, 1.0), target(101, 0.0)]
    assert pair(Reading((200, 200), (read,), {}), wanted) == {1: 0}
    # One that is hidden is matched too where nothing else is near.
    assert pair(Reading((200, 200), (read,), {}), wanted[::2]) == {0: 0}
