"""A pawn that was found at its foot is told where its head is, and one found at its head stays."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

pytest.importorskip("cv2", reason="OpenCV is not here")

from simulation.setting import TableSetting  # OpenCV may be missing
from tests.vision.pieces.made import SIZE, table_of
from vision.pieces import heads, small
from vision.pieces.finder import Spotted
from vision.pieces.mat import TOP_MM
from vision.pieces.patches import Floats, Picture, rectangle
from vision.pieces.piece_read import Read
from vision.pieces.small import CHOICES, SmallReading

TABLE = table_of(TableSetting("dominoids"))
NOTHING = np.zeros((SIZE[1], SIZE[0], 3), np.uint8)
STANDS = np.array([150.0, 90.0])
SIDE = 24.0


def at(height_mm: float) -> Floats:
    """Where the picture shows a height of the pawn."""
    return TABLE.camera.to_pixels(STANDS[None], np.array([height_mm]))[0]


def pawn(middle: Floats, kind: str = "pawn") -> Read:
    """A pawn as read."""
    corners = rectangle(float(middle[0]), float(middle[1]), SIDE, SIDE, 0.0)
    return Read(kind, "up", (({"suit": "suns"}, 0.97), ({"suit": "arms"}, 0.03)), 0.95, corners, 0.0)


@pytest.fixture
def head_seen(monkeypatch: pytest.MonkeyPatch) -> list[Spotted]:
    """A reader to which everything near the pawn's head looks like its head, and all else like nothing."""
    asked: list[Spotted] = []

    def read(_picture: Picture, spotted: Sequence[Spotted], **_: bool) -> list[SmallReading]:
        asked.extend(spotted)
        head = at(TOP_MM["pawn"])
        seen = []
        for one in spotted:
            is_it = float(np.linalg.norm(head - (one.x, one.y))) < 0.8 * SIDE
            kinds = np.where(np.array(CHOICES["kind"]) == ("pawn" if is_it else "none"), 0.98, 0.004)
            choices = {**{q: np.ones(len(c)) / len(c) for q, c in CHOICES.items()}, "kind": kinds}
            x, y = head if is_it else (one.x, one.y)
            seen.append(SmallReading(choices, float(x), float(y), SIDE, 0.0))
        return seen

    monkeypatch.setattr(small, "read", read)
    return asked


def test_a_foot_becomes_a_head(head_seen: list[Spotted]) -> None:
    """It keeps all that was read of it but its place."""
    foot = pawn(at(0.0))
    [one] = heads.found(NOTHING, [foot], TABLE)
    assert head_seen
    assert np.linalg.norm(one.middle - at(TOP_MM["pawn"])) < 1.0
    assert replace(one, corners=foot.corners) == foot


def test_a_head_stays(head_seen: list[Spotted]) -> None:
    """Farther out there is nothing more of it."""
    head = pawn(at(TOP_MM["pawn"]))
    assert heads.found(NOTHING, [head], TABLE) == [head]
    assert head_seen


@pytest.mark.usefixtures("head_seen")
def test_where_nothing_else_is_seen_it_stays() -> None:
    """A pawn far from any head that the reader knows is left where it was found."""
    far = pawn(at(0.0) + np.array([200.0, 0.0]))
    assert heads.found(NOTHING, [far], TABLE) == [far]


def test_other_pieces_are_not_looked_at(head_seen: list[Spotted]) -> None:
    """A coin has no head."""
    coin = pawn(at(0.0), "coin")
    assert heads.found(NOTHING, [coin], TABLE) == [coin]
    assert not head_seen


@pytest.mark.parametrize(
    ("along", "beside", "moved"), [(1.0, 0.0, True), (1.0, 0.6, False), (1.7, 0.0, False)]
)
def test_only_what_stands_above_the_foot_is_its_head(
    along: float, beside: float, moved: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The head of a pawn next to it lies beside that way, or beyond its end."""
    way = at(TOP_MM["pawn"]) - at(0.0)
    across = np.array([-way[1], way[0]]) / np.linalg.norm(way)
    x, y = (float(v) for v in at(0.0) + along * way + beside * SIDE * across)
    kinds = np.where(np.array(CHOICES["kind"]) == "pawn", 0.98, 0.004)
    choices = {**{q: np.ones(len(c)) / len(c) for q, c in CHOICES.items()}, "kind": kinds}

    def read(_picture: Picture, spotted: Sequence[Spotted], **_: bool) -> list[SmallReading]:
        return [SmallReading(choices, x, y, SIDE, 0.0) for _ in spotted]

    monkeypatch.setattr(small, "read", read)
    foot = pawn(at(0.0))
    [one] = heads.found(NOTHING, [foot], TABLE)
    assert bool(np.linalg.norm(one.middle - foot.middle) > 1.0) is moved


def test_what_is_seen_less_well_farther_out_is_no_head(monkeypatch: pytest.MonkeyPatch) -> None:
    """What was found first was the head; half of it with a coin behind looks a little like a pawn too."""

    def read(_picture: Picture, spotted: Sequence[Spotted], **_: bool) -> list[SmallReading]:
        kinds = np.where(np.array(CHOICES["kind"]) == "pawn", 0.85, 0.03)
        choices = {**{q: np.ones(len(c)) / len(c) for q, c in CHOICES.items()}, "kind": kinds}
        return [SmallReading(choices, one.x, one.y, SIDE, 0.0) for one in spotted]

    monkeypatch.setattr(small, "read", read)
    sure, doubted = (replace(pawn(at(0.0)), there=there) for there in (0.999, 0.82))
    [kept], [moved] = (heads.found(NOTHING, [one], TABLE) for one in (sure, doubted))
    assert kept is sure
    assert np.linalg.norm(moved.middle - doubted.middle) > 1.0
