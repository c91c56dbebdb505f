"""Frames through a pipe: a header with a check sum, then the pixels. A frame that breaks off is no frame."""

import struct
import zlib
from typing import IO, TypeAlias

import numpy as np
from numpy.typing import NDArray

Picture: TypeAlias = NDArray[np.uint8]

_HEADER = struct.Struct("<4sdHHI")
_MAGIC = b"PIPW"
_LARGEST_PX = 8192


def write(pipe: IO[bytes], picture: Picture, at_s: float) -> None:
    """Sends a frame taken at a monotonic time."""
    height, width = picture.shape[:2]
    head = _HEADER.pack(_MAGIC, at_s, width, height, 0)[:-4]
    pipe.write(head + struct.pack("<I", zlib.crc32(head)))
    pipe.write(np.ascontiguousarray(picture).data)
    pipe.flush()


def read(pipe: IO[bytes]) -> tuple[Picture, float] | None:
    """The next frame and its time; None where the pipe ends or holds something else."""
    header = _exactly(pipe, _HEADER.size)
    if header is None:
        return None
    magic, at_s, width, height, check = _HEADER.unpack(header)
    if magic != _MAGIC or check != zlib.crc32(header[:-4]) or max(width, height) > _LARGEST_PX:
        return None
    pixels = _exactly(pipe, 3 * width * height)
    if pixels is None:
        return None
    return np.frombuffer(pixels, np.uint8).reshape(height, width, 3), at_s


def _exactly(pipe: IO[bytes], count: int) -> bytes | None:
    found = pipe.read(count)
    return found if len(found) == count else None
