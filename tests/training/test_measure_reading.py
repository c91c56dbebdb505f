"""Readings are counted against the truth as they should be."""

import math

import numpy as np
import pytest

from tests.vision.pieces.made import COIN, domino, square
from training.examples import Target
from training.measure_reading import Score, judge, pair, told
from vision.pieces.reading import Readout


def test_a_reading_of_a_stack_belongs_to_the_coin_that_is_seen() -> None:
    """The hidden coins below lie a little nearer to what was read; what shows is the one on top."""
    read = square("coin", COIN, (100, 100), 20)

    def target(x: float, visible: float) -> Target:
        corners = np.array([(x - 10, 90), (x + 10, 90), (x + 10, 110), (x - 10, 110)], float)
        return Target("coin", corners, visible, {"value": COIN, "face": "down"})

    wanted = [target(100.5, 0.04), target(103, 1.0), target(101, 0.0)]
    assert pair(Readout((200, 200), (read,), {}), wanted) == {1: 0}
    # One that is hidden is matched too where nothing else is near.
    assert pair(Readout((200, 200), (read,), {}), wanted[::2]) == {0: 0}


def test_each_piece_ends_as_one_of_four_and_what_is_none_is_a_phantom() -> None:
    """Tiles that are not there count like all else; a sure reading of what is hidden counts neither way."""
    right, wrong = domino((1, 2), (100, 100)), domino((3, 4), (300, 100))
    asked, stray = domino((5, 6), (100, 300), there=0.5), square("tile", None, (500, 300), 60, face="down")
    below = domino((0, 0), (300, 400))

    def target(pips: tuple[int, int], at: tuple[float, float], visible: float = 1.0) -> Target:
        facts = {"value": {"pips": [*pips]}, "face": "up"}
        return Target("domino", domino(pips, at).corners, visible, facts)

    wanted = [
        target((2, 1), (102, 100)), target((3, 5), (300, 101)), target((5, 6), (100, 300)),
        target((6, 6), (500, 100)), target((0, 1), (330, 402), 0.1),
    ]  # fmt: skip
    score = Score()
    reading = Readout((640, 480), (right, wrong, asked, stray, below), {})
    assert not judge(reading, wanted, score, "a")
    assert score.counts["domino"] == {"right": 1, "wrong": 1, "asked": 1, "missed": 1}
    assert score.counts["tile"] == {"phantom": 1}
    assert judge(Readout((640, 480), (right,), {}), wanted[:1], score, "b")
    assert (score.pictures, score.perfect) == (2, 1)


def test_what_lies_open_below_something_counts_by_the_likeliest() -> None:
    """Sure or not: how well a tile is read on which a man stands."""

    def target(pips: tuple[int, int], at: tuple[float, float], visible: float, face: str = "up") -> Target:
        return Target("domino", domino(pips, at).corners, visible, {"value": {"pips": [*pips]}, "face": face})

    wanted = [
        target((2, 1), (100, 100), 0.6), target((3, 5), (300, 100), 0.6), target((4, 4), (100, 300), 0.6),
        target((5, 5), (300, 300), 1.0), target((6, 6), (500, 100), 0.6, "down"),
    ]  # fmt: skip
    found = (domino((1, 2), (100, 100), there=0.5), domino((3, 4), (300, 100)), domino((5, 5), (300, 300)))
    score = Score()
    judge(Readout((640, 480), found, {}), wanted, score, "a")
    assert score.covered == {"n": 3, "likeliest": 1}
    assert told(score)["covered open dominoes"]["likeliest right"] == round(1 / 3, 4)


def test_what_is_believed_to_be_there_costs_its_surprise() -> None:
    """A phantom that is held for sure costs the most, a piece that is half believed ln 2."""

    def target(at: tuple[float, float]) -> Target:
        facts = {"value": {"pips": [1, 2]}, "face": "up"}
        return Target("domino", domino((1, 2), at).corners, 1.0, facts)

    found = (domino((1, 2), (100, 100), there=0.5), domino((3, 4), (300, 100), there=1.0))
    score = Score()
    judge(Readout((640, 480), found, {}), [target((100, 100))], score, "a")
    assert sorted(score.there["domino"]) == [pytest.approx(math.log(2)), pytest.approx(math.log(1000))]
    assert told(score)["loss of what is said to be there"] == {"domino": {"n": 2, "nats": 7.6}}
