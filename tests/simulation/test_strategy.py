"""Players who play to win soon: whole games come to their end in few changes of the table, by legal moves."""

import random
import statistics
from dataclasses import dataclass

import pytest

from engine import AnyRuleBook, Move, Outcome, State, rulebook
from engine.draw_game.model import ALL, Draw, DrawState, Play
from simulation.strategy import decide

MOST = {"dominoids": 500, "dominoes-of-war": 120, "kingdomino-duel": 100, "draw-game": 160}
"""How many changes of the table a game may take at most, facts included."""
MIDDLE = {"dominoids": 250, "dominoes-of-war": 75, "kingdomino-duel": 90, "draw-game": 105}
"""The same for the middle one of thirty games."""
UNSEEN = {"Agree", "Redeal"}
"""What no player who plays to win does: it is only said, and ends or undoes a game."""


@dataclass(frozen=True)
class Game:
    """A game as it was played."""

    changes: int
    moves: tuple[str, ...]
    kinds: frozenset[str]
    outcome: Outcome | None


def steps(book: AnyRuleBook, seed: int) -> Game:
    """A whole game from the set-up on; it is given up where it grows too long."""
    rng = random.Random(seed)
    state = book.start(None, None)
    table, changes = book.layout(state), 0
    moves: list[str] = []
    kinds: set[str] = set()
    while book.outcome(state) is None and changes <= MOST[book.game] and len(moves) < 1000:
        if book.pending(state):
            state = book.observe(state, book.sample(state, rng))
        else:
            move = decide(book, state, rng)
            assert move is not None
            moves.append(book.format(move))
            kinds.add(type(move).__name__)
            state = book.play(state, move)  # raises where the move is not allowed
        seen = book.layout(state)
        changes += seen != table
        table = seen
    return Game(changes, tuple(moves), frozenset(kinds), book.outcome(state))


@pytest.mark.parametrize(
    ("game", "seeds"),
    [("dominoids", 2), ("dominoes-of-war", 8), ("kingdomino-duel", 8), ("draw-game", 8)],
)
def test_whole_games_come_to_their_end_soon(game: str, seeds: int) -> None:
    """From the bare table to an outcome that is no agreement, in few changes of the table."""
    for seed in range(1, seeds + 1):
        played = steps(rulebook(game), seed)
        assert played.outcome is not None, f"seed {seed} has no end after {played.changes} changes"
        assert played.changes <= MOST[game]
        assert not played.kinds & UNSEEN
        assert played.outcome.rule not in ("A-W37", "DMN-STOP")


@pytest.mark.long
@pytest.mark.parametrize("game", MOST)
def test_thirty_games_are_mostly_short(game: str) -> None:
    """Of thirty games none is too long, and half of them are shorter than the middle."""
    played = [steps(rulebook(game), seed) for seed in range(1, 31)]
    assert all(one.outcome for one in played)
    assert statistics.median(one.changes for one in played) <= MIDDLE[game]


@pytest.mark.parametrize("game", ["dominoes-of-war", "kingdomino-duel", "draw-game"])
def test_a_seed_gives_the_same_game(game: str) -> None:
    """The same seed gives the same moves; another seed gives others."""
    first, again, other = (steps(rulebook(game), seed).moves for seed in (3, 3, 4))
    assert first == again
    assert first != other


def test_nobody_may_move_while_something_must_be_seen() -> None:
    """While a fact is due there is no move."""
    book = rulebook("dominoids")
    assert decide(book, book.start(None, None), random.Random(1)) is None


def _draw_game(seed: int, moves: int) -> tuple[AnyRuleBook, DrawState]:
    book, rng = rulebook("draw-game"), random.Random(seed)
    state: State = book.start(rng=rng)
    for _ in range(moves):
        while book.pending(state):
            state = book.observe(state, book.sample(state, rng))
        move = decide(book, state, rng)
        assert move is not None
        state = book.apply(state, move)
    assert isinstance(state, DrawState)
    return book, state


def test_a_player_does_not_look_into_the_other_hand() -> None:
    """With other tiles in the other hand, as many of them, the same play is chosen."""
    compared = 0
    for seed in range(20):
        book, state = _draw_game(seed, 6)
        if state.phase != "playing" or any(state.hidden):
            continue
        theirs = 2 - state.mover
        swap = _exchanged(state, theirs)
        if swap is None:
            continue
        chosen: list[Move | None] = [decide(book, one, random.Random(5)) for one in (state, swap)]
        assert chosen[0] == chosen[1]
        compared += 1
    assert compared >= 10


def _exchanged(state: DrawState, index: int) -> DrawState | None:
    """The same table with the lowest tile of a hand and the highest of the boneyard exchanged."""
    hand = state.hands[index]
    if not hand or not state.unseen & ALL:
        return None
    mine, lying = hand & -hand, 1 << state.unseen.bit_length() - 1
    hands = list(state.hands)
    hands[index] = hand ^ mine ^ lying
    return state._replace(hands=(hands[0], hands[1]), unseen=state.unseen ^ lying ^ mine)


def test_a_tile_is_drawn_only_where_none_can_be_laid() -> None:
    """In the Draw Game nobody draws who can lay a tile, also where the house would allow it."""
    book = rulebook("draw-game", profile="default+voluntary_draw=true")
    rng, drawn = random.Random(2), 0
    state: State = book.start(None, None)
    while book.outcome(state) is None:
        if book.pending(state):
            state = book.observe(state, book.sample(state, rng))
            continue
        move = decide(book, state, rng)
        assert move is not None
        if isinstance(move, Draw):
            assert not any(isinstance(other, Play) for other in book.legal_moves(state))
            drawn += 1
        state = book.play(state, move)
    assert drawn
