"""Squares of a board by name: ``a1`` is bottom left, letters run to the right, digits run up."""

from collections.abc import Iterator
from typing import NamedTuple


class Square(NamedTuple):
    """A square by its column and row, both from 1. Off-board squares are values too."""

    x: int
    y: int

    def __str__(self) -> str:
        if 1 <= self.x <= 26 and self.y >= 1:
            return f"{chr(96 + self.x)}{self.y}"
        return f"({self.x},{self.y})"

    def step(self, dx: int, dy: int) -> "Square":
        """The square that many columns and rows away."""
        return Square(self.x + dx, self.y + dy)

    def beside(self) -> Iterator["Square"]:
        """The four squares that share a side with this one."""
        for dx, dy in ((1, 0), (0, 1), (-1, 0), (0, -1)):
            yield Square(self.x + dx, self.y + dy)


def square(name: str) -> Square:
    """The square called ``name`` (as ``c5``); raises ValueError where that is no square's name."""
    if len(name) < 2 or not ("a" <= name[0] <= "z") or not name[1:].isdecimal() or name[1] == "0":
        raise ValueError(f"{name!r} is not a square like c5")
    return Square(ord(name[0]) - 96, int(name[1:]))
