"""Random makes of pieces: variations of known ones and free inventions, seldom with little contrast."""

import colorsys
from dataclasses import replace
from typing import Any

import numpy as np

from simulation.chances import spawned
from simulation.makes import (
    BLACK,
    CREAM,
    DOMINOES,
    IVORY,
    WHITE,
    Colour,
    DieLook,
    DominoLook,
    DuelLook,
    PiecepackLook,
    SoldierLook,
    Stuff,
    ThingLook,
)

Rng = np.random.Generator
_PALE: tuple[Colour, ...] = (WHITE, IVORY, CREAM, (0.72, 0.72, 0.70), (0.80, 0.72, 0.58), (0.66, 0.60, 0.48))
_DARK: tuple[Colour, ...] = (
    BLACK,
    (0.03, 0.03, 0.035),
    (0.05, 0.03, 0.02),
    (0.02, 0.03, 0.07),
    (0.06, 0.01, 0.015),
)


def pick(rng: Rng, options: Any, weights: Any = None) -> Any:
    """One of several things, as itself."""
    p = None if weights is None else np.asarray(weights, dtype=float) / float(np.sum(weights))
    return options[int(rng.choice(len(options), p=p))]


def any_colour(rng: Rng, strong: float = 0.75, bright: tuple[float, float] = (0.05, 0.7)) -> Colour:
    """A random linear colour of at most this saturation."""
    # Red to green and blue are common in rooms, violet is not.
    hue = float(
        pick(
            rng,
            (rng.normal(0.08, 0.07), rng.normal(0.36, 0.08), rng.normal(0.6, 0.05), rng.random()),
            (4, 2, 3, 2),
        )
    )
    r, g, b = colorsys.hsv_to_rgb(hue % 1, strong * rng.random() ** 0.5, rng.uniform(*bright))
    return (float(r), float(g), float(b))


def near(rng: Rng, colour: Colour, share: float = 0.12) -> Colour:
    """The colour, a little off."""
    found = np.clip(np.asarray(colour) * np.exp(rng.normal(0, share, 3) + rng.normal(0, share)), 0.004, 0.86)
    return (float(found[0]), float(found[1]), float(found[2]))


def brightness(colour: Colour) -> float:
    """How bright a colour looks."""
    return 0.25 * colour[0] + 0.65 * colour[1] + 0.1 * colour[2]


def _ink_for(rng: Rng, body: Colour) -> Colour:
    """An ink that people would still call readable on this body."""
    dark_body = brightness(body) < 0.16
    for _ in range(20):
        if rng.random() < 0.6:
            ink = near(rng, pick(rng, _PALE if dark_body else _DARK))
        else:
            ink = any_colour(rng, 1.0, (0.45, 0.8) if dark_body else (0.02, 0.35))
        a, b = sorted((brightness(ink) + 0.02, brightness(body) + 0.02))
        if b / a > 2.0:
            return ink
    return WHITE if dark_body else BLACK


def random_domino(rng: Rng) -> DominoLook:
    """A make of dominoes: three in four near a known one, the others invented."""
    look: DominoLook = pick(rng, tuple(DOMINOES.values()))
    if rng.random() < 0.25:
        look = _invented(rng)
    length = float(rng.uniform(40, 57))
    share = length / look.length_mm
    ratio = float(rng.uniform(0.485, 0.515))
    return replace(
        look,
        length_mm=length,
        width_mm=length * ratio,
        thickness_mm=float(rng.uniform(8, 12.5)),
        pip_mm=look.pip_mm * share * float(rng.uniform(0.85, 1.25)),
        bar_mm=look.bar_mm * share * float(rng.uniform(0.7, 1.3)),
        corner_mm=min(look.corner_mm * float(rng.uniform(0.5, 1.3)), 4.0),
        edge_mm=look.edge_mm * float(rng.uniform(0.6, 1.4)),
        name=f"{look.name} {int(rng.integers(1 << 30))}",
        stuff=replace(
            look.stuff,
            colour=near(rng, look.stuff.colour),
            gloss=float(np.clip(look.stuff.gloss + rng.normal(0, 0.15), 0.05, 0.95)),
        ),
        inks=tuple(near(rng, ink, 0.15) for ink in look.inks),
        spread=float(rng.uniform(0.53, 0.64)),
        variant=int(rng.integers(4)),
        small_pips=bool(rng.random() < 0.6),
        pin=pick(rng, ("none", "brass", "steel"), (3, 1, 1)),
        bar_share=float(rng.uniform(0.6, 0.95)),
        back_style=pick(rng, ("plain", "lattice", "rings", "lines", "words", "frame"), (5, 1, 1, 1, 1, 1)),
    )


