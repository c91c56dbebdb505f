"""Dice that touch, stand on others or pass for a domino are asked for; good ones are left in peace."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.pieces import dice_flags
from vision.pieces.patches import rectangle
from vision.pieces.sureness import sure
from vision.pieces.tidy import Read

SIDE = 40.0


def die(x: float, y: float, side: float = SIDE, turn: float = 0.0, of_set: str = "pips") -> Read:
    """A die read with no doubt."""
    value = {"set": of_set, "suit": None, "face": "4", "crosses": None}
    return Read("die", "up", ((value, 0.9999),), 0.9999, rectangle(x, y, side, side, turn), turn)


def domino(x: float, y: float, length: float) -> Read:
    """A domino read with no doubt."""
    return Read(
        "domino", "up", (({"pips": [4, 4]}, 1.0),), 0.9999, rectangle(x, y, length, length / 2, 0), 0.0
    )


@given(st.lists(st.floats(0.95, 1.05), min_size=1, max_size=9), st.floats(0, 90))
def test_dice_that_lie_apart_are_left_in_peace(sizes: list[float], turn: float) -> None:
    """Alike sizes and a gap of half a side: no flag, whatever their turn."""
    dice = [die(90.0 * (k % 3), 90.0 * (k // 3), SIDE * s, turn * k) for k, s in enumerate(sizes)]
    assert dice_flags.flags(dice) == {}
    assert dice_flags.doubted(dice) == dice


@given(st.floats(0, 360), st.floats(0.5, 1.03))
def test_dice_that_touch_are_both_asked_for(turn: float, gap: float) -> None:
    """Side by side, in any direction."""
    c, s = math.cos(math.radians(turn)), math.sin(math.radians(turn))
    dice = [die(0, 0, turn=turn), die(gap * SIDE * c, gap * SIDE * s, turn=turn), die(300, 0)]
    assert dice_flags.flags(dice) == {0: "touching", 1: "touching"}
    assert [sure(one) for one in dice_flags.doubted(dice)] == [False, False, True]


def test_a_die_that_looks_much_larger_than_its_likes_is_asked_for() -> None:
    """It stands on something; dice of another set may have another size."""
    dice = [die(100.0 * k, 0) for k in range(4)] + [die(0, 200, 1.4 * SIDE)]
    assert dice_flags.flags(dice) == {4: "stacked"}
    assert dice_flags.flags([*dice[:4], die(0, 200, 1.4 * SIDE, of_set="piecepack")]) == {}


@pytest.mark.parametrize(("length", "flagged"), [(2 * SIDE, True), (3 * SIDE, False)])
def test_a_domino_as_wide_as_a_die_may_be_two_dice(length: float, flagged: bool) -> None:
    """Beside dice, a domino just as wide as they are is asked for; a real one is wider."""
    pieces = [die(0, 0), die(0, 100), domino(200, 0, length)]
    assert (2 in dice_flags.flags(pieces)) is flagged
    assert sure(dice_flags.doubted(pieces)[2]) is not flagged
