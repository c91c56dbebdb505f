"""What lamps and buzzer show when more than a match wants to be told, as pure logic.

The match lies beneath. A button that is being held is told above it, and so is what was asked of the box,
for as long as that is at work and a moment at least.
"""

from dataclasses import dataclass, replace

from device.match.lamp_signs import LampSign
from device.panel.show import Show
from device.panel.wish import DONE, FAILED, GRANTED, HOLDING, SIGN_S, Wish


@dataclass(frozen=True, slots=True)
class Above:
    """A sign above that of the match."""

    show: Show
    until: float | None
    """When it ends by itself."""
    wish: Wish | None = None


@dataclass(frozen=True, slots=True)
class Showing:
    """The sign beneath and the one above it."""

    under: Show
    above: Above | None = None

    @property
    def now(self) -> Show:
        """What is to be seen and heard."""
        return self.under if self.above is None else self.above.show

    def beneath(self, show: Show) -> "Showing":
        """The match, or the lobby, shows something else: a tune under way is heard to its end."""
        goes_on = self.under.tune is not None and show.tune is None
        return replace(self, under=replace(self.under, lamps=show.lamps) if goes_on else show)

    def at(self, now: float, *, held: bool) -> "Showing":
        """The same at a later time; ``held`` while a button is held that will ask something of the box."""
        above = self.above
        if above is not None and above.until is not None and above.until <= now:
            above = None
        if held and above is None:
            above = Above(_begun(HOLDING, now), None)
        if not held and above is not None and above.until is None and above.wish is None:
            above = None
        return self if above is self.above else replace(self, above=above)

    def asked(self, wish: Wish, now: float) -> "Showing":
        """The box was asked for something: it is at work."""
        return replace(self, above=Above(_begun(GRANTED[wish], now), None, wish))

    def granted(self, wish: Wish, wrong: str, now: float) -> "Showing":
        """It is done, or nothing came of it. A box that goes off shows that to the end."""
        above = self.above
        if wrong:
            return replace(self, above=Above(_begun(FAILED, now), now + SIGN_S))
        if above is None or above.wish is not wish or wish is Wish.SHUTDOWN:
            return self
        least = above.show.began + SIGN_S
        if now < least:
            return replace(self, above=replace(above, until=least))
        return Showing(Show(self.under.lamps, DONE, now))

    def next(self, at: float) -> float | None:
        """When anything may change next by itself, or None if nothing will."""
        until = None if self.above is None else self.above.until
        dues = [due for due in (self.now.next(at), until) if due is not None]
        return min(dues) if dues else None


def _begun(sign: LampSign, now: float) -> Show:
    return Show(sign.lamps, sign.tune, now)
