"""The one thing that Pipwatch does as root: put a file that its service hands over onto a USB stick.

systemd starts it at a socket that the service alone may open. The file comes through that socket, piece by
piece, so that no path is followed here and nothing of it lies on the card. The stick is mounted where only
this process sees it, and let go before the answer is given.
It stands by itself: only Python's own library, and no module of ours.

The service says ``NAME``, is told ``ready`` or ``no WHY``, sends pieces with their lengths (four bytes)
before them, then no length and the SHA-256 of all, and is told ``ok WHAT`` or ``no WHY``. In between it is
told ``busy`` again and again: a slow stick takes minutes to be written to its end and read.
"""

import hashlib
import json
import os
import re
import socket
import subprocess
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path
from typing import Any, Final

PLACE: Final = Path("/run/pipwatch-stick")
KINDS: Final[Mapping[str, str]] = {"ntfs": "ntfs3"} | {
    kind: kind for kind in ("vfat", "exfat", "ext4", "ext3", "ext2", "btrfs", "f2fs")
}
"""File systems that sticks have, as lsblk calls them, and by which name Linux writes them."""
PARTS_OF_MORE: Final = ("LVM2_member", "crypto_LUKS", "linux_raid_member", "zfs_member", "bcache")
OPTIONS: Final = "rw,nosuid,nodev,noexec,nosymfollow"
"""Nothing on a stranger's stick is run, and no link of his leads us elsewhere."""
GUESTS: Final = ("/media/", "/run/media/", "/mnt/")
"""Where desktops mount sticks: a disk with anything mounted elsewhere is the machine's own."""
NONE: Final = "There is no USB stick that can be written: put one in, and press again."
_LIST: Final = ("lsblk", "--json", "--tree", "--output", "PATH,TRAN,FSTYPE,MOUNTPOINTS")
_NAME: Final = re.compile(r"(pipwatch-\d{4}-\d\d-\d\d)\.zip")
_LONGEST_NAME: Final = 100
_LENGTH_BYTES: Final = 4
_LARGEST: Final = 1 << 24
"""Bytes of a piece: the service sends an eighth of a megabyte, and some more where it has little to pack."""
CUT: Final = "The backup broke off before it was whole."
_PATIENCE_S: Final = 60.0
_BUSY_EVERY_S: Final = 10.0
"""The service gives a copier up that it has not heard of for some minutes."""

Run = Callable[[Sequence[str]], str]


class Refused(Exception):
    """It cannot be copied; the message is the sentence for whoever pressed the button."""


def main() -> None:
    """Serve one press: standard input is the connection."""
    with socket.socket(fileno=os.dup(0)) as line:
        serve(line, PLACE, _run)


def serve(line: socket.socket, place: Path, run: Run) -> None:
    """Copy what comes through a connection, and answer it."""
    line.settimeout(_PATIENCE_S)
    with _told_busy(line):
        try:
            words = f"ok {copied(Handed(line), place, run)}"
        except (Refused, OSError) as wrong:
            words = f"no {wrong}"
    with suppress(OSError):
        line.sendall(f"{words}\n".encode())


