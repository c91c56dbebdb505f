"""Pictures as a USB camera packs them (MJPEG): whole or torn, their size, and how much of them is unpacked.

Unpacking all of a large picture ten times a second would keep a small board busy. To watch, a half, a quarter
or an eighth of its pixels in each direction is enough, and costs a fraction: JPEG can be unpacked so.
"""

import re
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np

from device.cameras.choosing import Size
from device.cameras.frames import Picture

LEAST_WATCH_PX: Final = 960
"""A picture that is watched is at least so wide, if the camera's is."""
_REDUCED: Final = {1: cv2.IMREAD_COLOR, 2: cv2.IMREAD_REDUCED_COLOR_2, 4: cv2.IMREAD_REDUCED_COLOR_4,
                   8: cv2.IMREAD_REDUCED_COLOR_8}  # fmt: skip
_BEGIN, _END, _SCAN = 0xD8, 0xD9, 0xDA
_SIZES = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
"""Markers of segments that tell the size."""
_MARKER = re.compile(rb"\xff+([^\x00\xd0-\xd7\xff])")
"""What ends a scan: neither a stuffed byte nor a restart."""


@dataclass(frozen=True)
class PackedPicture:
    """A whole picture, not unpacked yet."""

    data: bytes
    size: Size

    def unpacked(self, share: int = 1) -> Picture | None:
        """The picture with one of ``share`` pixels in each direction; None where it cannot be unpacked."""
        try:
            flags = _REDUCED[share] | cv2.IMREAD_IGNORE_ORIENTATION
            picture = cv2.imdecode(np.frombuffer(self.data, np.uint8), flags)
        except cv2.error:
            return None
        return None if picture is None else np.asarray(picture, dtype=np.uint8)


def packed(data: bytes) -> PackedPicture | None:
    """The picture that these bytes begin with, whatever follows it; None where they hold no whole one.

    Unpacking would fill in what is missing, and complain to nobody.
    """
    if data[:2] != bytes((0xFF, _BEGIN)):
        return None
    size, at, in_scan = None, 2, False
    # Only a scan may hold anything between two markers.
    while (found := (_MARKER.search if in_scan else _MARKER.match)(data, at)) is not None:
        kind, at = found[1][0], found.end()
        if kind == _END:
            return None if size is None else PackedPicture(data[:at], size)
        if kind == _BEGIN:
            return None  # the next picture begins before this one has ended
        length = int.from_bytes(data[at : at + 2], "big")
        if kind in _SIZES:
            high, wide = (int.from_bytes(data[at + k : at + k + 2], "big") for k in (3, 5))
            size = (wide, high)
        at += max(2, length)  # of a scan, its head: the search goes on in its data
        in_scan = kind == _SCAN
    return None


def share_to_watch(size: Size, wanted: Size | None = None) -> int:
    """As little as is enough to watch: at least ``wanted``, or ``LEAST_WATCH_PX`` in width."""
    least = wanted or (LEAST_WATCH_PX, 1)
    enough = (share for share in (8, 4, 2) if size[0] >= share * least[0] and size[1] >= share * least[1])
    return next(enough, 1)
