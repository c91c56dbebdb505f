"""A frame against a settled view: what light explains, and what only a thing can have done.

Light changes slowly from place to place: it moves the logarithm of neighbouring pixels by about the same.
A hand or a piece has an edge. So a difference counts as a thing only where it is *sharp* somewhere.
"""

from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.view.shrink import Light, Small

Mask = NDArray[np.uint8]

GRID = (16, 12)
_SURE = 4.0
_LEAST_LEVELS = 3.0
_NEAR_PX = 9
_SHARP_BASE, _SHARP_SHARE = 0.03, 0.6
_SAME_LIGHT = 0.05
_ENOUGH_SAME = 0.25
_FIELD_SPREAD = 0.12
_FIELD_REACH = 1.5
_TONES, _ROUNDS, _STIFF = 24, 2, 0.5
_LEAST_LIGHT, _MOST_OFF = 0.05, 0.6


@dataclass(frozen=True)
class View:
    """A table to compare with: its logarithms, and how far noise alone may move each pixel."""

    logs: Light
    doubt: Light
    tones: Mask
    """How bright each pixel is, in a few steps: cameras treat bright and dark light differently."""

    @classmethod
    def of(cls, logs: Light, noise: Light) -> "View":
        """A view whose pixels have so much noise (a standard deviation in display values)."""
        levels = noise * np.float32(_SURE) + np.float32(_LEAST_LEVELS)
        values = np.exp2(logs)
        doubt = cv2.divide(levels, values, scale=1 / np.log(2))
        tones = np.minimum(values * np.float32(_TONES / 256), _TONES - 1).astype(np.uint8)
        return cls(logs, np.asarray(doubt, dtype=np.float32), tones)


@dataclass(frozen=True)
class Contrast:
    """How a frame differs from a view."""

    coarse: Light
    """By how much each cell of a coarse grid changed, in powers of two (rows × columns × 3)."""
    same_light: float
    """The share of the picture in which nothing at all changed."""
    differs: Mask
    """Where the frame differs by more than noise and the light of the place explain."""
    sharp: Mask
    """Where it differs from what is around it in a way that light has no part in."""

    @property
    def relit(self) -> bool:
        """Whether the light is another one than in the view."""
        return self.same_light < 1 - _ENOUGH_SAME


def difference(frame: Small, view: View) -> Contrast:
    """Compares a frame with a view."""
    q = _light(cv2.subtract(frame.logs, view.logs))
    coarse = _light(cv2.resize(q, GRID, interpolation=cv2.INTER_AREA))
    same = float((largest(coarse) < _SAME_LIGHT).mean())
    left = q if same >= _ENOUGH_SAME else _light(cv2.subtract(q, _by_light(q, view.tones)))
    return Contrast(coarse, same, _any_channel(_light(np.abs(left)), view.doubt), _sharp(left, view.doubt))


def _by_light(q: Light, tones: Mask) -> Light:
    """What another light does to every pixel: the light of the place, as the camera treats such a tone."""
    shape = q.shape[1::-1]
    curve = np.ones((_TONES, *q.shape[2:]), dtype=np.float32)
    for _ in range(_ROUNDS):
        treated = _looked_up(curve, tones)
        light = _field(_light(cv2.resize(cv2.divide(q, treated), GRID, interpolation=cv2.INTER_AREA)))
        everywhere = np.asarray(cv2.resize(light, shape, interpolation=cv2.INTER_LINEAR), dtype=np.float32)
        curve = _curve(q[::2, ::2], everywhere[::2, ::2], tones[::2, ::2])
    return np.asarray(cv2.multiply(everywhere, _looked_up(curve, tones)), dtype=np.float32)


def _looked_up(curve: Light, tones: Mask) -> Light:
    table = np.ones((256, *curve.shape[1:]), dtype=np.float32)
    table[:_TONES] = curve
    return np.asarray(cv2.LUT(tones, table[:, None]), dtype=np.float32)


def _curve(q: Light, light: Light, tones: Mask) -> Light:
    """For each tone how much of a change of light arrives: bright ones are held back, dark ones are not."""
    depth = q.shape[2] if q.ndim == 3 else 1
    curve = np.ones((_TONES, depth), dtype=np.float32)
    for k in range(depth):
        change, lit = (_light(part.reshape(-1, depth)[:, k]) for part in (q, light))
        tone = tones.reshape(-1, depth)[:, k]
        use = (np.abs(lit) > _LEAST_LIGHT) & (np.abs(change - lit) < _MOST_OFF * np.abs(lit))
        weight = np.bincount(tone[use], lit[use] ** 2, _TONES) + _STIFF
        curve[:, k] = (np.bincount(tone[use], (change * lit)[use], _TONES) + _STIFF) / weight
    return curve.reshape(_TONES, *q.shape[2:])


def _field(coarse: Light) -> Light:
    """A smooth field of light through the cells, those that are far from most of the others left out."""
    cells = _light(coarse.reshape(*coarse.shape[:2], -1))
    middle = _light(np.median(cells, axis=(0, 1)))
    weight = _light(1 / (1 + (largest(_light(np.subtract(cells, middle))) / _FIELD_SPREAD) ** 2))
    weighted = _light(np.multiply(cells, weight[:, :, None]))
    total, share = (_light(cv2.GaussianBlur(one, (0, 0), _FIELD_REACH)) for one in (weighted, weight))
    return _light(total.reshape(cells.shape) / share[:, :, None]).reshape(coarse.shape)


def _sharp(q: Light, doubt: Light) -> Mask:
    around = cv2.blur(q, (_NEAR_PX, _NEAR_PX))
    limit = doubt * np.float32(_SHARP_SHARE) + np.float32(_SHARP_BASE)
    return _any_channel(_light(cv2.absdiff(q, around)), limit)


def _light(values: Any) -> Light:
    return np.asarray(values, dtype=np.float32)


def largest(cells: Light) -> Light:
    """The change of the channel that changed most."""
    return np.asarray(np.abs(cells).max(axis=2) if cells.ndim == 3 else np.abs(cells))


def _any_channel(amount: Light, limit: Light) -> Mask:
    over = np.asarray(cv2.compare(amount, limit, cv2.CMP_GT), dtype=np.uint8)
    if over.ndim == 2:
        return over
    return np.asarray(cv2.max(cv2.max(over[:, :, 0], over[:, :, 1]), over[:, :, 2]), dtype=np.uint8)
