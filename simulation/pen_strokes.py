"""Ink and lead on paper: pens, hands, and the strokes that people make with them.

Everything is drawn on a mask of one pen (255 where its line runs) in pixels of the paper. ``TAUGHT`` is the
variety that readers learn from, as ``PUPILS``, who err; ``UNSEEN`` holds other pens and ways to draw, and
nothing but measuring may use it. How the six coats are drawn is told by ``simulation.drawn_coats``.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

Mask: TypeAlias = NDArray[np.uint8]
Points: TypeAlias = NDArray[np.float64]
Range: TypeAlias = tuple[float, float]
_FIFTHS = np.arange(5) / 5
_SHIFT = 4
"""Places after the binary point of a pixel, for lines that do not jump from pixel to pixel."""


@dataclass(frozen=True, slots=True)
class PenKind:
    """What pens of a kind share; widths are parts of a square's side."""

    name: str
    width: Range
    dark: Range
    """How much of the paper's light a line takes away."""
    colours: tuple[tuple[float, float, float], ...]
    """Blue, green and red that the line itself throws back."""
    grain: Range
    """How much of the paper's tooth shows in a line."""
    bleed: Range = (0.0, 0.0)
    """How far ink runs into the paper, as a part of a square's side."""


@dataclass(frozen=True, slots=True)
class Variety:
    """The pens and the ways of drawing that a person may have."""

    pens: tuple[PenKind, ...]
    dots: tuple[str, ...]
    fills: tuple[str, ...]
    stripes: tuple[str, ...]
    quarters: tuple[str, ...]
    shake: Range
    sloppy: Range
    copying: float = 0.0
    """How many people copy coats as they are printed on the dice."""
    second_thoughts: float = 0.0
    """How many people put coats right by hand, and as many leave marks that mean nothing."""
    least_dab: float = 0.03
    """The smallest dot that is only dabbed, as a part of a shield's shorter side."""


@dataclass(frozen=True, slots=True)
class Pen:
    """One pen in use; ``width`` is a part of a square's side."""

    width: float
    dark: float
    colour: tuple[float, float, float]
    grain: float
    bleed: float = 0.0


@dataclass(frozen=True, slots=True)
class Hand:
    """How one person draws, all through a sheet."""

    shake: float = 0.0
    sloppy: float = 0.0
    dot: str = "blob"
    fill: str = "solid"
    stripe: str = "line"
    quarter: str = "filled"
    slant: float = 0.6
    """The angle of a stripe's rise in radians, 0 to π: level, rising, upright, falling."""
    dots_turn: float = 1.57
    """The angle from one of two dots to the other."""
    quarters_fall: bool = True
    """Whether the upper left and lower right quarters are the black ones."""
    dense: float = 1.0
    """How near the lines of a filling lie, in pen widths."""
    bow: float = 0.0
    """How far a long line bends to one side, as a part of its length."""
    copies: bool = False
    """Whether coats are copied as they are printed: whole, stripes that rise or fall, well apart."""
    least_dab: float = 0.03


_BLACK, _GREY = (0.06, 0.06, 0.06), (0.22, 0.21, 0.2)
_BLUE, _NAVY, _RED = (0.55, 0.18, 0.08), (0.3, 0.1, 0.06), (0.12, 0.1, 0.65)
_GREEN, _PURPLE, _ORANGE = (0.15, 0.4, 0.08), (0.5, 0.12, 0.4), (0.08, 0.35, 0.85)
_BROWN, _TEAL, _PINK, _SKY = (0.1, 0.2, 0.35), (0.4, 0.42, 0.08), (0.5, 0.25, 0.8), (0.8, 0.5, 0.15)
_LIME, _YELLOW_BROWN = (0.12, 0.6, 0.35), (0.05, 0.4, 0.6)

