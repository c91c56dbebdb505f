"""Journals of every form that was ever released: read, gone on with, brought up, and gone back from."""

import shutil
import sqlite3
from argparse import Namespace
from contextlib import ExitStack
from pathlib import Path

import pytest

from device.cli import main
from device.cli.refereeing import _journal_path
from device.journal import forms, store
from device.journal.events import Draft
from device.journal.journal_reader import read_chain, read_pictures
from device.journal.leaving import leave, take_up
from device.journal.readable import all_files, readable_match
from device.journal.store import VERSION, Journal, JournalError
from device.keeping.belongings import BackupError
from device.keeping.caretaker import kept_journal
from device.keeping.packing import pack
from device.keeping.unpacking import restore
from device.live.source_name import SourceName
from device.service.shelf import Shelf, delete

FORMS = sorted((Path(__file__).parent / "forms").glob("*.match"))
NEXT = VERSION + 1
STEP = "ALTER TABLE events ADD COLUMN mood TEXT; CREATE INDEX moods ON events (mood)"
"""A form to come: such as one might be."""


@pytest.fixture(autouse=True)
def _own_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))


def updated(monkeypatch: pytest.MonkeyPatch) -> None:
    """An update has come, with a newer form."""
    monkeypatch.setattr(store, "VERSION", NEXT)
    monkeypatch.setitem(forms.STEPS, VERSION, STEP)


def test_every_form_has_files_here() -> None:
    """Whoever makes a new form keeps a file of it; four games each."""
    assert {path.stem.rpartition("-")[2] for path in FORMS} == {str(form) for form in range(1, VERSION + 1)}
    assert len(FORMS) == 4 * VERSION
    assert set(forms.STEPS) == set(range(1, VERSION))


@pytest.mark.parametrize("fixture", FORMS, ids=lambda path: path.stem)
def test_a_journal_of_any_form_is_told_as_it_was(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], fixture: Path
) -> None:
    """It exports to the same bytes as the record that was kept beside it, and can be written on."""
    path = tmp_path / fixture.name
    shutil.copy(fixture, path)
    shown = []
    for source in (path, fixture.with_suffix(".jsonl")):
        assert main(["export", str(source), "--as", "json"]) == 0
        shown.append(capsys.readouterr().out)
    assert shown[0] == shown[1]
    chain = read_chain(path)
    assert not chain.damage
    assert len(read_pictures(path, chain.events[0])) == 1
    with Journal(path) as journal:
        assert journal.events == chain.events
        journal.append([Draft("note", {"what": "more"})])
    assert len(read_chain(path).events) == len(chain.events) + 1


@pytest.mark.parametrize("fixture", FORMS, ids=lambda path: path.stem)
def test_an_update_brings_a_match_up_and_keeps_what_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fixture: Path
) -> None:
    """The same events in the new form, and a copy in the old one; a second start makes no second copy."""
    path = tmp_path / fixture.name
    shutil.copy(fixture, path)
    before = read_chain(path)
    with monkeypatch.context() as patch:
        updated(patch)
        for _ in range(2):
            with Journal(path) as journal:
                assert journal.events[: len(before.events)] == before.events
                journal.append([Draft("note", {"what": "by the newer one"})])
        assert store.form_of(path) == NEXT
        assert len(read_pictures(path, before.events[0])) == 1
    with pytest.raises(
        JournalError, match=r"of version 2, and this Pipwatch reads versions up to 1; a newer"
    ):
        Journal(path)
    kept = forms.earlier(path, VERSION)
    assert read_chain(kept) == before
    with Journal(kept) as journal:
        journal.append([Draft("note", {"what": "more"})])


def test_an_update_that_is_cut_is_no_half_of_one(tmp_path: Path) -> None:
    """Where the way to the new form fails in its middle, the journal is as it was."""
    path = tmp_path / "a.match"
    shutil.copy(FORMS[0], path)
    before = read_chain(path)
    base = sqlite3.connect(path, isolation_level=None)
    with pytest.raises(sqlite3.Error):
        forms.bring_up(base, path, 1, 2, {1: "ALTER TABLE events ADD COLUMN mood TEXT; SELECT nonsense"})
    base.close()
    assert store.form_of(path) == 1
    assert read_chain(path) == before
    with sqlite3.connect(path) as again:
        assert "mood" not in [row[1] for row in again.execute("PRAGMA table_info(events)")]
    again.close()


def test_who_goes_back_to_the_version_before_goes_on_with_what_it_can_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """After an update and the way back, the same command finds the match as it was before the update."""
    folder = tmp_path / "data" / "pipwatch" / "matches"
    folder.mkdir(parents=True)
    path = folder / "a-draw-game.match"
    shutil.copy(next(one for one in FORMS if "draw-game" in one.name), path)
    with monkeypatch.context() as patch:
        updated(patch)
        Journal(path).close()
    asked = Namespace(journal=None, new=False, game=None, profile=None)
    with ExitStack() as stack:
        found = _journal_path(asked, SourceName("none"), stack)
    assert found == folder / "form-1" / path.name
    assert capsys.readouterr().err == ""


def gone_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A machine that was updated, played on, and went back; its one match, as the newer version left it."""
    folder = tmp_path / "data" / "pipwatch" / "matches"
    folder.mkdir(parents=True)
    path = folder / "a-draw-game.match"
    shutil.copy(next(one for one in FORMS if "draw-game" in one.name), path)
    with monkeypatch.context() as patch:
        updated(patch)
        with Journal(path) as journal:
            journal.append([Draft("note", {"what": "by the newer one"})])
    return path


def test_the_lobby_goes_on_with_what_it_can_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The version before finds the match as it was; who has left it has left it for both."""
    path = gone_back(tmp_path, monkeypatch)
    before = read_chain(forms.earlier(path, VERSION))
    shelf = Shelf()
    (kept,) = shelf.look()
    assert (kept.name, shelf.problems) == (path.stem, ())
    assert kept.entries > 0
    found = readable_match(kept.name)
    assert found == forms.earlier(path, VERSION)
    going_on = shelf.going_on()
    assert going_on is not None
    leave(path)
    assert shelf.going_on() is None
    take_up(found)
    assert shelf.going_on() == going_on
    with kept_journal(found) as journal:
        assert journal.events == before.events
        journal.append([Draft("note", {"what": "more"})])
        assert delete(found) == "This match is being played."
    assert delete(found) == ""
    assert [*all_files(path.parent)] == []


def test_a_backup_carries_what_an_update_has_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Brought back by the version before, it is as it was; without that copy it is refused."""
    path = gone_back(tmp_path, monkeypatch)
    before = read_chain(forms.earlier(path, VERSION))
    packed = pack(tmp_path / "b.zip")
    assert packed.matches == 1
    state = path.parent.parent
    state.rename(tmp_path / "lost")
    assert restore(packed.path).matches == 1
    (kept,) = Shelf().look()
    found = readable_match(kept.name)
    assert found is not None
    assert read_chain(found) == before
    assert store.form_of(path) == NEXT
    shutil.rmtree(path.parent / f"form-{VERSION}")
    bare = pack(tmp_path / "bare.zip")
    state.rename(tmp_path / "lost, too")
    with pytest.raises(BackupError, match="was written by a newer Pipwatch than this one"):
        restore(bare.path)
    assert not (state / "matches").exists()
