"""Families of people with pens, each held out whole: what they write with, and how they draw what.

Nothing here is taught. A family judges readers that have never seen it; each is a set of distributions that
its sentence tells, and every sheet is one person (or two) out of them.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from simulation.coat_strokes import BlackWay, CrossWay, DotWay, DrawingWays, QuarterWay, StripeWay
from simulation.ink_flow import INKS, Nib, Wrist

_MM = 1 / 30
WIDE = 1.1 / 30
"""A pen as wide as this leaves no room for hatching."""
Slants = tuple[tuple[float, float, float], ...]
"""Shares, each with a middle and a spread in degrees."""


@dataclass(frozen=True, slots=True)
class Family:
    """One kind of people and paper."""

    name: str
    told: str
    pens: tuple[str, ...] = ("ball", "ball", "gel", "fountain", "pencil")
    slants: Slants = ((0.6, 48, 11), (0.2, 130, 11), (0.1, 0, 4), (0.1, 90, 4))
    drift: tuple[float, float] = (0.004, 0.014)
    shake: tuple[float, float] = (0.001, 0.003)
    lean: tuple[float, float] = (0, 8)
    """By how many degrees crosses are turned: the middle and the spread."""
    whim: float = 0.15
    """How often a square is drawn another way than the others."""
    unlike: float = 0.5
    """How much squares that are drawn one way differ, 0 to 1."""
    two_pens: bool = False
    corrected: int = 0
    """How many squares at the most are put right."""
    outlined: bool = False
    shaded: bool = False
    doodles: int = 0
    crumpled: bool = False
    coffee: bool = False


_ANY: Slants = ((1.0, 90, -90),)
"""Every slant alike: a spread below 0 is even to both sides."""
FAMILIES: dict[str, Family] = {
    one.name: one
    for one in (
        Family("adults", "calm adults with what lies on the table; most stripes as the dice show them"),
        Family(
            "children",
            "steep, large, shaky: stripes about upright, lines that tremble, over every rim",
            pens=("pencil", "ball", "felt", "crayon"),
            slants=((0.7, 74, 12), (0.3, 104, 12)),
            drift=(0.012, 0.026),
            shake=(0.004, 0.009),
            lean=(0, 15),
            whim=0.3,
            unlike=1.0,
        ),
        Family(
            "left-handers",
            "stripes fall from upper left to lower right, crosses are turned",
            pens=("ball", "gel", "fountain", "pencil"),
            slants=((0.8, 128, 16), (0.2, 155, 10)),
            lean=(-20, 8),
        ),
        Family(
            "felt",
            "felt pens that bleed: wide, frayed, with blobs where a stroke ends",
            pens=("felt", "felt", "marker"),
            slants=_ANY,
        ),
        Family("hard-pencils", "faint, thin, grainy", pens=("hard",), slants=_ANY),
        Family(
            "two-pens",
            "a second pen, and maybe a second hand, from some square on",
            pens=("ball", "gel", "felt", "pencil", "fountain", "crayon"),
            slants=_ANY,
            two_pens=True,
        ),
        Family(
            "corrections",
            "white-out and tape, coats drawn over others, struck out and drawn anew, rubbed out",
            slants=((0.6, 50, 14), (0.4, 90, -90)),
            corrected=5,
        ),
        Family("outlined", "a line around each domino", slants=_ANY, outlined=True),
        Family("shaded", "borders shaded, within domains or around them", slants=_ANY, shaded=True),
        Family("doodles", "drawings and sums on the rim and beside shields", slants=_ANY, doodles=9),
        Family("creased", "paper folded in four, crumpled and smoothed", slants=_ANY, crumpled=True),
        Family("coffee", "rings, drops and dried puddles", slants=_ANY, coffee=True),
        Family(
            "bold",
            "every way of drawing each coat, square by square, with every pen",
            pens=("ball", "gel", "felt", "pencil", "fountain", "crayon", "marker"),
            slants=_ANY,
            drift=(0.003, 0.02),
            shake=(0.001, 0.005),
            lean=(0, 20),
            whim=1.0,
            unlike=1.0,
        ),
    )
}


def a_nib(kind: str, rng: np.random.Generator) -> Nib:
    """Some pen of this kind."""
    u = rng.uniform
    grey = (1.15, 1.1, 1.05)
    if kind in ("ball", "gel", "fountain"):
        ink = INKS[str(rng.choice(("blue", "blue", "black", "black", "navy", "red")))]
        plain = Nib(u(0.5, 0.85) * _MM, ink, u(0.75, 1.1), swing=0.13, skips=0.12, blobs=0.05)
        if kind == "gel":
            return replace(plain, width=u(0.35, 0.75) * _MM, full=u(0.95, 1.25), swing=0.05, skips=0.02)
        if kind == "fountain":
            return replace(
                plain, width=u(0.5, 1.0) * _MM, full=u(0.6, 1.0), ragged=u(0.002, 0.005), blobs=0.2
            )
        return plain
    if kind in ("felt", "marker"):
        ink = INKS[str(rng.choice(("black", "blue", "red", "green", "violet", "brown", "navy")))]
        wide = u(1.0, 1.7) if kind == "felt" else u(1.6, 2.3)
        return Nib(
            wide * _MM, ink, u(0.55, 1.0), soft=u(0.006, 0.014), ragged=u(0.005, 0.014), blobs=0.5,
            swing=0.06, taper=0.0,
        )  # fmt: skip
    if kind == "crayon":
        ink = INKS[str(rng.choice(("blue", "red", "green", "violet", "brown", "black")))]
        return Nib(u(0.8, 1.5) * _MM, ink, u(0.8, 1.2), soft=0.006, grain=u(0.5, 0.7), swing=0.2)
    if kind == "hard":
        return Nib(u(0.35, 0.55) * _MM, grey, u(0.7, 1.0), soft=0.003, grain=u(0.4, 0.6), swing=0.2)
    return Nib(u(0.5, 0.8) * _MM, grey, u(0.9, 1.4), soft=0.004, grain=u(0.35, 0.6), swing=0.2)


def a_wrist(family: Family, rng: np.random.Generator) -> Wrist:
    """Some hand of this family."""
    return Wrist(float(rng.uniform(*family.drift)), float(rng.uniform(*family.shake)))


def a_slant(slants: Slants, rng: np.random.Generator) -> float:
    """Degrees from level, below 180."""
    share = np.array([one[0] for one in slants])
    _, middle, spread = slants[int(rng.choice(len(slants), p=share / share.sum()))]
    turn = rng.uniform(middle + spread, middle - spread) if spread < 0 else rng.normal(middle, spread)
    return float(turn % 180)


def ways_of(family: Family, nib: Nib, rng: np.random.Generator) -> DrawingWays:
    """How some person of this family draws everything with this pen."""
    return DrawingWays(
        _stripe_way(family, nib, rng),
        _dot_way(nib, rng),
        _quarter_way(nib, rng),
        _black_way(nib, rng),
        CrossWay(
            upright=bool(rng.random() < 0.25),
            # With a wide pen, crosses that go over their circles run into each other.
            size=float(rng.uniform(0.6, 1.5 if nib.width < WIDE else 0.95)),
            tilt=float(rng.normal(*family.lean)),
            aside=float(rng.uniform(0, 0.2)),
        ),
    )


def _pick(rng: np.random.Generator, shares: dict[str, float]) -> str:
    weight = np.array(list(shares.values()))
    return str(rng.choice(list(shares), p=weight / weight.sum()))


def _some(rng: np.random.Generator, chance: float, low: float, high: float) -> float:
    return float(rng.uniform(low, high)) if rng.random() < chance else 0.0


def _stripe_way(family: Family, nib: Nib, rng: np.random.Generator) -> StripeWay:
    u = rng.uniform
    band = _some(rng, 0.15, 2.2, 4.2) * max(nib.width, 0.022) if nib.width < WIDE else 0.0
    return StripeWay(
        slant=a_slant(family.slants, rng),
        length=float(rng.choice((u(0.55, 0.8), u(0.8, 1.0), u(0.8, 1.0), u(1.0, 1.25)))),
        gap=float(u(0.13, 0.27)),
        splay=_some(rng, 0.4, -10, 10),
        uneven=_some(rng, 0.3, 0, 0.3),
        bow=_some(rng, 0.4, -0.12, 0.12),
        breaks=int(rng.choice((0, 0, 0, 0, 1, 2))),
        aside=float(rng.normal(0, 0.025)),
        along=float(rng.normal(0, 0.08)),
        thick=float(rng.choice((1.0, 1.0, u(1.0, 2.2)))) if nib.width < WIDE else 1.0,
        band=float(band),
        hatch=str(rng.choice(("along", "across"))),
        retraced=bool(rng.random() < 0.15),
    )


def _dot_way(nib: Nib, rng: np.random.Generator) -> DotWay:
    fine = nib.width < WIDE
    shares = {"blob": 3, "scribble": 2, "ring": 1.5, "filled ring": 1, "spiral": 1, "tick": 0.7, "dash": 0.5,
              "dab": 1.2}  # fmt: skip
    if not fine:
        shares = {"blob": 3.0, "dab": 2.0, "ring": 0.7}
    shape = _pick(rng, shares)
    size = {
        "dab": rng.uniform(0.8, 1.8) + 0.6 * nib.grain, "tick": rng.uniform(2.0, 3.6),
        "dash": rng.uniform(1.6, 2.6), "ring": rng.uniform(2.2, 6.0), "spiral": rng.uniform(2.4, 5.5),
    }.get(shape, rng.uniform(1.6, 5.5)) * _MM  # fmt: skip
    return DotWay(
        shape=shape,
        # A pen that bleeds does so the most where it rests.
        size=float(max(size, 1.2 * nib.width + 4 * nib.ragged if shape != "ring" else 3.2 * nib.width)),
        apart=float(max(rng.uniform(0.2, 0.42), 1.6 * size)),
        axis=float(rng.choice((90, 90, 0, 45, 135, rng.uniform(0, 180)))),
        unlike=_some(rng, 0.4, 0, 0.35) if shape != "dab" else 0.0,
        aside=(float(rng.normal(0, 0.06)), float(rng.normal(0, 0.06))),
    )


def _quarter_way(nib: Nib, rng: np.random.Generator) -> QuarterWay:
    styles = {"solid": 2.0, "hatched": 2.0, "zigzag": 2.0, "crossed": 1.0, "outlined": 1.0, "strokes": 1.0}
    style = _pick(rng, styles if nib.width < WIDE else {"solid": 2, "zigzag": 2, "outlined": 0.7})
    return QuarterWay(
        falling=bool(rng.random() < 0.6),
        style=style,
        strokes=int(rng.choice((2, 3, 4))),
        slant=float(rng.choice((45, 135, 0, 90, rng.uniform(0, 180)))),
        spacing=float(rng.uniform(1.0, 2.0) * max(nib.width, 0.02)),
        lines=bool(rng.random() < (0.85 if style in ("strokes", "outlined") else 0.5)),
        rim=bool(rng.random() < 0.35),
    )


def _black_way(nib: Nib, rng: np.random.Generator) -> BlackWay:
    fine = nib.width < WIDE
    shares = {"zigzag": 3, "solid": 1.5, "ringed": 1, "scribble": 1, "crossed": 1, "half": 0.7}
    return BlackWay(
        style=_pick(rng, shares if fine else {"zigzag": 2, "solid": 2, "ringed": 1, "half": 0.5}),
        slant=float(rng.uniform(0, 180)),
        spacing=float(min(rng.uniform(0.9, 2.2) * max(nib.width, 0.02), 0.055)),
        cover=float(rng.uniform(0.78, 1.05)),
    )


def this_time(family: Family, nib: Nib, ways: DrawingWays, rng: np.random.Generator) -> DrawingWays:
    """How the same person draws one more square: nearly as before, now and then another way."""
    if rng.random() < family.whim:
        ways = ways_of(family, nib, rng)
    far, stripe, dot = family.unlike, ways.stripe, ways.dot
    turn = float(rng.normal(0, 6 * far))
    return replace(
        ways,
        stripe=replace(
            stripe,
            slant=(stripe.slant + turn) % 180,
            length=float(np.clip(stripe.length * rng.normal(1, 0.1 * far), 0.55, 1.3)),
            gap=stripe.gap * float(rng.uniform(1 - 0.15 * far, 1 + 0.15 * far)),
            aside=stripe.aside + float(rng.normal(0, 0.02 * far)),
            bow=stripe.bow * float(rng.uniform(-1, 1)),
            splay=stripe.splay * float(rng.uniform(-1, 1)),
        ),
        dot=replace(
            dot,
            size=dot.size * float(rng.uniform(1, 1 + 0.3 * far)),
            axis=dot.axis + float(rng.normal(0, 8 * far)),
            aside=(dot.aside[0] + float(rng.normal(0, 0.04)), dot.aside[1] + float(rng.normal(0, 0.04))),
        ),
        black=replace(ways.black, slant=ways.black.slant + turn),
    )


def plain_stripes(way: StripeWay, nib: Nib) -> StripeWay:
    """Stripes that stay stripes to a person: long if broken, and two with as much paper between as ink."""
    if way.breaks:
        way = replace(way, length=max(0.85, way.length), bow=way.bow / 2)
    wide = max(way.band + nib.width, nib.width * way.thick) + 2 * nib.ragged
    nearer = 0.7 * float(np.tan(np.radians(abs(way.splay)) / 2))
    return replace(way, gap=max(way.gap, 2.1 * wide + nearer, 0.1))


def families_named(name: str) -> Sequence[Family]:
    """The family of this name, or all."""
    return tuple(FAMILIES.values()) if name == "all" else (FAMILIES[name],)
