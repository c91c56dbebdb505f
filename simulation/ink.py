"""Ink and lead on paper: pens, hands, and how people draw the six coats and their crosses.

Everything is drawn on a mask of one pen (255 where its line runs) in pixels of the paper; a ``Box`` says
where a coat belongs. ``TAUGHT`` is the variety that readers learn from; ``UNSEEN`` holds other pens and other
ways to draw, and nothing but measuring may use it.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
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


@dataclass(frozen=True, slots=True)
class Variety:
    """The pens and the ways of drawing that a person may have."""

    pens: tuple[PenKind, ...]
    dots: tuple[str, ...]
    fills: tuple[str, ...]
    shake: Range
    sloppy: Range


@dataclass(frozen=True, slots=True)
class Pen:
    """One pen in use; ``width`` is a part of a square's side."""

    width: float
    dark: float
    colour: tuple[float, float, float]
    grain: float


@dataclass(frozen=True, slots=True)
class Hand:
    """How one person draws, all through a sheet."""

    shake: float
    sloppy: float
    dot: str
    fill: str
    slope: float
    """The sine of a stripe's rise: negative falls to the right."""
    dots_upright: bool
    """Whether two dots stand one above the other."""
    quarters_fall: bool
    """Whether the upper left and lower right quarters are the black ones."""
    dense: float
    """How near the lines of a filling lie, in pen widths."""


@dataclass(frozen=True, slots=True)
class Box:
    """Where a coat is drawn: its middle and size in pixels."""

    x: float
    y: float
    width: float
    height: float


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
        PenKind("felt-tip", (0.02, 0.045), (0.75, 1.0), (_BLACK, _BLUE, _RED, _GREEN), (0.0, 0.1)),
        PenKind("marker", (0.045, 0.075), (0.8, 1.0), (_BLACK, _BLUE, _RED), (0.0, 0.05)),
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
    shake=(0.0, 0.035),
    sloppy=(0.0, 1.0),
)
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
    )


def random_hand(rng: np.random.Generator, variety: Variety) -> Hand:
    """Anybody's hand."""
    return Hand(
        shake=float(rng.uniform(*variety.shake)),
        sloppy=float(rng.uniform(*variety.sloppy)),
        dot=variety.dots[int(rng.integers(len(variety.dots)))],
        fill=variety.fills[int(rng.integers(len(variety.fills)))],
        slope=float(rng.uniform(0.15, 0.85) * (1 if rng.random() < 0.8 else -1)),
        dots_upright=bool(rng.random() < 0.75),
        quarters_fall=bool(rng.random() < 0.6),
        dense=float(rng.uniform(1.0, 2.6)),
    )


