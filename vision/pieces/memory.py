"""What was looked at on a table and need not be looked at again: where its pixels are as they were.

    memory = Memory()
    memory.see(picture)                          # forgets what lies where the picture has changed
    spots = memory.spotted(picture, table)       # what the finder sees, named as before where it can be
    seen = memory.looked("domino", spots, look)  # the readers look only at what is new

Remembered is only what was said of a place by itself; made to agree is always the whole table.
"""

from collections.abc import Callable, Hashable, Sequence
from typing import Any, TypeAlias, TypeVar

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration import colour_planes
from calibration.table_finder import Table
from vision.pieces import finder, where_changed
from vision.pieces.finder import Spotted
from vision.pieces.patches import Floats, Picture

Box: TypeAlias = tuple[int, int, int, int]
"""Left, upper, right and lower side in pixels, the last two left out."""
Said = TypeVar("Said")
Spot = TypeVar("Spot", bound=Hashable)
"""Something at a place of the picture, which its ``corners`` and ``length`` tell."""

WHOLE_AGAIN = 25
"""After so many readings of parts the whole table is read again."""
_CELL_PX = 4
_LEAST_CHANGE, _OVER_NOISE = 3.0, 4.0
"""A cell may have changed by so many grey levels, and by so many times the noise."""
_MOST_NOISE = 2.0
"""What lies over all cells and is more than this is another light."""
_CELLS, _CLEARLY = 6, 3.0
"""It has where so many touch, or where one is so much farther off: single ones are a video's own noise."""
_MARK, _MARK_CELLS = 12.0, 5
"""It has as well where one differs by so much more than most around it, in whatever light: on ten simulated
maps none did by more than 9 where nothing was drawn, and a pencil's cross made 19 or more."""
_MOST_CHANGED = 0.5
_AROUND = 0.5
"""So much of its length around a piece belongs to how it looks."""
_BESIDE = 0.5
"""A piece of which less has changed may lie there still: something came to lie, or went, beside it."""


class Memory:
    """What one table looked like, and what was said of each place."""

    def __init__(self) -> None:
        self._picture: NDArray[np.uint8] | None = None
        """Each cell as it was when it was looked at last."""
        self._changed: NDArray[np.bool_] = np.ones((1, 1), bool)
        """Which cells look otherwise than when they were looked at last; from a half on all of them do."""
        self._spots: list[Spotted] = []
        self._said: dict[Hashable, Any] = {}
        self._used: set[Hashable] = set()
        self._parts = 0

    def forget(self) -> None:
        """The next picture is looked at as if it were the first."""
        self._picture = None

    def see(self, picture: Picture) -> None:
        """The next picture of the table: what was said of places that look otherwise now is forgotten."""
        cells = cells_in(picture)
        if self._picture is None or self._picture.shape != cells.shape:
            changed = np.ones(cells.shape[:2], bool)
        else:
            changed = differ(cells, self._picture)
        self._parts += 1
        if changed.mean() > _MOST_CHANGED or self._parts > WHOLE_AGAIN:
            self._picture, self._parts = cells, 0
            self._spots, self._said, self._changed = [], {}, np.ones_like(changed)
        else:
            assert self._picture is not None  # else all had changed
            self._picture[changed], self._changed = cells[changed], changed
            known = self._said.items()
            self._said = {key: said for key, said in known if key in self._used and self._stays(key)}
        self._used = set()

    def is_as_before(self, box: Box) -> bool:
        """Whether a part of the picture looks as it did when it was looked at last."""
        return not self._cells(box).any()

    def _cells(self, box: Box) -> NDArray[np.bool_]:
        """Which cells of a part of the picture have changed."""
        left, upper, right, lower = (max(0, side) for side in box)
        rows = slice(upper // _CELL_PX, -(-lower // _CELL_PX))
        return self._changed[rows, left // _CELL_PX : -(-right // _CELL_PX)]

    def _change_of(self, spot: Spotted) -> float:
        """Which share of its place in the picture has changed."""
        cells = self._cells(_box_of(spot, 0.0))
        return float(cells.mean()) if cells.size else 0.0

    def spotted(self, picture: Picture, table: Table) -> list[Spotted]:
        """What the finder sees on a table, and saw before where the picture is as it was.

        What it sees now where nothing changed is cut off by the part that it looked at, or was seen before.
        A piece beside which something changed is a candidate still, though the finder may hardly see it now.
        """
        if not self._changed.any():
            return self._spots
        found = where_changed.spotted(picture, table, self._changed, _CELL_PX)
        new = [one for one in found if self._change_of(one)]
        changes = [(one, self._change_of(one)) for one in self._spots]
        kept = [one for one, change in changes if not change]
        beside = [one for one, change in changes if 0 < change < _BESIDE]
        new = [one for one in new if not any(finder.same(one, other) for other in kept)]
        lost = [one for one in beside if not any(finder.same(one, other) for other in new)]
        self._spots = [*kept, *finder.once_each(new), *lost]
        return self._spots

    def looked(
        self, how: Hashable, spots: Sequence[Spot], look: Callable[[list[Spot]], Sequence[Said]]
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
        return self.is_as_before(_box_of(key[1], _AROUND * key[1].length))


def remembered(
    memory: Memory | None,
    how: Hashable,
    spots: Sequence[Spot],
    look: Callable[[Sequence[Spot]], Sequence[Said]],
) -> list[Said]:
    """What ``look`` says of each spot, from memory where there is one that knows."""
    return list(look(spots)) if memory is None else memory.looked(how, spots, look)


def cells_in(picture: Picture) -> NDArray[np.uint8]:
    """The picture in cells, so that noise is small beside what a moved piece changes."""
    rows, columns = picture.shape[:2]
    size = (-(-columns // _CELL_PX), -(-rows // _CELL_PX))
    return np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), dtype=np.uint8)


def differ(cells: NDArray[np.uint8], before: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """Which cells have changed, beyond the noise that lies over all of them."""
    away = colour_planes.most(cv2.absdiff(cells, before))
    least = max(_LEAST_CHANGE, _OVER_NOISE * min(float(np.median(away)), _MOST_NOISE))
    _, groups, stats, _ = cv2.connectedComponentsWithStats((away > least).astype(np.uint8))
    counts = stats[:, cv2.CC_STAT_AREA] >= _CELLS
    counts[np.unique(groups[away > _CLEARLY * least])] = True
    counts[0] = False
    return np.asarray(counts[groups] | (_stand_out(cells, before) > _MARK))


def _stand_out(cells: NDArray[np.uint8], before: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """How much more, or less, each cell has changed than most around it: light changes them all alike."""
    by = np.clip(cells.astype(np.int16) - before + 128, 0, 255).astype(np.uint8)
    return np.asarray(colour_planes.most(cv2.absdiff(by, cv2.medianBlur(by, _MARK_CELLS))), dtype=np.uint8)


def _box_of(spot: Any, by: float) -> Box:
    """The part of the picture in which a piece is seen, with a margin."""
    corners: Floats = spot.corners
    (left, upper), (right, lower) = corners.min(axis=0) - by, corners.max(axis=0) + by
    return int(left), int(upper), int(right) + 1, int(lower) + 1
