"""`pipwatch referee`, `replay` and `rules`, as a person or a pipe uses them."""

import io
import json
import os
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from device.cli import main
from engine.history import History
from engine.record import read, write

OPENING = ["see oldest 1", "see roll D1 d D ?", "1: take 4", "2: take 1+3"]


def typed(monkeypatch: pytest.MonkeyPatch, lines: list[str]) -> None:
    """Pipe these lines into the next command."""
    monkeypatch.setattr(sys, "stdin", io.StringIO("\n".join(lines) + "\n"))


def refereed(monkeypatch: pytest.MonkeyPatch, lines: list[str], *options: str) -> int:
    """The exit status of refereeing these lines of Kingdomino Duel."""
    typed(monkeypatch, lines)
    return main(["referee", "kingdomino-duel", *options])


def test_piped_moves_are_judged_with_rule_sentence_and_nearest_moves(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Each line gets its verdict; a refusal names its rule and what would be legal."""
    assert refereed(monkeypatch, [*OPENING[:3], "# a remark", "", "1: take 3"]) == 0
    out = capsys.readouterr().out
    assert "✓ LEGAL [KDD-2]" in out
    assert "✗ ILLEGAL [KDD-2] Player 2 is B and takes two dice now, not player 1." in out
    assert "nearest legal: 2: take" in out


@pytest.mark.parametrize("line", ["take back " + "9" * 5000, "before " + "9" * 5000 + ": 1: take 1"])
def test_a_number_longer_than_any_record_is_no_entry(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], line: str
) -> None:
    """An absurd entry number is refused like any line that cannot be read."""
    assert refereed(monkeypatch, [line]) == 2
    assert "is no move of Kingdomino Duel" in capsys.readouterr().err


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8:surrogateescape"])
def test_bytes_that_are_no_text_are_refused_and_not_recorded(tmp_path: Path, encoding: str) -> None:
    """A piped line that is not UTF-8 ends in one sentence whatever the terminal's habits."""
    record = tmp_path / "game.jsonl"
    told = subprocess.run(
        [sys.executable, "-m", "device", "referee", "kingdomino-duel", "--record", str(record)],
        input=b"see oldest 1\n1: castle 1\nstand \xff\n",
        capture_output=True,
        env={**os.environ, "PYTHONIOENCODING": encoding},
        check=False,
    )
    assert told.returncode == 2
    assert told.stderr.startswith(b"pipwatch referee: line 3 ")
    assert b"not text in UTF-8" in told.stderr
    assert len(read(record.read_text()).entries) == 2


def test_a_name_that_is_no_text_is_refused_before_anything_is_written(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """Bytes on the command line that are not UTF-8 make no record."""
    record = tmp_path / "game.jsonl"
    assert main(["referee", "draw-game", "--players", "A\udcff,B", "--record", str(record)]) == 2
    assert "--players should be text" in capsys.readouterr().err
    assert not record.exists()


def test_a_set_up_nested_without_end_is_refused(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """A set-up that no reader can follow ends in one sentence."""
    setup = tmp_path / "deep.json"
    setup.write_text("[" * 100_000)
    assert main(["referee", "draw-game", "--setup", str(setup)]) == 2
    assert "nested too deep" in capsys.readouterr().err


def test_a_record_with_the_set_up_of_another_game_is_refused(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """A record that contradicts itself in its first line is told in one sentence that names the file."""
    duel, draw = (History.begin(game, seed=1).header for game in ("kingdomino-duel", "draw-game"))
    path = tmp_path / "mixed.jsonl"
    path.write_text(write(replace(duel, setup=draw.setup)))
    assert main(["replay", str(path)]) == 2
    assert "a game of kingdomino-duel with a set-up of draw-game" in capsys.readouterr().err


def test_a_line_that_cannot_be_read_ends_with_one_sentence_and_status_2(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """The sentence names the line and shows what a move looks like; nothing of it is recorded."""
    record = tmp_path / "game.jsonl"
    assert refereed(monkeypatch, [*OPENING, "take it"], "--record", str(record)) == 2
    err = capsys.readouterr().err
    assert err.startswith("pipwatch referee: line 5 (take it): ")
    assert "a die is 1 to 4" in err
    assert err.count("\n") == 1
    assert len(read(record.read_text()).entries) == 4


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["referee", "ludo"], "There is no game 'ludo'"),
        (["referee", "draw-game", "--profile", "blitz"], "There is no profile 'blitz'"),
        (["referee", "draw-game", "--players", "Ann"], "two names with a comma between"),
        (["referee", "draw-game", "--setup", "missing.json"], "missing.json cannot be read"),
        (["referee", "draw-game", "--resume"], "--resume needs --record"),
        (["referee", "draw-game", "--record", "/nowhere/x"], "cannot be written"),
        (["replay", "missing.jsonl"], "missing.jsonl cannot be read"),
        (["export", "missing.jsonl", "--as", "csv"], "missing.jsonl cannot be read"),
        (["rules", "kingdomino"], "Did you mean 'kingdomino-duel'?"),
        (["rules", "draw-game", "--profile", "default+x=1"], "There is no setting 'x'"),
    ],
)
def test_bad_input_is_answered_in_one_sentence_with_status_2(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    arguments: list[str],
    sentence: str,
) -> None:
    """What, where and what would be right, on stderr; stdout stays empty and nothing is written."""
    monkeypatch.chdir(tmp_path)
    typed(monkeypatch, [])
    assert main(arguments) == 2
    shown = capsys.readouterr()
    assert sentence in shown.err
    assert shown.err.count("\n") == 1
    assert shown.out == ""
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("text", ["{", "[1]", '{"gaem": 5}'])
def test_a_setup_that_cannot_be_is_refused_before_anything_is_written(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path, text: str
) -> None:
    """A set-up file that is no set-up is named, and no record is begun."""
    setup = tmp_path / "setup.json"
    setup.write_text(text)
    record = tmp_path / "game.jsonl"
    assert refereed(monkeypatch, [], "--setup", str(setup), "--record", str(record)) == 2
    assert capsys.readouterr().err.count("\n") == 1
    assert not record.exists()


def test_stand_undo_and_corrections_are_typed_like_moves(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """Letting stand, taking back, correcting and inserting are entries, and each says what it changed."""
    record = tmp_path / "game.jsonl"
    lines = [*OPENING[:3], "2: take 1+2", "correct 4: 2: take 1+3", "take back 5", "undo", "score", "table"]
    assert refereed(monkeypatch, lines, "--record", str(record)) == 0
    out = capsys.readouterr().out
    assert "entry 4 corrected" in out
    assert "changed: entry 4: 2: take 1+2" in out
    assert "The game goes on." in out
    assert "map 1:" in out
    assert "entry 5 taken back" in out
    history = History.of(read(record.read_text()))
    assert len(history.entries) == 7
    assert [step.happened.text for step in history.steps] == OPENING[:3]


def test_json_output_is_one_object_an_entry(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Programs get every entry with its ruling, the changes and the scores."""
    assert refereed(monkeypatch, [*OPENING[:3], "1: take 3", "undo"], "--json") == 0
    data = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert len(data) == 5
    assert data[3]["entry"]["ruling"]["rule"] == "KDD-2"
    assert data[3]["verdict"] == "illegal KDD-2"
    assert data[4]["changes"]


def test_a_record_goes_on_where_it_stopped_and_is_never_overwritten(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """--resume continues a record; without it an existing file is refused."""
    record = str(tmp_path / "game.jsonl")
    assert refereed(monkeypatch, OPENING[:2], "--record", record) == 0
    assert refereed(monkeypatch, OPENING[:2], "--record", record) == 2
    assert "exists already; add --resume" in capsys.readouterr().err
    assert refereed(monkeypatch, OPENING[2:], "--record", record, "--resume") == 0
    history = History.of(read(Path(record).read_text()))
    assert [step.happened.text for step in history.steps] == OPENING
    typed(monkeypatch, [])
    assert main(["referee", "draw-game", "--record", record, "--resume"]) == 2
    assert "is a game of kingdomino-duel" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (["--seed", "3"], "leave out --setup and --seed"),
        (["--profile", "default+p2_chain=yes"], "the profile default, not default+p2_chain=yes"),
    ],
)
def test_a_resumed_game_keeps_its_own_beginning(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    options: list[str],
    sentence: str,
) -> None:
    """Another set-up or profile for a game that is under way is refused, not passed over."""
    record = tmp_path / "game.jsonl"
    assert refereed(monkeypatch, OPENING[:2], "--record", str(record)) == 0
    torn = record.read_bytes()[:-5]
    record.write_bytes(torn)
    assert refereed(monkeypatch, [], "--record", str(record), "--resume", *options) == 2
    assert sentence in capsys.readouterr().err
    assert record.read_bytes() == torn


def test_a_full_disk_is_told_in_a_sentence(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """A line that could not be made safe is not acknowledged, and the game ends with a word about it."""
    record, synced = tmp_path / "game.jsonl", []

    def full_at_the_third(handle: int) -> None:
        synced.append(handle)
        if len(synced) == 3:
            raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full_at_the_third)
    assert refereed(monkeypatch, OPENING, "--record", str(record)) == 2
    told = capsys.readouterr()
    assert "cannot be written: No space left on device; the last line is not recorded." in told.err
    assert "see oldest 1" in told.out
    assert "see roll" not in told.out


def test_a_damaged_tail_is_said_kept_aside_and_the_game_goes_on(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """A torn last line costs that line alone; the torn file is kept, and the record is whole again."""
    record = tmp_path / "game.jsonl"
    assert refereed(monkeypatch, OPENING, "--record", str(record)) == 0
    torn = record.read_bytes()[:-20]
    record.write_bytes(torn)
    assert main(["replay", str(record)]) == 0
    assert "the last 1 of 4 entries are lost" in capsys.readouterr().err
    assert record.read_bytes() == torn
    assert refereed(monkeypatch, ["2: take 2+3"], "--record", str(record), "--resume") == 0
    assert (tmp_path / "game.jsonl.damaged").read_bytes() == torn
    whole = read(record.read_text())
    assert not whole.damage
    assert len(whole.entries) == 4
    torn_again = record.read_bytes()[:-9]
    record.write_bytes(torn_again)
    assert refereed(monkeypatch, [], "--record", str(record), "--resume") == 0
    assert (tmp_path / "game.jsonl.damaged").read_bytes() == torn
    assert (tmp_path / "game.jsonl.damaged-2").read_bytes() == torn_again


def test_replay_tells_the_same_game(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """Replaying prints every step with its ruling, in words or as JSON with the final state."""
    record = str(tmp_path / "game.jsonl")
    refereed(monkeypatch, [*OPENING[:3], "1: take 3"], "--record", record, "--players", "Ann,Bo")
    live = capsys.readouterr().out
    assert main(["replay", record]) == 0
    told = capsys.readouterr().out
    assert all(line in told for line in live.splitlines())
    assert "Ann and Bo" in told
    assert main(["replay", record, "--json"]) == 0
    *steps, end = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [step["verdict"] for step in steps] == ["seen", "seen", "legal KDD-2", "illegal KDD-2"]
    assert end["state"] == History.of(read(Path(record).read_text())).state.to_json()


def test_a_killed_referee_loses_nothing_that_it_acknowledged(tmp_path: Path) -> None:
    """A line whose verdict was printed is in the record even when the process is killed at once."""
    record = tmp_path / "game.jsonl"
    with subprocess.Popen(
        [sys.executable, "-m", "device", "referee", "kingdomino-duel", "--record", str(record)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for line in OPENING[:3]:
            process.stdin.write(line + "\n")
            process.stdin.flush()
            assert process.stdout.readline().strip().endswith(line)
        process.send_signal(signal.SIGKILL)
    assert process.returncode == -signal.SIGKILL
    kept = read(record.read_text())
    assert not kept.damage
    assert [entry.happened.text for entry in kept.entries if entry.happened] == OPENING[:3]


def test_the_rules_are_printed_with_ids_sections_and_readings(capsys: pytest.CaptureFixture[str]) -> None:
    """`pipwatch rules` shows every rule in our words and every reading in force under the profile."""
    assert main(["rules", "kingdomino-duel", "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert main(["rules", "kingdomino-duel"]) == 0
    text = capsys.readouterr().out
    for entry in data["rules"] + data["readings"]:
        assert entry["id"] in text
    assert {entry["id"] for entry in data["readings"]} == {f"A-K{n}" for n in range(1, 28)}
