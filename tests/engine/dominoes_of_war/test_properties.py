"""What holds in every game, whatever is played, claimed or seen, under whichever readings."""

import json
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import CannotStand, IllegalMove, ImpossibleFact, Status
from engine.dominoes_of_war import DominoesOfWar
from engine.dominoes_of_war.judge import acting
from engine.dominoes_of_war.model import SET_UP, Draw, WarFact, WarMove, WarState
from engine.dominoes_of_war.readings import READINGS
from engine.dominoes_of_war.troops import HIDDEN
from engine.nearness import nearest
from engine.profile import Profile, Setting
from tests.engine.dominoes_of_war.mutations import any_fact, any_move, mutated
from tests.engine.dominoes_of_war.scene import BOOK
from tests.engine.plies import chunks

SEEDS = st.integers(0, 2**32)
CHUNK = 50_000


def any_book(rng: Random) -> DominoesOfWar:
    """The rule book under the defaults, or under readings drawn at random."""
    if rng.random() < 0.4:
        return DominoesOfWar(Profile(rng.choice(("2015", "2016"))))
    changes: list[tuple[str, Setting]] = [
        (reading.key, rng.choice(list(reading.choices)))
        for reading in READINGS.all
        if reading.choices and rng.random() < 0.5
    ]
    return DominoesOfWar(Profile("default", tuple(changes)))


def walk(book: DominoesOfWar, rng: Random, plies: int) -> Iterator[WarState]:
    """The states of random games, one after the other, until so many plies were played."""
    state: WarState | None = None
    for _ in range(plies):
        if state is None or book.outcome(state) is not None:
            state = book.start(rng=rng)
        yield state
        if book.pending(state):
            state = book.observe(state, book.sample(state, rng))
        else:
            # Draws are agreed upon less often than chance would, so that games grow old.
            state = book.apply(
                state,
                rng.choice(
                    [
                        move
                        for move in book.legal_moves(state)
                        if not isinstance(move, Draw) or rng.random() < 0.05
                    ]
                ),
            )


def random_state(book: DominoesOfWar, rng: Random) -> WarState:
    """A state from anywhere in a game."""
    *_, state = walk(book, rng, rng.randint(1, 300))
    return state


def conserved(book: DominoesOfWar, state: WarState) -> None:
    """Asserts that all tiles and soldiers are there, and no two in one place."""
    walls = len(state.walls) + state.rubble
    walls = max(walls, 4) if state.phase in SET_UP else walls
    placed = 64 + sum(len(base) or 6 for base in state.bases) + walls
    assert placed + len(state.mines) + state.spare == book.terms.total
    assert state.spare >= 0
    places = [troop.at for troop in state.troops]
    assert places == sorted(set(places))
    assert set(state.bases[0]).isdisjoint(state.bases[1])
    assert len(set(state.walls)) == len(state.walls)
    if state.phase == "armies":
        return
    for side in (1, 2):
        hidden = sum(troop.kind == HIDDEN and troop.side == side for troop in state.troops)
        counts = (*state.pools[side - 1], *state.discarded[side - 1])
        assert min(counts) >= 0
        assert sum(counts) + state.strength(side) - hidden == sum(book.terms.pools[state.armies[side - 1]])


def well_told(book: DominoesOfWar, state: WarState, move: WarMove, legal: set[WarMove]) -> Status:
    """Asserts that the ruling on a move names rules of the catalogue, and agrees with the legal moves."""
    given = book.check(state, move)
    named = replace(move, player=acting(state, move))
    assert (given.status == Status.LEGAL) == (named in legal), (book.format(move), given)
    assert book.parse(book.format(move)) == move
    assert all(rule in book.catalogue for rule in (given.rule, *(fault.rule for fault in given.also)))
    assert given.reason.endswith(".")
    json.dumps(given.to_json())
    if given.status != Status.LEGAL:
        assert given.status in (Status.ILLEGAL, Status.INCOMPLETE)
        assert len(given.nearest) == min(3, len(legal))
        offers = [(one, book.footprint(state, one)) for one in book.legal_moves(state)]
        near = nearest(book.footprint(state, move), offers)
        assert given.nearest == tuple(book.format(one) for one in near)
    return given.status


