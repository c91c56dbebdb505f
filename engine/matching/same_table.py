"""Of ways that lead to tables that look the same, those that need telling apart."""

from collections.abc import Hashable, Sequence
from math import inf

from engine.matching.evidence import look
from engine.matching.guide import Guide
from engine.matching.line import Line
from engine.matching.search import PLIES


def settled(guide: Guide, lines: Sequence[Line]) -> list[Line]:
    """Those of the lines that need telling apart, the likeliest first.

    Where a legal move looks the same, nobody can call a move illegal, unless the legal one asks for more good
    will; of refused moves that look the same the kindest counts; and silent moves that need not have been
    made are believed only where they are needed.
    """
    groups: dict[Hashable, list[Line]] = {}
    for line in lines:
        groups.setdefault(look(line.layout), []).append(line)
    kept: list[Line] = []
    for group in groups.values():
        allowed = [line for line in group if not line.refused]
        least = min((line.silent for line in allowed), default=0)
        best: dict[Hashable, Line] = {}
        for line in allowed:
            if line.silent == least:
                best.setdefault(guide.essence(guide.at_rest(line.state)), line)
        kept += best.values()
        plies = min((line.plies for line in best.values()), default=PLIES + 1)
        prior = max((line.prior for line in best.values()), default=-inf)
        refused = [line for line in group if line.refused and line.prior >= prior]
        accusing = [line for line in refused if line.plies < plies or line.prior > prior]
        kept += accusing[:1]
        kept += [line for line in accusing[1:] if _is_after_another(guide, line, accusing[0])]
    return sorted(kept, key=lambda line: -line.worth)


def _is_after_another(guide: Guide, line: Line, other: Line) -> bool:
    """Whether what was seen to be done before a refused move was another thing, or was done by others."""
    one, two = line.before, other.before
    assert one is not None  # both have been refused
    assert two is not None
    if not one.plies or one.plies != two.plies:
        return False
    return guide.essence(guide.at_rest(one.state)) != guide.essence(guide.at_rest(two.state))
