"""The journal's file: one writer, and nothing it acknowledged is ever lost.

What the settings are for:

- ``journal_mode=WAL``: an event is one append and one flush.
- ``synchronous=FULL``: every commit is flushed to the disk before it returns (NORMAL would keep the file
  whole but may lose the last events when the power goes). A match makes less than one event a second.
- one connection that writes, in one process (a lock file sees to that), no memory mapping, and no checkpoint
  but its own: SQLite before 3.51.3 can damage a WAL that two connections write or check-point at once.
- ``vfs=unix-excl``: SQLite keeps the index of the WAL in memory. The file that else holds it costs the card
  as much as the event itself. Readers in this process share it; others read a copy (journal_reader.py): no
  reader ever stops the writer.
- ``wal_autocheckpoint``: the WAL is soon written over from its beginning, so that it does not grow: each
  growth is an entry in the file system's own journal. Pages are as large as a block of the disk, no smaller:
  a block that a pulled plug tears while the WAL is folded into the file lies whole in the WAL.
- ``trusted_schema=OFF``: a journal that somebody sends us runs none of its own functions.
- ``application_id`` and ``user_version``: what the file is, and the version of its form.
"""

import fcntl
import os
import sqlite3
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Final, Protocol, Self

from device.files import sync_folder
from device.journal.events import Chain, Draft, Event, Picture, Row, chained, content_of, proved
from device.journal.forms import bring_up
from device.journal.held import apart, begins, ends
from engine.errors import PipwatchError

APPLICATION: Final = 0x50495057  # "PIPW"
VERSION: Final = 1
"""The version of the file's form. A reader refuses newer ones and understands all older ones."""

HOW: Final = "vfs=unix-excl"
"""How SQLite is to use files: see above."""
LOG_PAGES: Final = 40
"""After so many the WAL is folded into the file. After 10, 20, 30, 50 and 100 an entry costs the card 35, 32,
31, 31 and 33 kB (540 entries each)."""
PAGE_BYTES: Final = 4096

DAMAGE: Final = (sqlite3.DatabaseError, UnicodeDecodeError)
"""What a damaged file raises: the second where SQLite's own message quotes garbage."""

_SCHEMA: Final = """
CREATE TABLE events (
    seq INTEGER PRIMARY KEY, kind TEXT NOT NULL, at REAL NOT NULL, content TEXT NOT NULL, hash TEXT NOT NULL
) STRICT;
CREATE TABLE pictures (
    seq INTEGER NOT NULL REFERENCES events, role TEXT NOT NULL, jpeg BLOB NOT NULL, PRIMARY KEY (seq, role)
) STRICT;
CREATE TRIGGER events_stay BEFORE UPDATE ON events BEGIN SELECT RAISE(ABORT, 'events are only added'); END;
CREATE TRIGGER events_last BEFORE DELETE ON events BEGIN SELECT RAISE(ABORT, 'events are only added'); END;
CREATE TRIGGER pictures_stay BEFORE UPDATE ON pictures BEGIN SELECT RAISE(ABORT, 'pictures stay'); END;
"""


_INSERT: Final = "INSERT INTO events (seq, kind, at, content, hash) VALUES (?, ?, ?, ?, ?)"


class JournalError(PipwatchError, OSError):
    """A journal that cannot be opened or written; the message is the sentence for the user."""


class Care(Protocol):
    """Whoever looks after the disk on which a journal lies."""

    def kept(self, draft: Draft) -> Sequence[Picture]:
        """Which pictures of an event go to the disk; the event names the others all the same."""

    def make_room(self) -> bool:
        """Give up what was set aside for a full disk; whether there is any more room now."""


class Careless:
    """Keeps every picture, and has set nothing aside."""

    def kept(self, draft: Draft) -> Sequence[Picture]:
        """All of them."""
        return draft.pictures

    def make_room(self) -> bool:
        """There is none to be made."""
        return False


