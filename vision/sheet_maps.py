"""All maps of a photo, read: those whose boxes were found, or else what lies on the papers it shows."""

from collections.abc import Iterable, Sequence

import cv2
import numpy as np

from vision.sheet_cells import Picture
from vision.sheet_finder import FoundSheet, on_paper
from vision.sheet_reader import CLEAR_CASTLE, SheetReader, SheetReading, Unread


def read_maps(
    reader: SheetReader, image: Picture, sheets: Sequence[FoundSheet]
) -> tuple[SheetReading | Unread, ...]:
    """What is read on these sheets; where no castle is clear, what is read on the papers counts, too."""
    seen = [reader.read(image, sheet) for sheet in sheets]
    clear: list[SheetReading] = []
    # A paper and the frame on it are two looks at one map.
    _add(clear, seen)
    if not all(isinstance(one, SheetReading) and _among(one, clear) for one in seen):
        _add(clear, (reader.read(image, sheet) for sheet in on_paper(image)))
    read = clear[:]
    told = [one for one in seen if isinstance(one, SheetReading)]
    for one in sorted(told, key=lambda one: -float(one.coats.max(axis=1).mean())):
        if not _among(one, read):
            read.append(one)
    read.sort(key=lambda one: float(one.corners[..., 0].mean()))
    return (*read, *(one for one in seen if isinstance(one, Unread)))


def _add(clear: list[SheetReading], seen: Iterable[SheetReading | Unread]) -> None:
    """Add those maps whose castle is clearly seen, each once."""
    for one in seen:
        if isinstance(one, SheetReading) and one.castle >= CLEAR_CASTLE and not _among(one, clear):
            clear.append(one)


def _among(one: SheetReading, others: Sequence[SheetReading]) -> bool:
    """Whether the middle of a map lies on one of these: both are the same one."""
    u, v = one.corners.reshape(-1, 2).mean(axis=0)
    outlines = [np.asarray(other.corners[[0, 0, -1, -1], [0, -1, -1, 0]], np.float32) for other in others]
    return any(
        cv2.pointPolygonTest(outline.reshape(-1, 1, 2), (float(u), float(v)), False) >= 0
        for outline in outlines
    )
