"""Out of step: the likeliest missed moves and false entries, as choices."""

import pytest

from engine import State
from engine.history import History
from engine.matching import Follower, Instead, OutOfStep, Ruled, TakeBack
from engine.matching.evidence import Gap
from engine.matching.missed import _without, may_have_been
from engine.scene import Scene
from simulation.script import Scripted, write
from tests.engine.matching.doubtful_table import Table

NOTHING = Gap((), (), (), ())


def played(game: str, seed: int, count: int) -> tuple[History, list[Scripted], Table]:
    """A game up to so many events, the events after it, and its table."""
    script = write(game, seed=seed, moves=24)
    history = History.begin(game).put(State.from_json(script.setup), "as it began")
    table = Table(seed)
    table.scene(script.start)
    for event in script.events[:count]:
        history = history.fact(event.text) if event.kind == "fact" else history.move(event.text)
        table.scene(event.after)
    return history, list(script.events[count:]), table


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("game", ["draw-game", "dominoids", "dominoes-of-war", "kingdomino-duel"])
def test_moves_that_were_missed_are_a_choice(game: str, seed: int) -> None:
    """By whomever and however many: the first choices lead to what the table shows."""
    history, events, table = played(game, seed, 8)
    missed = [event for event in events if event.visible][:2][-1]
    scene = table.scene(missed.after)
    follower = Follower.of(history)
    choices = may_have_been(follower, scene, NOTHING)
    told = [choice.outcome for choice in choices]
    states = [one.state for one in told if isinstance(one, Ruled | TakeBack | Instead)]
    book = history.book
    shown = {spot.name for spot in missed.after.in_region("board")}
    assert all(state is not None for state in states)
    assert not states or any(
        {spot.name for spot in book.layout(state).in_region("board")} == shown for state in states if state
    )
    if game == "draw-game":
        assert choices


def test_an_entry_that_was_not_made_is_a_choice() -> None:
    """The last one is a taking back; one before it leaves what was done since; several may be false."""
    script = write("draw-game", seed=2, moves=24)
    history, _, _ = played("draw-game", 2, 8)
    before = Table(2).scene(history.book.layout(history.steps[-2].state))
    (last, *_) = may_have_been(Follower.of(history), before, NOTHING)
    assert isinstance(last.outcome, TakeBack)
    assert last.text == f"{history.steps[-1].happened.text} was not made"
    first = History.begin("draw-game").put(State.from_json(script.setup), "as it began")
    plays = [one for one in first.book.legal_moves(first.state) if "down" in first.book.format(one)]
    false = first.move(first.book.format(plays[0]))
    reply = next(one for one in false.book.legal_moves(false.state) if " by " in false.book.format(one))
    both = false.move(false.book.format(reply))
    other = first.move(first.book.format(plays[1]))
    found = may_have_been(Follower.of(both), Table(5).scene(other.book.layout(other.state)), NOTHING)
    assert any(
        isinstance(one.outcome, Instead) and one.outcome.undone == (1, 2) and "were not made, but" in one.text
        for one in found
    )


def test_an_entry_before_others_may_be_false() -> None:
    """What followed stays, as far as it could be done without it."""
    found = 0
    for seed in range(6):
        history, _, table = played("dominoids", seed, 14)
        follower = Follower.of(history)
        for back in range(2, 6):
            state = _without(follower, back)
            now = history.book.layout(history.state)
            if state is None or history.book.layout(state) == now:
                continue
            choices = may_have_been(follower, table.scene(history.book.layout(state)), NOTHING)
            told = [one.outcome for one in choices]
            found += any(isinstance(one, Instead) and one.undone == (back,) for one in told)
            texts = [one.text for one in choices]
            assert f"{history.steps[-back].happened.text} was not made" in texts or told
    assert found


def test_what_was_refused_since_is_no_matter() -> None:
    """It left the table as it was."""
    first, _, _ = played("draw-game", 2, 0)
    move = next(one for one in first.book.legal_moves(first.state) if "down" in first.book.format(one))
    text = first.book.format(move)
    history = first.move(text).move(text).move(text)
    assert [step.verdict.split()[0] for step in history.steps[-2:]] == ["illegal", "illegal"]
    (only, *_) = may_have_been(Follower.of(history), Table(2).scene(first.book.layout(first.state)), NOTHING)
    assert isinstance(only.outcome, Instead)
    assert only.outcome.undone == (3,)


def test_where_much_is_at_odds_nothing_is_offered() -> None:
    """A table that was wiped is no few missed moves."""
    history, events, table = played("draw-game", 2, 8)
    scene = table.scene(events[-1].after)
    verdict = Follower.of(history).see(Scene(scene.sightings))
    spots = history.book.layout(history.state).spots * 5
    assert may_have_been(Follower.of(history), scene, Gap(tuple(spots), (), (), ())) == ()
    assert not isinstance(verdict, OutOfStep) or len(verdict.choices) <= 4


@pytest.mark.parametrize("game", ["draw-game", "kingdomino-duel"])
def test_what_the_record_says_already_is_no_choice(game: str) -> None:
    """That the last entry was not made, but the same was, would bring people to where they are."""
    history, _, table = played(game, 3, 9)
    follower = Follower.of(history)
    told = [
        one.outcome
        for one in may_have_been(follower, table.scene(history.book.layout(follower.state)), NOTHING)
    ]
    assert not [one for one in told if isinstance(one, Instead) and one.state == follower.state]
