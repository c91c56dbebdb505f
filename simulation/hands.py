"""Hands and arms as a camera over the table sees them: shape, skin, sleeves, light, and their soft shadows.

A hand is drawn anew for every frame: each bone is a rod with a radius at either end whose seen half is
painted straight into the picture, the higher over the lower, so that fingers bend, cross and point as they
will. The result is an overlay for ``simulation.stage`` with a veil for each lamp.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

import cv2
import numpy as np

from calibration.camera import Camera
from simulation.canvas import Array, threefold
from simulation.makes import Colour
from simulation.skeleton import BoneChain
from simulation.soft_patterns import clouds
from simulation.stage import Overlay
from simulation.virtual_scene import Lamp, Surroundings, stream

SKINS: tuple[Colour, ...] = (
    (0.74, 0.52, 0.42), (0.66, 0.42, 0.30), (0.56, 0.33, 0.22), (0.44, 0.24, 0.15), (0.33, 0.17, 0.10),
    (0.22, 0.105, 0.06), (0.13, 0.062, 0.038), (0.075, 0.036, 0.024),
)  # fmt: skip
"""Skin from pale to very dark, as linear light."""

Pattern = Literal["plain", "stripes", "checks", "knit"]


@dataclass(frozen=True)
class Sleeve:
    """What covers an arm: where it begins behind the wrist, how wide it is, and its cloth."""

    cuff_mm: float = 25.0
    loose_mm: float = 8.0
    colour: Colour = (0.08, 0.10, 0.20)
    second: Colour = (0.5, 0.5, 0.5)
    pattern: Pattern = "plain"
    folds: float = 1.0


@dataclass(frozen=True)
class Person:
    """Whose hands they are."""

    skin: Colour = SKINS[1]
    sleeve: Sleeve = field(default_factory=Sleeve)
    left: bool = False
    seed: int = 0

    @classmethod
    def drawn(cls, seed: int) -> "Person":
        """Somebody at random."""
        rng = stream(seed, "person")
        tone = SKINS[int(rng.integers(len(SKINS)))]
        warm = 1 + rng.normal(0, 0.05, 3)
        skin = (float(tone[0] * warm[0]), float(tone[1] * warm[1]), float(tone[2] * warm[2]))
        short = rng.random() < 0.35
        cloth, second = _dyed(rng, 0.45), _dyed(rng, 0.7)
        patterns: tuple[Pattern, ...] = ("plain", "plain", "stripes", "checks", "knit")
        sleeve = Sleeve(
            float(rng.uniform(175, 240) if short else rng.uniform(5, 45)),
            float(rng.uniform(5, 13)),
            cloth,
            second,
            patterns[int(rng.integers(len(patterns)))],
            float(rng.uniform(0.6, 1.4)),
        )
        return cls(skin, sleeve, bool(rng.random() < 0.12), seed)

    @cached_property
    def cloth(self) -> tuple[Array, Array]:
        """Folds along the arm: their slopes, and how dark they are (64 rows around, 512 columns along)."""
        rng = stream(self.seed, "sleeve")
        height = clouds(rng, (64, 512), (26, 14), 3) + 0.5 * clouds(rng, (64, 512), (10, 5), 2)
        slope = np.gradient(height, axis=1) * 4.0 * self.sleeve.folds
        return slope.astype(np.float32), (1 + 0.10 * height * self.sleeve.folds).clip(0.6, 1.3)

    @cached_property
    def mottle(self) -> Array:
        """How skin varies (128×128)."""
        return 1 + 0.045 * clouds(stream(self.seed, "skin"), (128, 128), 12, 4)


def _dyed(rng: np.random.Generator, lightest: float) -> Colour:
    """The colour of cloth: seldom glaring."""
    tone = float(rng.uniform(0.1, 1) ** 1.8 * lightest)
    hue = 1 + rng.beta(1.2, 2.0) * rng.uniform(-0.9, 0.9, 3)
    r, g, b = (tone * hue / hue.mean()).clip(0.01, 0.8)
    return (float(r), float(g), float(b))


class _Sheet:
    """The window of the picture that a hand is painted into."""

    def __init__(self, left: int, upper: int, columns: int, rows: int) -> None:
        self.left, self.upper = left, upper
        self.height = np.full((rows, columns), -1e3, dtype=np.float32)
        self.normal = np.zeros((rows, columns, 3), dtype=np.float32)
        self.colour = np.zeros((rows, columns, 4), dtype=np.float32)
        self.cover = np.zeros((rows, columns), dtype=np.float32)


@dataclass(frozen=True)
class _Rod:
    """One bone in the picture: ends and radii in pixels, heights and radii in millimetres."""

    a: Array
    b: Array
    wide_px: tuple[float, float]
    high_mm: tuple[float, float]
    wide_mm: tuple[float, float]
    melt_mm: float
    part: str
    number: int
    start_mm: float
    length_mm: float
    last: bool


def _rods(camera: Camera, parts: Sequence[BoneChain]) -> list[_Rod]:
    found = []
    for part in parts:
        pixels = camera.to_pixels(part.points)
        # A step sideways at each point's own height tells how large a millimetre is there.
        beside = camera.to_pixels(part.points + np.array([1.0, 0.0, 0.0]))
        scale = np.linalg.norm(beside - pixels, axis=1)
        start = 0.0
        for k in range(len(pixels) - 1):
            length = float(np.linalg.norm(part.points[k + 1] - part.points[k]))
            radii = (float(part.radii[k]), float(part.radii[k + 1]))
            found.append(
                _Rod(
                    pixels[k],
                    pixels[k + 1],
                    (radii[0] * float(scale[k]), radii[1] * float(scale[k + 1])),
                    (float(part.points[k, 2]), float(part.points[k + 1, 2])),
                    radii,
                    part.melt_mm,
                    part.name,
                    k,
                    start,
                    length,
                    k == len(pixels) - 2,
                )
            )
            start += length
    return found


def draw_hand(
    camera: Camera,
    parts: Sequence[BoneChain],
    person: Person,
    lamps: Sequence[Lamp],
    around: Surroundings,
) -> Overlay | None:
    """The hand as an overlay, or None where it is out of the picture."""
    dressed = _dressed(parts, person.sleeve)
    rods = [rod for rod in _rods(camera, dressed) if np.isfinite(rod.a).all() and np.isfinite(rod.b).all()]
    sheet = _window(rods, camera.lens.size_px)
    if sheet is None:
        return None
    for rod in rods:
        _splat(sheet, rod, person)
    if not (sheet.cover > 0).any():
        return None
    return _lit(sheet, camera, dressed, (lamps, around))


def _dressed(parts: Sequence[BoneChain], sleeve: Sleeve) -> list[BoneChain]:
    """The parts with the sleeve over the arm; what it covers is left out."""
    arm = {part.name: part for part in parts if part.name in ("forearm", "upper arm")}
    if len(arm) < 2:
        return list(parts)
    points = np.concatenate([arm["forearm"].points, arm["upper arm"].points[-1:]])
    radii = np.concatenate([arm["forearm"].radii, arm["upper arm"].radii[-1:]])
    bare, covered = _split(points, radii, sleeve.cuff_mm)
    around = BoneChain("sleeve", covered[0], covered[1] + sleeve.loose_mm, 0.5)
    return [BoneChain("forearm", *bare), *(part for part in parts if part.name not in arm), around]


def _split(points: Array, radii: Array, at_mm: float) -> tuple[tuple[Array, Array], tuple[Array, Array]]:
    """A chain cut in two; the first part reaches a little into the second."""
    walked = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(points, axis=0), axis=1))])

    def point(far: float) -> Array:
        return np.array(
            [*(np.interp(far, walked, points[:, k]) for k in range(3)), np.interp(far, walked, radii)]
        )

    bare = np.array([*np.column_stack([points, radii])[walked < at_mm + 4], point(at_mm + 8)])
    rest = np.array([point(at_mm), *np.column_stack([points, radii])[walked > at_mm + 4]])
    return (bare[:, :3], bare[:, 3]), (rest[:, :3], rest[:, 3])


def _window(rods: Sequence[_Rod], size: tuple[int, int]) -> _Sheet | None:
    if not rods:
        return None
    ends = np.array([(*rod.a, rod.wide_px[0]) for rod in rods] + [(*rod.b, rod.wide_px[1]) for rod in rods])
    left = max(0, math.floor(float((ends[:, 0] - ends[:, 2]).min())) - 2)
    upper = max(0, math.floor(float((ends[:, 1] - ends[:, 2]).min())) - 2)
    right = min(size[0], math.ceil(float((ends[:, 0] + ends[:, 2]).max())) + 3)
    lower = min(size[1], math.ceil(float((ends[:, 1] + ends[:, 2]).max())) + 3)
    if right - left < 3 or lower - upper < 3:
        return None
    return _Sheet(left, upper, right - left, lower - upper)


def _splat(sheet: _Sheet, rod: _Rod, person: Person) -> None:
    """Paints one rod over what is lower."""
    rows, columns = sheet.height.shape
    r = max(rod.wide_px) + 1.5
    x0 = max(0, math.floor(min(rod.a[0], rod.b[0]) - r) - sheet.left)
    x1 = min(columns, math.ceil(max(rod.a[0], rod.b[0]) + r) - sheet.left + 1)
    y0 = max(0, math.floor(min(rod.a[1], rod.b[1]) - r) - sheet.upper)
    y1 = min(rows, math.ceil(max(rod.a[1], rod.b[1]) + r) - sheet.upper + 1)
    if x0 >= x1 or y0 >= y1:
        return
    seen = _across(rod, np.arange(x0, x1) + sheet.left, np.arange(y0, y1) + sheet.upper)
    inside = np.flatnonzero(seen.cover.ravel() > 0)
    if not len(inside):
        return
    wide_px = x1 - x0
    at = (inside // wide_px + y0) * columns + inside % wide_px + x0
    flat = seen.only(inside)
    u = np.minimum(flat.far / flat.wide, np.float32(0.999))
    up = np.sqrt(1 - u * u)
    high = np.float32(rod.high_mm[0]) + flat.t * np.float32(rod.high_mm[1] - rod.high_mm[0])
    high += up * (np.float32(rod.wide_mm[0]) + flat.t * np.float32(rod.wide_mm[1] - rod.wide_mm[0]))
    heights, normals = sheet.height.reshape(-1), sheet.normal.reshape(-1, 3)
    # Also what lies lower closes the soft edge of what lies higher.
    cover = sheet.cover.reshape(-1)
    cover[at] = np.maximum(cover[at], flat.cover)
    before = heights[at]
    ahead = high - before
    win = np.clip(0.5 + ahead / np.float32(2 * rod.melt_mm), 0, 1)
    some = np.flatnonzero(win > 0)
    if len(some) < len(at):
        at, win, high, before = at[some], win[some], high[some], before[some]
        flat = flat.only(some)
        u, up, inside = u[some], up[some], inside[some]
    bump = win * (1 - win) * np.float32(rod.melt_mm)
    heights[at] = before + win * (high - before) + bump
    normal = _normals(rod, flat, u, up)
    colour = _painted(rod, person, flat, normal)
    weight = win[:, None]
    old = normals[at]
    normals[at] = old + weight * (normal - old)
    colours = sheet.colour.reshape(-1, 4)
    old = colours[at]
    colours[at] = old + weight * (colour - old)


@dataclass(frozen=True)
class _Across:
    """Pixels beside a rod's axis: share of its length, way and distance from the axis, half width, cover."""

    t: Array
    dx: Array
    dy: Array
    far: Array
    wide: Array
    cover: Array
    beyond: Array
    """The share of its length, below 0 and above 1 where the round ends are."""

    def only(self, rows: Array) -> "_Across":
        """Some of the pixels."""
        mine = (self.t, self.dx, self.dy, self.far, self.wide, self.cover, self.beyond)
        return _Across(*(v.ravel()[rows] for v in mine))

    def side(self, rod: _Rod) -> Array:
        """How far to the left of the axis, in half widths."""
        vx, vy = float(rod.b[0] - rod.a[0]), float(rod.b[1] - rod.a[1])
        long = max(math.hypot(vx, vy), 1e-3)
        return np.asarray((self.dx * np.float32(-vy / long) + self.dy * np.float32(vx / long)) / self.wide)


