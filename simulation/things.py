"""Things that lie about on tables and belong to no game."""

import itertools
import math
from collections.abc import Callable
from functools import partial

import numpy as np

from simulation.bodies import Body, Skin, square_corners
from simulation.canvas import Canvas, Texture
from simulation.glyphs import number, sun
from simulation.makes import Stuff, ThingLook
from simulation.shapes import Block, Group, Limbs, Moved, Turned
from simulation.soft_patterns import clouds
from simulation.virtual_scene import stream

_PAPER = (0.78, 0.77, 0.74)


def _cup(look: ThingLook, _seed: int) -> Body:
    r, h = 38 * look.size, 88 * look.size
    wall = 3.0
    outside = Turned(((0, 0), (0.72 * r, 0), (r, h), (r - wall, h), (0.72 * r - wall, 6), (0, 6)))
    drink = Turned(((0, 0), (0.9 * r, 0), (0.9 * r, 0.72 * h), (0, 0.72 * h)))
    bend = [(0.8 * r, 0.25 * h), (1.45 * r, 0.4 * h), (1.45 * r, 0.7 * h), (0.9 * r, 0.85 * h)]
    handle = Limbs(tuple((x0, 0, z0, x1, 0, z1, 4, 4) for (x0, z0), (x1, z1) in itertools.pairwise(bend)))
    stuff = Stuff(look.colour, 0.75)
    skin = Skin(stuff, parts=(stuff, Stuff((0.03, 0.013, 0.006), 0.9), stuff))
    return Body(Group((outside, drink, handle)), skin, square_corners(2 * r, 2 * r), h)


def _glass(look: ThingLook, _seed: int) -> Body:
    r, h = 30 * look.size, 12.0
    shape = Turned(((0, 0), (r, 0), (r, h), (r - 2, h), (r - 2, 3), (0, 3)))
    return Body(shape, Skin(Stuff(look.colour, 0.9)), square_corners(2 * r, 2 * r), h)


def _phone(look: ThingLook, seed: int) -> Body:
    w, h = 72 * look.size, 148 * look.size
    skin = Skin(Stuff(look.second, 0.6), {"+z": partial(_screen, look, seed, (w, h))})
    return Body(Block(w, h, 8.5, 9, 2.0), skin, square_corners(w, h), 8.5)


def _screen(look: ThingLook, seed: int, size: tuple[float, float], density: float) -> Texture:
    rng = stream(seed, "screen")
    canvas = Canvas(size, density, Stuff(look.second, 0.97))
    canvas.ink(canvas.rectangle(0, 0, size[0] - 6, size[1] - 14), look.colour, gloss=0.97)
    if max(look.colour) > 0.1:
        for row in range(6):
            for col in range(4):
                tone = rng.uniform(0.05, 0.8, 3)
                at = ((col - 1.5) * 15.0, size[1] / 2 - 24 - row * 19.0)
                canvas.ink(
                    canvas.rectangle(*at, 11, 11),
                    (float(tone[0]), float(tone[1]), float(tone[2])),
                    gloss=0.97,
                )
    return canvas.finish()


def _card(look: ThingLook, seed: int) -> Body:
    skin = Skin(Stuff(_PAPER, 0.3), {"+z": partial(_card_face, look, seed)}, face_from=-1)
    return Body(Block(63, 88, 0.4, 3.0), skin, square_corners(63, 88), 0.4)


