"""Which camera ``--source`` means on this machine."""

import importlib.util
from dataclasses import dataclass, replace
from pathlib import Path

from device.cameras.apart import Apart, program
from device.cameras.kept import Memory
from device.cameras.wanted import CameraSettings
from device.cameras.watchdog import Patience
from device.live.source_name import SourceName, source_name
from device.places import state_folder
from device.workload import FULL_FPS

NODES = Path("/sys/class/video4linux")
"""What the system knows of each video device."""
_SENSORS = ("unicam", "rp1-cfe")
"""How the devices of a camera on a Raspberry Pi's ribbon cable are called; they are there only with one."""
FPS, WARM_UP_S = FULL_FPS, 2.0


def open_camera(
    name: SourceName, *, patience: Patience | None = None, fps: float = FPS,
    wanted: CameraSettings | None = None,
) -> Apart:  # fmt: skip
    """A camera that is named; it need not be there yet. It films no faster than ``fps``."""
    wanted = wanted or CameraSettings()
    told = replace(wanted, fps=min(wanted.fps, fps)).to_json()
    if name.kind == "picamera":
        memory = Memory(state_folder() / "camera.json")
        return Apart(program("picamera", told, str(WARM_UP_S)), "The camera", patience, memory=memory)
    command = program("webcam", name.rest, told, str(WARM_UP_S))
    return Apart(command, f"Webcam {name.rest}", patience, memory=Memory())


def camera_here(fps: float = FPS, wanted: CameraSettings | None = None) -> Apart | None:
    """This machine's own camera, or None where it has none."""
    found = chosen(wanted)
    return None if found is None else open_camera(found, fps=fps, wanted=wanted)


def chosen(wanted: CameraSettings | None = None) -> SourceName | None:
    """Which camera is this machine's own: the one of the settings, else the Pi's before one on a cable.

    The latter comes first only where nothing is connected to the Pi's bus.
    """
    if wanted is not None and wanted.source != "auto":
        return source_name(wanted.source)
    numbers = webcams()
    if has_picamera() and (has_sensor() or not numbers):
        return SourceName("picamera")
    return SourceName("webcam", str(numbers[0])) if numbers else None


@dataclass(frozen=True, slots=True)
class Found:
    """A camera that a match can be seen with."""

    name: str
    """As ``--source`` takes it."""
    title: str
    usual: bool
    """Whether it is the one that is taken where nobody chooses."""
    there: bool = True


def cameras(wanted: CameraSettings | None = None) -> list[Found]:
    """The cameras that are connected, and the one of the settings though it is not."""
    own = chosen(wanted)
    usual = "" if own is None else own.text
    found = [Found("picamera", "Raspberry Pi camera", usual == "picamera")] if has_picamera() else []
    for number in webcams():
        name, told = f"webcam:{number}", _told(NODES / f"video{number}" / "name")
        found.append(Found(name, f"Webcam {number}{': ' if told else ''}{told[:40]}", name == usual))
    if usual and all(one.name != usual for one in found):
        found.append(Found(usual, usual, True, there=False))
    return found


def missing_camera(name: str) -> str:
    """Why a camera that was chosen cannot be had, in a sentence; nothing where it is there."""
    there = [one.name for one in cameras()]
    words = f"webcam {name.removeprefix('webcam:')}" if name.startswith("webcam:") else "Pi's camera"
    return "" if name in there else f"The {words} is not connected: choose another camera, or by hand."


def has_picamera() -> bool:
    """Whether this is a machine with the Raspberry Pi's camera library and a camera bus."""
    return importlib.util.find_spec("picamera2") is not None and any(Path("/dev").glob("media*"))


def has_sensor() -> bool:
    """Whether a camera is connected to the Raspberry Pi's own bus."""
    return any(_told(node / "name").startswith(_SENSORS) for node in NODES.glob("video*"))


def webcams() -> list[int]:
    """The numbers of the USB cameras, the lowest first.

    A Raspberry Pi has a dozen video devices more, for its codecs; and each camera has one beside its picture
    that gives only data about it.
    """
    found = [node for node in NODES.glob("video*") if _on_usb(node) and _told(node / "index") == "0"]
    return sorted(int(node.name.removeprefix("video")) for node in found)


def _on_usb(node: Path) -> bool:
    return (node / "device" / "subsystem").resolve().name == "usb"


def _told(file: Path) -> str:
    try:
        return file.read_text(errors="replace").strip()
    except OSError:
        return ""
