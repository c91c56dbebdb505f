"""What a USB camera's driver is told: its automatics go on while it warms up, and what they came to is held.

A driver keeps what it was told for as long as the camera has power. So a camera that is opened anew is given
back its automatics first, as light and distance are others now; one whose process was killed a moment ago is
told what it was told then. What this driver cannot do is said, never left out in silence: its own automatics
go on then.
"""

import fcntl
import os
import struct
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

import cv2

from device.cameras.exposure import Exposure, Limits, longest_us
from device.cameras.wanted import CameraSettings

_PARTS = {
    "focus": (cv2.CAP_PROP_AUTOFOCUS, 1, 0, cv2.CAP_PROP_FOCUS),
    "exposure": (cv2.CAP_PROP_AUTO_EXPOSURE, 3, 1, cv2.CAP_PROP_EXPOSURE),
    "white": (cv2.CAP_PROP_AUTO_WB, 1, 0, cv2.CAP_PROP_WB_TEMPERATURE),
}
"""Each with its automatic, what V4L2 calls that one on and off, and the value that is held."""
_LEAST = {"focus": 0.0, "exposure": 1.0, "white": 1.0}
"""The least value that is one: a camera that has none says 0 or -1."""
UNIT_US = 100
"""V4L2 counts exposures in these."""
_POWER_LINE = 0x00980918
"""V4L2_CID_POWER_LINE_FREQUENCY, of which OpenCV does not know."""
_LAMPS = {50: 1, 60: 2}
"""What it calls the mains."""
_SET_CONTROL = 0xC008561C
"""VIDIOC_S_CTRL, with a number and a value of 32 bits each."""


def power_line(node: Path, value: int) -> bool:
    """Tell a driver how often lamps flicker; whether it knows of such a thing."""
    with suppress(OSError):
        handle = os.open(node, os.O_RDWR | os.O_NONBLOCK)
        try:
            fcntl.ioctl(handle, _SET_CONTROL, struct.pack("Ii", _POWER_LINE, value))
        finally:
            os.close(handle)
        return True
    return False


def power_line_of(number: int) -> Callable[[int], bool]:
    """The same for the camera of a number."""
    return partial(power_line, Path(f"/dev/video{number}"))


class UsbHold:
    """What one camera is told."""

    def __init__(
        self, capture: Any, wanted: CameraSettings, kept: Mapping[str, float] | None = None,
        lamps: Callable[[int], bool] = lambda _value: False,
    ) -> None:  # fmt: skip
        """``kept`` is what it was told before its process was killed; ``lamps`` tells it of the mains."""
        self._capture, self._wanted = capture, wanted
        self.values: dict[str, float] = dict(kept or {})
        """What is held."""
        mains = wanted.mains_hz
        self._knows_lamps = mains is not None and lamps(_LAMPS[mains])
        self._took: dict[str, bool] = {}
        self.holds = 0
        """How often all of it was held."""

    @property
    def focuses(self) -> bool:
        """Whether it focuses by itself."""
        return self._took.get("focus", False)

    def loosen(self) -> None:
        """Let the automatics find what is not held already."""
        for name, (automatic, on, _off, _value) in _PARTS.items():
            if name not in self.values:
                self._took[name] = bool(self._capture.set(automatic, on))

    def hold(self) -> None:
        """Hold all of it where the warm-up brought it.

        Switching the automatics off is not enough: a driver then goes back to values of its own.
        """
        reached = {name: float(self._capture.get(value)) for name, (*_, value) in _PARTS.items()}
        for name, (automatic, on, off, value) in _PARTS.items():
            held = self.values.get(name, reached[name])
            switched = bool(self._capture.set(automatic, off))
            took = switched and held >= _LEAST[name] and self._capture.set(value, held)
            self._took[name] = bool(took)
            if took:
                self.values[name] = held
            elif switched:
                self._capture.set(automatic, on)  # nobody knows what to hold it at
        self.holds += 1

    @property
    def exposure(self) -> Exposure | None:
        """How long it looks; None where that is its own, or is to stay as it began."""
        if self._wanted.mains_hz is None or not self._took.get("exposure") or "exposure" not in self.values:
            return None
        return Exposure(round(self.values["exposure"] * UNIT_US), 1.0)

    def limits(self, fps: float) -> Limits:
        """How long it may look, at so many pictures a second; of gains nobody knows what they mean."""
        mains = self._wanted.mains_hz or 50
        return Limits(UNIT_US, longest_us(mains, fps), 1.0, mains, UNIT_US)

    def expose(self, wanted: Exposure) -> Exposure:
        """Have it look for so long; for how long it does now, as its driver says."""
        value = _PARTS["exposure"][-1]
        self._capture.set(value, round(wanted.time_us / UNIT_US))
        took = float(self._capture.get(value))
        if took >= _LEAST["exposure"]:
            self.values["exposure"] = took
        self.holds += 1
        return Exposure(round(self.values["exposure"] * UNIT_US), 1.0)

    def focus_anew(self) -> None:
        """Let the autofocus look for the table again; ``hold`` ends it."""
        self.values.pop("focus", None)
        self._capture.set(*_PARTS["focus"][:2])

    @property
    def words(self) -> str:
        """What is held and what cannot be, in a line."""
        return f"focus {self._focus_words()}; exposure {self._exposure_words()}"

    def _focus_words(self) -> str:
        how = "held where its autofocus came to" if self.focuses else "is turned by hand, or fixed"
        if self._wanted.focus is None:
            return how
        return f"{how} (focus = {self._wanted.focus:g} is for the Pi's cameras: this one knows no dioptres)"

    def _exposure_words(self) -> str:
        if self._wanted.mains_hz is None:
            held = self._took.get("exposure")
            return "held as it began" if held else "its own, its driver lets nobody hold it"
        how, now = "its own, its driver lets nobody hold it", self.exposure
        if now is not None:
            how = f"{now.time_us / 1000:.1f} ms, which follows daylight"
        lamps = f"lamps at {self._wanted.mains_hz} Hz"
        return f"{how}, for {lamps}" if self._knows_lamps else f"{how}; its driver cannot be told of {lamps}"