def _invented(rng: Rng) -> DominoLook:
    grain = pick(rng, ("plain", "wood", "marble", "speckle", "pearl"), (6, 2, 1, 1, 1))
    body: Colour = pick(
        rng, (any_colour(rng, 0.95), near(rng, pick(rng, _PALE)), near(rng, pick(rng, _DARK)))
    )
    if grain == "wood":
        body = near(
            rng, pick(rng, ((0.6, 0.42, 0.22), (0.35, 0.2, 0.09), (0.16, 0.08, 0.04), (0.7, 0.58, 0.38)))
        )
    inks = tuple(_ink_for(rng, body) for _ in range(12 if rng.random() < 0.2 else 1))
    return DominoLook(
        "invented",
        stuff=Stuff(body, float(rng.uniform(0.1, 0.9)), grain),
        inks=inks,
        pips=pick(rng, ("drilled", "printed", "inlaid"), (5, 3, 1)),
        bar=pick(rng, ("groove", "printed", "brass", "none"), (5, 4, 1, 0.6)),
        bar_ink=_ink_for(rng, body),
        back=any_colour(rng) if rng.random() < 0.25 else None,
        back_ink=_ink_for(rng, body),
        frame=bool(rng.random() < 0.08),
    )


def random_piecepack(rng: Rng) -> PiecepackLook:
    """A make of a piecepack."""
    body: Colour = near(
        rng,
        pick(
            rng,
            (
                (0.70, 0.56, 0.36),
                (0.5, 0.34, 0.18),
                (0.80, 0.78, 0.72),
                (0.24, 0.13, 0.06),
                (0.6, 0.55, 0.45),
            ),
        ),
    )
    if brightness(body) < 0.16:
        body = (0.45, 0.3, 0.16)
    suits = (
        (0.55, 0.02, 0.03),
        (0.012, 0.012, 0.014),
        pick(rng, ((0.02, 0.28, 0.06), (0.75, 0.48, 0.02))),
        (0.02, 0.06, 0.40),
    )
    inks = tuple(near(rng, ink, 0.2) for ink in suits)
    grain = pick(rng, ("wood", "plain", "speckle"), (3, 2, 0.5))
    die_body = near(rng, pick(rng, (body, WHITE, IVORY)))
    return PiecepackLook(
        f"pack {int(rng.integers(1 << 30))}",
        tile_mm=float(rng.uniform(48, 52)),
        coin_mm=float(rng.uniform(17.5, 21)),
        coin_thick_mm=float(rng.uniform(2.5, 4)),
        die_mm=float(rng.uniform(11.5, 16)),
        die_edge_mm=float(rng.uniform(0.7, 2)),
        pawn_mm=float(rng.uniform(13, 17)),
        pawn_tall_mm=float(rng.uniform(22, 31)),
        stuff=Stuff(body, float(rng.uniform(0.1, 0.6)), grain),
        die_stuff=Stuff(die_body, float(rng.uniform(0.2, 0.8))),
        suits=(inks[0], inks[1], inks[2], inks[3]),
        style=int(rng.integers(6)),
        tile_back=pick(rng, ("cross", "lines", "checks", "plain"), (3, 2, 1, 1)),
        tick=bool(rng.random() < 0.7),
        coin_rim=bool(rng.random() < 0.4),
        pawn=pick(rng, ("ball", "cone", "saucer"), (3, 1, 1)),
    )


_APART = 2.15
"""How far a die's outer pips lie from each other at least, in their diameters: no two of a six touch."""


