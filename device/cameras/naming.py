"""Which camera ``--source`` means on this machine."""

import importlib.util
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from device.cameras import usb_known, usb_names
from device.cameras.last_told import CameraMemory
from device.cameras.own_process import Apart, program
from device.cameras.usb_names import UsbCamera, Usual, maybe, number_of, sockets_of, told
from device.cameras.wanted import CameraSettings
from device.cameras.watchdog import Patience
from device.folders import cameras_state, sockets_file, state_folder
from device.live.source_name import SourceName, source_name
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
        memory = CameraMemory(state_folder() / "camera.json")
        return Apart(program("picamera", asked, str(WARM_UP_S)), "The camera", patience, memory=memory)
    remember()
    command = program("webcam", name.rest, asked, str(WARM_UP_S))
    words = f"Webcam {name.rest}" if name.rest.isdecimal() else "The camera"
    return Apart(command, words, patience, memory=CameraMemory())


def camera_here(fps: float = FPS, wanted: CameraSettings | None = None) -> Apart | None:
    """This machine's own camera, or None where it has none; one that nobody chose stays the own one."""
    found = chosen(wanted)
    if found is None:
        return None
    if found.kind == "webcam" and (wanted is None or wanted.source == "auto") and _is_own():
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
class FoundCamera:
    """A camera that a match can be seen with."""

    name: str
    """As ``--source`` takes it."""
    title: str
    usual: bool
    """Whether it is the one that is taken where nobody chooses."""
    there: bool = True


def cameras(wanted: CameraSettings | None = None) -> list[FoundCamera]:
    """The cameras that are connected, and the one of the settings though it is not."""
    own = chosen(wanted)
    usual = "" if own is None else own.text
    found = [FoundCamera("picamera", "Raspberry Pi camera", usual == "picamera")] if has_picamera() else []
    there = webcams()
    titles = [one.title for one in there]
    for one in there:
        title = one.title or f"Webcam {one.name}"
        alike = titles.count(one.title) > 1 and bool(one.title)
        name = f"webcam:{one.name}"
        found.append(FoundCamera(name, f"{title} ({one.name})" if alike else title, name == usual))
    if usual and all(one.name != usual for one in found):
        found.append(FoundCamera(usual, usual, True, there=False))
    return found


def missing_camera(name: str) -> str:
    """Why a camera that was chosen cannot be had, in a sentence; nothing where it is there."""
    found = cameras()
    if called_now(name) in [one.name for one in found if one.there]:
        return ""
    usb = name.removeprefix("webcam:")
    if len(alike := maybe(usb)) > 1:
        return f"{len(alike)} cameras answer to {usb}: choose one of them by its socket, or by hand."
    words = f"webcam {usb}" if name.startswith("webcam:") else "Pi's camera"
    return f"The {words} is not connected: choose another camera, or by hand."


def called_now(name: str) -> str:
    """What a camera is called that somebody names by any of its names; the same where it is not there."""
    return _as_now(source_name(name)).text


def names_of(name: str) -> Sequence[str]:
    """All names of a camera, the one by which it is called first."""
    for one in webcams():
        if name in (found := [f"webcam:{each}" for each in one.names]):
            return found
    return [name]


def taken_for(name: str) -> Sequence[str]:
    """Names of cameras that tell the same as this one and are not there: it may be any of them, moved."""
    there = webcams()
    ids = next((one.ids for one in there if one.ids and f"webcam:{one.name}" == name), "")
    known = usb_known.kept(sockets_file()).get(ids, usb_known.Kin())
    away = dict.fromkeys(known.names(ids) if ids else ())
    return [f"webcam:{one}" for one in away if all(one not in other.names for other in there)]


def remember() -> None:
    """Keep which USB cameras are connected, so that none is taken for another once one has come or gone."""
    if _is_own():
        usb_known.keep(sockets_file(), sockets_of(webcams()))


def _is_own() -> bool:
    """Whether cameras are known by what this user keeps; what the box keeps nobody else writes."""
    return cameras_state() == state_folder()


def _as_now(name: SourceName) -> SourceName:
    """A USB camera as it is called now, by whichever of its names it is given."""
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
    return Usual(cameras_state() / "webcam.json")
