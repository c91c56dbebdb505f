"""What the camera's pixels look at: for every pixel the table point under it."""

import math
from dataclasses import dataclass

import numpy as np

from calibration.camera import Camera
from simulation.canvas import Array
from simulation.surfaces import Region

Rect = tuple[int, int, int, int]
"""Pixels as (left, upper, right, lower), the last two left out."""

_MESH_PX = 8
_DENSITIES = (0.5, 0.75, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0, 8.0, 12.0, 16.0, 24.0, 32.0)


@dataclass(frozen=True)
class GroundView:
    """A camera with the table points of its pixels (``foot``, rows × columns × 2)."""

    camera: Camera
    foot: Array
    eye: Array

    @classmethod
    def of(cls, camera: Camera) -> "GroundView":
        """The view of a camera that sees no horizon."""
        width, height = camera.lens.size_px
        columns = np.arange(0, width + _MESH_PX, _MESH_PX, dtype=np.float64)
        rows = np.arange(0, height + _MESH_PX, _MESH_PX, dtype=np.float64)
        mesh = np.stack(np.meshgrid(columns, rows), axis=-1)
        coarse = camera.to_mm(mesh.reshape(-1, 2)).reshape(*mesh.shape)
        if not np.isfinite(coarse).all():
            raise ValueError(
                "the camera should look down on the table, but part of its picture shows the horizon"
            )
        across, down = _between(width, len(columns)), _between(height, len(rows))
        foot = np.stack([down @ coarse[..., k] @ across.T for k in (0, 1)], axis=-1)
        return cls(camera, foot.astype(np.float32), camera.pose.eye_mm)

    @property
    def size(self) -> tuple[int, int]:
        """Columns and rows."""
        return self.camera.lens.size_px

    def region(self, rect: Rect | None = None, margin_mm: float = 0.0) -> Region:
        """The smallest upright rectangle of table that the picture, or a part of it, shows."""
        left, upper, right, lower = rect or (0, 0, *self.size)
        part = self.foot[upper:lower, left:right]
        # The rim is enough: what lies inside a picture's rim lies inside that of the table it shows.
        seen = np.concatenate([part[0], part[-1], part[:, 0], part[:, -1]])
        (x0, y0), (x1, y1) = seen.min(axis=0), seen.max(axis=0)
        m = margin_mm
        return (float(x0) - m, float(y0) - m, float(x1) + m, float(y1) + m)

    def density(self, x_mm: float = 0.0, y_mm: float = 0.0) -> float:
        """Pixels a millimetre around a table point."""
        return 1 / self.camera.mm_per_px((x_mm, y_mm))

    def rect_around(self, x_mm: float, y_mm: float, reach_mm: float, span_mm: tuple[float, float]) -> Rect:
        """The pixels that can show a thing within ``reach_mm`` of a point between two heights, unclipped."""
        turn = np.arange(8) * (math.pi / 4)
        ring = np.stack([np.cos(turn), np.sin(turn)], axis=1) * reach_mm * 1.09 + (x_mm, y_mm)
        points = [np.concatenate([ring, np.full((8, 1), z)], axis=1) for z in span_mm]
        pixels = self.camera.to_pixels(np.concatenate(points))
        if not np.isfinite(pixels).all():
            return (0, 0, *self.size)
        (x0, y0), (x1, y1) = pixels.min(axis=0), pixels.max(axis=0)
        return (math.floor(x0) - 1, math.floor(y0) - 1, math.ceil(x1) + 2, math.ceil(y1) + 2)


def _between(size: int, nodes: int) -> Array:
    """The weights (size × nodes) that fill in values between mesh points."""
    weights = np.zeros((size, nodes))
    at = np.arange(size)
    low, share = at // _MESH_PX, (at % _MESH_PX) / _MESH_PX
    weights[at, low] = 1 - share
    weights[at, low + 1] += share
    return weights


def overlap(a: Rect, b: Rect) -> Rect | None:
    """The pixels that both hold."""
    rect = (max(a[0], b[0]), max(a[1], b[1]), min(a[2], b[2]), min(a[3], b[3]))
    return rect if rect[0] < rect[2] and rect[1] < rect[3] else None


def rung(density: float) -> float:
    """The density that faces are painted at for a picture of ``density`` pixels a millimetre."""
    return next((d for d in _DENSITIES if d >= density), _DENSITIES[-1])