class Drawing:
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

    def coat(self, coat: str, box: Box) -> None:
        """One of the six coats in its box, as this hand draws it."""
        box = self._placed(box)
        if coat == "dot":
            self._dot(box.x, box.y, min(box.width, box.height) * self._about(0.17, 0.35))
        elif coat == "two-dots":
            self._two_dots(box)
        elif coat == "stripe":
            self._stripe(box, 0.0)
        elif coat == "two-stripes":
            gap = box.height * float(self.rng.uniform(0.26, 0.42))
            for side in (-0.5, 0.5):
                self._stripe(box, side * gap)
        elif coat == "quarters":
            self._quarters(box)
        else:
            self._black(box)

    def cross(self, x: float, y: float, radius: float) -> None:
        """A cross at (about) this place."""
        off = self.hand.sloppy * radius * 0.45
        x, y = x + float(self.rng.normal(0, off)), y + float(self.rng.normal(0, off))
        reach = radius * self._about(0.95, 0.3)
        tilt = float(self.rng.normal(0, 0.12 + 0.15 * self.hand.sloppy))
        upright = math.pi / 4 if self.rng.random() < 0.88 else 0.0
        width = min(self.width, 0.62 * radius)
        for turn in (upright + tilt, upright + tilt + math.pi / 2 + float(self.rng.normal(0, 0.12))):
            dx, dy = reach * math.cos(turn), reach * math.sin(turn)
            one, two = self.rng.uniform(0.8, 1.25, 2)
            self.line([(x - dx * one, y - dy * one), (x + dx * two, y + dy * two)], width=width)

    def fill(self, outline: Sequence[tuple[float, float]]) -> None:
        """An area filled the way this hand fills, with its holes and its lines over the edge."""
        area = np.asarray(outline, dtype=np.float64)
        if self.hand.fill == "solid":
            self._area(self._shaken(area))
        elif self.hand.fill == "tangle":
            self._tangle(area)
        elif self.hand.fill == "loops":
            self._coil(area)
        else:
            self._hatch(area, float(self.rng.uniform(0, math.pi)))
            if self.hand.fill == "cross-hatch":
                self._hatch(area, float(self.rng.uniform(0, math.pi)))

    def doodle(self, x: float, y: float, size: float) -> None:
        """A word-like wave or a curl: nothing that counts."""
        t = np.linspace(0, 1, 24)
        waves = float(self.rng.uniform(2, 6)) * 2 * math.pi
        wave = np.stack([x + size * (t - 0.5), y + 0.18 * size * np.sin(waves * t)], axis=1)
        wave += self.rng.normal(0, 0.02 * size, wave.shape)
        self.line(wave)

    def _about(self, value: float, spread: float) -> float:
        return value * float(self.rng.uniform(1 - spread, 1 + spread))

    def _placed(self, box: Box) -> Box:
        off = 0.05 * self.hand.sloppy
        return Box(
            box.x + float(self.rng.normal(0, off)) * box.width,
            box.y + float(self.rng.normal(0, off)) * box.height,
            box.width * self._about(0.95, 0.08 + 0.1 * self.hand.sloppy),
            box.height * self._about(0.95, 0.08 + 0.1 * self.hand.sloppy),
        )

    def _dot(self, x: float, y: float, radius: float) -> None:
        turns = np.linspace(0, 2 * math.pi, 14, endpoint=False) + float(self.rng.uniform(0, 6))
        squash = float(self.rng.uniform(0.75, 1.3))
        ring = np.stack([x + radius * squash * np.cos(turns), y + radius / squash * np.sin(turns)], axis=1)
        ring += self.rng.normal(0, 0.07 * radius, ring.shape)
        if self.hand.dot == "blob":
            self._area(ring)
        elif self.hand.dot == "ring and point":
            self.line(ring, closed=True)
            self._area((ring - (x, y)) * 0.35 + (x, y))
        elif self.hand.dot == "ring":
            for _ in range(1 + (self.rng.random() < 0.3)):
                self.line(ring, closed=True)
        elif self.hand.dot == "tick":
            lean = float(self.rng.normal(0.2, 0.3)) * radius
            tall = 0.55 * radius
            hook = (x - 0.6 * radius, y) if self.rng.random() < 0.5 else (x - lean / 2, y + tall * 0.8)
            self.line([hook, (x - lean / 2, y + tall), (x + lean, y - tall)], width=self.width * 1.6)
        else:
            inward = np.linspace(1, 0.1, 26 if self.hand.dot == "spiral" else 34)
            loops = np.linspace(0, 2 * math.pi * self.rng.uniform(2.2, 4.5), len(inward))
            spin = np.stack([np.cos(loops), np.sin(loops)], axis=1) * inward[:, None] * radius
            if self.hand.dot == "scribble":
                spin += self.rng.normal(0, 0.16 * radius, spin.shape)
            self.line(spin + np.array([x, y]))

    def _two_dots(self, box: Box) -> None:
        radius = min(box.width, box.height) * self._about(0.13, 0.3)
        apart = float(self.rng.uniform(0.22, 0.3))
        lean = float(self.rng.normal(0, 0.06))
        for side in (-1, 1):
            along, across = side * apart, side * lean
            dx, dy = (across, along) if self.hand.dots_upright else (along, across)
            self._dot(box.x + dx * box.width, box.y + dy * box.height, radius)

    def _stripe(self, box: Box, offset: float) -> None:
        slope = self.hand.slope + float(self.rng.normal(0, 0.1))
        half = box.width / 2 * self._about(0.97, 0.12)
        rise = min(abs(slope) * box.width, 0.85 * box.height - abs(offset)) / 2 * math.copysign(1, slope)
        ends = [(box.x - half, box.y + offset + rise), (box.x + half, box.y + offset - rise)]
        band = box.height * self._about(0.16, 0.4) * (0.75 if offset else 1.0)
        if self.rng.random() < 0.4 or band < 2 * self.width:
            self.line(ends, width=max(self.width, self.rng.uniform(1, 2.4) * self.width))
            return
        (ax, ay), (bx, by) = ends
        outline = [(ax, ay - band / 2), (bx, by - band / 2), (bx, by + band / 2), (ax, ay + band / 2)]
        if self.rng.random() < 0.4:
            self.line(outline, closed=True)
        self.fill(outline)

    def _quarters(self, box: Box) -> None:
        w, h = box.width / 2, box.height / 2
        if self.rng.random() < 0.35:
            self.line([(box.x, box.y - h), (box.x, box.y + h)])
            self.line([(box.x - w, box.y), (box.x + w, box.y)])
        fall = self.hand.quarters_fall
        for sx, sy in ((-1, -1), (1, 1)) if fall else ((1, -1), (-1, 1)):
            part = float(self.rng.uniform(0.72, 1.0))
            x0, y0, x1, y1 = 0.0, 0.0, sx * w * part, sy * h * part
            outline = [(x0, y0), (x1, y0), (x1, y1), (x0, y1)]
            self.fill([(box.x + x, box.y + y) for x, y in outline])

    def _black(self, box: Box) -> None:
        w, h = box.width / 2, box.height / 2
        if self.rng.random() < 0.5:
            outline = [(-w, -h), (w, -h), (w, h * 0.3), (0, h), (-w, h * 0.3)]
        else:
            outline = [(-w, -h), (w, -h), (w, h), (-w, h)]
        self.fill([(box.x + 0.92 * x, box.y + 0.92 * y) for x, y in outline])

    def _hatch(self, area: Points, turn: float) -> None:
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
            if self.hand.fill == "waves":
                self._wave(first, last, across * step)
                continue
            slip = self.hand.sloppy * step * 0.8
            pair = [tuple(p + along * self.rng.normal(0, slip)) for p in (first, last)]
            zigzag += pair[:: 1 if k % 2 else -1]
            if self.hand.fill == "hatch":
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

    def _area(self, outline: Points) -> None:
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


def laid(paper: NDArray[np.float32], mask: NDArray[Any], pen: Pen, rng: np.random.Generator) -> None:
    """The lines of a mask put on paper (light per channel, changed in place) as this pen leaves them."""
    tooth: NDArray[Any] = rng.random(mask.shape, dtype=np.float32)
    tooth = cv2.GaussianBlur(tooth, (0, 0), 0.9)
    tooth = np.clip((tooth - 0.5) * 4 + 0.5, 0, 1)
    press = cv2.resize(rng.uniform(0.82, 1.0, (6, 8)).astype(np.float32), mask.shape[::-1])
    alpha = mask.astype(np.float32) / 255 * pen.dark * press * (1 - pen.grain * tooth)
    paper *= 1 - alpha[:, :, None] * (1 - np.array(pen.colour, dtype=np.float32))
