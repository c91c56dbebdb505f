"""The lattice that field and bases share: places, their names, directions, and the borders walls stand on.

A place is one whole number, so that a step is an addition and the order of places is that of their columns,
then rows. The field is ``a1`` … ``h8``; every other place is called by its coordinates on the same lattice,
where a1 is (1,1): ``(0,3)`` lies left of a3, ``(4,-1)`` below d1 by two.
"""

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple, TypeAlias

Place: TypeAlias = int

FAR = 99
"""No place lies further out than this; no table is that wide."""
_HOME = 120
_PITCH = 256


def place(x: int, y: int) -> Place:
    """The place in this column and row of the lattice; a1 is (1, 1)."""
    return (x + _HOME) * _PITCH + y + _HOME


def column(at: Place) -> int:
    """Its column; a is 1."""
    return at // _PITCH - _HOME


def row(at: Place) -> int:
    """Its row."""
    return at % _PITCH - _HOME


FIELD: tuple[Place, ...] = tuple(place(x, y) for x in range(1, 9) for y in range(1, 9))
"""The 64 places of the field, a1 a2 … h8."""
FIELD_INDEX: Mapping[Place, int] = {at: index for index, at in enumerate(FIELD)}
"""Where each place of the field stands in that order."""

STRAIGHT: Mapping[str, int] = {"n": 1, "e": _PITCH, "s": -1, "w": -_PITCH}
"""The step in each of the four directions; north is away from the first player."""
DIAGONAL: Mapping[str, int] = {"ne": _PITCH + 1, "se": _PITCH - 1, "sw": -_PITCH - 1, "nw": 1 - _PITCH}
"""The step in each slanting direction."""
AROUND: Mapping[str, int] = {**STRAIGHT, **DIAGONAL}
"""The step in all eight directions."""
WORDS: Mapping[str, str] = {
    "n": "north",
    "e": "east",
    "s": "south",
    "w": "west",
    "ne": "north-east",
    "se": "south-east",
    "sw": "south-west",
    "nw": "north-west",
}
"""The directions in words."""
ANGLES: Mapping[str, float] = {"e": 0, "ne": 45, "n": 90, "nw": 135, "w": 180, "sw": 225, "s": 270, "se": 315}
"""The directions in degrees, counter-clockwise from east."""

_FIELD_NAME = re.compile(r"[a-h][1-8]")
_OUTSIDE_NAME = re.compile(r"\((0|-?[1-9]\d?),(0|-?[1-9]\d?)\)")


@lru_cache(maxsize=4096)
def name(at: Place) -> str:
    """What a place is called."""
    if at in FIELD_INDEX:
        return f"{chr(96 + column(at))}{row(at)}"
    return f"({column(at)},{row(at)})"


@lru_cache(maxsize=4096)
def place_called(called: str) -> Place:
    """The place of this name; raises ValueError where that is no place's name."""
    if _FIELD_NAME.fullmatch(called):
        return place(ord(called[0]) - 96, int(called[1]))
    outside = _OUTSIDE_NAME.fullmatch(called)
    if outside:
        at = place(int(outside[1]), int(outside[2]))
        if at not in FIELD_INDEX:
            return at
        raise ValueError(f"the place {called!r} lies in the field and is called {name(at)!r}")
    raise ValueError(f"{called!r} is no place; the field is a1 to h8, other places read like (0,3)")


def names(places: frozenset[Place] | tuple[Place, ...]) -> tuple[str, ...]:
    """The names of these places, in their order on the lattice."""
    return tuple(name(at) for at in sorted(places))


def spread(one: Place, other: Place) -> tuple[int, int]:
    """How many columns and rows ``other`` lies to the right of and above ``one``."""
    return column(other) - column(one), row(other) - row(one)


def distance(one: Place, other: Place) -> int:
    """How many steps in any of eight directions lie between two places."""
    right, up = spread(one, other)
    return max(abs(right), abs(up))


class Border(NamedTuple):
    """The side between two places, where a wall may stand; ``border`` makes one."""

    low: Place
    high: Place

    def __str__(self) -> str:
        return f"{name(self.low)}/{name(self.high)}"

    @property
    def is_side(self) -> bool:
        """Whether the two places really share a side."""
        return self.high - self.low in (1, _PITCH)


def border(one: Place, other: Place) -> Border:
    """The side between these places, named in either order."""
    return Border(one, other) if one <= other else Border(other, one)


FIELD_BORDERS: tuple[Border, ...] = tuple(
    Border(at, at + step) for at in FIELD for step in (1, _PITCH) if at + step in FIELD_INDEX
)
"""The 112 sides between two places of the field, in their order."""
