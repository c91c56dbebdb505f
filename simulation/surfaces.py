"""What tables are covered with: wood, cloth, felt, leather, stone, patterns and printed boards."""

import math
from collections.abc import Callable
from dataclasses import dataclass

import cv2
import numpy as np

from simulation.canvas import Array, Canvas, Texture
from simulation.makes import Colour, Stuff
from simulation.soft_patterns import blobs, clouds, smoothstep
from simulation.virtual_scene import Surface, stream

Region = tuple[float, float, float, float]
_LARGEST_PX = 2100


@dataclass(frozen=True)
class Ground:
    """A painted stretch of table: ``region_mm`` is (left, near, right, far)."""

    texture: Texture
    region_mm: Region

    def at(self, x_mm: Array, y_mm: Array) -> tuple[Array, Array]:
        """Colour and relief rows at table points."""
        left, near, right, far = self.region_mm
        return self.texture.at(x_mm - (left + right) / 2, y_mm - (near + far) / 2)

    def covers(self, region_mm: Region) -> bool:
        """Whether all of ``region_mm`` is painted."""
        mine, wanted = self.region_mm, region_mm
        return mine[0] <= wanted[0] and mine[1] <= wanted[1] and mine[2] >= wanted[2] and mine[3] >= wanted[3]


def paint(surface: Surface, region_mm: Region, density: float) -> Ground:
    """The table's surface over a region; the finest it can be is ``density`` pixels a millimetre."""
    width, height = region_mm[2] - region_mm[0], region_mm[3] - region_mm[1]
    density = min(density, _LARGEST_PX / max(width, height))
    canvas = Canvas((width, height), density, Stuff(surface.colour, surface.gloss))
    # From here on the canvas measures from the table's middle: boards must not move with the view.
    canvas.x = canvas.x + np.float32((region_mm[0] + region_mm[2]) / 2)
    canvas.y = canvas.y + np.float32((region_mm[1] + region_mm[3]) / 2)
    rng = stream(surface.seed, "surface", surface.material)
    MATERIALS[surface.material](canvas, surface, rng)
    if surface.edges_mm is not None:
        _floor(canvas, surface, rng)
    return Ground(canvas.finish(), region_mm)


def _turned(canvas: Canvas, surface: Surface) -> tuple[Array, Array]:
    """Coordinates along and across the surface's own direction, with its scale taken out."""
    c, s = math.cos(math.radians(surface.angle_deg)), math.sin(math.radians(surface.angle_deg))
    x, y = canvas.x / surface.scale, canvas.y / surface.scale
    return c * x + s * y, c * y - s * x


def _mix(canvas: Canvas, share: Array, colour: Colour) -> None:
    left, upper, width, height = cv2.boundingRect((share != 0).astype(np.uint8))
    part = (slice(upper, upper + height), slice(left, left + width))
    before = canvas.colour[part]
    before += share[part][:, :, None] * (np.asarray(colour, dtype=np.float32) - before)


def _grain_size(canvas: Canvas, surface: Surface, across: float, along: float) -> tuple[float, float]:
    """Blob sizes in pixels (rows, columns) of a grain that runs nearer to one of the picture's axes."""
    px = canvas.density * surface.scale
    upright = abs(math.cos(math.radians(surface.angle_deg))) < 0.71
    return (along * px, across * px) if upright else (across * px, along * px)


def _wood(canvas: Canvas, surface: Surface, rng: np.random.Generator) -> None:
    _, across = _turned(canvas, surface)
    wander = clouds(rng, canvas.shape, _grain_size(canvas, surface, 60, 260), 3)
    rings = np.sin((across + 9 * wander) * (2 * math.pi / 17) + 2 * wander)
    fine = clouds(rng, canvas.shape, _grain_size(canvas, surface, 1.3, 45), 3)
    pores = smoothstep(1.1, 2.0, clouds(rng, canvas.shape, _grain_size(canvas, surface, 0.8, 14), 2))
    dark = 0.30 + 0.22 * rings + 0.16 * fine + 0.35 * pores + 0.12 * wander
    _mix(canvas, np.clip(dark, 0, 1).astype(np.float32), surface.second)
    canvas.depth += (0.02 * fine - 0.05 * pores).astype(np.float32)
    canvas.gloss *= 1 - 0.2 * np.clip(fine, 0, 1)