def random_die(rng: Rng) -> DieLook:
    """A make of ordinary dice."""
    body: Colour = pick(
        rng,
        (near(rng, pick(rng, _PALE)), any_colour(rng, 1.0, (0.1, 0.7)), near(rng, pick(rng, _DARK))),
        (4, 4, 1.5),
    )
    size = float(rng.uniform(10, 22))
    edge = float(rng.uniform(0.05, 0.16)) * size
    ball = size * float(rng.uniform(0.66, 0.78)) if rng.random() < 0.45 else 0.0
    grain = pick(rng, ("plain", "pearl", "speckle", "marble"), (6, 1, 1, 1))
    one = (0.6, 0.02, 0.02) if rng.random() < 0.12 and brightness(body) > 0.4 else None
    stuff, ink = Stuff(body, float(rng.uniform(0.2, 0.9)), grain), _ink_for(rng, body)
    pip, spread = float(rng.uniform(0.13, 0.25)), float(rng.uniform(0.36, 0.62))
    spread = max(spread, _APART * pip)
    drilled = bool(rng.random() < 0.8)
    (own,) = spawned(rng, 1)  # what was added later leaves all that is drawn after it as it was
    larger = float(own.uniform(1.0, 1.9)) if own.random() < 0.35 else 1.0
    nearer = float(own.uniform(max(0.5, pip / spread), 1.0)) if own.random() < 0.35 else 1.0
    if own.random() < 0.25:
        stuff = replace(stuff, grain="swirl")
    return DieLook(size, edge, ball, stuff, ink, one, pip, spread, drilled, larger, nearer)


def random_duel(rng: Rng) -> DuelLook:
    """A make of coat-of-arms dice."""
    body = near(rng, pick(rng, ((0.74, 0.66, 0.50), WHITE, (0.62, 0.5, 0.34), CREAM)))
    ink = near(rng, pick(rng, ((0.05, 0.025, 0.015), BLACK, (0.14, 0.05, 0.02))))
    size = float(rng.uniform(14, 20))
    return DuelLook(
        size,
        float(rng.uniform(0.06, 0.15)) * size,
        0.0,
        Stuff(body, float(rng.uniform(0.15, 0.7))),
        ink,
        float(rng.uniform(0.035, 0.08)),
        int(rng.integers(4)),
        int(rng.integers(3)),
    )


def random_soldiers(rng: Rng, marker: bool) -> SoldierLook:
    """A make of toy soldiers; the two sides never look alike."""
    army: tuple[Colour, ...] = (
        (0.06, 0.16, 0.04),
        (0.42, 0.26, 0.10),
        (0.25, 0.26, 0.27),
        (0.05, 0.1, 0.3),
        (0.4, 0.05, 0.04),
        (0.5, 0.4, 0.05),
        (0.02, 0.02, 0.02),
    )
    a, b = (army[int(k)] for k in rng.permutation(len(army))[:2])
    return SoldierLook(
        float(rng.uniform(18, 25)),
        float(rng.uniform(26, 38)),
        (near(rng, a), near(rng, b)),
        float(rng.uniform(0.15, 0.7)),
        marker,
        float(rng.uniform(0.85, 1.25)),
    )


_THINGS: tuple[tuple[str, float], ...] = (
    ("cup", 1.0),
    ("glass", 0.6),
    ("phone", 1.5),
    ("card", 2.0),
    ("money", 2.0),
    ("pen", 2.0),
    ("draught", 1.5),
    ("crumb", 2.0),
    ("box", 0.7),
    ("cable", 0.7),
    ("cap", 1.2),
    ("pebble", 1.0),
)


def random_thing(rng: Rng) -> ThingLook:
    """Something that is no piece."""
    name = pick(rng, [n for n, _ in _THINGS], [w for _, w in _THINGS])
    colours = {
        "money": ((0.62, 0.43, 0.16), (0.55, 0.55, 0.56), (0.5, 0.22, 0.1)),
        "crumb": ((0.45, 0.28, 0.1), (0.6, 0.45, 0.25), (0.2, 0.1, 0.04)),
        "phone": ((0.01, 0.01, 0.012), (0.3, 0.4, 0.55), (0.7, 0.7, 0.7)),
        "box": ((0.5, 0.33, 0.16), (0.25, 0.13, 0.06)),
        "draught": (BLACK, (0.7, 0.66, 0.55), (0.5, 0.04, 0.03)),
    }.get(name, (any_colour(rng), any_colour(rng), WHITE, BLACK))
    return ThingLook(
        name, float(rng.uniform(0.8, 1.15)), near(rng, pick(rng, colours)), near(rng, pick(rng, _DARK))
    )
