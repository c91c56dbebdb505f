"""What must be told apart by asking, and what is one though it is not the same."""

from collections import Counter
from collections.abc import Hashable, Sequence
from typing import Final

from engine.book import Fact, Move, State
from engine.matching.guide import Guide, at_rest, essence
from engine.matching.in_sight import look
from engine.matching.step_line import Line, text_of

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
        each = (guide.gist(one.did) if isinstance(one.did, Move) else type(one.did) for one in line.steps)
        moves = tuple(one for one in each if one is not None)
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
            ways: dict[Hashable, list[Line]] = {}
            for line in (first, *rest):
                ways.setdefault(_next(guide, line), []).append(line)
            found += ways.values()
    return sorted(found, key=lambda group: -group[0].worth)


def played_on(guide: Guide, groups: list[list[Line]], *, unread: bool = False) -> list[list[Line]]:
    """What is still to be asked once players were asked and have gone on without an answer.

    Where the answers differ only in what was read, or written, or leave one and the same table, the likeliest
    goes on with the others beside it, and what followed is all that counts; for all else the question stays:
    the table itself will tell. ``unread``: something lies there of which nothing at all could be read.
    """
    groups = _not_refuted(guide, groups)
    known = [line for line in map(_as_answered, groups) if line is not None]
    if len(known) < len(groups) or not _may_stay_open(guide, known, unread=unread):
        return groups
    ways: dict[Hashable, list[Line]] = {}
    for line, group in sorted(zip(known, groups, strict=True), key=lambda each: -each[0].worth):
        # what was read since may be in doubt as well
        beside = (other for other in group if other.origin.known and other is not line)
        ways.setdefault(_since(line), []).extend((line, *beside))
    first, *others = ways.values()
    if all(_says_less(first[0], way[0]) for way in others):
        return [[line for way in (first, *others) for line in way]]
    return [first, *others]


def _as_answered(group: Sequence[Line]) -> Line | None:
    """The first of these lines that goes on from an answer to what players were asked."""
    return next((line for line in group if line.origin.known), None)


def _not_refuted(guide: Guide, groups: list[list[Line]]) -> list[list[Line]]:
    """Without what has another order than what was seen when players were asked: it was not so."""
    known = [line for line in map(_as_answered, groups) if line is not None]
    ends = {_table(guide, line.state) for line in known if not line.refused}
    return [
        group
        for group in groups
        if _as_answered(group) or group[0].refused or _table(guide, group[0].state) not in ends
    ]


def _may_stay_open(guide: Guide, known: Sequence[Line], *, unread: bool) -> bool:
    """Whether all answers are allowed and gone on from, and it may never be told which of them it was."""
    told = [[step.did for step in line.steps[: line.origin.known]] for line in known]
    if any(line.refused for line in known) or len({*map(len, told)}) != 1 or not all(map(_since, known)):
        return False
    read_alike = not unread and all(are_read_alike(guide, each) for each in zip(*told, strict=True))
    return read_alike or _leave_one_table(guide, known)


def refused_alike(guide: Guide, groups: list[list[Line]]) -> list[list[Line]]:
    """One where nothing that was perhaps done is allowed: it need not be known what it was.

    So it is where only what was written is in doubt, or what a piece shows that was laid against one rule.
    """
    firsts = [group[0] for group in groups]
    if not _end_alike_but_for_the_last(firsts):
        return groups
    last = [line.steps[-1].did for line in firsts]
    written = all(isinstance(did, guide.written) for did in last) and are_read_alike(guide, last)
    if not written and not _are_laid_alike(firsts):
        return groups
    return [[line for group in groups for line in group]]


def _end_alike_but_for_the_last(lines: Sequence[Line]) -> bool:
    """Whether all are refused, and differ in their last step alone."""
    before = {tuple(step.did for step in line.steps[:-1]) for line in lines}
    return all(line.refused for line in lines) and len(before) == 1


def _are_laid_alike(lines: Sequence[Line]) -> bool:
    """Whether the last, refused step of each is against one rule and leaves pieces in the same places."""
    laid = {_laid(line) for line in lines}
    rules = {(type(did), ruling and ruling.rule) for did, ruling, _ in (line.steps[-1] for line in lines)}
    return len(rules) == len(laid) == 1 and frozenset() not in laid


def _laid(line: Line) -> frozenset[tuple[Hashable, ...]]:
    """Who put pieces of which kind where, with the last step of a line, wherever pieces have places."""
    did = line.steps[-1].did
    assert line.before is not None  # it has been refused
    assert isinstance(did, Move)
    new = look(line.layout) - look(line.before.layout)
    return frozenset((did.player, kind, face, x, y) for kind, face, _, _, x, y, *_ in new if x is not None)


