"""A backup onto a USB stick: one that is mounted and can be written, else one that root's copier mounts.

A desktop mounts sticks for who sits at it. A box without a desktop mounts none, and its service may neither
mount nor write outside its folder: it hands the backup over to ``stick_copier.py``, by a socket of systemd,
piece by piece as it is made. None of it is put onto the card, which may be full.
"""

import hashlib
import os
import re
import socket
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import IO, Final

from device.keeping.belongings import BackupError
from device.keeping.packing import Backup, free_name, pack, usual_name

MOUNTS: Final = Path("/proc/self/mountinfo")
PLACES: Final = ("/media/", "/run/media/", "/mnt/")
COPIER: Final = Path("/run/pipwatch-stick.socket")
READY: Final = b"ready\n"
"""What the copier says once it has a stick that can be written."""
BUSY: Final = b"busy\n"
"""What it says again and again before each answer."""
LENGTH_BYTES: Final = 4
_ESCAPED: Final = re.compile(r"\\([0-7]{3})")
_PATIENCE_S: Final = 240.0
"""So long the copier may say nothing, or take no piece: it says every few seconds that it is busy."""
_NONE: Final = "There is no USB stick that can be written: put one in, and press again."


def sticks(mounts: Path = MOUNTS, places: tuple[str, ...] = PLACES) -> Iterator[Path]:
    """Where sticks are mounted that can be written, in the order in which they were."""
    for line in mounts.read_text(encoding="utf-8", errors="surrogateescape").splitlines():
        place = _ESCAPED.sub(lambda found: chr(int(found[1], 8)), line.split(" ")[4])
        if place.startswith(places) and os.access(place, os.W_OK):
            yield Path(place)


def backup_to_stick(mounts: Path = MOUNTS, places: tuple[str, ...] = PLACES, copier: Path = COPIER) -> str:
    """Make a backup on the first stick; what was done, in a sentence. Raises BackupError in one."""
    for stick in sticks(mounts, places):
        return f"Backup: {pack(free_name(stick)).words} Now the stick may be taken out."
    if not os.access(copier, os.W_OK):
        raise BackupError(_NONE)
    return f"Backup: {_handed_over(Backup(), usual_name(), copier)}"


def _handed_over(backup: Backup, name: str, copier: Path) -> str:
    """Give what is made to root's copier once it has a stick for it; its sentence."""
    with socket.socket(socket.AF_UNIX) as line:
        line.settimeout(_PATIENCE_S)
        try:
            line.connect(str(copier))
            answers = line.makefile("rb")
            line.sendall(f"{name}\n".encode())
            if (words := _answer(answers)) == READY:
                with suppress(BrokenPipeError, ConnectionResetError):  # the answer says why it wants no more
                    _send(backup, line)
                words = _answer(answers)
        except OSError as wrong:
            if isinstance(wrong, BackupError):
                raise
            raise BackupError(f"The stick was not written: {wrong.strerror or wrong}.") from wrong
    kind, _, sentence = words.decode(errors="replace").strip().partition(" ")
    if kind != "ok":
        raise BackupError(sentence or "The stick was not written: its copier gave no answer.")
    return sentence


def _answer(answers: IO[bytes]) -> bytes:
    """The next line that is an answer; nothing where the copier has gone."""
    while (words := answers.readline()) == BUSY:
        pass
    return words


def _send(backup: Iterable[bytes], line: socket.socket) -> None:
    """Each piece with its length before it, then none, and the digest of all: else what came is no whole."""
    digest = hashlib.sha256()
    for piece in backup:
        if piece:
            digest.update(piece)
            line.sendall(len(piece).to_bytes(LENGTH_BYTES, "big") + piece)
    line.sendall(bytes(LENGTH_BYTES) + digest.digest())
