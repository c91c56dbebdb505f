"""What can be seen of a table that is never free: each place as it was when no hand was over it.

    between = Between((1280, 960))
    between.free(voted)                              # the settled table
    picture = between.see(frame, look, arms)         # a table at which somebody has finished, or None

Players who do not wait for one another leave no still picture of the whole table. But whoever has gone has
done what he came for, and sooner or later each place he was at is in view again. Those places are shown as
they are then; where somebody is at work who is still there, the table is shown as it was before he came.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.gate.look import Box, Look, Polygon, State
from vision.gate.shrink import Picture

Arms: TypeAlias = Sequence[tuple[frozenset[int], Polygon]]
"""Each arm over the table, with those whose it may be."""
Cells: TypeAlias = NDArray[np.bool_]
Grey: TypeAlias = NDArray[np.float32]

_CELL_PX = 8
_CALM_S, _SURELY_CALM_S = 0.15, 0.35
"""So long a place must look the same to have been seen; the second where something lies that may be a hand
whose arm is not seen."""
_SAME = 4.0
"""By so many grey levels at most the mean of a cell's pixels is moved by noise."""
_NEAR_CELLS = 2
"""So near to an arm lies its shadow, and what it holds."""
_PIECE_CELLS = 3
"""No piece hides in a place that is so narrow."""
_OUTER_CELLS = 6
"""Nor so near to the rim, where hands come in."""
_RIM_CELLS = 1
"""So near to the rim something comes in there."""
_GONE_S = 0.15
"""So long without somebody's arm, and he has gone."""
_FEWEST = 2
"""But in so many frames at least."""
_BACK_S = 1.0
"""Who is back within so short a time had not gone: nobody else comes and goes in less."""
_DIFFERS, _LEAST_CELLS = 10.0, 3
"""Something lies there, or is gone, where so many cells have changed by so many grey levels."""
_AROUND_CELLS = 2
"""So far around it all must be in view, else only a part of it is."""
_NEWEST = 0.6
"""The newest frame weighs so much beside those before: several frames have less noise than one."""
_LEAST_S = 0.01
_WATCHED = (State.HAND, State.RESTING, State.SETTLING, State.SETTLED, State.LIGHT)


@dataclass(frozen=True)
class _Gone:
    """Somebody who has gone."""

    at_s: float
    visit: NDArray[np.int32]
    """When he was last over each cell in his last visit."""
    earlier: NDArray[np.int32]
    """The same of those before it."""

    @property
    def cells(self) -> NDArray[np.int32]:
        """The same of all of them."""
        return np.maximum(self.visit, self.earlier)


