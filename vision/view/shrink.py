"""Frames at the gate's own size, and what is wrong with a frame before anybody asks what it shows."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

Picture = NDArray[np.uint8]
Light = NDArray[np.float32]

WORKING_PX = 320
"""The longer side of the picture that the gate works on: a die is still some pixels wide."""
OFFSET = 2
"""Added to display values before their logarithm, so that noise in the dark stays small."""

_LOGARITHM = np.log2(np.arange(256) + OFFSET).astype(np.float32)
_DARK = 22
_DEAD_ROWS = 0.06
_FLAT = 2


@dataclass(frozen=True)
class Small:
    """A frame at the gate's size: display values, and their logarithms, in which light is added."""

    values: Picture
    logs: Light

    @classmethod
    def of(cls, picture: Picture) -> "Small":
        """A camera's frame (rows × columns × 3) made small."""
        return cls.of_values(cv2.blur(shrunk(picture), (3, 3)).astype(np.uint8, copy=False))

    @classmethod
    def of_values(cls, values: Picture) -> "Small":
        """Display values that are already small and smooth."""
        return cls(values, np.asarray(cv2.LUT(values, _LOGARITHM), dtype=np.float32))

    @property
    def grey(self) -> "Small":
        """The same without colour, in which JPEG blocks flicker less."""
        return Small.of_values(np.asarray(cv2.cvtColor(self.values, cv2.COLOR_BGR2GRAY), dtype=np.uint8))


def working_size(size_px: tuple[int, int]) -> tuple[int, int]:
    """The gate's columns and rows for a camera's; the shape of the picture is kept."""
    share = min(1.0, WORKING_PX / max(size_px))
    return max(16, round(size_px[0] * share)), max(16, round(size_px[1] * share))


def shrunk(picture: Picture, size: tuple[int, int] | None = None) -> Picture:
    """A frame at the gate's size, or at this one."""
    size = size or working_size((picture.shape[1], picture.shape[0]))
    return np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), dtype=np.uint8)


def is_black(values: Picture) -> bool:
    """Whether next to nothing can be seen: even the brightest parts are dark."""
    return float(np.percentile(values[::4, ::4], 98)) < _DARK


def is_torn(values: Picture, before: Picture) -> bool:
    """Whether a band at the upper or the lower rim has lost its data: all one colour, and not so before."""
    least = max(4, round(_DEAD_ROWS * len(values)))
    bands = (np.s_[-least:], np.s_[:least])
    return any(_is_flat(values[band]) and not _is_flat(before[band]) for band in bands)


def _is_flat(band: Picture) -> bool:
    return float(np.ptp(band[1:-1:2, ::4], axis=(0, 1)).max()) <= _FLAT
