"""The six coats and the cross, stroke by stroke, each way of drawing them a value that can be set by itself.

A *way* says how a person draws one coat; slants are degrees from level, rising to the right. Lengths are
parts of a square of 30 mm unless something else is said.
"""

from dataclasses import dataclass, field

import numpy as np

from simulation.ink_flow import InkLayer, Path, curved, ring, spiral


@dataclass(frozen=True, slots=True)
class CoatRoom:
    """Where on the sheet a coat goes, in pixels: its middle, and its size."""

    x: float
    y: float
    width: float
    height: float
    square_px: float

    def at(self, across: float, down: float) -> tuple[float, float]:
        """A place in it, from -0.5 to 0.5 either way."""
        return (self.x + across * self.width, self.y + down * self.height)

    def part(self, across: float, down: float, share: float) -> "CoatRoom":
        """A smaller room within this one."""
        x, y = self.at(across, down)
        return CoatRoom(x, y, self.width * share, self.height * share, self.square_px)


@dataclass(frozen=True, slots=True)
class StripeWay:
    """How stripes are drawn: one, or two beside each other."""

    slant: float = 51.0
    length: float = 0.95
    """Of the way from rim to rim; more than 1: over the rim."""
    gap: float = 0.17
    """From the middle of one of two stripes to that of the other."""
    splay: float = 0.0
    """By how many degrees the two differ."""
    uneven: float = 0.0
    """How much shorter the second of two is."""
    bow: float = 0.0
    breaks: int = 0
    aside: float = 0.0
    """How far off the middle, across the stripe."""
    along: float = 0.0
    """How far off the middle, along it."""
    thick: float = 1.0
    """How often the width of the pen."""
    press: float = 1.0
    band: float = 0.0
    """The width of a stripe drawn as a band of hatching; 0: one stroke."""
    hatch: str = "along"
    """How a band is hatched: along, or across."""
    retraced: bool = False


@dataclass(frozen=True, slots=True)
class DotWay:
    """How dots are drawn: one, or two apart."""

    shape: str = "blob"
    """blob, scribble, ring, filled ring, spiral, tick, dash or dab."""
    size: float = 0.1
    """Its width."""
    apart: float = 0.3
    """From the middle of one of two to that of the other."""
    axis: float = 90.0
    """The slant of the line through two."""
    unlike: float = 0.0
    """By how much the second of two is smaller."""
    aside: tuple[float, float] = (0.0, 0.0)
    press: float = 1.0


@dataclass(frozen=True, slots=True)
class QuarterWay:
    """How two opposite quarters are drawn."""

    falling: bool = True
    """Upper left and lower right; otherwise the other two."""
    style: str = "solid"
    """solid, hatched, crossed, zigzag, outlined or strokes."""
    strokes: int = 4
    """How many strokes a quarter gets, where it gets strokes."""
    slant: float = 45.0
    spacing: float = 0.03
    lines: bool = True
    """Whether the shield is first cut in four by two lines."""
    rim: bool = False
    """Whether each quarter gets an outline, too."""
    press: float = 1.0


@dataclass(frozen=True, slots=True)
class BlackWay:
    """How a shield is blackened."""

    style: str = "zigzag"
    """zigzag, solid, ringed, scribble, crossed or half."""
    slant: float = 30.0
    spacing: float = 0.03
    cover: float = 0.95
    """How much of the shield it takes, either way."""
    press: float = 1.0


@dataclass(frozen=True, slots=True)
class CrossWay:
    """How crosses are drawn."""

    upright: bool = False
    """A + rather than an ×."""
    size: float = 0.95
    """Its reach over the radius of the circle."""
    tilt: float = 0.0
    aside: float = 0.0
    press: float = 1.0


@dataclass(frozen=True, slots=True)
class DrawingWays:
    """All ways of one person."""

    stripe: StripeWay = field(default_factory=StripeWay)
    dot: DotWay = field(default_factory=DotWay)
    quarter: QuarterWay = field(default_factory=QuarterWay)
    black: BlackWay = field(default_factory=BlackWay)
    cross: CrossWay = field(default_factory=CrossWay)


