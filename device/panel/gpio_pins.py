"""The real buttons, lamps and buzzer, through gpiozero. Other machines have none, or gpiozero's mock pins."""

import time
import warnings
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, fields
from typing import Any, Final

from device.match.signals import Kind, Told
from engine.errors import PipwatchError

BUTTONS: Final[Mapping[str, Told]] = {
    "confirm_a": Told(Kind.CONFIRM, number=1),
    "confirm_b": Told(Kind.CONFIRM, number=2),
    "undo": Told(Kind.UNDO),
    "pause": Told(Kind.PAUSE),
    "as_it_is": Told(Kind.AS_IT_IS),
}
"""What each button says to the match when it is pressed; ``gestures`` knows what holding it means."""
LAMPS: Final = ("green", "amber", "red")
_LATEST_S: Final = 60.0
"""No edge waits longer until it is told: a time before that is one of another clock."""


class PanelError(PipwatchError, OSError):
    """Pins are named that this machine does not have; the message is the sentence for the user."""


@dataclass(frozen=True)
class Pins:
    """Which pin each thing is wired to, by Broadcom's numbers; what is not named is not there.

    Buttons connect their pin with ground; lamps and buzzer are driven high.
    """

    confirm_a: int | None = None
    confirm_b: int | None = None
    undo: int | None = None
    pause: int | None = None
    as_it_is: int | None = None
    """A fifth button: the table is right and the record is not."""
    green: int | None = None
    amber: int | None = None
    red: int | None = None
    buzzer: int | None = None
    speaker: int | None = None
    """A passive buzzer or speaker, which also has a pitch."""

    def __post_init__(self) -> None:
        named = [getattr(self, field.name) for field in fields(self)]
        used = [pin for pin in named if pin is not None]
        if any(not 0 <= pin <= 27 for pin in used):
            raise ValueError("a pin should be a Broadcom number from 0 to 27")
        if len(set(used)) < len(used):
            raise ValueError("two things are wired to the same pin")

    @property
    def any(self) -> bool:
        """Whether anything is wired at all."""
        return any(getattr(self, field.name) is not None for field in fields(self))


_NO_PINS: Final = (
    "No library for pins works here: on a Raspberry Pi `sudo apt install python3-lgpio`; "
    "other machines have no pins."
)


class Wired:
    """The things on the pins. Button edges go to ``heard`` (name, closed, monotonic time) from any thread."""

    def __init__(self, pins: Pins, heard: Callable[[str, bool, float], None]) -> None:
        self._open: list[Any] = []
        self._lamps: dict[str, Any] = dict.fromkeys(LAMPS)
        self._buzzer: Any = None
        self._speaker: Any = None
        self.stuck: frozenset[str] = frozenset()
        """Buttons that read pressed from the beginning."""
        if not pins.any:
            return
        try:
            import gpiozero
        except ImportError:
            raise PanelError("gpiozero is missing: `sudo apt install python3-gpiozero`.") from None
        try:
            with warnings.catch_warnings():  # each library that it tries in vain; the last word is said below
                warnings.simplefilter("ignore", gpiozero.PinFactoryFallback)
                self._wire(gpiozero, pins, heard)
        except gpiozero.BadPinFactory:
            self.close()
            raise PanelError(_NO_PINS) from None
        except Exception as wrong:  # each pin factory has errors of its own
            self.close()
            raise PanelError(f"The pins cannot be used: {str(wrong).rstrip('.')}.") from wrong

    def _wire(self, gpiozero: Any, pins: Pins, heard: Callable[[str, bool, float], None]) -> None:
        for name in BUTTONS:
            if (pin := getattr(pins, name)) is not None:
                # Its own bounce time stays off: gpiozero's loses presses, and debouncing is ours.
                button = gpiozero.Button(pin, pull_up=True, bounce_time=None)
                button.when_pressed = _edge(heard, name, True, button)
                button.when_released = _edge(heard, name, False, button)
                self._open.append(button)
                if button.is_pressed:
                    self.stuck |= {name}
                    heard(name, True, time.monotonic())
        self._lamps = {name: self._made(gpiozero.LED, getattr(pins, name)) for name in LAMPS}
        self._buzzer = self._made(gpiozero.Buzzer, pins.buzzer)
        self._speaker = self._made(gpiozero.TonalBuzzer, pins.speaker)
        self._tone: Any = gpiozero.tones.Tone if pins.speaker is not None else None

    def light(self, green: bool, amber: bool, red: bool) -> None:
        """Make the lamps burn so."""
        for name, lit in zip(LAMPS, (green, amber, red), strict=True):
            if (lamp := self._lamps[name]) is not None:
                lamp.value = int(lit)

    def sound(self, hz: int | None) -> None:
        """Sound at this pitch, or be silent."""
        if self._buzzer is not None:
            self._buzzer.value = int(hz is not None)
        if self._speaker is not None:
            if hz is None:
                self._speaker.stop()
            else:
                low, high = self._speaker.min_tone.frequency, self._speaker.max_tone.frequency
                self._speaker.play(self._tone.from_frequency(min(max(hz, low), high)))

    def close(self) -> None:
        """Lamps off, silence, pins let go."""
        with suppress(Exception):  # a chip that is gone makes no lamp dark; its pins are let go all the same
            self.light(False, False, False)
            self.sound(None)
        self._lamps, self._buzzer, self._speaker = dict.fromkeys(LAMPS), None, None
        for thing in self._open:
            with suppress(Exception):
                thing.close()
        self._open = []

    def _made(self, kind: Callable[[int], Any], pin: int | None) -> Any:
        if pin is None:
            return None
        thing = kind(pin)
        self._open.append(thing)
        return thing


def _edge(
    heard: Callable[[str, bool, float], None], name: str, closed: bool, button: Any
) -> Callable[[], None]:
    """What is called at an edge: it passes on when the kernel saw that, and not when it was told here."""

    def told() -> None:
        late = (button.active_time if closed else button.inactive_time) or 0.0
        heard(name, closed, time.monotonic() - (late if 0.0 < late < _LATEST_S else 0.0))

    return told
