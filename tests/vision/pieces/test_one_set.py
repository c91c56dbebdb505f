"""Dice of one picture: the set of most is likely that of all."""

import numpy as np
import pytest

from vision.pieces.one_set import of_one_set
from vision.pieces.small import CHOICES, SmallReading, chosen


def die(set_name: str, p: float) -> SmallReading:
    """A die that is taken for one of this set with this probability."""
    choices = {name: np.full(len(options), 1 / len(options)) for name, options in CHOICES.items()}
    choices["kind"] = np.array([float(kind == "die") for kind in CHOICES["kind"]])
    choices["set"] = np.array([p if name == set_name else (1 - p) / 2 for name in CHOICES["set"]])
    return SmallReading(choices, 0.0, 0.0, 20.0, 0.0)


def test_a_doubtful_die_is_of_the_set_of_the_others() -> None:
    """Six seen obliquely looks like quarters; among ordinary dice it is a six."""
    row = [die("pips", 0.98)] * 5 + [die("kingdomino-duel", 0.6)]
    assert [chosen(one, "set")[0] for one in of_one_set(row)] == ["pips"] * 6


def test_a_clear_stranger_stays_one() -> None:
    """What is plainly of another set is not made like the others, only believed a little less."""
    row = [die("pips", 0.98)] * 5 + [die("piecepack", 0.999)]
    name, p = chosen(of_one_set(row)[-1], "set")
    assert name == "piecepack"
    assert 0.9 < p < 0.999


def test_a_single_die_is_left_alone() -> None:
    """Nobody else speaks."""
    one = die("pips", 0.6)
    assert of_one_set([one]) == [one]


def test_shares_stay_shares() -> None:
    """However mixed the table is."""
    row = [die("pips", 0.9), die("piecepack", 0.8), die("kingdomino-duel", 0.5), die("pips", 0.4)]
    for one in of_one_set(row):
        assert one.choices["set"].sum() == pytest.approx(1)
