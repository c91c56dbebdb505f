"""The newest picture as browsers get it: drawn once for all of them, however many look on.

Drawing is what a page costs a small machine: each screen asks some times a second, and a table full of pieces
takes as long to be drawn as several frames take to be decoded.
"""

import threading
import time
from collections.abc import Callable
from typing import Any, Final

import cv2
import numpy as np

from device.journal.evidence import Mark, drawn, jpeg_of
from device.live.channels import Latest
from device.live.ports import Glimpse

LEAST_S: Final = 0.35
"""A picture this young is given again: pages ask every 0.4 s, and in turns would have every frame drawn."""
ODD: Final = "?!"
"""Before the name of what lies otherwise than the record says; letters that every font has."""
_ODD_INK: Final = (80, 90, 255)
_QUALITY: Final = 75
_WIDEST_PX: Final = 960


class NewestPicture:
    """The pictures of one match, with what was read drawn in, or plain."""

    def __init__(self, frames: Latest[Glimpse], clock: Callable[[], float] = time.monotonic) -> None:
        self._frames, self._clock = frames, clock
        self._lock = threading.Lock()
        """Held while one is drawn: whoever wants the same one waits for it instead of drawing it, too."""
        self._made: dict[bool, tuple[float, int, bytes]] = {}
        """By whether it is plain: when it was made, its number, and the JPEG."""

    def get(self, *, plain: bool) -> tuple[int, bytes] | None:
        """Number and JPEG of the newest picture, or None as long as there is none."""
        with self._lock:
            number, glimpse = self._frames.get()
            if glimpse is None:
                return None
            now, made = self._clock(), self._made.get(plain)
            if made is None or (made[1] != number and now - made[0] >= LEAST_S):
                made = now, number, jpeg_of(shown(glimpse, plain=plain), _QUALITY)
                self._made[plain] = made
            return made[1:]


def shown(glimpse: Glimpse, *, plain: bool) -> Any:
    """A frame for a screen: no larger than needed, with what was read and what is hidden drawn in."""
    picture: Any = glimpse.shot.picture
    if not plain:
        hidden = glimpse.look.hidden if glimpse.look else ()
        marks = [Mark(tuple((float(x), float(y)) for x, y in outline)) for outline in hidden]
        odd = [Mark(one.outline, f"{ODD} {one.words}".strip()) for one in glimpse.odd]
        read = [one for one in glimpse.marks if one not in glimpse.odd]
        picture = drawn(drawn(picture, [*read, *marks]), odd, _ODD_INK)
    wide = picture.shape[1]
    if wide > _WIDEST_PX:
        share = _WIDEST_PX / wide
        picture = cv2.resize(picture, None, fx=share, fy=share, interpolation=cv2.INTER_AREA)
    return np.ascontiguousarray(picture)
