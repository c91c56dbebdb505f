"""The photos of sheets that were read lately, a few at a time, and what was read in them."""

import secrets
from collections import OrderedDict
from dataclasses import dataclass, replace
from pathlib import Path
from threading import Lock

from device.sheet_powers import maps_with_powers
from device.sheet_reading import FlatMap
from vision.sheet_cells import Picture
from vision.spellbook_reader import ReadSpellbook

_MOST_KEPT = 6


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


class Album:
    """The photos that were read lately, and where examples are kept."""

    def __init__(self, examples: Path | None = None) -> None:
        self.examples = examples
        self.reading = Lock()
        self._photos: OrderedDict[str, Photo] = OrderedDict()
        self._lock = Lock()

    def put(self, photo: Photo) -> str:
        """Keep a photo; the oldest one is forgotten."""
        name = secrets.token_urlsafe(12)
        with self._lock:
            self._photos[name] = photo
            while len(self._photos) > _MOST_KEPT:
                self._photos.popitem(last=False)
        return name

    def get(self, name: str) -> Photo | None:
        """A photo kept, or None if it is not there any more."""
        with self._lock:
            return self._photos.get(name)