def _across(rod: _Rod, columns: Array, rows: Array) -> _Across:
    vx, vy = float(rod.b[0] - rod.a[0]), float(rod.b[1] - rod.a[1])
    long2 = max(vx * vx + vy * vy, 1e-6)
    px = (columns - rod.a[0]).astype(np.float32)[None, :]
    py = (rows - rod.a[1]).astype(np.float32)[:, None]
    beyond = px * np.float32(vx / long2) + py * np.float32(vy / long2)
    t = np.clip(beyond, 0, 1)
    dx, dy = px - t * np.float32(vx), py - t * np.float32(vy)
    far = cv2.magnitude(dx, dy)
    wide = np.float32(rod.wide_px[0]) + t * np.float32(rod.wide_px[1] - rod.wide_px[0])
    return _Across(t, dx, dy, far, wide, np.clip(wide - far + np.float32(0.5), 0, 1), beyond)


def _normals(rod: _Rod, flat: _Across, u: Array, up: Array) -> Array:
    """Which way the seen half of a rod looks: right, down, towards the camera."""
    vx, vy = float(rod.b[0] - rod.a[0]), float(rod.b[1] - rod.a[1])
    long = max(math.hypot(vx, vy), 1e-3)
    rise = (rod.high_mm[1] - rod.high_mm[0]) / max(rod.length_mm, 1e-3)
    lean = np.float32(-max(-0.9, min(0.9, rise))) * ((flat.t > 0) & (flat.t < 1))
    share = u / np.maximum(flat.far, np.float32(1e-3))
    found = np.empty((len(u), 3), dtype=np.float32)
    tipped = up * lean
    found[:, 0] = flat.dx * share + tipped * np.float32(vx / long)
    found[:, 1] = flat.dy * share + tipped * np.float32(vy / long)
    found[:, 2] = up * np.sqrt(1 - lean * lean)
    return found


