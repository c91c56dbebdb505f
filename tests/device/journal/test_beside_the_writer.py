"""A journal is read while somebody writes it, in the same process or another, and after that was killed."""

import errno
import os
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from device.journal.events import Draft, Picture
from device.journal.journal_reader import NotCopiedError, is_journal, read_chain, read_pictures, reader
from device.journal.store import LOG_PAGES, VERSION, Journal, JournalError, form_of, log_of
from device.keeping.belongings import BackupError
from device.keeping.packing import snapshot

ROOT = Path(__file__).parents[3]
needs_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root may mount")
PICTURE = Picture("after", b"\xff\xd8" + bytes(range(256)) * 40)
WRITES = """
import sys, time
from pathlib import Path
from device.journal.events import Draft, Picture
from device.journal.store import Journal, form_of
picture = Picture("after", b"\\xff\\xd8" + bytes(range(256)) * 40)
with Journal(Path(sys.argv[1])) as journal:
    for number in range(int(sys.argv[2])):
        journal.append([Draft("note", {"number": number}, (picture,) if number % 9 == 0 else ())])
        form_of(Path(sys.argv[1]))  # as whoever looks at the lobby does
        time.sleep(0.001)
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
    """While it grows, is folded, and its writer looks at the lobby: whole, and no shorter than before."""
    path, events, seen, found = tmp_path / "a.match", 1500, 0, []
    with writer(path, events) as process:
        while seen < events:
            chain = read_chain(path)
            assert not chain.damage
            assert [event.body["number"] for event in chain.events] == list(range(len(chain.events)))
            assert len(chain.events) >= seen
            seen = len(chain.events)
            found.append(seen)
            assert counted(b"".join(snapshot(path))) >= seen
        assert read_pictures(path, chain.events[9]) == (PICTURE,)
        assert beside(path) == ["a.match-wal"]
        process.communicate(timeout=20)
    assert len(set(found)) > 5  # it was read while it grew
    assert len(read_chain(path).events) == events


def counted(packed: bytes) -> int:
    """How many events a packed journal has, by SQLite alone, which must find it whole."""
    with closing(sqlite3.connect(":memory:")) as base:
        base.deserialize(packed)
        assert base.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        return int(base.execute("SELECT count(*) FROM events").fetchone()[0])


def is_locked(path: Path) -> bool:
    """Whether SQLite lets another process in."""
    tries = "import sqlite3, sys; sqlite3.connect(sys.argv[1], timeout=0).execute('PRAGMA user_version')"
    told = subprocess.run([sys.executable, "-c", tries, path], capture_output=True, text=True, check=False)
    return "database is locked" in told.stderr


def test_a_look_at_the_lobby_leaves_the_lock_of_its_own_journal(tmp_path: Path) -> None:
    """Nobody else may write, whatever this process looks at: SQLite's lock stays."""
    path = tmp_path / "a.match"
    with Journal(path) as journal:
        journal.append([Draft("note", {"number": 0})])
        assert form_of(path) == VERSION
        assert is_journal(path)
        assert len(read_chain(path).events) == 1
        locked = "import sqlite3, sys; sqlite3.connect(sys.argv[1], timeout=0).execute('PRAGMA user_version')"
        told = subprocess.run(
            [sys.executable, "-c", locked, path], capture_output=True, text=True, check=False
        )
        assert "database is locked" in told.stderr
        assert read_chain(path).events == journal.events
    assert beside(path) == []


@pytest.fixture
def killed(on_disk: Path) -> Path:
    """A journal of sixty events whose writer was killed: its log is left."""
    path = on_disk / "a.match"
    with writer(path, 60) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "written\n"
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
    assert log_of(path).stat().st_size
    return path


def test_a_journal_whose_writer_was_killed_is_read_without_a_trace(killed: Path) -> None:
    """The log is read with it, neither changes, and nothing lies beside them afterwards."""
    before = killed.read_bytes(), log_of(killed).read_bytes()
    chain = read_chain(killed)
    assert len(chain.events) == 60
    assert read_pictures(killed, chain.events[54]) == (PICTURE,)
    assert counted(b"".join(snapshot(killed))) == 60
    assert (killed.read_bytes(), log_of(killed).read_bytes()) == before
    assert beside(killed) == ["a.match-wal"]


def test_a_reader_keeps_no_writer_out(killed: Path) -> None:
    """Somebody reads a match whose box was killed, for as long as he likes: it goes on at once."""
    with reader(killed) as base:
        base.execute("BEGIN")
        assert base.execute("SELECT count(*) FROM events").fetchone() == (60,)
        began = time.monotonic()
        with Journal(killed) as journal:
            assert time.monotonic() - began < 4  # SQLite would wait for five
            journal.append([Draft("note", {"number": 60})])
            assert len(read_chain(killed).events) == 61
            assert beside(killed) == ["a.match-wal"]
        assert base.execute("SELECT count(*) FROM events").fetchone() == (60,)
    assert beside(killed) == []


