"""How people draw the six coats of Kingdomino Duel, whatever they take them to be.

A hand has its ways, and keeps to them for most of a sheet: at what slant its stripes run, whether they are
lines, bands or dashes, what its dots look like, how it fills a quarter. Every property spans all that a
person would still name without doubt.
"""

import math
from dataclasses import dataclass

import numpy as np

from simulation.pen_strokes import Points, SheetDrawing

_KEPT = 0.8
"""So many of a hand's coats are drawn in its own way."""
_PLAIN_STRIPES = ("line", "thick", "passes")
_GAP_WIDTHS = 1.8
"""Two stripes of a person who means two lie at least so many pen widths apart, from middle to middle."""


@dataclass(frozen=True, slots=True)
class CoatBox:
    """Where a coat is drawn: its middle and size in pixels."""

    x: float
    y: float
    width: float
    height: float

    @property
    def least(self) -> float:
        """Its shorter side."""
        return min(self.width, self.height)


def draw_coat(work: SheetDrawing, coat: str, box: CoatBox) -> None:
    """One of the six coats in its box, as this hand draws it."""
    box = _placed(work, box)
    if coat == "dot":
        aside = work.rng.normal(0, 0.05, 2) * (box.width, box.height)
        _dot(work, box.x + float(aside[0]), box.y + float(aside[1]), _dot_radius(work, box, 0.17))
    elif coat == "two-dots":
        _two_dots(work, box)
    elif coat == "stripe":
        _stripe(work, box, _slant(work), 0.0, _about(work, 0.17, 0.45) * box.least)
    elif coat == "two-stripes":
        _two_stripes(work, box)
    elif coat == "quarters":
        _quarters(work, box)
    else:
        _black(work, box)


def _about(work: SheetDrawing, value: float, spread: float) -> float:
    return value * float(work.rng.uniform(1 - spread, 1 + spread))


def _placed(work: SheetDrawing, box: CoatBox) -> CoatBox:
    off, spread = 0.06 * work.hand.sloppy, 0.08 + 0.12 * work.hand.sloppy
    return CoatBox(
        box.x + float(work.rng.normal(0, off)) * box.width,
        box.y + float(work.rng.normal(0, off)) * box.height,
        box.width * _about(work, 0.95, spread),
        box.height * _about(work, 0.95, spread),
    )


def _way(angle: float) -> Points:
    """The direction that rises at this angle (rows run downwards)."""
    return np.array([math.cos(angle), -math.sin(angle)])


# — dots —


def _dot_radius(work: SheetDrawing, box: CoatBox, share: float) -> float:
    """Mostly a plain blob; now and then no more than a dab of the pen."""
    if not work.hand.copies and work.rng.random() < 0.12:
        return max(box.least * float(work.rng.uniform(work.hand.least_dab, 0.08)), 0.8 * work.width)
    return box.least * _about(work, share, 0.4)


def _dot(work: SheetDrawing, x: float, y: float, radius: float) -> None:
    rng, way = work.rng, work.hand.dot
    if radius < 1.6 * work.width and way != "tick":
        way = "blob"  # there is no room for more than the pen's own width
    turns = np.linspace(0, 2 * math.pi, 14, endpoint=False) + float(rng.uniform(0, 6))
    squash = float(rng.uniform(0.75, 1.3))
    ring = np.stack([x + radius * squash * np.cos(turns), y + radius / squash * np.sin(turns)], axis=1)
    ring += rng.normal(0, 0.07 * radius, ring.shape)
    if way == "blob":
        work.area(ring)
    elif way == "ring and point":
        work.line(ring, closed=True)
        work.area((ring - (x, y)) * 0.35 + (x, y))
    elif way == "ring":
        for _ in range(1 + (rng.random() < 0.3)):
            work.line(ring, closed=True)
    elif way == "tick":
        lean, tall = float(rng.normal(0.2, 0.3)) * radius, 0.55 * radius
        hook = (x - 0.6 * radius, y) if rng.random() < 0.5 else (x - lean / 2, y + tall * 0.8)
        work.line([hook, (x - lean / 2, y + tall), (x + lean, y - tall)], width=work.width * 1.6)
    else:
        inward = np.linspace(1, 0.1, 26 if way == "spiral" else 34)
        loops = np.linspace(0, 2 * math.pi * rng.uniform(2.2, 4.5), len(inward))
        spin = np.stack([np.cos(loops), np.sin(loops)], axis=1) * inward[:, None] * radius
        if way == "scribble":
            spin += rng.normal(0, 0.16 * radius, spin.shape)
        work.line(spin + np.array([x, y]))


