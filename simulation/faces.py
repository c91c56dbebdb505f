"""Paints the faces of dominoes, piecepack pieces and dice from their looks and values."""

import math
from functools import lru_cache

import numpy as np

from simulation.canvas import Array, Canvas, Texture
from simulation.glyphs import number, shield, spiral, suit
from simulation.makes import Colour, DieLook, DominoLook, DuelLook, PiecepackLook, Stuff
from simulation.virtual_scene import stream

BRASS: Colour = (0.62, 0.43, 0.16)
STEEL: Colour = (0.55, 0.55, 0.56)


def _wear(seed: int) -> float:
    """How worn the piece with this seed is; most are nearly new."""
    return float(stream(seed, "wear amount").beta(1.1, 3.5))


# --- dominoes ----------------------------------------------------------------------------------------


def pip_places(count: int, variant: int) -> list[tuple[float, float]]:
    """Where pips sit on a half: (along the tile, across it), each within -1 to 1."""
    corner = [(-1.0, 1.0), (1.0, -1.0)] if variant % 2 == 0 else [(1.0, 1.0), (-1.0, -1.0)]
    four = [(-1.0, -1.0), (-1.0, 1.0), (1.0, -1.0), (1.0, 1.0)]
    sides = [(a, c) for c in (-1.0, 1.0) for a in (-1.0, 0.0, 1.0)]
    middle = [(0.0, 0.0)]
    rows4 = [(a, c) for c in (-1.0, 1.0) for a in (-1.0, -1 / 3, 1 / 3, 1.0)]
    across4 = [(a, c) for a in (-1.0, 1.0) for c in (-1.0, -1 / 3, 1 / 3, 1.0)]
    ends = [(-1.0, 0.0), (1.0, 0.0)]
    apart = 0.67 if variant % 2 == 0 else 1.0
    table: dict[int, list[tuple[float, float]]] = {
        0: [], 1: middle, 2: corner, 3: corner + middle, 4: four, 5: four + middle, 6: sides,
        7: sides + middle, 8: sides + ends, 9: sides + ends + middle,
        10: rows4 + ends, 11: [*rows4, (-apart, 0.0), (0.0, 0.0), (apart, 0.0)],
        12: rows4 + [(a, 0.0) for a in (-1.0, -1 / 3, 1 / 3, 1.0)],
    }  # fmt: skip
    other: dict[int, list[tuple[float, float]]] = {
        8: [*sides, (-0.5, 0.0), (0.5, 0.0)],
        10: [*across4, (0.0, -0.5), (0.0, 0.5)],
        11: [*across4, (0.0, -apart), (0.0, 0.0), (0.0, apart)],
        12: across4 + [(0.0, c) for c in (-1.0, -1 / 3, 1 / 3, 1.0)],
    }
    return other.get(count, table[count]) if (variant // 2) % 2 else table[count]


def _pip(canvas: Canvas, look: DominoLook, at: tuple[float, float], size: float, ink: Colour) -> None:
    radius = size / 2
    if look.pips == "drilled":
        canvas.spot(at, radius, ink, gloss=min(look.stuff.gloss, 0.7))
        canvas.dimple(at, radius * 1.06, 0.22 * size)
    else:
        canvas.spot(at, radius, ink, gloss=0.3 if look.pips == "printed" else None)


def _half(canvas: Canvas, look: DominoLook, count: int, side: int) -> None:
    half = look.length_mm / 2
    middle = side * (half / 2 + 0.02 * half)
    ink = look.inks[(count - 1) % len(look.inks)] if count else look.inks[0]
    size = look.pip_mm * (0.80 if count >= 7 and look.small_pips else 1.0)
    size *= 0.92 if count >= 10 else 1.0
    along, across = look.spread * half / 2 * 1.0, look.spread * look.width_mm / 2
    if count >= 10:
        along, across = along * 1.12, across * 1.06
    for a, c in pip_places(count, look.variant):
        _pip(canvas, look, (middle + side * a * along, side * c * across), size, ink)


def _bar(canvas: Canvas, look: DominoLook) -> None:
    reach = look.bar_share * look.width_mm / 2
    a, b = (0.0, -reach), (0.0, reach)
    if look.bar == "none":
        return
    mask = canvas.rectangle(0, 0, look.bar_mm, 2 * reach)
    if look.bar == "brass":
        canvas.ink(mask, BRASS, gloss=0.7, metal=1.0)
        return
    canvas.ink(mask, look.bar_ink, gloss=0.4)
    if look.bar == "groove":
        canvas.groove(a, b, look.bar_mm, 0.35 * look.bar_mm)


def _pin(canvas: Canvas, look: DominoLook) -> None:
    if look.pin == "none":
        return
    radius = max(1.1, 0.75 * look.bar_mm)
    canvas.ink(canvas.disc(0, 0, radius), BRASS if look.pin == "brass" else STEEL, gloss=0.75, metal=1.0)
    canvas.depth[:] = np.where(np.hypot(canvas.x, canvas.y) < radius, 0, canvas.depth)
    canvas.shade[:] = np.where(np.hypot(canvas.x, canvas.y) < radius, 1, canvas.shade)
    canvas.dome(0, 0, radius, 0.35 * radius)


@lru_cache(maxsize=400)
def domino_face(look: DominoLook, pips: tuple[int, int], seed: int, density: float) -> Texture:
    """The upper face: ``pips[0]`` on the left half, ``pips[1]`` on the right."""
    rng = stream(seed, "domino face", str(pips))
    canvas = Canvas((look.length_mm, look.width_mm), density, look.stuff)
    canvas.grain(look.stuff, rng)
    if look.frame:
        _frame(canvas, look.length_mm, look.width_mm, look.inks[0])
    _half(canvas, look, pips[0], -1)
    _half(canvas, look, pips[1], 1)
    _bar(canvas, look)
    _pin(canvas, look)
    canvas.wear(rng, _wear(seed))
    return canvas.finish()


def _frame(canvas: Canvas, length: float, width: float, ink: Colour, inset: float = 1.6) -> None:
    outer = canvas.rectangle(0, 0, length - 2 * inset, width - 2 * inset)
    inner = canvas.rectangle(0, 0, length - 2 * inset - 0.8, width - 2 * inset - 0.8)
    canvas.ink(outer - inner, ink)


@lru_cache(maxsize=200)
def domino_back(look: DominoLook, seed: int, density: float) -> Texture:
    """The face that lies up when a domino is face down."""
    rng = stream(seed, "domino back")
    stuff = Stuff(look.back, look.stuff.gloss, look.stuff.grain) if look.back else look.stuff
    canvas = Canvas((look.length_mm, look.width_mm), density, stuff)
    canvas.grain(stuff, rng)
    length, width = look.length_mm, look.width_mm
    ink = look.back_ink
    if look.back_style == "frame":
        ink = BRASS if look.back else ink
        _frame(canvas, length, width, ink, 2.4)
    elif look.back_style == "lattice":
        _frame(canvas, length, width, ink)
        inside = canvas.rectangle(0, 0, length - 6, width - 6)
        wave = np.minimum(
            np.abs((canvas.x + canvas.y) % 3.0 - 1.5), np.abs((canvas.x - canvas.y) % 3.0 - 1.5)
        )
        canvas.ink(inside * np.clip((0.28 - wave) * density + 0.5, 0, 1), ink)
    elif look.back_style == "rings":
        for radius in (0.36, 0.24, 0.10):
            canvas.ink(canvas.ring(0, 0, radius * width, 0.9), ink)
    elif look.back_style == "lines":
        for k in range(-2, 3):
            canvas.ink(canvas.line((-0.36 * length, k * 2.4), (0.36 * length, k * 2.4), 0.6), ink)
    elif look.back_style == "words":
        for k, sign in enumerate("2757"):
            number(sign, 1).draw(canvas, (-8.5 + 5.7 * k, 0), 3.2, ink)
    canvas.wear(rng, _wear(seed))
    return canvas.finish()


# --- piecepack ---------------------------------------------------------------------------------------


def _suit_ink(look: PiecepackLook, name: str) -> Colour:
    return look.suits[SUIT_ORDER.index(name)]


def _body(size: tuple[float, float], look: PiecepackLook, key: str, seed: int, density: float) -> Canvas:
    canvas = Canvas(size, density, look.stuff)
    canvas.grain(look.stuff, stream(seed, "piecepack", key))
    return canvas


@lru_cache(maxsize=100)
def tile_back(look: PiecepackLook, seed: int, density: float) -> Texture:
    """A piecepack tile from its back: four squares and nothing that tells tiles apart."""
    side = look.tile_mm
    canvas = _body((side, side), look, "tile", seed, density)
    ink = look.suits[1]
    if look.tile_back == "cross":
        arm = side * 0.055
        for x, y in ((0, 0), (side / 2, 0), (-side / 2, 0), (0, side / 2), (0, -side / 2)):
            canvas.ink(
                canvas.strokes([[(x - arm, y), (x + arm, y)], [(x, y - arm), (x, y + arm)]], 0.55), ink
            )
    elif look.tile_back == "lines":
        lines = [[(-side / 2, 0.0), (side / 2, 0.0)], [(0.0, -side / 2), (0.0, side / 2)]]
        canvas.ink(canvas.strokes(lines, 0.6), ink)
    elif look.tile_back == "checks":
        for sign in (-1, 1):
            canvas.ink(canvas.rectangle(sign * side / 4, sign * side / 4, side / 2, side / 2) * 0.55, ink)
    canvas.wear(stream(seed, "tile wear"), _wear(seed))
    return canvas.finish()


def _rank(canvas: Canvas, look: PiecepackLook, rank: str, size: float, ink: Colour) -> None:
    if rank == "null":
        return
    sign = spiral(look.style) if rank == "ace" else number(rank, look.style)
    sign.draw(canvas, (0, 0), size, ink)


SUIT_ORDER = ("suns", "moons", "crowns", "arms")
RANKS = ("null", "ace", "2", "3", "4", "5")


@lru_cache(maxsize=200)
def coin_face(
    look: PiecepackLook, suit_name: str | None, value: int | None, seed: int, density: float
) -> Texture:
    """A coin: its suit side if a suit is given, else its value side."""
    side = look.coin_mm
    canvas = _body((side, side), look, "coin", seed, density)
    if suit_name is not None:
        ink = _suit_ink(look, suit_name)
        suit(suit_name, look.style).draw(canvas, (0, 0), side * 0.28, ink)
    else:
        ink = look.suits[1]
        _rank(canvas, look, RANKS[value or 0], side * 0.25, ink)
    if look.tick:
        canvas.ink(canvas.disc(0, side * 0.43, side * 0.028), ink)
    if look.coin_rim:
        canvas.ink(canvas.ring(0, 0, side * 0.47, side * 0.02), ink)
    canvas.wear(stream(seed, "coin wear"), _wear(seed))
    return canvas.finish()


@lru_cache(maxsize=300)
def piecepack_die_face(look: PiecepackLook, suit_name: str, rank: str, seed: int, density: float) -> Texture:
    """One face of a piecepack die; the ace shows the suit, the null face nothing."""
    side = look.die_mm
    canvas = Canvas((side, side), density, look.die_stuff)
    canvas.grain(look.die_stuff, stream(seed, "die", rank))
    ink = _suit_ink(look, suit_name)
    if rank == "ace":
        suit(suit_name, look.style).draw(canvas, (0, 0), side * 0.30, ink)
    else:
        _rank(canvas, look, rank, side * 0.27, ink)
    canvas.wear(stream(seed, "die wear", rank), _wear(seed))
    return canvas.finish()


# --- dice --------------------------------------------------------------------------------------------


@lru_cache(maxsize=300)
def pip_face(look: DieLook, count: int, seed: int, density: float) -> Texture:
    """One face of an ordinary die."""
    side = look.size_mm
    canvas = Canvas((side, side), density, look.stuff)
    canvas.grain(look.stuff, stream(seed, "die", str(count)))
    ink = look.one_ink if count in (1, 4) and look.one_ink else look.ink
    larger = max(look.one_share, 1.25 if look.one_ink else 1.0) if count == 1 else 1.0
    radius = look.pip_share * side / 2 * larger
    reach = look.spread * side / 2 * (look.two_reach if count == 2 else 1.0)
    for a, c in pip_places(count, seed % 2):
        at = (a * reach, c * reach)
        canvas.spot(at, radius, ink, gloss=min(look.stuff.gloss, 0.6))
        if look.drilled:
            canvas.dimple(at, radius * 1.06, 0.45 * radius)
    canvas.wear(stream(seed, "die wear", str(count)), _wear(seed))
    return canvas.finish()


@lru_cache(maxsize=300)
def duel_face(look: DuelLook, coat: str, crosses: int, seed: int, density: float) -> Texture:
    """One face of a coat-of-arms die: ``coat`` as in ``pipwatch read`` (dot … black, joker)."""
    side = look.size_mm
    canvas = Canvas((side, side), density, look.stuff)
    canvas.grain(look.stuff, stream(seed, "duel", coat))
    if coat == "joker":
        number("?", look.style + 3).draw(canvas, (0, 0), side * 0.30, look.ink)
    else:
        _coat(canvas, look, coat, (-0.05 * side if crosses else 0.0, 0.0), side * 0.31)
        for k in range(crosses):
            at = (side * 0.335, side * (0.30 - 0.22 * k))
            draw_cross(canvas, at, side * 0.085, look.ink, look.cross_style)
    canvas.wear(stream(seed, "duel wear", coat), _wear(seed))
    return canvas.finish()


def draw_cross(canvas: Canvas, at: tuple[float, float], size: float, ink: Colour, style: int) -> None:
    """A small cross, in a ring (0), alone (1) or light on a filled ring (2)."""
    arm = size * (0.62 if style != 1 else 0.85)
    lines = [[(at[0] - arm, at[1] - arm), (at[0] + arm, at[1] + arm)],
             [(at[0] - arm, at[1] + arm), (at[0] + arm, at[1] - arm)]]  # fmt: skip
    body = tuple(float(c) for c in canvas.colour[0, 0])
    if style == 2:
        canvas.ink(canvas.disc(*at, size), ink)
        canvas.ink(canvas.strokes(lines, size * 0.32), (body[0], body[1], body[2]))
        return
    if style == 0:
        canvas.ink(canvas.ring(*at, size, size * 0.22), ink)
    canvas.ink(canvas.strokes(lines, size * 0.34), ink)


def _coat(canvas: Canvas, look: DuelLook, coat: str, at: tuple[float, float], size: float) -> None:
    outline = [(at[0] + size * x, at[1] + size * y) for x, y in shield(look.style % 3)]
    inside = canvas.polygon(outline)
    if look.style != 3:
        line = canvas.strokes([[*outline, outline[0]]], look.outline * 2 * size)
        canvas.ink(line, look.ink)
    canvas.ink(inside * coat_mask(canvas, coat, at, size), look.ink)


def coat_mask(canvas: Canvas, coat: str, at: tuple[float, float], size: float) -> Array:
    """What a coat blackens inside its shield, whose half-width is ``size``."""
    x, y = at
    if coat == "black":
        return np.ones(canvas.shape, dtype=np.float32)
    if coat == "dot":
        return canvas.disc(x, y, 0.27 * size)
    if coat == "two-dots":
        return np.maximum(
            canvas.disc(x, y + 0.38 * size, 0.22 * size), canvas.disc(x, y - 0.3 * size, 0.22 * size)
        )
    if coat == "quarters":
        a = canvas.rectangle(x - size / 2, y + size / 2, size, size)
        return np.maximum(a, canvas.rectangle(x + size / 2, y - size / 2, size, size))
    slope = math.radians(28)
    ends = (1.5 * size * math.cos(slope), 1.5 * size * math.sin(slope))
    rises = (0.0,) if coat == "stripe" else (0.28, -0.28)
    lines = [[(x - ends[0], y - ends[1] + r * size), (x + ends[0], y + ends[1] + r * size)] for r in rises]
    return canvas.strokes(lines, (0.34 if coat == "stripe" else 0.24) * size)


COATS = ("dot", "two-dots", "stripe", "two-stripes", "quarters", "black")
