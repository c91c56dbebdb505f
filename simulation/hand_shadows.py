"""The soft shadows of hands and arms, as a veil for every lamp and one for the light of the room."""

import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from simulation.canvas import Array
from simulation.ground_view import GroundView
from simulation.shapes import circle
from simulation.skeleton import BoneChain
from simulation.virtual_scene import Lamp

CELL_PX = 4
"""How many pixels of the picture one cell of a veil spans."""
_SHIFT = 4
_FARTHEST_CELLS = 1e6
"""An outline that reaches farther, as one near the horizon does, ends there: OpenCV counts in 32 bits."""
_ROOM = -1
_RING = circle(1.0, 12)
_BANDS_MM = (0.0, 22.0, 55.0, 110.0, 1e6)
"""Heights between which one softness will do."""


@dataclass(frozen=True)
class _Rods:
    """The bones of hands and arms: both ends (n×2×3), the radius at each (n×2), and how high each lies."""

    ends: Array
    radii: Array
    heights: Array

    @classmethod
    def of(cls, parts: Sequence[BoneChain]) -> "_Rods":
        """All bones of these parts."""
        pairs = [(part, k) for part in parts for k in range(len(part.points) - 1)]
        ends = np.array([part.points[k : k + 2] for part, k in pairs]).reshape(-1, 2, 3)
        radii = np.array([part.radii[k : k + 2] for part, k in pairs]).reshape(-1, 2)
        return cls(ends, radii, ends[:, :, 2].mean(axis=1))

    def between(self, low: float, high: float) -> Array:
        """The numbers of those that lie so high."""
        return np.flatnonzero((low <= self.heights) & (self.heights < high))

    def thrown(self, lamp: Array) -> Array:
        """The outlines (n×24×2) of their shadows on the table."""
        height = np.minimum(np.maximum(self.ends[:, :, 2], 0.0), 0.8 * lamp[2])
        share = lamp[2] / (lamp[2] - height)
        feet = lamp[:2] + (self.ends[:, :, :2] - lamp[:2]) * share[:, :, None]
        return _around(feet, self.radii * share)

    def upright(self) -> Array:
        """Their outlines (n×24×2) right below them."""
        return _around(self.ends[:, :, :2], self.radii)


def _around(feet: Array, radii: Array) -> Array:
    """Rings around both ends of each rod."""
    rings = feet[:, :, None, :] + _RING * radii[:, :, None, None]
    return np.asarray(rings.reshape(len(feet), -1, 2))


def veils(view: GroundView, parts: Sequence[BoneChain], lamps: Sequence[Lamp]) -> Mapping[int, Array]:
    """What share of each lamp's light (and of the room's, under -1) the table keeps under hands."""
    if not parts:
        return {}
    rods = _Rods.of(parts)
    found: dict[int, Array] = {_ROOM: _under_hand(view, rods)}
    for k, lamp in enumerate(lamps):
        found[k] = _thrown(view, rods, lamp)
    return found


def _thrown(view: GroundView, rods: _Rods, lamp: Lamp) -> Array:
    """The shadow of one lamp: every rod thrown on the table, the higher ones the softer."""
    place = np.asarray(lamp.position_mm)
    hulls = _hulls(view, rods.thrown(place))
    keep: Array = _all(view)
    for low, high in itertools.pairwise(_BANDS_MM):
        mask = _filled(view, [hulls[k] for k in rods.between(low, high)])
        if mask is not None:
            height = min((low + high) / 2, low + 40)
            wide = 2 * lamp.radius_mm * height / max(place[2] - height, 1.0)
            keep = np.minimum(keep, 1 - _soft(mask, wide * view.density() / CELL_PX))
    return keep


def _under_hand(view: GroundView, rods: _Rods) -> Array:
    """What the room's light loses right under a hand, the more the lower it is."""
    hulls = _hulls(view, rods.upright())
    keep: Array = _all(view)
    for low, high, much in ((0.0, 22.0, 0.5), (22.0, 70.0, 0.35), (70.0, 1e6, 0.2)):
        mask = _filled(view, [hulls[k] for k in rods.between(low, high)])
        if mask is not None:
            keep *= 1 - np.float32(much) * _soft(mask, (8 + 0.9 * low) * view.density() / CELL_PX)
    return keep


def _hulls(view: GroundView, outlines_mm: Array) -> list[Array | None]:
    """What outlines on the table enclose in a veil's cells; nothing of one that lies behind the camera."""
    cells = (view.camera.to_pixels(outlines_mm) + 0.5) / CELL_PX - 0.5
    known: Array = np.asarray(np.isfinite(cells).all(axis=(1, 2)))
    return [_hull(one) if ok else None for one, ok in zip(cells, known, strict=True)]


def _hull(cells: Array) -> Array:
    hull = cv2.convexHull(cells.astype(np.float32)).clip(-_FARTHEST_CELLS, _FARTHEST_CELLS)
    return np.asarray(np.round(hull * (1 << _SHIFT)).astype(np.int32))


def _filled(view: GroundView, hulls: Sequence[Array | None]) -> Array | None:
    """What these cover of a veil, if they are any."""
    known = [one for one in hulls if one is not None]
    if not known:
        return None
    mask = np.zeros(_all(view).shape, dtype=np.uint8)
    for one in known:
        cv2.fillConvexPoly(mask, one, 255, shift=_SHIFT)
    return mask


def _all(view: GroundView) -> Array:
    """A veil that keeps all light."""
    columns, rows = view.size
    return np.ones((-(-rows // CELL_PX), -(-columns // CELL_PX)), dtype=np.float32)


def _soft(mask: Array, wide_cells: float) -> Array:
    """The mask (0 to 1) with edges as wide as the penumbra."""
    size = 2 * math.ceil(max(wide_cells, 1.0) / 2 * 0.72) + 1
    return np.asarray(cv2.blur(cv2.blur(mask, (size, size)), (size, size)), dtype=np.float32) / 255
