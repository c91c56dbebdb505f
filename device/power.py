"""Switching the machine off: logind is asked, and polkit grants it to the service."""

import subprocess
from collections.abc import Callable, Sequence
from typing import Final

ASKED: Final = (
    "busctl", "call", "org.freedesktop.login1", "/org/freedesktop/login1", "org.freedesktop.login1.Manager",
    "PowerOff", "b", "false",
)  # fmt: skip
_PATIENCE_S: Final = 10.0
Runner = Callable[[Sequence[str]], str]


def power_off(run: Runner | None = None) -> str:
    """Ask for it; the sentence that says why it was refused, or nothing."""
    wrong = (run or _run)(ASKED)
    if not wrong:
        return ""
    return f"The machine could not be switched off ({wrong.rstrip('.')}): sudo poweroff does it."


def _run(command: Sequence[str]) -> str:
    """Run it; what it says where it fails."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=_PATIENCE_S, check=False)
    except (OSError, subprocess.TimeoutExpired) as wrong:
        return str(wrong)
    return (done.stderr.strip().splitlines() or ["no reason was given"])[-1] if done.returncode else ""