def draw_coat_by(ink: InkLayer, coat: str, room: CoatRoom, ways: DrawingWays) -> None:
    """One coat in its room."""
    if coat in ("stripe", "two-stripes"):
        stripes(ink, room, ways.stripe, 1 + (coat == "two-stripes"))
    elif coat in ("dot", "two-dots"):
        dots(ink, room, ways.dot, 1 + (coat == "two-dots"))
    elif coat == "quarters":
        quarters(ink, room, ways.quarter)
    else:
        blacken(ink, room, ways.black)


def _heading(slant: float) -> tuple[Path, Path]:
    """The directions along and across a slant, on a sheet whose y runs down."""
    turn = np.radians(slant)
    return np.array([np.cos(turn), -np.sin(turn)]), np.array([np.sin(turn), np.cos(turn)])


def chord(room: CoatRoom, middle: Path, slant: float) -> tuple[Path, Path] | None:
    """From rim to rim of a room, through this place at this slant; nothing where it misses."""
    way, _ = _heading(slant)
    low, high = -np.inf, np.inf
    for axis, (centre, half) in enumerate(((room.x, room.width / 2), (room.y, room.height / 2))):
        if abs(way[axis]) < 1e-6:
            if abs(middle[axis] - centre) >= half:
                return None
            continue
        ends = sorted((centre + side * half - middle[axis]) / way[axis] for side in (-1, 1))
        low, high = max(low, ends[0]), min(high, ends[1])
    return None if high <= low else (middle + low * way, middle + high * way)


def stripes(ink: InkLayer, room: CoatRoom, way: StripeWay, count: int) -> None:
    """One stripe, or two."""
    unit = room.square_px
    for k in range(count):
        side = (2 * k - 1) if count == 2 else 0
        slant = way.slant + side * way.splay / 2
        along, across = _heading(slant)
        middle = np.array([room.x, room.y]) + across * (way.aside + side * way.gap / 2) * unit
        ends = chord(room, middle, slant)
        if ends is None:
            ends = (middle - along * 0.1 * unit, middle + along * 0.1 * unit)
        centre, half = (ends[0] + ends[1]) / 2, (ends[1] - ends[0]) / 2
        length = way.length * (1 - way.uneven * (k == 1))
        centre = centre + way.along * half
        # Near a corner a stripe is not made too short to be one.
        half = along * max(float(np.hypot(*half)) * length, 0.12 * unit)
        _stripe(ink, (centre - half, centre + half), way, across)


def _stripe(ink: InkLayer, ends: tuple[Path, Path], way: StripeWay, across: Path) -> None:
    unit, rng = ink.square_px, ink.rng
    start, end = ends
    if way.band:
        reach = across * way.band * unit / 2
        if way.hatch == "along":
            # Close enough that nobody takes one band for two stripes.
            for t in np.linspace(-1, 1, max(3, int(way.band / ink.nib.width) + 1)):
                ink.stroke(curved(start + t * reach, end + t * reach, way.bow), press=way.press)
            return
        step = max(1.3 * ink.nib.width, 0.022) * unit
        count = max(4, int(np.hypot(*(end - start)) / step))
        spots = [start + (end - start) * t for t in np.linspace(0, 1, count)]
        zigzag = [spot + reach * (-1) ** k for k, spot in enumerate(spots)]
        ink.stroke(np.array(zigzag), press=way.press)
        return
    path = curved(start, end, way.bow)
    if rng.random() < 0.5:
        path = path[::-1]
    cuts = np.sort(rng.uniform(0.25, 0.75, way.breaks)) * len(path)
    first = 0
    for cut in (*cuts.astype(int), len(path)):
        if cut - first > 2:
            ink.stroke(path[first:cut], thick=way.thick, press=way.press)
        first = cut + 1
    if way.retraced:
        ink.stroke(path[::-1] + rng.normal(0, 0.006 * unit, 2), thick=way.thick, press=way.press)


def dots(ink: InkLayer, room: CoatRoom, way: DotWay, count: int) -> None:
    """One dot, or two."""
    unit = room.square_px
    along, _ = _heading(way.axis)
    middle = np.array(room.at(*way.aside))
    reach = min(way.apart, 0.8 * room.height / unit, 0.25 + 0.5 * abs(along[1])) * unit / 2
    for k in range(count):
        spot = middle + along * reach * (2 * k - 1) if count == 2 else middle
        _dot(ink, spot, way, way.size * (1 - way.unlike * (k == 1)) * unit)


