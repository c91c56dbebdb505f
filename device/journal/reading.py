"""Journals read by others than their writer: to show, to tell again, to export."""

import sqlite3
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from pathlib import Path
from shutil import copyfile
from tempfile import TemporaryDirectory

from device.journal.events import Chain, Event, Picture
from device.journal.store import DAMAGE, VFS, JournalError, chain_in, check_form, log_of, pictures_in

_MAGIC = b"SQLite format 3\0"
_HEAD_BYTES = 32
"""Of a WAL: its salts are other ones each time that it begins anew."""
_TRIES = 20
"""A log begins anew about every fiftieth event."""


def is_journal(path: Path) -> bool:
    """Whether the file looks like a journal (any SQLite file does)."""
    try:
        with path.open("rb") as file:
            return file.read(len(_MAGIC)) == _MAGIC
    except OSError:
        return False


def read_chain(path: Path) -> Chain:
    """All events that can be proved; raises JournalError where the file is no journal."""
    with reader(path) as base:
        return chain_in(base)


def read_pictures(path: Path, event: Event) -> tuple[Picture, ...]:
    """The pictures of an event."""
    with reader(path) as base:
        return pictures_in(base, event)


@contextmanager
def reader(path: Path) -> Iterator[sqlite3.Connection]:
    """A connection that cannot write, closed afterwards."""
    with ExitStack() as held:
        base = _connected(path, held)
        if _is_held_elsewhere(base):
            base = _connected(held.enter_context(_copied(path)), held)
        try:
            base.execute("PRAGMA trusted_schema=OFF")
            base.execute("PRAGMA mmap_size=0")
            check_form(base, path)
            yield base
        except DAMAGE as wrong:
            raise JournalError(f"{path.name} cannot be read: {wrong}.") from wrong


def _connected(path: Path, held: ExitStack) -> sqlite3.Connection:
    # A journal that nobody writes is read as it lies, so that reading leaves nothing behind beside it.
    how = f"vfs={VFS}" if log_of(path).exists() else "immutable=1"
    try:
        base = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro&{how}", uri=True, timeout=0)
    except sqlite3.Error as wrong:  # it belongs to somebody else, or has just been taken away
        raise JournalError(f"{path.name} cannot be opened: {wrong}.") from wrong
    return held.enter_context(closing(base))


def _is_held_elsewhere(base: sqlite3.Connection) -> bool:
    """Whether another process writes this journal: SQLite lets nobody in beside it."""
    try:
        base.execute("PRAGMA schema_version").fetchone()
    except DAMAGE as wrong:
        return getattr(wrong, "sqlite_errorcode", 0) & 0xFF == sqlite3.SQLITE_BUSY
    return False


@contextmanager
def _copied(path: Path) -> Iterator[Path]:
    """A journal that another process writes, as it was at one moment."""
    with TemporaryDirectory(prefix="pipwatch-") as folder:
        copy = Path(folder, path.name)
        try:
            still = any(_as_it_was(path, copy) for _ in range(_TRIES))
        except OSError as wrong:
            raise JournalError(f"{path.name} cannot be read: {wrong.strerror}.") from wrong
        if not still:
            raise JournalError(f"{path.name} is being written too fast to be read; try again.")
        yield copy


def _as_it_was(path: Path, copy: Path) -> bool:
    """Copy a journal with its log; whether both are of one moment.

    Until the log begins anew, with another head, it holds all that the file may lack. A torn end of it was
    not acknowledged yet.
    """
    log, beside = log_of(path), log_of(copy)
    before = _head(log)
    copyfile(path, copy)
    beside.unlink(missing_ok=True)
    with suppress(FileNotFoundError):
        copyfile(log, beside)
    return _head(log) == before


def _head(log: Path) -> bytes:
    with suppress(FileNotFoundError), log.open("rb") as file:
        return file.read(_HEAD_BYTES)
    return b""
