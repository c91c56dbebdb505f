"""The newest picture as browsers get it: drawn once for all of them, however many look on.

Drawing is what a page costs a small machine: each screen asks some times a second, and a table full of pieces
takes as long to be drawn as several frames take to be decoded. A page writes the words itself, as large as it
shows the picture, and in its language: it is told where they belong.
"""

import json
import threading
import time
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any, Final, Literal, NamedTuple, TypeAlias

import cv2
import numpy as np

from device.journal.ruling_pictures import Outline, box_of, drawn, jpeg_of
from device.live.ports import Glimpse
from device.live.thread_channels import Latest

LEAST_S: Final = 0.35
"""A picture this young is given again: pages ask every 0.4 s, and in turns would have every frame drawn."""
ODD: Final = "?!"
"""Before the name of what lies otherwise than the record says; letters that every font has."""
_ODD_INK: Final = (80, 90, 255)
_QUALITY: Final = 75
_WIDEST_PX: Final = 960

How: TypeAlias = Literal["drawn", "outlined", "plain"]
"""What was read: outlines and words in the picture, outlines alone, or nothing."""


class ShownPicture(NamedTuple):
    """A picture as it is sent."""

    number: int
    jpeg: bytes
    words: str
    """What to write over a picture that is outlined, as JSON in letters of ASCII."""


class NewestPicture:
    """The pictures of one match, in each way in which somebody wants them."""

    def __init__(self, frames: Latest[Glimpse], clock: Callable[[], float] = time.monotonic) -> None:
        self._frames, self._clock = frames, clock
        self._lock = threading.Lock()
        """Held while one is drawn: whoever wants the same one waits for it instead of drawing it, too."""
        self._made: dict[How, tuple[float, ShownPicture]] = {}
        """When it was made, and what."""

    def get(self, how: How) -> ShownPicture | None:
        """The newest picture, or None as long as there is none."""
        with self._lock:
            number, glimpse = self._frames.get()
            if glimpse is None:
                return None
            now, made = self._clock(), self._made.get(how)
            if made is None or (made[1].number != number and now - made[0] >= LEAST_S):
                words = captions_of(glimpse) if how == "outlined" else ""
                made = now, ShownPicture(number, jpeg_of(shown(glimpse, how), _QUALITY), words)
                self._made[how] = made
            return made[1]


def shown(glimpse: Glimpse, how: How) -> Any:
    """A frame for a screen: no larger than needed, with what was read and what is hidden drawn in."""
    picture: Any = glimpse.shot.picture
    if how != "plain":
        hidden = glimpse.look.hidden if glimpse.look else ()
        marks = [Outline(tuple((float(x), float(y)) for x, y in outline)) for outline in hidden]
        odd = [replace(one, words=f"{ODD} {one.words}".strip()) for one in glimpse.odd]
        read = [one for one in glimpse.marks if one not in glimpse.odd]
        if how == "outlined":
            odd, read = _bare(odd), _bare(read)
        picture = drawn(drawn(picture, [*read, *marks]), odd, _ODD_INK)
    share = _share(picture)
    if share < 1:
        picture = cv2.resize(picture, None, fx=share, fy=share, interpolation=cv2.INTER_AREA)
    return np.ascontiguousarray(picture)


def captions_of(glimpse: Glimpse) -> str:
    """How large the picture is that is sent; each word, the box of its thing, and whether that is odd."""
    high, wide = glimpse.shot.picture.shape[:2]
    share = _share(glimpse.shot.picture)
    told = [
        [mark.words, *(round(share * side) for side in box), int(mark in glimpse.odd)]
        for mark in dict.fromkeys((*glimpse.marks, *glimpse.odd))
        if (mark.words or mark in glimpse.odd) and (box := box_of([mark])) is not None
    ]
    size = [round(share * side) for side in (wide, high)]
    return json.dumps({"size": size, "words": told}, separators=(",", ":"))


def _bare(marks: Iterable[Outline]) -> list[Outline]:
    return [replace(one, words="") for one in marks]


def _share(picture: Any) -> float:
    return min(1.0, _WIDEST_PX / int(picture.shape[1]))
