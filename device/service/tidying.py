"""Old pictures give way while the box runs: after each match, and once a day while nobody plays.

It is done in a thread of its own. A match that is wanted has it stop, and waits for no more than the one
journal that is just being made smaller: this may be the match that is wanted.
"""

import threading
import time
from collections.abc import Callable
from typing import Final

DAY_S: Final = 86_400.0
Stopped = Callable[[], bool]


class Tidying:
    """When it is time for it, and who has it stop."""

    def __init__(
        self, work: Callable[[Stopped], object], clock: Callable[[], float] = time.monotonic
    ) -> None:
        """``work`` brings order, and asks between its steps whether it is to stop."""
        self._work, self._clock = work, clock
        self._due_s = clock() + DAY_S
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None

    def match_closed(self) -> None:
        """A match has added to what is kept."""
        self._due_s = self._clock()

    def look(self) -> None:
        """Begin with it if it is time; said while the box is in its lobby."""
        now = self._clock()
        if now < self._due_s or (self._thread is not None and self._thread.is_alive()):
            return
        self._due_s = now + DAY_S
        self._stop.clear()
        self._thread = threading.Thread(
            target=self._work, args=(self._stop.is_set,), name="tidying", daemon=True
        )
        self._thread.start()

    def make_way(self) -> None:
        """Stop, since a match is wanted; what is left is done after it."""
        self._stop.set()
        if self._thread is not None:
            self._thread.join()
