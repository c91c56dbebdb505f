"""The thread that holds lamps and buttons, and the one that listens to the keyboard."""

import queue
import sys
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, TextIO, TypeAlias

from device.live.messages import Heard, Message
from device.match.match import Match
from device.match.phase import Phase
from device.match.signs import SIGNS, Lamps, lamps
from device.panel.gestures import Grip, Meaning
from device.panel.keyboard import signal_of
from device.panel.pins import BUTTONS, Pins, Wired
from device.panel.show import Show
from device.panel.showing import Showing
from device.panel.wish import Wish

if TYPE_CHECKING:
    from device.settings import Settings

Edge = tuple[str, bool, float]


@dataclass(frozen=True, slots=True)
class Granted:
    """What was asked of the box is done, or why nothing came of it."""

    wish: Wish
    wrong: str = ""


Said: TypeAlias = Edge | Show | Granted | None


class Panel:
    """Lamps and buzzer that show the match, and buttons that reach it. A teller for the referee."""

    def __init__(
        self, pins: Pins, quiet: tuple[str, ...], say: Callable[[Message], None],
        wish: Callable[[Wish], None] | None = None,
    ) -> None:  # fmt: skip
        """``say`` hears each press, ``wish`` what is asked of the box, in a thread of its own."""
        self._said: queue.SimpleQueue[Said] = queue.SimpleQueue()
        self._wired = Wired(pins, lambda name, closed, at: self._said.put((name, closed, at)))
        self._quiet, self._say, self._wish = quiet, say, wish
        names = [name for name in BUTTONS if getattr(pins, name) is not None]
        self._grip = Grip.of(names, wishes=wish is not None, closed=self._wired.stuck)
        self._shown = Showing(Show(Lamps(), None, time.monotonic()))
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
                self._mean(self._grip.time(now))
                self._shown = self._shown.at(now, held=any(hint <= now for hint in self._grip.hints()))
                show = self._shown.now
                self._wired.light(*show.lit(now))
                self._wired.sound(show.tune.hz if show.tune and show.sounds(now) else None)
        finally:
            self._wired.close()

    def _take(self, said: Edge | Show | Granted) -> None:
        if isinstance(said, Show):
            self._shown = self._shown.beneath(said)
        elif isinstance(said, Granted):
            if said.wrong:
                print(f"pipwatch: {said.wrong}", file=sys.stderr, flush=True)
            self._shown = self._shown.granted(said.wish, said.wrong, time.monotonic())
        else:
            self._mean(self._grip.edge(*said))

    def _mean(self, found: tuple[Grip, tuple[Meaning, ...]]) -> None:
        """Pass on what buttons mean."""
        self._grip, meant = found
        for one in meant:
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
        dues = (self._shown.next(now), self._grip.due, *(at for at in self._grip.hints() if at > now))
        due = [at for at in dues if at is not None]
        return max(0.0, min(due) - now) if due else None


def panel_of(
    settings: "Settings", say: Callable[[Message], None], wish: Callable[[Wish], None] | None = None
) -> Panel | None:
    """The panel that the settings name, if they name one; raises PanelError."""
    if not settings.pins.any:
        return None
    return Panel(settings.pins, settings.sound.quiet, say, wish)


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
