"""Painting one face of a piece in millimetres: colour, gloss, metal, and a relief that light will find.

The face's middle is (0, 0), x to the right, y upwards. Masks are coverages between 0 and 1 with soft edges,
so that a face painted at any density looks like the same face.
"""

import itertools
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from simulation.makes import Colour, Stuff
from simulation.soft_patterns import blobs, clouds, smoothstep

Array: TypeAlias = NDArray[Any]
Point: TypeAlias = tuple[float, float]
Part: TypeAlias = tuple[slice, slice]


@dataclass(frozen=True)
class Texture:
    """A painted face: ``colour`` holds red, green, blue and gloss; ``relief`` the slopes, shade and metal."""

    colour: Array
    relief: Array
    size_mm: tuple[float, float]
    density: float

    def at(self, x_mm: Array, y_mm: Array) -> tuple[Array, Array]:
        """The colour rows (n×4) and relief rows (n×4) at points of the face."""
        columns = ((x_mm + self.size_mm[0] / 2) * self.density - 0.5).astype(np.float32).reshape(1, -1)
        rows = ((self.size_mm[1] / 2 - y_mm) * self.density - 0.5).astype(np.float32).reshape(1, -1)
        return _gather(self.colour, columns, rows), _gather(self.relief, columns, rows)


def _gather(image: Array, columns: Array, rows: Array) -> Array:
    # OpenCV refuses maps longer than 32,767 in one direction, so the list is folded.
    n = columns.shape[1]
    width = 4096
    if n <= width:
        got = cv2.remap(image, columns, rows, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        return np.asarray(got.reshape(-1, 4))
    full = -(-n // width) * width
    maps = [np.resize(m, (full // width, width)) for m in (columns, rows)]
    got = cv2.remap(image, maps[0], maps[1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(got.reshape(-1, 4)[:n])


def threefold(plane: Array) -> Array:
    """A plane of numbers thrice, one for each colour: numpy takes four times as long to spread it itself."""
    return np.asarray(cv2.cvtColor(np.asarray(plane, dtype=np.float32), cv2.COLOR_GRAY2BGR))


class Canvas:
    """A face being painted."""

    def __init__(self, size_mm: tuple[float, float], density: float, stuff: Stuff) -> None:
        self.size_mm, self.density = size_mm, density
        rows, cols = (max(2, round(side * density)) for side in (size_mm[1], size_mm[0]))
        self.shape = (rows, cols)
        self.x = ((np.arange(cols, dtype=np.float32) + 0.5) / density - size_mm[0] / 2)[None, :]
        self.y = (size_mm[1] / 2 - (np.arange(rows, dtype=np.float32) + 0.5) / density)[:, None]
        self.colour = np.empty((rows, cols, 3), dtype=np.float32)
        self.colour[:] = stuff.colour
        self.gloss = np.full((rows, cols), stuff.gloss, dtype=np.float32)
        self.metal = np.full((rows, cols), float(stuff.metal), dtype=np.float32)
        self.depth = np.zeros((rows, cols), dtype=np.float32)
        self.shade = np.ones((rows, cols), dtype=np.float32)

    # --- masks -------------------------------------------------------------------------------------

    def disc(self, x: float, y: float, radius: float) -> Array:
        """The coverage of a round spot."""
        return self._within(x, y, radius, lambda away: radius - away)

    def ring(self, x: float, y: float, radius: float, width: float) -> Array:
        """The coverage of a circle's line."""
        return self._within(x, y, radius + width / 2, lambda away: width / 2 - np.abs(away - radius))

    def line(self, a: Point, b: Point, width: float) -> Array:
        """The coverage of a stroke with round ends."""
        return self._soft(width / 2 - self.from_line(a, b))

    def from_line(self, a: Point, b: Point, part: Part = (slice(None), slice(None))) -> Array:
        """How far each point of the face, or of a part of it, is from a segment."""
        vx, vy = b[0] - a[0], b[1] - a[1]
        px, py = self.x[:, part[1]] - a[0], self.y[part[0]] - a[1]
        t = np.clip((px * vx + py * vy) / max(vx * vx + vy * vy, 1e-9), 0, 1)
        return np.asarray(np.hypot(px - t * vx, py - t * vy))

    def strokes(self, lines: Sequence[Sequence[Point]], width: float) -> Array:
        """The coverage of several connected strokes with round ends."""
        found = np.zeros(self.shape, dtype=np.float32)
        for points in lines:
            for a, b in itertools.pairwise(points):
                part = self._around((a, b), width)
                inside = width / 2 - self.from_line(a, b, part)
                np.maximum(found[part], self._soft(inside), out=found[part])
        return found

    def rectangle(self, x: float, y: float, width: float, height: float) -> Array:
        """The coverage of an upright rectangle around (x, y)."""
        inside = np.minimum(width / 2 - np.abs(self.x - x), height / 2 - np.abs(self.y - y))
        return self._soft(inside)

    def polygon(self, *outlines: Sequence[Point]) -> Array:
        """The coverage of polygons; where an even number of them overlap is outside."""
        fine = 4
        mask = np.zeros((self.shape[0] * fine, self.shape[1] * fine), dtype=np.uint8)
        pixels = []
        for outline in outlines:
            points = np.asarray(outline, dtype=np.float64)
            points = np.stack([points[:, 0] + self.size_mm[0] / 2, self.size_mm[1] / 2 - points[:, 1]], 1)
            pixels.append(np.round((points * self.density * fine - 0.5) * 16).astype(np.int32))
        cv2.fillPoly(mask, pixels, 255, shift=4)
        small = cv2.resize(mask, (self.shape[1], self.shape[0]), interpolation=cv2.INTER_AREA)
        return np.asarray(small, dtype=np.float32) / 255

    def _within(self, x: float, y: float, reach: float, inside: Callable[[Array], Array]) -> Array:
        """The coverage of what lies no farther from (x, y), told how far that is."""
        part = self._around(((x, y),), reach)
        cover = self._soft(inside(np.hypot(self.x[:, part[1]] - x, self.y[part[0]] - y)))
        found = np.zeros(self.shape, dtype=cover.dtype)
        found[part] = cover
        return found

    def _around(self, points: Sequence[Point], reach: float) -> Part:
        """The rows and columns that can lie within ``reach`` of some points."""
        px, low = self.density, float(self.x[0, 0])
        high = float(self.y[0, 0])
        columns = [(p[0] - low) * px for p in points]
        rows = [(high - p[1]) * px for p in points]
        more = reach * px + 2
        spans = [(max(0, int(min(v) - more)), max(0, int(max(v) + more) + 1)) for v in (rows, columns)]
        return slice(*spans[0]), slice(*spans[1])

    def _soft(self, inside_mm: Array) -> Array:
        return np.asarray(np.clip(inside_mm * self.density + 0.5, 0, 1))

    # --- paint -------------------------------------------------------------------------------------

    def ink(self, mask: Array, colour: Colour, gloss: float | None = None, metal: float = 0.0) -> None:
        """Colours what ``mask`` covers."""
        left, upper, width, height = cv2.boundingRect((mask > 0).astype(np.uint8))
        part = (slice(upper, upper + height), slice(left, left + width))
        cover = mask[part]
        self.colour[part] += cover[:, :, None] * (np.asarray(colour, dtype=np.float32) - self.colour[part])
        if gloss is not None:
            self.gloss[part] += cover * (gloss - self.gloss[part])
        if metal or self.metal.any():
            self.metal[part] += cover * (metal - self.metal[part])

    def spot(self, at: Point, radius: float, colour: Colour, gloss: float | None = None) -> None:
        """Colours a round spot."""
        part = self._around((at,), radius)
        d = np.hypot(self.x[:, part[1]] - at[0], self.y[part[0]] - at[1])
        mask = self._soft(radius - d)
        self.colour[part] += mask[:, :, None] * (np.asarray(colour, dtype=np.float32) - self.colour[part])
        if gloss is not None:
            self.gloss[part] += mask * (gloss - self.gloss[part])

    def dimple(self, at: Point, radius: float, depth: float) -> None:
        """Drills a round hollow."""
        part = self._around((at,), radius)
        r2 = ((self.x[:, part[1]] - at[0]) ** 2 + (self.y[part[0]] - at[1]) ** 2) / (radius * radius)
        np.minimum(self.depth[part], -depth * np.clip(1 - r2, 0, 1), out=self.depth[part])
        rim = np.clip((1.05 - r2) * 3, 0, 1)
        self.shade[part] *= 1 - 0.22 * rim * np.clip(r2 + 0.25, 0, 1)

    def groove(self, a: Point, b: Point, width: float, depth: float) -> None:
        """Cuts a trench."""
        d = self.from_line(a, b) / (width / 2)
        np.minimum(self.depth, -depth * np.clip(1.15 - d, 0, 1), out=self.depth)
        self.shade *= 1 - 0.25 * np.clip(1.2 - d, 0, 1)

    def dome(self, x: float, y: float, radius: float, height: float) -> None:
        """Raises a round knob."""
        r2 = ((self.x - x) ** 2 + (self.y - y) ** 2) / (radius * radius)
        np.maximum(self.depth, height * np.sqrt(np.clip(1 - r2, 0, 1)), out=self.depth)

    def grain(self, stuff: Stuff, rng: np.random.Generator) -> None:
        """Gives the bare body the pattern of what it is made of."""
        rows, cols = self.shape
        px = self.density
        if stuff.grain == "wood":
            lines = clouds(rng, (rows, cols), (0.7 * px, 14 * px), 3)
            broad = clouds(rng, (rows, cols), (4 * px, 30 * px), 2)
            self.colour *= (1 + 0.10 * lines + 0.10 * broad)[:, :, None].clip(0.4, 1.6)
            self.depth += 0.010 * lines
        elif stuff.grain == "marble":
            veins = np.abs(clouds(rng, (rows, cols), 9 * px, 4))
            self.colour *= (1 - 0.35 * np.exp(-((veins / 0.12) ** 2)))[:, :, None]
            self.colour *= (1 + 0.06 * clouds(rng, (rows, cols), 12 * px, 2))[:, :, None]
        elif stuff.grain == "swirl":
            # Two tones of one plastic, hardly stirred: large patches with clear edges, one tone seen through.
            streams = clouds(rng, (rows, cols), (6 * px, 14 * px), 3) + 0.7 * clouds(
                rng, (rows, cols), 18 * px, 2
            )
            soft, tone = float(rng.uniform(0.05, 0.5)), float(rng.uniform(0.4, 0.85))
            self.colour *= (tone + (1 - tone) * smoothstep(-soft, soft, streams))[:, :, None]
        elif stuff.grain == "speckle":
            self.colour *= (1 + 0.25 * clouds(rng, (rows, cols), 0.7 * px, 2))[:, :, None].clip(0.3, 1.7)
        elif stuff.grain == "pearl":
            sheen = clouds(rng, (rows, cols), 7 * px, 3)
            self.colour *= np.stack([1 + 0.06 * sheen, 1 + 0.02 * sheen, 1 - 0.06 * sheen], axis=-1)
        else:
            self.colour *= (1 + 0.015 * blobs(rng, (rows, cols), 8 * px))[:, :, None]

    def wear(self, rng: np.random.Generator, amount: float) -> None:
        """Dirt, scratches and handling: ``amount`` 0 is new, 1 is an old bar set."""
        rows, cols = self.shape
        px = self.density
        self.depth += (0.012 + 0.02 * amount) * blobs(rng, self.shape, 9 * px) * px / (px + 2)
        if amount < 0.05:
            return
        dirt = smoothstep(0.3, 2.2, clouds(rng, self.shape, 8 * px, 4) + 0.6 * amount)
        tint = np.asarray([0.55, 0.45, 0.33], dtype=np.float32)
        self.colour *= 1 - (0.5 * amount * dirt)[:, :, None] * (1 - tint)
        self.gloss *= 1 - 0.5 * amount * dirt
        scratches = np.zeros((rows, cols), dtype=np.float32)
        for _ in range(int(rng.integers(0, 2 + round(8 * amount)))):
            a = rng.uniform(-0.5, 0.5, 2) * self.size_mm
            angle, long = rng.uniform(0, math.pi), rng.exponential(6.0)
            b = a + long * np.array([math.cos(angle), math.sin(angle)])
            one = self.strokes(
                [[(float(a[0]), float(a[1])), (float(b[0]), float(b[1]))]], rng.uniform(0.06, 0.18)
            )
            np.maximum(scratches, one, out=scratches)
        light = float(rng.uniform(-0.3, 0.25)) * amount
        self.colour *= (1 + light * scratches)[:, :, None]
        self.depth -= 0.02 * scratches

    def finish(self) -> Texture:
        """The painted face; the canvas is not to be used afterwards."""
        slope_y, slope_x = np.gradient(self.depth)
        relief = np.stack([-slope_x * self.density, slope_y * self.density, self.shade, self.metal], axis=-1)
        colour = np.concatenate([self.colour.clip(0.001, 1), self.gloss[:, :, None]], axis=-1)
        return Texture(
            np.ascontiguousarray(colour, dtype=np.float32),
            np.ascontiguousarray(relief, dtype=np.float32),
            self.size_mm,
            self.density,
        )
