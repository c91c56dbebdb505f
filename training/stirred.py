"""Plastic of two tones, hardly stirred: a dark patch with a clear edge may look like a pip, and is none."""

import math

import cv2
import numpy as np

from training.examples import Floats, Picture, Rng

_BODY_PX, _BODY = 15, 20.0
"""A pip is less than half of any window so wide; what is so much brighter than the middle of its window is
ink, and what is darker stays darker than the darker tone."""
_GRID = 16


def stirred(flat: Picture, rng: Rng) -> Picture:
    """The patch as if the body in its middle were of two tones; ink that is brighter keeps its colour."""
    rows, columns = flat.shape[:2]
    streams = _clouds(rng, rows, columns)
    soft, tone = float(rng.uniform(0.03, 0.4)), float(rng.uniform(0.35, 0.85))
    deep = np.clip((streams + soft) / (2 * soft), 0.0, 1.0)
    tint = np.clip(tone * np.exp(rng.normal(0, 0.08, 3)), 0.2, 1.0)
    body = cv2.medianBlur(flat, _BODY_PX).mean(axis=2)
    brighter = np.maximum(cv2.GaussianBlur(flat, (0, 0), 0.7).mean(axis=2) - body, 0.0) / _BODY
    y, x = np.mgrid[0:rows, 0:columns]
    near = np.hypot(x - columns / 2, y - rows / 2) / min(rows, columns)
    share = deep * np.exp(-(brighter**2)) * np.clip((0.5 - near) / 0.1, 0.0, 1.0)
    mixed = flat * (1 - share[:, :, None] * (1 - tint))
    return np.asarray(np.round(mixed), dtype=np.uint8)


def _clouds(rng: Rng, rows: int, columns: int) -> Floats:
    """Large soft shapes about 0, longer one way than the other, lying in any direction."""
    turn, long = float(rng.uniform(0, math.pi)), float(rng.uniform(1.0, 2.5))
    size = float(rng.uniform(0.2, 0.55)) * min(rows, columns)
    c, s = math.cos(turn), math.sin(turn)
    # From pixels to a coarse grid of chance, whose cells are as large as the shapes.
    way = np.array([[c / (size * long), s / (size * long)], [-s / size, c / size]])
    middle = np.array([_GRID / 2, _GRID / 2]) - way @ (columns / 2, rows / 2)
    grid = rng.normal(size=(_GRID, _GRID))
    flags = cv2.INTER_CUBIC | cv2.WARP_INVERSE_MAP
    cut = cv2.warpAffine(
        grid, np.column_stack([way, middle]), (columns, rows), flags=flags, borderMode=cv2.BORDER_REFLECT
    )
    return np.asarray((cut - np.median(cut)) / max(1e-9, float(cut.std())))
