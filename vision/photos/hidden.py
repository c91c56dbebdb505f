"""What a picture does not show: parts of the table beyond its rim, and pieces that something covers."""

import cv2
import numpy as np

from calibration.table_finder import Table
from vision.pieces.patches import Floats
from vision.pieces.reading import Readout
from vision.pieces.sureness import lies_open

_A_SIDE = 8
"""Into so many parts a side of the table is cut: lenses bend it."""
_BEYOND = 4.0
"""How many times its own size a picture is looked beyond."""
_LEAST_PX = 20.0


def outlines(reading: Readout) -> list[Floats]:
    """The outlines (n×2 pixels) of what could not be seen; those of the table lie outside the picture.

    Of a piece that something covers nobody knows which part is seen: all of its place is told.
    """
    covered = [one.corners for one in reading.pieces if not lies_open(one)]
    return covered if reading.table is None else [*covered, *cut_off(reading.table, reading.size)]


def cut_off(table: Table, size: tuple[int, int]) -> list[Floats]:
    """The parts of the table between its markers that lie beyond the picture's four sides."""
    corners = table.outline_mm
    shares = np.arange(_A_SIDE)[:, None] / _A_SIDE
    rim = np.concatenate(
        [a + shares * (b - a) for a, b in zip(corners, np.roll(corners, -1, axis=0), strict=True)]
    )
    seen = table.camera.to_pixels(rim, np.zeros(len(rim)))
    if not np.isfinite(seen).all():
        return []
    whole = cv2.convexHull(seen.astype(np.float32))
    found = []
    for part in _beyond(*size):
        area, outline = cv2.intersectConvexConvex(whole, part.astype(np.float32))
        if area > _LEAST_PX:
            found.append(np.asarray(outline, dtype=float).reshape(-1, 2))
    return found


def _beyond(wide: int, high: int) -> list[Floats]:
    """Four rectangles around a picture that cover all near it once."""
    left, right, top, foot = -_BEYOND * wide, (1 + _BEYOND) * wide, -_BEYOND * high, (1 + _BEYOND) * high
    boxes = [(left, top, 0, foot), (wide, top, right, foot), (0, top, wide, 0), (0, high, wide, foot)]
    return [np.array([(a, b), (c, b), (c, d), (a, d)], dtype=float) for a, b, c, d in boxes]
