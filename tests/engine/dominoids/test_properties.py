"""What holds in every game, whatever is played, claimed or seen."""

import json
from collections.abc import Iterator
from contextlib import suppress
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import CannotStand, IllegalMove, ImpossibleFact, Status
from engine.dominoids import DominoidsBook
from engine.dominoids.board import MASK, POOL
from engine.dominoids.model import DOMINOES, OPENING, Agree, AnyFact, AnyMove, DominoidsState
from tests.engine.dominoids.mutations import any_fact, any_move, mutated
from tests.engine.dominoids.scene import BOOK, CHOSEN_BOOK
from tests.engine.plies import chunks

SEEDS = st.integers(0, 2**32)
CHUNK = 50_000


def walk(
    book: DominoidsBook, rng: Random, plies: int, start: DominoidsState | None = None
) -> Iterator[DominoidsState]:
    """The states of random games, one after the other, until so many plies were played."""
    state = start
    for _ in range(plies):
        if state is None or book.outcome(state) is not None:
            state = book.start(rng=rng)
        yield state
        if book.pending(state):
            state = book.observe(state, book.sample(state, rng))
        else:
            moves = [
                move for move in book.legal_moves(state) if not isinstance(move, Agree) or rng.random() < 0.01
            ]
            state = book.apply(state, rng.choice(moves))


def random_state(book: DominoidsBook, rng: Random) -> DominoidsState:
    """A state from anywhere in a game."""
    *_, state = walk(book, rng, rng.randint(1, 400))
    return state


def conserved(state: DominoidsState) -> None:
    """Asserts that all pieces are there, each once, no two in one place."""
    stacks = sum(state.stack(suit) for suit in range(4))
    collected = (state.eaten[0] | state.eaten[1]).bit_count()
    assert stacks + collected + len(state.coins) == 24
    assert min(state.stack(suit) for suit in range(4)) >= 0
    on_board = [lie for lie in state.dominoes if lie != POOL]
    assert len(on_board) + len(state.pool) == len(state.dominoes) == len(DOMINOES) == 15
    if state.stage != OPENING:
        assert state.occupied.bit_count() == 2 * len(on_board) + 4 + len(state.coins)
        assert all(lie in MASK for lie in on_board)


def well_told(book: DominoidsBook, state: DominoidsState, move: AnyMove) -> Status:
    """Asserts that the ruling on a move names rules of the catalogue, and agrees with the legal moves."""
    given = book.check(state, move)
    legal = {book.format(one) for one in book.legal_moves(state)}
    spelled = book.format(move)
    named = spelled if move.player is not None else f"{state.player}: {spelled}"
    assert (given.status == Status.LEGAL) == (named in legal), (named, given)
    assert book.parse(spelled) == move
    assert all(rule in book.catalogue for rule in (given.rule, *(fault.rule for fault in given.also)))
    assert given.reason.endswith(".")
    json.dumps(given.to_json())
    if given.status != Status.LEGAL:
        assert given.status in (Status.ILLEGAL, Status.INCOMPLETE)
        assert set(given.nearest) <= legal
        assert len(given.nearest) == min(3, len(legal))
    return given.status


def examined(book: DominoidsBook, rng: Random, state: DominoidsState) -> None:
    """Asserts everything about one state."""
    before = json.dumps(state.to_json())
    conserved(state)
    assert book.read_state(json.loads(before)) == state
    moves = book.legal_moves(state)
    assert bool(moves) != (book.pending(state) is not None or book.outcome(state) is not None)
    assert {move.player for move in moves} == set(book.movers(state))
    for move in moves if len(moves) < 10 else rng.sample(moves, 10):
        assert well_told(book, state, move) == Status.LEGAL
        assert book.play(state, move) == book.apply(state, move)
    tries = [any_move(rng, state)] if state.stage != OPENING else []
    tries += [mutated(rng, state, rng.choice(moves))] if moves else []
    for move in tries:
        if well_told(book, state, move) != Status.LEGAL:
            stood(book, state, move)
    seen(book, state, any_fact(rng, state))
    assert json.dumps(state.to_json()) == before


