"""How the booted system is asked: what a program says, and how long it takes until something is so."""

import subprocess
import time
from collections.abc import Callable


def said(*command: str) -> str:
    """What a program says."""
    done = subprocess.run(command, capture_output=True, text=True)
    return (done.stdout + done.stderr).strip()


def waited(until: Callable[[], bool], patience_s: float = 150, every_s: float = 0.1) -> float | None:
    """How many seconds it took until something was so; None where it never was.

    Where to ask costs a whole program, ask seldom: a processor that is played has no other one for the box.
    """
    began = time.monotonic()
    while time.monotonic() - began < patience_s:
        if until():
            return round(time.monotonic() - began, 1)
        time.sleep(every_s)
    return None
