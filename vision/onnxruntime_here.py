"""Whether onnxruntime can be loaded here: on some processors loading it ends the whole process.

Debian 13's version (1.21) is compiled for processors with arithmetic in half precision. A Pi 4 has none, and
no ``except`` catches an instruction that it does not know. So there another process tries first.
"""

import os
import platform
import subprocess
import sys
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Final

_HALF_PRECISION: Final = "asimdhp"
"""How Linux names it among what an arm64 processor can do."""
_PATIENCE_S: Final = 60.0
"""So long the trying process may take; on a Pi 4 it takes some two seconds."""

# From 1.29 on it tells its makers of each process, and keeps a number of this machine beside what it could
# not send, unless it is told otherwise before it is loaded. What a table shows is nobody's business.
os.environ["ORT_DISABLE_TELEMETRY"] = "1"


@cache
def loads_onnxruntime(processor: Path = Path("/proc/cpuinfo")) -> bool:
    """Whether onnxruntime is installed, and can be loaded without an end to this process."""
    if "onnxruntime" not in sys.modules and find_spec("onnxruntime") is None:
        return False
    if platform.machine() == "aarch64" and _HALF_PRECISION not in _told(processor):
        return _another_process_loads()
    try:
        import onnxruntime  # noqa: F401 — that it loads is all that is asked
    except ImportError:
        return False
    return True


def _told(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""


def _another_process_loads() -> bool:
    """Whether a process with the same libraries outlives loading it."""
    surroundings = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    try:
        done = subprocess.run(
            [sys.executable, "-c", "import onnxruntime"],
            env=surroundings, capture_output=True, timeout=_PATIENCE_S, check=False,
        )  # fmt: skip
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0
