"""Whether the camera was moved: the whole table then lies elsewhere in the picture."""

from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration import colour_planes
from vision.view.compare import Contrast, Mask
from vision.view.parts import texture
from vision.view.shrink import Light

Warp = NDArray[np.float32]

_TEXTURE = 0.25
_HIT = 0.04
_SPREAD = 0.5
_LEAST_SHIFT_PX = 0.25
_STEPS = 40
_ALIKE = 0.5
_CELL = 20
_MARGIN_PX = 6
"""So near to what was never seen nothing can be compared either."""


def looks_moved(difference: Contrast, view: Light) -> bool:
    """Whether most of what has edges looks different, all over the picture."""
    grey = colour_planes.mean(view)
    steep = (np.abs(np.diff(grey, axis=1, append=grey[:, -1:])) > _TEXTURE).astype(np.uint8)
    textured = _cells(steep) > 0.02
    hit = _cells(difference.sharp // 255) > _HIT
    return int(textured.sum()) >= 6 and float(hit[textured].mean()) >= _SPREAD


def _cells(mask: Mask) -> NDArray[np.float32]:
    size = (max(1, mask.shape[1] // _CELL), max(1, mask.shape[0] // _CELL))
    return np.asarray(cv2.resize(mask.astype(np.float32), size, interpolation=cv2.INTER_AREA))


def shift(frame: Light, view: Light) -> Warp | None:
    """The warp from points of the frame to points of the view, or None where none fits or none is needed."""
    now, then = (texture(logs, 15) for logs in (frame, view))
    (dx, dy), _ = cv2.phaseCorrelate(then, now, cv2.createHanningWindow(now.shape[::-1], cv2.CV_32F))
    start: Any = np.array([[1, 0, -dx], [0, 1, -dy]], dtype=np.float32)
    stop = (cv2.TERM_CRITERIA_EPS | cv2.TERM_CRITERIA_COUNT, _STEPS, 1e-4)
    ecc: Any = cv2.findTransformECC
    try:
        # Without a mask, and with a light blur: the stubs know no mask that is left out.
        alike, warp = ecc(now, then, start, cv2.MOTION_AFFINE, stop, None, 5)
    except cv2.error:
        return None
    corners = np.array([(0, 0, 1), (now.shape[1], 0, 1), (0, now.shape[0], 1)], dtype=np.float32)
    moved = float(np.linalg.norm(corners @ warp.T - corners[:, :2], axis=1).max())
    return np.asarray(warp, dtype=np.float32) if alike >= _ALIKE and moved >= _LEAST_SHIFT_PX else None


def still_known(known: Mask, warp: Warp) -> Mask:
    """What of a view is known (255) after the camera was moved.

    What came in at a side was never seen; and no shift fits so well that a line at the rim means anything.
    """
    size = (known.shape[1], known.shape[0])
    flags = cv2.INTER_NEAREST | cv2.WARP_INVERSE_MAP
    moved = cv2.warpAffine(known, warp, size, flags=flags, borderMode=cv2.BORDER_CONSTANT, borderValue=[0])
    around = np.ones((2 * _MARGIN_PX + 1, 2 * _MARGIN_PX + 1), np.uint8)
    inner = cv2.erode(moved, around, borderType=cv2.BORDER_CONSTANT, borderValue=[0])
    return np.asarray(inner, dtype=np.uint8)


def moved_view(view: Light, warp: Warp) -> Light:
    """The view as the camera would see it now."""
    size = (view.shape[1], view.shape[0])
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    return np.asarray(cv2.warpAffine(view, warp, size, flags=flags, borderMode=cv2.BORDER_REPLICATE))
