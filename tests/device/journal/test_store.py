"""The journal's file keeps what it acknowledged, refuses to be changed, and says when it was."""

import os
import random
import shutil
import sqlite3
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from device.journal.events import Chain, Draft, Picture, chained, proved
from device.journal.journal_reader import is_journal, read_chain, read_pictures
from device.journal.store import Journal, JournalError

PICTURE = Picture("after", b"\xff\xd8 not much of a picture \xff\xd9")


def drafts(count: int) -> list[Draft]:
    """Notes to be written."""
    return [Draft("note", {"what": "test", "number": number}) for number in range(count)]


def written(path: Path, count: int = 5) -> Path:
    """A journal that was written and closed."""
    with Journal(path, now=lambda: 1000.0) as journal:
        for draft in drafts(count):
            journal.append([draft])
    return path


def changed(path: Path, sql: str, *values: object) -> None:
    """Do to a journal what no journal would do to itself."""
    with sqlite3.connect(path) as base:
        for (name,) in base.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
            base.execute(f"DROP TRIGGER {name}")
        base.execute(sql, values)
    base.close()


def test_what_was_written_is_read_back_in_order_and_can_be_continued(tmp_path: Path) -> None:
    """Events, their times and pictures survive closing; the chain goes on where it stopped."""
    path = written(tmp_path / "a.match")
    with Journal(path, now=lambda: 2000.0) as journal:
        assert journal.length == 5
        (event,) = journal.append([Draft("note", {"what": "more", "ö": None}, (PICTURE,))])
        assert (event.seq, event.at, event.pictures) == (6, 2000.0, {"after": PICTURE.digest})
        assert read_chain(path).events == journal.events  # also while it is open
    chain = read_chain(path)
    assert [event.body.get("number") for event in chain.events] == [0, 1, 2, 3, 4, None]
    assert not chain.damage
    assert read_pictures(path, chain.events[-1]) == (PICTURE,)
    assert path.stat().st_mode & 0o077 == 0
    assert is_journal(path)
    assert not is_journal(tmp_path / "missing")


def test_events_of_one_call_are_written_together_or_not_at_all(tmp_path: Path) -> None:
    """If one event of several cannot be written, none is, and the journal goes on."""
    with Journal(tmp_path / "a.match") as journal:
        journal.append(drafts(1))
        bad = Draft("note", {"what": "test"}, (Picture("after", 5),))  # type: ignore[arg-type]
        with pytest.raises((JournalError, TypeError)):
            journal.append([*drafts(2), bad])
        assert journal.length == 1
        journal.append(drafts(1))
    assert len(read_chain(tmp_path / "a.match").events) == 2


@pytest.mark.parametrize("table", ["events", "pictures"])
def test_the_file_itself_refuses_to_be_changed(tmp_path: Path, table: str) -> None:
    """No tool changes an event or a picture by accident: the file forbids it."""
    path = tmp_path / "a.match"
    with Journal(path) as journal:
        journal.append([Draft("note", {"what": "test"}, (PICTURE,))])
    base = sqlite3.connect(path)
    with pytest.raises(sqlite3.IntegrityError):
        base.execute(f"UPDATE {table} SET seq = 9")
    base.close()


@pytest.mark.parametrize(
    ("sql", "good"),
    [
        ("UPDATE events SET content = replace(content, '3', '4') WHERE seq = 4", 3),
        ("UPDATE events SET at = 1 WHERE seq = 2", 1),
        ("UPDATE events SET kind = 'entry' WHERE seq = 5", 4),
        ("DELETE FROM events WHERE seq = 1", 0),
        ("DELETE FROM events WHERE seq = 3", 2),
        ("UPDATE events SET content = '[]', hash = 'x' WHERE seq = 3", 2),
    ],
)
def test_a_journal_that_was_changed_says_so(tmp_path: Path, sql: str, good: int) -> None:
    """Whatever is altered or taken out, the chain ends before it, and nobody writes on."""
    path = written(tmp_path / "a.match")
    changed(path, sql)
    chain = read_chain(path)
    assert len(chain.events) == good
    assert "was changed or damaged" in chain.damage
    with pytest.raises(JournalError, match="was changed or damaged"):
        Journal(path)


def test_a_picture_that_was_swapped_is_not_shown(tmp_path: Path) -> None:
    """A picture counts only as long as it is the one that the chain names."""
    path = tmp_path / "a.match"
    with Journal(path) as journal:
        (event,) = journal.append([Draft("note", {"what": "test"}, (PICTURE,))])
    changed(path, "UPDATE pictures SET jpeg = ?", b"another")
    assert read_pictures(path, event) == ()


