"""What was read in a picture of another size than those that are watched, in the pixels of these.

The large picture of a camera shows the same as the small one of the same moment, so that a factor is all that
lies between them. Hands, changes and marks are in the pixels that are watched, whatever was read.
"""

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np

from calibration.table_finder import Table
from device.live.ports import Picture
from vision.pieces.patches import Floats
from vision.pieces.piece_read import Read
from vision.pieces.reading import Readout

Size = tuple[int, int]


def size_of(picture: Picture) -> Size:
    """A picture's width and height."""
    return picture.shape[1], picture.shape[0]


def shrunk(picture: Picture, size: Size) -> Picture:
    """A picture at the size that is watched."""
    if size_of(picture) == size:
        return picture
    return np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), dtype=np.uint8)


def reading_in(reading: Readout, table: Table) -> Readout:
    """A reading in the pixels of the table that is watched."""
    size = table.camera.lens.size_px
    if reading.size == size:
        return reading

    def told(pieces: Sequence[Read]) -> tuple[Read, ...]:
        return tuple(replace(one, corners=corners_in(one.corners, reading.size, size)) for one in pieces)

    return replace(reading, size=size, pieces=told(reading.pieces), table=table, alone=told(reading.alone))


def corners_in(corners: Floats, of: Size, size: Size) -> Floats:
    """Points in a picture of one size, in the pixels of another."""
    if of == size:
        return corners
    share = np.array(size, dtype=float) / of
    return np.asarray((corners + 0.5) * share - 0.5)