class Journal:
    """A journal that is open for writing. Only one thread may use it."""

    def __init__(self, path: Path, *, now: Callable[[], float] = time.time, care: Care | None = None) -> None:
        """Open the journal at ``path``, or begin one; raises JournalError."""
        self.path = path
        self._now = now
        self._care: Care = care or Careless()
        self._lock = _locked(path)
        self._true = path.resolve()
        try:
            self._base = self._open()
            self._events = list(self._chain().events)
        except BaseException:
            self._unlock()
            raise

    # — what it holds —

    @property
    def events(self) -> tuple[Event, ...]:
        """All events so far."""
        return tuple(self._events)

    @property
    def length(self) -> int:
        """How many events there are."""
        return len(self._events)

    # — what may be added —

    def append(self, drafts: Sequence[Draft]) -> tuple[Event, ...]:
        """Write these events together; when this returns, they are on the disk.

        Where the disk has no room for the pictures, the events are kept without them; where it has none for
        the events, in what was set aside for that.
        """
        try:
            return self._written(drafts)
        except sqlite3.Error as wrong:
            bare = [Draft(draft.kind, draft.body) for draft in drafts]
            with suppress(sqlite3.Error):
                if any(draft.pictures for draft in drafts):
                    return self._written(bare)
            with suppress(sqlite3.Error):
                if self._care.make_room():
                    return self._written(bare)
            raise JournalError(f"{self.path.name} cannot be written: {wrong}.") from wrong

    def drop_pictures(self) -> None:
        """Take all pictures away and give their room back; the events go on to name them."""
        try:
            self._base.execute("PRAGMA temp_store=MEMORY")
            self._base.execute("DELETE FROM pictures")
            self._base.execute("VACUUM")
        except sqlite3.Error as wrong:
            raise JournalError(f"{self.path.name} cannot be written: {wrong}.") from wrong

    def close(self) -> None:
        """Fold what was appended into the file and let go of it."""
        try:
            self._base.close()
        finally:
            self._unlock()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    # — how —

    def _open(self) -> sqlite3.Connection:
        try:
            return _opened(self.path)
        except JournalError as wrong:
            if "full" in str(wrong) and self._care.make_room():
                return _opened(self.path)
            raise

    def _written(self, drafts: Sequence[Draft]) -> tuple[Event, ...]:
        events: list[Event] = []
        with self._base:  # one transaction: all of it, or nothing
            self._base.execute("BEGIN IMMEDIATE")
            for draft in drafts:
                events.append(self._insert(draft, events))
        self._events += events
        return tuple(events)

    def _insert(self, draft: Draft, fresh: Sequence[Event]) -> Event:
        last = fresh[-1] if fresh else self._events[-1] if self._events else None
        seq, at = (last.seq if last else 0) + 1, round(self._now(), 3)
        content = content_of(draft.body, draft.pictures)
        found = chained(last.hash if last else "", seq, draft.kind, at, content)
        self._base.execute(_INSERT, (seq, draft.kind, at, content, found))
        rows = [(seq, one.role, one.jpeg) for one in self._care.kept(draft)]
        self._base.executemany("INSERT INTO pictures (seq, role, jpeg) VALUES (?, ?, ?)", rows)
        told: dict[str, str] = {picture.role: picture.digest for picture in draft.pictures}
        return Event(seq, draft.kind, at, draft.body, told, found)

    def _chain(self) -> Chain:
        chain = chain_in(self._base)
        if chain.damage:
            self._base.close()
            raise JournalError(f"{self.path.name}: {chain.damage} `pipwatch export` reads what is whole.")
        return chain

    def _unlock(self) -> None:
        ends(self._true)
        os.close(self._lock)


def log_of(path: Path) -> Path:
    """Where SQLite keeps what was appended to a journal and is not folded into it yet."""
    return Path(f"{path}-wal")


def forget_empty(path: Path) -> None:
    """Take a journal away in which nothing was ever written."""
    if not path.exists():
        return
    with suppress(JournalError), Journal(path) as journal:
        if journal.length:
            return
        for name in (path.name, f"{path.name}-wal", f"{path.name}-shm", f".{path.name}.lock"):
            path.with_name(name).unlink(missing_ok=True)


def is_being_written(path: Path) -> bool:
    """Whether a process holds this journal at this moment."""
    try:
        os.close(_locked(path))
    except JournalError as wrong:
        return isinstance(wrong.__cause__, BlockingIOError)
    return False


def chain_in(base: sqlite3.Connection) -> Chain:
    """The events of an open journal, proved."""
    rows: list[Row] = []
    try:
        base.text_factory = _text
        for row in base.execute("SELECT seq, kind, at, content, hash FROM events ORDER BY seq"):
            rows.append(row)
    except DAMAGE as wrong:  # a damaged page: what came before it is still good
        chain = proved(rows)
        # An operation that fails is the disk's fault; whether the file is damaged shows when it works again.
        failed = isinstance(wrong, sqlite3.OperationalError)
        what = "The disk failed" if failed else "The file is damaged"
        return Chain(chain.events, chain.damage or f"{what} after event {len(rows)} ({wrong}).")
    return proved(rows)


