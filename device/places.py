"""Where things are kept on this machine: the matches, and the settings."""

import os
import re
import secrets
import time
from collections.abc import Iterator
from pathlib import Path

ENDING = ".match"
_NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,80}")


def matches_folder() -> Path:
    """The folder of all matches (by the rules of XDG); it need not be there yet."""
    home = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(home) / "pipwatch" / "matches"


def match_file(name: str) -> Path | None:
    """The match of this name, or None; a name is never a way to another folder."""
    bare = name.removesuffix(ENDING)
    if not _NAME.fullmatch(bare):
        return None
    path = matches_folder() / f"{bare}{ENDING}"
    return path if path.exists() else None


def matches() -> Iterator[Path]:
    """The matches that are kept, the newest first."""
    found = matches_folder().glob(f"*{ENDING}")
    yield from sorted(found, key=lambda path: path.stat().st_mtime_ns, reverse=True)


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
    """The user's own settings; the file need not be there."""
    if named := os.environ.get("PIPWATCH_CONFIG"):
        return Path(named)
    home = os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config"
    return Path(home) / "pipwatch" / "config.toml"


def examples_folder() -> Path:
    """Where maps are kept that people have corrected, as examples to learn from."""
    return matches_folder().parent / "examples" / "sheets"
