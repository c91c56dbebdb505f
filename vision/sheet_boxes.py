"""Outlines of four corners in a picture, and which of them repeat side by side like the squares of a map."""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from calibration.aruco import Grey
from vision.sheet_cells import Floats

_LEAST_AREA = 130.0
ALL_WAYS = ((15, 5), (31, 7), (61, 9), (25, 3))
"""Thresholds: how wide a neighbourhood is, and by how many grey levels a line is darker than it."""
QUICK_WAYS = ALL_WAYS[:2]
"""Enough for a sheet whose marks say already where its boxes are."""


@dataclass(frozen=True)
class Boxes:
    """Outlines with four corners, largest first: corners clockwise (n×4×2), middles (n×2), areas (n)."""

    quads: Floats
    middles: Floats
    areas: Floats

    def where(self, keep: Floats) -> "Boxes":
        """Those boxes that a mask keeps."""
        return Boxes(self.quads[keep], self.middles[keep], self.areas[keep])

    def outside(self, outlines: Sequence[Floats], reach: float = 0.0) -> "Boxes":
        """The boxes whose middles lie outside all these convex outlines (and farther than ``reach`` away)."""
        keep = np.ones(len(self.middles), dtype=bool)
        for outline in outlines:
            edge = np.asarray(outline, dtype=np.float32).reshape(-1, 1, 2)
            inside = [cv2.pointPolygonTest(edge, (float(x), float(y)), True) for x, y in self.middles]
            keep &= np.array(inside, dtype=np.float64).reshape(-1) < -reach
        return self.where(keep)

    def near(self, spot: Floats, reach: float, sides: tuple[float, float]) -> Floats | None:
        """The middle of the box nearest to a spot whose side (root of its area) is in bounds."""
        size = np.sqrt(self.areas)
        away = np.linalg.norm(self.middles - spot, axis=1)
        away[(size < sides[0]) | (size > sides[1])] = np.inf
        if not len(away) or away.min() > reach:
            return None
        return np.asarray(self.middles[int(away.argmin())])


@dataclass(frozen=True)
class Indices:
    """Boxes that lie in rows and columns: their numbers (n×2: column, row), middles, and side."""

    index: Floats
    spots: Floats
    side: float


def boxes_in(grey: Grey, ways: Sequence[tuple[int, int]] = ALL_WAYS) -> Boxes:
    """All outlines with four corners, from thresholds of several widths."""
    calm = cv2.GaussianBlur(grey, (3, 3), 0)
    found: list[Floats] = []
    for width, step in ways:
        dark = cv2.adaptiveThreshold(
            calm, 255, cv2.ADAPTIVE_THRESH_MEAN_C, cv2.THRESH_BINARY_INV, width, step
        )
        outlines, _ = cv2.findContours(dark, cv2.RETR_LIST, cv2.CHAIN_APPROX_SIMPLE)
        found += [quad for outline in outlines if (quad := _quad(outline)) is not None]
    if not found:
        return Boxes(np.empty((0, 4, 2)), np.empty((0, 2)), np.empty(0))
    quads = np.stack(found)
    areas = np.array([cv2.contourArea(quad.astype(np.float32)) for quad in quads])
    order = np.argsort(-areas, kind="stable")
    return _once(Boxes(quads[order], _middles(quads[order]), areas[order]))


def _quad(outline: Floats) -> Floats | None:
    if len(outline) < 4:
        return None
    hull = cv2.convexHull(outline)
    area = float(cv2.contourArea(hull))
    if area < _LEAST_AREA:
        return None
    around = float(cv2.arcLength(hull, True))
    for slack in (0.03, 0.05, 0.075):
        corners = cv2.approxPolyDP(hull, slack * around, True)
        if len(corners) <= 4:
            break
    if len(corners) != 4:
        return None
    quad = np.asarray(corners, dtype=np.float64).reshape(4, 2)
    if not 0.82 < float(cv2.contourArea(corners)) / area < 1.12:
        return None
    sides = np.linalg.norm(quad - np.roll(quad, -1, axis=0), axis=1)
    if sides.min() < 0.35 * sides.max():
        return None
    way = quad[1] - quad[0], quad[2] - quad[1]
    return quad if way[0][0] * way[1][1] - way[0][1] * way[1][0] > 0 else quad[::-1].copy()