_CREASES: Mapping[str, float] = {"index": 1.0, "middle": 1.0, "ring": 1.0, "little": 0.9, "thumb": 0.9}


def _painted(rod: _Rod, person: Person, flat: _Across, normal: Array) -> Array:
    """Colour and gloss of a rod's surface; cloth also turns the normals."""
    t, side = flat.t, flat.side(rod)
    if rod.part == "pencil":
        return np.broadcast_to(np.array([0.55, 0.33, 0.02, 0.5], dtype=np.float32), (len(t), 4))
    if rod.part == "sleeve":
        return _cloth(rod, person, (flat.beyond, side), normal)
    colour = np.empty((len(t), 4), dtype=np.float32)
    along = rod.start_mm + flat.beyond * np.float32(rod.length_mm)
    mottle = person.mottle[
        (along * np.float32(1.7)).astype(np.int32) % 128, ((side + 1) * np.float32(24)).astype(np.int32) % 128
    ]
    colour[:, :3] = mottle[:, None] * np.asarray(person.skin, dtype=np.float32)
    colour[:, 3] = 0.32
    if rod.part in _CREASES:
        _finger_marks(rod, person, (t, side), colour)
    elif rod.part.endswith("bone") and rod.last:
        _redden(colour, np.exp(-(((1 - t) * np.float32(rod.length_mm) / 8) ** 2)), 0.10)
    return colour


