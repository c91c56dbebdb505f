"""The printed disc on a soldier's head, read by comparing it with all that can be printed there.

It needs no learning and errs in other ways than the network does, so that both together can be believed.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import cv2
import numpy as np

from calibration.soldier_marks import CODE, GAP_DEG, MIDDLE, RING, SECTORS, TYPES, code_of
from vision.pieces.patches import Floats, Picture

_TURNS = 60
_RADII: Floats = (np.arange(12) + 0.5) / 12
_OFF = (-0.07, 0.0, 0.07)
_SIZES = (0.9, 1.0, 1.1)
KINDS: tuple[tuple[str, int], ...] = tuple((kind, side) for kind in TYPES for side in (0, 1))


_PIXELS, _CHANCE = 50.0, 0.65
"""How many independent pixels a disc is worth, and how like one other things look by chance: what makes the
truth likeliest on simulated soldiers with and without discs (1,200 of them), and a little more doubt, since
a table has more other things than those pictures."""


@dataclass(frozen=True)
class Disc:
    """How like each soldier's disc a place looks, and where that one would face."""

    like: Floats
    """The correlation with each of ``KINDS`` at its best turn, -1 to 1."""
    facing_deg: Floats
    """As pixels turn, for each of ``KINDS``."""

    @property
    def best(self) -> int:
        """The place in ``KINDS`` of the likeliest."""
        return int(np.argmax(self.like))

    def shares(self) -> tuple[Floats, float]:
        """The probability of each of ``KINDS``, and that there is no disc at all."""
        like = np.append(np.clip(self.like, 0.0, 0.995), _CHANCE)
        weight = (1 - like**2) ** (-_PIXELS / 2)
        weight /= weight.sum()
        return np.asarray(weight[:-1]), float(weight[-1])


def compare(picture: Picture, places: Sequence[tuple[float, float, float]]) -> list[Disc]:
    """What the discs show whose middles and diameters (x, y, pixels) are roughly known."""
    return [_compared(picture, *place) for place in places]


def _compared(picture: Picture, x: float, y: float, across: float) -> Disc:
    """The best of all small moves of the place; what fits best is where the disc lies."""
    rings = _rings(picture, x, y, across)
    weight = np.sqrt(_RADII)
    flat = rings - (rings @ weight**2 / (weight**2).sum()).mean(axis=1)[:, None, None]
    flat *= weight
    flat /= np.maximum(np.linalg.norm(flat, axis=(1, 2), keepdims=True), 1e-6)
    seen = np.fft.rfft(flat, axis=1)
    # Turning one against the other is a product of their waves, summed over the radii.
    match = np.fft.irfft(np.einsum("gwr,kwr->gkw", seen, _printed()), _TURNS, axis=2)
    by_kind = match.max(axis=0)
    return Disc(by_kind.max(axis=1), by_kind.argmax(axis=1) * (360.0 / _TURNS))


def _rings(picture: Picture, x: float, y: float, across: float) -> Floats:
    """The brightness around each of the tried middles: try × turn × radius."""
    angle = np.arange(_TURNS) * (2 * math.pi / _TURNS)
    tries = np.array([(dx, dy, size) for dx in _OFF for dy in _OFF for size in _SIZES])
    far = across / 2 * tries[:, 2, None, None] * _RADII
    at_x = x + across * tries[:, 0, None, None] + far * np.cos(angle)[:, None]
    at_y = y + across * tries[:, 1, None, None] + far * np.sin(angle)[:, None]
    left, top = math.floor(at_x.min()) - 2, math.floor(at_y.min()) - 2
    rows, columns = picture.shape[:2]
    x0, y0 = max(0, min(left, columns - 2)), max(0, min(top, rows - 2))
    window = picture[y0 : max(y0 + 2, math.ceil(at_y.max()) + 3), x0 : max(x0 + 2, math.ceil(at_x.max()) + 3)]
    grey: Any = cv2.cvtColor(window, cv2.COLOR_BGR2GRAY)
    flat_x, flat_y = ((at - start).reshape(len(tries), -1).astype(np.float32) for at, start in
                      ((at_x, x0), (at_y, y0)))  # fmt: skip
    got = cv2.remap(grey, flat_x, flat_y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(got, dtype=float).reshape(at_x.shape)


@cache
def _printed() -> Floats:
    """The waves of everything that can be printed, ready to be multiplied: kind × wave × radius."""
    fine = 6
    angle = (np.arange(_TURNS * fine) + 0.5) / fine - 0.5
    degrees = angle * (360 / _TURNS) % 360
    radius = (np.arange(len(_RADII) * fine) + 0.5) / (len(_RADII) * fine)
    out = []
    for kind, side in KINDS:
        white = np.ones((len(degrees), len(radius)))
        ring = (radius > RING[0]) & (radius < RING[1])
        white[np.ix_((degrees > GAP_DEG / 2) & (degrees < 360 - GAP_DEG / 2), ring)] = 0
        code = (radius > CODE[0]) & (radius < CODE[1])
        for k, black in enumerate(code_of(kind, side)):
            # Clockwise on paper is as pixels turn.
            sector = (degrees // (360 / SECTORS)).astype(int) == k
            if black:
                white[np.ix_(sector, code)] = 0
        if side == 0:
            white[:, radius < MIDDLE] = 0
        each = white.reshape(_TURNS, fine, len(_RADII), fine).mean(axis=(1, 3))
        weight = np.sqrt(_RADII)
        each = (each - np.average(each, weights=np.tile(weight**2, (_TURNS, 1)))) * weight
        out.append(np.conj(np.fft.rfft(each / np.linalg.norm(each), axis=0)))
    return np.asarray(np.stack(out))
