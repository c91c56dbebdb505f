"""What the machine says of itself: heat, power, disk, clock, and what its user may open.

All of it is read below one folder, ``/`` on a real machine, so that tests can make machines of any kind.
"""

import ctypes
import os
import shutil
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Literal, TypeAlias

from device.firmware import throttled
from device.health.machine import said
from device.rights import joining, whoever_runs

Clock: TypeAlias = Literal["synced", "unsynced", "unknown"]

_SYNCED: Final = "run/systemd/timesync/synchronized"
"""The file that systemd's own time service touches once the clock is right."""
_TIME_ERROR: Final = 5
"""What adjtimex returns while the clock is not synchronised."""
_FIRST_YEAR: Final = 2026
_NODES: Final = {
    "video": ("video[0-9]*", "media[0-9]*", "v4l-subdev[0-9]*", "dma_heap/*"),
    "gpio": ("gpiochip[0-9]*",),
}
"""What a camera and the pins are reached by, each with the group that may."""


def _adjtimex() -> int | None:
    """What the kernel says of the clock, or None where it may not be asked."""
    with suppress(OSError, AttributeError):
        words = (ctypes.c_long * 64)()  # larger than the kernel's structure; all zero only asks
        state = int(ctypes.CDLL(None, use_errno=True).adjtimex(ctypes.byref(words)))
        return None if state < 0 else state
    return None


@dataclass(frozen=True)
class Machinery:
    """One machine."""

    root: Path = Path("/")
    run: Callable[[Sequence[str]], str] = said
    now: Callable[[], float] = time.time
    kernel_clock: Callable[[], int | None] = _adjtimex
    may_open: Callable[[Path], bool] = field(default=lambda path: os.access(path, os.R_OK | os.W_OK))

    def temperature_c(self) -> float | None:
        """The hottest of the machine's sensors of its processor, or None where it has none."""
        found = []
        for sensor in self.root.glob("sys/class/thermal/thermal_zone*/temp"):
            with suppress(OSError, ValueError):
                found.append(int(sensor.read_text(encoding="ascii")) / 1000)
        return round(max(found), 1) if found else None

    def throttled(self) -> tuple[str, ...] | None:
        """What the firmware says of power and heat, now and since the start; None where there is none."""
        return throttled(self.root, self.run)

    def disk_free_mb(self, folder: Path) -> int | None:
        """How much room is left where ``folder`` lies or is going to."""
        with suppress(OSError):
            there = next(path for path in (folder, *folder.parents) if path.exists())
            return shutil.disk_usage(there).free // 1_000_000
        return None

    def clock(self) -> Clock:
        """Whether the time of day was set by somebody who knows it."""
        if (self.root / _SYNCED).exists():
            return "synced"
        state = self.kernel_clock()
        if state is None:
            return "unknown"
        return "unsynced" if state == _TIME_ERROR else "synced"

    def remarks(self) -> tuple[str, ...]:
        """What is wrong with the machine, each a sentence with what to do."""
        told = []
        year = time.gmtime(self.now()).tm_year
        if year < _FIRST_YEAR:
            told.append(
                f"The clock shows the year {year}: dates of matches will be wrong until it is set. "
                "Connect the box to a network once; play does not need it."
            )
        for group, patterns in _NODES.items():
            nodes = [node for pattern in patterns for node in sorted((self.root / "dev").glob(pattern))]
            closed = [node for node in nodes if not self.may_open(node)]
            if closed and len(closed) == len(nodes):
                name = f"/{closed[0].relative_to(self.root)}"
                told.append(f"The box may not use {name}: {joining(group, whoever_runs())}.")
        if "under-voltage" in (self.throttled() or ()):
            told.append(
                "The power supply gives too little: use the Raspberry Pi's own one, on a short cable."
            )
        return tuple(told)