def _redden(colour: Array, where: Array, much: float) -> None:
    tint = np.array([0.02, -0.16, -0.20], dtype=np.float32) * np.float32(much / 0.16)
    colour[..., :3] *= 1 + where[..., None] * tint


def _finger_marks(rod: _Rod, person: Person, at: tuple[Array, Array], colour: Array) -> None:
    """Creases over the joints, redder knuckles and tips, and the nail."""
    t, side = at
    x = t * np.float32(rod.length_mm)
    if rod.number > 0:
        dark = np.zeros_like(t)
        for off in (-1.0, 1.4, 3.6):
            bend = off + 0.8 * side * side
            dark += np.exp(-(((x - bend) / np.float32(0.75)) ** 2))
        colour[..., :3] *= 1 - np.float32(0.24) * (dark * (1 - side * side).clip(0, 1))[..., None]
        _redden(colour, np.exp(-((x / 6) ** 2)), 0.14)
    if not rod.last:
        return
    _redden(colour, np.clip(t, 0, 1) ** 2, 0.14)
    long = rod.length_mm
    mid, half = 0.74 * long, 0.36 * long + 2.0
    ring = np.sqrt(((x - np.float32(mid)) / np.float32(half)) ** 2 + (side / np.float32(0.62)) ** 2)
    nail = np.clip((1.02 - ring) * 9, 0, 1)
    rim = np.exp(-(((ring - 1.0) / 0.10) ** 2))
    # A bent finger turns its nail away from the camera.
    flat = math.hypot(rod.b[0] - rod.a[0], rod.b[1] - rod.a[1]) / max(
        sum(rod.wide_px) / sum(rod.wide_mm), 1e-3
    )
    seen = np.float32(min(1.0, max(0.0, (flat / long - 0.45) * 3)))
    nail, rim = nail * seen, rim * seen
    skin = np.asarray(person.skin, dtype=np.float32)
    pale = np.array([0.66, 0.46, 0.40], dtype=np.float32) * np.float32(
        min(1.0, 0.3 + 1.4 * float(skin.mean()))
    )
    colour[..., :3] += nail[..., None] * (0.6 * skin + 0.4 * pale - colour[..., :3])
    colour[..., :3] *= 1 - np.float32(0.22) * rim[..., None]
    colour[..., 3] += nail * np.float32(0.25)