def _planks(canvas: Canvas, surface: Surface, rng: np.random.Generator) -> None:
    _wood(canvas, surface, rng)
    along, across = _turned(canvas, surface)
    wide = 70.0
    row = np.floor(across / wide)
    tone = np.asarray(rng.uniform(0.72, 1.2, 64), dtype=np.float32)[row.astype(int) % 64]
    canvas.colour *= tone[:, :, None]
    seam = np.abs(across - wide * np.round(across / wide))
    shift = np.asarray(rng.uniform(0, 600, 64), dtype=np.float32)[row.astype(int) % 64]
    butt = np.abs((along + shift) % 600 - 300)
    groove = np.minimum(seam, butt)
    canvas.colour *= (1 - 0.6 * smoothstep(0.9, 0.2, groove) * 1.0)[:, :, None]
    canvas.depth -= (0.4 * smoothstep(1.6, 0.3, groove)).astype(np.float32)


def _cloth(canvas: Canvas, surface: Surface, rng: np.random.Generator) -> None:
    along, across = _turned(canvas, surface)
    pitch = max(0.9, 2.2 / canvas.density)
    weave = np.sin(along * (2 * math.pi / pitch)) * np.sin(across * (2 * math.pi / pitch))
    thread = blobs(rng, canvas.shape, (1.0, 6 * canvas.density)) + blobs(
        rng, canvas.shape, (6 * canvas.density, 1.0)
    )
    canvas.colour *= (1 + 0.07 * weave + 0.05 * thread)[:, :, None].clip(0.5, 1.5)
    canvas.depth += (0.05 * weave).astype(np.float32)
    folds = clouds(rng, canvas.shape, 120 * canvas.density, 2)
    canvas.depth += (0.8 * folds).astype(np.float32)
    _mix(canvas, np.clip(0.10 * thread, 0, 0.5).astype(np.float32), surface.second)


def _felt(canvas: Canvas, _surface: Surface, rng: np.random.Generator) -> None:
    fuzz = rng.standard_normal(canvas.shape, dtype=np.float32)
    nap = clouds(rng, canvas.shape, 3 * canvas.density, 3)
    broad = clouds(rng, canvas.shape, 90 * canvas.density, 3)
    canvas.colour *= (1 + 0.08 * fuzz + 0.05 * nap + 0.06 * broad)[:, :, None].clip(0.4, 1.6)
    canvas.depth += 0.04 * nap
    canvas.gloss *= 0.3


def _fleece(canvas: Canvas, surface: Surface, rng: np.random.Generator) -> None:
    curls = clouds(rng, canvas.shape, 2.6 * canvas.density * surface.scale, 3)
    broad = clouds(rng, canvas.shape, 40 * canvas.density, 3)
    _mix(canvas, smoothstep(0.3, 2.2, curls + 0.5 * broad).astype(np.float32) * 0.5, surface.second)
    canvas.colour *= (1 + 0.18 * curls)[:, :, None].clip(0.3, 1.9)
    canvas.depth += 0.35 * curls
    canvas.gloss *= 0.2


def _plain(canvas: Canvas, _surface: Surface, rng: np.random.Generator) -> None:
    canvas.colour *= (1 + 0.012 * clouds(rng, canvas.shape, 4 * canvas.density, 2))[:, :, None]
    canvas.colour *= (1 + 0.03 * blobs(rng, canvas.shape, 150 * canvas.density))[:, :, None]
    canvas.depth += 0.15 * blobs(rng, canvas.shape, 60 * canvas.density)


def _paper(canvas: Canvas, surface: Surface, rng: np.random.Generator) -> None:
    _plain(canvas, surface, rng)
    canvas.colour *= (1 + 0.012 * rng.standard_normal(canvas.shape, dtype=np.float32))[:, :, None]
    canvas.gloss[:] = 0.05


