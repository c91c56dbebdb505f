"""A camera of the Raspberry Pi's library as it is told what to do, and asked whether it has done it."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from device.cameras.choosing import Choice
from device.cameras.exposure import Exposure
from device.cameras.frames import Picture
from device.cameras.upright import in_colour, upright
from device.cameras.wanted import CameraSettings

Metadata = Mapping[str, Any]

_OBEYS_FRAMES, _OBEYS_S = 15, 3.0
"""So many frames, and so long, at most a camera may take until its metadata says that it does as it was told:
more than twice the 4 to 6 frames that sensors are late."""
_UNTOLD_FRAMES = 7
"""So many are waited for where it does not say where its lens is."""
_OBEYS_SHARE = 0.05
"""So near, as a share of the exposure, it then is."""
LENS_NEAR = 0.1
"""The same of the lens, in dioptres."""


@dataclass
class Commanded:
    """One camera that films."""

    camera: Any
    wanted: CameraSettings
    choice: Choice
    clock: Callable[[], float]

    @contextmanager
    def request(self) -> Iterator[Any]:
        """The next frame of all streams; its buffer is given back."""
        one = self.camera.capture_request()
        try:
            yield one
        finally:
            one.release()

    def watched(self) -> Picture:
        """The next picture of those that are watched."""
        with self.request() as one:
            return self.seen(one)

    def seen(self, one: Any) -> Picture:
        """The picture that is watched, of a frame."""
        return upright(in_colour(one.make_array("lores"), self.choice.watch), self.wanted)

    def tell(self, controls: Mapping[str, Any]) -> None:
        """Tell the camera; what this one does not have is left out, as picamera2 refuses it all then."""
        known = self.camera.camera_controls
        if mine := {name: value for name, value in controls.items() if name in known}:
            self.camera.set_controls(mine)

    def obeyed(self, exposure: Exposure | None, lens: float | None) -> Metadata:
        """The first metadata that say that the camera does as it was told: the first frames do not."""
        metadata: Metadata = {}
        until = self.clock() + _OBEYS_S
        for count in range(1, _OBEYS_FRAMES + 1):
            with self.request() as one:
                metadata = one.get_metadata()
            now, there = exposure_of(metadata), metadata.get("LensPosition")
            lit = exposure is None or now is None or abs(now.light / exposure.light - 1) < _OBEYS_SHARE
            moved = count >= _UNTOLD_FRAMES if there is None else abs(float(there) - (lens or 0)) < LENS_NEAR
            if (lit and (lens is None or moved)) or self.clock() >= until:
                break
        return metadata

    def bound(self, name: str, which: int, otherwise: float) -> float:
        """The least (0) or the most (1) that a control takes."""
        found = self.camera.camera_controls.get(name)
        return otherwise if found is None or found[which] is None else float(found[which])


def exposure_of(metadata: Metadata) -> Exposure | None:
    """How a frame was exposed, if the camera says so."""
    if "ExposureTime" not in metadata or "AnalogueGain" not in metadata:
        return None
    return Exposure(max(1, int(metadata["ExposureTime"])), max(1e-3, float(metadata["AnalogueGain"])))


def colours_of(metadata: Metadata) -> tuple[float, float] | None:
    """The gains of red and of blue."""
    gains = metadata.get("ColourGains")
    return None if gains is None else (float(gains[0]), float(gains[1]))
