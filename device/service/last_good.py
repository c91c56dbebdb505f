"""Broken settings never keep the box from starting: it takes the last good ones, or the shipped ones."""

import re
from contextlib import suppress
from pathlib import Path
from typing import Final

from calibration import toml
from calibration.camera_errors import BadProfileFile
from device.files import write_safely
from device.folders import SettingsFiles
from device.settings import Settings, layers

NAME: Final = "settings.last-good.toml"
"""In the folder of all that must outlive a restart, as the folder of the settings belongs to their owner."""
HIDDEN: Final = "What the box's page has set ({path}) is shown to root alone, and is not used here."


def usable(files: SettingsFiles, state: Path) -> tuple[Settings, str]:
    """Settings that can be used, and a sentence if they are not those of the files."""
    kept = state / NAME
    try:
        found = layers(files)
        settings = found.settings
    except (BadProfileFile, OSError) as wrong:
        where = _where(files, str(wrong))
        with suppress(BadProfileFile, OSError):
            return toml.read(kept, Settings), f"{where} The last good settings are used."
        return Settings(), f"{where} The settings as shipped are used."
    if files.by_hand.exists() or (not found.hidden and files.by_page.exists()):
        _keep(kept, toml.dump(settings))
    return settings, HIDDEN.format(path=files.by_page) if found.hidden else ""


def _keep(kept: Path, text: str) -> None:
    """Keep them, if they are not kept already."""
    with suppress(OSError, UnicodeDecodeError):
        if kept.exists() and kept.read_text(encoding="utf-8") == text:
            return
    with suppress(OSError):  # a disk that cannot be written is told elsewhere, and stops nobody
        kept.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        write_safely(kept, text.encode())


def _where(files: SettingsFiles, words: str) -> str:
    """What is wrong, with the line of the file where that can be told."""
    told = words.rstrip(".")
    if "(at line" in told or "(at end" in told:
        return f"{told}."  # what is no TOML at all names its line itself
    path = files.by_page if told.startswith(files.by_page.name) else files.by_hand
    number = _line_of(path, told)
    return f"{told} (line {number})." if number else f"{told}."


def _line_of(path: Path, words: str) -> int:
    """The first line that sets a key which the message names, or that is no text; 0 for none."""
    with suppress(OSError):
        named = [*re.findall(r"'([^']+)'", words)[:1], *re.findall(r": (\w+)", words)[::-1]]
        data = path.read_bytes()
        try:
            lines = data.decode().splitlines()
        except UnicodeDecodeError as wrong:
            return data.count(b"\n", 0, wrong.start) + 1
        for name in named:
            for number, line in enumerate(lines, 1):
                if re.match(rf"\s*\[?\s*{re.escape(name)}\s*[\]=]", line):
                    return number
    return 0
