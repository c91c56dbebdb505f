"""What lines of the search say, as moves and facts that a record takes, with what else each may have been."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain, takewhile

from engine.book import Fact, Move, State
from engine.matching.guide import Guide, essence, forced_now
from engine.matching.outcome import Choice, Happened, Nothing, Question, Ruled, TakeBack
from engine.matching.piece_words import region_words, seen_words
from engine.matching.step_line import Line, Origin, state_after, text_of
from engine.matching.ways import other_orders
from engine.scene import Sighting


def happened(guide: Guide, same: Sequence[Line], pasts: Iterable[Origin] = ()) -> tuple[Happened, ...]:
    """What the first of these lines tells; beside each step what the others, or nobody's eyes, tell apart.

    ``pasts`` are states that look like the one where the line begins: after these it was perhaps another die.
    """
    line = same[0]
    told = [*_each_told(guide, same)]
    if line.refused:
        return tuple(told)
    told += _follows(guide, line.state)
    ways = [way for past in pasts if (way := _as_after(guide, past.state, line)) is not None]
    ways += _with_twins(guide, line, told)
    # Which of two blank dice were rolled stands beside the move that took them: the roll itself was read.
    return tuple(
        set_beside(one, [way[number] for way in ways if one.kind == "move"])
        for number, one in enumerate(told)
    )


def _each_told(guide: Guide, same: Sequence[Line]) -> Iterator[Happened]:
    """The steps of the first of these lines, each with what else it may have been."""
    line, state = same[0], same[0].origin.state
    kinds, orders = _kinds(line), _orders(guide, line)
    for number, step in enumerate(line.steps):
        names = [text_of(guide.book, other.steps[number].did) for other in _beside(same, number)]
        ruling = step.ruling
        if isinstance(step.did, Move):
            if ruling is not None and not ruling.allowed:
                ruling = guide.book.check(state, step.did)
            twins = () if line.refused else guide.twins(state, step.did)
            names += map(guide.book.format, (*twins, *orders[number]))
        text, *others = dict.fromkeys(names)
        yield Happened("move" if kinds[number] else "fact", text, step.state, ruling, tuple(others))
        state = step.state or state


def _beside(same: Sequence[Line], number: int) -> list[Line]:
    """Those of the lines that may tell a step of the first one otherwise."""
    kinds, known = _kinds(same[0]), same[0].origin.known
    if number >= known and kinds[number]:
        return [other for other in same if _kinds(other) == kinds]
    # What was read may be otherwise, though something else must have followed then.
    upto = known if number < known else number + 1
    return [other for other in same if _kinds(other)[:upto] == kinds[:upto]]


def _with_twins(guide: Guide, line: Line, told: Sequence[Happened]) -> Iterator[list[str]]:
    """The same line with another move in the place of one that looks the same, and what follows from that."""
    state = line.origin.state
    for number, step in enumerate(line.steps):
        twins = guide.twins(state, step.did) if isinstance(step.did, Move) else ()
        for twin in twins:
            rest = line._replace(steps=line.steps[number + 1 :])
            way = _as_after(guide, guide.book.apply(state, twin), rest)
            if way is not None:
                yield [*(one.text for one in told[:number]), guide.book.format(twin), *way]
        state = step.state or state


def as_asked(
    told: Sequence[Happened], known: int, asked: Iterable[Ruled], accused: Sequence[Ruled] = ()
) -> tuple[Happened, ...]:
    """The same, with what else the ``known`` steps may have been when players were asked about them.

    What was seen since comes after them, and cannot tell, say, in which order they were done. Nor does it
    matter for what was read that the answers which read it otherwise were ``accused`` of something.
    """
    texts = [one.text for one in told[:known]]
    for ruled in asked:
        if known and [one.text for one in ruled.happened] == texts:
            before = [
                set_beside(one, (*was.alike, *_read_otherwise(number, one, accused)))
                for number, (one, was) in enumerate(zip(told, ruled.happened, strict=False))
            ]
            return (*before, *told[known:])
    return tuple(told)


def in_other_orders(
    told: Sequence[Happened], before: Sequence[str], doubts: Sequence[tuple[str, ...]]
) -> tuple[Happened, ...]:
    """The same; beside the first of it what was told by itself ``before``, if this may have been done first.

    So it was written down with what was told: whichever came first, the other one came after it.
    """
    first, *rest = told
    names = {first.text, *first.alike}
    record = zip(reversed(before), reversed(doubts), strict=False)
    earlier = [text for text, beside in takewhile(lambda step: names.intersection(step[1]), record)]
    return (set_beside(first, earlier), *rest)


def _read_otherwise(number: int, one: Happened, asked: Iterable[Ruled]) -> Iterator[str]:
    """What these answers say was read at that step, if that was a fact."""
    for ruled in asked:
        other = ruled.happened[number] if len(ruled.happened) > number else None
        if other is not None and one.kind == other.kind == "fact":
            yield other.text


def set_beside(one: Happened, texts: Sequence[str]) -> Happened:
    """What happened, with what else it may have been."""
    alike = dict.fromkeys((*one.alike, *(text for text in texts if text != one.text)))
    return replace(one, alike=tuple(alike))


def _as_after(guide: Guide, state: State, line: Line) -> list[str] | None:
    """The same from another state, as it would be told then; None where it could not be."""
    told, then = list[str](), line.origin.state
    for step in line.steps:
        after = _once_more(guide, then, state, step.did)
        if after is None:
            return None
        state, text = after
        told.append(text)
        then = step.state or then
    ends = (essence(guide, state), len(_follows(guide, state)))
    told += [one.text for one in _follows(guide, state)]
    same = ends == (essence(guide, line.state), len(_follows(guide, line.state)))
    return told if same else None


def _once_more(guide: Guide, then: State, now: State, did: Move | Fact) -> tuple[State, str] | None:
    """What was done or seen ``then``, done or seen ``now``, and the state after it."""
    others = guide.again(then, now, did)
    first = next(others)
    twins = guide.twins(now, first) if isinstance(first, Move) else ()
    return _first_that_can_be(guide, now, chain((first,), twins, others))


def done_again(guide: Guide, then: State, now: State, did: Move | Fact) -> tuple[State, str] | None:
    """The state after what was done or seen ``then`` as it must have been ``now``, and that."""
    return _first_that_can_be(guide, now, guide.again(then, now, did))


def _first_that_can_be(guide: Guide, state: State, each: Iterable[Move | Fact]) -> tuple[State, str] | None:
    for did in each:
        if (after := state_after(guide.book, state, did)) is not None:
            return after, text_of(guide.book, did)
    return None


def question(
    ruled: Sequence[Ruled], *, stays: bool, back: TakeBack | None, unread: Sequence[Sighting] = ()
) -> Question:
    """These explanations to choose from; with what lies there ``unread``, which they differ about."""
    choices = [Choice(_choice(one), one) for one in ruled]
    if back is not None:
        choices.append(Choice(back.sentence, back))
    if stays:
        choices.append(Choice("Nothing was moved.", Nothing()))
    told = [f"A {seen_words(one)} lies {region_words(one.region)}." for one in unread]
    return Question(" ".join((*told, "What was it?")), tuple(choices))


def the_only_one(ruled: Ruled, sentence: str) -> Question:
    """The one explanation there is, to be agreed to or not."""
    return Question(sentence, (Choice(_choice(ruled), replace(ruled, margin=0.0)),))


def _orders(guide: Guide, line: Line) -> list[list[Move]]:
    """What else may have been done at each step, in another order, of what is seen together now."""
    did, known = [step.did for step in line.steps], line.origin.known
    before = line.steps[known - 1].state if known else line.origin.state
    assert before is not None  # only the last step of a line is refused
    fresh = other_orders(guide, before, did[known : len(did) - line.refused])
    return [*([] for _ in range(known)), *fresh, *([] for _ in range(line.refused))]


def _kinds(line: Line) -> list[bool]:
    """Which steps of a line are moves."""
    return [isinstance(step.did, Move) for step in line.steps]


def _follows(guide: Guide, state: State) -> tuple[Happened, ...]:
    """The silent moves that are all that can come next."""
    told: list[Happened] = []
    for move, after in forced_now(guide, state):
        told.append(Happened("move", guide.book.format(move), after, guide.book.judge(state, move)))
        state = after
    return tuple(told)


def _choice(ruled: Ruled) -> str:
    """What a button says: the moves and facts of one explanation."""
    told = ", then ".join(one.text for one in ruled.happened)
    if ruled.revised:
        told = "; ".join((*(f"it was {one.text}" for one in ruled.revised), told))
    return f"{told} ({ruled.ruling.status})" if ruled.ruling is not None and ruled.refused else told