def _text(raw: bytes) -> str:
    return raw.decode(errors="replace")  # a damaged text is for the chain to find


def pictures_in(base: sqlite3.Connection, event: Event) -> tuple[Picture, ...]:
    """The pictures of an event; one that is not what the chain says is left out."""
    rows = base.execute("SELECT role, jpeg FROM pictures WHERE seq = ? ORDER BY role", (event.seq,))
    found = (Picture(role, jpeg) for role, jpeg in rows)
    return tuple(one for one in found if event.pictures.get(one.role) == one.digest)


def check_form(base: sqlite3.Connection, path: Path) -> int:
    """Refuse what is no journal, or one of a newer form; the form that it has."""
    try:
        (application,) = base.execute("PRAGMA application_id").fetchone()
        (version,) = base.execute("PRAGMA user_version").fetchone()
    except sqlite3.OperationalError as wrong:  # the disk's fault, or a lock's
        raise JournalError(f"{path.name} cannot be read: {wrong}.") from wrong
    except DAMAGE as wrong:
        raise JournalError(f"{path.name} is no journal: {wrong}.") from wrong
    if application != APPLICATION:
        raise JournalError(f"{path.name} is a database, but no journal of Pipwatch.")
    if version > VERSION:
        raise JournalError(
            f"{path.name} is a journal of version {version}, and this Pipwatch reads versions up to "
            f"{VERSION}; a newer Pipwatch is needed."
        )
    return int(version)


def form_of(path: Path) -> int:
    """The form of the journal at ``path``, by its head alone; 0 where it is none."""
    with apart(path) as free, suppress(OSError):
        if not free:
            return VERSION
        with path.open("rb") as file:
            head = file.read(72)
        if head[68:72] == APPLICATION.to_bytes(4, "big"):
            return int.from_bytes(head[60:64], "big", signed=True)  # `user_version`, as in every SQLite file
    return 0


def _locked(path: Path) -> int:
    """The lock that one process holds while it writes; the system lets go of it when that process ends."""
    try:
        # Beside the journal: closing another handle of the journal itself would drop SQLite's own locks.
        true = path.resolve()
        handle = os.open(true.with_name(f".{true.name}.lock"), os.O_RDWR | os.O_CREAT, 0o600)
    except OSError as wrong:
        raise JournalError(f"{path} cannot be written: {wrong.strerror}.") from wrong
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as wrong:
        os.close(handle)
        raise JournalError(f"{path.name} is being written by another Pipwatch.") from wrong
    return handle


def _opened(path: Path) -> sqlite3.Connection:
    try:
        with begins(path):
            base = _connected(path)
        if base.execute("SELECT count(*) FROM sqlite_master").fetchone() == (0,):
            # New, or begun by a process that was killed before the one transaction that makes a journal.
            path.chmod(0o600)
            base.execute(f"PRAGMA page_size={PAGE_BYTES}")  # whatever SQLite was built with
            form = f"PRAGMA application_id={APPLICATION}; PRAGMA user_version={VERSION};"
            base.executescript(f"BEGIN; {form} {_SCHEMA} COMMIT;")
            sync_folder(path.parent)
        found = check_form(base, path)
        # The index of the log that an earlier version kept on the disk: nobody is left who uses it.
        with suppress(OSError):
            Path(f"{path}-shm").unlink()
        base.execute("PRAGMA journal_mode=WAL")
        base.execute("PRAGMA synchronous=FULL")
        if found < VERSION:
            bring_up(base, path, found, VERSION)
        base.execute("PRAGMA foreign_keys=ON")
        base.execute(f"PRAGMA wal_autocheckpoint={LOG_PAGES}")
        base.execute("PRAGMA journal_size_limit=8388608")  # the WAL gives back what pictures made it grow
    except DAMAGE as wrong:
        raise JournalError(f"{path.name} cannot be opened: {wrong}.") from wrong
    return base


def _connected(path: Path) -> sqlite3.Connection:
    """A connection that holds SQLite's lock."""
    base = sqlite3.connect(
        f"{path.absolute().as_uri()}?{HOW}", uri=True, isolation_level=None, check_same_thread=False
    )
    try:
        base.execute("PRAGMA trusted_schema=OFF")
        base.execute("PRAGMA mmap_size=0")
        base.execute("PRAGMA schema_version").fetchone()  # the first look takes it
    except DAMAGE:
        base.close()
        raise
    return base
