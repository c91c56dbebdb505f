"""Where the mat lies in a camera's own pictures: there its process measures light and sharpness."""

from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera_errors import CalibrationError
from calibration.mats import CORNER_IDS
from calibration.table_finder import find_markers
from device.cameras.focus import Area, print_sharpness
from device.cameras.frames import Picture

_AGAIN_S, _FOUND_AGAIN_S = 2.0, 60.0
"""The mat is looked for so often until it is found, and so often after that: a mat may be moved."""
_LEAST_MARKERS = 3
_AROUND = 1.3
"""A marker with so much around its middle, as a factor, has its outer edge in it, too."""


class Mat:
    """The area within the markers, markers and all: their paper is the white that is always there."""

    def __init__(self) -> None:
        self._area: Area | None = None
        self._next_s = float("-inf")
        self.in_view = False
        """Whether it was there when it was looked for last."""
        self.markers: tuple[Area, ...] = ()
        """Where its markers are, or were seen last."""
        self.side: float | None = None
        """How long a marker's side is, as a share of the picture's width."""

    def corners(self, picture: Picture, now_s: float) -> Area | None:
        """The outline of the mat in pixels; None as long as it was not found."""
        if now_s >= self._next_s:
            self.look(picture, now_s)
        return self._area

    def look(self, picture: Picture, now_s: float) -> bool:
        """Look for it now; whether it is in view."""
        found = _found(picture)
        self.in_view = len(found) >= _LEAST_MARKERS
        self._next_s = now_s + (_FOUND_AGAIN_S if self.in_view else _AGAIN_S)
        if self.in_view:
            hull = cv2.convexHull(np.concatenate(found).astype(np.float32)).reshape(-1, 2)
            self._area = _points(hull)
            self.markers = tuple(_points((one - one.mean(0)) * _AROUND + one.mean(0)) for one in found)
            sides = [np.linalg.norm(one - np.roll(one, 1, axis=0), axis=1).mean() for one in found]
            self.side = float(np.median(sides)) / picture.shape[1]
        return self.in_view

    def sharp(self, picture: Picture) -> float | None:
        """How sharp its markers are, where they are or were seen last; None as long as it was not found."""
        return None if self._area is None else print_sharpness(picture, self._area, self.markers)

    def doubt(self, now_s: float) -> None:
        """It may have been moved: look for it again soon."""
        self._next_s = min(self._next_s, now_s + _AGAIN_S)


def _found(picture: Picture) -> list[NDArray[np.float64]]:
    """The corners of each of its markers that is in view."""
    grey = np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), dtype=np.uint8)
    try:
        found = find_markers(grey)
    except CalibrationError:
        return []
    return [np.asarray(found[number], dtype=float).reshape(-1, 2) for number in CORNER_IDS if number in found]


def _points(found: NDArray[Any]) -> list[tuple[float, float]]:
    return [(float(x), float(y)) for x, y in found]
