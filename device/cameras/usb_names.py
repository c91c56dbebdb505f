"""How a USB camera is called so that it stays the same one: by maker, model and serial number.

The system numbers cameras as it finds them: two of them swap after a restart, and one that was pulled comes
back under another number. Cameras that tell of no difference are told apart by the socket that they are in.
"""

import json
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

from device.cameras.usb_known import Kin, kept
from device.files import write_safely
from device.folders import sockets_file

NODES = Path("/sys/class/video4linux")
"""What the system knows of each video device."""
_IDS = r"[0-9a-f]{4}:[0-9a-f]{4}(?::[A-Za-z0-9._-]{1,40})?"
_NUMBER = re.compile(r"[0-9]{1,3}")
NAME = re.compile(rf"{_NUMBER.pattern}|{_IDS}(?:@[0-9.:-]{{1,40}})?")
"""A number, which is of this moment alone; or who made it, which model, its serial number, and its socket."""
_LONGEST_SERIAL = 40
_LONGEST_TITLE = 40


@dataclass(frozen=True, slots=True)
class UsbCamera:
    """One that is connected."""

    number: int
    """Of its device at the moment."""
    ids: str = ""
    """Maker, model and serial number, as far as it tells them."""
    place: str = ""
    """The socket that it is in, and which of its parts it is."""
    title: str = ""
    called: str = ""
    """What it is called where it tells of itself; with its socket where that alone tells it apart."""

    @property
    def name(self) -> str:
        """What it is called after ``webcam:``; its number where it tells nothing of itself."""
        return self.called or str(self.number)

    @property
    def names(self) -> Sequence[str]:
        """All names by which it alone is meant, the one that it is called by first."""
        return tuple(dict.fromkeys((self.name, f"{self.ids}@{self.place}"))) if self.ids else (self.name,)


def webcams(nodes: Path | None = None) -> Sequence[UsbCamera]:
    """The USB cameras that are connected, by their sockets; called as they were before, if they were there.

    A Raspberry Pi has a dozen video devices more, for its codecs; and each camera has one beside its picture
    that gives only data about it.
    """
    found = sorted(_found(nodes or NODES), key=lambda one: (_counted(one.place), one.number))
    known = kept(sockets_file())
    kin = {ids: known.get(ids, Kin()).met(places) for ids, places in sockets_of(found).items()}
    return [replace(one, called=kin[one.ids].name(one.ids, one.place)) if one.ids else one for one in found]


def sockets_of(there: Sequence[UsbCamera]) -> Mapping[str, Sequence[str]]:
    """In which sockets cameras are, by what they tell of themselves."""
    found = defaultdict[str, list[str]](list)
    for one in there:
        if one.ids:
            found[one.ids].append(one.place)
    return found


def number_of(name: str, nodes: Path | None = None) -> int | None:
    """The number of the camera of this name at the moment; None where it is not connected."""
    if _NUMBER.fullmatch(name):
        return int(name)
    return next((one.number for one in webcams(nodes) if name in one.names), None)


def maybe(name: str, nodes: Path | None = None) -> Sequence[UsbCamera]:
    """Those that may be meant by a name that none of them has: only their sockets tell them apart."""
    alike = [one for one in webcams(nodes) if one.ids and one.ids == name]
    return [] if any(name in one.names for one in alike) else alike


def not_there(name: str, nodes: Path | None = None) -> str:
    """Why no camera is taken by a name, and what to do, in a sentence."""
    alike = [f"webcam:{one.name}" for one in maybe(name, nodes)]
    if len(alike) > 1:
        return (
            f"{len(alike)} cameras answer to {name}, and only their sockets differ: "
            f"set source to one of {', '.join(alike)}"
        )
    if alike:
        return (
            f"the camera {name} is not where it was, and whether it is the one that is there cannot be told: "
            f"plug it in there again, or set source to {alike[0]}"
        )
    return f"there is no camera {name}: plug it in"


class Usual:
    """Which USB camera was taken last where nobody chose: the same one is taken again while it is there."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def of(self, there: Sequence[UsbCamera]) -> UsbCamera | None:
        """The same in the same socket, before the same in another one, before the first one."""
        ids, place = self._read()
        same = [one for one in there if ids and one.ids == ids]
        first = [one for one in same if one.place == place] or same or there
        return first[0] if first else None

    def keep(self, camera: UsbCamera) -> None:
        """From now on it is this one."""
        if not camera.ids or self._read() == (camera.ids, camera.place):
            return
        with suppress(OSError):  # a card that takes nothing does not stop a camera
            self._path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            write_safely(self._path, json.dumps({"ids": camera.ids, "place": camera.place}).encode())

    def _read(self) -> tuple[str, str]:
        try:
            plain = json.loads(self._path.read_text(encoding="utf-8"))
            return str(plain["ids"]), str(plain["place"])
        except (OSError, ValueError, LookupError, TypeError):
            return "", ""


def _found(nodes: Path) -> Iterator[UsbCamera]:
    for node in nodes.glob("video[0-9]*"):
        if (node / "device" / "subsystem").resolve().name != "usb" or told(node / "index") != "0":
            continue
        part = (node / "device").resolve()
        whole = part.parent  # the camera itself; beside its pictures it may have a microphone
        maker, model = (told(whole / one).lower() for one in ("idVendor", "idProduct"))
        serial = re.sub(r"[^A-Za-z0-9._-]+", "_", told(whole / "serial"))[:_LONGEST_SERIAL]
        ids = ":".join(filter(None, (maker, model, serial)))
        known = maker and model and NAME.fullmatch(ids)
        title = told(node / "name")[:_LONGEST_TITLE]
        number = int(node.name.removeprefix("video"))
        yield UsbCamera(number, ids, part.name, title) if known else UsbCamera(number, title=title)


def _counted(place: str) -> Sequence[int]:
    """A socket's name as numbers: the tenth comes after the second."""
    return [int(part) for part in re.findall(r"\d+", place)]


def told(file: Path) -> str:
    """What the system tells in a file of one line; nothing where it does not."""
    try:
        return file.read_text(errors="replace").strip()
    except OSError:
        return ""
