"""A camera in a process of its own: when it hangs it is killed and started anew, and the game goes on."""

import subprocess
import sys
import time
import zlib
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from threading import Condition, Thread
from typing import Any

from device.cameras import frames
from device.cameras.frames import Frame, FrameKind, Picture
from device.cameras.lifeline import LARGE
from device.cameras.watchdog import Order, Patience, Watchdog
from device.live.ports import Away, Shot, Vitals

_LOOK_S = 0.1
_LARGE_S = 2.0
"""So long at most large pictures are waited for: the table is read without them then."""
_RATE_S = 5.0
"""Pictures a second are counted over so long."""
_END_S = 1.0
"""So long at most is waited for each part of a process that was killed: a driver may hold it for ever."""
_LINES, _LETTERS = 20, 1000
"""Of what a camera's process says, the last lines are kept."""


class Apart:
    """A source whose camera runs apart.

    A camera's own ``stop`` and ``close`` can wait for ever once it hangs, so neither is ever called: the
    process is killed.
    """

    recorded = False

    def __init__(
        self, command: Sequence[str], words: str, patience: Patience | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:  # fmt: skip
        """``command`` is a program that writes frames to its stdout; ``words`` name the camera."""
        self._command, self._words, self._clock = list(command), words, clock
        self.watchdog = Watchdog(patience)
        self._child: subprocess.Popen[bytes] | None = None
        self._threads: tuple[Thread, ...] = ()
        self._said: deque[bytes] = deque(maxlen=_LINES)
        self._news = Condition()
        self._newest: Frame | None = None
        self._large: list[Picture] = []
        self._relit = False
        """Whether the exposure was changed in a frame that nobody took."""
        self._came_s: deque[float] = deque()
        """When the last frames came."""
        self._since_s = clock()
        """Since when there has been no new frame, or this source."""
        self.told: Mapping[str, Any] = {}
        """What the camera's process has said of itself."""
        self._print = -1
        self._number = 0
        self._why = ""

    def next(self, timeout_s: float) -> Shot | Away | None:
        """The newest frame that was not given before; why there is none once it has been missed for long."""
        until = self._clock() + timeout_s
        while True:
            self._keep_alive()
            with self._news:
                if self._newest is None:
                    self._news.wait(min(_LOOK_S, max(0.0, until - self._clock())))
                found, self._newest = self._newest, None
                relit, self._relit = self._relit, found is None and self._relit
            now = self._clock()
            if found is not None:
                self._number += 1
                return Shot(self._number - 1, found.at_s, found.picture, relit)
            if now >= until:
                return Away(self._reason() if self.watchdog.away(now) else "")

    def large(self, count: int = 1) -> Sequence[Picture]:
        """The next pictures at the camera's full size: fewer, or none, where they do not come in time."""
        child = self._child
        if child is None or child.stdin is None or not self.told.get("large"):
            return ()
        with self._news:
            self._large = []
        try:
            child.stdin.write(b"%s %d\n" % (LARGE, count))
            child.stdin.flush()
        except OSError:
            return ()  # it has just ended
        until = self._clock() + _LARGE_S
        with self._news:
            while len(self._large) < count and child.poll() is None and (left := until - self._clock()) > 0:
                self._news.wait(min(_LOOK_S, left))
            found, self._large = self._large, []
        return tuple(found)

    def vitals(self) -> Vitals:
        """How it is; from any thread."""
        now = self._clock()
        with self._news:
            while self._came_s and now - self._came_s[0] > _RATE_S:
                self._came_s.popleft()
            rate = len(self._came_s) / _RATE_S
            age_s = now - self._since_s
        away = self._reason() if self.watchdog.away(now) else ""
        return Vitals(age_s, max(0, self.watchdog.restarts), rate, away or str(self.told.get("words", "")))

    def close(self) -> None:
        """End the process."""
        if self._child is not None:
            self._end()

    def _keep_alive(self) -> None:
        now = self._clock()
        if self._child is not None and self._child.poll() is not None:
            self._end()
        order = self.watchdog.order(now)
        if order is Order.KILL:
            self._why = "it hangs"
            self._end()
        elif order is Order.START:
            self._start()

    def _start(self) -> None:
        self._child = subprocess.Popen(
            self._command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        self.watchdog.started(self._clock())
        self._said = deque(maxlen=_LINES)
        self._threads = (
            Thread(target=self._read, args=(self._child,), name="camera", daemon=True),
            Thread(target=_hear, args=(self._child, self._said), name="camera's words", daemon=True),
        )
        for thread in self._threads:
            thread.start()

    def _read(self, child: "subprocess.Popen[bytes]") -> None:
        """The thread that empties the pipe, so that a frame is never older than the newest."""
        assert child.stdout is not None  # both are pipes
        with child.stdout as pipe:
            while (found := frames.read(pipe)) is not None and child is self._child:
                self._take(found)

    def _take(self, found: Frame) -> None:
        if found.kind is FrameKind.WORDS:
            self.told = {**self.told, **found.words}
            return
        if found.kind is FrameKind.LARGE:
            with self._news:
                self._large.append(found.picture)
                self._news.notify()
            return
        mark = zlib.adler32(found.picture[::8, ::8].tobytes())
        now = self._clock()
        with self._news:
            # A driver that sends the same picture again and again hangs, too.
            if mark != self._print:
                self._print, self._why = mark, ""
                self.watchdog.frame(now)
                self._came_s.append(now)
                self._since_s = now
            self._newest, self._relit = found, self._relit or found.relit
            self._news.notify()

    def _end(self) -> None:
        assert self._child is not None  # only a process that runs is ended
        self._child.kill()
        with suppress(subprocess.TimeoutExpired):
            self._child.wait(_END_S)
        for thread in self._threads:
            thread.join(_END_S)  # one that goes on reads a pipe that somebody else still holds
        lines = b"".join(self._said).decode(errors="replace").strip().splitlines()
        self._why = self._why or (lines[-1].rstrip(".") if lines else "it stopped")
        if self._child.stdin is not None:
            with suppress(OSError):  # a request that it never read
                self._child.stdin.close()
        self._child = None
        self.watchdog.ended(self._clock())

    def _reason(self) -> str:
        told = f": {self._why}" if self._why else ""
        return (
            f"{self._words} gives no picture{told}. It is tried again and again; the match goes on by hand."
        )


def _hear(child: "subprocess.Popen[bytes]", said: "deque[bytes]") -> None:
    """The thread that hears what the process says: a pipe that nobody empties would stop it."""
    assert child.stderr is not None  # both are pipes
    with child.stderr as pipe:
        said.extend(iter(lambda: pipe.readline(_LETTERS), b""))


def program(module: str, *rest: str) -> list[str]:
    """The command that runs a module of this package as a process."""
    return [sys.executable, "-m", f"device.cameras.{module}", *rest]
