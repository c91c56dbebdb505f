"""A journal is read while somebody writes it, in the same process or another, and after that was killed."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from device.journal.events import Draft, Picture
from device.journal.reading import read_chain, read_pictures, reader
from device.journal.store import LOG_PAGES, Journal, JournalError, log_of

ROOT = Path(__file__).parents[3]
PICTURE = Picture("after", b"\xff\xd8" + bytes(range(256)) * 40)
WRITES = """
import sys
from pathlib import Path
from device.journal.events import Draft, Picture
from device.journal.store import Journal
picture = Picture("after", b"\\xff\\xd8" + bytes(range(256)) * 40)
with Journal(Path(sys.argv[1])) as journal:
    for number in range(int(sys.argv[2])):
        journal.append([Draft("note", {"number": number}, (picture,) if number % 9 == 0 else ())])
        if number == 2:
            print("there", flush=True)
    print("written", flush=True)
    sys.stdin.read()
"""


@contextmanager
def writer(path: Path, events: int) -> Iterator["subprocess.Popen[str]"]:
    """Another process that writes a journal, and holds it until it is killed or let go."""
    process = subprocess.Popen(
        [sys.executable, "-c", WRITES, str(path), str(events)],
        cwd=ROOT, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
    )  # fmt: skip
    try:
        assert process.stdout is not None
        assert process.stdout.readline() == "there\n"
        yield process
    finally:
        process.kill()
        process.communicate()


def beside(path: Path) -> list[str]:
    """What lies beside a journal, but for its lock."""
    return sorted(one.name for one in path.parent.iterdir() if one != path and not one.name.endswith(".lock"))


def test_others_in_the_same_process_read_what_is_acknowledged(tmp_path: Path) -> None:
    """Each event is there as soon as it is acknowledged, and a look that has begun stays as it was."""
    path = tmp_path / "a.match"
    with Journal(path) as journal:
        for number in range(3 * LOG_PAGES):
            (event,) = journal.append(
                [Draft("note", {"number": number}, (PICTURE,) if number % 50 == 0 else ())]
            )
            if number % 10 == 0:
                assert read_chain(path).events[-1] == event
            if event.pictures:
                assert read_pictures(path, event) == (PICTURE,)
        with reader(path) as base:
            base.execute("BEGIN")
            assert base.execute("SELECT count(*) FROM events").fetchone() == (3 * LOG_PAGES,)
            journal.append([Draft("note", {"number": 0})])
            assert base.execute("SELECT count(*) FROM events").fetchone() == (3 * LOG_PAGES,)
        assert beside(path) == ["a.match-wal"]  # no index of the log is ever written to the card
    assert beside(path) == []
    assert len(read_chain(path).events) == 3 * LOG_PAGES + 1


def test_another_process_reads_a_journal_at_any_moment(tmp_path: Path) -> None:
    """While it grows, is folded and begins anew: what is read is whole, and no shorter than before."""
    path, events, seen, found = tmp_path / "a.match", 1500, 0, []
    with writer(path, events) as process:
        while seen < events:
            chain = read_chain(path)
            assert not chain.damage
            assert [event.body["number"] for event in chain.events] == list(range(len(chain.events)))
            assert len(chain.events) >= seen
            seen = len(chain.events)
            found.append(seen)
        assert read_pictures(path, chain.events[9]) == (PICTURE,)
        assert beside(path) == ["a.match-wal"]
        process.communicate(timeout=20)
    assert len(set(found)) > 5  # it was read while it grew
    assert len(read_chain(path).events) == events


def test_a_journal_whose_writer_was_killed_is_read_as_it_lies(tmp_path: Path) -> None:
    """The log is read with it, and neither changes."""
    path = tmp_path / "a.match"
    with writer(path, 60) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "written\n"
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
    before = path.read_bytes(), log_of(path).read_bytes()
    assert before[1]
    chain = read_chain(path)
    assert len(chain.events) == 60
    assert read_pictures(path, chain.events[54]) == (PICTURE,)
    assert (path.read_bytes(), log_of(path).read_bytes()) == before
    with Journal(path) as journal:
        assert journal.length == 60
        assert beside(path) == ["a.match-wal"]
    assert beside(path) == []


def test_a_journal_that_never_stands_still_is_told_in_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its log begins anew each time that it is copied."""
    path = tmp_path / "a.match"
    heads = iter(range(1000))
    monkeypatch.setattr("device.journal.reading._head", lambda _: bytes([next(heads) % 256]))
    with writer(path, 5), pytest.raises(JournalError, match=r"a\.match is being written too fast to be read"):
        read_chain(path)
