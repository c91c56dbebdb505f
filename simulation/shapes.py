"""The forms of pieces, each known by the distance from any point to its surface.

A form stands on z = 0 and is centred on the z axis; lengths are millimetres. Distances are negative inside
and never larger than the true one, so that a ray can be walked along them without stepping through.
"""

import itertools
import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol, TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

Array: TypeAlias = NDArray[Any]
Outline: TypeAlias = tuple[Array, float, float]
"""A polygon (n×2) seen from above, and from which height to which it is solid."""


class Shape(Protocol):
    """A solid form."""

    @property
    def top_mm(self) -> float:
        """The height of its highest point."""

    @property
    def reach_mm(self) -> float:
        """The largest distance of any of its points from the z axis."""

    def distance(self, x: Array, y: Array, z: Array) -> Array:
        """How far points are from its surface, negative inside."""

    def outlines(self) -> list[Outline]:
        """What it covers seen from above, in layers: what its shadow is made of."""


@dataclass(frozen=True)
class Block:
    """A box with rounded corners (seen from above) and rounded edges; ``ball_mm`` cuts it with a sphere."""

    x_mm: float
    y_mm: float
    z_mm: float
    corner_mm: float = 0.0
    edge_mm: float = 0.0
    ball_mm: float = 0.0

    @property
    def top_mm(self) -> float:
        """Its highest point."""
        return self.z_mm

    @property
    def reach_mm(self) -> float:
        """Its farthest point from the axis."""
        return math.hypot(self.x_mm, self.y_mm) / 2

    def distance(self, x: Array, y: Array, z: Array) -> Array:
        """How far points are from its surface."""
        corner = max(self.corner_mm, self.edge_mm)
        qx = np.abs(x) - (self.x_mm / 2 - corner)
        qy = np.abs(y) - (self.y_mm / 2 - corner)
        flat = np.maximum(qx, qy)
        np.minimum(flat, 0, out=flat)
        np.maximum(qx, 0, out=qx)
        np.maximum(qy, 0, out=qy)
        flat += np.sqrt(qx * qx + qy * qy)
        flat += self.edge_mm - corner
        high = np.abs(z - self.z_mm / 2) - (self.z_mm / 2 - self.edge_mm)
        inside = np.minimum(np.maximum(flat, high), 0)
        np.maximum(flat, 0, out=flat)
        np.maximum(high, 0, out=high)
        found = inside + np.sqrt(flat * flat + high * high) - self.edge_mm
        if self.ball_mm:
            dz = z - self.z_mm / 2
            found = np.maximum(found, np.sqrt(x * x + y * y + dz * dz) - self.ball_mm)
        return np.asarray(found)

    def outlines(self) -> list[Outline]:
        """Its layers seen from above."""
        corner = max(self.corner_mm, self.edge_mm)
        outer = rounded_rectangle(self.x_mm, self.y_mm, corner)
        if self.edge_mm < 0.4:
            return [(outer, 0.0, self.z_mm)]
        inset = 2 * 0.55 * self.edge_mm
        inner = rounded_rectangle(self.x_mm - inset, self.y_mm - inset, max(corner - inset / 2, 0.1))
        shoulder = self.z_mm - 0.45 * self.edge_mm
        return [(outer, 0.0, shoulder), (inner, shoulder, self.z_mm)]


