"""Presses out of the chatter of a contact, without a clock: times come in with what happens.

A contact chatters when it closes and when it opens. It counts as closed once it has been so without a break
for a moment (a spark is shorter), and as open once it has been so for a longer one (the gaps of a chatter are
shorter). One press is one change to closed, however long it is held. Time that was measured is believed, not
time that has passed here: edges that come late, all at once, give the same presses.
"""

from dataclasses import dataclass, replace
from typing import Final

CLOSED_S: Final = 0.004
"""So long without a break a contact is closed before that is a press."""
OPEN_S: Final = 0.012
"""So long without a break it is open before the next press can begin."""


@dataclass(frozen=True, slots=True)
class Contact:
    """One button's contact, as it was last heard of."""

    closed: bool = False
    """As the wire says."""
    since: float = 0.0
    pressed: bool = False
    """As it counts."""

    def edge(self, closed: bool, at: float) -> tuple["Contact", bool]:
        """The contact after the wire changed, and whether that ended in a press."""
        settled, press = self.time(at)
        if closed is settled.closed:
            return settled, press  # said twice
        return replace(settled, closed=closed, since=at), press

    def time(self, at: float) -> tuple["Contact", bool]:
        """The contact at a later time, and whether it counts as pressed since."""
        if self.due is None or at < self.due:
            return self, False
        return replace(self, pressed=self.closed), self.closed

    @property
    def due(self) -> float | None:
        """When it will count as pressed or released if the wire stays as it is."""
        if self.closed is self.pressed:
            return None
        return self.since + (CLOSED_S if self.closed else OPEN_S)
