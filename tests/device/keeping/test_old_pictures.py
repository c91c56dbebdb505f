"""Old pictures give way to a budget, and what is left proves itself and is told as before."""

import os
import shutil
from pathlib import Path

import pytest

from device.cli import main
from device.journal.events import Picture
from device.journal.game import added, began
from device.journal.journal_reader import read_chain, read_pictures
from device.journal.store import Journal
from device.keeping.old_pictures import shed, shed_pictures
from tests.device.match.match_bench import FACTS, LEGAL, game

FRAME = Picture("frame", b"\xff\xd8" + os.urandom(200_000) + b"\xff\xd9")


def played(path: Path, age: int) -> Path:
    """A match with pictures that was last written so long ago."""
    path.parent.mkdir(parents=True, exist_ok=True)
    first, then = game(), game(*FACTS, *LEGAL)
    with Journal(path, now=lambda: 1000.0) as journal:
        journal.append(began(first, (FRAME,)))
        journal.append(added(first, then, (FRAME,)))
    os.utime(path, (10_000 - age, 10_000 - age))
    return path


def exported(path: Path, capsys: pytest.CaptureFixture[str]) -> str:
    """The match as other programs get it."""
    told = ""
    for form in ("json", "csv", "text"):
        assert main(["export", str(path), "--as", form]) == 0
        told += capsys.readouterr().out
    assert main(["replay", str(path), "--json"]) == 0
    return told + capsys.readouterr().out


def test_without_its_pictures_a_match_proves_itself_and_is_told_as_before(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The chain holds digests: events, hashes and exports are the same, and the match can go on."""
    path = played(tmp_path / "matches" / "a.match", 50)
    before, told, times = read_chain(path), exported(path, capsys), path.stat()
    assert read_pictures(path, before.events[0]) == (FRAME,)
    assert shed_pictures(path)
    assert path.stat().st_size < 100_000 < times.st_size
    assert path.stat().st_mtime_ns == times.st_mtime_ns
    assert read_chain(path) == before
    assert not before.damage
    assert read_pictures(path, before.events[0]) == ()
    assert exported(path, capsys) == told
    with Journal(path) as journal:
        assert journal.length == len(before.events)
        journal.append(began(game()))
    assert not read_chain(path).damage


def test_the_oldest_pictures_go_first_and_no_match_goes(tmp_path: Path) -> None:
    """Beyond the budget pictures of old matches go, never those of the newest, and every record stays."""
    folder = tmp_path / "matches"
    paths = [played(folder / f"{name}.match", age) for name, age in (("new", 1), ("mid", 2), ("old", 3))]
    size = paths[0].stat().st_size
    assert shed(tmp_path).pictures_of == ()
    assert shed(tmp_path, 2 * size + 100_000).pictures_of == ("old.match",)
    assert shed(tmp_path, 0).pictures_of == ("mid.match",)  # the newest may be being played
    for path in paths:
        chain = read_chain(path)
        assert not chain.damage
        assert len(chain.events) == 6


def test_a_match_that_is_played_or_damaged_is_left_alone(tmp_path: Path) -> None:
    """Whoever writes a journal keeps its pictures; what cannot be read is not touched."""
    folder = tmp_path / "matches"
    path, bad = played(folder / "a.match", 9), folder / "bad.match"
    played(folder / "new.match", 1)
    shutil.copy(path, bad)
    with bad.open("r+b") as file:
        file.write(b"garbage")
    whole = bad.read_bytes()
    os.utime(bad, (5, 5))
    with Journal(path):
        assert shed(tmp_path, 0).pictures_of == ()
    assert bad.read_bytes() == whole
    assert shed(tmp_path, 0).pictures_of == ("a.match",)


def test_errors_and_examples_are_bounded_over_all_matches(tmp_path: Path) -> None:
    """Each match may keep twelve errors; all matches together have a budget, and so have the examples."""
    for number in range(5):
        folder = tmp_path / "matches" / f"{number}.errors" / "error-01"
        folder.mkdir(parents=True)
        (folder / "frame.png").write_bytes(bytes(1000))
        os.utime(folder.parent, (number, number))
    sheets = tmp_path / "examples" / "sheets"
    sheets.mkdir(parents=True)
    for number in range(6):
        (sheets / f"{number}.png").write_bytes(bytes(1000))
        os.utime(sheets / f"{number}.png", (number, number))
    size = sum(one.stat().st_size for one in (tmp_path / "matches" / "4.errors").rglob("*"))
    gone = shed(tmp_path, errors_bytes=2 * size, examples_bytes=4000)
    assert sorted(gone.errors_of) == ["0.errors", "1.errors", "2.errors"]
    assert gone.examples == 2
    assert sorted(one.name for one in sheets.iterdir()) == ["2.png", "3.png", "4.png", "5.png"]
