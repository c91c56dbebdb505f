"""From every wrong state the game goes on within two presses, and the record tells what happened."""

from collections import Counter
from pathlib import Path

import pytest

from tests.device.live.astray import Astray, Story
from tests.device.live.going_wrong import MISHAPS
from tests.device.live.leading_back import BUDGET

SLOW = ("dominoids", "dominoes-of-war")
"""Games of which a story takes seconds."""
IN_THE_MIDST = ("false", "denied", "lying", "set elsewhere", "shoved", "paused")
"""Mishaps after which nothing long is searched."""
SHORT = [("draw-game", 100), ("kingdomino-duel", 102)]
PLAIN = {"draw-game": range(102, 110), "kingdomino-duel": range(202, 212)}
MANY = {**dict.fromkeys(PLAIN, range(300, 320)), **dict.fromkeys(SLOW, range(300, 304))}


def stories(path: Path, game: str, seeds: range, mishap: str) -> list[Story]:
    """What became of a mishap in some games."""
    return [Astray(game, seed, path, mishap).tell_story() for seed in seeds]


def failed(told: list[Story]) -> list[str]:
    """The stories that did not go on, or took too many presses."""
    return [f"{one.wrong} {one.ways}" for one in told if one.wrong or one.presses > BUDGET]


def happened(told: list[Story]) -> float:
    """In what share of the stories anything went wrong."""
    return sum(one.happened for one in told) / len(told)


@pytest.mark.parametrize("mishap", MISHAPS)
@pytest.mark.parametrize(("game", "seed"), SHORT)
def test_two_presses_lead_back(tmp_path: Path, game: str, seed: int, mishap: str) -> None:
    """Of both players together, whatever went wrong, with readings that are sure or in doubt."""
    story = Astray(game, seed, tmp_path, mishap).tell_story()
    assert not story.wrong
    assert story.presses <= BUDGET


@pytest.mark.parametrize("mishap", IN_THE_MIDST)
@pytest.mark.parametrize("game", SLOW)
def test_two_presses_lead_back_in_larger_games(tmp_path: Path, game: str, mishap: str) -> None:
    """The same of the games with many pieces."""
    story = Astray(game, 100, tmp_path, mishap).tell_story()
    assert not story.wrong
    assert story.presses <= BUDGET


@pytest.mark.long
@pytest.mark.plain
@pytest.mark.parametrize("game", PLAIN)
def test_two_presses_lead_back_in_many_games(tmp_path: Path, game: str) -> None:
    """Of nearly all stories something goes wrong at all, and every way back is gone."""
    ways: Counter[str] = Counter()
    for mishap in MISHAPS:
        told = stories(tmp_path, game, PLAIN[game], mishap)
        assert not failed(told), mishap
        assert happened(told) >= 0.9, mishap
        ways.update(way for one in told for way in one.ways)
    assert {*ways} >= {"choose", "as it is", "put", "back to", "resume", "let stand"}


@pytest.mark.long
@pytest.mark.parametrize("mishap", MISHAPS)
@pytest.mark.parametrize("game", MANY)
def test_two_presses_lead_back_in_games_of_every_kind(tmp_path: Path, game: str, mishap: str) -> None:
    """The same of more games, and of those with many pieces."""
    told = stories(tmp_path, game, MANY[game], mishap)
    assert not failed(told)
    assert happened(told) >= 0.5
