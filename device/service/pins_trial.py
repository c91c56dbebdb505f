"""Buttons and lamps are tried from the page, by the box that has them: `pipwatch pins` without a terminal.

Each lamp burns for a moment, then the sound is heard; presses are told by name as long as somebody looks, and
mean nothing meanwhile. It ends by itself when the page is gone, so that no table is left with dead buttons.
"""

import threading
import time
from collections.abc import Callable, Sequence
from typing import Final

from device.health.bounce import Edge
from device.health.contacts import ContactReport, reports
from device.live.panel import PINS, Panel
from device.match.lamp_signs import Lamps, Tune
from device.panel.gpio_pins import BUTTONS, LAMPS
from device.panel.show import Show
from device.panel.trial import Trial
from device.settings import Settings
from engine.plain import JsonObject

NOTHING: Final = "No buttons or lamps are set: set their pins in the settings, and restart Pipwatch."
LIT_S: Final = 1.5
"""So long each lamp burns: long enough to look from the page to the table."""
GONE_S: Final = 10.0
"""A page that has asked nothing for so long is gone."""
LONGEST_S: Final = 300.0
_ROUND_S: Final = 0.2
_MOST: Final = 2000
"""Edges that are kept: a contact that chatters without an end must not fill the memory."""
_ON: Final = "########"
_TUNE: Final = Tune("-.-", 880)
_SOUND: Final = "sound"
_KEY: Final = "key_"


class PinsTrial:
    """The trial of one box, for any thread."""

    def __init__(
        self, settings: Settings, panel: Callable[[], Panel | None], ended: Callable[[], None],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:  # fmt: skip
        """``ended`` is called when it is over, so that the lamps show again what they did."""
        self._settings, self._panel, self._ended, self._clock = settings, panel, ended, clock
        self._turn = threading.Lock()
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None
        self._edges: list[Edge] = []
        self._began = self._asked = 0.0
        self._burns = ""

    @property
    def on(self) -> bool:
        """Whether it goes on."""
        return self._thread is not None and self._thread.is_alive()

    def begin(self) -> str:
        """Begin it; why not, if not."""
        with self._turn:
            panel = self._panel()
            if panel is None:
                return NOTHING
            if self.on:
                return ""
            now = self._clock()
            self._stop, self._began, self._asked = threading.Event(), now, now
            self._edges = [(_named(origin, name), True, now) for origin, name in panel.closed]
            self._thread = threading.Thread(target=self._run, args=(panel,), name="pins", daemon=True)
            self._thread.start()
        return ""

    def end(self) -> None:
        """End it, if it goes on: buttons mean again what they do."""
        with self._turn:
            self._stop.set()
            if self._thread is not None:
                self._thread.join(1.0)

    def told(self) -> JsonObject:
        """How it stands; whoever asks is still there."""
        self._asked = now = self._clock()
        edges = self._edges.copy()
        found = reports(self._buttons(), edges, self._began, now) if self.on else []
        return {
            "on": self.on, "burns": self._burns, "lamps": [name for name, _ in self._steps()],
            "buttons": [_told(one, edges) for one in found],
        }  # fmt: skip

    # — the thread —

    def _run(self, panel: Panel) -> None:
        try:
            for name, show in self._steps():
                self._burns = name
                panel.attempt(Trial(Show(show[0], show[1], self._clock()), self._heard))
                if self._stop.wait(LIT_S):
                    return
            self._burns = ""
            panel.attempt(Trial(Show(Lamps(), None, self._clock()), self._heard))
            while not self._stop.wait(_ROUND_S):
                now = self._clock()
                if now - self._asked > GONE_S or now - self._began > LONGEST_S:
                    return
        finally:
            self._burns = ""
            panel.attempt(Trial(Show(Lamps(), None, self._clock())))
            self._ended()

    def _heard(self, origin: str, name: str, closed: bool, at: float) -> None:
        if len(self._edges) < _MOST:
            self._edges.append((_named(origin, name), closed, at))

    def _steps(self) -> Sequence[tuple[str, tuple[Lamps, Tune | None]]]:
        """What is shown, one after the other, of what is wired."""
        pins, sound = self._settings.pins, self._settings.sound
        lit = {"green": Lamps(green=_ON), "amber": Lamps(amber=_ON), "red": Lamps(red=_ON)}
        steps: list[tuple[str, tuple[Lamps, Tune | None]]] = [
            (name, (lit[name], None)) for name in LAMPS if getattr(pins, name) is not None
        ]
        if pins.buzzer is not None or pins.speaker is not None or sound.card:
            steps.append((_SOUND, (Lamps(), _TUNE)))
        return steps

    def _buttons(self) -> Sequence[str]:
        """The buttons by name, wired ones and then keys."""
        wired = [name for name in BUTTONS if getattr(self._settings.pins, name) is not None]
        return [*wired, *(f"{_KEY}{name}" for name in self._settings.keys.buttons.values())]


def _named(origin: str, name: str) -> str:
    return name if origin == PINS else f"{_KEY}{name}"


def _told(one: ContactReport, edges: Sequence[Edge]) -> JsonObject:
    down = next((closed for name, closed, _ in reversed(edges) if name == one.name), False)
    return {
        "name": one.name.removeprefix(_KEY), "keypad": one.name.startswith(_KEY), "down": down,
        "presses": one.presses, "wrong": one.wrong,
    }  # fmt: skip
