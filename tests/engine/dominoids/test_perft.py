"""The rule book against the second generator: the same labels step by step, and the same counts."""

import random

import pytest

from tests.engine.dominoids.second import BOOK, setup, steps
from tests.oracles import dominoids as oracle

POSITIONS = oracle.positions()


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
