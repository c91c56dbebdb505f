"""Errors of the eye, each kept with all that is needed to repeat it: the frame, the record and the trace.

They lie in a folder beside the journal. It never grows large: an error is kept once, and only so many are.
"""

import sys
import traceback
from contextlib import suppress
from pathlib import Path
from typing import Final

import cv2

from device.journal.ruling_pictures import jpeg_of
from device.live.messages import Position
from device.live.ports import Picture, Shot
from engine import record

MOST: Final = 12
"""So many errors are kept at most beside a journal."""
MOST_BYTES: Final = 4_000_000
"""A frame that takes more than this as PNG is kept as JPEG, so that a folder holds 50 MB at most."""
_QUALITY: Final = 92


class Mishaps:
    """The folder of one journal; without one nothing is kept."""

    def __init__(self, journal: Path | None = None) -> None:
        self._folder = None if journal is None else journal.with_suffix(".errors")
        self._known: set[str] = set()
        """Where the errors of this run arose."""

    def keep(self, shot: Shot, position: Position, error: Exception) -> None:
        """Keep what is needed to repeat an error; a full disk makes it no worse."""
        traceback.print_exception(error, file=sys.stderr)
        last = traceback.extract_tb(error.__traceback__)[-1:]
        arose = f"{type(error).__name__} {[(one.filename, one.lineno) for one in last]}"
        if self._folder is None or arose in self._known:
            return
        self._known.add(arose)
        with suppress(OSError):
            self._folder.mkdir(exist_ok=True)
            kept = len([*self._folder.iterdir()])
            if kept < MOST:
                self._write(self._folder / f"error-{kept + 1:02d}", shot, position, error)

    def _write(self, folder: Path, shot: Shot, position: Position, error: Exception) -> None:
        folder.mkdir()
        (folder / "trace.txt").write_text("".join(traceback.format_exception(error)), encoding="utf-8")
        if position.game is not None:
            told = record.write(position.game.header, position.game.entries)
            (folder / "record.jsonl").write_text(told, encoding="utf-8")
        name, data = _encoded(shot.picture)
        (folder / name).write_bytes(data)


def words_of(error: Exception) -> str:
    """What people are told of an error of the eye."""
    said = (str(error).splitlines() or [""])[0] or type(error).__name__
    return f"The referee's eye made an error ({said}): what you do is not lost; it looks again."


def _encoded(picture: Picture) -> tuple[str, bytes]:
    """The frame without loss, or as JPEG where that would be too large."""
    done, data = cv2.imencode(".png", picture)
    if done and data.nbytes <= MOST_BYTES:
        return "frame.png", data.tobytes()
    return "frame.jpg", jpeg_of(picture, _QUALITY)
