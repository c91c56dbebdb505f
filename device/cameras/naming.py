"""Which camera ``--source`` means on this machine."""

import importlib.util
from pathlib import Path

from device.cameras.apart import Apart, program
from device.cameras.watchdog import Patience
from device.live.source_name import SourceName

SIZE_PX = (1280, 960)
FPS, WARM_UP_S = 10.0, 2.0


class NoCamera(OSError):
    """There is no such camera; the message is the sentence for the user."""


def open_camera(name: SourceName, *, patience: Patience | None = None) -> Apart:
    """A live camera; it need not be there yet, unless the machine should choose one."""
    kind = chosen() if name.kind == "auto" else name
    if kind.kind == "picamera":
        command = program("picamera", *map(str, SIZE_PX), str(FPS), str(WARM_UP_S))
        return Apart(command, "The camera", patience)
    command = program("webcam", kind.rest, *map(str, SIZE_PX), str(FPS), str(WARM_UP_S))
    return Apart(command, f"Webcam {kind.rest}", patience)


def chosen() -> SourceName:
    """The camera of this machine: the Pi's own before one on a cable."""
    if has_picamera():
        return SourceName("picamera")
    numbers = webcams()
    if numbers:
        return SourceName("webcam", str(numbers[0]))
    raise NoCamera(
        "There is no camera here; try --source video:FILE, images:DIR or virtual, or none to type the moves."
    )


def has_picamera() -> bool:
    """Whether this is a machine with the Raspberry Pi's camera library and a camera bus."""
    return importlib.util.find_spec("picamera2") is not None and any(Path("/dev").glob("media*"))


def webcams() -> list[int]:
    """The numbers of the video devices, the lowest first."""
    found = (path.name.removeprefix("video") for path in Path("/dev").glob("video*"))
    return sorted(int(name) for name in found if name.isdecimal())
