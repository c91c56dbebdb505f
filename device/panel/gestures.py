"""What is meant by buttons that are held: the box is switched off, or a phone is let in.

Pure, and on top of the debounced contacts: a press means to a match what it always means, at once; only what
is held long enough means something more, and that once until the buttons are let go. Times come in with what
happens.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from device.panel.wish import Wish

HELD: Final[Mapping[Wish, tuple[frozenset[str], float]]] = {
    Wish.PAIR: (frozenset({"confirm_a", "confirm_b"}), 3.0),
    Wish.SHUTDOWN: (frozenset({"pause"}), 5.0),
}
"""Which buttons are held together for what, and for how many seconds."""


@dataclass(frozen=True)
class Grip:
    """Which buttons are held, and since when."""

    since: Mapping[str, float] = field(default_factory=dict)
    meant: frozenset[Wish] = frozenset()
    """What these buttons have been understood to mean already."""

    @property
    def due(self) -> float | None:
        """When something more will be meant, if the buttons stay as they are."""
        return min((at for _, at in self._coming()), default=None)

    def step(self, name: str, pressed: bool, at: float) -> tuple["Grip", tuple[Wish, ...]]:
        """The grip after a button was pressed or let go, and what was meant until then."""
        grip, meant = self.time(at)
        since = {one: began for one, began in grip.since.items() if one != name}
        if pressed:
            return replace(grip, since={**since, name: at}), meant
        gone = {wish for wish, (buttons, _) in HELD.items() if name in buttons}
        return Grip(since, grip.meant - gone), meant

    def time(self, at: float) -> tuple["Grip", tuple[Wish, ...]]:
        """The grip at a later time, and what is meant by now."""
        meant = tuple(wish for wish, due in self._coming() if due <= at)
        return replace(self, meant=self.meant | frozenset(meant)), meant

    def _coming(self) -> list[tuple[Wish, float]]:
        """What is on the way: nothing is while other buttons are held as well."""
        return [
            (wish, max(self.since.values()) + seconds)
            for wish, (buttons, seconds) in HELD.items()
            if wish not in self.meant and frozenset(self.since) == buttons
        ]
