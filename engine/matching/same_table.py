"""Of ways that lead to tables that look the same, those that need telling apart."""

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from math import inf
from typing import NamedTuple

from engine.layout import Layout
from engine.matching.evidence import Evidence
from engine.matching.guide import Guide, essence
from engine.matching.in_sight import look
from engine.matching.step_line import Line


class _Table(NamedTuple):
    """What the table looks like after a line."""

    look: Hashable
    faceless: Hashable
    """The same without how soldiers face."""
    faced: Mapping[str, float]
    """How the soldiers face of whom that is told."""

    @classmethod
    def of(cls, layout: Layout) -> "_Table":
        """The table of a layout."""
        soldiers = [spot for spot in layout.spots if spot.kind == "soldier"]
        plain = look(layout)
        faced = {spot.name: spot.angle for spot in soldiers if spot.angle is not None}
        return cls(plain, look(layout, facing=False) if soldiers else plain, faced)

    def is_like(self, other: "_Table") -> bool:
        """Whether two tables look the same, but for soldiers of whom one does not tell how they face."""
        if self.look == other.look:
            return True
        pairs = ((self.faced.get(name), angle) for name, angle in other.faced.items())
        return self.faceless == other.faceless and all(one in (None, angle) for one, angle in pairs)


def settled(guide: Guide, lines: Sequence[Line], evidence: Evidence) -> list[Line]:
    """Those of the lines that need telling apart, the likeliest first.

    Where a legal move looks the same, nobody can call a move illegal, unless the legal one asks for more good
    will; of refused moves that look the same the kindest counts; and silent moves that need not have been
    made are believed only where they are needed. Nothing looks otherwise because of a soldier of whom it is
    not told how he faces: he is to be turned yet; nor because of a sheet that was not read.
    """
    tables = {id(line.layout): _Table.of(evidence.shown(line.layout)) for line in lines}
    groups: dict[Hashable, list[Line]] = {}
    for line in lines:
        groups.setdefault(tables[id(line.layout)].look, []).append(line)
    told = [line for group in groups.values() for line in _told_apart(guide, group)]
    kept = [line for line in told if not any(_says_needlessly_more(line, other) for other in told)]
    accusing = _accusing(guide, [line for line in lines if line.refused], kept, tables)
    plain = (line for line in accusing if not any(_says_needlessly_more(line, other) for other in accusing))
    return sorted((*kept, *plain), key=lambda line: -line.worth)


def _accusing(
    guide: Guide, refused: Sequence[Line], kept: Sequence[Line], tables: Mapping[int, _Table]
) -> list[Line]:
    """The refused lines that no kinder one makes needless, nor a legal one."""
    found: list[Line] = []
    for line in refused:
        is_like = tables[id(line.layout)].is_like
        # a legal move to such a table counts, unless it asks for more good will
        legal = max((other.prior for other in kept if is_like(tables[id(other.layout)])), default=-inf)
        kinder = next((other for other in found if is_like(tables[id(other.layout)])), None)
        if line.prior > legal and (kinder is None or _is_after_another(guide, line, kinder)):
            found.append(line)
    return found


def _says_needlessly_more(line: Line, other: Line) -> bool:
    """Whether a line is another one with silent moves besides, and explains the table no better.

    If they were made, what comes next will need them.
    """
    if line.silent <= other.silent or line.worth > other.worth:
        return False
    steps, fewer = (Counter(step.did for step in one.steps) for one in (line, other))
    return not fewer - steps and (steps - fewer).total() == line.silent - other.silent


def _told_apart(guide: Guide, group: Sequence[Line]) -> Iterable[Line]:
    """The legal lines to one look of the table that need telling apart."""
    allowed = [line for line in group if not line.refused]
    least = min((line.silent for line in allowed), default=0)
    best: dict[Hashable, Line] = {}
    for line in allowed:
        if line.silent == least:
            best.setdefault(essence(guide, line.state), line)
    return best.values()


def _is_after_another(guide: Guide, line: Line, other: Line) -> bool:
    """Whether what was seen to be done before a refused move was another thing, or was done by others."""
    one, two = line.before, other.before
    assert one is not None  # both have been refused
    assert two is not None
    if not one.plies or one.plies != two.plies:
        return False
    return essence(guide, one.state) != essence(guide, two.state)
