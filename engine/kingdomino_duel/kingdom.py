"""A player's map: five rows of seven squares with the castle in the middle, and the domains drawn on it.

A square is a bit number: eight for each row from the top, so that one step to the side is one bit and one
step down is eight, and the eighth bit of each row stays empty and catches what would run over the edge.
A set of squares is then one whole number, and all neighbours of a set are four shifts.
"""

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from engine.kingdomino_duel.edition import COATS, JOKER, Face, face, symbol

ROWS: Final = 5
COLUMNS: Final = 7
SQUARES: Final = tuple(8 * row + column for row in range(ROWS) for column in range(COLUMNS))
"""All squares of the sheet, the castle too, in reading order."""
NAMES: Final = {square: f"r{square // 8 + 1}c{square % 8 + 1}" for square in SQUARES}
NUMBERS: Final = {name: square for square, name in NAMES.items()}
CASTLE: Final = NUMBERS["r3c4"]
OPEN: Final = sum(1 << square for square in SQUARES if square != CASTLE)
"""The 34 squares that hold a coat of arms."""


def beside(squares: int) -> int:
    """The squares of the map that share a side with one of these."""
    return (squares << 1 | squares >> 1 | squares << 8 | squares >> 8) & OPEN


BY_THE_CASTLE: Final = beside(1 << CASTLE)


def corners(square: int) -> int:
    """The squares, castle included, that touch this one only at a corner."""
    row = 1 << square
    return (row << 7 | row >> 7 | row << 9 | row >> 9) & (OPEN | 1 << CASTLE)


def each(squares: int) -> Iterator[int]:
    """The squares of a set in reading order."""
    while squares:
        lowest = squares & -squares
        yield lowest.bit_length() - 1
        squares ^= lowest


def square_named(name: str) -> int:
    """The square called ``name``; raises ValueError where no square is."""
    if name not in NUMBERS:
        raise ValueError(f"{name!r} is no square; they run from r1c1 (top left) to r5c7")
    return NUMBERS[name]


class Mark(NamedTuple):
    """A coat of arms drawn on a square, with its crosses."""

    square: int
    coat: int
    crosses: int = 0

    def __str__(self) -> str:
        return f"{symbol(self.coat, self.crosses)}@{NAMES[self.square]}"

    @property
    def where(self) -> str:
        """The name of the square."""
        return NAMES[self.square]


class Domain(NamedTuple):
    """Squares of one coat that hang together by their sides, and the crosses on them."""

    coat: int
    squares: tuple[int, ...]
    crosses: int

    @property
    def points(self) -> int:
        """Squares times crosses."""
        return len(self.squares) * self.crosses


class Kingdom(NamedTuple):
    """All that is drawn on one map."""

    coats: tuple[int, int, int, int, int, int] = (0, 0, 0, 0, 0, 0)
    """The set of squares of each coat."""
    crosses: int = 0
    """The crosses of all squares, four bits a square."""

    @classmethod
    def from_rows(cls, rows: Sequence[str]) -> "Kingdom":
        """The map that is written in five rows of seven squares: ``d0``, ``q2``, ``.`` (empty), ``C``.

        A row may begin with its name (``r1``). Raises ValueError, naming the row or square that cannot be.
        """
        if len(rows) != ROWS:
            raise ValueError(f"a map has {ROWS} rows, not {len(rows)}")
        kingdom = cls()
        for row, written in enumerate(rows, 1):
            cells = written.split()
            if cells and cells[0] == f"r{row}":
                del cells[0]
            if len(cells) != COLUMNS:
                raise ValueError(f"row r{row} of a map has {COLUMNS} squares, not {len(cells)}")
            for column, cell in enumerate(cells, 1):
                kingdom = kingdom._with_cell(NUMBERS[f"r{row}c{column}"], cell)
        return kingdom

    def _with_cell(self, square: int, cell: str) -> "Kingdom":
        if (cell == "C") != (square == CASTLE):
            wanted = "the castle and reads C" if square == CASTLE else "not the castle"
            raise ValueError(f"{NAMES[square]} is {wanted}, but {cell!r} stands there")
        if cell in (".", "C"):
            return self
        try:
            drawn = face(cell)
        except ValueError:
            drawn = Face(JOKER)
        if drawn.coat == JOKER:
            raise ValueError(f"{NAMES[square]} holds {cell!r}; a square reads like d0, q2 or . (empty)")
        return self.add(Mark(square, *drawn))

    @property
    def rows(self) -> tuple[str, ...]:
        """The map as five rows of text, as ``from_rows`` reads them."""
        cells = dict.fromkeys(SQUARES, ".") | {CASTLE: "C"}
        cells |= {mark.square: symbol(mark.coat) + str(mark.crosses) for mark in self.marks()}
        written = list(cells.values())
        return tuple(
            " ".join(f"{cell:<2}" for cell in written[at : at + 7]).rstrip() for at in range(0, 35, 7)
        )

    @property
    def empty(self) -> int:
        """The squares that still can be drawn on."""
        first, second, third, fourth, fifth, sixth = self.coats
        return OPEN & ~(first | second | third | fourth | fifth | sixth)

    def at(self, square: int) -> Mark | None:
        """What is drawn on a square."""
        for coat, squares in enumerate(self.coats):
            if squares >> square & 1:
                return Mark(square, coat, self.crosses >> 4 * square & 15)
        return None

    def marks(self) -> list[Mark]:
        """All that is drawn, in reading order."""
        return sorted(
            Mark(square, coat, self.crosses >> 4 * square & 15)
            for coat, squares in enumerate(self.coats)
            for square in each(squares)
        )

    def add(self, mark: Mark) -> "Kingdom":
        """The map with one more coat, on an empty square."""
        coats = list(self.coats)
        coats[mark.coat] |= 1 << mark.square
        first, second, third, fourth, fifth, sixth = coats
        return Kingdom(
            (first, second, third, fourth, fifth, sixth), self.crosses | mark.crosses << 4 * mark.square
        )

    def cross(self, square: int) -> "Kingdom":
        """The map with one more cross on a square that holds a coat."""
        return Kingdom(self.coats, self.crosses + (1 << 4 * square))

    def reach(self, coat: int) -> int:
        """The squares on which this coat would touch the castle or an equal coat by a side."""
        return BY_THE_CASTLE | beside(self.coats[coat])

    def domains(self) -> Iterator[Domain]:
        """The domains, coat by coat, each coat's in reading order of their first squares."""
        for coat in range(len(COATS)):
            left = self.coats[coat]
            while left:
                domain, grown = 0, left & -left
                while grown != domain:
                    domain, grown = grown, (grown | beside(grown)) & left
                left ^= domain
                squares = tuple(each(domain))
                yield Domain(coat, squares, sum(self.crosses >> 4 * square & 15 for square in squares))


BLANK: Final = Kingdom()
"""A map with nothing drawn on it."""
