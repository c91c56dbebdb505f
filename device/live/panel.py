"""The thread that holds lamps and buttons, and the one that listens to the keyboard."""

import queue
import sys
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from typing import TextIO

from device.live.messages import Heard, Message
from device.match.match import Match
from device.match.phase import Phase
from device.match.signs import SIGNS, Lamps, lamps
from device.panel.debounce import Contact
from device.panel.gestures import Grip
from device.panel.keyboard import signal_of
from device.panel.pins import BUTTONS, Pins, Wired
from device.panel.show import Show
from device.panel.wish import Wish

Edge = tuple[str, bool, float]


class Panel:
    """Lamps and buzzer that show the match, and buttons that reach it. A teller for the referee."""

    def __init__(
        self, pins: Pins, quiet: tuple[str, ...], say: Callable[[Message], None],
        wish: Callable[[Wish], None] = lambda _: None,
    ) -> None:  # fmt: skip
        """``say`` hears each press, ``wish`` what buttons mean that are held."""
        self._said: queue.SimpleQueue[Edge | Show | None] = queue.SimpleQueue()
        self._wired = Wired(pins, lambda name, closed, at: self._said.put((name, closed, at)))
        self._quiet, self._say, self._wish = quiet, say, wish
        self._grip = Grip()
        self._phase: Phase | None = None
        self._lamps: Lamps | None = None
        self._thread = threading.Thread(target=self._run, name="panel", daemon=True)
        self._thread.start()

    def tell(self, match: Match, _at: float) -> None:
        """Show the match as it is now; a phase that is entered is also heard."""
        shown, tune = lamps(match), None
        if match.phase is not self._phase and str(match.phase) not in self._quiet:
            tune = SIGNS[match.phase].tune
        if shown != self._lamps or tune is not None:
            self._said.put(Show(shown, tune, time.monotonic()))
        self._phase, self._lamps = match.phase, shown

    def show(self, shown: Lamps) -> None:
        """Show this while there is no match."""
        self._phase, self._lamps = None, shown
        self._said.put(Show(shown, None, time.monotonic()))

    def close(self, timeout_s: float) -> None:
        """Lamps off, silence."""
        self._said.put(None)
        self._thread.join(timeout_s)

    def _run(self) -> None:
        contacts = dict.fromkeys(BUTTONS, Contact())
        show = Show(Lamps(), None, time.monotonic())
        try:
            while True:
                with suppress(queue.Empty):
                    said = self._said.get(timeout=self._patience(show, contacts))
                    if said is None:
                        return
                    if isinstance(said, Show):
                        # A tune that is under way is heard to its end, unless another one begins.
                        show = said if said.tune or not show.tune else replace(show, lamps=said.lamps)
                    else:
                        name, closed, at = said
                        self._press(contacts, name, contacts[name].edge(closed, at), at)
                now = time.monotonic()
                if not self._said.empty():
                    continue  # an edge that waits may be older than now: it counts first
                for name, contact in contacts.items():
                    self._press(contacts, name, contact.time(now), now)
                self._mean(self._grip.time(now))
                self._wired.light(*show.lit(now))
                self._wired.sound(show.tune.hz if show.tune and show.sounds(now) else None)
        finally:
            self._wired.close()

    def _press(self, contacts: dict[str, Contact], name: str, found: tuple[Contact, bool], at: float) -> None:
        before = contacts[name].pressed
        contacts[name], pressed = found
        if contacts[name].pressed != before:
            self._mean(self._grip.step(name, contacts[name].pressed, at))
        if pressed:
            self._say(Heard(BUTTONS[name]))

    def _mean(self, found: tuple[Grip, tuple[Wish, ...]]) -> None:
        """Pass on what buttons mean that have been held for so long."""
        self._grip, meant = found
        for wish in meant:
            self._wish(wish)

    def _patience(self, show: Show, contacts: dict[str, Contact]) -> float | None:
        now = time.monotonic()
        dues = (show.next(now), self._grip.due, *(one.due for one in contacts.values()))
        due = [at for at in dues if at is not None]
        return max(0.0, min(due) - now) if due else None


def listen(
    say: Callable[[Message], None],
    lines: TextIO = sys.stdin,
    more: Mapping[str, Callable[[], None]] | None = None,
) -> threading.Thread:
    """Hear what is typed, line by line, until there is no more; ``more`` are words that do something else."""

    def run() -> None:
        for line in lines:
            if more and (act := more.get(line.strip().lower())):
                act()
                continue
            signal = signal_of(line)
            if signal is not None:
                say(Heard(signal))

    thread = threading.Thread(target=run, name="keyboard", daemon=True)
    thread.start()
    return thread
