"""The photos of sheets that were read lately: a few, small, for an hour.

What is kept of a photo are its maps from straight above; of one whose corners are still to be tapped the
photo itself, as a JPEG. All of it together stays within a budget of bytes, whatever people send.
"""

import secrets
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from threading import Lock
from typing import Final

import cv2
import numpy as np

from device.sheet_powers import maps_with_powers
from device.sheet_reading import FlatMap
from vision.sheet_cells import Picture
from vision.spellbook_reader import ReadSpellbook

_MOST_KEPT: Final = 6
BUDGET: Final = 24_000_000
"""Bytes of all photos together."""
KEPT_S: Final = 3600.0
LONGEST_PX: Final = 4096
"""The longer side of a photo that is read: that of twelve megapixels, of which a map needs the half."""
_QUALITY: Final = 92


@dataclass(frozen=True)
class Photo:
    """What is kept of a photo: its maps, or the photo itself while its corners are still to be tapped.

    One that was added to others has their maps and spellbooks, too: a game may take three photos.
    """

    maps: tuple[FlatMap, ...] = ()
    books: tuple[ReadSpellbook, ...] = ()
    image: Picture | None = None

    def with_powers(self) -> "Photo":
        """The same, with what its spellbook says of the players' powers."""
        if len(self.books) != 1 or not 1 <= len(self.maps) <= 2:
            return self
        told = maps_with_powers([one.map for one in self.maps], self.books[0])
        return replace(self, maps=tuple(FlatMap(m, one.flat) for m, one in zip(told, self.maps, strict=True)))


@dataclass(frozen=True)
class _Kept:
    """A photo as it is held in memory."""

    photo: Photo
    """Without its image."""
    jpeg: bytes
    at_s: float

    @property
    def size(self) -> int:
        """About how many bytes it takes."""
        return len(self.jpeg) + sum(one.flat.nbytes for one in self.photo.maps)


class Album:
    """The photos that were read lately, and where examples are kept."""

    def __init__(self, examples: Path | None = None, clock: Callable[[], float] = time.monotonic) -> None:
        self.examples = examples
        self.reading = Lock()
        self._clock = clock
        self._photos: OrderedDict[str, _Kept] = OrderedDict()
        self._lock = Lock()

    def put(self, photo: Photo) -> str:
        """Keep a photo; the oldest ones are forgotten."""
        name = secrets.token_urlsafe(12)
        jpeg = b"" if photo.image is None else _jpeg(photo.image)
        with self._lock:
            self._forget()
            self._photos[name] = _Kept(replace(photo, image=None), jpeg, self._clock())
            while len(self._photos) > 1 and (len(self._photos) > _MOST_KEPT or self._size > BUDGET):
                self._photos.popitem(last=False)
        return name

    def get(self, name: str) -> Photo | None:
        """A photo kept, or None if it is not there any more."""
        with self._lock:
            self._forget()
            kept = self._photos.get(name)
        if kept is None:
            return None
        return replace(kept.photo, image=_picture(kept.jpeg)) if kept.jpeg else kept.photo

    def jpeg(self, name: str) -> bytes | None:
        """The photo itself, while its corners are to be tapped."""
        with self._lock:
            self._forget()
            kept = self._photos.get(name)
        return None if kept is None else kept.jpeg or None

    @property
    def _size(self) -> int:
        return sum(one.size for one in self._photos.values())

    def _forget(self) -> None:
        """Those that are too old."""
        now = self._clock()
        for name in [name for name, one in self._photos.items() if now - one.at_s > KEPT_S]:
            del self._photos[name]


def _jpeg(picture: Picture) -> bytes:
    done, data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, _QUALITY])
    assert done
    return bytes(data)


def _picture(jpeg: bytes) -> Picture:
    return cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR)  # type: ignore[return-value]