def test_an_index_that_an_earlier_version_left_goes(killed: Path) -> None:
    """It lies beside the log of a box that was killed and updated."""
    Path(f"{killed}-shm").write_bytes(bytes(32768))
    with Journal(killed) as journal:
        assert journal.length == 60
        assert beside(killed) == ["a.match-wal"]


def test_a_journal_that_never_stands_still_is_told_in_a_sentence(
    killed: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its log begins anew each time that it is copied; a backup that lacks what was said last is none."""
    heads = iter(range(1000))
    monkeypatch.setattr("device.journal.journal_reader._head", lambda _: bytes([next(heads) % 256]))
    with pytest.raises(
        JournalError, match=r"a\.match cannot be read: it is being written too fast; try again"
    ):
        read_chain(killed)
    with pytest.raises(BackupError, match="written too fast"):
        b"".join(snapshot(killed))


@pytest.mark.parametrize(
    ("error", "passing"), [(errno.ENOSPC, True), (errno.EACCES, False), (errno.EIO, False)]
)
def test_a_log_that_cannot_be_copied_is_told_in_a_sentence(
    killed: Path, monkeypatch: pytest.MonkeyPatch, error: int, passing: bool
) -> None:
    """What passes makes no backup; of a card that dies the rest is packed, and what is missing is told."""

    def fails(*_: object) -> None:
        raise OSError(error, os.strerror(error))

    monkeypatch.setattr("device.journal.journal_reader.copyfile", fails)
    with pytest.raises(NotCopiedError, match=rf"a\.match cannot be read: {os.strerror(error)}\."):
        read_chain(killed)
    lacks: list[str] = []
    if passing:
        with pytest.raises(BackupError, match="No space left"):
            b"".join(snapshot(killed, lacks))
        return
    assert b"".join(snapshot(killed, lacks)) == killed.read_bytes()
    assert lacks == [f"a.match cannot be read: {os.strerror(error)}: what was said last is not in it."]


def test_a_look_that_fails_in_place_packs_no_half(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The disk fails once while the box packs the match that it plays: it says so, and keeps its lock."""

    def fails(*_: object) -> None:
        raise sqlite3.OperationalError("disk I/O error")

    path = tmp_path / "a.match"
    with Journal(path) as journal:
        journal.append([Draft("note", {"number": 0})])
        with monkeypatch.context() as patched:
            patched.setattr("device.journal.journal_reader.check_form", fails)
            with pytest.raises(BackupError, match=r"a\.match cannot be read now .*; try again\."):
                b"".join(snapshot(path))
        assert is_locked(path)
        assert counted(b"".join(snapshot(path))) == 1


@needs_root
@pytest.mark.parametrize("kilobytes", [0, 32, 64, 100, 600])
def test_a_copy_finds_its_place_or_none_is_made(killed: Path, kilobytes: int) -> None:
    """A memory with less and less room beyond the journal and its log: all is read, by another place."""
    room = killed.stat().st_size + log_of(killed).stat().st_size + kilobytes * 1024
    told = within(killed, f"mount -t tmpfs -o size={room} none /dev/shm", COUNTS)
    assert told == "60 60"


@needs_root
def test_a_journal_is_read_where_nothing_may_be_written(killed: Path) -> None:
    """The card of a board that died, in another machine, with the log of its last match."""
    locked = 'mount --bind "$1" "$1" && mount -o remount,bind,ro "$1" && ! touch "$1/x" 2>/dev/null'
    assert within(killed, locked, COUNTS) == "60 60"


COUNTS = """
import sqlite3, sys
from pathlib import Path
from device.journal.journal_reader import read_chain
from device.keeping.packing import snapshot
[path] = Path(sys.argv[1]).glob("*.match")
base = sqlite3.connect(":memory:")
base.deserialize(b"".join(snapshot(path)))
print(len(read_chain(path).events), *base.execute("SELECT count(*) FROM events").fetchone())
"""


def within(path: Path, prepared: str, code: str) -> str:
    """What a process says that has file systems of its own."""
    told = subprocess.run(
        ["unshare", "--mount", "--propagation", "private", "sh", "-c",
         f'{prepared} || exit 9; exec "$2" -c "$3" "$1"', "sh", str(path.parent), sys.executable, code],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    if told.returncode == 9 or "unshare failed" in told.stderr:
        pytest.skip("this machine lets nobody mount")
    assert not told.stderr
    return told.stdout.strip()


def test_a_journal_that_begins_while_it_is_read_keeps_its_lock(killed: Path) -> None:
    """A page shows a match while the box goes on with it after a power cut: again and again."""
    stop, found = threading.Event(), list[int]()

    def looks() -> None:
        while not stop.is_set():
            found.append(len(read_chain(killed).events))
            form_of(killed)

    reads = threading.Thread(target=looks)
    reads.start()
    try:
        for number in range(15):
            with Journal(killed) as journal:
                journal.append([Draft("note", {"number": 60 + number})])
                time.sleep(0.005)
                assert is_locked(killed)
    finally:
        stop.set()
        reads.join()
    assert found == sorted(found)
    assert len(read_chain(killed).events) == 75
