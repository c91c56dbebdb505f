"""The soft shadows of hands and arms, as a veil for every lamp and one for the light of the room."""

import itertools
import math
from collections.abc import Mapping, Sequence

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


def veils(view: GroundView, parts: Sequence[BoneChain], lamps: Sequence[Lamp]) -> Mapping[int, Array]:
    """What share of each lamp's light (and of the room's, under -1) the table keeps under hands."""
    if not parts:
        return {}
    found: dict[int, Array] = {_ROOM: _under_hand(view, parts)}
    for k, lamp in enumerate(lamps):
        found[k] = _thrown(view, parts, lamp)
    return found


def _empty(view: GroundView) -> Array:
    columns, rows = view.size
    return np.zeros((-(-rows // CELL_PX), -(-columns // CELL_PX)), dtype=np.uint8)


def _thrown(view: GroundView, parts: Sequence[BoneChain], lamp: Lamp) -> Array:
    """The shadow of one lamp: every rod thrown on the table, the higher ones the softer."""
    place = np.asarray(lamp.position_mm)
    keep: Array = np.ones(_empty(view).shape, dtype=np.float32)
    for low, high in itertools.pairwise(_BANDS_MM):
        mask = _empty(view)
        some = False
        for part in parts:
            for k in range(len(part.points) - 1):
                ends = part.points[k : k + 2]
                if not low <= float(ends[:, 2].mean()) < high:
                    continue
                some = _fill(view, mask, _on_table(ends, part.radii[k : k + 2], place)) or some
        if some:
            height = min((low + high) / 2, low + 40)
            wide = 2 * lamp.radius_mm * height / max(place[2] - height, 1.0)
            keep = np.minimum(keep, 1 - _soft(mask, wide * view.density() / CELL_PX))
    return keep


def _on_table(ends: Array, radii: Array, lamp: Array) -> Array:
    """The outline (n×2) of a rod's shadow."""
    height = np.minimum(np.maximum(ends[:, 2], 0.0), 0.8 * lamp[2])
    share = (lamp[2] / (lamp[2] - height))[:, None]
    feet = lamp[:2] + (ends[:, :2] - lamp[:2]) * share
    return np.concatenate([feet[k] + _RING * (radii[k] * share[k]) for k in (0, 1)])


def _under_hand(view: GroundView, parts: Sequence[BoneChain]) -> Array:
    """What the room's light loses right under a hand, the more the lower it is."""
    keep: Array = np.ones(_empty(view).shape, dtype=np.float32)
    for low, high, much in ((0.0, 22.0, 0.5), (22.0, 70.0, 0.35), (70.0, 1e6, 0.2)):
        mask = _empty(view)
        some = False
        for part in parts:
            for k in range(len(part.points) - 1):
                ends, radii = part.points[k : k + 2], part.radii[k : k + 2]
                if low <= float(ends[:, 2].mean()) < high:
                    outline = np.concatenate([ends[j, :2] + _RING * radii[j] for j in (0, 1)])
                    some = _fill(view, mask, outline) or some
        if some:
            keep *= 1 - np.float32(much) * _soft(mask, (8 + 0.9 * low) * view.density() / CELL_PX)
    return keep


def _fill(view: GroundView, mask: Array, outline_mm: Array) -> bool:
    pixels = view.camera.to_pixels(outline_mm)
    if not np.isfinite(pixels).all():
        return False
    cells = (pixels + 0.5) / CELL_PX - 0.5
    hull = cv2.convexHull(cells.astype(np.float32)).clip(-_FARTHEST_CELLS, _FARTHEST_CELLS)
    cv2.fillConvexPoly(mask, np.round(hull * (1 << _SHIFT)).astype(np.int32), 255, shift=_SHIFT)
    return True


def _soft(mask: Array, wide_cells: float) -> Array:
    """The mask (0 to 1) with edges as wide as the penumbra."""
    size = 2 * math.ceil(max(wide_cells, 1.0) / 2 * 0.72) + 1
    return np.asarray(cv2.blur(cv2.blur(mask, (size, size)), (size, size)), dtype=np.float32) / 255
