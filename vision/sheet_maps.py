"""All maps of a photo, read: those whose boxes were found, or else what lies on the papers it shows."""

from collections.abc import Sequence

import cv2
import numpy as np

from vision.sheet_cells import Picture
from vision.sheet_finder import FoundSheet, on_paper
from vision.sheet_reader import CLEAR_CASTLE, SheetReader, SheetReading, UnreadMap

_CLEAR_FIT = -3.5
"""Where squares fit worse, they may lie elsewhere: 4 of 43 that lay right did, and all of 5 that did not."""
_FOLLOWED = 5.0
"""By so much a paper must fit better than what was found before: boxes follow it where it bends."""


def read_maps(
    reader: SheetReader, image: Picture, sheets: Sequence[FoundSheet]
) -> tuple[SheetReading | UnreadMap, ...]:
    """What is read on these sheets; where one is not clear, what is read on the papers counts, too.

    A paper, the frame on it and its boxes are several looks at one map: that whose squares fit best counts.
    """
    seen = [reader.read(image, sheet) for sheet in sheets]
    told = [(one, one.fit) for one in seen if isinstance(one, SheetReading)]
    read = _apart(told)
    if len(told) < len(seen) or not all(_is_clear(one) for one in read):
        papers = [reader.read(image, sheet) for sheet in on_paper(image)]
        told += [(one, one.fit - _FOLLOWED) for one in papers if isinstance(one, SheetReading)]
        read = _apart(told)
    read.sort(key=lambda one: float(one.corners[..., 0].mean()))
    return (*read, *(one for one in seen if isinstance(one, UnreadMap)))


def _is_clear(one: SheetReading) -> bool:
    return one.castle >= CLEAR_CASTLE and (one.ours or one.fit >= _CLEAR_FIT)


def _apart(told: Sequence[tuple[SheetReading, float]]) -> list[SheetReading]:
    """The readings of maps that lie apart, of each map the one that fits best, by what is said beside it."""
    apart: list[SheetReading] = []
    for one, _ in sorted(told, key=lambda each: (each[0].castle < CLEAR_CASTLE, -each[1])):
        if not any(_same(one, other) for other in apart):
            apart.append(one)
    return apart


def _same(one: SheetReading, other: SheetReading) -> bool:
    """Whether the middle of a map lies on another: both are the same one."""
    u, v = one.corners.reshape(-1, 2).mean(axis=0)
    outline = np.asarray(other.corners[[0, 0, -1, -1], [0, -1, -1, 0]], np.float32)
    return cv2.pointPolygonTest(outline.reshape(-1, 1, 2), (float(u), float(v)), False) >= 0
