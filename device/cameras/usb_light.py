"""A USB camera's exposure follows daylight, as that of a Raspberry Pi's does, and its frames say so.

Its driver is told how long to look, and nothing else: what its gain means, nobody knows. It does not say with
which frame it obeys, either. So that frame is told which changes as the light must have changed; where none
does, the last of those that may have done so.
"""

from dataclasses import dataclass, replace
from math import log

from device.cameras.exposure import METER_S, Follow, metered, step
from device.cameras.frames import Picture
from device.cameras.matted import Mat
from device.cameras.usb_hold import UsbHold

_OBEYS_S = 1.0
"""So long at most a driver takes to obey: twice the 15 frames of a slow one at 30 pictures a second."""
_CHANGED_SHARE = 0.3
"""A frame that changes by this share of what is awaited, or more, from one to the next, is the one."""
_GAMMA = 2.2
"""Of a display value."""
_EVERY = 8
"""Of every so many-th dot of each row and column the mean is taken: much is enough."""


@dataclass(frozen=True)
class _Told:
    """What the driver was told and has not been seen to do."""

    at_s: float
    by: float
    """The logarithm of how much lighter the pictures will be."""
    came: bool = False
    """Whether a frame has changed so; the one after it may do the rest."""


class UsbLight:
    """Follows the light of one camera; nothing where its driver holds no exposure."""

    def __init__(self, hold: UsbHold, fps: float) -> None:
        """``fps``: so many pictures a second it takes at least."""
        self._hold, self._limits = hold, hold.limits(fps)
        self._mat = Mat()
        self._follow: Follow | None = None
        self._told: _Told | None = None
        self._measured_s = float("-inf")
        self._mean: float | None = None

    def see(self, picture: Picture, now_s: float) -> bool:
        """Measure a picture that is watched, now and then; whether it is lit otherwise than the last one."""
        held = self._hold.exposure
        if held is None:
            return False
        mean = float(picture[::_EVERY, ::_EVERY].mean()) + 1.0
        relit = self._is_relit(mean, now_s)
        self._mean = mean
        if self._told is None and now_s - self._measured_s >= METER_S:
            self._measured_s = now_s
            before = self._follow or Follow(held, self._limits)
            seen = metered(picture, self._mat.corners(picture, now_s), now_s)
            self._follow, new = step(replace(before, exposure=held), seen)
            if new is not None:
                took = self._hold.expose(new)
                if took != held:
                    self._told = _Told(now_s, log(took.light / held.light) / _GAMMA)
        return relit

    def _is_relit(self, mean: float, now_s: float) -> bool:
        """Whether it is with this frame that the driver has obeyed."""
        told = self._told
        if told is None or self._mean is None:
            return False
        changed = log(mean / self._mean) / told.by >= _CHANGED_SHARE
        over = now_s - told.at_s >= _OBEYS_S
        self._told = None if over or (told.came and not changed) else replace(told, came=told.came or changed)
        return changed or (over and not told.came)
