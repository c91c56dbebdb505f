"""Draws bodies on a table through a camera: light before the sensor, and which body every pixel shows.

Every pixel's ray is followed to the first body in its way (``ray_tracing``), what it meets is painted and lit
(``shade``), and pixels on edges are looked at four more times so that edges are as smooth as in a photograph.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

import cv2
import numpy as np

from simulation import shadows
from simulation.bodies import PlacedBody
from simulation.canvas import Array
from simulation.ground_view import GroundView, Rect, overlap, rung
from simulation.ray_memory import Met, RayMemory
from simulation.ray_tracing import paint_hits, trace
from simulation.shade import Light, Surfels, shade
from simulation.surfaces import Ground, Region
from simulation.virtual_scene import Lamp, Surroundings

_PORTION = 1 << 15
_CORNERS_OF_A_PIXEL = ((-0.37, -0.13), (0.13, -0.37), (0.37, 0.13), (-0.13, 0.37))


@dataclass(frozen=True)
class Room:
    """What stays while pieces move: the view, the table's surface and the lamps."""

    view: GroundView
    ground: Ground
    lamps: tuple[Lamp, ...]
    surroundings: Surroundings
    memory: RayMemory | None = field(default=None, compare=False)
    """What rays have met, where a film is drawn."""

    @cached_property
    def shadow_density(self) -> float:
        """How fine the map of shadows is: as fine as the picture, within reason."""
        left, near, right, far = self.view.region()
        return float(min(self.view.density(), 1500 / max(right - left, far - near, 1.0)))


@dataclass(frozen=True)
class Drawing:
    """A part of the picture: light (lamps + 1 × rows × columns × 3) and the index of the body seen, or -1."""

    rect: Rect
    light: Array
    bodies: Array

    def total(self, gains: Sequence[float] | None = None) -> Array:
        """All light together, each source multiplied by its gain."""
        if gains is None:
            return np.asarray(self.light.sum(axis=0))
        return np.asarray(np.tensordot(np.asarray(gains, dtype=np.float32), self.light, axes=1))


def reach_rect(view: GroundView, placed: PlacedBody) -> Rect:
    """The pixels in which a body can be seen, unclipped."""
    return view.rect_around(
        placed.x_mm, placed.y_mm, placed.body.shape.reach_mm + 0.2, (min(0.0, placed.z_mm), placed.top_mm)
    )


def shadow_reach_mm(placed: PlacedBody, lamps: Sequence[Lamp]) -> float:
    """How far from its place a body's shadows can fall."""
    far = 0.0
    for lamp in lamps:
        lx, ly, lz = lamp.position_mm
        z = min(placed.top_mm, 0.9 * lz)
        aside = math.hypot(lx - placed.x_mm, ly - placed.y_mm) + lamp.radius_mm
        far = max(far, aside * z / (lz - z))
    return far + placed.body.shape.reach_mm


def draw(
    room: Room, placed: Sequence[PlacedBody], rect: Rect | None = None, *, smooth: bool = True
) -> Drawing:
    """Draws the part ``rect`` of the picture, or all of it."""
    view = room.view
    wanted = rect or (0, 0, *view.size)
    # One pixel more on every side: an edge pixel is known by its neighbours.
    rect = overlap((wanted[0] - 1, wanted[1] - 1, wanted[2] + 1, wanted[3] + 1), (0, 0, *view.size)) or wanted
    left, upper, right, lower = rect
    columns, rows = np.meshgrid(np.arange(left, right), np.arange(upper, lower))
    pixels = np.stack([columns.ravel(), rows.ravel()])
    foot = view.foot[upper:lower, left:right].reshape(-1, 2)
    scene = _Bodies(room, placed, rect)
    light = _light_over(room, placed, rect)
    seen, bodies = scene.look(pixels, foot)
    layers = shade(seen, light)
    if smooth:
        _smooth_edges(scene, light, layers, (pixels, foot, bodies.reshape(lower - upper, right - left)))
    shape = (lower - upper, right - left)
    part = (slice(wanted[1] - upper, wanted[3] - upper), slice(wanted[0] - left, wanted[2] - left))
    stack = np.stack([layer.reshape(*shape, 3)[part] for layer in layers])
    if room.memory is not None:
        room.memory.keep(placed)
    return Drawing(wanted, stack, bodies.reshape(shape)[part])


