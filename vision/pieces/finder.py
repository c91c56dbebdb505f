"""Where pieces lie: a small network over a picture or a part of one, at one size or at several.

The finder says only where a piece is, about how large, and what kind it might be; the readers decide.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from vision.pieces.in_reach import first_of_each
from vision.pieces.networks import batch_of, network
from vision.pieces.patches import Floats, Picture, rectangle

KINDS = ("domino", "wall", "coin", "die", "pawn", "soldier", "tile")
"""What the finder tells apart; a domino on its edge is a wall."""
SQUARE = ("coin", "die", "pawn", "soldier", "tile")
_SMALL = ("coin", "die", "pawn", "soldier")
USUAL_MM = {
    **dict.fromkeys(("domino", "wall"), 48.0), "coin": 19.0, **dict.fromkeys(("die", "pawn"), 15.0),
    "soldier": 20.0, "tile": 50.0,
}  # fmt: skip
"""How long the side of each is that is seen from above."""
WIDE_SHARE = 0.5
"""How wide a domino is, beside its length."""
CELL_PX = 4
UNIT_PX = 16.0
"""A cell of the network's maps; and the unit of the lengths that it tells, as logarithms."""
LEAST_SCORE, _LEAST_MEASURED = 0.2, 0.1
"""What is seen less clearly is not told of; the second where a piece's size is known."""
_CLEAR, _TOO_CLOSE = 0.7, 1.8
"""What is so clear, and so many times longer than can be believed, is seen from too near."""
_ALIKE = 1.6
"""Lengths of one thing differ by less than this ratio."""
WHOLE_CELLS = 32
"""The network halves its picture five times."""
_STEP = math.sqrt(3.0)
"""From one size at which a picture is looked at to the next."""
_LONGEST_PX, _SHORTEST_PX = 2400.0, 150.0
"""The longer side of a photo where it is looked at largest and smallest."""
BAND_PX = {**dict.fromkeys(("domino", "wall"), (26, 125)), "tile": (30, 130), "coin": (10, 52),
           **dict.fromkeys(("die", "pawn"), (8, 46)), "soldier": (12, 70)}  # fmt: skip
"""How long a piece may be in the picture that the network sees, to be believed."""


@dataclass(frozen=True)
class Spotted:
    """Something that the finder takes for a piece; the angle is that of its longer side, as pixels turn."""

    kind: str
    x: float
    y: float
    length: float
    width: float
    angle_deg: float
    score: float

    @classmethod
    def at(
        cls,
        kind: str,
        middle: Floats,
        long: float,
        wide: float | None = None,
        turn: float = 0.0,
        score: float = 1.0,
    ) -> "Spotted":
        """A piece where one must lie, as if the finder had seen it; a square one where no width is told."""
        return cls(
            kind, float(middle[0]), float(middle[1]), long, long if wide is None else wide, turn, score
        )

    def is_within(self, reach_px: float, point: Floats) -> bool:
        """Whether its middle lies so near to a point."""
        return math.dist(point, (self.x, self.y)) < reach_px

    @property
    def corners(self) -> Floats:
        """The corners of its rectangle."""
        return rectangle(self.x, self.y, self.length, self.width, self.angle_deg)


def find(
    picture: Picture,
    scales: Sequence[float] | None = None,
    px_a_mm: float | None = None,
    *,
    keen: bool = False,
) -> list[Spotted]:
    """What lies in a picture, the surest first; ``scales`` says how much smaller to look at it.

    Where ``px_a_mm`` is known, what is found of an impossible size is taken to have the usual one. A ``keen``
    finder tells of smaller signs of dominoes too, for a reader who knows what can lie there.
    """
    found: list[Spotted] = []
    for scale in scales or sorted(levels(picture)):
        # From far away to close by, until what was found would fill the view: all of a table has one scale.
        if any(
            one.score > _CLEAR and one.length * scale > _TOO_CLOSE * BAND_PX[one.kind][1] for one in found
        ):
            break
        found += _at(picture, scale, px_a_mm, keen=keen)
    return once_each(found)


def levels(picture: Picture) -> Iterator[float]:
    """The sizes at which a picture of unknown scale is looked at."""
    longest = max(picture.shape[:2])
    scale = min(1.0, _LONGEST_PX / longest)
    while longest * scale >= min(_SHORTEST_PX, longest):
        yield scale
        scale /= _STEP


