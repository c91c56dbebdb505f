"""Reading one table again and again, the mat way: only what changed is looked at anew.

    reader = TableReader(table)
    reading = reader.read([frame])                          # the whole table
    reading = reader.read([frame, later, latest], changed)  # where the gate says that something changed

The reader keeps what every piece said by itself; made to agree is always the whole table.
"""

import time
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TypeAlias

import numpy as np

from calibration.table import Table
from vision.gate.vote import median
from vision.pieces import finder
from vision.pieces.each import read_spotted
from vision.pieces.finder import Spotted
from vision.pieces.patches import Floats, Picture
from vision.pieces.read import Read
from vision.pieces.reading import Reading, agreed
from vision.pieces.voting import voted

Box: TypeAlias = tuple[int, int, int, int]
"""Left, upper, right and lower side in pixels, the last two left out."""

PX_A_MM = 1.0
"""How large the finder sees the table."""
WHOLE_AGAIN = 25
"""After so many readings of parts the whole table is read again."""
_TALL_MM, _RIM_MM = 40.0, 12.0
_NEAR_MM, _AROUND_MM = 3.0, 52.0
_MOST_CHANGED = 0.5


class TableReader:
    """Reads one table under one camera and remembers what lay where."""

    def __init__(self, table: Table, set_name: str | None = None) -> None:
        """A reader of a table; ``set_name`` says what can lie there, as for ``read_picture``."""
        self._set_name = set_name
        self.move(table)

    def move(self, table: Table) -> None:
        """The camera or the table lies elsewhere now: everything is read anew."""
        self._table = table
        self._scale = min(1.0, PX_A_MM * table.camera.mm_per_px())
        self._whole = _outline(table)
        self._pieces: list[Read] | None = None
        self._parts = 0

    def read(self, frames: Sequence[Picture], changed: Iterable[Box] | None = None) -> Reading:
        """What lies on the table in frames of one still moment; without boxes the whole table is read."""
        start = time.perf_counter()
        boxes = None if changed is None else [self._grown(box, _NEAR_MM) for box in changed]
        if boxes is None or self._pieces is None or self._is_much(boxes):
            kept, spotted = [], self._spotted(frames, [self._whole])
            self._parts = 0
        else:
            kept = [one for one in self._pieces if not _touches(one.corners, boxes)]
            windows = _joined(self._grown(box, _AROUND_MM) for box in boxes)
            spotted = [one for one in self._spotted(frames, windows) if _touches(one.corners, boxes)]
            self._parts += bool(boxes)
        found = time.perf_counter()
        self._pieces = kept + voted([read_spotted(frame, spotted, quick=True) for frame in frames])
        read = time.perf_counter()
        size = (frames[0].shape[1], frames[0].shape[0])
        reading = agreed(size, self._pieces, self._set_name, self._table)
        end = time.perf_counter()
        times = {"find": found - start, "read": read - found, "total": end - start}
        return replace(reading, ms={name: 1e3 * seconds for name, seconds in times.items()})

    def _spotted(self, frames: Sequence[Picture], windows: Sequence[Box]) -> list[Spotted]:
        """What the finder sees in parts of the picture, in pixels of the whole."""
        found = []
        for left, upper, right, lower in windows:
            part = median([frame[upper:lower, left:right] for frame in frames])
            seen = finder.find(part, [self._scale], 1 / self._table.camera.mm_per_px())
            found += [replace(one, x=one.x + left, y=one.y + upper) for one in seen]
        return finder.once_each(found)

    def _is_much(self, boxes: Sequence[Box]) -> bool:
        """Whether so much changed, or parts were read so often, that the whole table is due."""
        share = sum(_area(box) for box in boxes) / _area(self._whole)
        return share > _MOST_CHANGED or self._parts >= WHOLE_AGAIN

    def _grown(self, box: Box, by_mm: float) -> Box:
        """A box with a margin, within the table."""
        by = round(by_mm / self._table.camera.mm_per_px())
        left, upper, right, lower = self._whole
        x0, y0 = min(max(left, box[0] - by), right - 1), min(max(upper, box[1] - by), lower - 1)
        return x0, y0, max(x0 + 1, min(right, box[2] + by)), max(y0 + 1, min(lower, box[3] + by))


def _outline(table: Table) -> Box:
    """The part of the picture that shows the table, and what stands on its rim."""
    corners = np.tile(table.outline_mm + np.sign(table.outline_mm) * _RIM_MM, (2, 1))
    points = table.camera.to_pixels(corners, np.repeat([0.0, _TALL_MM], 4))
    wide, high = table.camera.lens.size_px
    left, upper = np.clip(np.floor(points.min(axis=0)), 0, (wide - 2, high - 2))
    right, lower = np.clip(np.ceil(points.max(axis=0)) + 1, (left + 2, upper + 2), (wide, high))
    return int(left), int(upper), int(right), int(lower)


def _area(box: Box) -> int:
    return (box[2] - box[0]) * (box[3] - box[1])


def _touches(corners: Floats, boxes: Iterable[Box]) -> bool:
    """Whether a piece reaches into one of the boxes."""
    (x0, y0), (x1, y1) = corners.min(axis=0), corners.max(axis=0)
    return any(x0 < box[2] and box[0] < x1 and y0 < box[3] and box[1] < y1 for box in boxes)


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
