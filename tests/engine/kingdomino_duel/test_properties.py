"""What holds in every state of Kingdomino Duel, proved on random games and random moves."""

import json
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import CannotStand, ImpossibleFact, Status
from engine.kingdomino_duel import DuelBook
from engine.kingdomino_duel.judge import Unclear, settled
from engine.kingdomino_duel.model import Draw, DuelMove, DuelState
from tests.engine.kingdomino_duel.builders import BOOK, under
from tests.engine.kingdomino_duel.mutations import mutated, random_fact, random_move
from tests.engine.plies import chunks

BOOKS = (
    BOOK,
    under("tick_on=draft+must_place=no+p5_requires_presence=yes+circles_per_square=1"),
    under("p2_chain=yes+p2_partial=no+e2_forces_power=yes"),
    under("combine_powers=no+p2_chain=yes"),
)
seeds = st.integers(0, 2**32)
CHUNK = 20_000


def rich_start(rng: Random) -> DuelState:
    """A game in which lines of the spellbook are nearly complete or owned, so that powers come up often."""
    lines = {}
    for letter, length in {"d": 5, "D": 4, "s": 5, "S": 4, "q": 3, "b": 3}.items():
        ticks = [rng.randint(max(0, length - 2), length - 1) for _ in range(2)]
        if letter not in "qb" and rng.random() < 0.6:
            ticks[rng.randrange(2)] = length
        lines[letter] = {"ticks": ticks}
    return BOOK.start({"a": rng.choice((1, 2)), "spellbook": lines})


def listed(state: DuelState, move: DuelMove, legal: set[DuelMove]) -> bool:
    """Whether the move, its player and dice spelled out, is among the legal ones."""
    players = (move.player,) if move.player else BOOK.movers(state)
    clear = settled(state, move, players[0]) if len(players) == 1 else None
    return not isinstance(clear, Unclear) and clear in legal


def check_moves(book: DuelBook, state: DuelState, legal: set[DuelMove], rng: Random) -> list[DuelMove]:
    """The refused ones of some moves: all that are not listed, each with rules of the catalogue."""
    moves = [random_move(rng)]
    if legal:
        chosen = rng.choice(book.legal_moves(state))
        moves += [chosen, mutated(state, chosen, rng)]
    refused = []
    for move in moves:
        ruling = book.judge(state, move)
        assert ruling.allowed == listed(state, move, legal)
        assert all(fault.rule in book.catalogue for fault in (ruling, *ruling.also))
        if not ruling.allowed:
            refused.append(move)
    return refused


def check_state(book: DuelBook, state: DuelState, rng: Random) -> None:
    """All that holds in one state."""
    before = json.dumps(state.to_json())
    moves = book.legal_moves(state)
    legal = set(moves)
    assert len(legal) == len(moves)
    assert bool(legal) == bool(book.movers(state))
    assert {move.player for move in legal} == set(book.movers(state))
    assert not (book.pending(state) and legal)
    if moves:
        assert book.check(state, moves[-1]) == book.judge(state, moves[-1])
    for move in check_moves(book, state, legal, rng):
        check_refusal(book, state, move, legal)
    check_fact(book, state, rng)
    assert json.dumps(state.to_json()) == before
    again = book.read_state(json.loads(before))
    assert (again, hash(again)) == (state, hash(state))


def check_refusal(book: DuelBook, state: DuelState, move: DuelMove, legal: set[DuelMove]) -> None:
    """A refused move is explained whole, offers legal ones, and leaves a sound table where it stands."""
    assert book.parse(book.format(move)) == move
    ruling = book.check(state, move)
    assert ruling.status in (Status.ILLEGAL, Status.INCOMPLETE)
    assert ruling.reason.endswith(".")
    own = {offer for offer in legal if offer.player == move.player} or legal
    assert set(ruling.nearest) <= {book.format(offer) for offer in own}
    assert len(ruling.nearest) == min(3, len(own))
    json.dumps(ruling.to_json())
    try:
        stood = book.let_stand(state, move)
    except CannotStand:
        return
    check_pieces(state, stood)
    assert book.read_state(json.loads(json.dumps(stood.to_json()))) == stood
    assert book.pending(stood) or book.outcome(stood) or book.legal_moves(stood)


