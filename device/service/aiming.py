"""Aiming and focusing before a match: the camera's picture with its markers drawn in, and how sharp it is.

The camera is borrowed while somebody looks, and given back a few seconds after the last look. A match that
begins meanwhile takes it away.
"""

import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

import cv2
import numpy as np

from calibration.camera_errors import CalibrationError
from calibration.table_finder import find_markers
from device.cameras.focus import FULL, sharpness
from device.cameras.own_process import reason_of
from device.health import sight
from device.journal.ruling_pictures import jpeg_of
from device.live.ports import Away, Shot, Source
from device.service.kept_camera import Focusing
from engine.plain import JsonObject

KEPT_S: Final = 6.0
_WAIT_S: Final = 1.0
_WIDEST_PX: Final = 960
_QUALITY: Final = 75
_INK: Final = (80, 220, 60)
NOT_YET: Final = "The camera gives no picture yet."


@dataclass(frozen=True)
class Aimed:
    """One look: the picture, whether all markers are seen, and how sharp it is (1 is as sharp as it gets)."""

    jpeg: bytes
    markers: str
    well: bool
    sharp: float

    def to_json(self) -> JsonObject:
        """What is told beside the picture."""
        return {"markers": self.markers, "well": self.well, "sharp": round(self.sharp, 2)}


def aimed(picture: Any) -> Aimed:
    """What a picture says of how the camera hangs."""
    finding = sight.markers(picture)
    shown = picture.copy()
    try:
        found = find_markers(np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), dtype=np.uint8))
    except CalibrationError:
        found = {}
    thick = max(2, picture.shape[1] // 300)
    for corners in found.values():
        cv2.polylines(shown, [np.round(corners).astype(np.int32)], True, _INK, thick)
    share = min(1.0, _WIDEST_PX / picture.shape[1])
    shown = cv2.resize(shown, None, fx=share, fy=share, interpolation=cv2.INTER_AREA)
    sharp = min(1.0, sharpness(picture) / FULL)
    return Aimed(jpeg_of(shown, _QUALITY), finding.words, finding.grade == "ok", sharp)


class Aiming:
    """The looks before a match, for any thread."""

    def __init__(self, borrow: Callable[[], Source | None]) -> None:
        self._borrow = borrow
        self._turn = threading.Lock()
        self._source: Source | None = None
        self._timer: threading.Timer | None = None
        self.blind = ""
        """Why the last look saw nothing, in a sentence; empty where it did, or none was lent."""

    def look(self) -> Aimed | None:
        """How the camera hangs now; None where there is no picture."""
        picture = self.picture()
        return None if picture is None else aimed(picture)

    def picture(self) -> Any | None:
        """What the camera sees now; None where there is no picture."""
        with self._turn:
            found = None if self._source is None else self._source.next(_WAIT_S)
            if found is None:  # nobody has looked for a while, or a match had the camera since
                self._let_go()
                self._source = self._borrow()
                found = None if self._source is None else self._source.next(_WAIT_S)
            if self._source is not None:
                self._later()
            self.blind = _why(found) if isinstance(found, Away) else ""
        return found.picture if isinstance(found, Shot) else None

    def focus_again(self) -> bool | None:
        """Ask the camera to focus anew; whether it can, None where there is none, or nobody knows yet."""
        with self._turn:
            return self._source.focus_again() if isinstance(self._source, Focusing) else None

    def close(self) -> None:
        """Give the camera back."""
        with self._turn:
            self._let_go()

    def _let_go(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        source, self._source, self._timer, self.blind = self._source, None, None, ""
        if source is not None:
            source.close()

    def _later(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer = threading.Timer(KEPT_S, self.close)
        self._timer.daemon = True
        self._timer.start()


def _why(away: Away) -> str:
    """Why a camera that is there gives no picture; it may just be a moment late."""
    return f"{reason_of(away).removesuffix('.')}." if away.why else NOT_YET
