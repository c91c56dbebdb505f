"""Where lamps do not reach: soft shadows from the layers of the bodies, and the gloom in narrow places.

Shadows are made in a map of the table. A body is a stack of flat layers; the layer at height z throws its
outline from a lamp exactly like a slide projector, the more blurred the higher it is and the wider the lamp.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from simulation.canvas import Array
from simulation.shapes import Outline
from simulation.virtual_scene import Lamp

_SHIFT = 5
_GLOOM_MM = (2.0, 7.0)


@dataclass(frozen=True)
class Grid:
    """The pixels of a table map: ``left``, ``far`` are the table point of its upper left corner."""

    left: float
    far: float
    density: float
    columns: int
    rows: int

    @classmethod
    def over(cls, region_mm: tuple[float, float, float, float], density: float) -> "Grid":
        """A grid that covers (left, near, right, far)."""
        left, near, right, far = region_mm
        # Whole pixels from the table's middle: a part of the map is then the same as that part of the whole.
        left, far = math.floor(left * density) / density, math.ceil(far * density) / density
        columns = max(2, math.ceil((right - left) * density))
        return cls(left, far, density, columns, max(2, math.ceil((far - near) * density)))

    def pixels(self, points: Array) -> Array:
        """Table points (n×2) as pixel coordinates."""
        return np.stack([(points[:, 0] - self.left), (self.far - points[:, 1])], axis=1) * self.density - 0.5

    def maps(self, x_mm: Array, y_mm: Array) -> tuple[Array, Array]:
        """Pixel coordinates ready for ``cv2.remap``."""
        x = ((x_mm - self.left) * self.density - 0.5).astype(np.float32)
        return x, ((self.far - y_mm) * self.density - 0.5).astype(np.float32)

    def fill(self, image: Array, points: Array, value: float) -> None:
        """Fills a polygon of table points."""
        pixels = np.round(self.pixels(points) * (1 << _SHIFT)).astype(np.int32)
        cv2.fillPoly(image, [pixels], value, lineType=cv2.LINE_8, shift=_SHIFT)


@dataclass(frozen=True)
class ShadowLayers:
    """The bodies of a scene cut into layers on a grid: for each height, what is solid there."""

    grid: Grid
    heights: tuple[float, ...]
    masks: tuple[Array | None, ...]
    """One map a height, None where nothing is solid."""
    relief: Array
    """How high the table and what stands on it reach."""


def cut(grid: Grid, outlines: Sequence[Outline], heights: Sequence[float]) -> ShadowLayers:
    """Cuts bodies into layers at the given heights."""
    relief = np.zeros((grid.rows, grid.columns), dtype=np.float32)
    masks: list[Array | None] = []
    for z in heights:
        solid = [points for points, low, high in outlines if low <= z < high]
        if not solid:
            masks.append(None)
            continue
        mask = np.zeros((grid.rows, grid.columns), dtype=np.uint8)
        for points in solid:
            grid.fill(mask, points, 255)
        masks.append(mask)
    for points, low, high in sorted(outlines, key=lambda o: o[2]):
        if low < 12 + 0.5 * high:
            grid.fill(relief, points, high)
    return ShadowLayers(grid, tuple(heights), tuple(masks), relief)


def heights_for(tops: Sequence[float]) -> tuple[float, ...]:
    """Where to cut bodies that are this high: close together near the table."""
    top = max(tops, default=0.0)
    steps = np.concatenate(
        [np.array([0.08, 0.35]), np.geomspace(1.0, max(top, 1.5), int(np.clip(5 + top / 5, 6, 13)))]
    )
    # Just under the tops of the commonest things, so that their shadows end where they should.
    often = sorted({round(t, 1) for t in tops}, key=lambda t: -sum(abs(t - o) < 0.06 for o in tops))[:3]
    return tuple(sorted({round(float(z), 2) for z in (*steps, *(t - 0.15 for t in often)) if 0 < z < top}))


def lamp_shadow(layers: ShadowLayers, lamp: Lamp, step: int) -> Array | None:
    """Layer ``step`` as this lamp blurs it (0 to 255), or None for an empty layer."""
    mask = layers.masks[step]
    if mask is None:
        return None
    z = layers.heights[step]
    drop = max(lamp.position_mm[2] - z, 1.0)
    width = 2 * lamp.radius_mm * z / drop * layers.grid.density
    size = 2 * int(width / 2 * 0.72 + 0.35) + 1
    if size <= 1:
        return mask
    return np.asarray(cv2.blur(cv2.blur(mask, (size, size)), (size, size)))


def on_table(layers: ShadowLayers, lamp: Lamp) -> tuple[Array, list[Array | None]]:
    """How much of the lamp each point of the table map loses (0 to 255), and the blurred layers."""
    grid = layers.grid
    total = np.zeros((grid.rows, grid.columns), dtype=np.uint8)
    blurred = [lamp_shadow(layers, lamp, k) for k in range(len(layers.masks))]
    lx, ly = grid.pixels(np.array([lamp.position_mm[:2]]))[0]
    for z, mask in zip(layers.heights, blurred, strict=True):
        if mask is None or z >= lamp.position_mm[2]:
            continue
        # The table point p is dark where the layer is solid at p + (lamp - p)·z/height.
        share = z / lamp.position_mm[2]
        warp = np.array([[1 - share, 0, lx * share], [0, 1 - share, ly * share]])
        thrown = cv2.warpAffine(
            mask, warp, (grid.columns, grid.rows), flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        )
        np.maximum(total, thrown, out=total)
    return total, blurred


def on_points(
    layers: ShadowLayers, lamp: Lamp, blurred: list[Array | None], points: tuple[Array, Array, Array]
) -> Array:
    """How much of the lamp points above the table lose (0 to 1)."""
    x, y, z = points
    lost = np.zeros(len(x), dtype=np.uint8)
    lx, ly, lz = lamp.position_mm
    for height, mask in zip(layers.heights, blurred, strict=True):
        if mask is None or height >= lz:
            continue
        # A body must not darken its own flat top, nor the rim that its rounding leaves below it.
        rows = np.flatnonzero(z < height - 0.35)
        if not len(rows):
            continue
        share = (height - z[rows]) / (lz - z[rows])
        px, py = x[rows] + (lx - x[rows]) * share, y[rows] + (ly - y[rows]) * share
        got = look_up(mask, layers.grid, px, py)
        lost[rows] = np.maximum(lost[rows], got)
    return lost.astype(np.float32) / 255


def look_up(image: Array, grid: Grid, x: Array, y: Array) -> Array:
    """The map's values at table points, nearest neighbour; 0 outside."""
    columns = ((x - grid.left) * grid.density).astype(np.int32)
    rows = ((grid.far - y) * grid.density).astype(np.int32)
    inside = (columns >= 0) & (columns < grid.columns) & (rows >= 0) & (rows < grid.rows)
    found = image[np.clip(rows, 0, grid.rows - 1), np.clip(columns, 0, grid.columns - 1)]
    return np.asarray(np.where(inside, found, 0))


def gloom_maps(layers: ShadowLayers) -> list[tuple[float, Array]]:
    """The relief blurred at two sizes: what surrounds each point, for the light it loses from all sides."""
    found = []
    for size_mm in _GLOOM_MM:
        px = 2 * int(size_mm * layers.grid.density * 0.6) + 1
        low = np.minimum(layers.relief, 3 * size_mm)
        found.append((size_mm, np.asarray(cv2.blur(cv2.blur(low, (px, px)), (px, px)))))
    return found
