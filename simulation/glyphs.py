"""Own drawings of suits, numbers and signs as outlines in the square from -1 to 1 (y upwards)."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from simulation.canvas import Array, Canvas
from simulation.makes import Colour

Point: TypeAlias = tuple[float, float]
SUITS = ("suns", "moons", "crowns", "arms")


@dataclass(frozen=True, slots=True)
class Glyph:
    """A sign: filled outlines and strokes with a width."""

    fills: tuple[tuple[Point, ...], ...] = ()
    strokes: tuple[tuple[Point, ...], ...] = ()
    stroke: float = 0.2

    def draw(self, canvas: Canvas, at: Point, size: float, colour: Colour, **paint: float) -> None:
        """Puts the sign on a face, ``size`` from its middle to its edge, with its middle at ``at``."""
        for mask in self._masks(canvas, at, size):
            canvas.ink(mask, colour, **paint)

    def _masks(self, canvas: Canvas, at: Point, size: float) -> list[Array]:
        def placed(points: Sequence[Point]) -> list[Point]:
            return [(at[0] + size * x, at[1] + size * y) for x, y in points]

        masks = [canvas.polygon(*(placed(f) for f in self.fills))] if self.fills else []
        if self.strokes:
            masks.append(canvas.strokes([placed(s) for s in self.strokes], self.stroke * size))
        return masks


def _arc(x: float, y: float, rx: float, ry: float, start: float, stop: float, n: int = 14) -> list[Point]:
    angles = np.radians(np.linspace(start, stop, n))
    return [(x + rx * math.cos(a), y + ry * math.sin(a)) for a in angles]


def _mirrored(points: Sequence[Point]) -> list[Point]:
    return [*points, *((-x, y) for x, y in reversed(points))]


def sun(style: int) -> Glyph:
    """A sun with rays."""
    rays, waist, disc = ((12, 0.62, 0.0), (8, 0.50, 0.0), (8, 0.0, 0.42), (16, 0.70, 0.0), (12, 0.0, 0.5),
                         (6, 0.45, 0.0))[style % 6]  # fmt: skip
    if waist:
        star = []
        for k in range(2 * rays):
            r, a = (1.0 if k % 2 == 0 else waist), math.pi / 2 + math.pi * k / rays
            star.append((r * math.cos(a), r * math.sin(a)))
        return Glyph(fills=(tuple(star),))
    spokes = []
    for k in range(rays):
        a = math.pi / 2 + 2 * math.pi * k / rays
        spokes.append(tuple((r * math.cos(a), r * math.sin(a)) for r in (disc + 0.18, 1.0)))
    return Glyph(fills=(tuple(_arc(0, 0, disc, disc, 0, 360, 28)),), strokes=tuple(spokes), stroke=0.13)


def moon(style: int) -> Glyph:
    """A crescent."""
    depth = (0.45, 0.62, 0.35, 0.5, 0.7, 0.55)[style % 6]
    outer = _arc(0, 0, 0.95, 0.95, 50, 310, 30)
    tip = outer[0]
    radius = math.hypot(tip[0] - depth, tip[1])
    bend = math.degrees(math.atan2(tip[1], tip[0] - depth))
    inner = _arc(depth, 0, radius, radius, 360 - bend, bend, 26)
    points = [(x + 0.15, y) for x, y in outer + inner]
    if style % 3 == 2:
        return Glyph(strokes=((*points, points[0]),), stroke=0.10)
    return Glyph(fills=(tuple(points),))


def crown(style: int) -> Glyph:
    """A crown with three or five points, with or without balls."""
    spikes, balls, band = ((3, False, True), (5, True, True), (5, False, False), (3, True, False),
                           (5, True, False), (3, True, True))[style % 6]  # fmt: skip
    xs = np.linspace(-0.92, 0.92, spikes)
    points: list[Point] = [(-0.66, -0.62)]
    for k, x in enumerate(xs):
        high = 0.55 + 0.25 * (1 - abs(x)) if spikes == 5 else (0.45 if k != 1 else 0.75)
        points.append((float(x), float(high)))
        if k < spikes - 1:
            points.append((float((x + xs[k + 1]) / 2) * 0.82, -0.05 if spikes == 3 else 0.02))
    points.append((0.66, -0.62))
    fills = [tuple(points)]
    if band:
        fills.append(((-0.66, -0.72), (0.66, -0.72), (0.66, -0.92), (-0.66, -0.92)))
    if balls:
        tops = [p for p in points if p[1] > 0.3]
        fills += [tuple(_arc(x, y + 0.1, 0.12, 0.12, 0, 360, 12)) for x, y in tops]
    return Glyph(fills=tuple(fills))


def arms(style: int) -> Glyph:
    """A lily, or on some makes a shield or a sword."""
    kind = style % 6
    if kind == 3:
        return Glyph(fills=(tuple(_shield(0)), tuple((0.72 * x, 0.72 * y + 0.03) for x, y in _shield(0))))
    if kind == 4:
        blade = ((-0.10, -0.2), (-0.10, 0.75), (0, 1.0), (0.10, 0.75), (0.10, -0.2))
        return Glyph(
            fills=(blade, ((-0.5, -0.2), (0.5, -0.2), (0.5, -0.36), (-0.5, -0.36)),
                   ((-0.09, -0.36), (0.09, -0.36), (0.09, -0.85), (-0.09, -0.85)),
                   tuple(_arc(0, -0.9, 0.15, 0.15, 0, 360, 12)))
        )  # fmt: skip
    wide = (1.0, 0.85, 1.1, 1.0, 1.0, 0.95)[kind]
    petal = _mirrored([(0, -0.15), (0.22, 0.25), (0.24, 0.5), (0.12, 0.8), (0.0, 1.0)])
    leaf = [(0.10, -0.15), (0.16, 0.15), (0.36, 0.52), (0.62, 0.58), (0.86, 0.38), (0.90, 0.10),
            (0.70, -0.12), (0.74, 0.10), (0.60, 0.24), (0.46, 0.10), (0.32, -0.15)]  # fmt: skip
    foot = [(0.06, -0.35), (0.14, -0.6), (0.36, -0.66), (0.22, -0.85), (0.0, -1.0)]
    bar = ((-0.42, -0.18), (0.42, -0.18), (0.42, -0.34), (-0.42, -0.34))
    fills = [petal, [(wide * x, y) for x, y in leaf], [(-wide * x, y) for x, y in leaf], _mirrored(foot)]
    return Glyph(fills=(*(tuple(f) for f in fills), bar))


_SUIT_DRAWINGS: dict[str, Callable[[int], Glyph]] = {
    "suns": sun,
    "moons": moon,
    "crowns": crown,
    "arms": arms,
}


def suit(name: str, style: int) -> Glyph:
    """The sign of a suit in one of six drawings."""
    return _SUIT_DRAWINGS[name](style)


def _shield(style: int) -> list[Point]:
    if style == 1:
        return [(-0.8, 0.9), (0.8, 0.9), (0.8, -0.1), *_arc(0, -0.1, 0.8, 0.85, 0, -180, 20)]
    if style == 2:
        return [(-0.85, 0.85), (0.85, 0.85), (0.85, -0.85), (-0.85, -0.85)]
    right = [(0.8, 0.92), (0.8, 0.0), (0.72, -0.35), (0.5, -0.65), (0.0, -1.0)]
    return [*right, *((-x, y) for x, y in reversed(right[:-1]))]


def shield(style: int) -> tuple[Point, ...]:
    """The outline of a coat of arms: 0 pointed, 1 round below, 2 square."""
    return tuple(_shield(style))


def number(text: str, style: int) -> Glyph:
    """A digit 1 to 9, or a question mark, in one of six hands."""
    lines: dict[str, list[list[Point]]] = {
        "1": [[(-0.3, 0.55), (0.05, 0.9), (0.05, -0.9)]],
        "2": [[*_arc(0, 0.4, 0.52, 0.5, 165, -35), (-0.5, -0.88), (0.58, -0.88)]],
        "3": [[*_arc(-0.05, 0.45, 0.48, 0.45, 150, -85)], [*_arc(-0.05, -0.42, 0.58, 0.48, 85, -150)]],
        "4": [[(0.28, -0.9), (0.28, 0.9), (-0.6, -0.38), (0.65, -0.38)]],
        "5": [[(0.48, 0.88), (-0.38, 0.88), (-0.45, 0.1), *_arc(-0.02, -0.32, 0.56, 0.56, 125, -145)]],
        "6": [[*_arc(0.15, 0.1, 0.7, 0.8, 80, 190), *_arc(0, -0.4, 0.54, 0.5, 180, -180, 20)]],
        "7": [[(-0.55, 0.88), (0.55, 0.88), (-0.15, -0.9)]],
        "8": [[*_arc(0, 0.44, 0.44, 0.44, -90, 270, 20)], [*_arc(0, -0.44, 0.54, 0.46, 90, 450, 20)]],
        "9": [[*_arc(0, 0.4, 0.5, 0.5, 0, 360, 20), *_arc(-0.2, -0.1, 0.7, 0.8, 30, -70)]],
        "?": [[*_arc(0, 0.45, 0.5, 0.45, 170, -45), (0.0, -0.2), (0.0, -0.42)], [(0.0, -0.85), (0.0, -0.86)]],
    }
    slant, wide, weight = ((0, 1, 0.30), (0, 0.85, 0.22), (0.18, 0.95, 0.26), (0, 1.1, 0.38), (0, 0.95, 0.16),
                           (0.1, 0.9, 0.32))[style % 6]  # fmt: skip
    strokes = [[(wide * x + slant * y, y) for x, y in line] for line in lines[text]]
    if style % 2 == 1 and text in "147":
        foot = strokes[-1][1] if text == "4" else strokes[-1][-1]
        low = -0.9
        if text == "4":
            foot = strokes[0][0]
        strokes.append([(foot[0] - 0.28, low), (foot[0] + 0.28, low)])
    return Glyph(strokes=tuple(tuple(s) for s in strokes), stroke=weight)


def spiral(style: int) -> Glyph:
    """The sign of an ace where no suit may show."""
    turns = (2.2, 2.6, 1.8, 2.4, 3.0, 2.0)[style % 6]
    way = -1 if style % 2 else 1
    t = np.linspace(0, 1, int(26 * turns))
    points = [
        ((0.06 + 0.9 * k) * math.cos(way * 2 * math.pi * turns * k),
         (0.06 + 0.9 * k) * math.sin(way * 2 * math.pi * turns * k))
        for k in t.tolist()
    ]  # fmt: skip
    return Glyph(strokes=(tuple(points),), stroke=0.9 / turns * 0.5)
