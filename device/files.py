"""Writing files so that what was acknowledged is on the disk, and a cut leaves the old or the new, whole."""

import os
from contextlib import suppress
from itertools import count
from pathlib import Path
from types import TracebackType
from typing import Self

from engine import record
from engine.history import History


class RecordFile:
    """An append-only record on disk; every entry is flushed to the disk before ``keep`` returns."""

    def __init__(self, path: Path, history: History, *, written: int | None = None) -> None:
        """Open ``path`` for a history; ``written`` is how many entries it holds (None: a new file)."""
        self._written = written or 0
        flags = os.O_WRONLY | os.O_CREAT | (os.O_APPEND if written is not None else os.O_EXCL)
        self._handle = os.open(path, flags, 0o644)
        if written is None:
            self._append(record.line(history.header.to_json()))

    def keep(self, history: History) -> None:
        """Write what was added to the history since the last time."""
        for entry in history.entries[self._written :]:
            self._append(record.line(entry.to_json()))
            self._written = entry.n

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        os.close(self._handle)

    def _append(self, line: str) -> None:
        data = (line + "\n").encode()
        while data:
            data = data[os.write(self._handle, data) :]
        os.fsync(self._handle)


def mend(path: Path, history: History) -> None:
    """Cut a damaged tail off a record on disk, so that it can be continued; the tail is kept beside it."""
    good = record.write(history.header, history.entries)
    found = path.read_bytes()
    if found == good.encode():
        return
    _beside(path).write_bytes(found)
    write_safely(path, good.encode(), mode=0o644)


def write_safely(path: Path, data: bytes, *, mode: int = 0o600, owner: tuple[int, int] | None = None) -> None:
    """Put ``data`` into the file at ``path``: whoever opens it finds all of the old or all of the new.

    The new file is written beside the old one, flushed, and renamed over it; then the folder is flushed, so
    that the rename itself outlives a power cut. Where that fails, the old file is as it was. ``owner`` is the
    user and the group to whom root gives it.
    """
    fresh = path.with_name(f".{path.name}.new")
    try:
        handle = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW, mode)
        with os.fdopen(handle, "wb") as file:
            if owner is not None:
                with suppress(PermissionError):  # sticks know no owners
                    os.fchown(handle, *owner)
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        fresh.replace(path)
    except OSError:
        with suppress(OSError):
            fresh.unlink(missing_ok=True)
        raise
    sync_folder(path.parent)


def keep_before(path: Path) -> None:
    """Keep what is at ``path`` as ``….bak`` beside it, before something else takes its place."""
    if path.exists():
        write_safely(path.with_name(f"{path.name}.bak"), path.read_bytes())


def sync_folder(folder: Path) -> None:
    """The names in a folder are on the disk, too."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _beside(path: Path) -> Path:
    """A name for a damaged tail that no earlier one has taken."""
    names = (path.with_name(f"{path.name}.damaged{'' if n == 1 else f'-{n}'}") for n in count(1))
    return next(name for name in names if not name.exists())
