"""Which sighting is which piece, where they can lie anywhere in a region: the best assignment of all."""

from collections.abc import Sequence
from math import inf
from typing import Final

_SLACK: Final = 1e-9
_NEARLY: Final = 0.05
"""Equal pieces may be taken for one another where it costs no more than this."""


def assign(worths: Sequence[Sequence[float]], lost: Sequence[float], spare: Sequence[float]) -> list[int]:
    """For each row the column it takes, or -1, so that the whole is worth most.

    ``worths[row][column]`` is what it is worth that the row takes the column, ``lost[row]`` that it takes
    none, and ``spare[column]`` that nobody takes the column.
    """
    chosen = _at_a_glance(worths, lost, spare)
    return _hungarian(worths, lost, spare) if chosen is None else chosen


def _at_a_glance(
    worths: Sequence[Sequence[float]], lost: Sequence[float], spare: Sequence[float]
) -> list[int] | None:
    """The assignment, where every row can have what is nearly best for it; else None."""
    chosen: list[int] = []
    taken: set[int] = set()
    for row, worth in enumerate(worths):
        best, top, wished = -1, lost[row], lost[row]
        for column, here in enumerate(worth):
            gain = here - spare[column]
            wished = max(wished, gain)
            if gain > top and column not in taken:
                best, top = column, gain
        if top < wished - _NEARLY:
            return None
        taken.add(best)
        chosen.append(best)
    return chosen


def _hungarian(worths: Sequence[Sequence[float]], lost: Sequence[float], spare: Sequence[float]) -> list[int]:
    """The Hungarian method with potentials; a column for "none" is added for each row."""
    rows, columns = len(worths), len(spare)
    width = columns + rows
    costs = [
        [spare[column] - here for column, here in enumerate(worth)]
        + [-lost[row] if other == row else inf for other in range(rows)]
        for row, worth in enumerate(worths)
    ]
    over, under = [0.0] * (rows + 1), [0.0] * (width + 1)
    held = [0] * (width + 1)  # the row (from 1) that holds each column (from 1)
    for row in range(1, rows + 1):
        held[0], column = row, 0
        way, cheapest = [0] * (width + 1), [inf] * (width + 1)
        done, left = list[int](), list(range(width + 1))
        while held[column]:
            done.append(column)
            left.remove(column)
            at = held[column]
            for other in left:
                cost = costs[at - 1][other - 1] - over[at] - under[other]
                if cost < cheapest[other] - _SLACK:
                    cheapest[other], way[other] = cost, column
            column = min(left, key=cheapest.__getitem__)
            step = cheapest[column]
            for other in done:
                over[held[other]] += step
                under[other] -= step
            for other in left:
                cheapest[other] -= step
        while column:
            held[column] = held[way[column]]
            column = way[column]
    taken = {row: column - 1 for column, row in enumerate(held[: columns + 1]) if column and row}
    return [taken.get(row, -1) for row in range(1, rows + 1)]
