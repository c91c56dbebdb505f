"""What comes through the pipe from a camera's process: pictures and words, each with a checked header.

A frame that breaks off is no frame. The picture that is watched flows all the time; large ones come when they
were asked for; words (JSON) tell what the camera was asked for and what was done to it.
"""

import json
import struct
import zlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import IntEnum
from typing import IO, Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

Picture: TypeAlias = NDArray[np.uint8]

_HEADER = struct.Struct("<4sBBdHHII")
_MAGIC = b"PIPF"
_LARGEST_PX = 8192
_MOST_WORDS = 65536
_RELIT = 1
DOING = "doing"
"""Among words: what the camera does instead of sending pictures. It lives, and asks for patience."""


class FrameKind(IntEnum):
    """What is sent."""

    WATCH = 0
    LARGE = 1
    WORDS = 2


@dataclass(frozen=True)
class Frame:
    """One picture, or what the camera's process has to say."""

    picture: Picture = field(default_factory=lambda: np.zeros((0, 0, 3), np.uint8))
    at_s: float = 0.0
    """When it was taken, in the time of the monotonic clock."""
    kind: FrameKind = FrameKind.WATCH
    relit: bool = False
    """Whether the exposure was changed since the frame before: what looks otherwise has not moved."""
    words: Mapping[str, Any] = field(default_factory=dict)


def write(pipe: IO[bytes], frame: Frame) -> None:
    """Sends a frame."""
    height, width = frame.picture.shape[:2]
    body: Any = np.ascontiguousarray(frame.picture).data
    length = frame.picture.nbytes
    if frame.kind is FrameKind.WORDS:
        body = json.dumps(frame.words).encode()
        length = len(body)
    marks = _RELIT if frame.relit else 0
    head = _HEADER.pack(_MAGIC, frame.kind, marks, frame.at_s, width, height, length, 0)[:-4]
    pipe.write(head + struct.pack("<I", zlib.crc32(head)))
    if length:
        pipe.write(body)
    pipe.flush()


def read(pipe: IO[bytes]) -> Frame | None:
    """The next frame; None where the pipe ends or holds something else."""
    header = _exactly(pipe, _HEADER.size)
    if header is None:
        return None
    magic, kind, marks, at_s, width, height, length, check = _HEADER.unpack(header)
    if magic != _MAGIC or check != zlib.crc32(header[:-4]) or max(width, height) > _LARGEST_PX:
        return None
    if kind == FrameKind.WORDS:
        body = _exactly(pipe, length) if length <= _MOST_WORDS else None
        return None if body is None else Frame(at_s=at_s, kind=FrameKind.WORDS, words=json.loads(body))
    if length != 3 * width * height or kind not in (FrameKind.WATCH, FrameKind.LARGE):
        return None
    pixels = _exactly(pipe, length)
    if pixels is None:
        return None
    picture = np.frombuffer(pixels, np.uint8).reshape(height, width, 3)
    return Frame(picture, at_s, FrameKind(kind), bool(marks & _RELIT))


def _exactly(pipe: IO[bytes], count: int) -> bytes | None:
    found = pipe.read(count)
    return found if len(found) == count else None
