"""A small piece that two looks leave open is seen from all four sides; a clear one is not."""

from collections.abc import Sequence

import numpy as np
import pytest

from vision.pieces import small
from vision.pieces.finder import Spotted
from vision.pieces.small import CHOICES, NUMBERS, chosen, ranked

ENDS = np.cumsum([0, *map(len, CHOICES.values())])
PICTURE = np.full((200, 200, 3), 128, np.uint8)


def row(side: float) -> np.ndarray:
    """What the network says of a coin that shows its value so likely, an ace; else the moons."""
    said = {name: np.zeros(len(values)) for name, values in CHOICES.items()}
    said["kind"][CHOICES["kind"].index("coin")] = 20.0
    said["side"][:] = np.log([side, 1 - side])
    said["rank"][CHOICES["rank"].index("ace")] = 20.0
    said["suit"][CHOICES["suit"].index("moons")] = 20.0
    return np.concatenate([*said.values(), np.zeros(NUMBERS)])


def looked(monkeypatch: pytest.MonkeyPatch, *sides: float) -> tuple[small.SmallReading, int]:
    """The reading of one coin whose looks say this one after the other, and how many looks it took."""
    rows = iter(sides)
    taken = []

    def answers(name: str, cuts: Sequence[object]) -> np.ndarray:
        taken.append(name)
        return np.stack([row(next(rows)) for _ in cuts])

    monkeypatch.setattr(small, "answers", answers)
    (one,) = small.read(PICTURE, [Spotted.at("coin", np.array([100.0, 100.0]), 40.0, score=0.9)])
    return one, len(taken)


def test_two_sides_are_enough_where_they_leave_no_doubt(monkeypatch: pytest.MonkeyPatch) -> None:
    """One look to find where it lies, one from each of two sides."""
    one, looks = looked(monkeypatch, 0.5, 0.9999, 0.9999)
    assert looks == 3
    assert ranked(one, "coin")[0][0] == {"suit": None, "value": 1}


def test_what_two_sides_leave_open_is_seen_from_four(monkeypatch: pytest.MonkeyPatch) -> None:
    """The other two sides tell the ace from the moons."""
    one, looks = looked(monkeypatch, 0.5, 0.3, 0.4, 0.99, 0.98)
    assert looks == 5
    assert chosen(one, "kind")[0] == "coin"
    assert ranked(one, "coin")[0][0] == {"suit": None, "value": 1}
