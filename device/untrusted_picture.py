"""Pictures from strangers: looked at from outside first, then decoded in a process that may fail alone.

Nothing is decoded before its size in bytes and pixels is known from its header. The decoding happens in a
child with little memory and time, which hands back bare pixels: no metadata comes along, and the orientation
that a phone wrote is applied.
"""

import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from device.picture_child import CPU_S
from engine import PipwatchError

MOST_BYTES = 40_000_000
MOST_PIXELS = 64_000_000
_SECONDS = 120
"""What a busy machine is given: beside 10 to 20 other programs one of 50 pictures of 56 million pixels took
more than 30 s on two cores. A picture itself may cost CPU_S of a processor."""
_CHILD = Path(__file__).with_name("picture_child.py")
_PNG = b"\x89PNG\r\n\x1a\n"
_BRANDS = (
    (frozenset((b"heic", b"heix", b"hevc", b"hevx", b"heim", b"heis", b"mif1", b"msf1")), "a HEIC"),
    (frozenset((b"avif", b"avis")), "an AVIF"),
)
_STARTS = ((b"GIF8", "a GIF"), (b"BM", "a BMP"), (b"II*\0", "a TIFF"), (b"MM\0*", "a TIFF"))
_FRAMES = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
# The JPEG decoder's own word where a picture ends early, though a thumbnail's or a stray end mark lies in it.
_CUT = b"premature end of data"
# Its words where bits are wrong: from there on it guesses.
_WRONG_BITS = re.compile(rb"bad Huffman code|found marker|invalid JPEG data|Inconsistent progression")
# A picture that is over too early was misunderstood before; a few stray bytes or a row of zeros do no harm.
_LEFT_OVER = re.compile(rb"(\d+) extraneous bytes before marker 0xd9")
_FEW_BYTES = 32
_MOST_PASSES = 100
"""A camera's JPEG comes in one pass over its squares, one that is sent piece by piece in some ten. Each may
cost as much as a whole picture, and next to nothing of a file."""
# In the bits of a pass a byte of ones is followed by zeros, or by a mark to take up the thread at.
_MARK = re.compile(rb"\xff[^\x00\x01\xd0-\xd7\xff]", re.DOTALL)
_BARE = frozenset((0x01, *range(0xD0, 0xD8)))


class BadPicture(PipwatchError, ValueError):
    """A file cannot be used as a picture; the message is one sentence that says why."""


class PictureNotYet(BadPicture):
    """Nothing is wrong with it as far as is known: the machine had no time to decode it."""


def load_picture(path: Path, *, most_pixels: int = MOST_PIXELS) -> NDArray[np.uint8]:
    """The picture in a file as blue, green and red, upright; raises BadPicture with the reason otherwise."""
    try:
        if not path.is_file():
            raise BadPicture(
                f"{path}: there is no such file" if not path.exists() else f"{path} is not a file"
            )
        size = path.stat().st_size
        if size > MOST_BYTES:
            raise BadPicture(
                f"{path} has {size / 1e6:.0f} MB: more than {MOST_BYTES / 1e6:.0f} MB are not read"
            )
        data = path.read_bytes()
    except OSError as error:
        raise BadPicture(f"{path} cannot be read: {error.strerror}") from error
    try:
        return decoded(data, most_pixels=most_pixels)
    except BadPicture as error:
        raise type(error)(f"{path} {error}") from None


def decoded(data: bytes, *, most_pixels: int = MOST_PIXELS, longest: int = 0) -> NDArray[np.uint8]:
    """The picture in these bytes; the message of a BadPicture begins with a verb.

    A longer one is made smaller until its longer side is ``longest``, before it is handed over.
    """
    width, height = _announced(data)
    if width * height > most_pixels:
        raise BadPicture(
            f"would have {width}×{height} pixels: more than {most_pixels / 1e6:.0f} million are not read"
        )
    if min(width, height) < 16:
        raise BadPicture(f"has only {width}×{height} pixels, too few to show anything")
    return _from_child(data, width * height, longest if max(width, height) > longest else 0)


def _announced(data: bytes) -> tuple[int, int]:
    """Width and height as the file's header tells them."""
    if not data:
        raise BadPicture("is empty")
    if data.startswith(_PNG):
        return _announced_png(data)
    if data.startswith(b"\xff\xd8\xff"):
        return _announced_jpeg(data)
    raise BadPicture(_other_kind(data))


