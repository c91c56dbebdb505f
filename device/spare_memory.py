"""Memory that was needed for a moment goes back to the system, where the C library can be told so."""

import ctypes
from contextlib import suppress
from typing import Final

_M_ARENA_MAX, _M_MMAP_THRESHOLD = -8, -3
"""The names that glibc's malloc.h gives them."""
LARGE: Final = 512 * 1024
"""Bytes; a picture that is watched has more."""


def share() -> None:
    """Have all threads that begin from now on take memory from one heap, and what is large from none.

    Else each has one of its own, which glibc hardly makes smaller: 33 MB for each that has read a photo. And
    once something large was freed, glibc keeps the like of it in the heap: pictures come and go there, what
    is small and stays lies between them, and in eight minutes of play 95 MB lay free that nobody got back.
    """
    with suppress(OSError, AttributeError):
        ctypes.CDLL(None).mallopt(_M_ARENA_MAX, 1)
        ctypes.CDLL(None).mallopt(_M_MMAP_THRESHOLD, LARGE)


def give_back() -> None:
    """Give back what is free, wherever it lies: glibc by itself gives back only what is free at the end."""
    with suppress(OSError, AttributeError):
        ctypes.CDLL(None).malloc_trim(0)
