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
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

ENDING = ".match"
_NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,80}")


_SYSTEM_SETTINGS = Path("/etc/pipwatch/config.toml")
"""The settings of the service, where it has no other ones."""
_SYSTEM_STATE = Path("/var/lib/pipwatch")
"""What the service keeps; others than root may not look into it."""
_BY_PAGE = "settings.toml"


@dataclass(frozen=True, slots=True)
class SettingsFiles:
    """The two files of settings: one that people write, and over it one that the page and a restore write.

    The box may not write the first one; nobody but the box writes the second. Where both set a key, the
    second counts. Either need not be there.
    """

    by_hand: Path
    by_page: Path


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
    yield from sorted(matches_folder().glob(f"*{ENDING}"), key=written, reverse=True)


def written(path: Path) -> int:
    """When a file was written last, or what SQLite has appended beside it; one that is gone is the oldest."""
    times = [0]
    for one in (path, Path(f"{path}-wal")):
        with suppress(OSError):
            told = one.stat()
            times.append(told.st_mtime_ns if told.st_size or one == path else 0)  # readers make an empty one
    return max(times)


def new_match(game: str) -> Path:
    """A file for a new match; the clock may be wrong, so the name does not rest on it alone."""
    folder = matches_folder()
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    day = time.strftime("%Y-%m-%d")
    return folder / f"{day}-{game}-{secrets.token_hex(3)}{ENDING}"


def phones_file() -> Path:
    """Where it is kept which phones were let in."""
    return matches_folder().parent / "phones.json"


def owner_file() -> Path:
    """Where it is kept how the owner is known."""
    return matches_folder().parent / "owner.json"


def wifi_file() -> Path:
    """Where the name and the passphrase of the box's own Wi-Fi are kept."""
    return matches_folder().parent / "wifi.json"


def settings_file() -> Path:
    """The settings that people write: this user's, the machine's or the service's; it need not be there."""
    if (told := _told_settings()) is not None:
        return told
    own = _own_settings()
    # Whoever tries pins or camera of the box from a terminal means the box's settings, unless he has his own.
    has_own = own.exists() or (state_folder() / _BY_PAGE).exists()
    has_box = _SYSTEM_SETTINGS.exists() or _SYSTEM_STATE.is_dir()
    return _SYSTEM_SETTINGS if has_box and not has_own else own


def _told_settings() -> Path | None:
    """The settings that somebody has named, or those of a service."""
    if named := os.environ.get("PIPWATCH_CONFIG"):
        return Path(named)
    if (folder := _told("CONFIGURATION_DIRECTORY")) is not None:
        return folder / "config.toml"
    return _SYSTEM_SETTINGS if _told("STATE_DIRECTORY") is not None else None


def _own_settings() -> Path:
    home = os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config"
    return Path(home) / "pipwatch" / "config.toml"


def settings_files() -> SettingsFiles:
    """The settings of this user, of the machine or of the service."""
    by_hand = settings_file()
    return SettingsFiles(by_hand, page_settings(_SYSTEM_STATE if _means_box(by_hand) else state_folder()))


def _means_box(by_hand: Path) -> bool:
    """Whether somebody at a terminal means the box by what he does, as these settings are the box's."""
    return by_hand == _SYSTEM_SETTINGS and _told("STATE_DIRECTORY") is None


def settings_beside(state: Path) -> SettingsFiles:
    """The settings that count once a state folder has some: without a service never those of the box."""
    return SettingsFiles(_told_settings() or _own_settings(), page_settings(state))


def page_settings(state: Path) -> Path:
    """Where the page keeps what it sets, in the folder of all that outlives a restart."""
    return state / _BY_PAGE


def examples_folder() -> Path:
    """Where maps are kept that people have corrected, as examples to learn from."""
    return matches_folder().parent / "examples" / "sheets"


def lenses_folder() -> Path:
    """Where the lenses are kept that people have calibrated, a camera's profile each."""
    return matches_folder().parent / "calibration"


def cameras_state() -> Path:
    """The state folder by which cameras are known: the box's, for whoever means it and may look into it."""
    is_box = _means_box(settings_file()) and os.access(_SYSTEM_STATE, os.R_OK | os.X_OK)
    return _SYSTEM_STATE if is_box else state_folder()


def sockets_file() -> Path:
    """Where it is kept which USB cameras were seen in which sockets: beside their lenses, in backups, too."""
    return cameras_state() / "calibration" / "sockets.json"


def sets_folder() -> Path:
    """Where the sets of people's own pieces are kept, a file of looks for each."""
    return matches_folder().parent / "sets"
