"""Pictures as they are wanted: padding cut off, colours in order, turned and mirrored."""

import cv2
import numpy as np

from device.cameras.choosing import Size
from device.cameras.frames import Picture
from device.cameras.wanted import CameraSettings

_TURNS = {90: cv2.ROTATE_90_CLOCKWISE, 180: cv2.ROTATE_180, 270: cv2.ROTATE_90_COUNTERCLOCKWISE}


def in_colour(planes: Picture, size: Size) -> Picture:
    """A picture in YUV420 of this size as blue, green and red.

    Its rows may be padded to more than its width; the planes of colour then have rows of half that length, so
    the padding is part of the picture until the colours are made, and is cut off afterwards.
    """
    wide, high = size
    if planes.ndim != 2 or planes.shape[0] < high * 3 // 2 or planes.shape[1] < wide:
        raise ValueError(f"the camera sent {planes.shape} bytes for a picture of {wide}×{high}")
    return np.asarray(cv2.cvtColor(planes, cv2.COLOR_YUV2BGR_I420)[:high, :wide], dtype=np.uint8)


def enlarged(picture: Picture, watch: Size, share: float, wanted: CameraSettings) -> Picture:
    """A large picture as it is handed over: larger by ``share`` than what is watched, or as large as it is.

    Averaging makes the noise of its pixels small, and there are fewer to hand over.
    """
    size = tuple(
        min(round(share * small), side) for small, side in zip(watch, picture.shape[1::-1], strict=True)
    )
    if size != picture.shape[1::-1]:
        picture = np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), dtype=np.uint8)
    return upright(picture, wanted)


def upright(picture: Picture, wanted: CameraSettings) -> Picture:
    """A picture turned and mirrored as the owner wants it."""
    turned = picture if not wanted.rotate else cv2.rotate(picture, _TURNS[wanted.rotate])
    return np.asarray(cv2.flip(turned, 1) if wanted.flip else turned, dtype=np.uint8)
