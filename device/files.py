"""Writing a record so that a line that was acknowledged is on the disk."""

import os
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
    fresh = path.with_name(path.name + ".new")
    with fresh.open("wb") as file:
        file.write(good.encode())
        file.flush()
        os.fsync(file.fileno())
    fresh.replace(path)


def _beside(path: Path) -> Path:
    """A name for a damaged tail that no earlier one has taken."""
    names = (path.with_name(f"{path.name}.damaged{'' if n == 1 else f'-{n}'}") for n in count(1))
    return next(name for name in names if not name.exists())
