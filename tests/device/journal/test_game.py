"""A journal tells the same game as a record, to every command that reads one."""

import io
import json
import time
import zipfile
from pathlib import Path
from random import Random

import cv2
import numpy as np
import pytest

from device.cli import for_the_box, main
from device.cli.demo import _next
from device.journal.case import cases
from device.journal.events import Event, Picture
from device.journal.game import added, began, note, read_record
from device.journal.ruling_pictures import MOST_BYTES, Outline, box_of, evidence
from device.journal.store import Journal
from engine import GAMES
from engine.history import History
from engine.record import Happening, Record, write

OPENING = ["see oldest 1", "see roll D1 d D ?", "1: take 4", "2: take 1+3"]
LOOK = Picture("frame", b"a frame")


def played() -> History:
    """The beginning of a game of Kingdomino Duel."""
    history = History.begin("kingdomino-duel")
    for line in OPENING:
        history = history.fact(line) if line.startswith("see ") else history.move(line)
    return history


def kept(path: Path, history: History) -> Path:
    """A journal in which this game was written entry by entry."""
    with Journal(path) as journal:
        begun = History.of(read_header(history))
        journal.append(began(begun))
        journal.append(added(begun, history, [LOOK]))
    return path


def read_header(history: History) -> Record:
    """The record of the game before anything happened."""
    return Record(history.header, ())


@pytest.mark.parametrize("game", GAMES)
def test_a_journal_holds_the_same_game_as_a_record(tmp_path: Path, game: str) -> None:
    """Every entry of a random game of each kind comes back, with its corrections."""
    rng, history = Random(5), History.begin(game, seed=5)
    for _ in range(25):
        if history.outcome is None:
            history = _next(history, rng)
    history = history.undo()
    record = read_record(kept(tmp_path / "a.match", history))
    assert not record.damage
    assert History.of(record) == history
    assert write(record.header, record.entries) == write(history.header, history.entries)


@pytest.mark.parametrize("command", [["replay"], ["replay", "--json"], ["export", "--as", "csv"]])
def test_replay_and_export_take_a_journal_as_they_take_a_record(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], command: list[str]
) -> None:
    """What is said of a journal is letter by letter what is said of its record."""
    history = played()
    journal, record = kept(tmp_path / "a.match", history), tmp_path / "a.jsonl"
    record.write_text(write(history.header, history.entries))
    said = []
    for path in (journal, record):
        assert main([command[0], str(path), *command[1:]]) == 0
        said.append(capsys.readouterr().out)
    assert said[0] == said[1] != ""


