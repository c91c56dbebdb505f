"""What holds at every moment of every match, whoever plays it and however."""

import json
from contextlib import suppress
from dataclasses import replace
from itertools import islice
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import CannotStand, ImpossibleFact, State, Status
from engine.draw_game.book import DrawGame
from engine.draw_game.judge import allows
from engine.draw_game.line import count, line_of
from engine.draw_game.model import (
    ALL,
    TILES,
    Deal,
    DrawFact,
    DrawMove,
    Drawn,
    DrawState,
    Lot,
    Play,
    Shown,
    board_tiles,
)
from engine.draw_game.quick import quickly
from engine.ruling import Ruling
from tests.engine.draw_game.mutations import any_move, mutated
from tests.engine.draw_game.scene import game, wander
from tests.engine.plies import chunks

FEW = 30
"""How many matches each property looks at by default; the long walk sees far more."""
SEEDS = st.integers(0, 2**32)
PROFILES = (
    "default",
    "hand=9",
    "hand=7",
    "hand=7+voluntary_draw=yes",
    "hand=7+voluntary_draw=yes+must_play_drawn=that",
    "muggins=yes",
    "hand=7+boneyard_floor=2+target_check=hand_end+blocked_tie=both",
    "redeal_down=other+redeal_voids=no+target=50",
)


def beginning(book: DrawGame, rng: Random) -> DrawState:
    """A first deal: both hands open, both hidden, or one of each."""
    first = book.start(rng=rng)
    if rng.random() < 0.5:
        return first
    hands = tuple(rng.choice((None, hand)) for hand in (None, None))
    deal = Deal((hands[0], hands[1]))
    return book.observe(book.start(setup={"down": rng.choice((1, 2))}), deal)


def consistent(state: DrawState, book: DrawGame) -> None:
    """Asserts what must be true of every state."""
    laid = board_tiles(state.history)
    parts = (*state.hands, state.unseen, laid)
    assert parts[0] | parts[1] | parts[2] | parts[3] == ALL
    assert sum(part.bit_count() for part in parts) == 28
    assert 0 <= sum(state.hidden) <= state.unseen.bit_count()
    assert (state.ends, state.bare) == line_of(state.history)
    assert count(state.ends) >= 0
    totals = [sum(line.points for line in state.lines if line.player == player) for player in (1, 2)]
    assert list(state.scores) == totals
    assert not any(points % 5 for points in state.scores)
    layout = book.layout(state)
    assert len(layout.spots) + sum(layout.hidden.values()) == 28
    assert (not book.movers(state)) == bool(book.pending(state) or book.outcome(state))


def round_trips(state: DrawState, book: DrawGame) -> None:
    """Asserts that the state and all its moves survive being written and read."""
    data = json.loads(json.dumps(state.to_json()))
    again = State.from_json(data)
    assert again == state
    assert hash(again) == hash(state)
    for move in book.legal_moves(state):
        assert book.parse(book.format(move)) == move


def refused_with_a_rule(ruling: Ruling, book: DrawGame) -> None:
    """Asserts that a refusal names its rules and offers legal moves where there are some."""
    assert ruling.status in (Status.ILLEGAL, Status.INCOMPLETE)
    assert ruling.rule in book.catalogue
    assert all(fault.rule in book.catalogue for fault in ruling.also)
    assert ruling.reason.endswith(".")
    assert len(ruling.nearest) <= 3


def refused_unless_listed(state: DrawState, move: DrawMove, book: DrawGame) -> None:
    """Asserts that the rulings on ``move`` and the list of legal moves agree."""
    ruling = book.judge(state, move)
    listed = replace(move, player=move.player or state.mover) in book.legal_moves(state)
    assert ruling.allowed is listed, (book.format(move), ruling)
    assert allows(state, replace(move, player=move.player or state.mover), book.house) is listed
    if not listed:
        assert not isinstance(move, Play) or quickly(state, move, book.house) is None
        refused_with_a_rule(ruling, book)


@settings(max_examples=FEW)
@given(seed=SEEDS, profile=st.sampled_from(PROFILES))
def test_legal_moves_pass_and_others_are_refused_with_a_rule(seed: int, profile: str) -> None:
    """Every legal move is allowed by check and play; every other one is refused with catalogued rules."""
    rng, book = Random(seed), game(profile)
    for state in wander(book, rng, 50, beginning(book, rng)):
        before = state.to_json()
        legal = book.legal_moves(state)
        assert len(set(legal)) == len(legal)
        for move in legal:
            assert book.check(state, move).allowed
            assert allows(state, move, book.house)
            quick = quickly(state, move, book.house) if isinstance(move, Play) else None
            assert quick is None or quick == book.apply(state, move)
            assert book.play(state, move) == book.apply(state, move)
        for move in [any_move(rng), *(mutated(move, rng) for move in legal[:3])]:
            refused_unless_listed(state, move, book)
        assert state.to_json() == before


