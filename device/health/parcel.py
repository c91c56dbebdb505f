"""The package that Pipwatch was installed by: whether it is whole, and of one version.

Only the standard library is used here: this has to work where little else does.
"""

import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path

from device.health.finding import Finding, fails, ok

HOME = Path(__file__).parents[2]
MARK = "BUILD"
"""A file in both halves of the package, the code and the libraries it carries, that names the build."""
_SETTLED = ("", "installed", "triggers-pending", "triggers-awaited")
"""What dpkg says of a package that is set up; nothing where it is not there to ask."""
_AGAIN = "sudo apt install --reinstall ./pipwatch_*.deb"
_FINISH = f"sudo dpkg --configure -a, and if that does not help {_AGAIN}"
_WAIT_S = 60.0
"""How long dpkg may take to read all files of the package from a slow card."""

Say = Callable[[Sequence[str]], str]
"""Runs a program and gives what it prints."""


def said(command: Sequence[str]) -> str:
    """What a program prints; nothing where it is not there or hangs."""
    try:
        return subprocess.run(command, capture_output=True, text=True, timeout=_WAIT_S).stdout
    except (OSError, subprocess.TimeoutExpired):
        return ""


def parcel(home: Path = HOME, say: Say = said) -> Finding | None:
    """What there is to say of the package, or None where Pipwatch runs from somewhere else."""
    if not (home / MARK).exists() and not (home / "carried").exists():
        return None
    if half := _half(home, say):
        return fails("package", half, _FINISH)
    if broken := _broken(home, say):
        return fails("package", broken, _AGAIN)
    return ok("package", (home / MARK).read_text().split()[0])


def trouble(home: Path = HOME, say: Say = said) -> str:
    """What is wrong with the package and what to do about it in one sentence, or nothing."""
    found = parcel(home, say)
    return f"{found.words}; {found.remedy}" if found is not None and found.remedy else ""


def _half(home: Path, say: Say) -> str:
    """In how far an update broke off, or nothing."""
    state = say(["dpkg-query", "--showformat", "${db:Status-Status}", "--show", "pipwatch"]).strip()
    if state not in _SETTLED:
        return f"an update broke off, and dpkg calls the package {state}"
    marks = [mark.read_text() if mark.exists() else "" for mark in (home / MARK, home / "carried" / MARK)]
    if marks[0] != marks[1]:
        return "an update broke off: the code and the libraries it carries are of two builds"
    return ""


def _broken(home: Path, say: Say) -> str:
    """Which files are not as they were packed, or nothing."""
    lines = say(["dpkg", "--verify", "pipwatch"]).splitlines()
    files = [line.split()[-1] for line in lines if line.split()[-1:] and str(home) in line]
    if not files:
        return ""
    more = f" and {len(files) - 1} more" if len(files) > 1 else ""
    return f"the package is damaged: {files[0]}{more} is not as it was packed"
