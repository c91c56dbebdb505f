"""In each game a move that is not allowed, with the taps that say it; squares prove it, others are near."""

from dataclasses import replace
from typing import Final

from device.match.acts import taken_up
from device.match.match import Match
from device.match.phase import Phase
from engine.history import History
from engine.touch import Taps
from engine.touching import touch
from tests.web.gallery import random_game
from tests.web.test_page_touch import DICE, begun

TAPS: Final[dict[str, Taps]] = {
    "dominoids": ("domino 2-3", "square b1"),
    "draw-game": ("tile 1-6", "arm east"),
    "dominoes-of-war": ("soldier (0,11)", "place (1,9)"),
    "kingdomino-duel": ("map 1 r2c6", "map 1 r1c7"),
}
MANY: Final[dict[str, Taps]] = {
    "dominoids": ("domino 1-2", "square b3"),
    "dominoes-of-war": ("soldier a4", "place d8"),
    "kingdomino-duel": ("map 1 r3c1", "map 1 r1c2"),
}
"""Taps of moves that break several rules at once."""
_STEPS: Final = {"draw-game": 67, "dominoes-of-war": 31, "kingdomino-duel": 50}


def before(game: str) -> History:
    """The game in which these taps are not allowed."""
    return begun("dominoids", *DICE) if game == "dominoids" else random_game(game, _STEPS[game])


def refusal(game: str, taps: Taps = ()) -> Match:
    """The same move, or another one, as a camera would have seen it."""
    history = before(game)
    tried = history.move(touch(history, taps or TAPS[game]).line)
    assert not tried.steps[-1].verdict.startswith("legal")
    return replace(taken_up(Match(), tried), phase=Phase.ILLEGAL, refused=True)
