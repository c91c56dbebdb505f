"""A test move before any game: what the camera reads on the table, and what has changed since the last look.

Nothing of it is kept, and no rule book has a say: it only shows whether camera, light and pieces do.
"""

import math
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

import cv2

from calibration.camera_errors import BadProfileFile
from calibration.profiles import CameraProfile
from device.journal.ruling_pictures import jpeg_of
from device.lenses import unlike
from device.live.other_size import size_of
from engine.plain import JsonObject
from vision.photos import picture_reading
from vision.pieces.overlay import drawn_in, short
from vision.pieces.reading import Readout

_STIRRED: Final = 0.012
"""A piece that is nearer than this to where it was, as a share of the picture's width, has not moved."""
_WIDEST_PX: Final = 960
_QUALITY: Final = 75
_PATIENCE_S: Final = 20.0
"""So long a look waits for the one before it."""
NOTHING: Final = "Nothing was recognised. More light, the camera nearer, or pieces that lie apart may help."
STILL: Final = "Nothing has changed: move a piece, take your hand away, and look again."


@dataclass(frozen=True, slots=True)
class TriedPiece:
    """One piece as it was read, and where, as shares of the picture's width."""

    what: str
    x: float
    y: float


@dataclass(frozen=True, slots=True)
class Tried:
    """One look: the picture with what was read drawn in, all pieces, and what has changed."""

    jpeg: bytes
    lies: tuple[TriedPiece, ...]
    changed: tuple[str, ...]

    def to_json(self) -> JsonObject:
        """What is told beside the picture."""
        return {"pieces": [one.what for one in self.lies], "changed": [*self.changed]}


@dataclass(frozen=True)
class AsInMatches:
    """Reads a picture with the lens and the markers that a match would count on."""

    lens: Callable[[], CameraProfile]
    """Of the camera that is looked through; raises BadProfileFile where the chosen one is of no use."""
    marker_mm: float

    def __call__(self, picture: Any) -> Readout:
        """What lies there; raises BadProfileFile in the sentence that a match would show."""
        lens, size = self.lens(), size_of(picture)
        if wrong := unlike(lens, size):
            raise BadProfileFile(wrong)
        return picture_reading.read_picture(picture, marker_mm=self.marker_mm, lens=lens.knowledge(size))


class Trying:
    """The looks of a test move, for any thread; one at a time."""

    def __init__(
        self, picture: Callable[[], Any | None], read: Callable[[Any], Readout] | None = None
    ) -> None:
        self._picture, self._read = picture, read or picture_reading.read_picture
        self._turn = threading.Lock()
        self._before: tuple[TriedPiece, ...] | None = None

    def look(self, *, anew: bool = False) -> Tried | None:
        """What lies there now, and what has changed; ``anew`` forgets what was before.

        Raises BadProfileFile where the lens that was chosen cannot be used.
        """
        if not self._turn.acquire(timeout=_PATIENCE_S):
            return None
        try:
            picture = self._picture()
            if picture is None:
                return None
            found = self._read(picture)
            before = None if anew else self._before
            self._before = lies = lying(found)
            return Tried(_shown(picture, found), lies, tuple(changes(before, lies)))
        finally:
            self._turn.release()


def lying(found: Readout) -> tuple[TriedPiece, ...]:
    """The pieces of a reading, in words and places."""
    wide = max(found.size[0], 1)
    return tuple(
        TriedPiece(f"{one.kind} {short(one)}".strip(), *(float(part) / wide for part in one.middle))
        for one in found.pieces
    )


def changes(before: Sequence[TriedPiece] | None, now: Sequence[TriedPiece]) -> list[str]:
    """What a person would say of two looks; of the first one nothing but whether anything was seen."""
    if before is None:
        return [] if now else [NOTHING]
    gone, told = list(before), list[str]()
    fresh = [one for one in now if not _taken(gone, one, _STIRRED)]
    for one in fresh:
        told.append(f"{one.what} has moved." if _taken(gone, one, math.inf) else f"{one.what} has come.")
    told += [f"{one.what} is gone." for one in gone]
    return told or [STILL]


def _taken(from_: list[TriedPiece], one: TriedPiece, within: float) -> bool:
    """Whether the nearest of the same pieces lay within reach; then it is taken out."""
    same = [other for other in from_ if other.what == one.what]
    nearest = min(same, key=lambda other: _apart(other, one), default=None)
    if nearest is None or _apart(nearest, one) > within:
        return False
    from_.remove(nearest)
    return True


def _apart(one: TriedPiece, other: TriedPiece) -> float:
    return math.hypot(one.x - other.x, one.y - other.y)


def _shown(picture: Any, found: Readout) -> bytes:
    shown: Any = drawn_in(picture, found)
    share = min(1.0, _WIDEST_PX / picture.shape[1])
    small: Any = cv2.resize(shown, None, fx=share, fy=share, interpolation=cv2.INTER_AREA)
    return jpeg_of(small, _QUALITY)
