"""The thread that holds the journal: it writes what it is told in order, and says when it is on the disk."""

import queue
import threading
from collections.abc import Callable
from typing import Final

from device.journal.store import Journal, JournalError
from device.live.messages import Heard, Message
from device.match.match import Keep
from device.match.signals import Kind, Told

_BARE: Final = "Written without its pictures: the disk has no room for them."


class Writer:
    """One journal, one thread."""

    def __init__(self, journal: Journal, tell: Callable[[Message], None]) -> None:
        self._journal, self._tell = journal, tell
        self._orders: queue.SimpleQueue[Keep | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._run, name="journal", daemon=True)
        self._thread.start()

    def keep(self, order: Keep) -> None:
        """Write these events; KEPT or NOT_KEPT will say how it went."""
        self._orders.put(order)

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
                continue
            try:
                events = self._journal.append(order.drafts)
                broken = False
                pairs = zip(order.drafts, events, strict=True)
                bare = any(draft.pictures and not event.pictures for draft, event in pairs)
                self._tell(Heard(Told(Kind.KEPT, _BARE if bare else "", len(order.drafts))))
            except JournalError as wrong:
                broken = True
                self._tell(Heard(Told(Kind.NOT_KEPT, str(wrong))))
        self._journal.close()
