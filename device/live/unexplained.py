"""What changed on the table and no reading explains: a piece of any kind was put down, or taken away, unseen.

The gate says where the settled table looks otherwise than before. Where a piece is read there, or was, that
is no riddle; nor where the change is as small as a crumb or as large as a sheet. What is left was done by
somebody and is not in the scene: nothing can be ruled on it, and players are told where it is.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from calibration.camera import Camera
from calibration.plan import TablePlan
from calibration.table_finder import Table
from device.live.ports import Strange
from vision.view import Box, TableView

_LEAST_MM, _MOST_MM = 14.0, 85.0
"""So large, along its shorter and its longer side, a change is that one piece makes."""
_NEAR_PX = 12
"""So near to a piece, a change is its shadow, or the piece was nudged."""
_UNSEEN = ("hand", "sheet", "spellbook")
"""Regions in which people do as they like: what they hold back, and what they write on."""
_SAME = 0.3
"""What shares more than this with an earlier change is the same place: it was put right again."""
_MOST = 2
"""More such changes at once no hand has made: the camera was knocked, or the light is another."""
_MOVED_PX = 2.0
"""Where the table's corners are seen so far off, the camera was moved: at rest it is known a little better
with every frame, in films by up to 0.7 from one view to the next."""


@dataclass(frozen=True, eq=False)
class Unexplained:
    """Changes that are not explained yet, from look to look: a value."""

    left: tuple[Strange, ...] = ()
    """Where something changed, and nothing that was read explains it."""
    _view: int = 0
    _camera: Camera | None = None
    _before: Sequence[Box] = ()
    """Where pieces were read in the last view."""

    def read(self, pieces: Sequence[Box], table: Table, plan: TablePlan, view: TableView) -> "Unexplained":
        """The same after a view on which these pieces were read."""
        new = view.number != self._view
        same = self._camera is not None and not _is_moved(table, self._camera)
        known = (*pieces, *self._before)
        left = [one for one in self.left if not any(_touch(one.box, piece) for piece in pieces)]
        come: list[Strange] = []
        for box in view.changed if new and self._view and same else ():
            if any(_share(box, one.box) > _SAME for one in left):
                left = [one for one in left if _share(box, one.box) <= _SAME]
            elif not any(_touch(box, piece) for piece in known) and (one := _strange(box, table, plan)):
                come.append(one)
        now = replace(self, left=(*left, *(come if len(come) <= _MOST else ())))
        return replace(now, _view=view.number, _camera=table.camera, _before=pieces) if new else now


def _is_moved(table: Table, camera: Camera) -> bool:
    """Whether the table is seen elsewhere in the picture than with this camera."""
    corners = np.asarray(table.outline_mm, dtype=float)
    ground = np.zeros(len(corners))
    shift = table.camera.to_pixels(corners, ground) - camera.to_pixels(corners, ground)
    return bool(np.abs(shift).max() > _MOVED_PX)


def _strange(box: Box, table: Table, plan: TablePlan) -> Strange | None:
    """A change of a piece's size in one of the game's regions, if it is that."""
    x0, y0, x1, y1 = box
    corners = table.camera.to_mm(np.array([(x0, y0), (x1, y0), (x1, y1), (x0, y1)], dtype=float))[:, :2]
    short, long = sorted(float(np.linalg.norm(corners[k + 1] - corners[k])) for k in range(2))
    x, y = (float(v) for v in corners.mean(axis=0))
    region = next(iter(plan.regions_at(x, y)), "")
    if not region or region.split("-")[0] in _UNSEEN or short < _LEAST_MM or long > _MOST_MM:
        return None
    return Strange(box, region)


def _touch(one: Box, other: Box) -> bool:
    """Whether two boxes overlap, or nearly do."""
    across = max(one[0], other[0]) - min(one[2], other[2])
    down = max(one[1], other[1]) - min(one[3], other[3])
    return max(across, down) < _NEAR_PX


def _share(one: Box, other: Box) -> float:
    """What share of both boxes together lies in each."""
    across = min(one[2], other[2]) - max(one[0], other[0])
    down = min(one[3], other[3]) - max(one[1], other[1])
    both = max(0, across) * max(0, down)
    return both / (_area(one) + _area(other) - both)


def _area(box: Box) -> int:
    return (box[2] - box[0]) * (box[3] - box[1])
