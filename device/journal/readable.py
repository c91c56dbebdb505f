"""Which file of a match this version reads: the match itself, or what an update has kept of it before.

Whoever goes back to an earlier version finds journals that a newer one has brought up, and beside them, in a
folder for each form, their events as they were. All that asks for the matches of a machine asks here, so that
whichever version runs goes on with what it can read.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from device.folders import ENDING, match_file, matches, matches_folder, written
from device.journal.forms import earlier
from device.journal.store import VERSION, form_of

_FORM: Final = re.compile(r"form-\d+")


def readable(path: Path) -> Path:
    """The match at ``path``, or what was kept of it where a newer version has written it since."""
    kept = earlier(path, VERSION)
    return kept if form_of(path) > VERSION and kept.exists() else path


def readable_matches() -> Iterator[Path]:
    """The matches that are kept, the newest first."""
    yield from sorted(map(readable, matches()), key=written, reverse=True)


def readable_match(name: str) -> Path | None:
    """The match of this name, or None."""
    path = match_file(name)
    return None if path is None else readable(path)


def match_of(path: Path) -> Path:
    """The match of which this is the file, or one that was kept of it."""
    return path.parent.parent / path.name if _FORM.fullmatch(path.parent.name) else path


def files_of(path: Path) -> Iterator[Path]:
    """A match, and all that updates have kept of it."""
    match = match_of(path)
    yield match
    yield from (folder / match.name for folder in sorted(match.parent.glob("form-*")))


def all_files(folder: Path | None = None) -> Iterator[Path]:
    """All matches of a machine, and all that was kept of them."""
    folder = folder or matches_folder()
    yield from sorted(folder.glob(f"*{ENDING}"))
    yield from sorted(folder.glob(f"form-*/*{ENDING}"))
