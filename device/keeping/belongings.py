"""What belongs to a machine's owner: matches, sets, calibration, examples, settings, and their names."""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from engine.errors import PipwatchError

FOLDERS: Final[Mapping[str, tuple[str, ...]]] = {
    "matches": (".match",),
    "sets": (".zip", ".toml"),
    "calibration": (".toml", ".json"),
    "examples/sheets": (".png", ".json"),
}
"""Folders of the state folder, and how the names in them end. Nothing else is carried away or brought back:
no cookies, no keys, no errors."""
TOPS: Final = tuple(dict.fromkeys(folder.split("/")[0] for folder in FOLDERS))
SETTINGS: Final = "config.toml"
BY_HAND: Final = "by-hand.toml"
"""The settings that people write, as they lie: only where they and those of the page cannot be made one."""
MANIFEST: Final = "manifest.json"
FORM: Final = 2
"""The version of a backup's form. A reader refuses newer ones and understands all older ones."""
FORM_BEFORE: Final = 1
"""The one that knows no BY_HAND; all that holds none is still of it, so that older readers read it."""
MOST_MEMBERS: Final = 20_000
"""Files in a backup: decades of matches."""
MOST_BYTES: Final = 16_000_000_000
"""Of all of them together: more than any budget of the state folder allows."""
_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,119}")


class BackupError(PipwatchError, OSError):
    """A backup that cannot be made or brought back; the message is the sentence for the user."""


_EARLIER: Final = re.compile(r"matches/form-\d{1,3}")
"""What updates have kept of matches, so that the version before starts again with it."""


def is_member(name: str) -> bool:
    """Whether a file of a backup may have this name: one of the known folders, and never a way out of it."""
    if name in (SETTINGS, BY_HAND):
        return True
    folder, _, last = name.rpartition("/")
    known = "matches" if _EARLIER.fullmatch(folder) else folder
    return bool(_NAME.fullmatch(last)) and last.endswith(FOLDERS.get(known, ()) or ("\0",))


def belongings(state: Path) -> Iterator[tuple[str, Path]]:
    """All of them in the state folder: what they are called in a backup, and where they are."""
    earlier = sorted(path.name for path in (state / "matches").glob("form-*"))
    for folder in (*FOLDERS, *(f"matches/{name}" for name in earlier)):
        for path in sorted((state / folder).glob("*")):
            name = f"{folder}/{path.name}"
            if is_member(name) and path.is_file() and not path.is_symlink():
                yield name, path