def test_a_match_is_found_by_its_name(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The matches that this machine keeps go by name; a name is no way out of their folder."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    folder = tmp_path / "pipwatch" / "matches"
    folder.mkdir(parents=True)
    kept(folder / "2026-11-21-game.match", played())
    assert main(["replay", "2026-11-21-game"]) == 0
    assert "1: take 4" in capsys.readouterr().out
    kept(tmp_path / "secret.match", played())
    for name in ("../../secret", "..", "secret", "/secret"):
        assert main(["replay", name]) == 2


def test_with_sudo_a_name_means_the_match_of_the_box(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its folder is looked into for root; whoever may not see it is told so in a sentence."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "own"))
    folder = tmp_path / "box" / "matches"
    folder.mkdir(parents=True)
    kept(folder / "2026-11-21-game.match", played())
    monkeypatch.setattr(for_the_box, "STATE", tmp_path / "box")
    assert main(["replay", "2026-11-21-game"]) == 2
    capsys.readouterr()
    monkeypatch.setattr(for_the_box, "is_meant", lambda: True)
    assert main(["replay", "2026-11-21-game"]) == 0
    assert "1: take 4" in capsys.readouterr().out

    def closed(_: str) -> Path:
        raise PermissionError

    monkeypatch.setattr("device.cli.record_input.readable_match", closed)
    assert main(["replay", "2026-11-21-game"]) == 2
    assert "with sudo it may" in capsys.readouterr().err


def test_a_match_taken_up_anew_tells_its_last_game(tmp_path: Path) -> None:
    """Where the players had the table taken as it is, the record begins there."""
    first = played()
    path = kept(tmp_path / "a.match", first)
    second = History.begin("kingdomino-duel", setup=first.state.to_json())
    with Journal(path) as journal:
        journal.append([note("taken up anew"), *began(second)])
    record = read_record(path)
    assert record.entries == ()
    assert History.of(record).state == first.state


def test_a_journal_without_a_game_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A match that ended before its set-up was seen has nothing to replay, and that is said."""
    path = tmp_path / "a.match"
    with Journal(path) as journal:
        journal.append([note("opened")])
    assert main(["replay", str(path)]) == 2
    assert "holds no game" in capsys.readouterr().err


def test_questions_and_corrections_become_cases(
    tmp_path: Path, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    """Each doubtful moment comes with its state, what was said and its very pictures."""
    path, history = tmp_path / "a.match", History.begin("kingdomino-duel")
    with Journal(path) as journal:
        journal.append(began(history))
        for line in OPENING[:3]:
            after = history.fact(line) if line.startswith("see ") else history.move(line)
            journal.append(added(history, after, [Picture("frame", line.encode())]))
            history = after
        journal.append([note("asked", [LOOK], choices=["2: take 1+3", "2: take 1+2"])])
        after = history.move("2: take 1+3")
        journal.append([note("answered", answer="2: take 1+3"), *added(history, after)])
        history = after
        after = history.correct(3, Happening("move", "1: take 3"), "misread")
        journal.append(added(history, after))
    assert main(["export", str(path), "--as", "case"]) == 0
    with zipfile.ZipFile(io.BytesIO(capsysbinary.readouterr().out)) as file:
        names = set(file.namelist())
        asked, corrected = (json.loads(file.read(f"case-00{n}/case.json")) for n in (1, 2))
        assert file.read("case-001/frame.jpg") == LOOK.jpeg
        assert file.read("case-002/frame.jpg") == b"1: take 4"
    assert "record.jsonl" in names
    assert asked["choices"] == ["2: take 1+3", "2: take 1+2"]
    assert asked["answer"] == "2: take 1+3"
    assert asked["entries"] == 3
    assert corrected["was"] == {"move": "1: take 4"}
    assert corrected["is"] == {"move": "1: take 3"}
    assert (
        corrected["state"]
        == History.of(read_header(history)).fact(OPENING[0]).fact(OPENING[1]).state.to_json()
    )


@pytest.mark.parametrize(
    ("moves", "count", "answer"),
    [
        (["2: take 1+3", "1: take 2"], 2, "2: take 1+3"),
        (["2: take 1+2"], 1, "2: take 1+2"),
        (["2: take 1+2"], 0, "nothing"),
        (["2: take 3"], 1, "2: take 3"),
        (["2: take 1+3"], None, None),
    ],
)
def test_the_answer_of_a_question_that_was_settled_is_what_was_written_then(
    moves: list[str], count: int | None, answer: str | None
) -> None:
    """Nobody pressed anything: the choice with which the entries begin, nothing, or what they say."""
    history = History.begin("kingdomino-duel")
    for line in OPENING[:3]:
        history = history.fact(line) if line.startswith("see ") else history.move(line)
    words = ["2: take 1+3", "2: take 1+2"]
    options = [[entry.to_json() for entry in history.move(one).entries[3:]] for one in words]
    told = {} if count is None else {"entries": count}
    after = history
    for one in moves:
        after = after.move(one)
    drafts = [
        *began(history),
        note("asked", choices=[*words, "nothing"], options=[*options, []]),
        note("settled", words="…", **told),
        *added(history, after),
    ]
    events = [Event(seq, one.kind, 0.0, one.body, {}, "") for seq, one in enumerate(drafts, 1)]
    (asked,) = cases(events, Record(after.header, after.entries))
    assert asked.told["answer"] == answer


def test_cases_of_a_plain_record_are_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A record has no pictures, so that no test case can be made of it."""
    record = tmp_path / "a.jsonl"
    record.write_text(write(played().header))
    assert main(["export", str(record), "--as", "case"]) == 2
    assert "come from the journal of a match" in capsys.readouterr().err


@pytest.mark.parametrize("game", GAMES)
def test_a_correction_of_any_entry_is_worked_through_within_100_ms(game: str) -> None:
    """Whichever entry was misread, all that follows is judged and scored anew before anybody notices."""
    rng, history = Random(3), History.begin(game, seed=3)
    while len(history.entries) < 100 and history.outcome is None:
        history = _next(history, rng)
    moves = [entry for entry in history.entries if entry.happened and entry.happened.kind == "move"]
    for entry in [*moves[:4], *rng.sample(moves, 6)]:
        assert min(_seconds(history, entry.n, entry.happened) for _ in range(2)) < 0.1


def _seconds(history: History, number: int, happened: Happening | None) -> float:
    started = time.process_time()
    history.correct(number, happened, "it was so")
    return time.process_time() - started


def picture(seed: int = 1) -> np.ndarray:
    """A picture with so much detail that no JPEG of it is small."""
    return np.random.default_rng(seed).integers(0, 255, (960, 1280, 3)).astype(np.uint8)


def test_evidence_is_three_pictures_within_its_size() -> None:
    """The frame, the place before and the place after with what was seen, together 300 kB at most."""
    mark = Outline(((600, 400), (680, 400), (680, 440), (600, 440)), "2-5")
    made = {one.role: one.jpeg for one in evidence(picture(1), picture(2), [mark], box_of([mark]))}
    assert set(made) == {"frame", "before", "after"}
    assert sum(map(len, made.values())) <= MOST_BYTES
    shapes = {role: cv2.imdecode(np.frombuffer(data, np.uint8), 1).shape for role, data in made.items()}
    assert shapes["before"] == shapes["after"]
    assert shapes["frame"][0] > shapes["after"][0]


def test_what_was_seen_is_drawn_into_the_picture_afterwards_alone() -> None:
    """The outline is in the picture after the move, and the others are untouched."""
    grey = np.full((960, 1280, 3), 128, np.uint8)
    mark = Outline(((600, 400), (680, 400), (680, 440), (600, 440)), "2-5")
    for one in evidence(grey, grey, [mark], box_of([mark])):
        seen = cv2.imdecode(np.frombuffer(one.jpeg, np.uint8), 1).astype(int)
        assert bool(abs(seen - 128).max() > 60) is (one.role == "after")


def test_a_mark_at_the_edge_and_a_frame_without_marks_are_no_trouble() -> None:
    """Evidence can be made of whatever was seen, wherever it lies."""
    corner = Outline(((-20, -10), (30, -10), (30, 20), (-20, 20)), "edge")
    assert len(evidence(None, picture(), [corner], box_of([corner]))) == 2
    assert [one.role for one in evidence(picture(), picture(), [], box_of([]))] == ["frame"]
