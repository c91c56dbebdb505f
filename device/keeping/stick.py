"""A backup onto a USB stick: whichever is mounted where desktops and the appliance mount sticks."""

import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from device.keeping.belongings import BackupError
from device.keeping.packing import free_name, pack

MOUNTS: Final = Path("/proc/self/mountinfo")
PLACES: Final = ("/media/", "/run/media/", "/mnt/")
_ESCAPED: Final = re.compile(r"\\([0-7]{3})")


def sticks(mounts: Path = MOUNTS, places: tuple[str, ...] = PLACES) -> Iterator[Path]:
    """Where sticks are mounted that can be written, in the order in which they were."""
    for line in mounts.read_text(encoding="utf-8", errors="surrogateescape").splitlines():
        place = _ESCAPED.sub(lambda found: chr(int(found[1], 8)), line.split(" ")[4])
        if place.startswith(places) and os.access(place, os.W_OK):
            yield Path(place)


def backup_to_stick(mounts: Path = MOUNTS, places: tuple[str, ...] = PLACES) -> str:
    """Make a backup on the first stick; what was done, in a sentence. Raises BackupError in one."""
    for folder in sticks(mounts, places):
        return f"Backup: {pack(free_name(folder)).words} Now the stick may be taken out."
    raise BackupError("There is no USB stick that can be written: put one in, and press again.")