class Between:
    """A table as it was left by those who have gone."""

    def __init__(self, size_px: tuple[int, int]) -> None:
        self._shape = (-(-size_px[1] // _CELL_PX), -(-size_px[0] // _CELL_PX))
        self._table: Picture | None = None
        """As it was left by those who have gone."""
        self.whole = True
        """Whether all that they may have done is in view in the last picture."""
        self.changed: tuple[Box, ...] = ()
        """Where it looks otherwise than the picture before it."""
        self.shared = False
        """Whether somebody who is still there may have done what that shows, too."""
        self._reset()

    def _reset(self) -> None:
        self._newest = self._table.copy() if self._table is not None else None
        """As it is, as far as it could be seen at all, whoever is there."""
        self._frame, self._at_s, self._step_s = 0, 0.0, 1.0
        """The number and time of the frame, and how long after the one before it came."""
        self._grey: Grey | None = None
        self._calm = np.zeros(self._shape, np.int32)
        """For how many frames each cell has looked the same, with nothing over it."""
        self._shown, self._seen = (np.zeros(self._shape, np.int32) for _ in range(2))
        """In which frame each cell was taken into the table, and into the newest."""
        self._both = np.zeros(self._shape, bool)
        """Where it shows what somebody has left at whose place another is who is still there."""
        self._left = np.zeros(self._shape, np.int32)
        """When those who have gone since the table was free were last over each cell."""
        self._gone: dict[int, _Gone] = {}
        """The same of each, and when he went."""
        self._there: dict[int, NDArray[np.int32]] = {}
        """Of each who is there, when he was last over each cell."""
        self._away: dict[int, int] = {}
        """For how many frames each of them has not been seen."""
        self._told_grey = (
            np.zeros(self._shape, np.float32) if self._table is None else self._grey_of(self._table)
        )
        """The cells of the last picture."""
        self._doubted = np.zeros(self._shape, np.uint8)
        """Where something lies that does not come in at the rim."""
        self._last_grey: Grey | None = None
        """Those of the table as it was in the last frame, if all that was new in it was in view."""

    def free(self, table: Picture) -> None:
        """The table is settled, and all of it in view."""
        self._table = table.copy()
        self._reset()

    def lose(self) -> None:
        """The table was lost from view: nothing is known until it is settled again."""
        self._table = None

    def see(
        self, picture: Picture, look: Look, arms: Arms, lying: Callable[[], Sequence[Box]] = tuple
    ) -> Picture | None:
        """The table as those left it who have gone since, once all that they did can be seen, as a rule.

        ``lying`` says where something lay: what may have been taken from there is part of what they did.
        """
        if look.state not in _WATCHED:
            self.lose()
        if self._table is None or self._table.shape != picture.shape:
            return None
        self._frame, self._step_s = self._frame + 1, max(look.at_s - self._at_s, _LEAST_S)
        self._at_s = look.at_s
        self._watch(picture, look)
        self._attend(arms)
        if not self._there and not self._left.any():
            return None  # nobody has been there since the table was free
        self._take_in(picture)
        return self._told(lying) if self._there and self._left.any() else None

    def _watch(self, picture: Picture, look: Look) -> None:
        """Count for how long each cell has been in view and still."""
        grey = self._grey_of(picture)
        over = np.zeros(self._shape, np.uint8)
        self._doubted = np.zeros(self._shape, np.uint8)
        for outline in look.hidden:
            _draw(over if self._is_at_rim(outline) else self._doubted, outline)
        over = np.asarray(cv2.dilate(over, np.ones((2 * _NEAR_CELLS + 1,) * 2, np.uint8)), dtype=np.uint8)
        still = np.zeros(self._shape, bool) if self._grey is None else np.abs(grey - self._grey) <= _SAME
        self._calm = np.where(still & (over == 0), self._calm + 1, 0)
        self._grey = grey

    def _frames(self, seconds: float) -> int:
        """How many frames that is, at the pace at which they come."""
        return max(_FEWEST, math.ceil(seconds / self._step_s - 1e-6))

    def _is_at_rim(self, outline: Polygon) -> bool:
        """Whether this comes in at the rim; what does not is a piece, as a rule."""
        x, y = (np.array(outline, dtype=np.int32) // _CELL_PX).T
        rows, columns = self._shape
        least = min(x.min(), y.min(), columns - 1 - x.max(), rows - 1 - y.max())
        return bool(least <= _RIM_CELLS)

    def _attend(self, arms: Arms) -> None:
        """Who is there, and where; who is not seen any more has gone, and what he did is done."""
        for who in {player for players, _ in arms for player in players}:
            self._away[who] = 0
            if who not in self._there:
                self._there[who] = self._back(who)
            cells = self._there[who]
            over = np.zeros(self._shape, np.uint8)
            for players, outline in arms:
                if who in players:
                    _draw(over, outline)
            near = cv2.dilate(over, np.ones((2 * _NEAR_CELLS + 1,) * 2, np.uint8))
            cells[near > 0] = self._frame
        for who in [*self._there]:
            if not any(who in players for players, _ in arms):
                self._away[who] += 1
            if self._away[who] >= self._frames(_GONE_S):
                earlier = self._gone[who].cells if who in self._gone else self._nowhere()
                self._gone[who] = _Gone(self._at_s, self._there.pop(who), earlier)
                self._left = np.maximum(self._left, self._gone[who].cells)

    def _back(self, who: int) -> NDArray[np.int32]:
        """Where somebody was already who comes: all of his last visit, if he was away for a moment only."""
        last = self._gone.get(who)
        if last is None or self._at_s - last.at_s >= _BACK_S:
            return self._nowhere()
        self._gone[who] = replace(last, visit=self._nowhere())
        self._left = np.maximum.reduce([one.cells for one in self._gone.values()])
        return last.visit

    def _nowhere(self) -> NDArray[np.int32]:
        return np.zeros(self._shape, np.int32)

    def _take_in(self, picture: Picture) -> None:
        """What is in view and still is known now."""
        surely = self._frames(_SURELY_CALM_S)
        seen = self._calm >= np.where(self._doubted > 0, surely, self._frames(_CALM_S))
        assert self._table is not None
        assert self._newest is not None
        self._mix(self._newest, picture, seen, self._seen)
        self._seen[seen] = self._frame
        untouched = seen.copy()
        for cells in self._there.values():
            untouched &= cells == 0
        self._mix(self._table, picture, untouched, self._shown)
        self._shown[untouched] = self._frame
        self._both &= ~untouched

    def _mix(self, known: Picture, picture: Picture, cells: Cells, at: NDArray[np.int32]) -> None:
        """Take these cells of a frame into what is known; ``at``: in which frame each was taken in before."""
        new = (self._calm <= self._frames(_SURELY_CALM_S)) | (at < self._frame - 1)
        if not cells.any():
            return
        x, y, wide, high = cv2.boundingRect(cells.astype(np.uint8))
        part = np.s_[y * _CELL_PX : (y + high) * _CELL_PX, x * _CELL_PX : (x + wide) * _CELL_PX]
        frame, old = picture[part], known[part]
        inner = np.s_[y : y + high, x : x + wide]
        mixed = cv2.addWeighted(frame, _NEWEST, old, 1 - _NEWEST, 0)
        cv2.copyTo(mixed, _full(cells[inner], old.shape), old)
        cv2.copyTo(frame, _full((cells & new)[inner], old.shape), old)

    def _told(self, lying: Callable[[], Sequence[Box]]) -> Picture | None:
        """The picture, once something that those left who have gone is in view, and all around it as well."""
        assert self._table is not None
        assert self._newest is not None
        lacking = (self._left > 0) & (self._shown <= self._left)
        in_view = lacking & (self._seen > self._left)
        cv2.copyTo(self._newest, _full(in_view, self._table.shape), self._table)
        self._shown[in_view] = self._seen[in_view]
        self._both |= in_view
        now, last = self._grey_of(self._table), self._last_grey
        changed = _differ(now, self._told_grey) & (self._left > 0)
        unknown = lacking & ~in_view
        around = cv2.dilate(changed.astype(np.uint8), np.ones((2 * _AROUND_CELLS + 1,) * 2, np.uint8)) > 0
        seen = int(changed.sum()) >= _LEAST_CELLS and not (around & unknown).any()
        self.whole = not _has_room(unknown)
        seen = seen and (self.whole or not (unknown & self._cells_of(lying())).any())
        self._last_grey = now if seen else None
        if not seen or last is None or int(_differ(now, last).sum()) >= _LEAST_CELLS:
            return None
        self._told_grey, self._last_grey = now, None
        self.changed = _boxes(changed)
        self.shared = bool((changed & self._both).any())
        return self._table.copy()

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

    @property
    def there(self) -> frozenset[int]:
        """Those who are at the table, and may be at work."""
        return frozenset(self._there)


def _draw(cells: NDArray[np.uint8], outline: Polygon) -> None:
    """Mark the cells under an outline."""
    points = np.array(outline, dtype=np.int32) // _CELL_PX
    cv2.fillPoly(cells, [points], [1])
    cv2.polylines(cells, [points], isClosed=True, color=[1])


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
    mask = np.kron(cells.astype(np.uint8), np.ones((_CELL_PX, _CELL_PX), np.uint8))
    return np.ascontiguousarray(mask[: shape[0], : shape[1]])
