"""The rule book against the second generator: the same labels step by step, and the same counts."""

import random

import pytest

from engine.dominoids.model import DominoidsState
from tests.engine.dominoids.second import BOOK, setup, steps
from tests.oracles import dominoids as oracle
from tests.oracles.tables import read_table

POSITIONS = oracle.positions()
CASES = [(name, n, count) for name, counts in read_table("dominoids").items() for n, count in counts.items()]


def perft(state: DominoidsState, n: int) -> int:
    """The number of different continuations of exactly ``n`` steps."""
    ours = list(steps(state))
    assert len({label for label, _ in ours}) == len(ours)
    return len(ours) if n == 1 else sum(perft(after, n - 1) for _, after in ours)


@pytest.mark.parametrize(("name", "n", "count"), CASES)
def test_counts_agree(name: str, n: int, count: int) -> None:
    """The rule book continues a position in exactly as many ways as the second generator does."""
    assert perft(BOOK.start(setup(POSITIONS[name])), n) == count


@pytest.mark.parametrize("name", POSITIONS)
def test_labels_agree_along_random_games(name: str) -> None:
    """Along random continuations both list the same steps, one by one, and come to the same table."""
    for seed in range(2):
        rng = random.Random(f"{name}/{seed}")
        position, state = POSITIONS[name], BOOK.start(setup(POSITIONS[name]))
        for _ in range(40):
            listed, ours = dict(oracle.steps(position)), dict(steps(state))
            assert sorted(listed) == sorted(ours)
            if not listed:
                break
            taken = rng.choice(sorted(listed))
            position, state = listed[taken], ours[taken]
            seen = BOOK.start(setup(position))
            forgotten = {"turn": 1, "mover": 0, "deed": 0}
            assert seen._replace(**forgotten) == state._replace(**forgotten)
