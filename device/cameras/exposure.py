"""How long and how strongly the camera looks, so that the faces of the pieces are light and never white out.

Pure: ``step(state, measured)`` gives the next state and, seldom, another exposure. What is measured is the
mat, not the room. Lamps flicker with their mains: an exposure of whole flashes sees none of it. Daylight is
followed slowly, and only once it has stayed as it is for a while: a sleeve or a cloud changes nothing.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import ceil, floor

import cv2
import numpy as np

from calibration import colour_planes
from device.cameras.frames import Picture

FACE_SHARE = 0.99
"""The brightest hundredth of the mat is white paper, and the light faces of pieces."""
WANTED = 200.0
"""How light the faces are to be, of 255: pips of every colour still have room on both sides."""
_LEAST, _MOST = 165.0, 228.0
"""Between these nothing is changed: the gate and the readers take any light that stays."""
_CLIPPED = 250
_MOST_CLIPPED = 0.004
"""Where more of the mat than this is white out, faces are: a gleam is smaller."""
_DARK = 90.0
"""Below this nothing is read: what is so dark, or clipped, is put right sooner."""
_STEADY_S, _SOON_S = 10.0, 2.0
"""The light must have been too strong, or too weak, for so long before it is followed."""
_REST_S = 1.5
"""After a change the camera needs so long until it is measured again."""
_SMALL, _LARGE = 2 ** (1 / 6), 2.0
"""The most by which one change is made: a sixth of a stop is a step that nobody sees."""
_WARM = 4.0
"""The same before anybody looks."""
_GAMMA = 2.2
"""Of a display value: twice the light is 1.37 times the value."""
_LEAST_CHANGE = 0.02
_NEAR = 0.03
"""A time that is so near to whole flashes, as a share of one, is them."""
_SECOND_US = 1_000_000
METER_S = 0.5
"""So often the mat is measured."""
_MOST_FLASHES = 4
"""So many flashes of a lamp are the longest exposure: longer ones smear a hand over the table."""


@dataclass(frozen=True)
class Exposure:
    """What the camera is told."""

    time_us: int
    gain: float

    @property
    def light(self) -> float:
        """How much light it makes of what there is."""
        return self.time_us * self.gain


@dataclass(frozen=True)
class Limits:
    """What the camera can do, and what the lamps want."""

    least_us: int
    most_us: int
    most_gain: float
    mains_hz: int = 50
    quantum_us: int = 1
    """In whole ones of these it is told how long to look."""

    @property
    def has_gain(self) -> bool:
        """Whether light can be made up for by more than the time."""
        return self.most_gain > 1.0

    def of(self, light: float) -> Exposure:
        """The exposure with so much light: as few whole flashes as the gain allows, and none of it cut.

        More light than that in less than a flash is the sun's, which does not flicker.
        """
        flash_us = _SECOND_US / (2 * self.mains_hz)
        most = max(self.least_us, self.most_us)
        if light < flash_us or flash_us > most:
            return Exposure(self._whole(min(max(light, self.least_us), most)), 1.0)
        flashes = 1
        while (flashes + 1) * flash_us <= min(light, most):
            flashes += 1
        time_us = flashes * flash_us
        return Exposure(self._whole(time_us), float(min(max(1.0, light / time_us), self.most_gain)))

    def beside(self, time_us: int, way: int) -> Exposure:
        """By the time alone: the next longer (1) or shorter (-1) one; the same where there is none."""
        flash_us = _SECOND_US / (2 * self.mains_hz)
        flashes = time_us / flash_us
        if way > 0:
            lamps, beside = flashes > 1 - _NEAR, (floor(flashes + _NEAR) + 1) * flash_us
        else:
            lamps, beside = flashes > 1 + _NEAR, (ceil(flashes - _NEAR) - 1) * flash_us
        beside = beside if lamps else time_us + way * self.quantum_us
        within = self.least_us <= beside <= self.most_us
        return Exposure(self._whole(beside) if within else time_us, 1.0)

    def _whole(self, time_us: float) -> int:
        return max(1, round(time_us / self.quantum_us)) * self.quantum_us


def longest_us(mains_hz: int, fps: float) -> int:
    """The longest exposure: of so many flashes of the lamps, and never longer than a picture."""
    return ceil(min(_MOST_FLASHES * _SECOND_US / (2 * mains_hz), _SECOND_US / fps))


@dataclass(frozen=True)
class Metered:
    """The mat in one picture."""

    at_s: float
    face: float
    """How light the lightest parts are, those in a gleam left aside."""
    clipped: float
    """How much of it is white out, as a share."""


@dataclass(frozen=True)
class Follow:
    """What is held, and since when it has been wrong."""

    exposure: Exposure
    limits: Limits
    wrong: int = 0
    """Whether the picture is too light (1), too dark (-1), or neither."""
    since_s: float = 0.0
    rests_s: float = 0.0
    """Until then nothing is measured: the camera has just been told something else."""


def step(state: Follow, seen: Metered) -> tuple[Follow, Exposure | None]:
    """The next state, and the exposure to set now, if any."""
    if seen.at_s < state.rests_s:
        return state, None
    wrong = _wrong(seen)
    if wrong != state.wrong:
        state = replace(state, wrong=wrong, since_s=seen.at_s)
    urgent = _is_urgent(seen)
    if wrong == 0 or seen.at_s - state.since_s < (_SOON_S if urgent else _STEADY_S):
        return state, None
    new = _towards(state, seen, _LARGE if urgent else _SMALL)
    rested = replace(state, rests_s=seen.at_s + _REST_S)
    if abs(new.light / state.exposure.light - 1) < _LEAST_CHANGE:
        return rested, None  # the camera can do no more
    return replace(rested, exposure=new), new


def settled(state: Follow, seen: Metered) -> tuple[Follow, Exposure | None]:
    """The same before anybody looks: at once, and as far as it takes."""
    if _wrong(seen) == 0:
        return state, None
    new = _towards(state, seen, _WARM)
    if abs(new.light / state.exposure.light - 1) < _LEAST_CHANGE:
        return state, None
    return replace(state, exposure=new), new


def metered(picture: Picture, area: Sequence[tuple[float, float]] | None, at_s: float) -> Metered:
    """What the mat looks like; without known corners the middle of the picture stands for it."""
    high, wide = picture.shape[:2]
    if area is None:
        part = picture[high // 5 : high - high // 5, wide // 5 : wide - wide // 5]
        light = colour_planes.most(part[::2, ::2]).ravel()
    else:
        mask = np.zeros((high, wide), np.uint8)
        cv2.fillPoly(mask, [np.round(np.array(area)).astype(np.int32)], [255])
        light = colour_planes.most(picture[::2, ::2])[mask[::2, ::2] > 0]
    if not light.size:
        return Metered(at_s, WANTED, 0.0)
    return Metered(at_s, float(np.quantile(light, FACE_SHARE)), float((light >= _CLIPPED).mean()))


def _wrong(seen: Metered) -> int:
    if seen.face > _MOST or seen.clipped > _MOST_CLIPPED:
        return 1
    return -1 if seen.face < _LEAST else 0


def _is_urgent(seen: Metered) -> bool:
    return seen.face < _DARK or seen.face >= _CLIPPED or seen.clipped > 10 * _MOST_CLIPPED


def _towards(state: Follow, seen: Metered, most: float) -> Exposure:
    """The exposure with which the faces would be as light as wanted, or as near to it as a step may go."""
    factor = (WANTED / max(seen.face, 1.0)) ** _GAMMA
    if seen.face >= _CLIPPED:
        factor = 1 / _LARGE  # how much too light it is, nobody can tell
    elif seen.clipped > _MOST_CLIPPED:
        factor = min(factor, 1 / _SMALL)
    light = state.exposure.light * min(max(factor, 1 / most), most)
    new = state.limits.of(light)
    if not state.limits.has_gain:
        return _by_time(state, seen, new, 1 if factor > 1 else -1)
    if most == _SMALL and new.time_us < state.exposure.time_us < light:
        # Where the time need not change, the gain alone does: the least that is seen of a step.
        new = Exposure(state.exposure.time_us, light / state.exposure.time_us)
    return new


def _by_time(state: Follow, seen: Metered, new: Exposure, way: int) -> Exposure:
    """The same of a camera that is told the time alone: whole flashes lie far apart, up to twice the light.

    The next one is taken if with it the faces are neither too light nor too dark.
    """
    held = state.exposure
    if (new.light / held.light - 1) * way < _LEAST_CHANGE:
        new = state.limits.beside(held.time_us, way)
    face = seen.face * (new.light / held.light) ** (1 / _GAMMA)
    fits = face <= _MOST if way > 0 else face >= _LEAST or _is_urgent(seen)
    fits |= new.time_us < held.time_us > state.limits.most_us  # in such a time hands are smeared
    return new if fits else held
