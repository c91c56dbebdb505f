"""The thread that holds the journal: it writes what it is told in order, and says when it is on the disk."""

import queue
import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from device.journal.store import Journal, JournalError
from device.live.messages import Heard, Message
from device.match.match import Keep
from device.match.signals import Kind, Told

_BARE: Final = "Written without its pictures: the disk has no room for them."


@dataclass(frozen=True, slots=True)
class Load:
    """How much the writer has to do, in orders and seconds."""

    queue: int = 0
    """Orders that are not on the disk yet, the one that is just being written among them."""
    age_s: float = 0.0
    """How long the oldest of them has waited."""
    writing_s: float = 0.0
    """How long the disk has been at the one that is just being written; 0 while it is at none."""
    last_commit_s: float | None = None
    """How long ago the last one was done, or None where none was yet."""


class Writer:
    """One journal, one thread."""

    def __init__(self, journal: Journal, tell: Callable[[Message], None]) -> None:
        self._journal, self._tell = journal, tell
        self._orders: queue.SimpleQueue[Keep | None] = queue.SimpleQueue()
        self._since: deque[float] = deque()
        """When each order came that is not done yet, the oldest first."""
        self._begun: float | None = None
        self._done: float | None = None
        self._thread = threading.Thread(target=self._run, name="journal", daemon=True)
        self._thread.start()

    def keep(self, order: Keep) -> None:
        """Write these events; KEPT or NOT_KEPT will say how it went."""
        self._since.append(time.monotonic())
        self._orders.put(order)

    def load(self) -> Load:
        """How it stands; may be asked from any thread."""
        now, waiting, begun, done = time.monotonic(), list(self._since), self._begun, self._done
        return Load(
            len(waiting),
            now - waiting[0] if waiting else 0.0,
            0.0 if begun is None else now - begun,
            None if done is None else now - done,
        )

    def close(self, timeout_s: float) -> bool:
        """Write what is still to be written and let go of the journal; whether that was done in time."""
        self._orders.put(None)
        self._thread.join(timeout_s)
        return not self._thread.is_alive()

    def _run(self) -> None:
        broken = False
        while (order := self._orders.get()) is not None:
            # After a failure nothing may be written out of order: all of it comes again, marked so.
            if broken and not order.again:
                self._since.popleft()
                continue
            self._begun = time.monotonic()
            broken = not self._written(order)
            self._begun, self._done = None, self._done if broken else time.monotonic()
            self._since.popleft()
        self._journal.close()

    def _written(self, order: Keep) -> bool:
        """Write one order and say how it went."""
        try:
            events = self._journal.append(order.drafts)
        except JournalError as wrong:
            self._tell(Heard(Told(Kind.NOT_KEPT, str(wrong))))
            return False
        pairs = zip(order.drafts, events, strict=True)
        bare = any(draft.pictures and not event.pictures for draft, event in pairs)
        self._tell(Heard(Told(Kind.KEPT, _BARE if bare else "", len(order.drafts))))
        return True