@dataclass(frozen=True)
class Turned:
    """A form from the lathe: ``profile`` lists (radius, height) from the axis below to the axis above.

    A profile that comes back down near the axis makes a hollow, such as a cup.
    """

    profile: tuple[tuple[float, float], ...]
    round_mm: float = 0.0

    @property
    def top_mm(self) -> float:
        """Its highest point."""
        return max(z for _, z in self.profile)

    @cached_property
    def reach_mm(self) -> float:
        """Its farthest point from the axis."""
        return max(r for r, _ in self.profile)

    def distance(self, x: Array, y: Array, z: Array) -> Array:
        """How far points are from its surface."""
        rho = np.sqrt(x * x + y * y)
        r = self.round_mm
        best = np.full_like(rho, 1e9)
        inside = np.zeros(rho.shape, dtype=bool)
        for (r0, z0), (r1, z1) in itertools.pairwise(self.profile):
            best = np.minimum(best, _to_segment(rho, z, (r0, z0), (r1, z1)))
            if z0 != z1:
                crossed = (z0 > z) != (z1 > z)
                inside ^= crossed & (rho < r0 + (z - z0) * ((r1 - r0) / (z1 - z0)))
        found = np.sqrt(best)
        return np.asarray(np.where(inside, -found, found) - r)

    def outlines(self) -> list[Outline]:
        """Its layers seen from above."""
        bands: list[Outline] = []
        for (r0, z0), (r1, z1) in itertools.pairwise(self.profile):
            # A wall that comes back down is the inside of a hollow: it casts no shadow of its own.
            pieces = max(1, min(4, math.ceil(abs(r1 - r0) / 2))) if z1 > z0 else 0
            for k in range(pieces):
                low, high = (z0 + (z1 - z0) * (k + e) / pieces for e in (0, 1))
                radius = r0 + (r1 - r0) * (k + 0.5) / pieces + self.round_mm
                hollow = self._hollow(high - 1e-3)
                outline = ring(radius, hollow) if 0 < hollow < radius else circle(radius)
                bands.append((outline, low - self.round_mm, high + self.round_mm))
        return bands

    def _hollow(self, z: float) -> float:
        """The radius of the empty middle at a height."""
        falling = [(a, b) for a, b in itertools.pairwise(self.profile) if b[1] < z <= a[1]]
        return min((r1 + (r0 - r1) * (z - z1) / (z0 - z1) for (r0, z0), (r1, z1) in falling), default=0.0)


@dataclass(frozen=True)
class Limbs:
    """Rods with round ends, melted together: each is (x, y, z) to (x, y, z) with a radius at either end."""

    rods: tuple[tuple[float, float, float, float, float, float, float, float], ...]
    melt_mm: float = 0.0

    @property
    def top_mm(self) -> float:
        """Its highest point."""
        return max(max(rod[2] + rod[6], rod[5] + rod[7]) for rod in self.rods)

    @property
    def reach_mm(self) -> float:
        """Its farthest point from the axis."""
        return max(max(math.hypot(r[0], r[1]) + r[6], math.hypot(r[3], r[4]) + r[7]) for r in self.rods)

    def distance(self, x: Array, y: Array, z: Array) -> Array:
        """How far points are from its surface."""
        best = self._to_rod(self.rods[0], x, y, z)
        for rod in self.rods[1:]:
            other = self._to_rod(rod, x, y, z)
            if self.melt_mm:
                near = np.maximum(self.melt_mm - np.abs(best - other), 0) / self.melt_mm
                best = np.minimum(best, other) - near * near * (self.melt_mm / 4)
            else:
                best = np.minimum(best, other)
        return best

    @staticmethod
    def _to_rod(rod: tuple[float, ...], x: Array, y: Array, z: Array) -> Array:
        ax, ay, az, bx, by, bz, ra, rb = rod
        vx, vy, vz = bx - ax, by - ay, bz - az
        length = vx * vx + vy * vy + vz * vz
        px, py, pz = x - ax, y - ay, z - az
        if length < 1e-9:
            return np.asarray(np.sqrt(px * px + py * py + pz * pz) - ra)
        t = np.clip((px * vx + py * vy + pz * vz) / length, 0, 1)
        px -= t * vx
        py -= t * vy
        pz -= t * vz
        # A rod that tapers is measured square to its axis: a little short of the truth, never long.
        taper = math.sqrt(max(0.0, 1 - (ra - rb) ** 2 / length))
        return np.asarray((np.sqrt(px * px + py * py + pz * pz) - (ra + t * (rb - ra))) * taper)

    def outlines(self) -> list[Outline]:
        """Its layers seen from above."""
        found: list[Outline] = []
        for ax, ay, az, bx, by, bz, ra, rb in self.rods:
            for k in range(3):
                t0, t1 = k / 3, (k + 1) / 3
                ends = [(ax + t * (bx - ax), ay + t * (by - ay), ra + t * (rb - ra)) for t in (t0, t1)]
                spans = [(az + t * (bz - az), ra + t * (rb - ra)) for t in (t0, t1)]
                low, high = min(z - r for z, r in spans), max(z + r for z, r in spans)
                found.append((_rod_outline(ends[0], ends[1]), low, high))
        return found