TAUGHT = Variety(
    pens=(
        PenKind("pencil", (0.012, 0.03), (0.42, 0.8), (_GREY,), (0.2, 0.6)),
        PenKind("faint pencil", (0.012, 0.022), (0.32, 0.45), (_GREY,), (0.1, 0.4)),
        PenKind("ballpoint", (0.01, 0.018), (0.65, 0.95), (_BLACK, _BLUE, _NAVY), (0.0, 0.25)),
        PenKind(
            "felt-tip", (0.02, 0.045), (0.75, 1.0), (_BLACK, _BLUE, _RED, _GREEN), (0.0, 0.1), (0.0, 0.012)
        ),
        PenKind("marker", (0.045, 0.075), (0.8, 1.0), (_BLACK, _BLUE, _RED), (0.0, 0.05), (0.0, 0.018)),
        PenKind(
            "coloured pencil",
            (0.016, 0.05),
            (0.35, 0.8),
            (_BROWN, _TEAL, _PINK, _SKY, _RED, _BLUE, _GREEN, _LIME, _YELLOW_BROWN),
            (0.15, 0.6),
        ),
        PenKind("roller", (0.014, 0.026), (0.6, 1.0), (_TEAL, _BROWN, _PINK, _SKY, _BLACK), (0.0, 0.2)),
    ),
    dots=("blob", "blob", "ring", "tick", "scribble", "ring and point"),
    fills=("zigzag", "zigzag", "hatch", "cross-hatch", "solid", "tangle", "waves"),
    stripes=("line", "line", "thick", "passes", "broken", "outlined", "filled", "hatched"),
    quarters=("filled", "filled", "strokes", "crossed", "outlined"),
    shake=(0.0, 0.035),
    sloppy=(0.0, 1.0),
    copying=0.4,
)
PUPILS = replace(TAUGHT, second_thoughts=0.15, least_dab=0.018)
"""What readers learn from: some of these people put coats right, leave stray marks, only dab their dots."""
UNSEEN = Variety(
    pens=(
        PenKind("soft pencil", (0.018, 0.04), (0.35, 0.75), ((0.3, 0.28, 0.27),), (0.4, 0.7)),
        PenKind("hard pencil", (0.011, 0.016), (0.3, 0.5), ((0.35, 0.35, 0.36),), (0.1, 0.4)),
        PenKind("gel pen", (0.014, 0.024), (0.7, 0.95), (_PURPLE, _ORANGE, (0.1, 0.1, 0.3)), (0.0, 0.15)),
        PenKind("fineliner", (0.012, 0.02), (0.85, 1.0), (_BLACK, _PURPLE), (0.0, 0.05)),
        PenKind("crayon", (0.05, 0.07), (0.55, 0.85), (_ORANGE, _RED, _PURPLE), (0.4, 0.65)),
    ),
    dots=("blob", "spiral", "ring", "scribble"),
    fills=("zigzag", "loops", "hatch", "solid"),
    stripes=("line", "thick", "coil", "filled", "broken"),
    quarters=("filled", "strokes", "outlined"),
    shake=(0.0, 0.03),
    sloppy=(0.0, 0.95),
)


def random_pen(rng: np.random.Generator, variety: Variety) -> Pen:
    """Any pen of the variety."""
    kind = variety.pens[int(rng.integers(len(variety.pens)))]
    colour = kind.colours[int(rng.integers(len(kind.colours)))]
    return Pen(
        float(rng.uniform(*kind.width)),
        float(rng.uniform(*kind.dark)),
        colour,
        float(rng.uniform(*kind.grain)),
        float(rng.uniform(*kind.bleed)),
    )


def random_hand(rng: np.random.Generator, variety: Variety) -> Hand:
    """Anybody's hand."""

    def one(ways: tuple[str, ...]) -> str:
        return ways[int(rng.integers(len(ways)))]

    hand = Hand(
        shake=float(rng.uniform(*variety.shake)),
        sloppy=float(rng.uniform(*variety.sloppy)),
        dot=one(variety.dots),
        fill=one(variety.fills),
        stripe=one(variety.stripes),
        quarter=one(variety.quarters),
        slant=_random_slant(rng),
        dots_turn=float(rng.uniform(0, math.pi) if rng.random() < 0.4 else math.pi / 2 * rng.integers(2)),
        quarters_fall=bool(rng.random() < 0.6),
        dense=float(rng.uniform(1.0, 2.6)),
        bow=float(rng.uniform(-0.14, 0.14) if rng.random() < 0.3 else rng.normal(0, 0.015)),
        least_dab=variety.least_dab,
    )
    if variety.copying and rng.random() < variety.copying:
        rise = math.asin(float(rng.uniform(0.1, 0.75)))
        hand = replace(hand, copies=True, bow=0.0, slant=rise if rng.random() < 0.8 else math.pi - rise)
    return hand


def _random_slant(rng: np.random.Generator) -> float:
    """Most people's stripes rise to the right as printed ones do; some fall, lie or stand."""
    if rng.random() < 0.5:
        return float(rng.uniform(0, math.pi))
    return float(rng.uniform(0.15, 1.35) if rng.random() < 0.7 else math.pi - rng.uniform(0.15, 1.35))


