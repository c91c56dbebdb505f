"""What must be told apart by asking, and what is one though it is not the same."""

from collections import Counter
from collections.abc import Hashable
from typing import Final

from engine.book import Fact, Move
from engine.matching.evidence import look
from engine.matching.guide import Guide
from engine.matching.search import Line

FAIR: Final = 2.2
"""So far ahead (9 to 1) what was read is written down with its doubt, though what comes next hangs on it;
where nothing hangs on it yet, it always is."""


def apart(guide: Guide, lines: list[Line]) -> list[list[Line]]:
    """What must be told apart: each line with others that tell the same moves, as far as it matters.

    Lines that differ only in what was read are one, with the likeliest of them, or the one that keeps to
    the record, in front, unless what comes next hangs on the difference and it is anybody's guess.
    """
    groups: dict[Hashable, list[Line]] = {}
    for line in lines:
        moves = tuple(one.did if isinstance(one.did, Move) else type(one.did) for one in line.steps)
        groups.setdefault((moves, line.refused), []).append(line)
    _merge(guide, groups)
    found: list[list[Line]] = []
    for group in groups.values():
        first, *rest = sorted(group, key=lambda line: bool(line.origin.revised))
        unsure = [line for line in rest if line.worth > first.worth - FAIR]
        then = _next(guide, first) if unsure else None
        if all(_next(guide, line) == then for line in unsure):
            found.append([first, *rest])
        else:
            found += [[line] for line in group]
    return sorted(found, key=lambda group: -group[0].worth)


def _merge(guide: Guide, groups: dict[Hashable, list[Line]]) -> None:
    """What ends in the same is one, whatever the way: a line in the order in which it was seen first."""
    ends: dict[Hashable, list[Line]] = {}
    for key, group in [*groups.items()]:
        if not group[0].refused:
            end = (guide.essence(guide.at_rest(group[0].state)), look(group[0].layout))
            if end not in ends:
                ends[end] = group
            elif _steps(groups.pop(key)[0]) != _steps(ends[end][0]):
                ends[end] += group


def _next(guide: Guide, line: Line) -> tuple[str | None, frozenset[Move]]:
    """What must be seen, or can be done, after a line."""
    state = guide.at_rest(line.state)
    return guide.book.pending(state), frozenset(guide.book.legal_moves(state))


def _steps(line: Line) -> Counter[Move | Fact]:
    """What was done, in whatever order."""
    return Counter(step.did for step in line.steps)