def _card_face(look: ThingLook, seed: int, density: float) -> Texture:
    rng = stream(seed, "card")
    canvas = Canvas((63, 88), density, Stuff(_PAPER, 0.35))
    if rng.random() < 0.35:
        canvas.ink(canvas.rectangle(0, 0, 55, 80), look.colour)
        for k in range(-4, 5):
            canvas.ink(canvas.line((-27, 9.0 * k - 14), (27, 9.0 * k + 14), 0.9), _PAPER)
        return canvas.finish()
    ink = (0.5, 0.02, 0.03) if rng.random() < 0.5 else (0.015, 0.015, 0.02)
    count = int(rng.integers(2, 10))
    for x, y in ((-25.0, 36.0), (25.0, -36.0)):
        number(str(count), 0).draw(canvas, (x, y), 4.0, ink)
    diamond = [(0.0, 1.2), (0.85, 0.0), (0.0, -1.2), (-0.85, 0.0)]
    for k in range(count):
        x, y = (-12.0 if k % 2 else 12.0), 28 - 56 * (k // 2) / max(1, (count - 1) // 2)
        canvas.ink(canvas.polygon([(x + 5 * a, y + 5 * b) for a, b in diamond]), ink)
    return canvas.finish()


def _money(look: ThingLook, seed: int) -> Body:
    r = 11.5 * look.size
    metal = Stuff(look.colour, 0.6, metal=True)
    shape = Turned(((0, 0), (r, 0), (r, 1.6), (r - 0.3, 1.9), (0, 1.9)))
    return Body(
        shape, Skin(metal, {"+z": partial(_money_face, metal, r, seed)}), square_corners(2 * r, 2 * r), 1.9
    )


def _money_face(metal: Stuff, r: float, seed: int, density: float) -> Texture:
    rng = stream(seed, "money")
    canvas = Canvas((2 * r, 2 * r), density, metal)
    canvas.depth += 0.2 * canvas.ring(0, 0, 0.93 * r, 0.1 * r)
    sign = (
        number(str(rng.choice([1, 2, 5])), int(rng.integers(6)))
        if rng.random() < 0.6
        else sun(int(rng.integers(6)))
    )
    before = canvas.colour.copy()
    sign.draw(canvas, (0, 0), 0.55 * r, (0.0, 0.0, 0.0))
    raised = 1 - canvas.colour[..., 0] / np.maximum(before[..., 0], 1e-3)
    canvas.colour[:] = before * (1 - 0.15 * raised[:, :, None])
    canvas.metal[:] = 1.0
    canvas.depth += 0.2 * raised + 0.05 * clouds(rng, canvas.shape, 2 * density, 3)
    return canvas.finish()


def _pen(look: ThingLook, _seed: int) -> Body:
    long = 70 * look.size
    barrel = Limbs(((-long, 0, 4, long - 16, 0, 4, 4, 4),))
    tip = Limbs(((long - 14, 0, 4, long, 0, 4, 3.6, 0.6),))
    skin = Skin(Stuff(look.colour, 0.6), parts=(Stuff(look.colour, 0.6), Stuff(look.second, 0.4)))
    return Body(Group((barrel, tip)), skin, square_corners(2 * long, 8), 8)


def _draught(look: ThingLook, _seed: int) -> Body:
    r = 14 * look.size
    rings = (
        (0, 0),
        (r, 0),
        (r, 6),
        (0.82 * r, 6),
        (0.78 * r, 5.2),
        (0.62 * r, 5.2),
        (0.58 * r, 6),
        (0.3 * r, 6),
        (0, 5.4),
    )
    return Body(Turned(rings), Skin(Stuff(look.colour, 0.5)), square_corners(2 * r, 2 * r), 6)


def _crumb(look: ThingLook, seed: int) -> Body:
    rng = stream(seed, "crumb")
    rods = []
    for _ in range(int(rng.integers(1, 4))):
        x, y = rng.normal(0, 1.4 * look.size, 2)
        r = float(rng.uniform(0.5, 1.5)) * look.size
        rods.append((float(x), float(y), r * 0.8, float(x) + r * 0.6, float(y), r * 0.8, r, r * 0.8))
    return Body(Limbs(tuple(rods)), Skin(Stuff(look.colour, 0.1)), square_corners(3, 3), 2)


def _box(look: ThingLook, seed: int) -> Body:
    w, h, tall = 160 * look.size, 55 * look.size, 34 * look.size
    wood = Stuff(look.colour, 0.25, "wood")
    return Body(
        Block(w, h, tall, 1.5, 0.8),
        Skin(wood, {"+z": partial(_lid, wood, (w, h), seed)}),
        square_corners(w, h),
        tall,
    )


def _lid(wood: Stuff, size: tuple[float, float], seed: int, density: float) -> Texture:
    rng = stream(seed, "lid")
    canvas = Canvas(size, density, wood)
    canvas.grain(wood, rng)
    for k, sign in enumerate("68529"):
        number(sign, 1).draw(canvas, ((k - 2) * 0.12 * size[0], 0), 0.05 * size[0], (0.02, 0.015, 0.01))
    return canvas.finish()


def _cable(look: ThingLook, seed: int) -> Body:
    rng = stream(seed, "cable")
    a = np.linspace(0, 2.2 * math.pi, 14)
    r = (26 + 14 * np.cumsum(rng.normal(0, 0.25, 14))) * look.size
    x, y = r * np.cos(a), r * np.sin(a)
    rods = tuple(
        (float(x[k]), float(y[k]), 2.0, float(x[k + 1]), float(y[k + 1]), 2.0, 2.0, 2.0) for k in range(13)
    )
    return Body(Limbs(rods), Skin(Stuff(look.colour, 0.4)), square_corners(60, 60), 4)


def _cap(look: ThingLook, _seed: int) -> Body:
    r = 15 * look.size
    shape = Turned(((0, 0), (r, 0), (r * 0.92, 5), (r * 0.8, 6.5), (0, 6.8)))
    return Body(shape, Skin(Stuff(look.colour, 0.6)), square_corners(2 * r, 2 * r), 6.5)


def _pebble(look: ThingLook, seed: int) -> Body:
    rng = stream(seed, "pebble")
    r = 7 * look.size
    x, y = rng.normal(0, 3, 2)
    return Body(Limbs(((0, 0, 0.4 * r, float(x), float(y), 0.4 * r, 0.9 * r, 0.7 * r),)),
                Skin(Stuff(look.colour, 0.8)), square_corners(2 * r, 2 * r), r)  # fmt: skip


FLOOR_MM = 4.0
"""How high things lie in a bowl or tray."""


def _bowl(look: ThingLook, seed: int) -> Body:
    """A turned wooden bowl whose floor has a radius of 100 mm at size 1."""
    r = 100 * look.size
    profile = (
        (0, 0),
        (1.05 * r, 0),
        (1.18 * r, 26),
        (1.14 * r, 30),
        (1.09 * r, 27),
        (r, FLOOR_MM),
        (0, FLOOR_MM),
    )
    wood = Stuff(look.colour, 0.3, "wood")
    skin = Skin(wood, {"+z": partial(_wooden, wood, (2.4 * r, 2.4 * r), seed)}, face_from=0.2)
    return Body(Turned(profile), skin, square_corners(2.32 * r, 2.32 * r), 30)


def _tray(look: ThingLook, _seed: int) -> Body:
    """A square tray with a coloured floor and four walls."""
    r = 100 * look.size
    long = 2 * r + 20
    walls = [Moved(Block(long + 12, 12, 24, 1, 1), 0, s * (r + 10)) for s in (-1, 1)]
    sides = [Moved(Block(12, long, 24, 1, 1), s * (r + 10), 0) for s in (-1, 1)]
    wood, floor = Stuff(look.colour, 0.35), Stuff(look.second, 0.15)
    skin = Skin(floor, parts=(floor, wood, wood, wood, wood))
    return Body(Group((Block(long, long, FLOOR_MM), *walls, *sides)), skin, square_corners(long, long), 24)


def _wooden(wood: Stuff, size: tuple[float, float], seed: int, density: float) -> Texture:
    canvas = Canvas(size, min(density, 1600 / max(size)), wood)
    canvas.grain(wood, stream(seed, "wooden"))
    return canvas.finish()


THINGS: dict[str, Callable[[ThingLook, int], Body]] = {
    "cup": _cup, "glass": _glass, "phone": _phone, "card": _card, "money": _money, "pen": _pen,
    "draught": _draught, "crumb": _crumb, "box": _box, "cable": _cable, "cap": _cap, "pebble": _pebble,
    "bowl": _bowl, "tray": _tray,
}  # fmt: skip
