"""Which camera ``--source`` means on this machine."""

import importlib.util
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from device.cameras import usb_names
from device.cameras.apart import Apart, program
from device.cameras.kept import Memory
from device.cameras.usb_names import UsbCamera, Usual, number_of, told
from device.cameras.wanted import CameraSettings
from device.cameras.watchdog import Patience
from device.live.source_name import SourceName, source_name
from device.places import state_folder
from device.workload import FULL_FPS

_SENSORS = ("unicam", "rp1-cfe")
"""How the devices of a camera on a Raspberry Pi's ribbon cable are called; they are there only with one."""
FPS, WARM_UP_S = FULL_FPS, 2.0


def open_camera(
    name: SourceName, *, patience: Patience | None = None, fps: float = FPS,
    wanted: CameraSettings | None = None,
) -> Apart:  # fmt: skip
    """A camera that is named; it need not be there yet. It films no faster than ``fps``."""
    wanted = wanted or CameraSettings()
    asked = replace(wanted, fps=min(wanted.fps, fps)).to_json()
    if name.kind == "picamera":
        memory = Memory(state_folder() / "camera.json")
        return Apart(program("picamera", asked, str(WARM_UP_S)), "The camera", patience, memory=memory)
    command = program("webcam", name.rest, asked, str(WARM_UP_S))
    words = f"Webcam {name.rest}" if name.rest.isdecimal() else "The camera"
    return Apart(command, words, patience, memory=Memory())


def camera_here(fps: float = FPS, wanted: CameraSettings | None = None) -> Apart | None:
    """This machine's own camera, or None where it has none; one that nobody chose stays the own one."""
    found = chosen(wanted)
    if found is None:
        return None
    if found.kind == "webcam" and (wanted is None or wanted.source == "auto"):
        for one in webcams():
            if one.name == found.rest:  # it may have been pulled a moment ago
                _usual().keep(one)
    return open_camera(found, fps=fps, wanted=wanted)


def chosen(wanted: CameraSettings | None = None) -> SourceName | None:
    """Which camera is this machine's own: the one of the settings, else the Pi's before one on a cable.

    The latter comes first only where nothing is connected to the Pi's bus. Of several on cables it is the one
    that was taken last.
    """
    if wanted is not None and wanted.source != "auto":
        return _as_now(source_name(wanted.source))
    there = webcams()
    if has_picamera() and (has_sensor() or not there):
        return SourceName("picamera")
    usual = _usual().of(there)
    return None if usual is None else SourceName("webcam", usual.name)


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
    there = webcams()
    titles = [one.title for one in there]
    for one in there:
        title = one.title or f"Webcam {one.name}"
        alike = titles.count(one.title) > 1 and bool(one.title)
        name = f"webcam:{one.name}"
        found.append(Found(name, f"{title} ({one.name})" if alike else title, name == usual))
    if usual and all(one.name != usual for one in found):
        found.append(Found(usual, usual, True, there=False))
    return found


def missing_camera(name: str) -> str:
    """Why a camera that was chosen cannot be had, in a sentence; nothing where it is there."""
    there = [one.name for one in cameras()]
    words = f"webcam {name.removeprefix('webcam:')}" if name.startswith("webcam:") else "Pi's camera"
    if _as_now(source_name(name)).text in there:
        return ""
    return f"The {words} is not connected: choose another camera, or by hand."


def _as_now(name: SourceName) -> SourceName:
    """A USB camera as it is called now: the other one like it may have come or gone."""
    number = number_of(name.rest) if name.kind == "webcam" else None
    found = [one.name for one in webcams() if one.number == number]
    return SourceName("webcam", found[0]) if found else name


def has_picamera() -> bool:
    """Whether this is a machine with the Raspberry Pi's camera library and a camera bus."""
    return importlib.util.find_spec("picamera2") is not None and any(Path("/dev").glob("media*"))


def has_sensor() -> bool:
    """Whether a camera is connected to the Raspberry Pi's own bus."""
    return any(told(node / "name").startswith(_SENSORS) for node in usb_names.NODES.glob("video*"))


def webcams() -> Sequence[UsbCamera]:
    """The USB cameras that are connected."""
    return usb_names.webcams()


def _usual() -> Usual:
    return Usual(state_folder() / "webcam.json")