def examined(book: DominoesOfWar, rng: Random, state: WarState) -> None:
    """Asserts everything about one state."""
    before = json.dumps(state.to_json())
    conserved(book, state)
    assert book.read_state(json.loads(before)) == state
    moves = book.legal_moves(state)
    legal = set(moves)
    assert len(legal) == len(moves)
    assert bool(moves) != (book.pending(state) is not None or book.outcome(state) is not None)
    assert {move.player for move in moves} == set(book.movers(state))
    for move in moves if len(moves) < 6 else rng.sample(moves, 6):
        assert well_told(book, state, move, legal) == Status.LEGAL
        assert book.play(state, move) == book.apply(state, move)
    tries = [any_move(rng, state)]
    tries += [mutated(rng, state, rng.choice(moves))] if moves else []
    for move in tries:
        if well_told(book, state, move, legal) != Status.LEGAL:
            stood(book, state, move)
    seen(book, state, any_fact(rng, state))
    book.layout(state)
    assert json.dumps(state.to_json()) == before


def stood(book: DominoesOfWar, state: WarState, move: WarMove) -> None:
    """Asserts that a refused move is not played, and that play goes on from it where it stands."""
    with pytest.raises(IllegalMove):
        book.play(state, move)
    with suppress(CannotStand):
        after = book.let_stand(state, move)
        conserved(book, after)
        assert book.read_state(json.loads(json.dumps(after.to_json()))) == after
        assert book.pending(after) or book.outcome(after) or book.legal_moves(after)
        layout = book.layout(after)
        assert len(layout.by_name()) == len(layout.spots)


def seen(book: DominoesOfWar, state: WarState, fact: WarFact) -> None:
    """Asserts that a fact is taken exactly where it is possible, and refused with its id where not."""
    assert book.parse_fact(book.format_fact(fact)) == fact
    if fact in set(book.possible_facts(state)):
        book.observe(state, fact)
    else:
        with pytest.raises(ImpossibleFact) as wrong:
            book.observe(state, fact)
        assert wrong.value.rule.startswith("OBS-DOW-")
        assert wrong.value.rule in book.catalogue


@given(SEEDS)
@settings(max_examples=70)
def test_everything_holds_in_a_random_state(seed: int) -> None:
    """Legal moves pass, all others are refused with their rules, nothing is lost, text and data read back."""
    rng = Random(seed)
    book = any_book(rng)
    examined(book, rng, random_state(book, rng))


@given(SEEDS)
@settings(max_examples=30)
def test_play_goes_on_from_what_stands(seed: int) -> None:
    """A game in which illegal moves are let stand stays whole, and everything else holds in it too."""
    rng = Random(seed)
    book = any_book(rng)
    state = random_state(book, rng)
    for _ in range(25):
        move = any_move(rng, state)
        with suppress(CannotStand):
            legal = book.judge(state, move).allowed
            state = book.apply(state, move) if legal else book.let_stand(state, move)
        examined(book, rng, state)
        if book.pending(state):
            state = book.observe(state, book.sample(state, rng))


@given(SEEDS)
@settings(max_examples=10)
def test_a_recorded_game_replays_bit_by_bit(seed: int) -> None:
    """The same moves and facts, read back from their notation, lead to the same states."""
    rng = Random(seed)
    state = BOOK.start()
    lines: list[str] = []
    states = [state]
    while BOOK.outcome(state) is None and len(lines) < 200:
        if BOOK.pending(state):
            fact = BOOK.sample(state, rng)
            lines.append(BOOK.format_fact(fact))
            state = BOOK.observe(state, fact)
        else:
            move = rng.choice(BOOK.legal_moves(state))
            lines.append(BOOK.format(move))
            state = BOOK.play(state, move)
        states.append(state)
    replayed = [BOOK.start()]
    for line in lines:
        last = replayed[-1]
        fact_seen = line.startswith("see ")
        replayed.append(
            BOOK.observe(last, BOOK.parse_fact(line)) if fact_seen else BOOK.play(last, BOOK.parse(line))
        )
    assert replayed == states
    assert [one.to_json() for one in replayed] == [one.to_json() for one in states]


@pytest.mark.long
@pytest.mark.plain
@pytest.mark.parametrize("chunk", chunks(CHUNK))
def test_a_million_plies(chunk: int) -> None:
    """In a million random plies every state keeps what is promised; every tenth one is examined in full."""
    rng = Random(chunk)
    book = BOOK if chunk % 2 else any_book(rng)
    for ply, state in enumerate(walk(book, rng, CHUNK)):
        conserved(book, state)
        if ply % 10 == 0:
            examined(book, rng, state)
