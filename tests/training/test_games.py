"""Measuring whole games: a line each, totals with intervals, results that go on where they stopped."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from simulation.diary import Diary, Note
from simulation.strategy import decide
from simulation.temper import Temper
from tests.simulation.paper import (
    Twist,
    accusing,
    alarmed,
    asking,
    deaf,
    dreaming,
    fussy,
    lenient,
    misnaming,
    naming,
    naming_beside,
    played,
    silently_wrong,
    unhearing,
)  # fmt: skip
from training import measure_games
from training.film_counts import Line
from training.game_playing import Sitting, line_of

CONTRACT = {
    "game", "seed", "moves", "right", "asked", "wrong_flagged", "wrong_silent", "missed", "accusations",
    "illegal", "illegal_found", "touches", "finished", "scores_right", "winner_right", "not_ready",
    "ruling_s_p50", "ruling_s_p95",
}  # fmt: skip
OUTCOMES = ("right", "asked", "wrong_flagged", "wrong_silent", "missed")
CALM = Temper(illegal=0, retracts=0, touches=0, forgets=0, early=0, hesitates=0)


@pytest.mark.parametrize("confirm", ["auto", "button"])
@pytest.mark.parametrize(
    ("twist", "all_are"),
    [
        (None, "right"), (deaf, "missed"), (asking, "asked"), (accusing, "wrong_flagged"),
        (naming, "wrong_flagged"), (silently_wrong, "wrong_silent"),
    ],
)  # fmt: skip
def test_referees_of_known_worth_get_their_figures(twist: Twist | None, all_are: str, confirm: str) -> None:
    """All moves are in one column, but for those that leave a bad referee no other move to name."""
    temper = replace(CALM, confirm=confirm)  # type: ignore[arg-type]
    people, match = played(
        "draw-game", 2, temper=temper, mind=decide, profile="default+target=30", twist=twist
    )
    line = line_of(Sitting("draw-game", 6), people.diary)
    assert line.keys() >= CONTRACT
    assert sum(line[key] for key in OUTCOMES) == line["moves"] > 3
    assert match.table.now < 600
    assert [line[key] for key in ("finished", "scores_right", "winner_right")] == [True, True, True]
    least = line["moves"] if twist in (None, deaf, asking) else line["moves"] - 2
    assert line[all_are] >= least, people.diary.stories
    assert line[all_are] + (line["right"] if twist else 0) == line["moves"]
    assert line["accusations"] == (line["wrong_flagged"] if twist is accusing else 0)
    assert (line["touches"] == 0) == (twist is None)
    assert line["touches"] >= sum(line[key] for key in OUTCOMES[1:])


FIGURES = ("illegal_found", "take_backs_understood", "false", "alarms", "not_ready")


@pytest.mark.parametrize(
    ("twist", "temper", "figures"),
    [
        (None, replace(CALM, illegal=0.4), (3, 0, 0, 0, 0)),
        (lenient, replace(CALM, illegal=0.4), (0, 0, 0, 0, 0)),
        (None, replace(CALM, retracts=0.5), (0, 7, 0, 0, 0)),
        (unhearing, replace(CALM, retracts=0.5), (0, 0, 0, 0, 0)),
        (None, replace(CALM, touches=0.5), (0, 0, 0, 0, 0)),
        (dreaming, replace(CALM, touches=0.5), (0, 0, 6, 0, 0)),
        (alarmed, CALM, (0, 0, 0, 11, 0)),
        (fussy, CALM, (0, 0, 0, 0, 1)),
    ],
)
def test_what_else_a_referee_does_is_counted(
    twist: Twist | None, temper: Temper, figures: tuple[int, ...]
) -> None:
    """What is put back, taken back, touched for nothing, alarmed about or not taken up, each by itself."""
    people, match = played(
        "draw-game", 2, temper=temper, mind=decide, profile="default+target=30", twist=twist
    )
    line = line_of(Sitting("draw-game", 2), people.diary)
    line["not_ready"] = len(line["not_ready"])
    assert tuple(line[key] for key in FIGURES) == figures, people.diary.stories
    assert (line["illegal"] > 0) == (temper.illegal > 0)
    assert line["missed"] == (line["illegal"] if twist is lenient else 0)
    assert line["right"] == line["moves"] - line["missed"]
    assert line["take_backs"] == (7 if temper.retracts else 0)
    assert line["touches"] == {dreaming: 6, unhearing: 7}.get(twist, 0)
    assert match.table.visits == (6 if temper.touches else 0)
    assert line["winner_right"]


def test_a_board_that_is_right_does_not_hide_what_is_told_of_it() -> None:
    """Where another die moved the piece than is told the move is wrong, unless it is named beside."""
    found = {}
    for twist in (None, misnaming, naming_beside):
        people, _ = played("dominoids", 3, temper=CALM, mind=decide, twist=twist, longest_s=240.0)
        found[twist] = line_of(Sitting("dominoids", 3), people.diary)
    assert found[misnaming]["wrong_silent"] > 0
    assert found[misnaming]["named_beside"] == 0
    for twist in (None, naming_beside):
        assert found[twist]["named_beside"] == found[misnaming]["wrong_silent"]
        assert found[twist]["wrong_silent"] == 0
        assert found[twist]["right"] >= found[twist]["moves"] - 1 > 10  # the last one is under way


def test_a_right_word_that_is_followed_by_a_wrong_one_is_no_right_word() -> None:
    """What enters the record is what counts; how long the first word took stays."""
    note = Note("1: a", "move", legal=True, rule="", player=1, gone_s=1.0)
    note.becomes("right", 1.5)
    note.becomes("wrong and silent", 3.0, "1: b")
    note.becomes("right", 9.0)
    assert (note.outcome, note.told, note.ruled_s) == ("wrong and silent", "1: b", 0.5)


def test_a_diary_counts_what_its_notes_say() -> None:
    """Accusations, refusals found by their rule, waits of right rulings; what is only said counts apart."""
    diary = Diary(finished=True)
    for text, legal, outcome, wait in (
        ("1: a", True, "right", 0.4), ("2: b", False, "right", 0.6), ("1: c", True, "wrong and flagged", 9.0),
    ):  # fmt: skip
        note = Note(text, "move", legal, "" if legal else "DRW-5", 1)
        note.becomes(outcome, wait)  # type: ignore[arg-type]
        note.accused, note.found = outcome.startswith("wrong"), not legal
        diary.notes.append(note)
    said = Note("1: call", "move", True, "", 1, spoken=True)
    said.becomes("missed", 3.0)
    diary.notes += [said, Note("see roll 1", "fact", True, "", 1)]
    line = line_of(Sitting("draw-game", 6), diary)
    wanted = {"moves": 3, "right": 2, "wrong_flagged": 1, "accusations": 1, "illegal": 1, "illegal_found": 1}
    assert {key: line[key] for key in wanted} == wanted
    assert (line["spoken"], line["facts"]) == (1, 1)
    assert line["ruling_s_p50"] == 0.5


def test_what_was_told_first_stays() -> None:
    """A move that was asked about is not right because the answer was."""
    note = Note("1: a", "move", legal=True, rule="", player=1, gone_s=2.0)
    note.becomes("asked", 3.0, "Which was it?")
    note.becomes("right", 5.0)
    assert (note.outcome, note.told, note.ruled_s) == ("asked", "Which was it?", 1.0)


def fake(calls: list[int]) -> object:
    """Plays a game by its seed alone."""

    def play(sitting: Sitting) -> Line:
        calls.append(sitting.seed)
        diary = Diary(finished=True, scores_right=True, winner_right=sitting.seed != 2)
        note = Note("1: a", "move", legal=True, rule="", player=1)
        note.becomes("right" if sitting.seed != 2 else "missed", 1.0, "nothing")
        diary.notes.append(note)
        diary.touches["typed"] += sitting.seed == 2
        line = {**line_of(sitting, diary), "table_s": 60.0, "cost_s": 30.0}
        return {"line": line, "notes": [vars(note)], "false": [], "stories": ["1.0 s: typed"]}

    return play


def test_a_measurement_goes_on_where_it_stopped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Each game is played once; more games add to those that were, and other terms are refused."""
    calls: list[int] = []
    monkeypatch.setattr(measure_games, "played", fake(calls))
    words = ["--game", "draw-game", "--first", "1", "--out", str(tmp_path), "--json", "--games"]
    assert measure_games.main([*words, "2"]) == 0
    capsys.readouterr()
    assert measure_games.main([*words, "3"]) == 0
    assert calls == [1, 2, 3]
    *games, last = map(json.loads, capsys.readouterr().out.splitlines())
    assert [game["seed"] for game in games] == [1, 2, 3]
    assert all(game.keys() >= CONTRACT for game in games)
    total = last["totals"]["all"]
    assert (total["games"], total["moves"], total["touches"]) == (3, 3, 1)
    assert total["right"]["hits"] == 2
    assert total["right"]["low"] < 2 / 3 < total["right"]["high"]
    assert total["winner_right"]["hits"] == 2
    assert (total["table_min"], total["cost_min"]) == (3.0, 1.5)
    with pytest.raises(SystemExit, match="other terms"):
        measure_games.main([*words, "1", "--profile", "default+target=50"])
    next(tmp_path.glob("*.json")).write_text("")
    with pytest.raises(SystemExit, match="is no result of a game"):
        measure_games.main([*words, "3"])


def test_the_report_names_what_was_not_right(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Each move that was not right is told with what was said instead, and what the games cost."""
    monkeypatch.setattr(measure_games, "played", fake([]))
    words = ["--game", "draw-game", "--first", "2", "--games", "1", "--out", str(tmp_path), "--stories"]
    assert measure_games.main(words) == 0
    told = capsys.readouterr().out
    assert "1: a: missed; told: nothing" in told
    assert "finished, with wrong scores" in told
    assert "1.0 s: typed" in told
    assert "1.0 min at the table cost 0.5 min of one core" in told


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--games", "0"], "should be 1 or more"),
        (["--jobs", "0"], "should be 1 or more"),
        (["--watched", "0.1"], "should be between 0.25 and 1"),
        (["--watched", "0.5", "--conditions", "sketch"], "is not for --conditions sketch"),
        (["--profile", "bogus"], "bogus"),
        (["--game", "dominoids", "--profile", "default+target=100"], "target"),
        (["--out", __file__], "exists"),
    ],
)
def test_a_bad_request_is_one_sentence(
    words: list[str], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Nothing is played, and nothing written, where what was asked for cannot be."""
    assert measure_games.main(words) == 2
    assert sentence in capsys.readouterr().err
