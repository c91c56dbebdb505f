"""The camera of the box: opened when a match wants it, kept warm from match to match, let go after a rest.

Between matches a thread goes on fetching frames, so that a camera that hangs is started anew as ever and the
first frame of the next match is a fresh one. After a while nobody seems to play any more, and a camera that
nobody needs only warms the box.
"""

import threading
import time
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

from device.cameras.naming import camera_here
from device.live.ports import Away, Shot, Source

REST_S: Final = 300.0
"""So long the camera stays open after a match: long enough to set up the next one."""
STALE_S: Final = 3.0
"""A picture older than this is told as old; the same limit as that of the camera's own watchdog."""
AWAY_S: Final = 8.0
"""A camera without a picture for so long counts as away; its process is started anew by then."""
_WINDOW_S: Final = 5.0
"""Frames are counted over so long."""
_WAIT_S: Final = 0.5


@dataclass(frozen=True, slots=True)
class CameraState:
    """How the camera is."""

    state: str = "none"
    """ok, stale, away or none."""
    age_s: float | None = None
    restarts: int = 0
    fps: float | None = None
    why: str = ""
    """Why there is no picture, in a sentence, if anybody knows."""


class KeptCamera:
    """The one camera of the box. A match borrows it as a source whose ``close`` gives it back."""

    def __init__(
        self, opened: Callable[[], Source | None] = camera_here,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:  # fmt: skip
        self._opened, self._clock = opened, clock
        self._turn = threading.Lock()
        self._source: Source | None = None
        self._borrowings = 0
        self._idle_since: float | None = None
        self._since = 0.0
        self._came: deque[float] = deque()
        self._why = ""
        self._stop = threading.Event()

    def borrow(self) -> Source | None:
        """The camera for a match, or None where there is none."""
        with self._turn:
            if self._source is None:
                self._source, self._since, self._why = self._opened(), self._clock(), ""
                self._came.clear()
            if self._source is None:
                return None
            self._borrowings, self._idle_since = self._borrowings + 1, None
            return _Borrowed(self, self._source.recorded)

    def give_back(self) -> None:
        """The match is over: the camera stays open for the next one."""
        with self._turn:
            self._idle_since = self._clock()
            if self._source is not None and not self._stop.is_set():
                told = (self._borrowings,)
                threading.Thread(target=self._idle, args=told, name="idle camera", daemon=True).start()

    def next(self, timeout_s: float) -> Shot | Away | None:
        """The next frame."""
        with self._turn:
            found = None if self._source is None else self._source.next(timeout_s)
        now = self._clock()
        if isinstance(found, Shot):
            self._came.append(now)
            self._why = ""
            while self._came and now - self._came[0] > _WINDOW_S:
                self._came.popleft()
        elif isinstance(found, Away) and found.why:
            self._why = found.why
        return found

    def close(self) -> None:
        """Let go of the camera, whoever has it."""
        self._stop.set()
        source, self._source = self._source, None
        if source is not None:
            with suppress(Exception):  # a camera that cannot even be let go of must not keep us here
                source.close()

    def state(self) -> CameraState:
        """How it is; one that rests has no age."""
        source, now, came = self._source, self._clock(), list(self._came)
        if source is None:
            return CameraState("none")
        restarts = _restarts(source)
        age = round(now - (came[-1] if came else self._since), 1)
        state = "ok" if age <= STALE_S else "stale" if age <= AWAY_S else "away"
        fps = round(sum(now - at <= _WINDOW_S for at in came) / _WINDOW_S, 1)
        return CameraState(state, age, restarts, fps, self._why if state != "ok" else "")

    def _idle(self, after: int) -> None:
        """The thread after a match, until the next one."""
        while not self._stop.is_set() and self._borrowings == after:
            began = self._clock()
            if self._idle_since is not None and began - self._idle_since > REST_S:
                self._rest(after)
                return
            if self.next(_WAIT_S) is None:
                return
            self._stop.wait(max(0.0, _WAIT_S - (self._clock() - began)))

    def _rest(self, after: int) -> None:
        """Let go of the camera, unless a match has just borrowed it."""
        with self._turn:
            if self._borrowings != after or self._source is None:
                return
            source, self._source = self._source, None
        source.close()


class _Borrowed:
    """The camera in a match."""

    def __init__(self, camera: KeptCamera, recorded: bool) -> None:
        self._camera, self.recorded = camera, recorded

    def next(self, timeout_s: float) -> Shot | Away | None:
        return self._camera.next(timeout_s)

    def close(self) -> None:
        self._camera.give_back()


def _restarts(source: Source) -> int:
    """How often its process was started anew, where it tells."""
    vitals = getattr(source, "vitals", None)
    if vitals is not None:
        return int(vitals().restarts)
    return max(0, int(getattr(getattr(source, "watchdog", None), "restarts", 0)))
