"""What was looked at on a table and need not be looked at again: where its pixels are as they were.

    memory = Memory()
    memory.see(picture)                        # forgets what lies where the picture has changed
    spots = memory.spotted(picture, table)     # the finder looks only there
    seen = memory.looked("domino", spots, look)  # and so do the readers: what is known is told again

Remembered is only what was said of a place by itself; made to agree is always the whole table.
"""

import math
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any, TypeAlias, TypeVar

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.table import Table
from vision.pieces import finder, mat
from vision.pieces.finder import Spotted
from vision.pieces.patches import Floats, Picture

Box: TypeAlias = tuple[int, int, int, int]
"""Left, upper, right and lower side in pixels, the last two left out."""
Said = TypeVar("Said")

WHOLE_AGAIN = 25
"""After so many readings of parts the whole table is read again."""
_CELL_PX = 4
_LEAST_CHANGE, _OVER_NOISE = 3.0, 4.0
"""A cell may have changed by so many grey levels, and by so many times the noise."""
_MOST_NOISE = 2.0
"""What lies over all cells and is more than this is another light."""
_CELLS, _CLEARLY = 6, 3.0
"""It has where so many touch, or where one is so much farther off: single ones are a video's own noise."""
_MOST_CHANGED = 0.5
_AROUND = 0.5
"""So much of its length around a piece belongs to how it looks."""
_THERE = 0.15
"""So near, in lengths of a piece, the finder sees the same one again."""
_WINDOW_MM = 80.0
"""So far around a change the finder looks as well, to see whole pieces on their ground."""


