"""Pens as their ink flows: brushes stamped along a path, and ink that swallows light as filters do.

A stroke leaves an *amount* of ink on a layer that is three times as fine as the sheet. Amounts of several
strokes add up; what light is left falls with the power of e, colour by colour (Beer and Lambert).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

FINE = 3
"""Points of a layer of ink along one pixel of the sheet."""
Path = NDArray[np.float64]
Field = NDArray[Any]
Spot = Sequence[float] | Path
"""A place on the sheet, in its pixels."""

INKS: dict[str, tuple[float, float, float]] = {
    "black": (2.6, 2.6, 2.6), "blue": (0.75, 1.9, 2.7), "navy": (1.4, 2.3, 2.6), "red": (2.2, 2.3, 0.5),
    "green": (1.7, 0.75, 2.3), "violet": (0.95, 2.3, 1.5), "brown": (2.4, 1.8, 1.1), "grey": (1.0, 1.0, 1.0),
}  # fmt: skip
"""How much of blue, green and red light a full coat of ink swallows, as an exponent."""


@dataclass(frozen=True, slots=True)
class Nib:
    """What a pen leaves on paper; lengths are parts of a square of 30 mm."""

    width: float = 0.7 / 30
    ink: tuple[float, float, float] = INKS["blue"]
    full: float = 1.0
    """How much ink an ordinary stroke leaves; 1: a full coat."""
    soft: float = 0.004
    """How far an edge fades."""
    ragged: float = 0.0
    """How far fibres draw the edge out."""
    blobs: float = 0.0
    """How often a stroke ends in a blob."""
    grain: float = 0.0
    """How much of the ink the valleys of the paper do not get, 0 to 1."""
    skips: float = 0.0
    """How often the ink stops for a moment, a stroke."""
    swing: float = 0.1
    """How far pressure changes along a stroke."""
    taper: float = 0.15
    """How much lighter a stroke begins and ends."""


@dataclass(frozen=True, slots=True)
class Wrist:
    """How steadily lines are drawn; lengths are parts of a square."""

    drift: float = 0.008
    """How far a line strays, slowly."""
    shake: float = 0.002
    """How far it trembles, fast."""


def curved(start: Spot, end: Spot, bow: float = 0.0) -> Path:
    """A line from here to there that bends aside by this part of its length."""
    a, b = np.asarray(start, np.float64), np.asarray(end, np.float64)
    t = np.linspace(0, 1, 25)[:, None]
    aside = np.array([-(b - a)[1], (b - a)[0]]) * bow
    return np.asarray(a + (b - a) * t + aside * 4 * t * (1 - t))


def ring(middle: Spot, radii: Spot, *, start: float = 0.0, turns: float = 1.05) -> Path:
    """Around a middle, a little further than once."""
    angle = start + np.linspace(0, 2 * np.pi * turns, max(12, int(28 * turns)))
    return np.asarray(np.asarray(middle) + np.stack([np.cos(angle), np.sin(angle)], axis=1) * radii)


def spiral(middle: Spot, radius: float, turns: float) -> Path:
    """From the middle outwards."""
    angle = np.linspace(0, 2 * np.pi * turns, int(24 * turns) + 4)
    reach = radius * np.linspace(0.05, 1, len(angle))
    return np.asarray(np.asarray(middle) + np.stack([np.cos(angle), np.sin(angle)], axis=1) * reach[:, None])


def resampled(points: Path, step: float) -> Path:
    """The same way in steps of this length."""
    lengths = np.hypot(*np.diff(points, axis=0).T)
    along = np.concatenate([[0.0], np.cumsum(lengths)])
    count = max(2, int(np.ceil(along[-1] / step)) + 1)
    at = np.linspace(0, along[-1], count)
    return np.stack([np.interp(at, along, points[:, 0]), np.interp(at, along, points[:, 1])], axis=1)


def _slow(rng: np.random.Generator, count: int, every: float) -> Field:
    """Smooth chance along a line: about one turn every so many steps."""
    knots = max(3, int(count / max(1.0, every)) + 3)
    return np.asarray(np.interp(np.linspace(0, knots - 1, count), np.arange(knots), rng.normal(0, 1, knots)))


class InkLayer:
    """All that is written on a sheet with one pen, before it is laid on the paper."""

    def __init__(
        self, size: tuple[int, int], nib: Nib, wrist: Wrist, square_px: float, rng: np.random.Generator
    ) -> None:
        self.nib, self.wrist, self.square_px, self.rng = nib, wrist, square_px, rng
        self.amount: Field = np.zeros((size[0] * FINE, size[1] * FINE), np.float32)

    def stroke(self, points: Path, *, thick: float = 1.0, press: float = 1.0, steady: bool = False) -> None:
        """One stroke along points (px of the sheet), as this pen and wrist make it."""
        nib, rng, unit = self.nib, self.rng, self.square_px * FINE
        width = max(1.0, nib.width * thick * unit)
        path = resampled(np.asarray(points, np.float64) * FINE, max(1.5, min(0.35 * width, 5.0)))
        count, step = len(path), float(np.hypot(*(path[1] - path[0])))
        if not steady and count > 4:
            calm = min(1.0, count * step / (0.25 * unit))
            for axis in (0, 1):
                path[:, axis] += calm * self.wrist.drift * unit * _slow(rng, count, 0.3 * unit / step)
                path[:, axis] += self.wrist.shake * unit * _slow(rng, count, 0.05 * unit / step)
        flow = 1 + nib.swing * _slow(rng, count, 0.2 * unit / step)
        ends = np.minimum(np.arange(count), np.arange(count)[::-1]) * step / (1.5 * width)
        flow *= 1 - nib.taper * np.clip(1 - ends, 0, 1)
        if rng.random() < nib.skips and count > 12:
            first = int(rng.integers(2, count - 6))
            flow[first : first + max(2, int(0.05 * unit / step))] *= 0.15
        self._stamp(path, width, np.clip(flow * nib.full * press, 0.02, 2.0))

    def _stamp(self, path: Path, width: float, flow: Field) -> None:
        """Lay ink along a path in points of the layer."""
        rng, nib = self.rng, self.nib
        edge = int(2 * width + 6)
        low = np.maximum(np.floor(path.min(axis=0)).astype(int) - edge, 0)
        high = np.minimum(np.ceil(path.max(axis=0)).astype(int) + edge, self.amount.shape[::-1])
        if (high <= low).any():
            return
        patch = np.zeros((high[1] - low[1], high[0] - low[0]), np.uint8)
        spots = np.round((path - low) * 16).astype(int)
        for k in range(len(path) - 1):
            tone = int(np.clip(flow[k] * 120, 2, 255))
            wide = max(1, int(width * (0.75 + 0.25 * flow[k] / nib.full) + rng.random()))
            ends = [(int(spots[k + d, 0]), int(spots[k + d, 1])) for d in (0, 1)]
            cv2.line(patch, ends[0], ends[1], tone, wide, cv2.LINE_AA, 4)
        for end in (0, -1):
            if rng.random() < nib.blobs:
                spot = (int(spots[end, 0]), int(spots[end, 1]))
                tone = int(np.clip(flow[end] * 170, 2, 255))
                radius = int(16 * width * rng.uniform(0.6, 0.95))
                cv2.circle(patch, spot, radius, tone, -1, cv2.LINE_AA, 4)
        laid: Field = patch.astype(np.float32) / 120
        if nib.soft:
            laid = cv2.GaussianBlur(laid, (0, 0), max(0.4, nib.soft * self.square_px * FINE))
        self.amount[low[1] : high[1], low[0] : high[0]] += laid

    def fill(self, outline: Path, press: float = 1.0) -> None:
        """All of an outline, painted over evenly."""
        shape = np.zeros(self.amount.shape, np.uint8)
        cv2.fillPoly(shape, [np.round(outline * FINE * 16).astype(np.int32)], 255, cv2.LINE_AA, 4)
        rows, columns = np.flatnonzero(shape.any(axis=1)), np.flatnonzero(shape.any(axis=0))
        if not len(rows):
            return
        part = (slice(rows[0], rows[-1] + 1), slice(columns[0], columns[-1] + 1))
        uneven = self.rng.normal(0, 1, shape[part].shape).astype(np.float32)
        uneven = 1 + 0.12 * cv2.GaussianBlur(uneven, (0, 0), 0.02 * self.square_px * FINE) * 5
        self.amount[part] += shape[part] / 255.0 * np.clip(uneven, 0.6, 1.4) * self.nib.full * press

    def lay_on(self, paper: Field) -> None:
        """Let the ink sink into the paper (light per channel): in place."""
        nib, rng = self.nib, self.rng
        rows, columns = np.flatnonzero(self.amount.any(axis=1)), np.flatnonzero(self.amount.any(axis=0))
        if not len(rows):
            return
        top, bottom = rows[0] // FINE, rows[-1] // FINE + 1
        left, right = columns[0] // FINE, columns[-1] // FINE + 1
        part = self.amount[top * FINE : bottom * FINE, left * FINE : right * FINE]
        if nib.ragged:
            part = _drawn_out(part, nib.ragged * self.square_px * FINE, rng)
        if nib.grain:
            tooth = cv2.GaussianBlur(rng.normal(0, 1, part.shape).astype(np.float32), (0, 0), 1.1) * 3.2
            part = part * np.clip(1 - nib.grain * (0.55 + 0.6 * tooth), 0, 1.3)
        size = (right - left, bottom - top)
        for channel, strength in enumerate(nib.ink):
            light = cv2.resize(np.exp(-strength * part), size, interpolation=cv2.INTER_AREA)
            paper[top:bottom, left:right, channel] *= light


def _drawn_out(amount: Field, reach: float, rng: np.random.Generator) -> Field:
    """Ink that follows the fibres of the paper: its edges are frayed, and it fades outwards."""
    rows, columns = amount.shape
    y, x = np.mgrid[0:rows, 0:columns].astype(np.float32)
    fray = [cv2.GaussianBlur(rng.normal(0, 1, amount.shape).astype(np.float32), (0, 0), 2.0) for _ in (0, 1)]
    moved = cv2.remap(amount, x + fray[0] * 3.5 * reach, y + fray[1] * 3.5 * reach, cv2.INTER_LINEAR)
    halo = cv2.GaussianBlur(moved, (0, 0), max(0.6, reach))
    return np.asarray(np.maximum(0.75 * moved + 0.25 * halo, 0.8 * halo))
