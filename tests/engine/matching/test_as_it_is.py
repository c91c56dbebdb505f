"""A table that players say lies as it should is taken, wherever the record was, and the match is kept."""

from random import Random

import pytest

from engine import GAMES, Layout, State, rulebook
from engine.matching import Follower, Nothing, OutOfStep, as_it_is
from engine.matching.as_it_is import AsItIs
from engine.scene import Scene
from simulation.script import write
from tests.engine.matching.table import Table

NO_WAY = OutOfStep(())
"""Nothing explains the table."""


def states_of(game: str, seed: int, moves: int = 24) -> list[State]:
    """The states of a random game, some of them after a refused move that stands."""
    script = write(game, seed=seed, moves=moves, illegal=0.1, stands=1)
    return [State.from_json(data) for data in script.states]


def taken(game: str, before: State, table: State | Layout, seed: int = 1) -> tuple[AsItIs, Scene]:
    """The table of one state taken as it is with the record of another."""
    book = rulebook(game)
    layout = table if isinstance(table, Layout) else book.layout(table)
    scene = Table(seed, skew=1.0).scene(layout)
    return as_it_is(Follower(book, (before,)), scene, NO_WAY), scene


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("game", GAMES)
def test_any_table_of_a_game_is_taken_with_the_record_of_any_other(game: str, seed: int) -> None:
    """The state that is made agrees with the table, and can be kept in a record."""
    states, rng = states_of(game, seed), Random(seed)
    book = rulebook(game)
    for _ in range(8):
        before, table = rng.choice(states), rng.choice(states)
        found, scene = taken(game, before, table, seed)
        follower = Follower(book, (found.state,)).at(scene)
        if game != "kingdomino-duel":  # a roll of before may lie there still
            assert isinstance(follower.see(scene), Nothing), (before, table)
        assert book.read_state(found.state.to_json()) == found.state


def test_the_match_of_the_draw_game_is_kept() -> None:
    """Points, deals and the score pad are the record's; the hands are what line and boneyard leave."""
    states = [one for one in states_of("draw-game", 3, 60) if one.scores != (0, 0)]  # type: ignore[attr-defined]
    found, _ = taken("draw-game", states[0], states[6])
    before, after = states[0].to_json(), found.state.to_json()
    assert after["lines"] == before["lines"]
    assert after["match"]["deal"] == before["match"]["deal"]  # type: ignore[index, call-overload]
    hidden = rulebook("draw-game").layout(found.state).hidden
    laid = len(rulebook("draw-game").layout(found.state).in_region("board"))
    assert sum(hidden.values()) + laid == 28
    assert hidden["boneyard"] == rulebook("draw-game").layout(states[6]).hidden["boneyard"]
    assert "hands" in found.unknown[0]
