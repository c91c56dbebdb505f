"""Each piece by itself: what the readers say becomes one reading a piece."""

from collections.abc import Sequence

import numpy as np
import pytest

from vision.pieces import dice, small
from vision.pieces.each import PieceReader
from vision.pieces.finder import Spotted
from vision.pieces.patches import Picture
from vision.pieces.piece_read import Read
from vision.pieces.small import CHOICES, SmallReading

PICTURE: Picture = np.full((120, 160, 3), 90, np.uint8)
SPOT = Spotted("coin", 80.0, 60.0, 24.0, 24.0, 0.0, 0.9)


def seen(kind: str, flat: float) -> SmallReading:
    """A small piece of a kind, which lies flat as likely as that."""
    choices = {name: np.eye(len(each))[0] for name, each in CHOICES.items()}
    choices["kind"] = np.eye(len(CHOICES["kind"]))[CHOICES["kind"].index(kind)]
    return SmallReading(choices, 80.0, 60.0, 24.0, 0.0, 1.0, flat)


@pytest.mark.parametrize(("kind", "flat"), [("coin", True), ("pawn", True), ("die", False)])
def test_only_a_die_can_lean(kind: str, flat: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was looked at as if it were a die, and is none, is not asked about for leaning."""
    one = seen(kind, 0.1)

    def look(_: Picture, readings: Sequence[SmallReading], _maybe: object) -> list[SmallReading]:
        return list(readings)

    monkeypatch.setattr(small, "read", lambda *_, **__: [one])
    monkeypatch.setattr(dice, "looked_at", look)
    (read,) = PieceReader(PICTURE).small([SPOT])
    assert read.kind == kind
    assert read.flat is flat


@pytest.mark.parametrize(("kind", "there", "suit"), [("pawn", 1.0, 1), ("pawn", 0.5, 0), ("coin", 1.0, 0)])
def test_a_pawn_that_is_surely_there_has_its_suit_for_itself(
    kind: str, there: float, suit: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another that looks as much like the next suit is of that one."""
    one = seen("pawn", 1.0)
    one.choices["suit"] = np.array([0.5, 0.45, 0.03, 0.02])
    monkeypatch.setattr(small, "read", lambda *_, **__: [one])
    monkeypatch.setattr(dice, "looked_at", lambda _picture, readings, _maybe: list(readings))
    ranked = (({"suit": "suns"}, 0.97), ({"suit": "moons"}, 0.01))
    other = Read(kind, "up", ranked, there, np.zeros((4, 2)), 0.0)
    (read,) = PieceReader(PICTURE).small([SPOT], beside=[other])
    assert read.value == {"suit": CHOICES["suit"][suit]}


@pytest.mark.parametrize(
    ("spotted", "score", "kind", "looked"),
    [
        ("die", 0.7, "soldier", [0]),
        ("die", 0.4, "soldier", []),
        ("soldier", 0.7, "soldier", []),
        ("die", 0.7, "coin", []),
        ("coin", 0.7, "die", [0]),
    ],
)
def test_a_man_that_the_finder_takes_for_a_die_is_looked_at_closely(
    spotted: str, score: float, kind: str, looked: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """From near a die and a man with a disc look alike to the reader; the finder sees both whole."""
    maybe: list[int] = []

    def look(_: Picture, readings: Sequence[SmallReading], which: Sequence[int]) -> list[SmallReading]:
        maybe.extend(which)
        return list(readings)

    monkeypatch.setattr(small, "read", lambda *_, **__: [seen(kind, 1.0)])
    monkeypatch.setattr(dice, "looked_at", look)
    PieceReader(PICTURE).small([Spotted(spotted, 80.0, 60.0, 24.0, 24.0, 0.0, score)])
    assert maybe == looked
