"""A camera watched for some minutes, as a match does it: what was seen, and how warm the board became."""

import os
import signal
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Final

import cv2
import numpy as np

from device.cameras.own_process import reason_of
from device.health.field_checks import Unmeasured
from device.live.ports import Away, Picture, Reader, Shot, Source
from vision.view import TableView, TableWatch

_WAIT_S: Final = 0.5
_WARMTH_S: Final = 5.0
"""Between two looks at the thermometer."""
_LOOKS_S: Final = 1.0
"""Between two looks at brightness and sharpness."""
_BACK_S: Final = 60.0
_READINGS: Final = 5
Clock = Callable[[], float]


@dataclass
class Watched:
    """What was seen."""

    frames: int = 0
    seconds: float = 0.0
    why: str = "no frame came"
    """Why no frame came, as far as the camera said."""
    picture: Picture | None = None
    brightness: list[float] = field(default_factory=list)
    sharpness: list[float] = field(default_factory=list)
    gate_s: list[float] = field(default_factory=list)
    markers_s: list[float] = field(default_factory=list)
    warmth_c: list[float] = field(default_factory=list)
    held_back: set[int] = field(default_factory=set)
    """What the firmware said of power and heat, each word of bits once."""

    def size(self) -> str:
        """The size of the pictures."""
        high, wide = self._seen().shape[:2]
        return f"{wide}×{high}"

    def frame_rate(self) -> str:
        """Frames a second."""
        self._seen()
        return f"{self.frames / self.seconds:.1f} a second ({self.frames} frames in {self.seconds:.0f} s)"

    def exposure(self) -> str:
        """How far the brightness wandered."""
        self._seen()
        low, high = min(self.brightness), max(self.brightness)
        return f"{low:.0f} to {high:.0f} of 255 (n = {len(self.brightness)})"

    def focus(self) -> str:
        """How far the sharpness fell."""
        self._seen()
        return f"{min(self.sharpness) / max(self.sharpness):.0%} (n = {len(self.sharpness)})"

    def gate(self) -> str:
        """What the gate takes."""
        return self._median(self.gate_s)

    def markers(self) -> str:
        """What following the markers takes."""
        return self._median(self.markers_s)

    def temperature(self) -> str:
        """The least and the greatest."""
        if not self.warmth_c:
            raise Unmeasured("there is no thermometer")
        self._seen()  # a board that watches nothing is not under load
        return f"{min(self.warmth_c):.0f} to {max(self.warmth_c):.0f} °C in {self.seconds / 60:.0f} min"

    def throttling(self) -> str:
        """What the firmware said, in its own bits."""
        if not self.held_back:
            raise Unmeasured("there is no vcgencmd")
        bits = sorted(self.held_back)
        return "none" if bits == [0] else ", ".join(f"0x{word:x}" for word in bits)

    def _seen(self) -> Picture:
        if self.picture is None:
            raise Unmeasured(self.why)
        return self.picture

    def _median(self, seconds: list[float]) -> str:
        self._seen()
        return f"{1e3 * median(seconds):.1f} ms (n = {len(seconds)})"


@dataclass(frozen=True)
class Thermometer:
    """How warm the board is and whether it is held back; each may be unknown."""

    warmth: Callable[[], float | None]
    held_back: Callable[[], int | None]


def watch(
    source: Source | None, reader: Reader, seconds: float, warmth: Thermometer, clock: Clock = time.monotonic
) -> Watched:
    """Look at each frame as a match does, for so long."""
    seen, began = Watched(), clock()
    view = TableWatch()
    warm_s = look_s = -_WARMTH_S
    while (now := clock()) - began < seconds:
        if now - warm_s >= _WARMTH_S:
            warm_s = now
            _feel(seen, warmth)
        found = None if source is None else source.next(_WAIT_S)
        if isinstance(found, Shot):
            _look(seen, view, reader, found, clock)
            if now - look_s >= _LOOKS_S:
                look_s = now
                _measure(seen, found.picture)
        elif isinstance(found, Away):
            seen.why = reason_of(found) or seen.why
        else:
            seen.why = "there is no camera" if source is None else "the pictures came to an end"
            break
    seen.seconds = clock() - began
    return seen


def _look(seen: Watched, view: TableWatch, reader: Reader, shot: Shot, clock: Clock) -> None:
    began = clock()
    steady = reader.steady(shot.picture, shot.at_s)
    between = clock()
    view.see(shot.picture, shot.at_s, steady=steady)
    seen.markers_s.append(between - began)
    seen.gate_s.append(clock() - between)
    seen.frames, seen.picture = seen.frames + 1, shot.picture


def _measure(seen: Watched, picture: Picture) -> None:
    grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
    seen.brightness.append(float(np.median(grey)))
    seen.sharpness.append(float(cv2.Laplacian(grey, cv2.CV_64F).var()) + 1e-9)


def _feel(seen: Watched, warmth: Thermometer) -> None:
    if (degrees := warmth.warmth()) is not None:
        seen.warmth_c.append(degrees)
    if (bits := warmth.held_back()) is not None:
        seen.held_back.add(bits)


def reading(seen: Watched, reader: Reader, clock: Clock = time.monotonic) -> str:
    """How long it takes to read what lies there."""
    if seen.picture is None:
        raise Unmeasured(seen.why)
    took = []
    for number in range(_READINGS):
        began = clock()
        found = reader.read(TableView(seen.picture, view=number))
        took.append(clock() - began)
        if isinstance(found, str):
            raise Unmeasured(found.rstrip("."))
    assert not isinstance(found, str)  # that was looked at
    return f"{1e3 * median(took):.0f} ms with {len(found.scene.sightings)} pieces (n = {_READINGS})"


def camera_back(source: Source | None, clock: Clock = time.monotonic, root: Path = Path("/")) -> str:
    """How long after its process was killed the camera gives a frame again."""
    child = camera_process(root) if source is not None else None
    if source is None or child is None:
        raise Unmeasured("there is no camera in a process of its own")
    os.kill(child, signal.SIGKILL)
    began = clock()
    last = None
    while clock() - began < _BACK_S:
        found = source.next(_WAIT_S)
        # What was still in the pipe was taken before: a frame counts once another process gives it.
        if isinstance(found, Shot) and camera_process(root) not in (None, child):
            return f"{clock() - began:.1f} s"
        last = found
    raise Unmeasured(f"no frame within {_BACK_S:.0f} s" if isinstance(last, Away) else "it did not end")


def camera_process(root: Path = Path("/")) -> int | None:
    """The child of this process that films, if there is one."""
    for folder in (root / "proc").glob("[0-9]*"):
        with suppress(OSError, ValueError, IndexError):  # it may be gone by now
            # Behind the name, which may hold anything: the state, and whose child it is.
            parent = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
            if parent == os.getpid() and b"device.cameras" in (folder / "cmdline").read_bytes():
                return int(folder.name)
    return None