def _light_over(room: Room, placed: Sequence[PlacedBody], rect: Rect) -> Light:
    """The lamps with the shadows of all bodies that can darken this part of the picture."""
    region = room.view.region(rect, 16.0)
    near = []
    for one in placed:
        reach = shadow_reach_mm(one, room.lamps)
        if (
            region[0] - reach < one.x_mm < region[2] + reach
            and region[1] - reach < one.y_mm < region[3] + reach
        ):
            near.append(one)
    grid = shadows.Grid.over(_map_region(near, room.lamps, region), room.shadow_density)
    outlines = [outline for one in near for outline in one.outlines()]
    heights = shadows.heights_for([one.top_mm for one in placed])
    return Light.over(room.lamps, room.surroundings, room.view.eye, shadows.cut(grid, outlines, heights))


def _map_region(near: Sequence[PlacedBody], lamps: Sequence[Lamp], region: Region) -> Region:
    """What the map of shadows has to cover: the bodies, and of the part seen what they can darken."""
    if not near:
        return (region[0], region[1], region[0] + 1, region[1] + 1)
    boxes = np.array(
        [(one.x_mm, one.y_mm, one.body.shape.reach_mm, shadow_reach_mm(one, lamps) + 16) for one in near]
    )
    low, high = np.array(region[:2]), np.array(region[2:])
    dark_low = np.maximum((boxes[:, :2] - boxes[:, 3:]).min(axis=0), low)
    dark_high = np.minimum((boxes[:, :2] + boxes[:, 3:]).max(axis=0), high)
    left, lower = np.minimum(dark_low, (boxes[:, :2] - boxes[:, 2:3]).min(axis=0) - 2)
    right, upper = np.maximum(dark_high, (boxes[:, :2] + boxes[:, 2:3]).max(axis=0) + 2)
    return (float(left), float(lower), float(right), float(upper))


