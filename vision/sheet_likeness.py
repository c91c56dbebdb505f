"""How much alike the squares of a supposed map are: laid a row aside, it has squares that show no print."""

import cv2
import numpy as np

from calibration.aruco import Grey
from vision.sheet_cells import CASTLE_INDEX, COLUMNS, ROWS, Floats

_SIDE_PX, _MARGIN_PX = 20, 5
_LEAST_ALIKE = 12
"""So many squares count, those that look least like the others: half a map's squares are print anyway."""


def likeness(grey: Grey, corners: Floats) -> float:
    """How much the least alike squares of a map with these corners (6×8×2 px) are like most: up to 1."""
    size = np.array([COLUMNS, ROWS]) * _SIDE_PX
    flat = np.array([(0, 0), (size[0], 0), size, (0, size[1])], dtype=np.float32) + _MARGIN_PX
    outline = np.asarray(corners[[0, 0, -1, -1], [0, -1, -1, 0]], dtype=np.float32)
    whole = (int(size[0]) + 2 * _MARGIN_PX, int(size[1]) + 2 * _MARGIN_PX)
    home = cv2.getPerspectiveTransform(outline, flat)
    seen = cv2.warpPerspective(grey, home, whole, borderMode=cv2.BORDER_REPLICATE).astype(np.float32)
    lines = seen - cv2.GaussianBlur(seen, (0, 0), _SIDE_PX / 4)
    high = _SIDE_PX + 2 * _MARGIN_PX
    starts = np.delete(np.argwhere(np.ones((ROWS, COLUMNS))) * _SIDE_PX, CASTLE_INDEX, axis=0)
    cells = np.stack([lines[y : y + high, x : x + high].ravel() for y, x in starts])
    cells -= cells.mean(axis=1, keepdims=True)
    form = np.median(cells, axis=0)
    alike = cells @ form / (np.linalg.norm(cells, axis=1) * np.linalg.norm(form) + 1e-6)
    return float(np.sort(alike)[:_LEAST_ALIKE].mean())
