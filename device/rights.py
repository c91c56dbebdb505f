"""Who uses what is plugged in, whether they may, and what to do where they may not.

Where the service is installed that is its user, whoever asks: root may open everything, which says nothing of
the box.
"""

import os
import pwd
import stat
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from grp import getgrgid
from pathlib import Path
from typing import Final, TypeAlias

SERVICE_USER: Final = "pipwatch"
UNITS: Final = (
    Path("/usr/lib/systemd/system/pipwatch.service"), Path("/etc/systemd/system/pipwatch.service"),
)  # fmt: skip
"""Where a package and where `install-service` put it."""
BOTH: Final = os.R_OK | os.W_OK
_OTHERS_BITS, _GROUP_BITS, _OWNER_BITS = 0, 3, 6
"""How far the rights of each are shifted in the mode of a file."""
_ALL: Final = 7
May: TypeAlias = Callable[[Path, int], bool]
"""Whether a path may be used so: the numbers are those of ``os.access``."""


@dataclass(frozen=True)
class DeviceUser:
    """Somebody who uses devices."""

    number: int
    groups: frozenset[int] = frozenset()

    @property
    def name(self) -> str:
        """Nobody has a name everywhere."""
        try:
            return pwd.getpwuid(self.number).pw_name
        except KeyError:
            return f"user {self.number}"

    def may(self, path: Path, how: int = BOTH) -> bool:
        """Whether they may use this so; asked of the system where they are whoever runs this.

        Lists of access are not read: udev gives a seat to whoever is logged in there, and a service never is.
        """
        if self.number == os.geteuid():
            return os.access(path, how)
        try:
            found = path.stat()
        except OSError:
            return False
        bits = _OTHERS_BITS
        if found.st_uid == self.number:
            bits = _OWNER_BITS
        elif found.st_gid in self.groups:
            bits = _GROUP_BITS
        return self.number == 0 or found.st_mode >> bits & _ALL & how == how


def whoever_runs() -> DeviceUser:
    """The user of this process."""
    return DeviceUser(os.geteuid())


def device_user() -> DeviceUser:
    """The service's user where it is installed, else whoever runs this."""
    if any(unit.exists() for unit in UNITS):
        with suppress(KeyError):
            found = pwd.getpwnam(SERVICE_USER)
            return DeviceUser(found.pw_uid, frozenset(os.getgrouplist(SERVICE_USER, found.pw_gid)))
    return whoever_runs()


def may(path: Path, how: int = BOTH) -> bool:
    """Whether who uses the devices here may use this one so."""
    return device_user().may(path, how)


def remedy(path: Path, who: DeviceUser | None = None) -> str:
    """Into which group to go; where only root may, the rule that gives it a group has not been at work."""
    found = path.stat()
    group = getgrgid(found.st_gid).gr_name if found.st_mode & stat.S_IWGRP else "root"
    if group == "root":
        return (
            "sudo apt install --reinstall ./pipwatch_*.deb, then restart: its rule gives the device a group"
        )
    return joining(group, who)


def joining(group: str, who: DeviceUser | None = None) -> str:
    """How they come into a group."""
    return f"sudo usermod -aG {group} {(who or device_user()).name}, then restart"


def advice(paths: Iterable[Path]) -> str:
    """What to do where a device was refused that may be one of these; nothing where all may be used."""
    who, here = device_user(), whoever_runs()
    there = [path for path in paths if path.exists()]
    for path in there:
        if not who.may(path):
            return remedy(path, who)
    if all(here.may(path) for path in there):
        return ""
    return "the box may use it, and you may not: sudo pipwatch doctor"
