"""The board as numbers: its squares, how a Dominoid may lie, and where it can slide, turn or be carried.

Squares are counted by file, then by rank (a1 is 0, a2 is 1, b1 is 8), so that their order is the order in
which the game lists them. A *lie* is where the two ends of a Dominoid are: ``low << 6 | high``. All tables
are made once, here; a position is then looked at with whole numbers and bit masks only, which is what makes
a turn cheap.
"""

from typing import Final, Literal, TypeAlias

from engine.squares import Square

SIDE: Final = 8
POOL: Final = -1
"""The lie of a domino that is not on the board."""

Direction: TypeAlias = Literal["left", "right", "up", "down"]
DIRECTIONS: Final[tuple[Direction, ...]] = ("left", "right", "up", "down")

SQUARES: Final = tuple(Square(x, y) for x in range(1, SIDE + 1) for y in range(1, SIDE + 1))
NAMES: Final = tuple(str(square) for square in SQUARES)
NUMBER_OF: Final = {square: number for number, square in enumerate(SQUARES)}
"""The number of each square; a square off the board has none."""

BESIDE: Final = tuple(
    tuple(sorted(NUMBER_OF[near] for near in square.beside() if near in NUMBER_OF)) for square in SQUARES
)
"""The squares that share a side with each square."""


def lie(low: int, high: int) -> int:
    """The lie with the low end on the one square and the high end on the other."""
    return low << 6 | high


def ends(lie_: int) -> tuple[int, int]:
    """The squares of the low and of the high end."""
    return lie_ >> 6, lie_ & 63


def middle(lie_: int) -> tuple[float, float]:
    """The centre of the Dominoid in board units."""
    (x1, y1), (x2, y2) = SQUARES[lie_ >> 6], SQUARES[lie_ & 63]
    return (x1 + x2) / 2, (y1 + y2) / 2


def lying(low: Square, high: Square) -> float:
    """The angle from the low end to the high end in degrees, counter-clockwise from the right."""
    return {(1, 0): 0.0, (0, 1): 90.0, (-1, 0): 180.0, (0, -1): 270.0}[(high.x - low.x, high.y - low.y)]


def first(mask: int) -> int:
    """The first square of a mask that is not empty."""
    return (mask & -mask).bit_length() - 1


Step: TypeAlias = tuple[int, int]
"""Squares that must be free (a mask), and the lie that is reached."""
Leads: TypeAlias = tuple[tuple[Step, ...], tuple[Step, ...]]
"""What the low end can lead to, and what the high end can."""

LIES: Final = tuple(lie(low, high) for low in range(64) for high in BESIDE[low])


def _slides(lie_: int) -> Leads:
    """For each leading end, one step a square up to the edge: the square entered, and the lie then."""
    low, high = SQUARES[lie_ >> 6], SQUARES[lie_ & 63]

    def led_by(lead: Square, other: Square) -> tuple[Step, ...]:
        dx, dy = lead.x - other.x, lead.y - other.y
        steps: list[Step] = []
        far = 1
        while (entered := NUMBER_OF.get(lead.step(far * dx, far * dy))) is not None:
            ends_then = [NUMBER_OF[end.step(far * dx, far * dy)] for end in (low, high)]
            steps.append((1 << entered, lie(*ends_then)))
            far += 1
        return tuple(steps)

    return led_by(low, high), led_by(high, low)


def _turns(lie_: int) -> Leads:
    """For each leading end, the quarter turns that stay on the board: corner and target, and the lie then."""
    low, high = SQUARES[lie_ >> 6], SQUARES[lie_ & 63]

    def led_by(lead: Square, pivot: Square) -> tuple[Step, ...]:
        dx, dy = lead.x - pivot.x, lead.y - pivot.y
        steps: list[Step] = []
        for tx, ty in ((-dy, dx), (dy, -dx)):
            target = NUMBER_OF.get(pivot.step(tx, ty))
            if target is None:
                continue
            corner = NUMBER_OF[lead.step(tx, ty)]
            pivot_number = NUMBER_OF[pivot]
            then = lie(target, pivot_number) if lead is low else lie(pivot_number, target)
            steps.append((1 << corner | 1 << target, then))
        return tuple(steps)

    return led_by(low, high), led_by(high, low)


def _near(lie_: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    low, high = ends(lie_)
    return (
        tuple(square for square in BESIDE[low] if square != high),
        tuple(square for square in BESIDE[high] if square != low),
    )


def _mask(lie_: int) -> int:
    return 1 << (lie_ >> 6) | 1 << (lie_ & 63)


MASK: Final = {POOL: 0, **{lie_: _mask(lie_) for lie_ in LIES}}
"""The squares that a Dominoid covers, as a mask; none in the pool."""
NEAR: Final = {lie_: _near(lie_) for lie_ in LIES}
"""The squares beside the low end and those beside the high end, without the Dominoid's own."""
NEAR_MASK: Final = {lie_: sum(1 << near for end in NEAR[lie_] for near in end) for lie_ in LIES}
"""The squares beside either end, as a mask."""
SLIDES: Final = {lie_: _slides(lie_) for lie_ in LIES}
SLID_TO: Final = {lie_: frozenset(then for lead in SLIDES[lie_] for _, then in lead) for lie_ in LIES}
"""Every lie that a slide of any length can lead to."""
TURNS: Final = {lie_: _turns(lie_) for lie_ in LIES}
TIDY: Final = {lie_: lie(min(ends(lie_)), max(ends(lie_))) for lie_ in LIES}
"""The lie of a double, whose ends cannot be told apart: the earlier square first."""


# — tile rows and columns —


def tile_line(direction: Direction, square: int) -> int:
    """The number (1 to 4) of the tile row or column through a square that is shifted in this direction."""
    x, y = SQUARES[square]
    return ((y if direction in ("left", "right") else x) + 1) // 2


def line_name(direction: Direction, number: int) -> str:
    """``row 3`` or ``column 1``."""
    return f"{'row' if direction in ('left', 'right') else 'column'} {number}"


def _line_mask(direction: Direction, number: int) -> int:
    return sum(1 << square for square in range(64) if tile_line(direction, square) == number)


def _carried(direction: Direction, number: int) -> tuple[int, ...]:
    """Where everything on each square is after the shift."""
    by = {"left": (-2, 0), "right": (2, 0), "up": (0, 2), "down": (0, -2)}[direction]

    def then(square: int) -> int:
        if tile_line(direction, square) != number:
            return square
        x, y = SQUARES[square]
        return NUMBER_OF[Square((x - 1 + by[0]) % SIDE + 1, (y - 1 + by[1]) % SIDE + 1)]

    return tuple(then(square) for square in range(64))


LINE_MASK: Final = {(d, n): _line_mask(d, n) for d in DIRECTIONS for n in (1, 2, 3, 4)}
CARRIED: Final = {(d, n): _carried(d, n) for d in DIRECTIONS for n in (1, 2, 3, 4)}
