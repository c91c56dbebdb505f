"""From every wrong state the game goes on within two presses, and the record tells what happened."""

from pathlib import Path

import pytest

from engine import GAMES
from tests.device.live.astray import MISHAPS, Astray

LATER = (pytest.mark.long, pytest.mark.plain)


@pytest.mark.parametrize("mishap", MISHAPS)
@pytest.mark.parametrize(
    ("game", "seed"),
    [("draw-game", 2), pytest.param("draw-game", 8, marks=LATER), ("kingdomino-duel", 3),
     pytest.param("kingdomino-duel", 10, marks=LATER), ("dominoids", 1), ("dominoes-of-war", 0)],
)  # fmt: skip
def test_two_presses_lead_back(tmp_path: Path, game: str, seed: int, mishap: str) -> None:
    """Missed moves, false entries, another table, a stop, a denied question, a refused move left lying."""
    story = Astray(game, seed, tmp_path).tell_story(mishap)
    assert not story.wrong
    assert len(story.presses) <= 2


@pytest.mark.long
@pytest.mark.parametrize("mishap", MISHAPS)
@pytest.mark.parametrize("game", GAMES)
def test_two_presses_lead_back_in_many_games(tmp_path: Path, game: str, mishap: str) -> None:
    """The same of sixty games of each kind; most of them need a press at all."""
    stories = [Astray(game, seed, tmp_path).tell_story(mishap) for seed in range(100, 160)]
    assert not [story.wrong for story in stories if story.wrong]
    assert sum(bool(story.presses) for story in stories) > 10
