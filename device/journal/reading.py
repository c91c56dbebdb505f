"""Journals read by others than their writer: to show, to tell again, to export."""

import sqlite3
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from pathlib import Path
from shutil import copyfile
from tempfile import TemporaryDirectory

from device.journal.events import Chain, Event, Picture
from device.journal.store import (
    DAMAGE,
    VFS,
    JournalError,
    chain_in,
    check_form,
    is_written_here,
    log_of,
    pictures_in,
)

_MAGIC = b"SQLite format 3\0"
_HEAD_BYTES = 32
"""Of a WAL: its salts are other ones each time that it begins anew."""
_TRIES = 20
"""A log begins anew about every thirtieth event."""
_MEMORY = "/dev/shm"


def is_journal(path: Path) -> bool:
    """Whether the file looks like a journal (any SQLite file does)."""
    if is_written_here(path):
        return True
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


class NotCopiedError(JournalError):
    """A journal that another process writes, or was killed while it did, and that could not be copied."""


@contextmanager
def reader(path: Path) -> Iterator[sqlite3.Connection]:
    """A connection that cannot write, closed afterwards."""
    with ExitStack() as held:
        base = held.enter_context(_connected(path, held))
        try:
            base.execute("PRAGMA trusted_schema=OFF")
            base.execute("PRAGMA mmap_size=0")
            check_form(base, path)
            yield base
        except DAMAGE as wrong:
            raise JournalError(f"{path.name} cannot be read: {wrong}.") from wrong


def _connected(path: Path, held: ExitStack) -> "closing[sqlite3.Connection]":
    """A journal as it is read without a trace: its writer's own way, a copy with its log, or as it lies.

    A log is read beside its writer, in the same process, or as a copy: whoever opened it in place would keep
    its writer out, and leave files beside it.
    """
    where, how = path, "immutable=1"
    if is_written_here(path):
        how = f"vfs={VFS}"
    elif log_of(path).exists():
        where, how = _copied(path, held), f"vfs={VFS}"
    try:
        base = sqlite3.connect(f"{where.absolute().as_uri()}?mode=ro&{how}", uri=True)
    except sqlite3.Error as wrong:  # it belongs to somebody else, or has just been taken away
        raise JournalError(f"{path.name} cannot be opened: {wrong}.") from wrong
    return closing(base)


def _copied(path: Path, held: ExitStack) -> Path:
    """A copy of a journal and its log as they were at one moment, in memory where there is room for it."""
    wrong = "it is being written too fast; try again"
    for place in (_MEMORY, None):
        try:
            folder = TemporaryDirectory(prefix="pipwatch-", dir=place)
            copy = Path(held.enter_context(folder), path.name)
            if any(_as_it_was(path, copy) for _ in range(_TRIES)):
                return copy
        except OSError as error:
            wrong = str(error.strerror or error)
    raise NotCopiedError(f"{path.name} cannot be read: {wrong}.")


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