def _dot(ink: InkLayer, spot: Path, way: DotWay, size: float) -> None:
    rng, press = ink.rng, way.press
    reach = max(0.5, size / 2 - ink.nib.width * ink.square_px / 2)
    start = float(rng.uniform(0, 2 * np.pi))
    oval = reach * rng.uniform(0.85, 1.15, 2)
    if way.shape == "dab":
        # A point is pressed on: it is as dark as the pen can do.
        ink.fill(ring(spot, rng.uniform(0.85, 1.15, 2) * size / 2, start=start, turns=1.0), 1.6 * press)
    elif way.shape == "dash":
        turn = float(rng.uniform(0, np.pi))
        half = np.array([np.cos(turn), np.sin(turn)]) * reach
        ink.stroke(curved(spot - half, spot + half), press=press)
    elif way.shape == "tick":
        hook = np.array([(-0.9, -0.1), (-0.3, 0.7), (1.0, -0.9)]) * reach
        ink.stroke(spot + hook, press=press)
    elif way.shape == "ring":
        ink.stroke(ring(spot, oval, start=start, turns=float(rng.uniform(0.95, 1.15))), press=press)
    elif way.shape == "spiral":
        turns = max(1.5, reach / (1.5 * ink.nib.width * ink.square_px))
        ink.stroke(spiral(spot, reach, turns), press=press)
    elif way.shape == "scribble":
        slant = float(rng.uniform(0, 180))
        room = CoatRoom(float(spot[0]), float(spot[1]), size, size, ink.square_px)
        _zigzag(ink, room, (slant, 0.9 * ink.nib.width), press, oval=True)
    else:
        ink.fill(ring(spot, oval, start=start, turns=1.0), press)
        if way.shape == "filled ring":
            ink.stroke(ring(spot, oval * 1.15, start=start), press=press)


def _zigzag(
    ink: InkLayer, room: CoatRoom, lines: tuple[float, float], press: float, *, oval: bool = False
) -> None:
    """To and fro over a room without lifting the pen, at this slant with lines so far apart."""
    slant, spacing = lines
    along, across = _heading(slant)
    reach = (abs(across[0]) * room.width + abs(across[1]) * room.height) / 2
    step = max(1.0, spacing * room.square_px)
    middle, turns = np.array([room.x, room.y]), []
    for k, t in enumerate(np.arange(-reach + step / 2, reach, step)):
        ends = chord(room, middle + across * t, slant)
        if oval:
            half = along * np.sqrt(max(0.0, 1 - (t / reach) ** 2)) * min(room.width, room.height) / 2
            ends = (middle + across * t - half, middle + across * t + half)
        if ends is not None:
            short = ink.rng.uniform(0.0, 0.06, 2) * np.hypot(*(ends[1] - ends[0]))
            both = [ends[0] + along * short[0], ends[1] - along * short[1]]
            turns += both if k % 2 else both[::-1]
    if len(turns) > 1:
        ink.stroke(np.array(turns), press=press)


def _hatching(ink: InkLayer, room: CoatRoom, lines: tuple[float, float], press: float) -> None:
    """Single strokes over a room, at this slant, so far apart."""
    slant, spacing = lines
    along, across = _heading(slant)
    reach = (abs(across[0]) * room.width + abs(across[1]) * room.height) / 2
    step = max(1.0, spacing * room.square_px)
    for t in np.arange(-reach + step / 2, reach, step):
        ends = chord(room, np.array([room.x, room.y]) + across * t, slant)
        if ends is not None and np.hypot(*(ends[1] - ends[0])) > 0.5 * step:
            ink.stroke(np.stack([*ends]) + along * ink.rng.normal(0, 0.01) * room.square_px, press=press)


def quarters(ink: InkLayer, room: CoatRoom, way: QuarterWay) -> None:
    """Two opposite quarters of a shield."""
    if way.lines:
        for start, end in (((0, -0.5), (0, 0.5)), ((-0.5, 0), (0.5, 0))):
            ink.stroke(curved(room.at(*start), room.at(*end)), press=way.press)
    side = 1 if way.falling else -1
    for x, y in ((-0.25 * side, -0.25), (0.25 * side, 0.25)):
        # The foot of a shield is narrow: the lower quarter keeps off its corner.
        low = y > 0
        share = 0.47 if not low else 0.43
        place = room.part(x * (0.98 if not low else 0.86), y * (0.98 if not low else 0.9), share)
        _quarter(ink, place, way)


