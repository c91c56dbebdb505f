"""Where in the camera's picture each answer to a question lies: around the places that it would change.

The places of a board are known by its mat. A piece without a place of its own is where it was seen, if it
was, or beside the pieces that it would touch; what is only taken from a heap, or put to one, is shown as that
region. Pictures are cut as a square around all that, turned like the board that is drawn beside them, and
small: a phone loads four at once.
"""

import math
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, Self

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera import Floats
from calibration.plan import Region, TablePlan
from calibration.table_finder import Table
from device.journal.ruling_pictures import Outline, compressed
from device.match.board_marks import changed_squares
from device.match.shown import Box
from engine.history import History
from engine.kingdomino_duel.kingdom import COLUMNS, ROWS
from engine.layout import Layout, Spot
from engine.matching.guide import guide_for
from engine.matching.reading_odds import agreement
from engine.scene import Scene, Sighting
from vision.pieces.mat import TOP_MM

_LONG_MM: Final = 25.0
"""From the middle of a domino or a wall to its end."""
_HALF_MM: Final = 13.0
"""From the middle of any other piece to its rim, and of a domino to its side."""
_LEAST_MM: Final = 110.0
"""So much of the table is shown at least: as much as the little board beside it shows."""
_MARGIN: Final = 0.3
"""So much more of the table is shown on each side of what changes, as a share of it."""
_LIKELY: Final = math.log(0.02)
"""What was read as a piece with less than this share is not where it lies."""
_TOUCHING: Final = 2.1
"""So near, in board units, the middles of two dominoes are at most that touch each other: a line's are 2."""
MOST_PX: Final = 288
"""The longest side of a cut picture: on a phone's screen it has half of that in pixels of a page."""
MOST_BYTES: Final = 20_000
"""What a cut picture may take."""


@dataclass(frozen=True, eq=False)
class KnownMat:
    """Where the mat lies in the pictures that are watched, and what is printed on it."""

    table: Table
    plan: TablePlan


