"""The rule book against the second generator: the same numbers of continuations, and the same labels."""

import random

import pytest

from engine.kingdomino_duel import DuelBook
from engine.kingdomino_duel.model import DuelState
from engine.profile import Profile
from tests.engine.kingdomino_duel.second import label, setup
from tests.oracles import kingdomino_duel as oracle
from tests.oracles.tables import read_table

BOOK = DuelBook(Profile())
POSITIONS = oracle.positions()
TABLE = read_table("kingdomino-duel")
QUICK = 60_000


def perft(state: DuelState, n: int) -> int:
    """The number of different continuations of exactly ``n`` steps."""
    if BOOK.pending(state):
        facts = list(BOOK.possible_facts(state))
        return len(facts) if n == 1 else sum(perft(BOOK.observe(state, fact), n - 1) for fact in facts)
    moves = BOOK.legal_moves(state)
    return len(moves) if n == 1 else sum(perft(BOOK.apply(state, move), n - 1) for move in moves)


def cases(*, quick: bool) -> list[tuple[str, int, int]]:
    """Position, steps and count, the small counts or the large ones."""
    return [
        (name, n, count)
        for name, counts in TABLE.items()
        for n, count in counts.items()
        if (count <= QUICK) == quick
    ]


@pytest.mark.parametrize(("name", "n", "count"), cases(quick=True))
def test_quick_counts_agree(name: str, n: int, count: int) -> None:
    """The rule book continues a position in exactly as many ways as the second generator does."""
    assert perft(BOOK.start(setup(POSITIONS[name])), n) == count


@pytest.mark.long
@pytest.mark.plain
@pytest.mark.parametrize(("name", "n", "count"), cases(quick=False))
def test_large_counts_agree(name: str, n: int, count: int) -> None:
    """The rule book continues a position in exactly as many ways as the second generator does."""
    assert perft(BOOK.start(setup(POSITIONS[name])), n) == count


@pytest.mark.parametrize("name", POSITIONS)
def test_labels_agree_along_a_random_game(name: str) -> None:
    """Along a random continuation both list the same steps, one by one, and come to the same table."""
    rng = random.Random(name)
    position, state = POSITIONS[name], BOOK.start(setup(POSITIONS[name]))
    for _ in range(20):
        listed = dict(oracle.steps(position))
        if BOOK.pending(state):
            facts = {label(fact): fact for fact in BOOK.possible_facts(state)}
            assert sorted(facts) == sorted(listed)
            chosen = rng.choice(sorted(listed))
            state = BOOK.observe(state, facts[chosen])
        else:
            moves = {label(move): move for move in BOOK.legal_moves(state)}
            assert sorted(moves) == sorted(listed)
            if not listed:
                break
            chosen = rng.choice(sorted(listed))
            state = BOOK.play(state, moves[chosen])
        position = listed[chosen]
        assert _bare(state) == _bare(BOOK.start(setup(position)))


def _bare(state: DuelState) -> object:
    """The state without the dice of a turn that is over, which only one of the two remembers."""
    data = state.to_json()
    if state.stage in ("roll", "over"):
        del data["dice"]
    for die in state.dice and data["dice"]:
        del die["rolled"]
    return data
