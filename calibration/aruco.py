"""ArUco markers and ChArUco boards behind one face, whichever OpenCV between 4.6 and 5 is installed.

OpenCV 4.7 replaced the functions of 4.6 by classes; nothing else in the project knows of either.
"""

from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

Grey = NDArray[np.uint8]
Corners = NDArray[np.float64]

_aruco: Any = cv2.aruco
_MODERN = hasattr(_aruco, "ArucoDetector")

MARKER_CELLS = 6
"""Cells along a marker's side: four of the pattern and a black border on each side."""
DICTIONARY = _aruco.getPredefinedDictionary(_aruco.DICT_4X4_50)
MARKER_IDS = range(50)


def _detector_settings() -> Any:
    make = _aruco.DetectorParameters if _MODERN else _aruco.DetectorParameters_create
    settings = make()
    # By default cells of 7 px are read from 4 samples across with their blurred rims: one marker in five of
    # that size is missed. Reading only the middle half of each cell finds nearly all of them.
    settings.perspectiveRemovePixelPerCell = 8
    settings.perspectiveRemoveIgnoredMarginPerCell = 0.25
    return settings


def detect(grey: Grey, dictionary: Any = DICTIONARY) -> list[tuple[int, Corners]]:
    """Every marker in the picture: its id and its four corners (4×2 px) clockwise from its own upper left."""
    settings = _detector_settings()
    if _MODERN:
        found, ids, _ = _aruco.ArucoDetector(dictionary, settings).detectMarkers(grey)
    else:
        found, ids, _ = _aruco.detectMarkers(grey, dictionary, parameters=settings)
    if ids is None:
        return []
    return [
        (int(number), np.asarray(corners, dtype=np.float64).reshape(4, 2))
        for number, corners in zip(np.asarray(ids).ravel(), found, strict=True)
    ]


def picture(number: int, cell_px: int) -> Grey:
    """Marker ``number`` drawn with ``cell_px`` pixels a cell, without the white around it."""
    draw = _aruco.generateImageMarker if _MODERN else _aruco.drawMarker
    return np.asarray(draw(DICTIONARY, number, MARKER_CELLS * cell_px), dtype=np.uint8)


def cells(number: int) -> NDArray[np.bool_]:
    """The 6×6 cells of marker ``number``, true where white, the first row on top."""
    return picture(number, 4)[2::4, 2::4] > 127