@dataclass(frozen=True, eq=False)
class SeenTable:
    """A picture of the table, with what was read in it: ``device.match.shown.ShownTable``."""

    picture: NDArray[np.uint8] = field(repr=False)
    mat: KnownMat = field(repr=False)
    scene: Scene = field(repr=False)
    marks: Sequence[Outline] = field(repr=False)

    @classmethod
    def of(
        cls, picture: NDArray[np.uint8], mat: KnownMat | None, scene: Scene, marks: Sequence[Outline]
    ) -> Self | None:
        """The table in a picture, if it is known where its mat lies."""
        return None if mat is None else cls(picture, mat, scene, marks)

    def place(self, before: History, after: History) -> Box | None:
        """Where the table of one game differs from that of another; None where nothing has a place.

        A picture is a help: where none can be cut the question is asked without, and the match goes on.
        """
        try:
            return self._found(before, after)
        except (ArithmeticError, LookupError, ValueError) as wrong:
            print(f"pipwatch: an answer is shown without its picture: {wrong!r}", file=sys.stderr)
            return None

    def _found(self, before: History, after: History) -> Box | None:
        guide = guide_for(before.book)
        was, now = (guide.layout(game.state, {}) for game in (before, after))
        lay, lies = was.by_name(), now.by_name()
        names = [name for name in {**lay, **lies} if lay.get(name) != lies.get(name)]
        fresh = [lies[name] for name in names if name in lies]
        gone = [lay[name] for name in names if name in lay]
        squares = [self._squares(lay[name], lies[name]) for name in names if name in lay and name in lies]
        boards = [self._footprint(spot) for spot in (*fresh, *gone)]
        for found in (
            [*squares, *boards],
            [self._outline(spot) for spot in fresh],
            self._touched(after, fresh),
            [] if any(map(self._on_board, fresh)) else map(self._region, _heaps(was, now, gone, fresh)),
        ):
            points = [one for one in found if one is not None]
            if points:
                return self._around(np.concatenate(points))
        return None

    def cut(self, box: Box) -> bytes:
        """A square around it as a small JPEG, turned like the board: the first player is below."""
        left, upper, right, lower = self._squared(np.array(box[:2]), np.array(box[2:]), 0.0)
        part = np.ascontiguousarray(np.rot90(self.picture[upper:lower, left:right], self._quarters))
        share = MOST_PX / max(part.shape[:2])
        if share < 1:
            small = cv2.resize(part, None, fx=share, fy=share, interpolation=cv2.INTER_AREA)
            part = np.asarray(small, dtype=np.uint8)
        return compressed(part, MOST_BYTES)

    @property
    def _quarters(self) -> int:
        """By how many quarters the picture is turned to the left so that the mat lies in it as printed."""
        start, end = self.mat.table.camera.to_pixels([(0.0, 0.0), (50.0, 0.0)])
        along = end - start
        return round(math.atan2(float(along[1]), float(along[0])) / (math.pi / 2)) % 4

    def _footprint(self, spot: Spot) -> Floats | None:
        """The outline (px) of a piece that has a place on a board, at its foot and at its top."""
        region = self.mat.plan.regions.get(spot.region)
        if spot.x is None or spot.y is None or region is None or region.unit_mm is None:
            return None
        x, y = region.place_mm(spot.x, spot.y)
        turn = math.radians(spot.angle or 0.0)
        long = _LONG_MM if spot.kind in ("domino", "wall") else _HALF_MM
        wide = max(_HALF_MM, long * abs(math.cos(turn)))
        high = max(_HALF_MM, long * abs(math.sin(turn)))
        return self._corners((x - wide, y - high, x + wide, y + high), TOP_MM.get(spot.kind, 0.0))

    def _region(self, name: str) -> Floats | None:
        region: Region | None = self.mat.plan.regions.get(name)
        return None if region is None else self._corners(region.bounds_mm)

    def _corners(self, bounds_mm: tuple[float, float, float, float], top_mm: float = 0.0) -> Floats:
        left, bottom, right, top = bounds_mm
        around = [(left, bottom), (right, bottom), (right, top), (left, top)]
        return np.concatenate([self.mat.table.camera.to_pixels(around, high) for high in (0.0, top_mm)])

    def _outline(self, spot: Spot) -> Floats | None:
        """Where a piece without a place of its own was seen: rather in its region than elsewhere."""
        likely = [
            (one.region == spot.region, worth, one)
            for one in self.scene.sightings
            if one.kind == spot.kind and (worth := agreement(spot, one, turned=None)) >= _LIKELY
        ]
        best = max(likely, key=lambda each: each[:2], default=None)
        return None if best is None else self._mark(best[2])

    def _on_board(self, spot: Spot) -> bool:
        region = self.mat.plan.regions.get(spot.region)
        return region is not None and region.unit_mm is not None

    def _touched(self, after: History, fresh: Iterable[Spot]) -> Sequence[Floats | None]:
        """What was seen of the pieces that these would touch, which are seen nowhere themselves."""
        lies = after.book.layout(after.state).by_name()
        return [
            self._outline(other)
            for spot in fresh
            for other in lies.values()
            if self._on_board(spot) and other.name != spot.name and _touch(lies[spot.name], other)
        ]

    def _mark(self, one: Sighting) -> Floats | None:
        known = one.ref.isdecimal() and int(one.ref) < len(self.marks)
        return np.array(self.marks[int(one.ref)].outline) if known else None

    def _squares(self, was: Spot, now: Spot) -> Floats | None:
        """The squares (px) of a map that differ, where the map was seen; else its place on the mat."""
        if not now.name.startswith("map "):
            return None
        seen = [one for one in self.scene.sightings if (one.kind, one.region) == (now.kind, now.region)]
        corners = self._mark(seen[0]) if seen else None
        if corners is None or len(corners) != 4:
            return self._region(now.region)
        found = [_square(corners, str(name)) for name in changed_squares(was, now)]
        return np.concatenate(found) if found else None

    def _around(self, points: Floats) -> Box | None:
        """The square around points of the picture, with what lies about it; None outside of the picture."""
        high, broad = self.picture.shape[:2]
        inside = points[np.isfinite(points).all(axis=1)]
        inside = inside[((inside > -1) & (inside < (broad, high))).all(axis=1)]
        if not len(inside):
            return None
        return self._squared(inside.min(axis=0), inside.max(axis=0), _MARGIN)

    def _squared(self, low: Floats, top: Floats, margin: float) -> Box:
        """The square around a box, which grows by so much of it on each side, as far as the picture goes."""
        high, broad = self.picture.shape[:2]
        side = float((top - low).max()) * (1 + 2 * margin)
        side = max(side, _LEAST_MM / self.mat.table.camera.mm_per_px())
        (left, right), (upper, lower) = (
            _within(float(at), side, most) for at, most in zip((low + top) / 2, (broad, high), strict=True)
        )
        return left, upper, right, lower


def _touch(one: Spot, other: Spot) -> bool:
    if one.x is None or one.y is None or other.x is None or other.y is None:
        return False
    return one.region == other.region and math.hypot(one.x - other.x, one.y - other.y) <= _TOUCHING


def _within(middle: float, side: float, most: int) -> tuple[int, int]:
    """A stretch around a middle, pushed back where it would leave the picture."""
    long = min(round(side), most)
    start = min(max(0, round(middle - side / 2)), most - long)
    return start, start + long


def _square(corners: Floats, name: str) -> Floats:
    """The corners of a square ``r2c4`` of a map, of which the four corners are known."""
    row, column = (int(part) for part in name[1:].split("c"))
    upper_left, upper_right, lower_right, lower_left = corners
    found = []
    for down, across in ((row - 1, column - 1), (row - 1, column), (row, column), (row, column - 1)):
        y, x = down / ROWS, across / COLUMNS
        above = upper_left + (upper_right - upper_left) * x
        below = lower_left + (lower_right - lower_left) * x
        found.append(above + (below - above) * y)
    return np.array(found)


def _heaps(was: Layout, now: Layout, gone: Iterable[Spot], fresh: Iterable[Spot]) -> Sequence[str]:
    """The regions from which something was taken; else those in which something has come or changed."""
    taken = _fewer(was.hidden, now.hidden) or [*dict.fromkeys(spot.region for spot in gone)]
    return taken or [*dict.fromkeys(spot.region for spot in fresh)] or _fewer(now.hidden, was.hidden)


def _fewer(was: Mapping[str, int], now: Mapping[str, int]) -> list[str]:
    return [name for name, count in was.items() if now.get(name, 0) < count]
