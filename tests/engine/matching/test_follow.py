"""Whole games followed from scenes alone: right, asked, wrong and flagged, wrong and silent, missed."""

import pytest

from engine import GAMES
from tests.engine.matching.followed_course import Tally, games

SEEDS = {"dominoids": 3, "kingdomino-duel": 2, "dominoes-of-war": 1, "draw-game": 2}
"""How many games of each kind the usual run follows."""


def _holds(tally: Tally, *, right: float, asked: float = 0.02) -> None:
    """Nothing wrong and silent, nothing missed, and so many right first time.

    A Sniper who is given the facing that he has is not seen to be given it: that counts for nothing.
    """
    told = "\n".join(tally.stories)
    judged = tally.total - tally.counts["told later"]
    assert tally.counts["wrong and silent"] == 0, told
    assert tally.counts["missed"] == 0, told
    assert tally.counts["not put back"] == 0, told
    assert tally.counts["right"] >= right * judged, told
    assert tally.counts["asked"] <= max(2, asked * judged), told


@pytest.mark.parametrize("game", GAMES)
def test_moves_and_facts_are_followed(game: str) -> None:
    """Crooked pieces, every reading sure: legal moves, one in eight illegal, put back or let stand."""
    tally = games(game, range(SEEDS[game]), moves=40, illegal=0.12)
    assert tally.total > 30 * SEEDS[game]
    _holds(tally, right=0.97)


@pytest.mark.parametrize("game", GAMES)
def test_doubtful_readings_do_not_lead_astray(game: str) -> None:
    """One reading in twelve is doubtful, and of these one in ten favours something else."""
    tally = games(game, (11,), moves=40, doubtful=0.08)
    _holds(tally, right=0.9, asked=0.08)


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("skip", [2, 4])
def test_moves_between_two_views_are_caught_up_or_flagged(game: str, skip: int) -> None:
    """Up to four moves happen before the table is seen again.

    In the Draw Game nobody can say afterwards who laid which tile, so that most of them are asked for.
    """
    tally = games(game, (21,), moves=24, skip=skip)
    assert tally.counts["wrong and silent"] == 0, tally.stories
    assert tally.counts["missed"] == 0, tally.stories
    least = {"draw-game": 0.0, "kingdomino-duel": 0.5}.get(game, 0.6)
    assert tally.counts["right"] >= least * tally.total, tally.stories


@pytest.mark.parametrize("seed", [101, 310])
def test_who_goes_out_is_accused_of_nothing_because_the_other_lays_his_hand_open(seed: int) -> None:
    """Passed, passed and laid a tile out of turn: that looks just like the tile that was allowed."""
    assert games("draw-game", (seed,), moves=40, illegal=0.12).counts.keys() == {"right"}


@pytest.mark.parametrize("seed", [106, 117, 314])
def test_a_sniper_who_was_put_back_has_not_been_given_a_facing(seed: int) -> None:
    """He was refused and stands on his tile again, turned by chance: nobody has ended his turn with that."""
    tally = games("dominoes-of-war", (seed,), moves=40, illegal=0.12)
    assert tally.counts["not put back"] == 0, tally.stories


@pytest.mark.long
@pytest.mark.plain
@pytest.mark.parametrize("game", GAMES)
def test_thousands_of_moves(game: str) -> None:
    """The same over some 3,000 moves."""
    _holds(games(game, range(100, 120), moves=40, illegal=0.12), right=0.985, asked=0.01)
