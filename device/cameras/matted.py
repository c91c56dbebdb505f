"""Where the mat lies in a camera's own pictures: there its process measures light and sharpness."""

import cv2
import numpy as np

from calibration.errors import CalibrationError
from calibration.mats import CORNER_IDS
from calibration.table import find_markers
from device.cameras.frames import Picture

Area = list[tuple[float, float]]

_AGAIN_S, _FOUND_AGAIN_S = 2.0, 60.0
"""The mat is looked for so often until it is found, and so often after that: a mat may be moved."""
_LEAST_MARKERS = 3


class Mat:
    """The area within the markers, markers and all: their paper is the white that is always there."""

    def __init__(self) -> None:
        self._area: Area | None = None
        self._next_s = float("-inf")

    def corners(self, picture: Picture, now_s: float) -> Area | None:
        """The outline of the mat in pixels; None as long as it was not found."""
        if now_s >= self._next_s:
            found = _area(picture)
            self._area = found or self._area
            self._next_s = now_s + (_AGAIN_S if self._area is None else _FOUND_AGAIN_S)
        return self._area


def _area(picture: Picture) -> Area | None:
    grey = np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), dtype=np.uint8)
    try:
        found = find_markers(grey)
    except CalibrationError:
        return None
    corners = [found[number] for number in CORNER_IDS if number in found]
    if len(corners) < _LEAST_MARKERS:
        return None
    hull = cv2.convexHull(np.concatenate(corners).astype(np.float32))
    return [(float(x), float(y)) for x, y in hull.reshape(-1, 2)]
