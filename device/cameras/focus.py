"""How sharp a picture is, and the search for the lens position at which it is sharpest. Pure.

The measure is what is left of the finest detail when the picture is compared with itself made soft, as a
share of all its contrast: light and exposure drop out, and only the lens tells. Markers are the same print
for ever: their edges, with the noise taken out before, may be compared from day to day.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from device.cameras.frames import Picture

Area = Sequence[tuple[float, float]]

_SOFT_PX = 1.0
"""The softening that the finest detail does not survive."""
_EDGE_PX, _SOFT_EDGE_PX = 0.6, 1.2
"""The same for the edges of markers: the first takes out noise, the second is what no sharp edge survives."""
_DEEP, _LIGHT = 2, 98
"""Ink and paper of the mat, as hundredths of all its pixels from dark to light."""
FULL = 0.2
"""The measure at which the bar is full: the middle of a sharp rendered table has 0.17, of a soft one 0.03."""
_BAR = 40
_WINDOW_SHARE = 0.5
"""Without markers the middle half of the picture is looked at."""
_COARSE, _FINE = 9, 5
"""Lens positions that are tried over the whole reach, and then around the best of them."""
_LEAST_GAIN = 1.05
"""By so much the best position must be sharper than the worst: else nothing there can be focused on."""


def sharpness(picture: Picture, area: Area | None = None) -> float:
    """How sharp the mat is, between 0 and about 0.4 for the finest print."""
    part = _part(picture, area)
    contrast = float(part.std())
    if contrast < 1.0:
        return 0.0
    fine = part - cv2.GaussianBlur(part, (0, 0), _SOFT_PX)
    return float(fine.std()) / contrast


def print_sharpness(picture: Picture, area: Area, markers: Sequence[Area]) -> float:
    """How sharp the edges of the markers are, as a share of what lies between ink and paper."""
    dark, light = np.percentile(_part(picture, area)[::4, ::4], (_DEEP, _LIGHT))
    if light - dark < 1.0:
        return 0.0
    fine = []
    for one in markers:
        part = _part(picture, one)
        if part.size:
            soft, softer = (cv2.GaussianBlur(part, (0, 0), width) for width in (_EDGE_PX, _SOFT_EDGE_PX))
            fine.append(float((soft - softer).std()))
    return float(np.mean(fine)) / float(light - dark) if fine else 0.0


def _part(picture: Picture, area: Area | None) -> NDArray[np.float32]:
    left, upper, right, lower = window(area, (picture.shape[1], picture.shape[0]))
    part = picture[upper:lower, left:right]
    grey = part if part.ndim == 2 or not part.size else cv2.cvtColor(part, cv2.COLOR_BGR2GRAY)
    return np.asarray(grey, dtype=np.float32)


def window(area: Area | None, size: tuple[int, int]) -> tuple[int, int, int, int]:
    """The part of the picture to look at: left, upper, right and lower side."""
    wide, high = size
    if area is None:
        aside = (1 - _WINDOW_SHARE) / 2
        return int(wide * aside), int(high * aside), int(wide * (1 - aside)), int(high * (1 - aside))
    points = np.array(area, dtype=float)
    (left, upper), (right, lower) = points.min(axis=0), points.max(axis=0)
    return max(0, int(left)), max(0, int(upper)), min(wide, int(right) + 1), min(high, int(lower) + 1)


def bar(measure: float, best: float) -> str:
    """The measure as a line for somebody who turns the lens: how full, how much, and the best so far."""
    full, mark = (min(_BAR, round(_BAR * value / FULL)) for value in (measure, best))
    drawn = ["█" if k < full else " " for k in range(_BAR + 1)]
    drawn[mark] = "│"
    return f"[{''.join(drawn)}] {measure:.3f} (best {best:.3f})"


@dataclass(frozen=True)
class LensSweep:
    """A search over lens positions: which are still to be tried, and what was seen at the others."""

    left: tuple[float, ...]
    seen: tuple[tuple[float, float], ...] = ()
    fine: bool = False

    @classmethod
    def over(cls, least: float, most: float) -> "LensSweep":
        """All of a lens's reach."""
        return cls(_evenly(least, most, _COARSE))

    @property
    def position(self) -> float | None:
        """Where the lens is to be now; None once the search is over."""
        return self.left[0] if self.left else None

    @property
    def best(self) -> float | None:
        """Where it was sharpest; None where no position is sharper than the others."""
        if not self.seen:
            return None
        measures = [measure for _, measure in self.seen]
        if max(measures) <= _LEAST_GAIN * min(measures):
            return None
        return max(self.seen, key=lambda one: one[1])[0]


def step(sweep: LensSweep, measure: float) -> LensSweep:
    """The sweep after the picture at its position was measured."""
    at, *left = sweep.left
    after = replace(sweep, left=tuple(left), seen=(*sweep.seen, (at, measure)))
    if left or after.fine or after.best is None:
        return after
    positions = sorted(one for one, _ in after.seen)
    near = (positions[1] - positions[0]) * 0.75
    least, most = max(positions[0], after.best - near), min(positions[-1], after.best + near)
    return replace(after, left=_evenly(least, most, _FINE), fine=True)


def _evenly(least: float, most: float, count: int) -> tuple[float, ...]:
    return tuple(float(one) for one in np.linspace(least, most, count))
