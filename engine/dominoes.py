"""Domino pieces: a tile is known by its two pip counts, whichever way round it lies."""

from collections.abc import Iterator
from typing import NamedTuple


class Domino(NamedTuple):
    """A tile with ``low`` and ``high`` pips; ``tile(a, b)`` makes one from its ends in either order."""

    low: int
    high: int

    def __str__(self) -> str:
        return f"{self.low}-{self.high}"

    @property
    def pips(self) -> int:
        """Both ends added."""
        return self.low + self.high

    @property
    def is_double(self) -> bool:
        """Whether both ends show the same."""
        return self.low == self.high

    def other(self, end: int) -> int:
        """The pips of the end that is not ``end``."""
        return self.high if end == self.low else self.low


def tile(a: int, b: int) -> Domino:
    """The tile with these two ends."""
    return Domino(a, b) if a <= b else Domino(b, a)


def domino_set(highest: int, lowest: int = 0) -> tuple[Domino, ...]:
    """Every tile with both ends from ``lowest`` to ``highest``, in order."""
    return tuple(_pairs(lowest, highest))


def _pairs(lowest: int, highest: int) -> Iterator[Domino]:
    for low in range(lowest, highest + 1):
        for high in range(low, highest + 1):
            yield Domino(low, high)
