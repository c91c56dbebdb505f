"""The forms that a journal's file has had, and how an older one becomes one of today.

Before a journal is brought up, its events are kept as they were, in a folder named after their form, without
the pictures, which need much room and tell nothing of the game. A Pipwatch that knows no newer form, because
somebody has gone back to it, finds that copy by itself and goes on with it.
"""

import os
import sqlite3
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from typing import Final

from device.files import sync_folder
from device.folders import written

STEPS: Final[dict[int, str]] = {}
"""From each form the SQL that leads to the next one. Form 1 is the first, and so far the only one."""


def earlier(path: Path, form: int) -> Path:
    """Where the events of a journal lie as they were in an earlier form."""
    return path.parent / f"form-{form}" / path.name


def bring_up(
    base: sqlite3.Connection, path: Path, form: int, to: int, steps: Mapping[int, str] = STEPS
) -> None:
    """Lead an open journal from its form to another: all of it, or, wherever that is cut, nothing."""
    try:
        _keep(base, path, earlier(path, form))
    except OSError as wrong:
        raise sqlite3.OperationalError(f"no copy of it can be kept: {wrong.strerror}") from wrong
    told = "".join(f"{steps[number]};" for number in range(form, to))
    base.executescript(f"BEGIN IMMEDIATE; {told} PRAGMA user_version={to}; COMMIT;")


def _keep(base: sqlite3.Connection, path: Path, copy: Path) -> None:
    if copy.exists():
        return
    copy.parent.mkdir(exist_ok=True, mode=0o700)
    part = copy.with_name(f".{copy.name}.new")
    part.unlink(missing_ok=True)
    with closing(sqlite3.connect(part, isolation_level=None)) as kept:
        base.backup(kept)
        kept.execute("PRAGMA journal_mode=DELETE")
        kept.execute("PRAGMA synchronous=FULL")
        kept.execute("DELETE FROM pictures")
        kept.execute("VACUUM")
    part.chmod(0o600)
    at = written(path)
    os.utime(part, ns=(at, at))  # the newest is the one that goes on
    part.replace(copy)
    sync_folder(copy.parent)
