"""Where things are kept on this machine: the matches, and the settings.

A service of systemd is told its folders in ``STATE_DIRECTORY`` and ``RUNTIME_DIRECTORY``; a person's own lie
where XDG says.
"""

import os
import re
import secrets
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

ENDING = ".match"
_NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,80}")


_SYSTEM_SETTINGS = Path("/etc/pipwatch/config.toml")
"""The settings of the service, where it has no other ones."""


def _told(variable: str) -> Path | None:
    """The folder that systemd tells a service, the first one where there are several."""
    folder = os.environ.get(variable, "").partition(":")[0]
    return Path(folder) if folder else None


def state_folder() -> Path:
    """The folder of all that must outlive a restart; it need not be there yet."""
    home = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return _told("STATE_DIRECTORY") or Path(home) / "pipwatch"


def runtime_folder() -> Path:
    """The folder of what may be gone after a restart; it need not be there yet."""
    if (told := _told("RUNTIME_DIRECTORY")) is not None:
        return told
    home = os.environ.get("XDG_RUNTIME_DIR")
    return Path(home) / "pipwatch" if home else Path(tempfile.gettempdir()) / f"pipwatch-{os.getuid()}"


def matches_folder() -> Path:
    """The folder of all matches; it need not be there yet."""
    return state_folder() / "matches"


def match_file(name: str) -> Path | None:
    """The match of this name, or None; a name is never a way to another folder."""
    bare = name.removesuffix(ENDING)
    if not _NAME.fullmatch(bare):
        return None
    path = matches_folder() / f"{bare}{ENDING}"
    return path if path.exists() else None


def matches() -> Iterator[Path]:
    """The matches that are kept, the newest first."""
    yield from sorted(matches_folder().glob(f"*{ENDING}"), key=_written, reverse=True)


def _written(path: Path) -> int:
    """When a file was written last; one that has just been taken away counts as the oldest."""
    try:
        return path.stat().st_mtime_ns
    except OSError:
        return 0


def new_match(game: str) -> Path:
    """A file for a new match; the clock may be wrong, so the name does not rest on it alone."""
    folder = matches_folder()
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    day = time.strftime("%Y-%m-%d")
    return folder / f"{day}-{game}-{secrets.token_hex(3)}{ENDING}"


def phones_file() -> Path:
    """Where it is kept which phones were let in."""
    return matches_folder().parent / "phones.json"


def settings_file() -> Path:
    """The settings of this user or of the service; the file need not be there."""
    if named := os.environ.get("PIPWATCH_CONFIG"):
        return Path(named)
    if (told := _told("CONFIGURATION_DIRECTORY")) is not None:
        return told / "config.toml"
    if _told("STATE_DIRECTORY") is not None:
        return _SYSTEM_SETTINGS
    home = os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config"
    return Path(home) / "pipwatch" / "config.toml"


def examples_folder() -> Path:
    """Where maps are kept that people have corrected, as examples to learn from."""
    return matches_folder().parent / "examples" / "sheets"
