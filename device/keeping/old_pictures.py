"""Old pictures give way: whatever may pile up has a budget, the oldest go first, and a record never goes.

The chain of a journal holds the digest of each picture, not the picture. So a journal whose pictures are
gone still proves itself, and is told again and exported as before; it only shows less.
"""

import os
import shutil
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from device.folders import ENDING, written
from device.journal.game import last_game, record_in
from device.journal.journal_reader import NotCopiedError, reader
from device.journal.store import DAMAGE, Journal, JournalError, chain_in
from engine.errors import PipwatchError
from engine.history import History

MATCHES_BYTES: Final = 1_000_000_000
"""What journals may take together before pictures of the oldest go: half a year of days full of them."""
ERRORS_BYTES: Final = 200_000_000
"""What the kept errors of all matches may take together: four folders that are full."""
EXAMPLES_BYTES: Final = 200_000_000
"""What corrected maps may take together, kept for those who teach the reader: some thousand of them."""


@dataclass(frozen=True, slots=True)
class Shed:
    """What went."""

    pictures_of: tuple[str, ...] = ()
    """Matches whose pictures went."""
    errors_of: tuple[str, ...] = ()
    examples: int = 0


def shed(
    state: Path,
    matches_bytes: int = MATCHES_BYTES,
    errors_bytes: int = ERRORS_BYTES,
    examples_bytes: int = EXAMPLES_BYTES,
    stopped: Callable[[], bool] = lambda: False,
) -> Shed:
    """Bring the state folder back into its budgets; what cannot be changed stays, and nothing is raised.

    ``stopped`` is asked before each journal: then the others keep their pictures for now.
    """
    folder = state / "matches"
    errors = _oldest_beyond(folder.glob("*.errors"), errors_bytes, _size_of_folder)
    for path in errors:
        shutil.rmtree(path, ignore_errors=True)
    examples = _oldest_beyond((state / "examples" / "sheets").glob("*"), examples_bytes, _size)
    for path in examples:
        with suppress(OSError):
            path.unlink()
    return Shed(
        tuple(_shed_matches(folder, matches_bytes, stopped)), tuple(one.name for one in errors), len(examples)
    )


def shed_pictures(path: Path) -> bool:
    """Take all pictures out of a journal that nobody is writing; whether that was done.

    Its times stay, since the newest match is the one that goes on.
    """
    try:
        at = written(path)
        with Journal(path) as journal:
            journal.drop_pictures()
        os.utime(path, ns=(at, at))
    except (JournalError, OSError):  # it is being written, damaged, or of a newer form
        return False
    return True


def _shed_matches(folder: Path, most: int, stopped: Callable[[], bool]) -> Iterator[str]:
    """The finished matches first, the oldest of them before the others; then those that may go on."""
    paths = sorted(folder.glob(f"*{ENDING}"), key=written)
    over = sum(map(_size, paths)) - most
    if over <= 0:
        return
    # The newest is the one that is being played, or goes on next.
    for path in sorted(paths[:-1], key=lambda one: not _is_finished(one)):
        if over <= 0 or stopped():
            return
        before = _size(path)
        if _has_pictures(path) and shed_pictures(path):
            over -= before - _size(path)
            yield path.name


def _is_finished(path: Path) -> bool:
    try:
        with reader(path) as base:
            chain = chain_in(base)
        return not last_game(chain.events) or History.of(record_in(chain, path.name)).outcome is not None
    except NotCopiedError:
        return False  # that may pass
    except (PipwatchError, OSError, ValueError):
        return True  # nobody can go on with it


def _has_pictures(path: Path) -> bool:
    try:
        with reader(path) as base:
            return bool(base.execute("SELECT EXISTS (SELECT 1 FROM pictures)").fetchone()[0])
    except (JournalError, OSError, *DAMAGE, sqlite3.Error):
        return False


def _oldest_beyond(paths: Iterator[Path], most: int, size_of: Callable[[Path], int]) -> Sequence[Path]:
    """Those that have to go, so that the newest that stay take no more than ``most``."""
    taken, gone = 0, []
    for path in sorted(paths, key=written, reverse=True):
        taken += size_of(path)
        if taken > most:
            gone.append(path)
    return gone


def _size(path: Path) -> int:
    with suppress(OSError):
        return path.stat().st_size
    return 0


def _size_of_folder(path: Path) -> int:
    return sum(map(_size, path.rglob("*")))
