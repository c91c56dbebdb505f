"""Soft random patterns: the stuff of wood, cloth, wear and uneven light."""

from typing import Any, TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

Array: TypeAlias = NDArray[Any]


def blobs(rng: np.random.Generator, size: tuple[int, int], grain_px: tuple[float, float] | float) -> Array:
    """Smooth noise around 0, deviation near 1: ``size`` is (rows, columns), its blobs ``grain_px`` (y, x)."""
    gy, gx = grain_px if isinstance(grain_px, tuple) else (grain_px, grain_px)
    rows, cols = size
    coarse = (max(2, round(rows / max(gy, 1.0)) + 3), max(2, round(cols / max(gx, 1.0)) + 3))
    seeds = rng.standard_normal(coarse, dtype=np.float32)
    return np.asarray(cv2.resize(seeds, (cols, rows), interpolation=cv2.INTER_CUBIC))


def clouds(
    rng: np.random.Generator,
    size: tuple[int, int],
    grain_px: tuple[float, float] | float,
    octaves: int = 4,
) -> Array:
    """Noise with detail at several sizes, around 0 with deviation near 1."""
    gy, gx = grain_px if isinstance(grain_px, tuple) else (grain_px, grain_px)
    total = np.zeros(size, dtype=np.float32)
    weight, norm = 1.0, 0.0
    for _ in range(octaves):
        total += weight * blobs(rng, size, (gy, gx))
        norm += weight * weight
        weight *= 0.6
        gy, gx = gy / 2, gx / 2
        if max(gy, gx) < 1:
            break
    return total / np.float32(norm**0.5)


def smoothstep(low: float, high: float, x: Array) -> Array:
    """0 below ``low``, 1 above ``high``, and a soft way between."""
    t = np.clip((x - low) / (high - low), 0, 1)
    return np.asarray(t * t * (3 - 2 * t))
