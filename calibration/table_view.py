"""Ways of looking at a table: metric over markers, flat between four given corners, or free.

The type says what is known: only a `MetricView` knows millimetres at any height, a `PlaneView` knows the
table's surface alone (and its size only if told), and a `FreeView` knows no place at all.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from calibration.camera import Camera, Floats
from calibration.camera_errors import BadCorners
from calibration.table_finder import Table

Picture: TypeAlias = NDArray[np.uint8]
Box: TypeAlias = tuple[float, float, float, float]
"""Left, bottom, right, top in the units of the view."""


@dataclass(frozen=True)
class MetricView:
    """A table whose every pixel has a place in millimetres, at any height."""

    table: Table

    @property
    def camera(self) -> Camera:
        """The camera over the table."""
        return self.table.camera

    def to_mm(self, pixels: ArrayLike, height_mm: ArrayLike = 0.0) -> Floats:
        """The table points that pixels show at a height."""
        return self.camera.to_mm(pixels, height_mm)

    def to_pixels(self, points_mm: ArrayLike, height_mm: ArrayLike = 0.0) -> Floats:
        """Where table points at a height are seen."""
        return self.camera.to_pixels(points_mm, height_mm)

    def rectified(self, picture: Picture, box_mm: Box, px_per_mm: float, height_mm: float = 0.0) -> Picture:
        """The part of the table in ``box_mm`` as seen from straight above, true at ``height_mm``.

        Up in the result is away from the first player. What the picture does not show is black.
        """
        return warp(picture, *self.rectifying_map(box_mm, px_per_mm, height_mm))

    def rectifying_map(
        self, box_mm: Box, px_per_mm: float, height_mm: float = 0.0
    ) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """The two maps of `cv2.remap` that `rectified` uses; worth keeping while the table is still."""
        left, bottom, right, top = box_mm
        columns = max(1, round((right - left) * px_per_mm))
        rows = max(1, round((top - bottom) * px_per_mm))
        # The lens is smooth: every eighth point is computed, those between are drawn straight.
        coarse = np.stack(
            np.meshgrid(
                left + (np.arange(-(-columns // 8) + 1) * 8 + 0.5) / px_per_mm,
                top - (np.arange(-(-rows // 8) + 1) * 8 + 0.5) / px_per_mm,
            ),
            axis=-1,
        )
        at = self.to_pixels(coarse, height_mm)
        return _filled(at[..., 0], rows, columns), _filled(at[..., 1], rows, columns)


@dataclass(frozen=True)
class PlaneView:
    """A table between four corners that a person gave: its surface is known, heights are not."""

    corners_px: tuple[tuple[float, float], ...]
    """Far left, far right, near right, near left."""
    size_mm: tuple[float, float] | None = None
    """Width and depth where they were told; else places are shares of the table (0 to 1, 0 to 1)."""

    def __post_init__(self) -> None:
        check_corners(self.corners_px)
        if self.size_mm is not None and min(self.size_mm) <= 0:
            raise BadCorners("the table's width and depth should be larger than 0 mm")

    @property
    def is_sized(self) -> bool:
        """Whether places are millimetres."""
        return self.size_mm is not None

    def to_plane(self, pixels: ArrayLike) -> Floats:
        """The places of pixels on the table's surface, from its near left corner."""
        return _projected(self._to_plane, pixels)

    def to_pixels(self, places: ArrayLike) -> Floats:
        """Where places on the table's surface are seen."""
        return _projected(np.asarray(np.linalg.inv(self._to_plane), dtype=np.float64), places)

    def rectified(self, picture: Picture, size_px: tuple[int, int]) -> Picture:
        """The whole table as seen from straight above."""
        width, height = size_px
        w, d = self.size_mm or (1.0, 1.0)
        to_picture = np.array([[width / w, 0, -0.5], [0, -height / d, height - 0.5], [0, 0, 1]])
        return np.asarray(cv2.warpPerspective(picture, to_picture @ self._to_plane, size_px), dtype=np.uint8)

    @cached_property
    def _to_plane(self) -> Floats:
        w, d = self.size_mm or (1.0, 1.0)
        places = np.array([(0, d), (w, d), (w, 0), (0, 0)], dtype=np.float32)
        seen = np.array(self.corners_px, dtype=np.float32)
        return np.asarray(cv2.getPerspectiveTransform(seen, places), dtype=np.float64)


@dataclass(frozen=True)
class FreeView:
    """A photo of which nothing is known: pieces have pixels, but no place."""

    size_px: tuple[int, int]


View: TypeAlias = MetricView | PlaneView | FreeView


def warp(picture: Picture, x: NDArray[np.float32], y: NDArray[np.float32]) -> Picture:
    """A picture through maps made by `MetricView.rectifying_map`."""
    return np.asarray(cv2.remap(picture, x, y, cv2.INTER_LINEAR), dtype=np.uint8)


def check_corners(corners_px: Sequence[tuple[float, float]]) -> None:
    """Raise BadCorners unless these are the corners of a table, clockwise from the far left."""
    points = np.asarray(corners_px, dtype=np.float64)
    if points.shape != (4, 2) or not np.isfinite(points).all():
        raise BadCorners("a table has four corners, each with two coordinates in pixels")
    ahead = np.roll(points, -1, axis=0) - points
    after = np.roll(ahead, -1, axis=0)
    turns = ahead[:, 0] * after[:, 1] - ahead[:, 1] * after[:, 0]
    lengths = np.linalg.norm(ahead, axis=1) * np.linalg.norm(after, axis=1)
    bends = turns / np.maximum(lengths, 1e-9)
    if (bends < 0).all():
        raise BadCorners("the corners run anticlockwise: give them clockwise, from the far left one")
    if (bends < math.sin(math.radians(8))).any():
        raise BadCorners(
            "the four corners do not span a table: give them clockwise from the far left one, "
            "none of them between two others"
        )


def _projected(matrix: Floats, points: ArrayLike) -> Floats:
    flat = np.asarray(points, dtype=np.float64)
    ahead = np.concatenate([flat, np.ones((*flat.shape[:-1], 1))], axis=-1) @ matrix.T
    return np.asarray(ahead[..., :2] / ahead[..., 2:])


def _filled(coarse: Floats, rows: int, columns: int) -> NDArray[np.float32]:
    """Eight times as many points each way, straight between those given."""
    clean = np.where(np.isfinite(coarse), coarse, -1e6).astype(np.float32)
    u, v = np.meshgrid(np.arange(columns, dtype=np.float32) / 8, np.arange(rows, dtype=np.float32) / 8)
    return np.asarray(cv2.remap(clean, u, v, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE))
