"""The thread that holds lamps and buttons."""

import queue
import sys
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from device.live.messages import Heard, Message
from device.match.lamp_signs import SIGNS, Lamps, lamps
from device.match.match import Match
from device.match.phase import Phase
from device.panel.fittings import Fittings
from device.panel.gpio_pins import BUTTONS, Pins
from device.panel.keys import Keypad, Keys
from device.panel.press_meaning import Grip, Meaning
from device.panel.show import Show
from device.panel.showing import Showing
from device.panel.trial import Trial
from device.panel.wish import Wish

if TYPE_CHECKING:
    from device.settings import Settings

Edge = tuple[str, str, bool, float]
"""On what, which button, whether it is closed, and when."""
PINS, KEYS = "pins", "keys"


@dataclass(frozen=True, slots=True)
class Gone:
    """A keypad went away: nothing is held on it any more."""


@dataclass(frozen=True, slots=True)
class Granted:
    """What was asked of the box is done, or why nothing came of it."""

    wish: Wish
    wrong: str = ""


Said: TypeAlias = Edge | Show | Granted | Gone | Trial | None


class Panel:
    """Lamps and buzzer that show the match, and buttons that reach it. A teller for the referee."""

    def __init__(
        self, pins: Pins, quiet: tuple[str, ...], say: Callable[[Message], None],
        wish: Callable[[Wish], None] | None = None, *, keys: Keys | None = None, card: str = "",
    ) -> None:  # fmt: skip
        """``say`` hears each press, ``wish`` what is asked of the box, in a thread of its own."""
        self._said: queue.SimpleQueue[Said] = queue.SimpleQueue()
        self.fittings = Fittings(pins, card, lambda *edge: self._said.put((PINS, *edge)))
        if self.fittings.unwired is not None:
            self._said = queue.SimpleQueue()  # what was held before another pin failed is let go by nobody
        self._keys = keys or Keys()
        self._quiet, self._say, self._wish = quiet, say, wish
        names = [name for name in BUTTONS if getattr(pins, name) is not None]
        self._grips = {PINS: Grip.of(names, wishes=wish is not None, closed=self.fittings.wired.stuck)}
        self._let_go()
        self._shown = Showing(Show(Lamps(), None, time.monotonic()))
        self._phase: Phase | None = None
        self._lamps: Lamps | None = None
        self._trial: Trial | None = None
        self._thread = threading.Thread(target=self._run, name="panel", daemon=True)
        self._thread.start()
        self._keypad: Keypad | None = None
        if self._keys.any:
            say_so = self._said.put
            self._keypad = Keypad(self._keys, lambda *edge: say_so((KEYS, *edge)), lambda: say_so(Gone()))

    @property
    def problems(self) -> tuple[str, ...]:
        """What of it cannot be had now, each in a sentence; the rest works all the same."""
        return (*self.fittings.problems, *(self._keypad.problems if self._keypad is not None else ()))

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

    def attempt(self, trial: Trial) -> None:
        """Buttons and lamps are tried: presses mean nothing, as long as somebody hears their edges."""
        self._said.put(trial)

    @property
    def closed(self) -> Sequence[tuple[str, str]]:
        """On what, and which of its buttons read pressed just now."""
        return [(origin, name) for origin, grip in self._grips.items() for name in grip.closed]

    def close(self, timeout_s: float) -> None:
        """Lamps off, silence."""
        if self._keypad is not None:
            self._keypad.close(timeout_s)
        self._said.put(None)
        self._thread.join(timeout_s)

    def _let_go(self) -> None:
        """A keypad begins with no key held."""
        self._grips[KEYS] = Grip.of([*self._keys.buttons.values()], wishes=self._wish is not None)

    def _run(self) -> None:
        try:
            while True:
                with suppress(queue.Empty):
                    said = self._said.get(timeout=self._patience())
                    if said is None:
                        return
                    self._take(said)
                now = time.monotonic()
                if not self._said.empty():
                    continue  # an edge that waits may be older than now: it counts first
                for origin, grip in self._grips.items():
                    self._mean(origin, grip.time(now))
                hints = [hint for grip in self._grips.values() for hint in grip.hints()]
                self._shown = self._shown.at(now, held=any(hint <= now for hint in hints))
                self.fittings.tell(self._shown.now, now)
        finally:
            self.fittings.close()

    def _take(self, said: Edge | Show | Granted | Gone | Trial) -> None:
        if isinstance(said, Show):
            self._shown = self._shown.beneath(said)
        elif isinstance(said, Granted):
            if said.wrong:
                print(f"pipwatch: {said.wrong}", file=sys.stderr, flush=True)
            self._shown = self._shown.granted(said.wish, said.wrong, time.monotonic())
        elif isinstance(said, Gone):
            self._let_go()
        elif isinstance(said, Trial):
            self._trial, self._shown = said if said.heard else None, self._shown.beneath(said.show)
            self._grips = {origin: grip.anew() for origin, grip in self._grips.items()}
        else:
            origin, name, closed, at = said
            if self._trial is not None and self._trial.heard is not None:
                self._trial.heard(origin, name, closed, at)
            self._mean(origin, self._grips[origin].edge(name, closed, at))

    def _mean(self, origin: str, found: tuple[Grip, tuple[Meaning, ...]]) -> None:
        """Pass on what buttons mean."""
        self._grips[origin], meant = found
        for one in () if self._trial is not None else meant:
            if not isinstance(one, Wish):
                self._say(Heard(one))
            elif self._wish is not None:
                self._shown = self._shown.asked(one, time.monotonic())
                threading.Thread(target=self._ask, args=(self._wish, one), name=str(one), daemon=True).start()

    def _ask(self, grant: Callable[[Wish], None], wish: Wish) -> None:
        try:
            grant(wish)
        except Exception as wrong:  # whatever it is: the lamps must not burn for ever for what has failed
            self._said.put(Granted(wish, str(wrong) or type(wrong).__name__))
        else:
            self._said.put(Granted(wish))

    def _patience(self) -> float | None:
        now = time.monotonic()
        dues = [self._shown.next(now)]
        for grip in self._grips.values():
            dues += [grip.due, *(at for at in grip.hints() if at > now)]
        due = [at for at in dues if at is not None]
        return max(0.0, min(due) - now) if due else None


def panel_of(
    settings: "Settings", say: Callable[[Message], None], wish: Callable[[Wish], None] | None = None
) -> Panel | None:
    """The panel that the settings name, if they name one."""
    if not settings.has_panel:
        return None
    quiet, card = settings.sound.quiet, settings.sound.card
    return Panel(settings.pins, quiet, say, wish, keys=settings.keys, card=card)