def _at(picture: Picture, scale: float, px_a_mm: float | None, *, keen: bool = False) -> list[Spotted]:
    """What the network sees at one size."""
    rows, columns = picture.shape[:2]
    wide, high = max(1, round(columns * scale)), max(1, round(rows * scale))
    small = picture if scale == 1.0 else cv2.resize(picture, (wide, high), interpolation=cv2.INTER_AREA)
    right, below = -wide % WHOLE_CELLS, -high % WHOLE_CELLS
    padded = np.asarray(cv2.copyMakeBorder(small, 0, below, 0, right, cv2.BORDER_REPLICATE), dtype=np.uint8)
    maps = network("piece_finder")(batch_of([padded]))[0]
    fx, fy = columns / wide, rows / high
    found = []
    for one in _peaks(maps, None if px_a_mm is None else px_a_mm * scale, keen=keen):
        if BAND_PX[one.kind][0] <= one.length <= BAND_PX[one.kind][1] and one.x < wide and one.y < high:
            size = (fx + fy) / 2
            found.append(
                replace(
                    one,
                    x=(one.x + 0.5) * fx - 0.5,
                    y=(one.y + 0.5) * fy - 0.5,
                    length=one.length * size,
                    width=one.width * size,
                )
            )
    return found


def _peaks(maps: Floats, px_a_mm: float | None, *, keen: bool = False) -> Iterator[Spotted]:
    """The places where a kind's map is higher than all around, with the numbers that lie there."""
    heat = 1 / (1 + np.exp(-maps[: len(KINDS)]))
    for kind, layer in zip(KINDS, heat, strict=True):
        highest = cv2.dilate(layer, np.ones((3, 3), np.uint8))
        small = px_a_mm and (kind in _SMALL or (keen and kind == "domino"))
        least = _LEAST_MEASURED if small else LEAST_SCORE
        for row, column in np.argwhere((layer >= least) & (layer >= highest)):
            numbers = [float(v) for v in maps[len(KINDS) :, row, column]]
            usual = None if px_a_mm is None else USUAL_MM[kind] * px_a_mm
            yield _spotted(kind, (row, column), numbers, usual, float(layer[row, column]))


def _spotted(
    kind: str, cell: tuple[int, int], numbers: Sequence[float], usual: float | None, score: float
) -> Spotted:
    """What the numbers of a cell tell of a piece of this kind, which usually is so long."""
    dx, dy, length, width, cosine, sine = numbers
    long = UNIT_PX * math.exp(min(length, 4.0))
    if usual and kind in SQUARE and _differ(long, usual):
        # The numbers here are those of what it stands on.
        dx, dy, long = 0.0, 0.0, usual
    return Spotted(
        kind,
        (cell[1] + 0.5 + dx) * CELL_PX - 0.5,
        (cell[0] + 0.5 + dy) * CELL_PX - 0.5,
        long,
        long if kind in SQUARE else UNIT_PX * math.exp(min(width, 4.0)),
        0.0 if kind in SQUARE else math.degrees(math.atan2(sine, cosine)) / 2,
        score,
    )


def once_each(found: Sequence[Spotted]) -> list[Spotted]:
    """Without what shows the same piece again, seen with less certainty."""
    ranked = sorted(found, key=lambda s: -s.score)
    return first_of_each(ranked, np.array([(one.x, one.y, one.length) for one in ranked]), same)


def same(one: Spotted, other: Spotted) -> bool:
    """Whether both show one piece."""
    if _shape(one) != _shape(other):
        return False
    away = math.hypot(one.x - other.x, one.y - other.y)
    if away > 0.75 * max(one.length, other.length) or _differ(one.length, other.length):
        return False
    if one.kind in SQUARE:
        return away < 0.4 * max(one.length, other.length)
    return overlap(one.corners, other.corners) > 0.3


def _shape(one: Spotted) -> str:
    """What could be taken for it from near or far: a long piece, a tile or something small."""
    return "small" if one.kind in _SMALL else "long" if one.kind in ("domino", "wall") else one.kind


def _differ(a: float, b: float) -> bool:
    """Whether two lengths are those of different things: seen too close, a pip looks like a coin."""
    return not 1 / _ALIKE < a / b < _ALIKE


def overlap(a: Floats, b: Floats) -> float:
    """The share of the union of two four-cornered shapes that both cover."""
    p, q = a.astype(np.float32), b.astype(np.float32)
    both = float(cv2.intersectConvexConvex(p, q)[0])
    return both / max(1e-6, float(cv2.contourArea(p) + cv2.contourArea(q)) - both)
