"""Scripts: real games of all four kinds, with illegal moves that really are illegal and can be seen."""

import pytest

from engine import GAMES, Status, rulebook
from engine.book import State
from simulation.script import Script, Scripted, write


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_script_can_be_replayed_by_the_rule_book(game: str, seed: int) -> None:
    """From the set-up, every move and fact leads the rule book to the very states of the script."""
    script = write(game, seed=seed, moves=40, illegal=0.2)
    book = rulebook(game)
    state = State.from_json(script.setup)
    for event in script.events:
        before = state
        if event.kind == "fact":
            state = book.observe(state, book.parse_fact(event.text))
        else:
            move = book.parse(event.text)
            ruling = book.judge(state, move)
            assert (str(ruling.status), ruling.rule) == (event.status, event.rule)
            if ruling.allowed:
                state = book.apply(state, move)
            elif event.stands:
                state = book.let_stand(state, move)
        assert (state == before) <= (not event.visible or not event.stands)
        assert state.to_json() == script.states[event.state]
        assert (book.layout(state) == event.after) or not event.stands


def slips(script: Script) -> list[Scripted]:
    """The illegal moves of a script."""
    return [event for event in script.events if event.status == Status.ILLEGAL]


@pytest.mark.parametrize("game", GAMES)
def test_illegal_moves_are_refused_seen_and_unlike_legal_ones(game: str) -> None:
    """Each illegal move changes the table and has a rule; some stand while others are taken back."""
    script = write(game, seed=5, moves=60, illegal=0.5, stands=0.5)
    found = slips(script)
    assert len(found) >= 10
    assert all(event.visible and event.rule for event in found)
    assert {event.stands for event in found} == {True, False}
    # On a table without regions for hands, the Draw Game shows but one thing that can be wrong: the end.
    assert len({event.rule for event in found}) >= (1 if game == "draw-game" else 2)


@pytest.mark.parametrize("game", GAMES)
def test_a_game_without_illegal_moves_has_none(game: str) -> None:
    """By default every move is allowed, and facts come as the game asks for them."""
    script = write(game, seed=6, moves=30)
    assert not slips(script)
    assert sum(event.kind == "move" for event in script.events) == 30
    if game != "draw-game":
        assert any(event.kind == "fact" for event in script.events)


@pytest.mark.parametrize("game", GAMES)
def test_legal_moves_that_are_taken_back_leave_the_game_as_it_was(game: str) -> None:
    """They are legal, can be seen, and the next event begins from the same state and table."""
    script = write(game, seed=4, moves=14, retracted=0.5)
    taken_back = [k for k, event in enumerate(script.events) if not event.stands]
    assert taken_back
    for k in taken_back:
        event = script.events[k]
        assert event.status == Status.LEGAL
        assert event.visible
        before = script.events[k - 1].state if k else 0
        assert event.state == before
        assert k + 1 == len(script.events) or script.events[k + 1].before == event.before
    assert len(script.states) == 1 + sum(event.stands for event in script.events)


def test_facts_are_only_what_the_table_shows() -> None:
    """Nobody at the table sees a drawn tile or a hand, so no fact and no state of the script tells."""
    script = write("draw-game", seed=8, moves=150)
    facts = [event.text for event in script.events if event.kind == "fact"]
    assert "see drawn unseen" in facts
    assert any(text.startswith("see hand") for text in facts)
    assert "see deal hidden / hidden" in facts
    assert script.setup["hands"] == [{"tiles": [], "hidden": 11}] * 2


def test_the_same_seed_writes_the_same_script() -> None:
    """All comes from the seed; asking for illegal moves changes nothing before the first of them."""
    for game in GAMES:
        assert write(game, seed=9, moves=12, illegal=0.3) == write(game, seed=9, moves=12, illegal=0.3)
        assert write(game, seed=9, moves=12) != write(game, seed=10, moves=12)
    plain, mixed = (write("dominoids", seed=9, moves=20, illegal=share) for share in (0.0, 0.2))
    first = next(k for k, event in enumerate(mixed.events) if event.status == Status.ILLEGAL)
    assert plain.events[:first] == mixed.events[:first]


def test_dominoes_of_war_begins_on_the_mat() -> None:
    """The set-up is over when the film begins, and both bases lie on the mat."""
    for seed in range(4):
        script = write("dominoes-of-war", seed=seed, moves=1)
        assert script.setup["phase"] == "act"
        spots = [spot for spot in script.start.spots if spot.region == "board" and spot.kind == "domino"]
        assert len(spots) == 76
        assert all(-1 <= (spot.x or 0) <= 10 and 0 <= (spot.y or 0) <= 9 for spot in spots)