def _leather(canvas: Canvas, surface: Surface, rng: np.random.Generator) -> None:
    cells = np.abs(clouds(rng, canvas.shape, 1.6 * canvas.density * surface.scale, 2))
    rolls = clouds(rng, canvas.shape, (160 * canvas.density, 110 * canvas.density), 2)
    canvas.depth += (0.10 * smoothstep(0, 0.5, cells) + 2.0 * rolls).astype(np.float32)
    canvas.colour *= (0.78 + 0.25 * smoothstep(0, 0.4, cells))[:, :, None]


def _stone(canvas: Canvas, surface: Surface, rng: np.random.Generator) -> None:
    patches = clouds(rng, canvas.shape, 26 * canvas.density * surface.scale, 5)
    veins = np.abs(clouds(rng, canvas.shape, 60 * canvas.density * surface.scale, 4))
    specks = smoothstep(1.6, 2.2, blobs(rng, canvas.shape, 1.2 * canvas.density * surface.scale))
    _mix(canvas, smoothstep(-0.5, 1.8, patches).astype(np.float32) * 0.6, surface.second)
    canvas.colour *= (1 - 0.20 * np.exp(-((veins / 0.035) ** 2)))[:, :, None]
    _mix(canvas, (0.6 * specks).astype(np.float32), surface.second)


def _brushed(canvas: Canvas, surface: Surface, rng: np.random.Generator) -> None:
    lines = clouds(rng, canvas.shape, _grain_size(canvas, surface, 0.5, 60), 3)
    canvas.colour *= (1 + 0.09 * lines)[:, :, None].clip(0.5, 1.6)
    canvas.depth += 0.015 * lines


def _checks(canvas: Canvas, surface: Surface, rng: np.random.Generator) -> None:
    _cloth(canvas, surface, rng)
    along, across = _turned(canvas, surface)
    side = 22.0
    a = ((along / side) % 2 < 1).astype(np.float32)
    b = ((across / side) % 2 < 1).astype(np.float32)
    _mix(canvas, (a + b) / 2 * 0.9, surface.second)


def _stripes(canvas: Canvas, surface: Surface, rng: np.random.Generator) -> None:
    _cloth(canvas, surface, rng)
    _, across = _turned(canvas, surface)
    band = (across / 38.0) % 1
    _mix(canvas, ((band < 0.3) | ((band > 0.42) & (band < 0.48))).astype(np.float32) * 0.9, surface.second)


def _floor_tiles(canvas: Canvas, surface: Surface, rng: np.random.Generator) -> None:
    _stone(canvas, surface, rng)
    along, across = _turned(canvas, surface)
    side = 150.0
    tone = np.asarray(rng.uniform(0.85, 1.15, (32, 32)), dtype=np.float32)
    canvas.colour *= tone[np.floor(along / side).astype(int) % 32, np.floor(across / side).astype(int) % 32][
        :, :, None
    ]
    joint = np.minimum(
        np.abs(along - side * np.round(along / side)), np.abs(across - side * np.round(across / side))
    )
    _mix(canvas, smoothstep(2.0, 1.2, joint).astype(np.float32), (0.35, 0.33, 0.30))
    canvas.depth -= (0.5 * smoothstep(2.6, 1.0, joint)).astype(np.float32)


def _flowers(canvas: Canvas, surface: Surface, rng: np.random.Generator) -> None:
    _cloth(canvas, surface, rng)
    along, across = _turned(canvas, surface)
    side = 46.0
    offset = (np.floor(across / side) % 2) * side / 2
    u, v = (along + offset) % side - side / 2, across % side - side / 2
    r, a = np.hypot(u, v), np.arctan2(v, u)
    petals = r < 9 * (0.65 + 0.35 * np.cos(6 * a))
    leaves = (np.hypot(u - 13, v - 11) < 3.4) | (np.hypot(u + 12, v - 13) < 3.0)
    _mix(canvas, petals.astype(np.float32) * 0.85, surface.second)
    _mix(canvas, leaves.astype(np.float32) * 0.7, (0.08, 0.22, 0.06))
    _mix(canvas, (r < 2.6).astype(np.float32), (0.7, 0.5, 0.08))


