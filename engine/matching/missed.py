"""What may have been missed, or written down and never done, where nothing explains a table well enough.

A person can say what the eye cannot: so moves are thought of by whomever and however many, and entries that
are false. Offered is only what brings record and table together; the search is cut short, as most of what is
out of step is a piece pushed aside, of which none of this can be.
"""

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final, NamedTuple

from engine.book import State
from engine.matching.evidence import Gap
from engine.matching.guide import essence
from engine.matching.one_look import CHOICES, OneLook
from engine.matching.outcome import Choice, Instead, Ruled, TakeBack
from engine.matching.retelling import happened
from engine.matching.search import PLIES
from engine.matching.step_line import Line, Origin, parsed, state_after
from engine.scene import Scene

if TYPE_CHECKING:
    from engine.matching.follower import Follower

_APART: Final = 16
"""Where more pieces than these are at odds, no few moves explain that."""
_MOST: Final = 1500
"""So many lines are weighed at most for each past that is thought of."""
_BACK: Final = 8
"""So many steps back an entry is thought to be false."""
_AGAIN: Final = 3
"""So many steps back something else is thought to have been done since, or instead."""
_PLIES_SINCE: Final = 2
"""So many visits of a hand are thought of since an entry that is false."""
_FALSE: Final = -4.0
"""The log of how often an entry is false, for each that must be."""


class _Way(NamedTuple):
    """A past: the steps that were not made, by how far back they lie, and the state without them."""

    undone: tuple[int, ...]
    state: State


def may_have_been(known: "Follower", scene: Scene, gap: Gap) -> tuple[Choice, ...]:
    """What leads from the record to the table, the likeliest first; nothing where too much is at odds."""
    if len(gap.missing) + len(gap.misread) + len(gap.extra) > _APART:
        return ()
    one = OneLook(known, _by_whomever(scene))
    found: dict[Hashable, tuple[float, _Way, Line]] = {}
    now = essence(one.guide, known.state)
    for way in _ways(known):
        for line in _lines(one, way):
            worth = line.worth + _FALSE * len(way.undone)
            key = essence(one.guide, line.state)
            if key != now and (key not in found or worth > found[key][0]):
                found[key] = worth, way, line
    best = sorted(found.values(), key=lambda each: -each[0])[:CHOICES]
    return tuple(_choice(one, known, way, line) for _, way, line in best)


def _by_whomever(scene: Scene) -> Scene:
    """The table, whoever was at it and however often."""
    sightings = tuple(replace(one, by=None) for one in scene.sightings)
    return replace(scene, sightings=sightings, by=None, visits=None, lately=None, came=None)


def _ways(known: "Follower") -> Iterator[_Way]:
    """The record as it is, without one of its last entries, and without several of the last."""
    yield _Way((), known.state)
    seen = {known.state}
    for back in range(1, min(len(known.told), _BACK) + 1):
        state = _without(known, back)
        if state is not None and state not in seen:
            seen.add(state)
            yield _Way((back,), state)
    for back in range(2, min(len(known.told), _AGAIN) + 1):
        if known.states[-1 - back] not in seen:
            yield _Way(tuple(range(1, back + 1)), known.states[-1 - back])


def _without(known: "Follower", back: int) -> State | None:
    """The state now if the step so far back was not made; None where what followed could not be then."""
    state: State | None = known.states[-1 - back]
    for text in known.told[len(known.told) - back + 1 :]:
        if text and state is not None:
            state = state_after(known.book, state, parsed(known.book, text))
    return state


def _lines(one: OneLook, way: _Way) -> Sequence[Line]:
    """What leads from there to the table, as far as it is allowed."""
    root = one.search.root(Origin(way.state), one.follower.places)
    if one.explaining(root, [root]):
        return [root] if way.undone else []
    if way.undone and way.undone[-1] > _AGAIN:
        return []
    one.search.refresh(_MOST)
    lines = one.search.lines(root, _PLIES_SINCE if way.undone else PLIES)
    return [line for line in one.explaining(root, lines) if not line.refused]


def _choice(one: OneLook, known: "Follower", way: _Way, line: Line) -> Choice:
    told = happened(one.guide, [line]) if line.steps else ()
    since = ", then ".join(step.text for step in told)
    if not way.undone:
        return Choice(since, Ruled(told, 0.0, places=line.places))
    state = told[-1].state if told and told[-1].state is not None else line.state
    if way.undone == (1,) and not told:
        return Choice(f"{known.told[-1]} was not made", TakeBack(1, state, "The last entry was not made."))
    gone = " and ".join(known.told[-back] or "what was refused" for back in reversed(way.undone))
    text = f"{gone} was not made" if len(way.undone) == 1 else f"{gone} were not made"
    return Choice(f"{text}, but {since}" if since else text, Instead(way.undone, told, state))
