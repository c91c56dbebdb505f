"""Follows rays from the camera to the bodies and collects what they meet.

A ray is written as the table point it would hit (``foot``) and how far it moves sideways per millimetre of
height (``rise``): at height z it passes over foot + z·rise. All rays come from above.
"""

from dataclasses import dataclass

import numpy as np

from simulation.bodies import PlacedBody, Skin
from simulation.canvas import Array, Texture
from simulation.shapes import Block, Group, Shape

_STEPS = 20


@dataclass(frozen=True)
class Hits:
    """Where rays meet one body: which rays, at what height, the points and normals in its frame."""

    rays: Array
    height: Array
    point: Array
    normal: Array


def trace(placed: PlacedBody, foot: Array, rise: Array, pixel_mm: float = 0.3) -> Hits | None:
    """The first point of the body on each ray (n×2 each), for the rays that meet it.

    ``pixel_mm`` is how far apart rays are: surfaces are found to a small share of it.
    """
    turn = placed.matrix.astype(np.float32)
    origin = placed.origin
    start = np.empty((len(foot), 3), dtype=np.float32)
    start[:, :2] = foot - origin[:2].astype(np.float32)
    start[:, 2] = -origin[2]
    way = np.empty_like(start)
    way[:, :2] = rise
    way[:, 2] = 1.0
    start, way = start @ turn, way @ turn
    easy = _on_flat_top(placed, start, way)
    hard = np.flatnonzero(~easy)
    span = (placed.top_mm + 0.01, placed.z_mm)
    close = float(np.clip(0.08 * pixel_mm, 0.01, 0.06))
    found = _march(placed.body.shape, (start[hard], way[hard]), span, close) if len(hard) else None
    rays, height = np.flatnonzero(easy), np.full(np.count_nonzero(easy), placed.top_mm, dtype=np.float32)
    normal = np.zeros((len(rays), 3), dtype=np.float32)
    normal[:, 2] = 1
    point = start[rays] + way[rays] * height[:, None]
    if found is not None:
        more = hard[found[0]]
        there = start[more] + way[more] * found[1][:, None]
        normal = np.concatenate([normal, _normals(placed.body.shape, there)])
        rays, height = np.concatenate([rays, more]), np.concatenate([height, found[1]])
        point = np.concatenate([point, there])
    return Hits(rays, height, point, normal) if len(rays) else None


def _on_flat_top(placed: PlacedBody, start: Array, way: Array) -> Array:
    """The rays that meet the flat middle of a block's top: most of them, and found without walking."""
    shape = placed.body.shape
    if not isinstance(shape, Block) or placed.tilt_deg or shape.ball_mm:
        return np.zeros(len(start), dtype=bool)
    top = np.float32(placed.top_mm)
    rim = max(shape.corner_mm, shape.edge_mm)
    x, y = start[:, 0] + way[:, 0] * top, start[:, 1] + way[:, 1] * top
    return np.asarray((np.abs(x) < shape.x_mm / 2 - rim) & (np.abs(y) < shape.y_mm / 2 - rim))


def _march(
    shape: Shape, lines: tuple[Array, Array], span: tuple[float, float], close: float
) -> tuple[Array, Array] | None:
    """The rays that hit and the heights where: each walks down as far as nothing can be in its way."""
    start, way = lines
    # The distance along a straight line to a convex body falls and then rises: who moves away has missed.
    convex = isinstance(shape, Block)
    speed = np.sqrt((way * way).sum(axis=1))
    live = np.arange(len(start))
    height = np.full(len(start), span[0], dtype=np.float32)
    hit_rays, hit_heights = [], []
    s, w, z, v = start, way, height, speed
    before = np.full(len(start), np.inf, dtype=np.float32)
    for step in range(_STEPS):
        x, y, h = s[:, 0] + w[:, 0] * z, s[:, 1] + w[:, 1] * z, s[:, 2] + w[:, 2] * z
        gap = shape.distance(x, y, h)
        last = step == _STEPS - 1
        hit = gap < (4 * close if last else close)
        if hit.any():
            hit_rays.append(live[hit])
            hit_heights.append(z[hit])
        z = z - np.maximum(gap, close) / v
        going = ~hit & (z > span[1])
        if convex:
            going &= gap <= before
        if not going.any():
            break
        live, s, w, z, v, before = live[going], s[going], w[going], z[going], v[going], gap[going]
    if not hit_rays:
        return None
    return np.concatenate(hit_rays), np.concatenate(hit_heights).astype(np.float32)


