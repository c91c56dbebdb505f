"""Journals read by others than their writer: to show, to tell again, to export."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from device.journal.events import Chain, Event, Picture
from device.journal.store import DAMAGE, JournalError, chain_in, check_form, pictures_in

_MAGIC = b"SQLite format 3\0"


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
    # A journal that nobody writes is read as it lies, so that reading leaves nothing behind beside it.
    lies = "" if Path(f"{path}-wal").exists() else "&immutable=1"
    try:
        base = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro{lies}", uri=True)
    except sqlite3.Error as wrong:  # it belongs to somebody else, or has just been taken away
        raise JournalError(f"{path.name} cannot be opened: {wrong}.") from wrong
    try:
        base.execute("PRAGMA trusted_schema=OFF")
        base.execute("PRAGMA mmap_size=0")
        check_form(base, path)
        yield base
    except DAMAGE as wrong:
        raise JournalError(f"{path.name} cannot be read: {wrong}.") from wrong
    finally:
        base.close()
