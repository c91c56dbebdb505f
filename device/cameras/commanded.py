"""A camera of the Raspberry Pi's library as it is told what to do, and asked whether it has done it."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from device.cameras.choosing import PictureChoice
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
_MOST_KEPT = 60
"""Of how late it obeyed: a start and two sweeps."""
LENS_NEAR = 0.1
"""The same of the lens, in dioptres."""


@dataclass
class Commanded:
    """One camera that films."""

    camera: Any
    wanted: CameraSettings
    choice: PictureChoice
    clock: Callable[[], float]
    late: dict[str, list[int]] = field(default_factory=dict)
    """After how many frames exposure and lens did as they were told, order by order; 0: they never did."""

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
        came: dict[str, int] = {}
        for count in range(1, _OBEYS_FRAMES + 1):
            with self.request() as one:
                metadata = one.get_metadata()
            heeded = _heeded(metadata, exposure, lens)
            came |= {name: count * is_so for name, is_so in heeded.items() if not came.get(name)}
            is_untold = lens is not None and "lens" not in heeded and count < _UNTOLD_FRAMES
            if (all(heeded.values()) and not is_untold) or self.clock() >= until:
                break
        for name, count in came.items():
            if count != 1:  # the very next frame was under way already: it was so before
                self.late[name] = [*self.late.get(name, ()), count][-_MOST_KEPT:]
        return metadata

    def bound(self, name: str, which: int, otherwise: float) -> float:
        """The least (0) or the most (1) that a control takes."""
        found = self.camera.camera_controls.get(name)
        return otherwise if found is None or found[which] is None else float(found[which])


def _heeded(metadata: Metadata, exposure: Exposure | None, lens: float | None) -> dict[str, bool]:
    """Of what was told and what the metadata tell of, whether it is so."""
    now, there = exposure_of(metadata), metadata.get("LensPosition")
    found = {}
    if exposure is not None and now is not None:
        found["exposure"] = abs(now.light / exposure.light - 1) < _OBEYS_SHARE
    if lens is not None and there is not None:
        found["lens"] = abs(float(there) - lens) < LENS_NEAR
    return found


def exposure_of(metadata: Metadata) -> Exposure | None:
    """How a frame was exposed, if the camera says so."""
    if "ExposureTime" not in metadata or "AnalogueGain" not in metadata:
        return None
    return Exposure(max(1, int(metadata["ExposureTime"])), max(1e-3, float(metadata["AnalogueGain"])))


def colours_of(metadata: Metadata) -> tuple[float, float] | None:
    """The gains of red and of blue."""
    gains = metadata.get("ColourGains")
    return None if gains is None else (float(gains[0]), float(gains[1]))
