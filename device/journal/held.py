"""Which journals this process writes, and how others in it may open their files.

SQLite holds a lock on the file of a journal that is being written (store.py). The system drops that lock as
soon as anybody in the same process opens the file by another way and closes it again. So whoever is not
SQLite asks here first, and no journal begins to be written here while he reads.
"""

import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

PATIENCE_S: Final = 5.0
"""A match that is taken up again waits so long for those who still read it as it was."""
_turn: Final = threading.Condition()
_written: Final[set[Path]] = set()
_read: Final[Counter[Path]] = Counter()
"""How many read a journal in place: its writer may have gone meanwhile."""


@contextmanager
def begins(path: Path) -> Iterator[None]:
    """SQLite takes its lock on a journal: nobody opens the file meanwhile, and then it is written here."""
    true = path.resolve()
    with _turn:
        _turn.wait_for(lambda: not _read[true], PATIENCE_S)
        yield
        _written.add(true)


def ends(path: Path) -> None:
    """A journal is not written here any more."""
    with _turn:
        _written.discard(path.resolve())


@contextmanager
def beside(path: Path) -> Iterator[bool]:
    """Whether a journal is written here: then SQLite may read it where it lies, for as long as this lasts."""
    true = path.resolve()
    with _turn:
        here = true in _written
        _read[true] += here
    try:
        yield here
    finally:
        with _turn:
            _read[true] -= here
            if not _read[true]:
                del _read[true]
            _turn.notify_all()


@contextmanager
def apart(path: Path) -> Iterator[bool]:
    """Whether a journal's files may be opened by another way than SQLite's, for as long as this lasts."""
    with _turn:
        held = bool(_written or _read) and ((true := path.resolve()) in _written or _read[true] > 0)
        yield not held
