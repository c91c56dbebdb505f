"""Lamps, buttons, buzzer and sound card, as far as they can be had: pins and card fail each alone."""

from collections.abc import Callable

from device.panel.gpio_pins import PanelError, Pins, Wired
from device.panel.show import Show
from device.panel.sound_card import SoundCard


class Fittings:
    """What a panel shows and sounds with. Button edges go to ``heard``, as those of ``Wired`` do."""

    def __init__(self, pins: Pins, card: str, heard: Callable[[str, bool, float], None]) -> None:
        self.unwired: PanelError | None = None
        """Why there is nothing at the pins, where something should be."""
        self.soundless: PanelError | None = None
        """The same of the sound card."""
        try:
            self.wired = Wired(pins, heard)
        except PanelError as wrong:
            self.unwired, self.wired = wrong, Wired(Pins(), heard)
        self.card: SoundCard | None = None
        try:
            self.card = SoundCard(card) if card else None
        except PanelError as wrong:
            self.soundless = wrong
        self._played = float("-inf")
        """When the tune began that the sound card has played last."""

    @property
    def problems(self) -> tuple[str, ...]:
        """What is missing now, each in a sentence."""
        pins = f"{str(self.unwired).rstrip('.')}. Buttons of the page stand in." if self.unwired else ""
        card = str(self.soundless or "") or (self.card.problem if self.card is not None else "")
        return tuple(filter(None, (pins, card)))

    def tell(self, show: Show, now: float) -> None:
        """Make lamps and sounds what they are to be now."""
        try:
            self.wired.light(*show.lit(now))
            self.wired.sound(show.tune.hz if show.tune and show.sounds(now) else None)
        except Exception as wrong:  # each pin factory has errors of its own; keypad and card go on
            self._lose_pins(wrong)
        if self.card is not None and show.tune is not None and show.began > self._played:
            self._played = show.began
            self.card.play(show.tune)

    def _lose_pins(self, wrong: Exception) -> None:
        """Go on without what is wired: it answered at first, and does no more."""
        self.unwired = PanelError(f"The pins cannot be used: {str(wrong).rstrip('.')}.")
        lost, self.wired = self.wired, Wired(Pins(), lambda *_: None)
        lost.close()

    def close(self) -> None:
        """Lamps off, silence."""
        self.wired.close()
        if self.card is not None:
            self.card.close()