def _quarter(ink: InkLayer, place: CoatRoom, way: QuarterWay) -> None:
    rim = np.array([place.at(*corner) for corner in ((-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5))])
    lines = (way.slant, way.spacing)
    if way.style == "solid":
        ink.fill(rim, way.press)
    elif way.style == "strokes":
        # Few strokes go from side to side: in a corner one would be no more than a point.
        slant = 90.0 * round(way.slant / 90) if way.strokes < 4 else way.slant
        _, across = _heading(slant)
        reach = abs(across[0]) * place.width + abs(across[1]) * place.height
        _hatching(ink, place, (slant, reach / way.strokes / place.square_px * 0.999), way.press)
    elif way.style == "hatched":
        _hatching(ink, place, lines, way.press)
    elif way.style == "crossed":
        _hatching(ink, place, lines, way.press)
        _hatching(ink, place, (way.slant + 90, way.spacing), way.press)
    elif way.style == "zigzag":
        _zigzag(ink, place, lines, way.press)
    if way.rim or way.style in ("outlined", "solid"):
        ink.stroke(np.vstack([rim, rim[:1]]), press=way.press)


def blacken(ink: InkLayer, room: CoatRoom, way: BlackWay) -> None:
    """A whole shield, or nearly so."""
    place = room.part(0, 0, way.cover)
    lines = (way.slant, way.spacing)
    if way.style == "half":
        # Filled from the top as far as patience lasted, at least to two thirds.
        done = float(ink.rng.uniform(0.66, 0.85))
        y = place.y - place.height * (1 - done) / 2
        _zigzag(
            ink, CoatRoom(place.x, y, place.width, place.height * done, place.square_px), lines, way.press
        )
    elif way.style in ("solid", "ringed"):
        outline = _shield_rim(place)
        if way.style == "solid":
            ink.fill(outline, way.press)
        else:
            _zigzag(ink, place.part(0, -0.03, 0.9), lines, way.press)
        ink.stroke(np.vstack([outline, outline[:1]]), press=way.press)
    elif way.style == "scribble":
        middle, half = np.array([place.x, place.y]), np.array([place.width, place.height]) / 2
        turns = int(np.clip(1.1 / max(way.spacing, 0.02), 14, 40))
        angle = np.linspace(0, 2 * np.pi * turns, turns * 16)
        wander = np.stack([np.sin(angle * 0.173 + way.slant), np.cos(angle * 0.117)], axis=1)
        loop = np.stack([np.cos(angle), np.sin(angle)], axis=1)
        ink.stroke(middle + half * (0.52 * loop + 0.48 * wander), press=way.press)
    elif way.style == "crossed":
        _hatching(ink, place, lines, way.press)
        _hatching(ink, place, (way.slant + 90, way.spacing), way.press)
    else:
        _zigzag(ink, place, lines, way.press)


def _shield_rim(room: CoatRoom) -> Path:
    """A shield as hands draw it: straight above, narrowing below."""
    shape = ((-0.5, -0.5), (0.5, -0.5), (0.5, 0.05), (0.36, 0.3), (0.0, 0.5), (-0.36, 0.3), (-0.5, 0.05))
    return np.array([room.at(*spot) for spot in shape])


def cross(ink: InkLayer, spot: Path, radius: float, way: CrossWay) -> None:
    """Two strokes through a circle of this radius (px)."""
    rng = ink.rng
    spot = spot + rng.normal(0, way.aside, 2) * radius
    turn = (0 if way.upright else 45) + way.tilt + float(rng.normal(0, 4))
    for slant in (turn, turn + 90 + float(rng.normal(0, 6))):
        along, _ = _heading(slant)
        half = along * way.size * radius * float(rng.uniform(0.88, 1.12))
        middle = spot + rng.normal(0, 0.06, 2) * radius
        ink.stroke(curved(middle - half, middle + half, float(rng.normal(0, 0.03))), press=way.press)