def _two_dots(work: SheetDrawing, box: CoatBox) -> None:
    way = _way(work.hand.dots_turn + float(work.rng.normal(0, 0.16)))
    half = float(work.rng.uniform(0.1, 0.33)) * np.abs(way * (box.width, box.height)).sum()
    radius = min(_dot_radius(work, box, 0.125), 0.62 * half)
    for side in (-1, 1):
        spot = np.array([box.x, box.y]) + side * half * way
        _dot(work, float(spot[0]), float(spot[1]), radius * _about(work, 1.0, 0.15))


# — stripes —


def _slant(work: SheetDrawing) -> float:
    return work.hand.slant + float(work.rng.normal(0, 0.09))


def _two_stripes(work: SheetDrawing, box: CoatBox) -> None:
    slant = _slant(work)
    across = np.abs(_way(slant + math.pi / 2) * (box.width, box.height)).sum()
    apart = (0.24, 0.44) if work.hand.copies else (0.11, 0.44)
    gap = max(float(work.rng.uniform(*apart)) * across, _GAP_WIDTHS * work.width)
    band = min(_about(work, 0.13, 0.45) * box.least, 0.55 * gap)
    splay = float(work.rng.normal(0, 0.05))
    for side in (-0.5, 0.5):
        _stripe(work, box, slant + side * splay, side * gap, band)


def _stripe(work: SheetDrawing, box: CoatBox, slant: float, offset: float, band: float) -> None:
    """One stripe at this slant, so far beside the middle of its box."""
    rng, along, across = work.rng, _way(slant), _way(slant + math.pi / 2)
    middle = np.array([box.x, box.y]) + offset * across
    # It runs from rim to rim, a little less or more; some people draw only the middle of it.
    chord = min(
        size / max(abs(part), 1e-6)
        for size, part in zip((box.width - abs(offset * across[0]), box.height - abs(offset * across[1])),
                              along, strict=True)
    )  # fmt: skip
    whole = work.hand.copies or rng.random() < 0.88
    length = chord * float(rng.uniform(0.75, 1.12) if whole else rng.uniform(0.5, 0.8))
    length = max(min(length, 1.35 * box.least), 0.45 * box.least)
    bow = (work.hand.bow + float(rng.normal(0, 0.012))) * length
    t = np.linspace(-1, 1, 9)[:, None]
    spine = middle + along * t * length / 2 + across * bow * (1 - t * t)
    way = work.hand.stripe if rng.random() < _KEPT else str(rng.choice(_PLAIN_STRIPES))
    if band < 2 * work.width and way in ("outlined", "filled", "hatched", "coil"):
        way = "line"
    _drawn_stripe(work, spine, across, way, band)


