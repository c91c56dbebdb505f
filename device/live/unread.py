"""What was put down and cannot be read: the gate saw it come, a reader saw a domino, and no reading holds.

A tile in the gleam of a lamp looks like another make's, one under a shadow like no piece of the set; such a
reading is not believed, and rightly so. But where a hand has been, where the picture has changed since and
something is seen that was not there, something lies. It is told as a domino that says nothing of itself, so
that nobody takes its place for an empty one.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import dist

import cv2
import numpy as np

from calibration.table_finder import Table
from vision.pieces import mat
from vision.pieces.mat import OnTable
from vision.pieces.piece_read import Read
from vision.pieces.reading import Readout
from vision.view import Box, TableView

_SEEN = 0.9
"""So surely a reader must have seen a domino there, whatever it reads."""
_HERE_MM = 12.0
"""So near to where it was, it is the same."""
_SHARED = 0.35
"""What shares more of its area than this with pieces that are believed is one of them, or lies on them."""
_CHANGED = 0.5
"""So much of it, along both sides, must lie where the gate saw a change."""

Lying = tuple[Read, OnTable]


@dataclass(frozen=True, eq=False)
class Unread:
    """What lies on one table and could not be read when it was put down, from look to look: a value."""

    _view: int = 0
    _before: Sequence[OnTable] = ()
    """Where dominoes were seen in the last view, believed or not."""
    _left: Sequence[Lying] = ()

    def read(self, reading: Readout, believed: Sequence[int], view: TableView) -> "Unread":
        """The same after one reading more; ``believed`` are the numbers of its pieces that count."""
        assert reading.table is not None  # without one nobody knows what lay where
        kept = [reading.pieces[number] for number in believed]
        dominoes = _lying(reading.alone, reading.table)
        open_ = [(one, at) for one, at in dominoes if not _is_explained(one, kept)]
        new = view.number != self._view
        changed = view.changed if new and self._view else ()
        come = [lying for lying in open_ if self._has_come(lying, changed)]
        stay = [still for lying in self._left if (still := _still(lying, open_, kept, changed)) is not None]
        left = [*stay, *(lying for lying in come if not any(_is_at(lying[1], at) for _, at in stay))]
        return Unread(view.number, [at for _, at in dominoes] if new else self._before, left)

    def told(self, reading: Readout) -> Readout:
        """A reading of what lies there and cannot be read, which says where, and nothing else."""
        pieces = tuple(replace(one, ranked=((None, 1.0),)) for one, _ in self._left)
        return replace(reading, pieces=pieces, places=tuple(at for _, at in self._left))

    def _has_come(self, lying: Lying, changed: Sequence[Box]) -> bool:
        """Whether it was put down since the view before, and not only seen now."""
        one, at = lying
        return any(_is_in(one, box) for box in changed) and not any(_is_at(at, was) for was in self._before)


def _lying(pieces: Sequence[Read], table: Table) -> list[Lying]:
    """The dominoes among what was read piece by piece, those that show something, with where they lie."""
    faced = [one for one in pieces if one.kind == "domino" and one.face != "down" and one.there >= _SEEN]
    return [*zip(faced, mat.standing(faced, table), strict=True)]


def _is_explained(one: Read, kept: Sequence[Read]) -> bool:
    own = one.corners.astype(np.float32)
    shared = sum(cv2.intersectConvexConvex(own, other.corners.astype(np.float32))[0] for other in kept)
    return bool(shared > _SHARED * cv2.contourArea(own))


def _still(
    lying: Lying, open_: Sequence[Lying], kept: Sequence[Read], changed: Sequence[Box]
) -> Lying | None:
    """The same as it is seen now; as it was where nothing changed; None once it is read, or gone."""
    one, at = lying
    seen = next((other for other in open_ if _is_at(other[1], at)), None)
    if seen is not None:
        return seen
    gone = any(_is_in(one, box) for box in changed) or _is_explained(one, kept)
    return None if gone else lying


def _is_at(one: OnTable, other: OnTable) -> bool:
    return dist((one.x_mm, one.y_mm), (other.x_mm, other.y_mm)) <= _HERE_MM


def _is_in(one: Read, box: Box) -> bool:
    """Whether most of a piece lies in a box."""
    (left, upper), (right, lower) = one.corners.min(axis=0), one.corners.max(axis=0)
    across = min(right, box[2]) - max(left, box[0])
    down = min(lower, box[3]) - max(upper, box[1])
    return bool(across > _CHANGED * (right - left) and down > _CHANGED * (lower - upper))