@dataclass(frozen=True)
class Group:
    """Several forms as one; ``part`` tells which of them a point belongs to."""

    shapes: tuple[Shape, ...]

    @property
    def top_mm(self) -> float:
        """Its highest point."""
        return max(shape.top_mm for shape in self.shapes)

    @property
    def reach_mm(self) -> float:
        """Its farthest point from the axis."""
        return max(shape.reach_mm for shape in self.shapes)

    def distance(self, x: Array, y: Array, z: Array) -> Array:
        """How far points are from its surface."""
        best = self.shapes[0].distance(x, y, z)
        for shape in self.shapes[1:]:
            best = np.minimum(best, shape.distance(x, y, z))
        return best

    def part(self, x: Array, y: Array, z: Array) -> Array:
        """The index of the form that each point lies on."""
        return np.asarray(np.argmin(np.stack([shape.distance(x, y, z) for shape in self.shapes]), axis=0))

    def outlines(self) -> list[Outline]:
        """Its layers seen from above."""
        return [outline for shape in self.shapes for outline in shape.outlines()]


@dataclass(frozen=True)
class Moved:
    """A form moved aside, up, and turned about z."""

    shape: Shape
    x_mm: float = 0.0
    y_mm: float = 0.0
    z_mm: float = 0.0
    angle_deg: float = 0.0

    @property
    def top_mm(self) -> float:
        """Its highest point."""
        return self.shape.top_mm + self.z_mm

    @property
    def reach_mm(self) -> float:
        """Its farthest point from the axis."""
        return self.shape.reach_mm + math.hypot(self.x_mm, self.y_mm)

    def distance(self, x: Array, y: Array, z: Array) -> Array:
        """How far points are from its surface."""
        c, s = math.cos(math.radians(self.angle_deg)), math.sin(math.radians(self.angle_deg))
        dx, dy = x - self.x_mm, y - self.y_mm
        return self.shape.distance(c * dx + s * dy, c * dy - s * dx, z - self.z_mm)

    def outlines(self) -> list[Outline]:
        """Its layers seen from above."""
        c, s = math.cos(math.radians(self.angle_deg)), math.sin(math.radians(self.angle_deg))
        turn = np.array([[c, s], [-s, c]])
        return [
            (points @ turn + (self.x_mm, self.y_mm), low + self.z_mm, high + self.z_mm)
            for points, low, high in self.shape.outlines()
        ]


def circle(radius: float, sides: int = 28) -> Array:
    """A polygon like a circle."""
    a = np.arange(sides) * (2 * math.pi / sides)
    return np.asarray(np.stack([np.cos(a), np.sin(a)], axis=1) * radius)


def ring(outer: float, inner: float) -> Array:
    """A disc with a round hole, as one polygon with a cut."""
    there, back = circle(outer, 40), circle(inner, 40)
    return np.concatenate([there, there[:1], back[:1], back[::-1]])


def rounded_rectangle(x_mm: float, y_mm: float, corner_mm: float) -> Array:
    """The outline of a rectangle with round corners, counter-clockwise."""
    corner = min(corner_mm, x_mm / 2, y_mm / 2)
    a = np.arange(5) * (math.pi / 8)
    arc = np.stack([np.cos(a), np.sin(a)], axis=1) * corner
    points = []
    for turns, (sx, sy) in enumerate([(1, 1), (-1, 1), (-1, -1), (1, -1)]):
        c, s = round(math.cos(turns * math.pi / 2)), round(math.sin(turns * math.pi / 2))
        points.append(
            arc @ np.array([[c, s], [-s, c]]) + (sx * (x_mm / 2 - corner), sy * (y_mm / 2 - corner))
        )
    return np.concatenate(points)


def _to_segment(rho: Array, z: Array, a: tuple[float, float], b: tuple[float, float]) -> Array:
    """The square of the distance of points (rho, z) from a segment."""
    vx, vz = b[0] - a[0], b[1] - a[1]
    px, pz = rho - a[0], z - a[1]
    t = np.clip((px * vx + pz * vz) / max(vx * vx + vz * vz, 1e-9), 0, 1)
    px -= t * vx
    pz -= t * vz
    return np.asarray(px * px + pz * pz)


def _rod_outline(a: tuple[float, float, float], b: tuple[float, float, float]) -> Array:
    """The convex outline of two circles (x, y, radius)."""
    points = np.concatenate([circle(a[2], 12) + a[:2], circle(b[2], 12) + b[:2]]).astype(np.float32)
    return np.asarray(cv2.convexHull(points).reshape(-1, 2), dtype=np.float64)
