# ruff: noqa: ARG002 (what a reader is asked is the same for sketches as for pictures)
"""Reads sketched tables (``simulation.sketch``): what a reader says, with as many mistakes as wanted.

A piece is misread once for as long as nobody touches it: whoever looks again at the same thing in the same
light mostly sees the same. Of what is read in doubt the truth is as likely as the reader says: with 0.7 seven
times in ten.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np

from calibration import follow
from calibration.mats import loose_markers
from calibration.profiles import UNKNOWN_CAMERA
from calibration.table_finder import Table
from device.live.mat_reader import MatReader
from device.live.ports import Picture, Seen
from engine.kingdomino_duel.edition import COATS
from engine.plain import Json, JsonObject
from engine.scene import Guess, Sighting
from simulation.faces import RANKS
from simulation.sketch import Sketched, Sketcher
from simulation.truth import seen_value
from simulation.virtual_scene import Piece, stream
from vision.pieces.mat import OnTable
from vision.pieces.memory import Memory
from vision.pieces.piece_read import Read
from vision.pieces.reading import Readout
from vision.sheet_scene import REGIONS, SeenMap

_SURE: Final = 0.9995
"""How surely a piece is read of which nothing is in doubt."""
_DOUBT: Final = (0.55, 0.97)
"""How surely one is read that is read in doubt."""
_ELSE: Final = 0.01
"""How likely it is neither of the two that are named then."""
_OFF_MM, _OFF_DEG = 0.5, 0.8
"""How far off a piece is seen in one look (standard deviations)."""
_DRAWN: Final = 0.99999
"""How surely a square of a map is read, and whether its roof is coloured."""
_NOT_THROWN: Final = {"set": "kingdomino-duel", "suit": None, "face": "dot", "crosses": 0}
"""What a die shows that was not thrown yet: whatever it lay on."""
_KNOCKED_S: Final = 0.6
"""So long after a knock the markers are not at rest."""
_LEAST_SEEN: Final = 0.9
"""Of a map nearly all must be seen: under a hand it is not read."""


@dataclass(frozen=True)
class Misreading:
    """How often a reader is in doubt, and about what."""

    seed: int
    doubtful: float = 0.0
    """The share of the pieces that are read in doubt."""

    def of(
        self, piece: Piece, value: Mapping[str, Any] | None
    ) -> tuple[tuple[Mapping[str, Any] | None, float], ...]:
        """What is read of a piece, ranked; the same as long as it lies as it does."""
        lies = (piece.name, repr(value), f"{piece.x_mm:.1f} {piece.y_mm:.1f} {piece.angle_deg:.0f}")
        rng = stream(self.seed, "misread", *lies)
        if rng.random() >= self.doubtful or value is None or piece.face == "edge":
            return ((value, _SURE),)
        other = taken_for(piece.kind, value, rng)
        if other is None:
            return ((value, _SURE),)
        sure = float(rng.uniform(*_DOUBT))
        first, second = (value, other) if rng.random() < sure / (1 - _ELSE) else (other, value)
        return (first, sure), (second, 1 - _ELSE - sure)


def taken_for(kind: str, value: Mapping[str, Any], rng: np.random.Generator) -> Mapping[str, Any] | None:
    """What a piece may be taken for; None where it is never misread."""
    if kind == "domino":
        pips, half = [int(v) for v in value["pips"]], int(rng.integers(2))
        pips[half] += 1 if pips[half] == 0 or rng.random() < 0.5 else -1
        return {**value, "pips": pips}
    if kind == "coin" and value.get("value") is not None:
        return {**value, "value": (int(value["value"]) + 1) % 6}
    if kind == "die" and value.get("set") == "piecepack":
        face = RANKS[(RANKS.index(str(value["face"])) + 1) % len(RANKS)]
        return {**value, "face": face, "suit": None if face == "null" else value["suit"] or "suns"}
    if kind == "die" and value.get("set") == "kingdomino-duel":
        return {**value, "crosses": (int(value.get("crosses") or 0) + 1) % 3}
    return None


@dataclass(frozen=True)
class SketchedMap(SeenMap):
    """A map of the Duel that was sketched."""

    value: JsonObject = field(default_factory=dict)
    corners: Any = None

    @property
    def outline(self) -> Any:
        """Its four corners (px), clockwise."""
        return self.corners

    def sighting(self) -> Sighting:
        """The map in the words of the referee."""
        return Sighting("sheet", self.region, guesses=(Guess(self.value, 1.0),), ref=self.region)


class SketchReader(MatReader):
    """Reads the table of one game that is sketched."""

    def __init__(self, game: str, sketcher: Sketcher, misreading: Misreading) -> None:
        super().__init__(game)
        self._sketcher, self._misreading = sketcher, misreading
        self._looks = 0
        self._camera_then = sketcher.camera
        self._find_again()

    def _find_again(self) -> None:
        camera = self._sketcher.camera
        table = Table(camera, loose_markers(self._true_plan.size_mm), 0.2)
        self._camera_then = camera
        self._size_px = camera.lens.size_px
        self._follower = follow.TableFollower(table, UNKNOWN_CAMERA.knowledge(camera.lens.size_px))

    def steady(self, picture: Picture, at_s: float) -> bool | None:
        """Whether the markers are where they were."""
        if at_s - self._sketcher.moved_s < _KNOCKED_S:
            return False
        if self._sketcher.camera is not self._camera_then:
            self._find_again()
        return True

    def larger(self) -> float:
        """A sketch is never larger."""
        return 1.0

    def _pieces_in(self, picture: Picture, table: Table, before: Seen | None, memory: Memory) -> Readout:
        self._looks += 1
        rng = stream(self._misreading.seed, "looks", str(self._looks))
        pieces, places = list[Read](), list[OnTable]()
        for one, share in self._sketcher.seen_in(picture):
            if one.piece.kind not in ("sheet", "marker"):
                read, place = self._read_one(one, share, rng)
                pieces.append(read)
                places.append(place)
        size = (picture.shape[1], picture.shape[0])
        return Readout(size, tuple(pieces), {}, table, tuple(places), tuple(pieces))

    def _read_one(self, one: Sketched, share: float, rng: np.random.Generator) -> tuple[Read, OnTable]:
        piece, value = one.piece, seen_value(one.piece)
        if piece.kind == "soldier" and value is not None:
            # his place tells how he faces, and nothing of one soldier of which army he is
            value |= {"facing_deg": None, "army": None}
        if piece.kind == "die" and value is None:
            value = _NOT_THROWN
        ranked = self._misreading.of(piece, value)
        dx, dy, turn = (float(v) for v in rng.normal(0, 1, 3) * (_OFF_MM, _OFF_MM, _OFF_DEG))
        angle = piece.angle_deg + turn
        corners = one.corners_px
        if piece.kind == "domino" and piece.face == "up" and _is_turned(piece):
            # A domino has no upper end: either may be told first.
            angle, corners = angle + 180, np.roll(corners, 2, axis=0)
            ranked = tuple((_turned(told), p) for told, p in ranked)
        kind = "domino" if piece.kind == "wall" else piece.kind
        face = "edge" if piece.kind == "wall" else piece.face
        owner = piece.owner if piece.kind == "soldier" else None
        read = Read(kind, face, ranked, 0.999, corners, angle % 360, owner, visible=share)
        return read, OnTable(piece.x_mm + dx, piece.y_mm + dy, angle % 360)

    def _maps_in(
        self, picture: Picture, table: Table, before: Seen | None, memory: Memory
    ) -> Sequence[SeenMap]:
        found: list[SeenMap] = []
        for one, share in self._sketcher.seen_in(picture):
            value: Any = one.piece.value or {}
            if one.piece.kind == "sheet" and "map" in value and share >= _LEAST_SEEN:
                region = REGIONS[one.piece.owner]
                told: JsonObject = {
                    "map": [[_square(square, (row, column)) for column, square in enumerate(squares)]
                            for row, squares in enumerate(value["map"])],
                    "roof": value["roof"], "roof_confidence": _DRAWN if value["roof"] else 1 - _DRAWN,
                }  # fmt: skip
                found.append(SketchedMap(region, None, told, one.corners_px))  # type: ignore[arg-type]
        return found


def _is_turned(piece: Piece) -> bool:
    """Whether a domino's second end is told first, as long as it lies as it does."""
    return int(100 * (abs(piece.x_mm) + abs(piece.y_mm))) % 2 == 1


def _turned(value: Mapping[str, Any] | None) -> Mapping[str, Any] | None:
    return None if value is None else {**value, "pips": list(value["pips"])[::-1]}


def _square(square: Any, at: tuple[int, int]) -> Json:
    if at == (2, 3):
        return None
    coat, crosses = (None, 0) if square is None else (square["coat"], square.get("crosses") or 0)
    assert coat is None or coat in COATS
    return {"coat": coat, "crosses": crosses, "confidence": _DRAWN, "alternatives": []}
