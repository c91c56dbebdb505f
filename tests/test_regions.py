"""The engine and the table agree on where things lie: every region of a layout is on the game's plan."""

from random import Random

import pytest

from calibration.plan import plan_of
from engine import GAMES, rulebook


@pytest.mark.parametrize("game", GAMES)
def test_every_region_of_a_layout_is_on_the_plan(game: str) -> None:
    """Wherever a rule book says that a piece lies, the printed mat and the virtual table have a place."""
    book = rulebook(game)
    rng = Random(1)
    state = book.start(rng=rng)
    regions: set[str] = set()
    for _ in range(400):
        layout = book.layout(state)
        regions |= {spot.region for spot in layout.spots} | {name for name, n in layout.hidden.items() if n}
        if book.outcome(state) is not None:
            break
        if book.pending(state) is not None:
            state = book.observe(state, book.sample(state, rng))
        else:
            state = book.play(state, rng.choice(book.legal_moves(state)))
    assert regions <= set(plan_of(game).regions)
