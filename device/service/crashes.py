"""Three crashes of the service in ten minutes: then it starts without vision, and says so.

What is remembered lies in one small file. Times are those since the machine was switched on, since the clock
of a Raspberry Pi may show 1970; a crash counts only until the machine is switched off. A plug that was pulled
is no crash of ours, and is told from one by the machine's own name of this start.
"""

import json
import os
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

WINDOW_S: Final = 600.0
"""Crashes are counted over so long."""
WITHOUT_VISION: Final = 3
"""After so many the box starts without vision: what looks is by far the largest part that can fail."""
WITHOUT_MATCH: Final = 5
"""After so many, two of them without vision, no match goes on by itself: it may be what fails."""
GOOD_S: Final = 60.0
"""A box that has run for so long is good again."""
BOOT: Final = Path("/proc/sys/kernel/random/boot_id")


@dataclass(frozen=True, slots=True)
class Crashes:
    """What is known of earlier runs since the machine was switched on."""

    boot: str = ""
    running: bool = False
    """Whether a run has begun and not ended in order."""
    at_s: tuple[float, ...] = ()
    """When crashes were noticed, in seconds since the machine was switched on."""

    @property
    def sight(self) -> bool:
        """Whether vision is to be started."""
        return len(self.at_s) < WITHOUT_VISION

    @property
    def goes_on(self) -> bool:
        """Whether a match that was going on is gone on with by itself."""
        return len(self.at_s) < WITHOUT_MATCH


def started(known: Crashes, boot: str, now: float) -> Crashes:
    """The service starts: if it ran before in this boot and did not end in order, it crashed."""
    if known.boot != boot:
        return Crashes(boot, running=True)
    crashed = (*known.at_s, now) if known.running else known.at_s
    return Crashes(boot, running=True, at_s=tuple(at for at in crashed if 0 <= now - at <= WINDOW_S))


def ended(known: Crashes) -> Crashes:
    """The service ends in order."""
    return replace(known, running=False)


def forgiven(known: Crashes) -> Crashes:
    """The service runs well, or somebody wants to try again."""
    return replace(known, at_s=())


# — the file —


class CrashFile:
    """The file in which this is kept. One that is torn, or cannot be written, counts as none."""

    def __init__(self, path: Path, *, boot: Path = BOOT, clock: Callable[[], float] = time.monotonic) -> None:
        self._path, self._boot, self._clock = path, boot, clock
        self.known = Crashes()

    def start(self) -> Crashes:
        """The service starts."""
        boot = ""
        with suppress(OSError):
            boot = self._boot.read_text(encoding="ascii").strip()
        return self._keep(started(_read(self._path), boot, self._clock()))

    def end(self) -> None:
        """The service ends in order."""
        self._keep(ended(self.known))

    def forgive(self) -> None:
        """Forget the crashes."""
        if self.known.at_s:
            self._keep(forgiven(self.known))

    def _keep(self, known: Crashes) -> Crashes:
        self.known = known
        told = {"boot": known.boot, "running": known.running, "at_s": list(known.at_s)}
        with suppress(OSError):  # a disk that cannot be written is told elsewhere, and stops nobody
            self._path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            fresh = self._path.with_name(f"{self._path.name}.new")
            with fresh.open("w", encoding="ascii") as file:
                json.dump(told, file)
                file.flush()
                os.fsync(file.fileno())
            fresh.replace(self._path)
        return known


def _read(path: Path) -> Crashes:
    try:
        told: Any = json.loads(path.read_bytes())
        return Crashes(str(told["boot"]), bool(told["running"]), tuple(float(at) for at in told["at_s"]))
    except (OSError, ValueError, TypeError, KeyError, RecursionError, OverflowError):
        return Crashes()
