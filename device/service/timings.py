"""How long gate and readers take, of the last looks alone: a box that runs for months keeps no more."""

from collections import deque
from statistics import median
from typing import Final

from device.live.ports import Shot
from device.live.stopwatch import Stopwatch
from device.match.match import Match

_KEPT: Final = 100
"""Looks whose times are kept: some ten seconds of the gate, and the readings of about a game."""


class Timings(Stopwatch):
    """A stopwatch around one match that keeps no pictures."""

    def __init__(self) -> None:
        super().__init__()
        self._recent: dict[str, deque[float]] = {}

    def tell(self, match: Match, _at: float) -> None:
        """Rulings are not timed."""

    def began(self, shot: Shot) -> None:
        """Frames are not kept."""

    def spent(self, name: str, seconds: float) -> None:
        """So much time went into a stage."""
        self._recent.setdefault(name, deque(maxlen=_KEPT)).append(seconds)

    def typical_ms(self, name: str) -> float | None:
        """The median of a stage in milliseconds, or None where there was none yet."""
        known = list(self._recent.get(name, ()))
        return round(1000 * median(known), 1) if known else None
