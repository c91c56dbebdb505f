"""The matches that are kept: what is shown of them, which goes on by itself, and what is wrong with some."""

import os
from pathlib import Path

import pytest

from device.folders import matches, matches_folder
from device.journal.game import began
from device.journal.leaving import leave, take_up
from device.journal.store import Journal
from device.service import shelf
from device.service.box import Seating
from device.service.shelf import Shelf, forget_unbegun, kept_at, seated
from tests.device.match.match_bench import FACTS, LEGAL, game

SEATING = Seating(
    "kingdomino-duel", ("Ann", "Bo"), "button", "hand", camera="webcam:2", pieces="red-box"
)  # fmt: skip


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path))
    matches_folder().mkdir()


def match(name: str, *lines: str, age_s: int = 0) -> Path:
    """A match that is kept, with these lines; its file was written so long ago."""
    path = matches_folder() / f"{name}.match"
    with Journal(path) as journal:
        journal.append([seated(SEATING)])
        if lines:
            journal.append([*began(game(*lines))])
    os.utime(path, (1e9 - age_s, 1e9 - age_s))
    return path


def test_what_was_agreed_is_found_again() -> None:
    """The first note of a journal holds it all, also before anything was seen."""
    kept = kept_at(match("new"))
    assert kept is not None
    assert (kept.seating, kept.entries, kept.over) == (SEATING, 0, False)
    kept = kept_at(match("begun", *FACTS, LEGAL[0]))
    assert kept is not None
    assert (kept.seating, kept.entries, kept.title) == (SEATING, 3, "Kingdomino Duel")


def test_the_newest_that_nobody_has_left_goes_on() -> None:
    """A match that somebody has left waits, until somebody takes it up again."""
    old, new = match("old", FACTS[0], age_s=100), match("new", FACTS[0])
    seen = []
    for what in (lambda: None, lambda: leave(new), lambda: leave(old), lambda: take_up(new)):
        what()
        found = Shelf().going_on()
        seen.append(found.name if found else "")
    assert seen == ["new", "old", "", "new"]


def test_the_one_that_was_open_goes_on_though_many_are_newer_by_their_files() -> None:
    """Of an open match the file stays old until its log is folded in, and a clock may have gone back."""
    last = match("open", FACTS[0], age_s=1000)
    for number in range(15):
        leave(match(f"other-{number}", FACTS[0], age_s=number))
    found = Shelf().going_on()
    assert found is not None
    assert found.name == "open"
    log = last.with_name(f"{last.name}-wal")
    log.write_bytes(b"")
    assert next(matches()).stem == "other-0"  # whoever only reads leaves an empty one
    log.write_bytes(b"appended")
    assert next(matches()) == last


def test_a_match_of_which_nothing_was_seen_is_not_kept() -> None:
    """Somebody looked in and left: nothing of that match stays behind; one that was begun stays."""
    empty, begun = match("empty"), match("begun", FACTS[0])
    leave(empty)
    for path in (empty, begun):
        forget_unbegun(path)
    assert list(matches()) == [begun]
    assert not [path.name for path in matches_folder().iterdir() if "empty" in path.name]


def test_a_match_that_cannot_be_read_is_told_and_left() -> None:
    """The others are shown; the sentence goes when the file does."""
    match("good", FACTS[0])
    broken = matches_folder() / "broken.match"
    broken.write_bytes(b"no journal" * 200)
    found = Shelf()
    for _ in range(2):
        assert [one.name for one in found.look()] == ["good"]
        (problem,) = found.problems
        assert problem.startswith("broken.match: ")
        assert problem.endswith("; it is left as it is.")
    assert broken.read_bytes() == b"no journal" * 200
    broken.unlink()
    found.look()
    assert not found.problems


def test_a_match_that_may_not_be_opened() -> None:
    """As one that was restored by another user: it is told, and neither the page nor the start stumbles."""
    match("good", FACTS[0])
    (matches_folder() / "closed.match").mkdir()  # nobody can open that as a file, whoever they are
    found = Shelf()
    going_on = found.going_on()
    assert going_on is not None
    assert going_on.name == "good"
    found.look()
    assert "cannot be opened" in found.problems[0]


def test_a_match_that_is_taken_away_while_it_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is no match that cannot be read: nobody is told, and the page is shown."""
    match("good", FACTS[0])
    going, gone = match("going"), matches_folder() / "gone.match"
    gone.symlink_to(matches_folder() / "nowhere")  # as one that goes right after the listing

    def taken_away(path: Path) -> object:
        if path == going:
            going.unlink()
        return kept_at(path)

    monkeypatch.setattr(shelf, "kept_at", taken_away)
    found = Shelf()
    assert [one.name for one in found.look()] == ["good"]
    assert not found.problems
