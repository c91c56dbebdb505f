"""Whole games from pixels to their end: people at the virtual table, and the command that referees them."""

import json
from dataclasses import replace
from itertools import product
from pathlib import Path

import pytest

from device.cameras.virtual import VirtualTable
from device.cli import main, parser
from device.cli.demo import LOOK
from device.cli.refereeing import run
from engine import GAMES
from simulation.live_table import Conditions, LiveTable
from simulation.people import People
from simulation.strategy import decide
from simulation.temper import Confirm, Temper
from simulation.whole_game import SHORTER, WholeGame
from training.game_playing import Sitting, played

LEFT = 4
"""So many facts and moves of each game are played from pixels here; whole games are left to the measure."""
CALM = Temper(illegal=0, retracts=0, touches=0, forgets=0, hesitates=0)
CONFIRM: dict[str, Confirm] = {"draw-game": "button"}
"""Games in which each move waits for its button; in the others what is still counts by itself."""
LAID_OPEN = ("draw-game", 3653)
"""A demo that was lost when a hand was laid open at the end of a deal."""


@pytest.mark.parametrize(("game", "confirm"), [(game, CONFIRM.get(game, "auto")) for game in GAMES])
def test_a_game_ends_with_its_winner(
    game: str,
    confirm: Confirm,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The last moves of a game are refereed from pixels, and the record ends as the game truly did."""
    monkeypatch.setenv("PIPWATCH_CONFIG", str(tmp_path / "none.toml"))
    whole = WholeGame.near_end(game, seed=2, left=LEFT, mind=decide)
    (tmp_path / "setup.json").write_text(json.dumps(whole.seen.to_json()), encoding="utf-8")
    table = LiveTable(game, 2, whole.layout, Conditions(look=LOOK))
    people = People(whole, table, replace(CALM, confirm=confirm), seed=2)
    words = ["run", "--source", "virtual", "--game", game, "--profile", SHORTER.get(game, "default")]
    words += ["--confirm", confirm]
    words += ["--setup", str(tmp_path / "setup.json"), "--headless", "--json"]
    assert run(parser().parse_args(words), table=VirtualTable(table, people, speed=0)) == 0
    diary, last = people.diary, json.loads(capsys.readouterr().out.splitlines()[-1])
    assert (diary.finished, diary.scores_right, diary.winner_right) == (True, True, True), diary.stories
    outcome = whole.book.outcome(whole.seen)
    assert outcome is not None
    assert last["outcome"]["winner"] == outcome.winner
    assert tuple(last["scores"]["totals"]) == whole.book.scores(whole.seen).totals


def test_the_same_seed_is_refereed_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Threads and a slow machine change nothing: all that is done and told comes of the seed."""
    monkeypatch.setenv("PIPWATCH_CONFIG", str(tmp_path / "none.toml"))
    diaries = []
    for _ in range(2):
        whole = WholeGame.near_end("draw-game", seed=5, left=2, mind=decide)
        (tmp_path / "setup.json").write_text(json.dumps(whole.seen.to_json()), encoding="utf-8")
        table = LiveTable("draw-game", 5, whole.layout, Conditions(look=LOOK))
        people = People(whole, table, CALM, seed=5)
        words = ["run", "--source", "virtual", "--game", "draw-game", "--headless", "--json"]
        words += ["--profile", SHORTER["draw-game"], "--setup", str(tmp_path / "setup.json")]
        run(parser().parse_args(words), table=VirtualTable(table, people, speed=0))
        diaries.append((people.diary, table.now, table.drawn))
    assert diaries[0] == diaries[1]


@pytest.mark.long
@pytest.mark.timeout(7200)
@pytest.mark.parametrize(("game", "seed"), [*product(GAMES, range(1, 11)), LAID_OPEN])
def test_what_a_newcomer_is_shown_ends_with_its_winner(game: str, seed: int) -> None:
    """Each demo of the first ten seeds, whole, from pixels."""
    found = played(Sitting(game, seed, "demo"))
    ends = [found["line"][key] for key in ("finished", "scores_right", "winner_right")]
    print(f"{game} {seed}: {found['line']['touches']} touches, {found['line']['touched']}")
    assert ends == [True, True, True], "\n".join(found["stories"])


def test_the_demo_plays_by_the_command_that_referees(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """What a newcomer types becomes a match at the virtual table, with a whole game's people at it."""
    asked = []

    class Stopped(VirtualTable):
        def next(self, timeout_s: float) -> None:
            asked.append((self.people.game.book.game, str(self.people.game.book.profile), timeout_s > 0))

    monkeypatch.setattr("device.cameras.virtual.VirtualTable", Stopped)
    main(["demo", "draw-game", "--seed", "3", "--headless", "--speed", "0"])
    assert asked == [("draw-game", "default+target=100", True)]
    assert "The same again: pipwatch demo draw-game --seed 3" in capsys.readouterr().out
