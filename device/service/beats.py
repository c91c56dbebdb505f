"""Who must beat, so that systemd is told that all is well. Pure: times are passed in.

The camera is left out on purpose: a dead camera must never end a game.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

ENGINE_S: Final = 2.0
"""The referee's loop and the box's own turn at least every half second; four turns missed are no delay."""
QUEUE_S: Final = 5.0
"""An event that waits longer for the disk is told to people. A slow card takes a second at most."""
PAGE_S, PAGE_GONE_S = 1.0, 5.0
"""The page answers a request of this machine's own within so long, or people are told; so long it is
waited for. A machine that is busy with something else answers late, and a restart would make it busier."""
WRITING_S: Final = 60.0
"""No restart mends a disk that takes its time, so it is waited for; after so long it may be our own fault."""


class Pulse:
    """When a loop beat last. Any thread may ask."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._due = clock()

    def beat(self, grace_s: float = 0.0) -> None:
        """The loop turns; within ``grace_s`` it need not again, as while a match is being opened."""
        self._due = self._clock() + grace_s

    @property
    def age_s(self) -> float:
        """How long the next beat is overdue."""
        return max(0.0, self._clock() - self._due)


@dataclass(frozen=True, slots=True)
class Beats:
    """How all that must answer stands."""

    engine_s: float = 0.0
    """How long ago the slower of the two loops, the box's and the referee's, beat."""
    queue_s: float = 0.0
    """How long the oldest event has waited for the disk."""
    writing_s: float = 0.0
    """How long the disk has been at one event."""
    page_s: float | None = 0.0
    """How long the page took to answer, infinite where it did not; None where there is none, because its port
    is taken."""


def late(beats: Beats) -> tuple[str, ...]:
    """What does not answer, a sentence each, whether or not a restart could mend it."""
    told = []
    if beats.engine_s >= ENGINE_S:
        told.append(f"The referee has not answered for {beats.engine_s:.0f} s.")
    if beats.queue_s >= QUEUE_S:
        told.append(f"The disk is slow: an event has waited {beats.queue_s:.0f} s to be kept.")
    if beats.page_s is not None and beats.page_s >= PAGE_S:
        told.append("The page does not answer in time.")
    return tuple(told)


def well(beats: Beats) -> bool:
    """Whether systemd may be told that all is well.

    An event that waits while the disk is at work does not count: the match goes on, it is told, and a restart
    would only lose time. One that waits while the disk is idle shows that the writer itself is gone.
    """
    writer = beats.queue_s < QUEUE_S or 0 < beats.writing_s < WRITING_S
    return beats.engine_s < ENGINE_S and writer and (beats.page_s or 0.0) < PAGE_GONE_S
