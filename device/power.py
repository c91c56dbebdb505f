"""Switching the machine off: logind is asked, and polkit grants it to the service."""

import subprocess
from collections.abc import Callable, Sequence
from typing import Final

LOGIND: Final = (
    "busctl", "call", "org.freedesktop.login1", "/org/freedesktop/login1", "org.freedesktop.login1.Manager",
)  # fmt: skip
ASKED: Final = (*LOGIND, "PowerOff", "b", "false")
MAY: Final = (*LOGIND, "CanPowerOff")
_PATIENCE_S: Final = 10.0
Runner = Callable[[Sequence[str]], str]
"""What a command says; raises OSError in its own words where it fails."""


def refusal(run: Runner | None = None) -> str:
    """Why the machine would not be switched off, in a sentence, or nothing. It stays as it is."""
    try:
        answer = (run or _run)(MAY).strip()
    except OSError as wrong:
        return _refused(str(wrong))
    # "na", "no", or "challenge": somebody would have to enter a password.
    return "" if answer == 's "yes"' else _refused(f"logind says {answer or 'nothing'}")


def power_off(run: Runner | None = None) -> str:
    """Ask for it; the sentence that says why it was refused, or nothing."""
    try:
        (run or _run)(ASKED)
    except OSError as wrong:
        return _refused(str(wrong))
    return ""


def _refused(why: str) -> str:
    return f"The machine could not be switched off ({why.rstrip('.')}): sudo poweroff does it."


def _run(command: Sequence[str]) -> str:
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=_PATIENCE_S, check=False)
    except subprocess.TimeoutExpired as wrong:
        raise OSError(str(wrong)) from wrong
    if done.returncode:
        raise OSError((done.stderr.strip().splitlines() or ["no reason was given"])[-1])
    return done.stdout
