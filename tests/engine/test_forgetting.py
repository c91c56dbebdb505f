"""What rule books worked out can be let go, and is worked out again."""

import gc
from functools import _lru_cache_wrapper
from random import Random

import pytest

from engine import GAMES, rulebook
from engine.forgetting import forget_answers


def held() -> dict[str, int]:
    """How many answers each store of the rule books holds that may hold many."""
    stores = [one for one in gc.get_objects() if isinstance(one, _lru_cache_wrapper)]
    return {
        f"{one.__module__}.{one.__name__}": one.cache_info().currsize
        for one in stores
        if str(one.__module__).startswith("engine.") and (one.cache_info().maxsize or 99) > 16
    }


def played(game: str) -> list[str]:
    """Some plies of people who choose at random, as text, and what the last table looks like."""
    book, rng = rulebook(game), Random(5)
    told: list[str] = []
    state = book.start(rng=rng)
    while len(told) < 12 and book.outcome(state) is None:
        if book.pending(state):
            fact = book.sample(state, rng)
            told.append(book.format_fact(fact))
            state = book.observe(state, fact)
        else:
            move = rng.choice(book.legal_moves(state))
            told.append(book.format(move))
            state = book.apply(state, move)
    return [*told, repr(book.layout(state))]


@pytest.mark.parametrize("game", GAMES)
def test_a_game_played_again_after_forgetting_is_the_same(game: str) -> None:
    """No store of any game keeps an answer, and nothing depended on one."""
    forget_answers()
    first = played(game)
    assert sum(held().values()) > 0
    assert forget_answers() > 0
    assert {name: n for name, n in held().items() if n} == {}
    assert forget_answers() == 0
    assert played(game) == first
