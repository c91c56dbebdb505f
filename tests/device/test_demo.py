"""`pipwatch demo`: what a spectator reads in a terminal."""

import re
from pathlib import Path

import pytest

from device.cli import main, parser
from device.cli.demo import told
from device.cli.letter_picture import picture
from engine import GAMES, Layout, Spot, rulebook


@pytest.mark.parametrize("game", GAMES)
def test_a_demo_tells_a_game_with_rulings_pictures_and_an_end(game: str) -> None:
    """Each game is told move by move with its rules, refused tries among them, and closes with a score."""
    lines = [line for line, _ in told(game, seed=4)]
    text = "\n".join(lines)
    known = {rule.id for rule in rulebook(game).catalogue} | {r.id for r in rulebook(game).readings.all}
    named = set(re.findall(r"\[((?:[A-Z]{3}|A)-[\w.]+)\]", text))
    assert len(named) >= 5
    assert named <= known
    assert "✓ LEGAL" in text
    assert "✗ ILLEGAL" in text
    assert re.search(r"(wins|Nobody wins|The game goes on)", lines[-1])


def test_the_same_seed_tells_the_same_game(capsys: pytest.CaptureFixture[str]) -> None:
    """A spectator can see a game again by its seed, and another seed is another game."""
    told_twice = []
    for seed in ("3", "3", "4"):
        assert main(["demo", "kingdomino-duel", "--text", "--seed", seed, "--speed", "0"]) == 0
        told_twice.append(capsys.readouterr().out)
    assert told_twice[0] == told_twice[1] != told_twice[2]


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["demo", "ludo"], "There is no game 'ludo'"),
        (["demo", "--speed", "-1"], "--speed is a factor"),
        (["demo", "--speed", "nan"], "--speed is a factor"),
    ],
)
def test_a_bad_request_for_a_demo_is_one_sentence(
    capsys: pytest.CaptureFixture[str], arguments: list[str], sentence: str
) -> None:
    """An unknown game or a negative speed is answered, not played."""
    assert main(arguments) == 2
    assert sentence in capsys.readouterr().err


def test_make_run_starts_a_command_that_there_is() -> None:
    """What the Makefile asks of `pipwatch` is something that `pipwatch` understands."""
    makefile = (Path(__file__).parents[2] / "Makefile").read_text(encoding="utf-8")
    asked = re.findall(r"^\t@?\$\(BIN\)/pipwatch (.+)$", makefile, re.MULTILINE)
    assert asked
    for words in asked:
        parser().parse_args(words.split())


def test_a_picture_shows_pieces_where_they_lie() -> None:
    """Dominoes show both halves along their angle, pieces stand in their columns, heaps are named."""
    layout = Layout(
        (
            Spot("domino 2-3", "domino", "up", {"pips": [2, 3]}, "board", 1.5, 1.0, 180.0),
            Spot("coin", "coin", "down", {"suit": "suns", "value": None}, "board", 1.0, 2.0),
            Spot("coin", "coin", "up", {"suit": None, "value": 4}, "board", 3.0, 2.0),
            Spot("pawn", "pawn", "up", {"suit": "arms"}, "board", 2.0, 2.0),
            Spot("die moons", "die", "up", {"suit": "moons", "face": "5"}, "old-dice"),
        ),
        {"stack": 3},
    )
    assert list(picture(layout, 3)) == [
        "  3  ·  ·  ·",
        "  2  (s)▲A (4)",
        "  1  3  2  ·",
        "     a  b  c",
        "old-dice: M5   stack: 3 hidden",
    ]
    assert list(picture(Layout(()))) == []
