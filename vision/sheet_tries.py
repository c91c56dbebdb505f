"""Which ways a map may lie are tried at a look, once neither its boxes nor its old place have shown it.

The likeliest ways come first, and whoever reads them stops at a good one. Only the first time all of them are
tried in one look: what they have not shown they will hardly show a moment later, and a look that tries all
again keeps the table waiting for seconds. From then on a look tries some, the next one goes on where it
stopped, and once all were tried nothing is tried any more while the place looks as it did.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from vision.pieces.memory import cells_in, differ
from vision.sheet_cells import Floats, Picture
from vision.sheet_finder import Candidate, FoundSheet, find_sheets, on_paper, turned
from vision.sheet_paper import maps_in_places

_WAYS_A_LOOK = 12
"""Once all were tried in vain a look goes on until it has tried so many: about two seconds' worth."""
_MOST_PLACES = 10


@dataclass(frozen=True)
class Tries:
    """Ways that are tried together: the best of them counts."""

    sheets: tuple[FoundSheet, ...]
    guessed: bool = False
    """Whether these are places in which a map may lie, though nothing but even lines was seen there."""

    @property
    def ways(self) -> int:
        """How many ways to lie these are."""
        return sum(len(sheet.candidates) for sheet in self.sheets)

    def moved(self, by: Floats) -> "Tries":
        """The same ways where the picture begins elsewhere."""
        return Tries(tuple(_moved(sheet, by) for sheet in self.sheets), self.guessed)


class SheetTries:
    """The ways that are left to be tried in one region of a table."""

    def __init__(self) -> None:
        self._left: list[Callable[[], Tries]] | None = None
        """Each is worked out when it is due; None before the first time."""
        self._looked: Picture = np.zeros((0, 0, 3), np.uint8)
        """The region as it looked when these ways began to be tried."""
        self._start = (0, 0)

    def due(self, part: Picture, start: tuple[int, int], places: Sequence[Floats]) -> Iterator[Tries]:
        """The ways to try at this look, likeliest first; ``start`` is where this part of the picture begins.

        ``places`` are the outlines of where a map may be expected, clockwise from the upper left.
        """
        first = self._left is None
        if self._left is None or (not self._left and self._looks_otherwise(part)):
            self._left, self._looked, self._start = _all(part.copy(), places), cells_in(part), start
        since = np.array(self._start, dtype=np.float64) - start
        budget = math.inf if first else _WAYS_A_LOOK
        while self._left and budget > 0:
            tries = self._left.pop(0)()
            budget -= tries.ways
            yield tries.moved(since)

    def found(self) -> None:
        """The map was found: should it be lost again, all is tried at once."""
        self._left = None

    def _looks_otherwise(self, part: Picture) -> bool:
        cells = cells_in(part)
        return cells.shape != self._looked.shape or bool(differ(cells, self._looked).any())


def _all(part: Picture, places: Sequence[Floats]) -> list[Callable[[], Tries]]:
    """All ways in which a map may lie, the likeliest first."""
    return [
        lambda: Tries(tuple(on_paper(part, hued=True))),
        lambda: Tries(tuple(on_paper(part))),
        lambda: Tries(find_sheets(part, papers=False).maps),
        lambda: _in_places(part, places),
    ]


def _in_places(part: Picture, places: Sequence[Floats]) -> Tries:
    ways = [Candidate(way, False, 0) for way in maps_in_places(part, places, _MOST_PLACES)]
    return Tries(tuple(FoundSheet((way, turned(way))) for way in ways), guessed=True)


def _moved(sheet: FoundSheet, by: Floats) -> FoundSheet:
    return FoundSheet(tuple(Candidate(way.corners + by, way.ours, way.support) for way in sheet.candidates))