def _cloth(rod: _Rod, person: Person, at: tuple[Array, Array], normal: Array) -> Array:
    t, side = at
    sleeve = person.sleeve
    slope, dark = person.cloth
    along = rod.start_mm + t * np.float32(rod.length_mm)
    around = np.arcsin(side.clip(-1, 1)) * np.float32(20) + 32
    rows = around.astype(np.int32).clip(0, 63)
    columns = (along * np.float32(1.2)).astype(np.int32) % 512
    # The fold's slope turns the surface along the arm.
    vx, vy = rod.b[0] - rod.a[0], rod.b[1] - rod.a[1]
    long = max(math.hypot(vx, vy), 1e-3)
    tilt = slope[rows, columns]
    normal[..., 0] -= tilt * np.float32(vx / long) * normal[..., 2]
    normal[..., 1] -= tilt * np.float32(vy / long) * normal[..., 2]
    colour = np.empty((*t.shape, 4), dtype=np.float32)
    colour[..., :3] = np.asarray(sleeve.colour, dtype=np.float32)
    colour[..., 3] = 0.05
    if sleeve.pattern == "stripes":
        mask = (along % 14 < 5).astype(np.float32)
    elif sleeve.pattern == "checks":
        mask = ((along % 20 < 8).astype(np.float32) + (around % 16 < 6).astype(np.float32)) / 2
    elif sleeve.pattern == "knit":
        mask = 0.18 * (1 + np.sin(around * np.float32(2.2)) * np.sin(along * np.float32(1.9)))
    else:
        mask = np.zeros_like(t)
    if mask.any():
        colour[..., :3] += mask[..., None] * (np.asarray(sleeve.second, dtype=np.float32) - colour[..., :3])
    hem = np.exp(-(((along - 9) / np.float32(0.9)) ** 2)) if rod.number == 0 else np.float32(0)
    colour[..., :3] *= (dark[rows, columns] * (1 - 0.3 * hem))[..., None]
    return colour