def stood(book: DominoidsBook, state: DominoidsState, move: AnyMove) -> None:
    """Asserts that a refused move is not played, and that play goes on from it where it stands."""
    with pytest.raises(IllegalMove):
        book.play(state, move)
    with suppress(CannotStand):
        after = book.let_stand(state, move)
        conserved(after)
        assert book.read_state(json.loads(json.dumps(after.to_json()))) == after
        assert book.pending(after) or book.outcome(after) or book.legal_moves(after)


def seen(book: DominoidsBook, state: DominoidsState, fact: AnyFact) -> None:
    """Asserts that a fact is taken exactly where it is possible, and refused with its id where not."""
    assert book.parse_fact(book.format_fact(fact)) == fact
    if fact in set(book.possible_facts(state)):
        book.observe(state, fact)
    else:
        with pytest.raises(ImpossibleFact) as wrong:
            book.observe(state, fact)
        assert wrong.value.rule.startswith("OBS-DMN-")
        assert wrong.value.rule in book.catalogue


@given(SEEDS, st.sampled_from([BOOK, CHOSEN_BOOK]))
@settings(max_examples=120)
def test_everything_holds_in_a_random_state(seed: int, book: DominoidsBook) -> None:
    """Legal moves pass, all others are refused with their rules, nothing is lost, text and data read back."""
    rng = Random(seed)
    examined(book, rng, random_state(book, rng))


@given(SEEDS)
@settings(max_examples=20)
def test_play_goes_on_from_what_stands(seed: int) -> None:
    """A game in which illegal moves are let stand stays whole, and everything else holds in it too."""
    rng = Random(seed)
    state = random_state(BOOK, rng)
    for _ in range(30):
        if BOOK.outcome(state) is not None or state.stage == OPENING:
            break
        move = any_move(rng, state)
        try:
            legal = BOOK.judge(state, move).allowed
            state = BOOK.apply(state, move) if legal else BOOK.let_stand(state, move)
        except CannotStand:
            pass
        examined(BOOK, rng, state)
        if BOOK.pending(state):
            state = BOOK.observe(state, BOOK.sample(state, rng))


@given(SEEDS)
@settings(max_examples=20)
def test_a_recorded_game_replays_bit_by_bit(seed: int) -> None:
    """The same moves and facts, read back from their notation, lead to the same states."""
    rng = Random(seed)
    state = BOOK.start()
    lines: list[str] = []
    states = [state]
    for _ in range(200):
        if BOOK.pending(state):
            fact = BOOK.sample(state, rng)
            lines.append(BOOK.format_fact(fact))
            state = BOOK.observe(state, fact)
        elif BOOK.outcome(state) is None:
            move = rng.choice(BOOK.legal_moves(state))
            lines.append(BOOK.format(move))
            state = BOOK.play(state, move)
        states.append(state)
    again = BOOK.start()
    replayed = [again]
    for line in lines:
        if line.startswith("see "):
            again = BOOK.observe(again, BOOK.parse_fact(line))
        else:
            again = BOOK.play(again, BOOK.parse(line))
        replayed.append(again)
    assert replayed == states[: len(replayed)]
    assert [json.dumps(one.to_json()) for one in replayed] == [
        json.dumps(one.to_json()) for one in states[: len(replayed)]
    ]


def test_the_same_seed_draws_the_same_opening() -> None:
    """A set-up drawn at random is the same for the same seed, and another one for another seed."""
    assert BOOK.start(rng=Random(1)) == BOOK.start(rng=Random(1))
    assert BOOK.start(rng=Random(1)) != BOOK.start(rng=Random(2))


@pytest.mark.long
@pytest.mark.plain
@pytest.mark.parametrize("chunk", chunks(CHUNK))
def test_a_million_plies(chunk: int) -> None:
    """In a million random plies every state keeps what is promised; every fourth one is examined in full."""
    rng = Random(chunk)
    book = CHOSEN_BOOK if chunk % 4 == 3 else BOOK
    for ply, state in enumerate(walk(book, rng, CHUNK)):
        conserved(state)
        if ply % 4 == 0:
            examined(book, rng, state)
