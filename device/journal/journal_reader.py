"""Journals read by others than their writer: to show, to tell again, to export."""

import errno
import sqlite3
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from pathlib import Path
from shutil import copyfile
from tempfile import TemporaryDirectory

from device.journal.events import Chain, Event, Picture
from device.journal.held import apart, beside
from device.journal.store import DAMAGE, HOW, JournalError, chain_in, check_form, log_of, pictures_in

_MAGIC = b"SQLite format 3\0"
_HEAD_BYTES = 32
"""Of a WAL: its salts are other ones each time that it begins anew."""
_AS_IT_LIES, _BESIDE, _COPY = "mode=ro&immutable=1", f"mode=ro&{HOW}", f"mode=rw&{HOW}"
"""How SQLite opens what nobody writes, what this process writes (store.py), and a copy with its log."""
_TRIES = 20
"""A log begins anew about every thirtieth event."""
_MEMORY = "/dev/shm"
_LASTING = (errno.EACCES, errno.EPERM, errno.EIO)
"""What does not pass by itself."""


def is_journal(path: Path) -> bool:
    """Whether the file looks like a journal (any SQLite file does)."""
    with apart(path) as free, suppress(OSError):
        if not free:
            return True
        with path.open("rb") as file:
            return file.read(len(_MAGIC)) == _MAGIC
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
    """A journal that others write, or left with its log, and that could not be copied."""

    passing = True
    """Whether that may be otherwise in a moment."""


@contextmanager
def reader(path: Path) -> Iterator[sqlite3.Connection]:
    """A connection that cannot write, closed afterwards."""
    with ExitStack() as held:
        base = held.enter_context(closing(_connected(path, held)))
        try:
            base.execute("PRAGMA trusted_schema=OFF")
            base.execute("PRAGMA mmap_size=0")
            base.execute("PRAGMA query_only=ON")
            check_form(base, path)
            yield base
        except DAMAGE as wrong:
            raise JournalError(f"{path.name} cannot be read: {wrong}.") from wrong


def _connected(path: Path, held: ExitStack) -> sqlite3.Connection:
    """A journal beside its writer, in the same process; with its log, as a copy; or as it lies.

    Whoever opened the log of another process in place would keep that one out, and leave files behind.
    """
    where, how = path, _AS_IT_LIES
    if held.enter_context(beside(path)):
        how = _BESIDE
    elif log_of(path).exists():
        copy = _copied(path, held)
        if copy is None:  # by now it is written here
            return _connected(path, held)
        where, how = copy, _COPY  # who may write keeps the log's index in memory
    try:
        return sqlite3.connect(f"{where.absolute().as_uri()}?{how}", uri=True)
    except sqlite3.Error as wrong:  # it belongs to somebody else, or has just been taken away
        raise JournalError(f"{path.name} cannot be opened: {wrong}.") from wrong


def _copied(path: Path, held: ExitStack) -> Path | None:
    """A copy of a journal and its log as they were at one moment, in memory if there is room for it."""
    wrong = OSError()
    for place in (_MEMORY, None):
        with ExitStack() as tried:
            try:
                copy = Path(tried.enter_context(TemporaryDirectory(prefix="pipwatch-", dir=place)), path.name)
                for _ in range(_TRIES):
                    with apart(path) as free:
                        if not free:
                            return None
                        if _as_it_was(path, copy):
                            held.push(tried.pop_all())
                            return copy
            except OSError as error:
                wrong = error
                continue
        raise NotCopiedError(f"{path.name} cannot be read: it is being written too fast; try again.")
    told = NotCopiedError(f"{path.name} cannot be read: {wrong.strerror or wrong}.")
    told.passing = wrong.errno not in _LASTING
    raise told


def _as_it_was(path: Path, copy: Path) -> bool:
    """Copy a journal with its log; whether both are of one moment.

    Until the log begins anew, with another head, it holds all that the file may lack. A torn end of it was
    not acknowledged yet.
    """
    log, beside_it = log_of(path), log_of(copy)
    before = _head(log)
    copyfile(path, copy)
    beside_it.unlink(missing_ok=True)
    with suppress(FileNotFoundError):
        copyfile(log, beside_it)
    return _head(log) == before


def _head(log: Path) -> bytes:
    with suppress(FileNotFoundError), log.open("rb") as file:
        return file.read(_HEAD_BYTES)
    return b""
