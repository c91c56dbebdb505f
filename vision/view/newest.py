"""The newest picture of every place of a table that shows no hand, though the table is never free.

Players who do not wait for one another leave no still picture of the whole table. But whoever has gone has
done what he came for, and sooner or later each place he was at is in view again. Those places are shown as
they are then; where somebody is at work who is still there, the table is shown as it was before he came.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.view.look import Box, Look, Polygon, SeenArm, TableView
from vision.view.shrink import Picture

Cells: TypeAlias = NDArray[np.bool_]
Frames: TypeAlias = NDArray[np.int32]
"""For each cell the number of a frame; 0 for none."""
Grey: TypeAlias = NDArray[np.float32]

_CELL_PX = 8  # pixels along a side of a place
_CALM_S = 0.15  # seconds: so long a place must look the same to have been seen
_SURELY_CALM_S = 0.35  # seconds: the same where something lies that may be a hand whose arm is not seen
_SAME = 4.0  # grey levels: by so many at most the mean of a cell's pixels is moved by noise
_NEAR_CELLS = 2  # cells around an arm for its shadow and what it holds; and around a change, to be in view
_PIECE_CELLS = 3  # cells: no piece hides in a place that is so narrow,
_OUTER_CELLS = 6  # cells: nor so near to the rim, where hands come in
_RIM_CELLS = 1  # cells: so near to the rim something comes in there
_GONE_S = 0.15  # seconds: so long without somebody's arm, and he has gone
_FEWEST = 2  # frames that each of these times has at least
_BACK_S = 1.0  # seconds: who is back sooner had not gone, as nobody else comes and goes in less
_DIFFERS = 10.0  # grey levels by which a cell looks otherwise where something lies, or is gone,
_LEAST_CELLS = 3  # cells: and so many of them do
_NEWEST = 0.6  # share of the newest frame beside those before: several frames have less noise than one
_LEAST_S = 0.01  # seconds between two frames, at least


@dataclass
class _Visitor:
    """Somebody who was at the table since it was free: in which frame he was last over each cell."""

    visit: Frames  # in his last visit
    earlier: Frames  # in those before it
    away: int = 0  # for how many frames he has not been seen
    gone_s: float | None = None  # when he went; None: he is there

    @property
    def left(self) -> Frames:
        """The same of the visits that are over."""
        return self.earlier if self.gone_s is None else np.maximum(self.visit, self.earlier)


class Newest:
    """A table since it was settled, place by place."""

    def __init__(self, table: Picture) -> None:
        self._shape = (-(-table.shape[0] // _CELL_PX), -(-table.shape[1] // _CELL_PX))
        self._table, self._newest = table.copy(), table.copy()
        """As it was left by those who have gone; and as far as it could be seen at all, whoever is there."""
        self._frame, self._at_s, self._step_s = 0, 0.0, 1.0
        """The number and time of the frame, and how long after the one before it came."""
        self._grey: Grey | None = None
        self._calm = self._nowhere()
        """For how many frames each cell has looked the same, with nothing over it."""
        self._shown, self._seen = self._nowhere(), self._nowhere()
        """In which frame each cell was taken into the table, and into the newest."""
        self._both = np.zeros(self._shape, bool)
        """Where it shows what somebody has left at whose place another is who is still there."""
        self._visitors: dict[int, _Visitor] = {}
        self._told_grey = self._grey_of(table)  # the cells of the last picture
        self._last_grey: Grey | None = None
        """Those of the table as it was in the last frame, if all that was new in it was in view."""

    @property
    def there(self) -> frozenset[int]:
        """Those who are at the table, and may be at work."""
        return frozenset(who for who, one in self._visitors.items() if one.gone_s is None)

    def see(self, picture: Picture, look: Look, arms: Sequence[SeenArm]) -> None:
        """Take in the next frame, in which these arms are over the table."""
        step_s = max(look.at_s - self._at_s, _LEAST_S)
        self._frame, self._step_s, self._at_s = self._frame + 1, step_s, look.at_s
        seen = self._watch(picture, look)
        self._attend(arms)
        if not self._visitors:
            return  # nobody has been there since the table was free
        self._mix(self._newest, picture, seen, self._seen)
        untouched = seen.copy()
        for who in self.there:
            untouched &= self._visitors[who].visit == 0
        self._mix(self._table, picture, untouched, self._shown)
        self._both &= ~untouched

    def _watch(self, picture: Picture, look: Look) -> Cells:
        """Count for how long each cell has been in view and still; those that have been for long enough."""
        grey, before = self._grey_of(picture), self._grey
        over = self._drawn([one for one in look.hidden if self._is_at_rim(one)])
        doubted = self._drawn([one for one in look.hidden if not self._is_at_rim(one)])
        still = np.zeros(self._shape, bool) if before is None else np.abs(grey - before) <= _SAME
        self._calm = np.where(still & ~_grown(over), self._calm + 1, 0)
        self._grey = grey
        surely, calm = self._frames(_SURELY_CALM_S), self._frames(_CALM_S)
        return np.asarray(self._calm >= np.where(doubted, surely, calm))

    def _frames(self, seconds: float) -> int:
        """How many frames that is, at the pace at which they come."""
        return max(_FEWEST, math.ceil(seconds / self._step_s - 1e-6))

    def _is_at_rim(self, outline: Polygon) -> bool:
        """Whether this comes in at the rim; what does not is a piece, as a rule."""
        x, y = (np.array(outline, dtype=np.int32) // _CELL_PX).T
        rows, columns = self._shape
        return bool(min(x.min(), y.min(), columns - 1 - x.max(), rows - 1 - y.max()) <= _RIM_CELLS)

    def _attend(self, arms: Sequence[SeenArm]) -> None:
        """Who is there, and where; who is not seen any more has gone, and what he did is done."""
        for who in {player for arm in arms for player in arm.players}:
            one = self._visitors.setdefault(who, _Visitor(self._nowhere(), self._nowhere()))
            if one.gone_s is not None and self._at_s - one.gone_s >= _BACK_S:
                one.visit, one.earlier = self._nowhere(), one.left
            one.away, one.gone_s = 0, None
            one.visit[_grown(self._drawn([arm.outline for arm in arms if who in arm.players]))] = self._frame
        for who, one in self._visitors.items():
            one.away += not any(who in arm.players for arm in arms)
            if one.gone_s is None and one.away >= self._frames(_GONE_S):
                one.gone_s = self._at_s

    def _drawn(self, outlines: Sequence[Polygon]) -> Cells:
        """The cells under these outlines."""
        cells = np.zeros(self._shape, np.uint8)
        for points in (np.array(outline, dtype=np.int32) // _CELL_PX for outline in outlines):
            cv2.fillPoly(cells, [points], [1])
            cv2.polylines(cells, [points], isClosed=True, color=[1])
        return cells > 0

    def _nowhere(self) -> Frames:
        return np.zeros(self._shape, np.int32)

    def _mix(self, known: Picture, picture: Picture, cells: Cells, at: Frames) -> None:
        """Take these cells of a frame into what is known; ``at``: in which frame each was taken in last."""
        if not cells.any():
            return
        new = (self._calm <= self._frames(_SURELY_CALM_S)) | (at < self._frame - 1)
        x, y, wide, high = cv2.boundingRect(cells.astype(np.uint8))
        part = np.s_[y * _CELL_PX : (y + high) * _CELL_PX, x * _CELL_PX : (x + wide) * _CELL_PX]
        frame, old = picture[part], known[part]
        inner = np.s_[y : y + high, x : x + wide]
        mixed = cv2.addWeighted(frame, _NEWEST, old, 1 - _NEWEST, 0)
        cv2.copyTo(mixed, _full(cells[inner], old.shape), old)
        cv2.copyTo(frame, _full((cells & new)[inner], old.shape), old)
        at[cells] = self._frame

    def left(self, look: Look, part: int, lying: Callable[[], Sequence[Box]]) -> TableView | None:
        """The table, once something that those left who have gone is in view, and all around it as well.

        ``part`` is its number. ``lying`` says where something lay: taking it from there is part of what
        they may have done.
        """
        there = self.there
        left = np.maximum.reduce([self._nowhere(), *(one.left for one in self._visitors.values())])
        if not there or not left.any():
            return None
        lacking = (left > 0) & (self._shown <= left)
        in_view = lacking & (self._seen > left)
        cv2.copyTo(self._newest, _full(in_view, self._table.shape), self._table)
        self._shown[in_view] = self._seen[in_view]
        self._both |= in_view
        now, last = self._grey_of(self._table), self._last_grey
        changed = _differ(now, self._told_grey) & (left > 0)
        unknown = lacking & ~in_view
        seen, whole = not (_grown(changed) & unknown).any(), not _has_room(unknown)
        seen = seen and int(changed.sum()) >= _LEAST_CELLS
        seen = seen and (whole or not (unknown & self._cells_of(lying())).any())
        self._last_grey = now if seen else None
        if not seen or last is None or int(_differ(now, last).sum()) >= _LEAST_CELLS:
            return None
        self._told_grey, self._last_grey = now, None
        picture, shared = self._table.copy(), bool((changed & self._both).any())
        return TableView(picture, look.at_s, look.view, part, _boxes(changed), there, whole, shared)

    def _cells_of(self, boxes: Sequence[Box]) -> Cells:
        """The cells in which something of these boxes lies."""
        cells = np.zeros(self._shape, bool)
        for left, upper, right, lower in boxes:
            rows = slice(max(0, upper // _CELL_PX), max(0, -(-lower // _CELL_PX)))
            cells[rows, max(0, left // _CELL_PX) : max(0, -(-right // _CELL_PX))] = True
        return cells

    def _grey_of(self, picture: Picture) -> Grey:
        """The mean of each cell."""
        rows, columns = self._shape
        small = cv2.resize(picture, (columns, rows), interpolation=cv2.INTER_AREA)
        return np.asarray(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY), dtype=np.float32)


def _grown(cells: Cells) -> Cells:
    """The cells, and those around them."""
    around = np.ones((2 * _NEAR_CELLS + 1,) * 2, np.uint8)
    return np.asarray(cv2.dilate(cells.astype(np.uint8), around) > 0)


def _differ(one: Grey, other: Grey) -> Cells:
    """Where two tables look unlike, however the light has changed all over."""
    by = one - other
    return np.asarray(np.abs(by - np.median(by)) > _DIFFERS)


def _boxes(cells: Cells) -> tuple[Box, ...]:
    """The boxes around cells that touch, in pixels."""
    _, _, stats, _ = cv2.connectedComponentsWithStats(cells.astype(np.uint8), connectivity=8)
    return tuple(
        (_CELL_PX * int(x), _CELL_PX * int(y), _CELL_PX * int(x + w), _CELL_PX * int(y + h))
        for x, y, w, h, _ in stats[1:]
    )


def _has_room(cells: Cells) -> bool:
    """Whether a piece has room in these cells, away from the rim of the picture."""
    inner = cells[_OUTER_CELLS:-_OUTER_CELLS, _OUTER_CELLS:-_OUTER_CELLS].astype(np.uint8)
    return bool(cv2.erode(inner, np.ones((_PIECE_CELLS, _PIECE_CELLS), np.uint8)).any())


def _full(cells: Cells, shape: Sequence[int]) -> NDArray[np.uint8]:
    """The cells as a mask of the whole picture."""
    mask = cv2.resize(cells.astype(np.uint8), None, fx=_CELL_PX, fy=_CELL_PX, interpolation=cv2.INTER_NEAREST)
    return np.ascontiguousarray(mask[: shape[0], : shape[1]])