class Memory:
    """What one table looked like, and what was said of each place."""

    def __init__(self) -> None:
        self._picture: NDArray[np.uint8] | None = None
        """Each cell as it was when it was looked at last."""
        self._changes: NDArray[np.int32] = np.zeros((1, 1), np.int32)
        """How many cells above and left of each have changed."""
        self._boxes: list[Box] | None = None
        """Where the picture has changed; None: all of it counts as changed."""
        self._spots: list[Spotted] = []
        self._said: dict[Hashable, Any] = {}
        self._used: set[Hashable] = set()
        self._parts = 0

    def forget(self) -> None:
        """The next picture is looked at as if it were the first."""
        self._picture = None

    def see(self, picture: Picture) -> None:
        """The next picture of the table: what was said of places that look otherwise now is forgotten."""
        cells = _cells(picture)
        if self._picture is None or self._picture.shape != cells.shape:
            changed = np.ones(cells.shape[:2], bool)
        else:
            changed = _differ(cells, self._picture)
        self._parts += 1
        if changed.mean() > _MOST_CHANGED or self._parts > WHOLE_AGAIN:
            self._picture, self._boxes, self._parts = cells, None, 0
            self._spots, self._said = [], {}
        else:
            assert self._picture is not None  # else all had changed
            self._picture[changed] = cells[changed]
            self._changes = np.asarray(cv2.integral(changed.astype(np.uint8)), dtype=np.int32)
            self._boxes = _boxes(changed)
            known = self._said.items()
            self._said = {key: said for key, said in known if key in self._used and self._stays(key)}
        self._used = set()

    def is_as_before(self, box: Box) -> bool:
        """Whether a part of the picture looks as it did when it was looked at last."""
        if self._boxes is None:
            return False
        rows, columns = (side - 1 for side in self._changes.shape)
        left, right = (min(max(side, 0), columns) for side in (box[0] // _CELL_PX, -(-box[2] // _CELL_PX)))
        upper, lower = (min(max(side, 0), rows) for side in (box[1] // _CELL_PX, -(-box[3] // _CELL_PX)))
        sums = self._changes
        return bool(sums[lower, right] - sums[upper, right] - sums[lower, left] + sums[upper, left] == 0)

    def spotted(self, picture: Picture, table: Table) -> list[Spotted]:
        """What the finder sees on a table: where nothing has changed, what it saw before."""
        windows = None if self._boxes is None else self._windows(picture, table)
        if windows is None or sum(map(_area, windows)) > _MOST_CHANGED * picture.shape[0] * picture.shape[1]:
            self._spots = mat.spotted(picture, table)
            return self._spots
        kept = [one for one in self._spots if self.is_as_before(_box_of(one, 0.0))]
        seen = [one for window in windows for one in _spotted_in(window, picture, table)]
        # Of what has stayed the old sight is kept, as the readings of it hang on that very place.
        new = [one for one in seen if not any(_is_it(one, other) for other in kept)]
        self._spots = finder.once_each([*kept, *new])
        return self._spots

    def looked(
        self, how: Hashable, spots: Sequence[Spotted], look: Callable[[list[Spotted]], Sequence[Said]]
    ) -> list[Said]:
        """What ``look`` says of each spot, or said before; ``how`` names the way of looking."""
        keys = [(how, spot) for spot in spots]
        new = [key for key in dict.fromkeys(keys) if key not in self._said]
        self._said |= zip(new, look([spot for _, spot in new]), strict=True)
        self._used.update(keys)
        return [self._said[key] for key in keys]

    def _stays(self, key: Hashable) -> bool:
        """Whether what was said of a spot still counts."""
        assert isinstance(key, tuple)
        return self.is_as_before(_around(key[1]))

    def _windows(self, picture: Picture, table: Table) -> list[Box]:
        """The parts of the picture in which the finder looks again."""
        by = round(_WINDOW_MM / table.camera.mm_per_px())
        high, wide = picture.shape[:2]
        return _joined(
            (max(0, left - by), max(0, upper - by), min(wide, right + by), min(high, lower + by))
            for left, upper, right, lower in self._boxes or ()
        )


def remembered(
    memory: Memory | None,
    how: Hashable,
    spots: Sequence[Spotted],
    look: Callable[[Sequence[Spotted]], Sequence[Said]],
) -> list[Said]:
    """What ``look`` says of each spot, from memory where there is one that knows."""
    return list(look(spots)) if memory is None else memory.looked(how, spots, look)


def _spotted_in(window: Box, picture: Picture, table: Table) -> Iterator[Spotted]:
    """What the finder sees in a part of the picture, less what is cut off where the part ends."""
    left, upper, right, lower = window
    for one in mat.spotted(picture[upper:lower, left:right], table):
        moved = replace(one, x=one.x + left, y=one.y + upper)
        if _inside(_box_of(moved, 0.0), window, picture.shape[1], picture.shape[0]):
            yield moved


def _is_it(one: Spotted, other: Spotted) -> bool:
    """Whether the finder sees there what it saw there before."""
    return one.kind == other.kind and math.hypot(one.x - other.x, one.y - other.y) < _THERE * other.length


def _inside(box: Box, window: Box, wide: int, high: int) -> bool:
    """Whether a box reaches over no side of the window that is not one of the picture."""
    return (
        (box[0] >= window[0] or window[0] == 0) and (box[1] >= window[1] or window[1] == 0)
        and (box[2] <= window[2] or window[2] == wide) and (box[3] <= window[3] or window[3] == high)
    )  # fmt: skip


def _cells(picture: Picture) -> NDArray[np.uint8]:
    """The picture in cells, so that noise is small beside what a moved piece changes."""
    rows, columns = picture.shape[:2]
    size = (-(-columns // _CELL_PX), -(-rows // _CELL_PX))
    return np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), dtype=np.uint8)


def _differ(cells: NDArray[np.uint8], before: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """Which cells have changed, beyond the noise that lies over all of them."""
    away = cv2.absdiff(cells, before).max(axis=2)
    least = max(_LEAST_CHANGE, _OVER_NOISE * min(float(np.median(away)), _MOST_NOISE))
    _, groups, stats, _ = cv2.connectedComponentsWithStats((away > least).astype(np.uint8))
    counts = stats[:, cv2.CC_STAT_AREA] >= _CELLS
    counts[np.unique(groups[away > _CLEARLY * least])] = True
    counts[0] = False
    return np.asarray(counts[groups])


def _boxes(changed: NDArray[np.bool_]) -> list[Box]:
    """The parts of the picture around cells that have changed."""
    near = cv2.dilate(changed.astype(np.uint8), np.ones((5, 5), np.uint8))
    *_, stats, _ = cv2.connectedComponentsWithStats(near)
    return [
        (x * _CELL_PX, y * _CELL_PX, (x + w) * _CELL_PX, (y + h) * _CELL_PX)
        for x, y, w, h, _ in (map(int, row) for row in stats[1:])
    ]


def _around(spot: Spotted) -> Box:
    """The part of the picture that says how a piece looks."""
    return _box_of(spot, _AROUND * spot.length)


def _box_of(spot: Spotted, by: float) -> Box:
    """The part of the picture in which a piece is seen, with a margin."""
    corners: Floats = spot.corners
    (left, upper), (right, lower) = corners.min(axis=0) - by, corners.max(axis=0) + by
    return int(left), int(upper), int(right) + 1, int(lower) + 1


def _joined(boxes: Iterable[Box]) -> list[Box]:
    """The boxes, those that overlap as one around them, so that nothing is looked at twice."""
    apart: list[Box] = []
    for box in boxes:
        while near := next((one for one in apart if _overlap(one, box)), None):
            apart.remove(near)
            box = (min(near[0], box[0]), min(near[1], box[1]), max(near[2], box[2]), max(near[3], box[3]))
        apart.append(box)
    return apart


def _overlap(a: Box, b: Box) -> bool:
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]


def _area(box: Box) -> int:
    return (box[2] - box[0]) * (box[3] - box[1])
