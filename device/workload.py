"""How much is done on this machine: less on a slow one, as its board tells unless the settings do.

What is made smaller is how often the table is looked at. Nothing is read otherwise: all else that was
measured (`pipwatch bench`) saves nothing that matters, or would cost right answers.
"""

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal, TypeAlias

Asked: TypeAlias = Literal["auto", "full", "small"]
"""What ``[service] work`` may say."""

FULL_FPS: Final = 10.0
"""Pictures a second: a hand that comes and goes is seen several times."""
SMALL_FPS: Final = 6.0
"""The gate wants four still pictures in a row, and after a gap of 0.35 s knows that nobody looked."""
_FIRST_FAST: Final = 5
"""The Raspberry Pi that has time to spare: by its maker it is twice to three times as fast as the fourth."""
_PI = re.compile(r"Raspberry Pi(?: Compute Module| Zero)? ?(\d)?")
_MODEL = Path("proc/device-tree/model")


@dataclass(frozen=True)
class Workload:
    """What is done, and why."""

    fps: float
    """At most so often a second the table is looked at."""
    words: str
    """What was chosen and why, in a sentence."""

    @property
    def small(self) -> bool:
        """Whether less is done than could be."""
        return self.fps < FULL_FPS


def workload(asked: Asked, board: str) -> Workload:
    """What is done on a board, by its name; without a name it is no small one."""
    slow = asked == "small" or (asked == "auto" and _is_slow(board))
    why = (
        f'work = "{asked}" is set' if asked != "auto" else f"this is a {board}" if board else "this is no Pi"
    )
    if not slow:
        return Workload(FULL_FPS, f"full: {why}, so the table is looked at {FULL_FPS:g} times a second")
    return Workload(
        SMALL_FPS,
        f"small: {why}, so the table is looked at {SMALL_FPS:g} times a second instead of {FULL_FPS:g}; "
        "what is read stays the same, a ruling comes about 0.2 s later",
    )


def board(root: Path = Path("/")) -> str:
    """What the machine calls itself, where it is a board that does."""
    try:
        told = (root / _MODEL).read_bytes()
    except OSError:
        return ""
    return re.sub(r" Rev [\d.]+$", "", told.rstrip(b"\0").decode("utf-8", "replace").strip())


def _is_slow(name: str) -> bool:
    """Whether this is a Raspberry Pi of an earlier make; the first ones have no number."""
    found = _PI.match(name)
    return found is not None and int(found[1] or 1) < _FIRST_FAST