def _normals(shape: Shape, point: Array) -> Array:
    """Unit normals of the surface at points on it."""
    step = np.float32(0.04)
    total = np.zeros_like(point)
    for sx, sy, sz in ((1, -1, -1), (-1, -1, 1), (-1, 1, -1), (1, 1, 1)):
        d = shape.distance(point[:, 0] + sx * step, point[:, 1] + sy * step, point[:, 2] + sz * step)
        total += d[:, None] * np.array([sx, sy, sz], dtype=np.float32)
    return np.asarray(total / np.maximum(np.sqrt((total * total).sum(axis=1, keepdims=True)), 1e-6))


def paint_hits(placed: PlacedBody, hits: Hits, density: float) -> tuple[Array, Array, Array]:
    """Colour (n×4 with gloss), shade and metal (n×2), and the table-frame normals with the relief in them."""
    skin, point = placed.body.skin, hits.point
    colour = np.empty((len(point), 4), dtype=np.float32)
    colour[:, :3], colour[:, 3] = skin.stuff.colour, skin.stuff.gloss
    extra = np.empty((len(point), 2), dtype=np.float32)
    extra[:, 0], extra[:, 1] = 1.0, float(skin.stuff.metal)
    normal = hits.normal.copy()
    if skin.below is not None:
        colour[point[:, 2] < skin.split_mm, :3] = skin.below
    if skin.parts and isinstance(placed.body.shape, Group):
        _paint_parts(skin, placed.body.shape.part(point[:, 0], point[:, 1], point[:, 2]), colour, extra)
    for side, chosen in _sides(skin, hits.normal, point[:, 2]):
        _paint_side(side, skin.faces[side](density), (point, chosen), (colour, extra, normal))
    normal /= np.maximum(np.sqrt((normal * normal).sum(axis=1, keepdims=True)), 1e-6)
    return colour, extra, normal @ placed.matrix.T.astype(np.float32)


def _paint_parts(skin: Skin, part: Array, colour: Array, extra: Array) -> None:
    stuffs = np.array([(*s.colour, s.gloss) for s in skin.parts], dtype=np.float32)
    colour[:] = stuffs[part]
    extra[:, 1] = np.array([float(s.metal) for s in skin.parts], dtype=np.float32)[part]


def _sides(skin: Skin, normal: Array, height: Array) -> list[tuple[str, Array]]:
    """The rows that each painted side owns."""
    up = normal[:, 2] > skin.face_from
    if skin.face_above_mm > 0:
        up &= height > skin.face_above_mm
    found = [("+z", np.flatnonzero(up))] if "+z" in skin.faces else []
    if len(skin.faces) > len(found):
        wide = np.abs(normal[:, 0]) > np.abs(normal[:, 1])
        tests = {
            "+x": wide & (normal[:, 0] > 0), "-x": wide & (normal[:, 0] <= 0),
            "+y": ~wide & (normal[:, 1] > 0), "-y": ~wide & (normal[:, 1] <= 0),
        }  # fmt: skip
        found += [(k, np.flatnonzero(~up & t)) for k, t in tests.items() if k in skin.faces]
    return [(side, rows) for side, rows in found if len(rows)]


_AXES = {  # side: (axis and sign of the picture's x, the same of its y)
    "+z": ((0, 1), (1, 1)), "+x": ((1, 1), (2, 1)), "-x": ((1, -1), (2, 1)),
    "+y": ((0, -1), (2, 1)), "-y": ((0, 1), (2, 1)),
}  # fmt: skip


def _paint_side(
    side: str, texture: Texture, where: tuple[Array, Array], onto: tuple[Array, Array, Array]
) -> None:
    point, rows = where
    colour, extra, normal = onto
    (ax, sx), (ay, sy) = _AXES[side]
    u, v = sx * point[rows, ax], sy * point[rows, ay]
    if side != "+z":
        v = v - texture.size_mm[1] / 2
    paint, relief = texture.at(u, v)
    colour[rows] = paint
    extra[rows] = relief[:, 2:]
    normal[rows, ax] += sx * relief[:, 0]
    normal[rows, ay] += sy * relief[:, 1]
