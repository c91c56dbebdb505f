"""A camera in a process of its own: when it hangs it is killed and started anew, and the game goes on."""

import sys
import time
import zlib
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from threading import Condition
from typing import Any, Protocol, TypeAlias

from device.cameras.frames import DOING, Frame, FrameKind
from device.cameras.last_told import CameraMemory
from device.cameras.lifeline import FOCUS, LARGE, MOST_LARGE
from device.cameras.process import CameraProcess
from device.cameras.watchdog import Order, Patience, Watchdog
from device.live.ports import MOST_SHARE, Away, Shot, Vitals

_LOOK_S = 0.1
_RATE_S = 5.0
"""Pictures a second are counted over so long."""
_LEAST_RATE = 2.5
"""With fewer pictures a second hands may come and go unseen: no gate calls such a table settled."""
_BEGUN_S, _BEGUN_RATE = 1.4, _LEAST_RATE / 2
"""A camera that has just begun is counted over so short a time, and may not have found its pace yet."""


class Filming(Protocol):
    """Somebody who films: a process, or its double under a clock of its own."""

    def ask(self, line: bytes) -> bool:
        """Send a request; whether there is somebody to hear it."""

    def ended(self) -> bool:
        """Whether it is gone."""

    def kill(self) -> str:
        """End it, whatever it does; the last line that it said."""


Opened: TypeAlias = Callable[[Callable[[Frame], None]], Filming]


