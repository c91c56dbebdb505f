"""What lies near enough to touch: only of such are outlines compared, which takes long."""

from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from vision.pieces.patches import Floats

One = TypeVar("One")
_REACH = 0.7501
"""Pieces touch whose middles lie within so many lengths of the longer: a corner of a square is 0.71 off."""


def near(ones: Floats, others: Floats) -> Iterator[NDArray[np.intp]]:
    """For each of these (n×3: middle and length, in pixels) which of the others may touch it."""
    others = others.reshape(-1, 3)
    for x, y, length in ones:
        away = np.hypot(others[:, 0] - x, others[:, 1] - y)
        yield np.flatnonzero(away <= _REACH * np.maximum(others[:, 2], length))


def first_of_each(ones: Sequence[One], reach: Floats, same: Callable[[One, One], bool]) -> list[One]:
    """Without what is the same as one before it that stays; ``reach`` is that of each (n×3)."""
    stays = np.zeros(len(ones), bool)
    for k, around in enumerate(near(reach, reach)):
        stays[k] = not any(same(ones[k], ones[n]) for n in around[stays[around]])
    return [one for one, is_kept in zip(ones, stays, strict=True) if is_kept]
