"""Random games through the real eye, follower and match, without pixels: nothing wrong is silent."""

from pathlib import Path

import pytest

from device.match.phase import Phase
from tests.device.live.sitting import Haunted, Sitting, ghost


@pytest.mark.parametrize(
    ("game", "seed", "doubtful", "restarts"),
    [
        ("draw-game", 2, 0.2, 0.0),
        ("draw-game", 101, 0.35, 0.06),
        ("draw-game", 103, 0.35, 0.06),
        ("draw-game", 131, 0.35, 0.06),
        ("draw-game", 504, 0.2, 0.02),
        ("kingdomino-duel", 0, 0.2, 0.0),
        ("kingdomino-duel", 13, 0.2, 0.0),
        ("dominoids", 1, 0.2, 0.06),
    ],
)
def test_nothing_wrong_is_silent(
    tmp_path: Path, game: str, seed: int, doubtful: float, restarts: float
) -> None:
    """In games that once went wrong unseen, or might: with doubtful readings, moves that stand, restarts."""
    sitting = Sitting(game, seed, tmp_path, doubtful=doubtful, restarts=restarts)
    assert sitting.play() == ""
    assert sitting.right >= 2


@pytest.mark.parametrize("seed", [506, 518])
def test_a_match_that_is_stopped_whenever_it_asks_goes_on_as_if_it_never_was(
    tmp_path: Path, seed: int
) -> None:
    """All that it needs is in the journal: as much of the record is right, and nothing wrong is silent."""
    stopped, plain = (
        Sitting("draw-game", seed, tmp_path / name, doubtful=0.35, restarts=0.0, asking=name == "stopped")
        for name in ("stopped", "plain")
    )
    assert (stopped.play(), plain.play()) == ("", "")
    assert stopped.stopped
    assert stopped.right >= 0.9 * plain.right


@pytest.mark.parametrize("place", [(3.5, 0.4), (6.0, -6.0)])
def test_a_game_goes_on_beside_what_only_seems_to_lie_there(
    tmp_path: Path, place: tuple[float, float]
) -> None:
    """At the end of the line, or far from all; nobody is asked, and every move is told."""
    sitting = Haunted("draw-game", 3, tmp_path, doubtful=0.0, restarts=0.0)
    sitting.begins()
    assert sitting.follows(0, 2)
    sitting.ghosts = (ghost(0.97, 0.1, *place),)
    sitting.rests(2)
    assert sitting.match.phase is Phase.WATCHING
    assert sitting.follows(2, 6)
    assert sitting.match.phase is Phase.WATCHING


@pytest.mark.parametrize("rest", [(), (0.6, 0.1), (1.0, 0.99)])
def test_a_question_about_what_nobody_laid_is_settled_by_the_next_move(
    tmp_path: Path, rest: tuple[float, ...]
) -> None:
    """Nobody answers it; it is told to be answered, though what it was about may seem to lie there still."""
    sitting = Haunted("draw-game", 3, tmp_path, doubtful=0.0, restarts=0.0)
    sitting.begins()
    assert sitting.follows(0, 2)
    sitting.ghosts = (ghost(1.0, 0.99, 3.5, 0.0),)
    sitting.rests(2)
    assert sitting.match.phase is Phase.ASKING
    assert "nobody was seen at it" in sitting.match.words
    sitting.ghosts = tuple(ghost(*rest, 3.5, 0.0) for _ in range(1 if rest else 0))
    assert sitting.follows(2, 3)
    settled = [draft for draft in sitting.written if draft.body.get("what") == "settled"]
    (words,) = (str(draft.body["words"]) for draft in settled)
    assert words.startswith("What followed has answered the question")


@pytest.mark.long
@pytest.mark.plain
@pytest.mark.parametrize("game", ["draw-game", "kingdomino-duel", "dominoids"])
def test_nothing_wrong_is_silent_in_many_games(tmp_path: Path, game: str) -> None:
    """Nor in twenty others, of which the record has most moves as they were made."""
    right = events = 0
    for seed in range(500, 520):
        sitting = Sitting(game, seed, tmp_path, doubtful=0.2, restarts=0.02)
        assert sitting.play() == "", seed
        right += sitting.right
        events += sum(event.visible for event in sitting.script.events)
    assert right > 0.7 * events
