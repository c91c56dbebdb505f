"""Matches that somebody has left: they wait until somebody wants them again.

That is a mark beside the match, an empty file: nothing of it can be torn by a power cut, and a match without
one is gone on with by itself after a restart.
"""

from contextlib import suppress
from pathlib import Path

from device.journal.readable import match_of


def mark(path: Path) -> Path:
    """The file that says that a match was left."""
    match = match_of(path)
    return match.with_name(f".{match.name}.left")


def leave(path: Path) -> None:
    """Somebody has left this match: it waits until somebody wants it again."""
    with suppress(
        OSError
    ):  # a disk that cannot be written: then it goes on after a restart, and is left again
        mark(path).touch(mode=0o600)


def take_up(path: Path) -> None:
    """Somebody goes on with this match."""
    with suppress(OSError):
        mark(path).unlink(missing_ok=True)


def is_left(path: Path) -> bool:
    """Whether somebody has left this match."""
    return mark(path).exists()