def check_fact(book: DuelBook, state: DuelState, rng: Random) -> None:
    """A fact is taken up exactly where it is possible, and refused under an OBS id otherwise."""
    fact = random_fact(rng)
    assert book.parse_fact(book.format_fact(fact)) == fact
    if fact in set(book.possible_facts(state)):
        assert book.observe(state, fact) != state
        return
    with pytest.raises(ImpossibleFact) as caught:
        book.observe(state, fact)
    assert caught.value.rule in book.catalogue
    assert caught.value.rule.startswith("OBS-KDD-")


def check_pieces(before: DuelState, after: DuelState) -> None:
    """Nothing drawn is lost or moved, nobody has more than two dice, a map never more than 34 coats."""
    for old, new in zip(before.sides, after.sides, strict=True):
        kept = {mark.square: mark for mark in new.kingdom.marks()}
        assert all(kept[mark.square].coat == mark.coat for mark in old.kingdom.marks())
        assert all(kept[mark.square].crosses >= mark.crosses for mark in old.kingdom.marks())
        assert len(kept) == 34 - new.kingdom.empty.bit_count()
    for one, two in zip(before.book.ticks, after.book.ticks, strict=True):
        assert all(was <= now for was, now in zip(one, two, strict=True))
    assert len(after.dice) in (0, 4)
    assert max(len(after.taken(1)), len(after.taken(2))) <= 2


def walk(book: DuelBook, rng: Random, plies: int, *, checks: float) -> None:
    """So many plies of random games with random moves judged; in a share of the states all is checked."""
    state = rich_start(rng)
    first, steps = state, []
    for _ in range(plies):
        if rng.random() < checks:
            check_state(book, state, rng)
        check_moves(book, state, set(book.legal_moves(state)), rng)
        if book.outcome(state):
            assert _replayed(book, first, steps) == state
            state = first = rich_start(rng) if rng.random() < 0.5 else book.start(rng=rng)
            steps = []
            continue
        before = state
        if book.pending(state):
            fact = book.sample(state, rng)
            state = book.observe(state, fact)
            steps.append(book.format_fact(fact))
        else:
            moves = book.legal_moves(state)
            drawn = [move for move in moves if isinstance(move, Draw)]
            move = rng.choice(drawn if drawn and rng.random() < 0.5 else moves)
            state = book.play(state, move)
            steps.append(book.format(move))
        check_pieces(before, state)


def _replayed(book: DuelBook, state: DuelState, steps: list[str]) -> DuelState:
    for line in steps:
        if line.startswith("see "):
            state = book.observe(state, book.parse_fact(line))
        else:
            state = book.play(state, book.parse(line))
    return state


@given(seeds, st.sampled_from(BOOKS))
def test_random_games_keep_every_promise(seed: int, book: DuelBook) -> None:
    """Legal moves pass, others are refused by a rule of the catalogue, and nothing is lost or changed."""
    walk(book, Random(seed), 60, checks=0.3)


@pytest.mark.long
@pytest.mark.plain
@pytest.mark.parametrize("seed", chunks(CHUNK))
def test_a_million_random_plies_keep_every_promise(seed: int) -> None:
    """Walks of 20,000 plies, three moves judged at each, under all profiles by turns."""
    walk(BOOKS[seed % len(BOOKS)], Random(seed), CHUNK, checks=0.05)


@given(seeds)
def test_play_out_reaches_an_end(seed: int) -> None:
    """Every random game ends, within 34 rolls, with an outcome that the scores explain."""
    rng = Random(seed)
    state, rolls = BOOK.start(rng=rng), 0
    while not BOOK.outcome(state):
        if BOOK.pending(state):
            rolls += 1
            state = BOOK.observe(state, BOOK.sample(state, rng))
        else:
            state = BOOK.apply(state, rng.choice(BOOK.legal_moves(state)))
    assert rolls <= 34
    outcome, scores = BOOK.outcome(state), BOOK.scores(state)
    assert outcome is not None
    for player, total in enumerate(scores.totals, 1):
        assert total == sum(line.points for line in scores.lines if line.player == player)
    if outcome.rule == "KDD-W":
        assert outcome.winner == (1 if scores.totals[0] > scores.totals[1] else 2)
    else:
        assert scores.totals[0] == scores.totals[1]
    assert BOOK.legal_moves(state) == ()
    assert list(BOOK.possible_facts(state)) == []