def still_to_come(guide: Guide, groups: list[list[Line]], *, stays: bool) -> list[list[Line]]:
    """The same without what goes on with a fact that players wait for, where it may not be there to see yet.

    What is done next shows whether it was; ``stays`` says whether nothing at all may have been done so far.
    """
    told = [[step.did for step in group[0].steps] for group in groups]
    early = [] if stays else min(told, key=len, default=[])
    later = (one for one in told if one != early)
    if not all(one[: len(early)] == early and isinstance(one[len(early)], guide.patient) for one in later):
        return groups
    return [group for group, one in zip(groups, told, strict=True) if one == early]


def begun_by(guide: Guide, groups: list[list[Line]], came: int | None) -> list[list[Line]]:
    """One where all that is in doubt is who began: whoever came first, with the other beside it."""
    firsts = [group[0].steps[0].did for group in groups if group[0].steps]
    began = 0 < len(firsts) == len(groups) and all(isinstance(one, guide.begun) for one in firsts)
    if came is None or not began or len({_by_whomever(guide, group[0]) for group in groups}) > 1:
        return groups
    led = sorted(groups, key=lambda group: _first_player(group[0]) != came)
    return [[line for group in led for line in group]]


def _first_player(line: Line) -> int | None:
    """Who made the first move of a line."""
    return next((step.did.player for step in line.steps if isinstance(step.did, Move)), None)


def _by_whomever(guide: Guide, line: Line) -> tuple[str, ...]:
    """What was done after it was known who begins, by whomever."""
    return tuple(text_of(guide.book, step.did).rpartition(": ")[2] for step in line.steps[1:])


def alike_at_first(lines: Sequence[Line]) -> int:
    """How many steps all of these lines begin with alike, up to the last of them that is an allowed move."""
    each = [line.steps[: len(line.steps) - line.refused] for line in lines]
    count = 0
    for number, same in enumerate(zip(*each, strict=False), 1):
        if len({step.did for step in same}) > 1:
            break
        if isinstance(same[0].did, Move):
            count = number
    return count


def _since(line: Line) -> tuple[Move | Fact, ...]:
    """What has been done since a question was asked."""
    return tuple(step.did for step in line.steps[line.origin.known :])


def _says_less(line: Line, other: Line) -> bool:
    """Whether a line tells what was seen since as another does, which must make up more, and fits less."""
    return not Counter(_since(line)) - Counter(_since(other)) and line.worth >= other.worth + FAIR


def _leave_one_table(guide: Guide, lines: Sequence[Line]) -> bool:
    """Whether nothing on the table can ever tell which of the answers it was: who was first, say."""
    ends = [line.steps[line.origin.known - 1].state for line in lines]
    return len({_table(guide, end) for end in ends if end is not None}) == 1


def _table(guide: Guide, state: State) -> Hashable:
    """What lies on the table in a state, wherever the pieces lie that have no place of their own."""
    return look(guide.layout(state, {}))


def are_read_alike(guide: Guide, each: Sequence[Move | Fact]) -> bool:
    """Whether these are one, or were read, each of the same player."""
    if len({*each}) == 1:
        return True
    if all(isinstance(did, guide.written) for did in each):
        return len({did.player for did in each if isinstance(did, Move)}) == 1
    if all(isinstance(did, Move) for did in each):
        return is_laid_alike(guide, [did for did in each if isinstance(did, Move)])
    return all(isinstance(did, Fact) for did in each)


def is_laid_alike(guide: Guide, each: Sequence[Move]) -> bool:
    """Whether these moves put one piece in one place, and differ only in what it shows."""
    places = {guide.laid(move) for move in each}
    return len(places) == 1 and None not in places


def _merge(guide: Guide, groups: dict[Hashable, list[Line]]) -> None:
    """What ends in the same is one, whatever the way: a line in the order in which it was seen first."""
    ends: dict[Hashable, list[Line]] = {}
    for key, group in [*groups.items()]:
        if not group[0].refused:
            end = (essence(guide, group[0].state), look(group[0].layout))
            if end not in ends:
                ends[end] = group
            elif _steps(groups.pop(key)[0]) != _steps(ends[end][0]):
                ends[end] += group


def _next(guide: Guide, line: Line) -> tuple[str | None, frozenset[Move]]:
    """What must be seen, or can be done, after a line."""
    state = at_rest(guide, line.state)
    return guide.book.pending(state), frozenset(guide.book.legal_moves(state))


def _steps(line: Line) -> Counter[Move | Fact]:
    """What was done, in whatever order."""
    return Counter(step.did for step in line.steps)