def _middles(quads: Floats) -> Floats:
    """Where the diagonals meet: the middle of a square seen aslant."""
    a, b, c, d = (quads[:, k] for k in range(4))
    r, s, gap = c - a, d - b, b - a
    cross = r[:, 0] * s[:, 1] - r[:, 1] * s[:, 0]
    t = (gap[:, 0] * s[:, 1] - gap[:, 1] * s[:, 0]) / np.where(np.abs(cross) < 1e-9, 1e-9, cross)
    return np.asarray(a + t[:, None] * r)


def _once(boxes: Boxes) -> Boxes:
    """Each outline once: the outer and inner edge of a line, or the finds of two thresholds, are one."""
    keep: list[int] = []
    sizes = np.sqrt(boxes.areas)
    for k in range(len(sizes)):
        if keep:
            mine = np.array(keep)
            near = np.linalg.norm(boxes.middles[mine] - boxes.middles[k], axis=1) < 0.06 * sizes[k]
            if (near & (sizes[mine] < 1.09 * sizes[k])).any():
                continue
        keep.append(k)
    return boxes.where(np.array(keep, dtype=np.int64))


def numbered(boxes: Boxes) -> Indices | None:
    """The largest set of boxes that lie side by side; of sets about as large, the one of larger boxes."""
    left = np.ones(len(boxes.areas), dtype=bool)
    sets: list[Indices] = []
    for seed in range(len(boxes.areas)):
        if not left[seed]:
            continue
        grown = _grown(boxes, seed)
        left[list(grown)] = False
        if len(grown) >= 6:
            members = list(grown)
            index = np.array([grown[k] for k in members], dtype=np.float64)
            side = float(np.median(np.sqrt(boxes.areas[members])))
            sets.append(Indices(index, boxes.middles[members], side))
    if not sets:
        return None
    most = max(len(one.index) for one in sets)
    return max((one for one in sets if len(one.index) >= 0.6 * most), key=lambda one: one.side)


def _grown(boxes: Boxes, seed: int) -> dict[int, tuple[int, int]]:
    """Boxes numbered from neighbour to neighbour, starting with one as 0, 0."""
    at = {seed: (0, 0)}
    taken = {(0, 0)}
    axes = {seed: _axes(boxes.quads[seed])}
    queue = [seed]
    while queue:
        here = queue.pop(0)
        for step, way in (((1, 0), 0), ((-1, 0), 0), ((0, 1), 1), ((0, -1), 1)):
            place = (at[here][0] + step[0], at[here][1] + step[1])
            if place in taken:
                continue
            there = _beside(boxes, here, axes[here], (way, step[0] + step[1]))
            if there is not None and there not in at:
                at[there] = place
                taken.add(place)
                axes[there] = _aligned(boxes.quads[there], axes[here])
                queue.append(there)
    return at


def _axes(quad: Floats) -> Floats:
    """The two sides of a box as vectors: along a row, and down a column."""
    return np.stack(
        [(quad[1] - quad[0] + quad[2] - quad[3]) / 2, (quad[3] - quad[0] + quad[2] - quad[1]) / 2]
    )


def _aligned(quad: Floats, like: Floats) -> Floats:
    """The axes of a box, named as its neighbour's are."""
    turns = [_axes(np.roll(quad, -k, axis=0)) for k in range(4)]
    return min(turns, key=lambda axes: float(np.abs(axes - like).sum()))


def _beside(boxes: Boxes, here: int, axes: Floats, way: tuple[int, int]) -> int | None:
    """The box of about the same size one step along an axis."""
    along, side = axes[way[0]] * way[1], axes[1 - way[0]]
    off = boxes.middles - boxes.middles[here]
    frame = np.linalg.inv(np.stack([along, side], axis=1))
    parts = off @ frame.T
    ratio = boxes.areas / boxes.areas[here]
    good = (np.abs(parts[:, 0] - 1.08) < 0.27) & (np.abs(parts[:, 1]) < 0.22) & (ratio > 0.62) & (ratio < 1.6)
    if not good.any():
        return None
    cost = np.abs(parts[:, 0] - 1.05) + np.abs(parts[:, 1]) + np.abs(np.log(ratio))
    return int(np.where(good, cost, np.inf).argmin())
