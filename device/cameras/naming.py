"""Which camera ``--source`` means on this machine."""

import importlib.util
from pathlib import Path

from device.cameras.apart import Apart, program
from device.cameras.watchdog import Patience
from device.live.source_name import SourceName

SIZE_PX = (1280, 960)
FPS, WARM_UP_S = 10.0, 2.0


def open_camera(name: SourceName, *, patience: Patience | None = None) -> Apart:
    """A camera that is named; it need not be there yet."""
    if name.kind == "picamera":
        command = program("picamera", *map(str, SIZE_PX), str(FPS), str(WARM_UP_S))
        return Apart(command, "The camera", patience)
    command = program("webcam", name.rest, *map(str, SIZE_PX), str(FPS), str(WARM_UP_S))
    return Apart(command, f"Webcam {name.rest}", patience)


def camera_here() -> Apart | None:
    """This machine's own camera, or None where it has none."""
    found = chosen()
    return None if found is None else open_camera(found)


def chosen() -> SourceName | None:
    """Which camera is this machine's own: the Pi's before one on a cable."""
    if has_picamera():
        return SourceName("picamera")
    numbers = webcams()
    return SourceName("webcam", str(numbers[0])) if numbers else None


def has_picamera() -> bool:
    """Whether this is a machine with the Raspberry Pi's camera library and a camera bus."""
    return importlib.util.find_spec("picamera2") is not None and any(Path("/dev").glob("media*"))


def webcams() -> list[int]:
    """The numbers of the video devices, the lowest first."""
    found = (path.name.removeprefix("video") for path in Path("/dev").glob("video*"))
    return sorted(int(name) for name in found if name.isdecimal())
