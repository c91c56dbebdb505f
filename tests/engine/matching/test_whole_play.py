"""Players who mean to win use every power and every silent move of a game: nobody is accused for it."""

from dataclasses import replace

import pytest

from engine import GAMES
from engine.matching import Ruled
from tests.engine.matching.whole_play import Played, last_of_nothing, play

SEEDS = {"dominoids": range(1, 2), "kingdomino-duel": range(1, 9), "dominoes-of-war": range(1, 3),
         "draw-game": range(1, 6)}  # fmt: skip
"""The games that the usual run follows."""
ASKED = 0.02
"""Who moves back at once what he just moved may as well have taken it back: he is asked."""


def _holds(played: Played, *, right: float) -> None:
    every = played.counts.total()
    assert not played.counts["accused"], played.stories
    assert played.counts["asked"] + played.counts["asked otherwise"] <= ASKED * every, played.stories
    assert played.counts["right"] >= right * every, played.stories


@pytest.mark.parametrize("game", GAMES)
def test_whole_games_are_followed_and_nobody_is_accused(game: str) -> None:
    """From the set-up to the winner, each thing that shows is told as it was done."""
    _holds(play(game, SEEDS[game]), right=0.97)


@pytest.mark.rules("KDD-P2", "KDD-P1")
def test_who_draws_with_a_power_that_he_has_is_believed_to_have_said_so() -> None:
    """P1 and P2 are only said, and crossed off by the hand that draws: nobody is accused for want of them."""
    played = play("kingdomino-duel", range(1, 30))
    assert set(played.counts) <= {"right", "otherwise"}, played.stories
    assert played.counts["otherwise"] <= 2, played.stories


@pytest.mark.parametrize("seed", [5, 12])
@pytest.mark.parametrize("by", [1, 2])
def test_a_game_ends_when_dice_that_nobody_can_draw_are_laid_together(seed: int, by: int) -> None:
    """Whoever gathers them: that they were put back to be taken anew is no question then."""
    before, after = last_of_nothing(seed)
    verdict = before.see(replace(after, by=by))
    assert isinstance(verdict, Ruled), verdict
    assert ["draw nothing" in one.text for one in verdict.happened] == [True, True]


@pytest.mark.long
@pytest.mark.plain
@pytest.mark.parametrize("game", GAMES)
def test_hundreds_of_whole_games_are_followed(game: str) -> None:
    """The same over some 2,000 moves of each game."""
    many = {"dominoids": 8, "kingdomino-duel": 24, "dominoes-of-war": 33, "draw-game": 60}[game]
    _holds(play(game, range(1000, 1000 + many)), right=0.98)