class SheetDrawing:
    """A person at work on one sheet: a mask, a hand, a pen's width in pixels."""

    def __init__(self, mask: Mask, hand: Hand, width_px: float, rng: np.random.Generator) -> None:
        self.mask = mask
        self.hand = hand
        self.width = width_px
        self.rng = rng

    def line(self, points: object, *, width: float | None = None, closed: bool = False) -> None:
        """A stroke through ``points`` (n×2) with this hand's shake."""
        drawn = self._shaken(np.asarray(points, dtype=np.float64))
        self._stroke(drawn, self.width if width is None else width, closed)

    def cross(self, x: float, y: float, radius: float) -> None:
        """A cross at (about) this place."""
        off = self.hand.sloppy * radius * 0.45
        x, y = x + float(self.rng.normal(0, off)), y + float(self.rng.normal(0, off))
        reach = radius * float(self.rng.uniform(0.65, 1.3))
        tilt = float(self.rng.normal(0, 0.12 + 0.15 * self.hand.sloppy))
        upright = math.pi / 4 if self.rng.random() < 0.8 else 0.0
        width = min(self.width, 0.62 * radius)
        for turn in (upright + tilt, upright + tilt + math.pi / 2 + float(self.rng.normal(0, 0.12))):
            dx, dy = reach * math.cos(turn), reach * math.sin(turn)
            one, two = self.rng.uniform(0.8, 1.25, 2)
            self.line([(x - dx * one, y - dy * one), (x + dx * two, y + dy * two)], width=width)

    def fill(self, outline: Sequence[tuple[float, float]], *, way: str | None = None) -> None:
        """An area filled the way this hand fills, with its holes and its lines over the edge."""
        area = np.asarray(outline, dtype=np.float64)
        way = way or self.hand.fill
        if way == "solid":
            self.area(self._shaken(area))
        elif way == "tangle":
            self._tangle(area)
        elif way == "loops":
            self._coil(area)
        else:
            turn = float(self.rng.uniform(0, math.pi))
            self._hatch(area, turn, way)
            if way == "cross-hatch":
                self._hatch(area, turn + float(self.rng.uniform(0.8, 2.3)), way)

    def doodle(self, x: float, y: float, size: float) -> None:
        """A word-like wave or a curl: nothing that counts."""
        t = np.linspace(0, 1, 24)
        waves = float(self.rng.uniform(2, 6)) * 2 * math.pi
        wave = np.stack([x + size * (t - 0.5), y + 0.18 * size * np.sin(waves * t)], axis=1)
        wave += self.rng.normal(0, 0.02 * size, wave.shape)
        self.line(wave)

    def _hatch(self, area: Points, turn: float, way: str) -> None:
        """Lines to and fro across an area, joined at their ends or not."""
        # Who fills an area leaves gaps that are small beside it, however broad the pen.
        _, sides, _ = cv2.minAreaRect(area.astype(np.float32))
        step = max(min(self.width * self.hand.dense, self.width + 0.12 * min(sides)), 1.2)
        along, across = (
            np.array([math.cos(turn), math.sin(turn)]),
            np.array([-math.sin(turn), math.cos(turn)]),
        )
        heights = area @ across
        zigzag: list[tuple[float, float]] = []
        for k, level in enumerate(np.arange(heights.min() + step / 2, heights.max(), step)):
            ends = _crossings(area, across, float(level) + float(self.rng.normal(0, 0.12 * step)))
            if len(ends) < 2:
                continue
            span = sorted(ends, key=lambda p: float(p @ along))
            first, last = span[0], span[-1]
            if way == "waves":
                self._wave(first, last, across * step)
                continue
            slip = self.hand.sloppy * step * 0.8
            pair = [tuple(p + along * self.rng.normal(0, slip)) for p in (first, last)]
            zigzag += pair[:: 1 if k % 2 else -1]
            if way == "hatch":
                self.line(zigzag)
                zigzag = []
        if len(zigzag) > 1:
            self.line(zigzag)

    def _wave(self, first: Points, last: Points, reach: Points) -> None:
        """One line of a filling that goes up and down on its way."""
        waves = max(1.0, float(np.linalg.norm(last - first)) / (2.5 * float(np.linalg.norm(reach)) + 1e-6))
        t = np.linspace(0, 1, int(6 * waves) + 2)[:, None]
        self.line(first + (last - first) * t + 0.5 * reach * np.sin(2 * math.pi * waves * t))

    def _tangle(self, area: Points) -> None:
        """A line to and fro without any order, all inside the area."""
        low, high = area.min(axis=0), area.max(axis=0)
        size = float(np.prod(high - low))
        count = int(np.clip(2.4 * size / (self.width * self.hand.dense) / max(high - low), 24, 260))
        polygon = area.astype(np.float32).reshape(-1, 1, 2)
        spots = [(float(x), float(y)) for x, y in self.rng.uniform(low, high, (count, 2))]
        inside = [spot for spot in spots if cv2.pointPolygonTest(polygon, spot, False) >= 0]
        if len(inside) > 1:
            self.line(inside)

    def _coil(self, area: Points) -> None:
        """Loops that run from one end of the area to the other."""
        middle = area.mean(axis=0)
        _, _, axes = np.linalg.svd(area - middle)
        reach = np.abs((area - middle) @ axes.T).max(axis=0)
        radius = min(float(reach.min()) * 0.85, float(reach.max()))
        turns = max(3.0, 2 * float(reach.max()) / (self.width * self.hand.dense))
        t = np.linspace(0, 1, int(turns * 9))
        run = np.outer(2 * t - 1, axes[0]) * max(float(reach.max()) - 0.4 * radius, 0.0)
        loop = np.outer(np.cos(2 * math.pi * turns * t), axes[1]) * radius
        loop += np.outer(np.sin(2 * math.pi * turns * t), axes[0]) * radius * 0.3
        self.line(middle + run + loop)

    def _shaken(self, points: Points) -> Points:
        """The points with more points between them, each a little off: slow waves and a tremor."""
        if len(points) < 2:
            return points
        between = points[:-1, None] + _FIFTHS[:, None] * np.diff(points, axis=0)[:, None]
        dense = np.concatenate([between.reshape(-1, 2), points[-1:]]) if len(points) < 40 else points
        reach = float(np.ptp(points, axis=0).max()) + 4 * self.width
        return np.asarray(dense + self.rng.normal(0, self.hand.shake * 0.5 * reach, dense.shape))

    def _stroke(self, points: Points, width: float, closed: bool) -> None:
        fixed = np.round(points * (1 << _SHIFT)).astype(np.int32)
        if width >= 1.5:
            cv2.polylines(self.mask, [fixed], closed, 255, max(1, round(width)), cv2.LINE_AA, _SHIFT)
        else:
            cv2.polylines(
                self.mask, [fixed], closed, int(255 * max(0.55, width / 1.5)), 1, cv2.LINE_AA, _SHIFT
            )

    def area(self, outline: Points) -> None:
        """An area wholly under ink."""
        fixed = np.round(outline * (1 << _SHIFT)).astype(np.int32)
        cv2.fillPoly(self.mask, [fixed], 255, cv2.LINE_AA, _SHIFT)