@settings(max_examples=FEW)
@given(seed=SEEDS, profile=st.sampled_from(PROFILES))
def test_states_are_consistent_and_survive_being_written(seed: int, profile: str) -> None:
    """Tiles are conserved, scores add up, layouts show 28 tiles, and JSON and notation read back the same."""
    rng, book = Random(seed), game(profile)
    for state in wander(book, rng, 50, beginning(book, rng)):
        consistent(state, book)
        round_trips(state, book)


@settings(max_examples=FEW)
@given(seed=SEEDS, profile=st.sampled_from(PROFILES))
def test_what_the_players_let_stand_leaves_a_state_to_go_on_from(seed: int, profile: str) -> None:
    """After any refused move that is let stand the state is consistent and play goes on to the end."""
    rng, book = Random(seed), game(profile)
    state = beginning(book, rng)
    for _ in range(60):
        move = any_move(rng)
        if not book.judge(state, move).allowed:
            before = state.to_json()
            stood = state
            with suppress(CannotStand):
                stood = book.let_stand(state, move)
            assert state.to_json() == before
            state = stood
            consistent(state, book)
            round_trips(state, book)
        if book.outcome(state):
            break
        state = wander(book, rng, 1, state)[-1]
        assert book.pending(state) or book.outcome(state) or book.legal_moves(state)


@settings(max_examples=FEW)
@given(seed=SEEDS, profile=st.sampled_from(PROFILES))
def test_a_replay_of_the_notation_is_the_same_match(seed: int, profile: str) -> None:
    """Facts and moves written down and read back lead to the same state, with the same rulings."""
    rng, book = Random(seed), game(profile)
    first = state = beginning(book, rng)
    lines: list[str] = []
    rulings: list[Ruling] = []
    while len(lines) < 80 and book.outcome(state) is None:
        if book.pending(state):
            fact = book.sample(state, rng)
            lines.append(book.format_fact(fact))
            state = book.observe(state, fact)
        else:
            move = rng.choice(book.legal_moves(state))
            lines.append(book.format(move))
            rulings.append(book.check(state, move))
            state = book.play(state, move)
    again = first
    for line in lines:
        if line.startswith("see "):
            again = book.observe(again, book.parse_fact(line))
        else:
            assert book.check(again, book.parse(line)) == rulings.pop(0)
            again = book.apply(again, book.parse(line))
    assert again == state
    assert book.scores(again) == book.scores(state)


def any_fact(rng: Random) -> DrawFact:
    """A well-formed fact that knows nothing of the game."""
    tiles = rng.choices(TILES, k=rng.randrange(1, 12))
    return rng.choice(
        (
            Lot((tiles[0], tiles[-1])),
            Deal((None, tuple(tiles))),
            Drawn(tiles[0]),
            Drawn(None),
            Shown(rng.choice((1, 2)), tuple(tiles)),
        )
    )


@settings(max_examples=FEW)
@given(seed=SEEDS, profile=st.sampled_from(PROFILES))
def test_facts_are_taken_or_refused_with_an_observation_id(seed: int, profile: str) -> None:
    """A possible fact is taken; an impossible one raises an OBS- id of the catalogue and changes nothing."""
    rng, book = Random(seed), game(profile)
    for state in wander(book, rng, 50, beginning(book, rng)):
        possible = list(islice(book.possible_facts(state), 60))
        assert bool(possible) >= bool(book.pending(state))
        for fact in possible:
            assert book.parse_fact(book.format_fact(fact)) == fact
            book.observe(state, fact)
        before = state.to_json()
        fact = any_fact(rng)
        assert book.parse_fact(book.format_fact(fact)) == fact
        refusal = ""
        try:
            book.observe(state, fact)
        except ImpossibleFact as wrong:
            refusal = wrong.rule
        assert refusal == "" or (refusal in book.catalogue and refusal.startswith("OBS-DRW-"))
        assert refusal or book.pending(state)
        assert state.to_json() == before


CHUNK = 25_000


@pytest.mark.long
@pytest.mark.plain
@pytest.mark.parametrize("chunk", chunks(CHUNK))
def test_a_million_random_plies(chunk: int) -> None:
    """In a million plies listed moves are allowed, all others meet a rule, and no tile is lost."""
    rng, plies = Random(chunk), 0
    while plies < CHUNK:
        book = game(PROFILES[rng.randrange(len(PROFILES))])
        for state in wander(book, rng, 400, beginning(book, rng)):
            plies += 1
            legal = book.legal_moves(state)
            for move in legal:
                assert allows(state, move, book.house)
            if legal:
                assert book.judge(state, rng.choice(legal)).allowed
                refused_unless_listed(state, mutated(rng.choice(legal), rng), book)
            refused_unless_listed(state, any_move(rng), book)
            if plies % 10 == 0:
                consistent(state, book)
                round_trips(state, book)
