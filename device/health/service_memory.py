"""How much memory the service holds, at rest or in play, before the field report stops it.

Raspberry Pi OS counts no memory by groups of processes unless it is told to: the processes are asked.
"""

import os
import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from device.health.field_checks import Unmeasured
from device.health.field_machine import ThisMachine
from device.health.watching import camera_process


@dataclass(frozen=True)
class ServiceMemory:
    """What was found; ``in_play`` tells of which kind it is."""

    words: str = ""
    in_play: bool = False

    def rest(self) -> str:
        """In the lobby."""
        if not self.words or self.in_play:
            raise Unmeasured("a match goes on" if self.in_play else "pipwatch.service does not run")
        return self.words

    def play(self, this: ThisMachine) -> str:
        """In a match; without one what this report has loaded to see the same."""
        return self.words if self.words and self.in_play else memory_in_play(this.root)


def service_memory(this: ThisMachine, health: Mapping[str, Any]) -> ServiceMemory:
    """The memory of the service as it is now; ``health`` is what it tells of itself."""
    group = this.run(["systemctl", "show", "pipwatch.service", "-p", "ControlGroup", "--value"]).strip()
    try:
        told = (this.root / f"sys/fs/cgroup{group}/cgroup.procs").read_text(encoding="ascii")
    except OSError:
        return ServiceMemory()
    processes = [int(line) for line in told.split()]
    held = held_bytes(processes, this.root) if group else None
    if held is None or not health:
        return ServiceMemory()
    camera = dict(health.get("camera") or {}).get("state", "none")
    words = f"{held / 1e6:.0f} MB in {len(processes)} processes, its camera {camera}"
    return ServiceMemory(words, in_play=health.get("game") is not None)


def memory_in_play(root: Path = Path("/")) -> str:
    """What this process and its camera's hold by now: all that a match loads to see."""
    child = camera_process(root)
    held = held_bytes([os.getpid(), *([] if child is None else [child])], root)
    if held is None:
        raise Unmeasured("the system does not say it")
    return f"{held / 1e6:.0f} MB, of this watch and reading{'' if child is None else ' with its camera'}"


def held_bytes(processes: Sequence[int], root: Path = Path("/")) -> int | None:
    """The memory of processes, what they share counted once; None where the system does not say it."""
    found = []
    for number in processes:
        with suppress(OSError):  # it may be gone by now
            told = (root / f"proc/{number}/smaps_rollup").read_text(encoding="ascii", errors="replace")
            if (one := re.search(r"^Pss:\s+(\d+) kB", told, re.MULTILINE)) is not None:
                found.append(1024 * int(one[1]))
    return sum(found) if found else None