@given(st.integers(1, 8), st.integers(0, 7), st.integers(0, 4))
def test_no_change_of_a_row_goes_unnoticed(count: int, which: int, column: int) -> None:
    """Any column of any row can be changed: the events before it are proved, it and the rest are not."""
    rows = []
    head = ""
    for seq in range(1, count + 1):
        content = '{"body":{},"pictures":{}}'
        head = chained(head, seq, "note", 5.0, content)
        rows.append((seq, "note", 5.0, content, head))
    assert len(proved(rows).events) == count
    which %= count
    row: list[object] = list(rows[which])
    row[column] = [99, "entry", 6.0, '{"body":{"a":1},"pictures":{}}', "0" * 64][column]
    rows[which] = tuple(row)  # type: ignore[assignment]
    chain = proved(rows)
    assert len(chain.events) == which
    assert f"{count - which} are lost" in chain.damage


def test_two_processes_cannot_write_one_journal(tmp_path: Path) -> None:
    """The second writer is refused in a sentence; when the first is done, it may."""
    path = tmp_path / "a.match"
    with Journal(path), pytest.raises(JournalError, match="being written by another Pipwatch"):
        Journal(path)
    Journal(path).close()


def test_a_newer_form_and_other_files_are_refused_in_a_sentence(tmp_path: Path) -> None:
    """A journal of a later version, another program's database and no database at all are told apart."""
    path = written(tmp_path / "a.match")
    with sqlite3.connect(path) as base:
        base.execute("PRAGMA user_version=99")
    base.close()
    other = tmp_path / "b.match"
    with sqlite3.connect(other) as base:
        base.execute("CREATE TABLE t (x)")
    base.close()
    text = tmp_path / "c.match"
    text.write_text("hello" * 500)
    for wrong, words in (
        (path, "a newer Pipwatch is needed"),
        (other, "no journal of"),
        (text, "not a data"),
    ):
        for opened in (Journal, read_chain):
            with pytest.raises(JournalError, match=words):
                opened(wrong)
    with pytest.raises(JournalError, match="cannot be written"):
        Journal(tmp_path / "no-folder" / "a.match")


def test_a_full_disk_costs_the_pictures_first_and_then_says_so(tmp_path: Path) -> None:
    """Where pictures find no room, the event is kept without them; where it finds none itself, it raises."""
    path = tmp_path / "a.match"
    with Journal(path) as journal:
        journal.append(drafts(1))
        (pages,) = journal._base.execute("PRAGMA page_count").fetchone()
        journal._base.execute(f"PRAGMA max_page_count={pages + 2}")
        large = Draft("note", {"what": "test"}, (Picture("frame", bytes(100_000)),))
        (event,) = journal.append([large])
        assert event.pictures == {}
        with pytest.raises(JournalError, match="full"):
            journal.append([Draft("note", {"what": "x" * 100_000})])
        assert journal.length == 2
    assert read_chain(path).events[-1] == event


def _copied_alive(path: Path, folder: Path) -> Path:
    """The journal as the disk has it while its writer lives: what a power cut would leave."""
    folder.mkdir(exist_ok=True)
    for part in path.parent.glob(f"{path.name}*"):
        shutil.copy(part, folder / part.name)
    return folder / path.name


def test_a_power_cut_in_the_middle_of_a_write_costs_nothing_acknowledged(tmp_path: Path) -> None:
    """The log cut off at any byte, or its tail garbled, opens with exactly the events before the cut."""
    path = tmp_path / "a.match"
    rng = random.Random(5)
    with Journal(path) as journal:
        journal.append(drafts(3))
        sizes, wal = [], Path(f"{path}-wal")
        for draft in drafts(12):
            journal.append([draft])
            sizes.append(wal.stat().st_size)
        cut = _copied_alive(path, tmp_path / "cut")
    whole = Path(f"{cut}-wal").read_bytes()
    assert not Path(f"{cut}-shm").exists()
    for _ in range(60):
        at = rng.randrange(sizes[0], len(whole))
        tail = rng.choice((b"", os.urandom(min(4096, len(whole) - at))))
        Path(f"{cut}-wal").write_bytes(whole[:at] + tail)
        fresh = _copied_alive(cut, tmp_path / "again")
        with Journal(fresh) as opened:
            kept = 3 + sum(size <= at for size in sizes)
            assert opened.length == kept
            opened.append(drafts(1))
        shutil.rmtree(tmp_path / "again")


def test_a_damaged_page_is_told_and_what_came_before_it_can_be_read(tmp_path: Path) -> None:
    """Garbage anywhere in the file ends in one sentence or in fewer events, never in a traceback."""
    path = tmp_path / "a.match"
    with Journal(path) as journal:
        journal.append([Draft("note", {"what": "x" * 3000, "number": n}) for n in range(12)])
    whole, rng = path.read_bytes(), random.Random(3)
    told = 0
    for _ in range(80):
        at = rng.randrange(0, len(whole))
        path.write_bytes(whole[:at] + os.urandom(64) + whole[at + 64 :])
        try:
            chain = read_chain(path)
        except JournalError as wrong:
            chain = Chain((), str(wrong))
        assert [event.body["number"] for event in chain.events] == list(range(len(chain.events)))
        told += bool(chain.damage)
        assert chain.damage or len(chain.events) == 12
    assert told > 40