def _other_kind(data: bytes) -> str:
    """What a file is that is not read, and the way out where there is one."""
    brand = data[8:12] if data[4:8] == b"ftyp" else b""
    kind = next((name for brands, name in _BRANDS if brand in brands), "") or next(
        (name for start, name in _STARTS if data.startswith(start)), ""
    )
    if data.startswith(b"RIFF") and data[8:12] == b"WEBP":
        kind = "a WebP"
    if not kind:
        return "is neither a JPEG nor a PNG picture"
    return f"is {kind} picture, which is not read: save it as JPEG or PNG"


def _announced_png(data: bytes) -> tuple[int, int]:
    if len(data) < 33 or data[12:16] != b"IHDR":
        raise BadPicture("is a PNG picture without a header")
    at = 8
    while at + 12 <= len(data):
        length = int.from_bytes(data[at : at + 4], "big")
        if data[at + 4 : at + 8] == b"IEND":
            return int.from_bytes(data[16:20], "big"), int.from_bytes(data[20:24], "big")
        at += 12 + length
    raise BadPicture("is a PNG picture that breaks off before its end")


def _announced_jpeg(data: bytes) -> tuple[int, int]:
    at, found = 2, (0, 0)
    while at + 4 <= len(data) and data[at] == 0xFF:
        kind = data[at + 1]
        if kind == 0xFF or kind in _BARE:
            at += 1 if kind == 0xFF else 2
            continue
        if kind in _FRAMES and at + 9 <= len(data):
            height, width = (int.from_bytes(data[at + k : at + k + 2], "big") for k in (5, 7))
            found = (width, height)
        if kind == 0xDA:
            if b"\xff\xd9" not in data[at:]:
                raise BadPicture("is a JPEG picture that breaks off before its end")
            if _passes(data, at) > _MOST_PASSES:
                raise BadPicture(f"is a JPEG picture of more than {_MOST_PASSES} passes, which is not read")
            break
        at += 2 + int.from_bytes(data[at + 2 : at + 4], "big")
    if 0 in found:
        raise BadPicture("is a JPEG picture without a size in its header")
    return found


def _passes(data: bytes, at: int) -> int:
    """How often a picture is gone over from here on, counted until that is too often.

    What hangs behind its end, such as the film that some phones add, is none of it.
    """
    count = 0
    while count <= _MOST_PASSES and (mark := _MARK.search(data, at)) is not None and mark[0] != b"\xff\xd9":
        count += mark[0] == b"\xff\xda"
        at = mark.end() + int.from_bytes(data[mark.end() : mark.end() + 2], "big")
    return count


def _from_child(data: bytes, pixels: int, longest: int) -> NDArray[np.uint8]:
    # One thread: every further one would ask for a stack's worth of the child's little memory.
    quiet = os.environ | {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "OPENCV_LOG_LEVEL": "OFF"}
    try:
        done = subprocess.run(
            [sys.executable, str(_CHILD), str(longest)],
            input=data,
            capture_output=True,
            timeout=_SECONDS,
            env=quiet,
        )
    except subprocess.TimeoutExpired:
        raise PictureNotYet(
            f"was not decoded within {_SECONDS} seconds, as the machine is busy: try again in a moment"
        ) from None
    if done.returncode == -signal.SIGXCPU:
        raise BadPicture(f"takes longer than {CPU_S} seconds to decode")
    if done.returncode == -signal.SIGKILL:
        raise PictureNotYet("was not decoded, as the machine has too little memory: try again in a moment")
    if _CUT in done.stderr:
        raise BadPicture("is a JPEG picture that breaks off before its end")
    header, _, rest = done.stdout.partition(b"\n")
    if done.returncode or not header or _is_damaged(data, done.stderr):
        raise BadPicture("is damaged: it cannot be decoded")
    height, width = (int(part) for part in header.split())
    whole = height * width if longest else pixels
    if height * width != whole or len(rest) != 3 * whole or (longest and max(height, width) != longest):
        raise BadPicture("is damaged: it holds another size than its header tells")
    return np.frombuffer(rest, np.uint8).reshape(height, width, 3)


def _is_damaged(data: bytes, said: bytes) -> bool:
    """Whether the JPEG decoder had to guess, by what it said of a picture."""
    left = _LEFT_OVER.search(said)
    if left is None:
        return _WRONG_BITS.search(said) is not None
    end, many = data.rfind(b"\xff\xd9"), int(left[1])
    return many >= _FEW_BYTES and len(set(data[max(0, end - many) : end])) > 1