class Apart:
    """A source whose camera runs apart.

    A camera's own ``stop`` and ``close`` can wait for ever once it hangs, so neither is ever called: the
    process is killed.
    """

    recorded = False

    def __init__(
        self, command: Sequence[str] | Opened, words: str, patience: Patience | None = None,
        clock: Callable[[], float] = time.monotonic,
        wait: Callable[[Condition, float], object] = Condition.wait, memory: CameraMemory | None = None,
    ) -> None:  # fmt: skip
        """``command`` is a program that writes frames to its stdout; ``words`` name the camera.

        Where there is a ``memory``, what it keeps is the program's last argument."""
        self._words, self._clock, self._wait = words, clock, wait
        self._opened = command if callable(command) else lambda take: CameraProcess(self._line(command), take)
        self.memory = memory
        self.watchdog = Watchdog(patience)
        self._child: Filming | None = None
        self._news = Condition()
        self._newest: Frame | None = None
        self._large: list[Shot] = []
        self._relit = False
        """Whether the exposure was changed in a frame that nobody took."""
        self._came_s: deque[float] = deque()
        """When the last frames came."""
        self._first_s: float | None = None
        """Since when frames are to come: the process has said what it films, or sent one, and is not busy."""
        self._since_s = clock()
        """Since when there has been no new frame, or this source."""
        self.told: Mapping[str, Any] = {}
        """What the camera's process has said of itself."""
        self._print = -1
        self._number = 0
        self._why = self._amiss = ""
        """Why its process ended, and what it says is amiss with its pictures."""
        self._does_else = False
        """Whether what it said last is what it does instead of sending pictures."""

    def next(self, timeout_s: float) -> Shot | Away | None:
        """The newest frame that was not given before; why there is none once it has been missed for long."""
        until = self._clock() + timeout_s
        while True:
            self._keep_alive()
            with self._news:
                if self._newest is None:
                    self._wait(self._news, min(_LOOK_S, max(0.0, until - self._clock())))
                found, self._newest = self._newest, None
                relit, self._relit = self._relit, found is None and self._relit
            now = self._clock()
            if found is not None and not self._is_slow(now) and not self.watchdog.freezes:
                self._number += 1
                return Shot(self._number - 1, found.at_s, found.picture, relit)
            if now >= until:
                return Away(self._away(now), self._is_busy())

    def ask_large(self, count: int = 1, share: float = MOST_SHARE) -> bool:
        """Ask for the next pictures larger by so much, or at the camera's full size; whether it has any."""
        if self._child is None or not self._has_larger():
            return False
        with self._news:
            self._large = []
        return self._child.ask(b"%s %d %.4f\n" % (LARGE, count, share))

    def came_large(self) -> Sequence[Shot]:
        """The large pictures that have come since they were asked for."""
        with self._news:
            found, self._large = self._large, []
        return tuple(found)

    def vitals(self) -> Vitals:
        """How it is; from any thread."""
        now = self._clock()
        with self._news:
            rate, age_s = self._rate(now), now - self._since_s
        words = self._away(now) or str(self.told.get("words", ""))
        return Vitals(age_s, max(0, self.watchdog.restarts), rate, words)

    def focus_again(self) -> bool | None:
        """Ask it to focus anew; whether it can, None as long as nobody knows."""
        if self._child is None or "focuses" not in self.told:
            return None
        return bool(self.told["focuses"]) and self._child.ask(FOCUS + b"\n")

    def close(self) -> None:
        """End the process."""
        if self._child is not None:
            self._end()

    def _keep_alive(self) -> None:
        now = self._clock()
        if self._child is not None and self._child.ended():
            self._end()
        order = self.watchdog.order(now)
        if order is Order.KILL:
            self._why = self._amiss or "it hangs"
            self._end(hung=True)
        elif order is Order.START:
            self._start()

    def _start(self) -> None:
        self.watchdog.started(self._clock())
        self._first_s = None
        self._child = self._opened(self._take)

    def _line(self, command: Sequence[str]) -> list[str]:
        return [*command] if self.memory is None else [*command, self.memory.text()]

    def _take(self, found: Frame) -> None:
        """What comes from the process, in the thread that empties its pipe."""
        if found.kind is FrameKind.WORDS and DOING in found.words:
            self._amiss, self._does_else = str(found.words[DOING]), True
            self.watchdog.busy(self._clock())
            self._first_s = None  # pictures that were not to come do not make it a slow one
            return
        if found.kind is FrameKind.WORDS:
            if self.memory is not None:
                self.memory.hear(found.words)
            self.told = {**self.told, **found.words}
            self._amiss, self._does_else = str(found.words.get("why", "")), False
            self._first_s = self._clock() if self._first_s is None else self._first_s
            return
        if found.kind is FrameKind.LARGE:
            with self._news:
                self._large.append(Shot(self._number, found.at_s, found.picture))
                del self._large[:-MOST_LARGE]  # nobody fetches them
            return
        mark = zlib.adler32(found.picture[::8, ::8].tobytes())
        now = self._clock()
        with self._news:
            # A driver that sends the same picture again and again hangs, too.
            if mark != self._print:
                if self.watchdog.starts or self._first_s is None:
                    # What a first picture waits for is no pace: it may take long, whatever follows it.
                    self._first_s = now
                self._print, self._why, self._amiss, self._does_else = mark, "", "", False
                self.watchdog.frame(now)
                self._came_s.append(now)
                self._since_s = now
            else:
                self.watchdog.same(now)
            self._newest, self._relit = found, self._relit or found.relit
            self._news.notify()

    def _end(self, *, hung: bool = False) -> None:
        assert self._child is not None  # only one that runs is ended
        said = self._child.kill()
        self._why = self._why or said or "it stopped"
        self._child, self._does_else = None, False
        self.watchdog.ended(self._clock(), hung=hung)

    def _has_larger(self) -> bool:
        """Whether its large pictures are larger than those that are watched."""
        large, watch = self.told.get("large"), self.told.get("watch")
        return bool(large and watch and large[0] * large[1] > watch[0] * watch[1])

    def _rate(self, now: float) -> float:
        """Pictures a second."""
        while self._came_s and now - self._came_s[0] > _RATE_S:
            self._came_s.popleft()
        return len(self._came_s) / _RATE_S

    def _is_slow(self, now: float) -> bool:
        """Whether its pictures are too few to be watched."""
        over_s, rate = self._pace(now)
        if over_s >= _RATE_S:
            return rate < _LEAST_RATE
        # One that begins with the same picture again and again is told as that.
        return over_s > _BEGUN_S and rate < _BEGUN_RATE and not self.watchdog.repeats

    def _pace(self, now: float) -> tuple[float, float]:
        """Over how long the pictures are counted that were to come, and how many a second that makes."""
        with self._news:
            self._rate(now)  # what is older is forgotten
            if self._first_s is None or self.watchdog.starts:
                return 0.0, 0.0
            over_s = min(now - self._first_s, _RATE_S)
            came = sum(at > now - over_s for at in self._came_s)
        return over_s, came / over_s if over_s else 0.0

    def _is_busy(self) -> bool:
        """Whether it is to be waited for: it does something else, or starts and is not known to be ill."""
        if self._child is None:
            return False
        return self._does_else or (self.watchdog.starts and not self._why and not self._amiss)

    def _away(self, now: float) -> str:
        """Why there is no picture to go by, once that is to be told."""
        on = "It is tried again and again; the match goes on by hand."
        if self.watchdog.freezes:
            return f"{self._words} sends the same picture again and again. {on}"
        if self.watchdog.away(now):
            why = self._why or self._amiss
            return f"{self._words} gives no picture{f': {why}' if why else ''}. {on}"
        if self._is_slow(now):
            _, rate = self._pace(now)
            return (
                f"{self._words} gives {rate:.1f} pictures a second, and {_LEAST_RATE:g} are the "
                "least: is it dark, or the machine too busy? The match goes on by hand."
            )
        return ""


def reason_of(away: Away) -> str:
    """Why there is no picture, without what that means for a match."""
    return away.why.partition(". It is tried")[0]


def program(module: str, *rest: str) -> list[str]:
    """The command that runs a module of this package as a process."""
    return [sys.executable, "-m", f"device.cameras.{module}", *rest]