def _drawn_stripe(work: SheetDrawing, spine: Points, across: Points, way: str, band: float) -> None:
    rng, width = work.rng, work.width
    if way == "line":
        work.line(spine, width=width * float(rng.uniform(1, 1.3)))
    elif way == "thick":
        work.line(spine, width=min(width * float(rng.uniform(1.5, 2.6)), max(width, band)))
    elif way == "passes":
        for _ in range(int(rng.integers(2, 5))):
            work.line(spine + rng.normal(0, 0.12 * band, 2) + across * rng.normal(0, 0.25 * band))
    elif way == "broken":
        for part in np.array_split(spine, int(rng.integers(2, 4))):
            work.line(part, width=width * float(rng.uniform(1, 1.8)))
    elif way == "coil":
        t = np.linspace(0, 1, 60)
        run = np.stack([np.interp(t, np.linspace(0, 1, len(spine)), spine[:, k]) for k in (0, 1)], axis=1)
        turns = 2 * math.pi * float(rng.uniform(4, 8)) * t[:, None]
        step = (spine[-1] - spine[0]) / max(float(np.linalg.norm(spine[-1] - spine[0])), 1e-6)
        work.line(run + (np.sin(turns) * across + 0.5 * np.cos(turns) * step) * band / 2)
    else:
        outline = np.concatenate([spine - across * band / 2, (spine + across * band / 2)[::-1]])
        if way == "outlined":
            work.line(outline, closed=True)
            return
        if rng.random() < 0.4:
            work.line(outline, closed=True)
        work.fill([(float(x), float(y)) for x, y in outline], way="cross-hatch" if way == "hatched" else None)


# — areas —


def _quarters(work: SheetDrawing, box: CoatBox) -> None:
    w, h, rng = box.width / 2, box.height / 2, work.rng
    way = work.hand.quarter if rng.random() < _KEPT else "filled"
    if rng.random() < (0.35 if way == "filled" else 0.7):
        work.line([(box.x, box.y - h), (box.x, box.y + h)])
        work.line([(box.x - w, box.y), (box.x + w, box.y)])
    fall = work.hand.quarters_fall
    turn = float(rng.uniform(0, math.pi))
    for sx, sy in ((-1, -1), (1, 1)) if fall else ((1, -1), (-1, 1)):
        part = float(rng.uniform(0.65, 1.02))
        middle = np.array([box.x, box.y])
        corners = np.array([(0, 0), (sx * w, 0), (sx * w, sy * h), (0, sy * h)]) * part
        outline = [(float(x), float(y)) for x, y in corners + middle]
        if way == "filled":
            work.fill(outline)
        elif way == "outlined":
            work.line(outline, closed=True)
        elif way == "crossed":
            work.fill(outline, way="cross-hatch")
        else:
            _strokes(work, np.array(outline), turn + float(rng.normal(0, 0.08)))


def _strokes(work: SheetDrawing, outline: Points, turn: float) -> None:
    """Two to four strokes side by side that stand for a black area."""
    middle, along, across = outline.mean(axis=0), _way(turn), _way(turn + math.pi / 2)
    long, wide = (float(np.ptp(outline @ way)) for way in (along, across))
    count = int(work.rng.integers(2, 5))
    for k in range(count):
        aside = ((k + 0.5) / count - 0.5) * 0.75 * wide
        reach = along * long * (0.46 - 0.5 * abs(aside) / wide) * _about(work, 1.0, 0.15)
        work.line([middle + across * aside - reach, middle + across * aside + reach])


def _black(work: SheetDrawing, box: CoatBox) -> None:
    w, h, rng = box.width / 2, box.height / 2, work.rng
    if rng.random() < 0.5:
        outline = [(-w, -h), (w, -h), (w, h * 0.3), (0, h), (-w, h * 0.3)]
    else:
        outline = [(-w, -h), (w, -h), (w, h), (-w, h)]
    part = np.array([0.92, 0.92]) * rng.uniform(0.85, 1.08, 2)
    if not work.hand.copies and rng.random() < 0.12:
        part[int(rng.integers(2))] *= float(rng.uniform(0.6, 0.8))  # not filled to its end
    drawn = np.array(outline) * part + (box.x, box.y)
    if rng.random() < 0.2:
        work.line(drawn, closed=True)
    work.fill([(float(x), float(y)) for x, y in drawn])