def _dots(canvas: Canvas, surface: Surface, rng: np.random.Generator) -> None:
    # A table that looks like pips on purpose: readers must not count it.
    _plain(canvas, surface, rng)
    along, across = _turned(canvas, surface)
    side = 17.0
    u, v = along % side - side / 2, across % side - side / 2
    _mix(
        canvas,
        np.clip((2.6 - np.hypot(u, v)) * canvas.density + 0.5, 0, 1).astype(np.float32),
        surface.second,
    )


def _squares(canvas: Canvas, surface: Surface, rng: np.random.Generator) -> None:
    _plain(canvas, surface, rng)
    along, across = _turned(canvas, surface)
    side = 26.0
    odd = ((np.floor(along / side) + np.floor(across / side)) % 2).astype(np.float32)
    inside = (np.maximum(np.abs(along), np.abs(across)) < 4 * side).astype(np.float32)
    _mix(canvas, odd * inside * 0.92, surface.second)
    frame = np.abs(np.maximum(np.abs(along), np.abs(across)) - 4.25 * side) < 1.2
    _mix(canvas, frame.astype(np.float32), surface.second)


def _race_board(canvas: Canvas, surface: Surface, rng: np.random.Generator) -> None:
    """A printed board with rings of coloured fields, such as those for race games."""
    _plain(canvas, surface, rng)
    along, across = _turned(canvas, surface)
    inks: list[Colour] = [(0.6, 0.05, 0.05), (0.05, 0.35, 0.08), (0.05, 0.15, 0.5), (0.75, 0.55, 0.05)]
    for k in range(40):
        a, r = 2 * math.pi * k / 40, 128.0
        u, v = along - r * math.cos(a), across - r * math.sin(a)
        spot = np.hypot(u, v)
        _mix(canvas, (spot < 7.5).astype(np.float32), inks[k // 10] if k % 10 == 0 else (0.75, 0.74, 0.7))
        _mix(canvas, (np.abs(spot - 7.5) < 0.6).astype(np.float32), (0.03, 0.03, 0.03))
    for k in range(4):
        a = math.pi / 4 + math.pi / 2 * k
        spot = np.hypot(along - 70 * math.cos(a), across - 70 * math.sin(a))
        _mix(canvas, (spot < 30).astype(np.float32), inks[k])
    _mix(canvas, (np.abs(np.maximum(np.abs(along), np.abs(across)) - 148) < 1.5).astype(np.float32), inks[0])


def _floor(canvas: Canvas, surface: Surface, rng: np.random.Generator) -> None:
    """What lies beyond the table's edges: something darker and out of focus below."""
    left, near, right, far = surface.edges_mm or (0, 0, 0, 0)
    inside = np.minimum(
        np.minimum(canvas.x - left, right - canvas.x), np.minimum(canvas.y - near, far - canvas.y)
    )
    tone = np.asarray(rng.uniform(0.03, 0.35) * rng.uniform(0.75, 1.25, 3), dtype=np.float32)
    below = tone * (1 + 0.25 * clouds(rng, canvas.shape, 50 * canvas.density, 3))[:, :, None]
    off = smoothstep(0.4, -0.4, inside)[:, :, None]
    canvas.colour += (off * (below.clip(0.01, 0.8) - canvas.colour)).astype(np.float32)
    canvas.colour *= (1 - 0.4 * np.exp(-((inside / 1.6) ** 2)))[:, :, None]
    canvas.gloss *= 1 - off[:, :, 0]


MATERIALS: dict[str, Callable[[Canvas, Surface, np.random.Generator], None]] = {
    "wood": _wood, "planks": _planks, "cloth": _cloth, "felt": _felt, "fleece": _fleece, "plain": _plain,
    "paper": _paper, "leather": _leather, "stone": _stone, "brushed": _brushed, "checks": _checks,
    "stripes": _stripes, "tiles": _floor_tiles, "flowers": _flowers, "dots": _dots, "squares": _squares,
    "race board": _race_board,
}  # fmt: skip