class _Bodies:
    """The bodies that part of a picture can show, ready to be looked at along rays."""

    def __init__(self, room: Room, placed: Sequence[PlacedBody], rect: Rect) -> None:
        self.room, self.placed = room, placed
        self.rects = {k: reach_rect(room.view, one) for k, one in enumerate(placed)}
        self.rects = {k: r for k, r in self.rects.items() if overlap(r, rect)}
        self.left, self.upper = rect[0], rect[1]
        self.whole = (rect[2] - rect[0], rect[3] - rect[1])

    def look(self, pixels: Array, foot: Array, samples: Array | None = None) -> tuple[Surfels, Array]:
        """What rays through pixels (2×n) over table points (n×2) meet, and the index of the body or -1.

        ``samples`` tells apart the rays through one pixel; without it each goes through the middle.
        """
        names = np.zeros(len(foot), dtype=np.int64) if samples is None else samples
        eye = self.room.view.eye
        colour, relief = self.room.ground.at(foot[:, 0], foot[:, 1])
        n = len(foot)
        normal = np.ones((3, n), dtype=np.float32)
        normal[0], normal[1] = relief[:, 0], relief[:, 1]
        normal /= np.sqrt((normal * normal).sum(axis=0))
        point = np.zeros((3, n), dtype=np.float32)
        point[:2] = foot.T
        extra = np.ascontiguousarray(relief[:, 2:])
        bodies = np.full(n, -1, dtype=np.int32)
        rise = ((eye[:2] - foot) / eye[2]).astype(np.float32)
        for k, rect in self.rects.items():
            rows = self._rows_in(rect, pixels)
            for start in range(0, len(rows), _PORTION):
                part = rows[start : start + _PORTION]
                rays = (foot[part], rise[part], pixels[:, part], names[part])
                self._add(k, part, rays, (point, normal, colour, extra, bodies))
        return Surfels(point, normal, colour, extra, np.flatnonzero(bodies >= 0)), bodies

    def _rows_in(self, rect: Rect, pixels: Array) -> Array:
        if pixels.shape[1] == self.whole[0] * self.whole[1]:
            inside = overlap(
                rect, (self.left, self.upper, self.left + self.whole[0], self.upper + self.whole[1])
            )
            if inside is None:
                return np.zeros(0, dtype=np.int64)
            columns = np.arange(inside[0] - self.left, inside[2] - self.left)
            rows = np.arange(inside[1] - self.upper, inside[3] - self.upper)
            return np.asarray((rows[:, None] * self.whole[0] + columns).ravel())
        x, y = pixels
        return np.flatnonzero((x >= rect[0]) & (x < rect[2]) & (y >= rect[1]) & (y < rect[3]))

    def _add(
        self, k: int, rows: Array, rays: tuple[Array, Array, Array, Array], onto: tuple[Array, ...]
    ) -> None:
        """Looks for one body along some of the rays and keeps it where it is the highest so far."""
        foot, rise, pixels, samples = rays
        point, normal, colour, extra, bodies = onto
        if self.room.memory is None:
            met = self._follow(k, foot, rise)
        else:
            known = self.room.memory.of(self.placed[k], self._clipped(k))
            met = known.look(pixels, samples, lambda new: self._follow(k, foot[new], rise[new]))
        if met is None or not len(met.rays):
            return
        higher = np.flatnonzero(met.height > point[2, rows[met.rays]])
        mine = met.rays[higher]
        at, height = rows[mine], met.height[higher]
        point[0, at] = foot[mine, 0] + rise[mine, 0] * height
        point[1, at] = foot[mine, 1] + rise[mine, 1] * height
        point[2, at] = height
        normal[:, at] = met.normal[higher].T
        colour[at], extra[at], bodies[at] = met.paint[higher], met.extra[higher], k

    def _clipped(self, k: int) -> Rect:
        return overlap(self.rects[k], (0, 0, *self.room.view.size)) or (0, 0, 1, 1)

    def _follow(self, k: int, foot: Array, rise: Array) -> Met | None:
        """Follows rays to one body."""
        one = self.placed[k]
        density = self.room.view.density(one.x_mm, one.y_mm)
        hits = trace(one, foot, rise, 1 / density)
        if hits is None:
            return None
        paint, extra, normal = paint_hits(one, hits, rung(density))
        return Met(hits.rays, hits.height, paint, extra, normal)


def _smooth_edges(
    scene: _Bodies, light: Light, layers: list[Array], what: tuple[Array, Array, Array]
) -> None:
    """Looks four times at every pixel next to another body's, and takes the mean."""
    pixels, foot, bodies = what
    low = cv2.erode(bodies.astype(np.float32), np.ones((3, 3), np.uint8))
    high = cv2.dilate(bodies.astype(np.float32), np.ones((3, 3), np.uint8))
    at = np.flatnonzero((low != high).ravel())
    if not len(at):
        return
    field = foot.reshape(*bodies.shape, 2)
    if min(bodies.shape) < 2:
        return
    right = np.gradient(field, axis=1).reshape(-1, 2)[at]
    down = np.gradient(field, axis=0).reshape(-1, 2)[at]
    feet = np.concatenate([foot[at] + dx * right + dy * down for dx, dy in _CORNERS_OF_A_PIXEL])
    samples = np.repeat(np.arange(1, 5), len(at))
    seen, _ = scene.look(np.tile(pixels[:, at], 4), feet.astype(np.float32), samples)
    for layer, fine in zip(layers, shade(seen, light), strict=True):
        # Glints are cut off here as a sensor would: one bright quarter must not make a whole pixel white.
        layer[at] = np.minimum(fine, 3.0).reshape(4, -1, 3).mean(axis=0)
