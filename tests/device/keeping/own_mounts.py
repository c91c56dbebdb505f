"""Processes with mounts of their own: a tiny disk, a root that cannot be written."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
_UNSHARE = ["unshare", "--mount", *([] if os.geteuid() == 0 else ["--map-root-user"])]


def can_mount() -> bool:
    """Whether this user may have mounts of its own; containers may forbid it."""
    tried = "mount -t tmpfs -o size=1m tmpfs /mnt"
    try:
        return subprocess.run([*_UNSHARE, "sh", "-c", tried], capture_output=True).returncode == 0
    except OSError:
        return False


needs_mounts = pytest.mark.skipif(not can_mount(), reason="this user may not have mounts of its own")


def inside(script: str, *arguments: object, timeout_s: float = 120) -> "subprocess.CompletedProcess[str]":
    """Run a shell script in mounts of its own, with this project's Python as ``$PYTHON``."""
    return subprocess.run(
        [*_UNSHARE, "sh", "-eu", "-c", script, "sh", *map(str, arguments)],
        cwd=ROOT, capture_output=True, text=True, timeout=timeout_s,
        env={**os.environ, "PYTHON": sys.executable, "PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1"},
    )  # fmt: skip
