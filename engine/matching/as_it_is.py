"""A table that players say lies as it should: the state from which the game goes on, and what is unknown.

First what the record and the search say: a state that explains the table and knows what nobody sees. Only
where there is none the table is read like a set-up; what is not seen of it is as the record says.
"""

from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

from engine.book import State
from engine.errors import BadSetup
from engine.matching.adopted import Adopter, adopter_for
from engine.matching.evidence import Lay
from engine.matching.follower import Follower
from engine.matching.guide import guide_for
from engine.matching.outcome import Instead, Nothing, OutOfStep, Question, Ruled, TakeBack, Verdict
from engine.plain import BadData
from engine.scene import Scene

_NO_TABLE: Final = "No table of this game looks like this: put the pieces where the record has them."


class AsItIs(NamedTuple):
    """A table that was taken as it is."""

    state: State
    unknown: tuple[str, ...] = ()
    """What nobody can know of it, in sentences for players."""


def as_it_is(follower: Follower, scene: Scene, verdict: Verdict) -> AsItIs:
    """The state of a table that players say lies as it should; ``verdict`` is what is made of it.

    Raises BadSetup, saying what to do with which piece, where no state of the rules explains it.
    """
    guide, adopter = guide_for(follower.book), adopter_for(follower.book)
    for state, places, words in _explained(follower, verdict):
        laid = {**follower.places, **places}
        if guide.evidence(follower.state, scene, laid).agrees(guide.layout(state, laid)):
            return AsItIs(state, words)
    supposed: tuple[str, ...] = ()
    try:
        state = _taken(adopter, follower.state, scene)
    except BadSetup as wrong:
        # People say that the table is right: what is in doubt is what it most looks like, and that is said.
        scene, supposed = adopter.likeliest(follower.state, scene)
        if not supposed:
            raise BadSetup(str(wrong)) from None
        state = _taken(adopter, follower.state, scene)
    granted = adopter.granted(follower.state, scene)
    return AsItIs(state, (*supposed, *granted, *adopter.unknown(follower.state, state, scene)))


def _taken(adopter: Adopter, state: State, scene: Scene) -> State:
    try:
        return adopter.taken(state, scene)
    except BadSetup:
        raise
    except BadData as wrong:
        raise BadSetup(f"This table cannot be: {wrong}.") from None
    except ValueError:  # a table so unlike the game's that not even a reason can be told
        raise BadSetup(_NO_TABLE) from None


def _explained(
    follower: Follower, verdict: Verdict | Instead
) -> Iterator[tuple[State, Mapping[str, Lay], tuple[str, ...]]]:
    """The states that the search has found for the table, and what is said of taking one of them."""
    if isinstance(verdict, Nothing):
        yield follower.state, {}, ()
    elif isinstance(verdict, TakeBack | Instead):
        yield verdict.state, {}, ()
    elif isinstance(verdict, Ruled) and verdict.state is not None and not verdict.revised:
        yield verdict.state, verdict.places, ()
    elif isinstance(verdict, Question | OutOfStep):
        for choice in verdict.choices:
            for state, places, _ in _explained(follower, choice.outcome):
                yield state, places, (f"It is taken for: {choice.text}",)