def _lit(
    sheet: _Sheet, camera: Camera, parts: Sequence[BoneChain], light: tuple[Sequence[Lamp], Surroundings]
) -> Overlay:
    """The painted hand under the lamps."""
    lamps, around = light
    at = np.flatnonzero(sheet.cover)
    normal = cv2.GaussianBlur(sheet.normal, (7, 7), 1.3).reshape(-1, 3)[at]
    long = np.sqrt(np.einsum("ij,ij->i", normal, normal))
    normal = normal / np.maximum(long, np.float32(1e-4))[:, None]
    open_ = _openness(sheet).reshape(-1)[at]
    colour = sheet.colour.reshape(-1, 4)[at]
    # Plane by plane: numpy is slow where it spreads a number over three.
    albedo, gloss = np.ascontiguousarray(colour[:, :3].T), colour[:, 3]
    turn = camera.pose.matrix
    upward = (turn @ (0.0, 0.0, 1.0)) * (1, 1, -1)
    sky = (0.62 + 0.38 * (normal @ upward.astype(np.float32))) * open_
    total = albedo * (sky * np.asarray(around.colour, dtype=np.float32)[:, None])
    centre = np.concatenate([p.points for p in parts if p.name not in ("upper arm", "sleeve")]).mean(axis=0)
    shade = 0.45 + 0.55 * open_
    for lamp in lamps:
        way = np.asarray(lamp.position_mm) - centre
        to = ((turn @ (way / np.linalg.norm(way))) * (1, 1, -1)).astype(np.float32)
        total += _under(lamp, centre, to, (normal, albedo, gloss * shade)) * shade
    light_ = np.zeros((*sheet.cover.shape, 3), dtype=np.float32)
    light_.reshape(-1, 3)[at] = total.T
    return Overlay(sheet.left, sheet.upper, light_, sheet.cover)


def _under(lamp: Lamp, centre: Array, to: Array, surface: tuple[Array, Array, Array]) -> Array:
    """What one lamp adds to each colour (3×n), as ``simulation.shade`` reckons its strength."""
    normal, albedo, gloss = surface
    place = np.asarray(lamp.position_mm)
    home, far = float(np.linalg.norm(place)), float(np.linalg.norm(place - centre))
    strength = np.float32(lamp.power * home**3 / max(float(place[2]), 1.0) / far**2)
    facing = normal @ to
    # Skin lets red light through: its dark side is never quite dark, and redder.
    wrap = np.array([[0.30], [0.16], [0.12]], dtype=np.float32)
    dull = facing * (1 / (1 + wrap)) + wrap / (1 + wrap)
    np.maximum(dull, 0, out=dull)
    dull *= albedo
    half = to + np.array([0, 0, 1], dtype=np.float32)
    shine = np.maximum(normal @ (half / np.linalg.norm(half)), 0)
    shine *= shine
    shine *= shine
    shine *= shine
    dull += shine * shine * shine * gloss * np.float32(0.16)
    return np.asarray(dull * (strength * np.asarray(lamp.colour, dtype=np.float32))[:, None])


def _openness(sheet: _Sheet) -> Array:
    """How much light comes into the furrows between fingers."""
    solid = (sheet.cover > 0).astype(np.float32)
    low = sheet.height * solid
    around = cv2.blur(low, (15, 15)) / np.maximum(cv2.blur(solid, (15, 15)), np.float32(1e-3))
    return np.asarray(1 / (1 + np.maximum(around - low, 0) / np.float32(11)))


def smeared(overlay: Overlay, by_px: tuple[float, float]) -> Overlay:
    """The hand as it looks when it moves by so many pixels while the shutter is open."""
    far = math.hypot(*by_px)
    if far < 1.0:
        return overlay
    size = 2 * math.ceil(far / 2) + 1
    kernel = np.zeros((size, size), dtype=np.float32)
    for t in np.linspace(-0.5, 0.5, 2 * size + 1):
        kernel[round(size // 2 + t * by_px[1]), round(size // 2 + t * by_px[0])] += 1
    kernel /= kernel.sum()
    edge = size // 2 + 1
    grown = [cv2.copyMakeBorder(a, edge, edge, edge, edge, cv2.BORDER_CONSTANT) for a in
             (overlay.light * threefold(overlay.cover), overlay.cover)]  # fmt: skip
    light, cover = (cv2.filter2D(a, -1, kernel, borderType=cv2.BORDER_CONSTANT) for a in grown)
    light = light / threefold(np.maximum(cover, np.float32(1e-4)))
    return Overlay(overlay.left - edge, overlay.upper - edge, light, cover)