def _crossings(area: Points, across: Points, level: float) -> list[Points]:
    """Where the line at this height crosses the outline."""
    found = []
    for a, b in zip(area, np.roll(area, -1, axis=0), strict=True):
        ha, hb = float(a @ across) - level, float(b @ across) - level
        if ha * hb < 0:
            found.append(np.asarray(a + (b - a) * ha / (ha - hb)))
    return found


def laid(
    paper: NDArray[np.float32], mask: NDArray[Any], pen: Pen, rng: np.random.Generator, square_px: float
) -> None:
    """The lines of a mask put on paper (light per channel, changed in place) as this pen leaves them.

    ``square_px`` is how many of its pixels a square of the map is wide.
    """
    tooth: NDArray[Any] = rng.random(mask.shape, dtype=np.float32)
    tooth = cv2.GaussianBlur(tooth, (0, 0), 0.9)
    tooth = np.clip((tooth - 0.5) * 4 + 0.5, 0, 1)
    press = cv2.resize(rng.uniform(0.82, 1.0, (6, 8)).astype(np.float32), mask.shape[::-1])
    if pen.bleed:
        mask = cv2.GaussianBlur(mask, (0, 0), max(0.3, pen.bleed * square_px))
    alpha = mask.astype(np.float32) / 255 * pen.dark * press * (1 - pen.grain * tooth)
    paper *= 1 - alpha[:, :, None] * (1 - np.array(pen.colour, dtype=np.float32))
