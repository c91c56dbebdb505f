"""The board as small cells, half a unit wide, and the ways in which one more tile can lie on it.

Sets of cells are whole numbers with a bit for each cell of the board, so that "is this free?" and "how far
does one get from here?" take a few operations on whole boards. What lies off the board has no bits.
"""

from functools import lru_cache
from typing import Final, Literal, NamedTuple, TypeAlias

WIDE: Final = 48
HIGH: Final = 28
"""The board in cells: 24 by 14 half dominoes, about its middle."""
_ROW: Final = WIDE + 2
"""From one row of cells to the next; the spare columns keep rows apart."""
_PILES: Final = tuple(sum(1 << _ROW * row for row in range(high)) for high in range(HIGH + 1))
BOARD: Final = _PILES[HIGH] * ((1 << WIDE) - 1)
"""All cells of the board."""

Way: TypeAlias = Literal["on", "left", "right", "side left", "side right", "across"]
"""How a tile can lie at an end: straight on, round the corner beyond the last half, round the corner at that
half's side, or, a double, across."""
Cells: TypeAlias = tuple[int, int, int, int]
"""A rectangle of cells: left, lowest, right and highest edge, on the board or off it."""

AHEAD: Final = ((1, 0), (0, 1), (-1, 0), (0, -1))
"""Which way an end looks: east, north, west, south."""
# Of a tile at an end that looks east: its edges and the end it leaves as seen from there, and the quarters
# that it turns by.
_LYING: Final[dict[Way, tuple[Cells, tuple[int, int, int]]]] = {
    "on": ((0, -1, 4, 1), (4, 0, 0)),
    "left": ((0, -1, 2, 3), (1, 3, 1)),
    "right": ((0, -3, 2, 1), (1, -3, 3)),
    "side left": ((-2, 1, 0, 5), (-1, 5, 1)),
    "side right": ((-2, -5, 0, -1), (-1, -5, 3)),
    "across": ((0, -2, 2, 2), (2, 0, 0)),
}


class Tip(NamedTuple):
    """The middle of an open edge, in cells from the board's lower left corner, and the way it looks."""

    x: int
    y: int
    ahead: int


class Step(NamedTuple):
    """One more tile at a tip."""

    cells: Cells
    tip: Tip
    """The end that it leaves."""
    over: int
    """How far it sticks out of the board."""
    body: int
    """Its cells."""
    core: int
    """Its cells without what of a double sticks out of the line."""
    about: int
    """All within a unit of its core."""
    near: int
    """All within half a unit of it."""


def _turned(x: int, y: int, ahead: int) -> tuple[int, int]:
    dx, dy = AHEAD[ahead]
    return x * dx - y * dy, x * dy + y * dx


def at(tip: Tip, cells: Cells) -> Cells:
    """Where a rectangle lies that is told as seen from a tip that looks east."""
    (ax, ay), (bx, by) = _turned(*cells[:2], tip.ahead), _turned(*cells[2:], tip.ahead)
    return tip.x + min(ax, bx), tip.y + min(ay, by), tip.x + max(ax, bx), tip.y + max(ay, by)


def block(cells: Cells, wider: int = 0) -> int:
    """The cells of a rectangle that are on the board; it may be taken ``wider`` on all sides."""
    left, low = max(0, cells[0] - wider), max(0, cells[1] - wider)
    right, high = min(WIDE, cells[2] + wider), min(HIGH, cells[3] + wider)
    if left >= right or low >= high:
        return 0
    return _PILES[high - low] * ((1 << right - left) - 1) << _ROW * low + left


def outside(cells: Cells) -> int:
    """How far a rectangle sticks out of the board."""
    return max(0, -cells[0], -cells[1], cells[2] - WIDE, cells[3] - HIGH)


def _core(cells: Cells, *, double: bool) -> Cells:
    left, low, right, high = cells
    if not double:
        return cells
    return (left + 1, low, right - 1, high) if right - left > high - low else (left, low + 1, right, high - 1)


@lru_cache(maxsize=1 << 12)
def zones(cells: Cells, *, double: bool) -> tuple[int, int]:
    """What is within a unit of a tile's core, and what within half a unit of the tile."""
    return block(_core(cells, double=double), 2), block(cells, 1)


@lru_cache(maxsize=1 << 13)
def step(tip: Tip, way: Way) -> Step:
    """A tile laid at a tip."""
    lying, (x, y, turn) = _LYING[way]
    cells, (on_x, on_y) = at(tip, lying), _turned(x, y, tip.ahead)
    return Step(
        cells,
        Tip(tip.x + on_x, tip.y + on_y, (tip.ahead + turn) % 4),
        outside(cells),
        block(cells),
        block(_core(cells, double=way == "across")),
        *zones(cells, double=way == "across"),
    )


@lru_cache(maxsize=1 << 12)
def guard(tip: Tip) -> int:
    """What stays free of others at an open end: a unit before its last half, and beside it."""
    return block(at(tip, (-2, -3, 2, 3)))


@lru_cache(maxsize=1 << 12)
def starts(tip: Tip) -> tuple[int, int, int]:
    """Where a line goes on once one more tile lies at a tip: straight on, to the left, to the right."""
    ahead, left, right = (at(tip, (x, y, x + 2, y + 2)) for x, y in ((2, -1), (0, 3), (0, -5)))
    return _corner(ahead), _corner(left), _corner(right)


def _corner(cells: Cells) -> int:
    return 0 if outside(cells) else 1 << _ROW * cells[1] + cells[0]


def passable(walls: int) -> int:
    """Where a line one unit wide gets through: the lower left cells of free squares of four cells."""
    free = BOARD & ~walls
    free &= free >> 1
    return free & free >> _ROW


def territories(fronts: list[int], free: int) -> list[int]:
    """How many cells each of several ends reaches before the others do; what two reach at once is both's."""
    fronts = [front & free for front in fronts]
    sizes = [0] * len(fronts)
    while any(fronts):
        for index, front in enumerate(fronts):
            sizes[index] += front.bit_count()
            free &= ~front
        for index, front in enumerate(fronts):
            if front:
                wide = front | front << 1 | front >> 1 | front << _ROW | front >> _ROW
                fronts[index] = wide & free
    return sizes