@contextmanager
def _told_busy(line: socket.socket) -> Iterator[None]:
    """Tell the other end that there is work; another thread does, as calls of the kernel take long here."""
    over = threading.Event()

    def tell() -> None:
        with suppress(OSError):
            while not over.wait(_BUSY_EVERY_S):
                line.sendall(b"busy\n")

    thread = threading.Thread(target=tell, daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


class Handed:
    """A file that comes through a connection."""

    def __init__(self, line: socket.socket) -> None:
        self._line, self._heard = line, line.makefile("rb")
        self.begun = False
        """Whether any of it was asked for: it comes once."""
        name = self._heard.readline(_LONGEST_NAME).decode(errors="replace").removesuffix("\n")
        if not _NAME.fullmatch(name):
            raise Refused("what was handed over is no backup")
        self.name = name

    def pieces(self) -> Iterator[bytes]:
        """All of it; raises Refused where not all of it came."""
        self.begun = True
        self._line.sendall(b"ready\n")
        digest = hashlib.sha256()
        while length := int.from_bytes(self._exactly(_LENGTH_BYTES), "big"):
            if length > _LARGEST:
                raise Refused("what was handed over is no backup")
            digest.update(piece := self._exactly(length))
            yield piece
        if self._exactly(digest.digest_size) != digest.digest():
            raise Refused(CUT)

    def _exactly(self, length: int) -> bytes:
        data = self._heard.read(length)
        if len(data) < length:
            raise Refused(CUT)
        return data


def sticks(listed: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """The partitions of USB disks that are nobody else's, with their file systems, as lsblk lists them."""
    for disk in listed["blockdevices"]:
        parts = [*_all_of(disk)]
        places = [place for part in parts for place in part["mountpoints"] if place]
        if disk["tran"] == "usb" and all(f"{place}/".startswith(GUESTS) for place in places):
            yield from ((part["path"], KINDS[part["fstype"]]) for part in parts if part["fstype"] in KINDS)


def copied(handed: Handed, place: Path, run: Run) -> str:
    """Put what is handed over onto the first stick that takes it; where it lies now, in a sentence."""
    why = ""
    listed = json.loads(run(_LIST))
    for path, kind in sticks(listed):
        try:
            with _mounted(path, kind, place, run):
                called = _put(handed, place)
        except OSError as wrong:
            why = f"The stick ({path}) cannot be written: {wrong.strerror or wrong}."
            if handed.begun:
                break
        else:
            return f"{called} is on the stick, checked. Now it may be taken out."
    raise Refused(why or unknown(listed) or NONE)


def unknown(listed: Mapping[str, Any]) -> str:
    """What is said of a stick that is there, and of which nothing can be written here; else nothing.

    A disk that is a part of something larger is no stick: nobody is told to format it.
    """
    for disk in listed["blockdevices"]:
        parts = [*_all_of(disk)]
        places = [place for part in parts for place in part["mountpoints"] if place]
        kinds = dict.fromkeys(part["fstype"] or "?" for part in parts if not part.get("children"))
        if disk["tran"] != "usb" or not all(f"{place}/".startswith(GUESTS) for place in places):
            continue
        if not any(part["fstype"] in PARTS_OF_MORE for part in parts):
            told = ", ".join(kinds)
            return f"The stick ({disk['path']}) cannot be written: format it as FAT or exFAT, it has {told}."
    return ""


def _all_of(disk: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """A disk, and all that lies on it and on that."""
    yield disk
    for part in disk.get("children", []):
        yield from _all_of(part)


@contextmanager
def _mounted(path: str, kind: str, place: Path, run: Run) -> Iterator[None]:
    run(["mount", "-t", kind, "-o", OPTIONS, path, str(place)])
    try:
        yield
    finally:
        run(["umount", str(place)])


def _put(handed: Handed, folder: Path) -> str:
    """The file under a free name: whole, on the disk and read once more, or not there at all."""
    bare = handed.name.removesuffix(".zip")
    names = (f"{bare}{'' if n == 1 else f'-{n}'}.zip" for n in count(1))
    called = next(one for one in names if not os.path.lexists(folder / one))
    part = folder / f".{called}.new"
    with suppress(FileNotFoundError):
        part.unlink()
    try:
        # "x": a link that lies there is an error, and is not followed.
        with part.open("x+b") as file:
            was = hashlib.sha256()
            for piece in handed.pieces():
                file.write(piece)
                was.update(piece)
            file.flush()
            os.fsync(file.fileno())
            os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)  # read the stick, not our memory
            file.seek(0)
            if hashlib.file_digest(file, "sha256").digest() != was.digest():
                raise OSError("it was not written as it is; try another one")
        part.rename(folder / called)
    except (OSError, Refused):
        with suppress(OSError):
            part.unlink()
        raise
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
    return called


def _run(command: Sequence[str]) -> str:
    """What a program says; raises OSError with its own words where it fails."""
    try:
        done = subprocess.run(
            command,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=_PATIENCE_S,
            check=False,
        )
    except subprocess.SubprocessError as wrong:
        raise OSError(f"{command[0]} did not end within {_PATIENCE_S:g} s") from wrong
    if done.returncode:
        words = (done.stderr.strip().splitlines() or [f"{command[0]} ended with {done.returncode}"])[0]
        raise OSError(words)
    return done.stdout


if __name__ == "__main__":
    main()
