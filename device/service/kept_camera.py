"""The camera of the box: opened when a match wants it, kept warm from match to match, let go after a rest.

Between matches a thread goes on fetching frames, so that a camera that hangs is started anew as ever and the
first frame of the next match is a fresh one. After a while nobody seems to play any more, and a camera that
nobody needs only warms the box.

Who has it holds a loan with a number. A match has it alone: its loan ends all others, and whoever only looks
gets none meanwhile. A loan that has ended gives no picture, and giving it back does nothing.
"""

import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Final, Protocol, runtime_checkable

from device.cameras.naming import camera_here
from device.live.ports import MOST_SHARE, Away, Enlarging, Shot, Source

REST_S: Final = 300.0
"""So long the camera stays open after a match: long enough to set up the next one."""
STALE_S: Final = 3.0
"""A picture older than this is told as old; the same limit as that of the camera's own watchdog."""
AWAY_S: Final = 8.0
"""A camera without a picture for so long counts as away; its process is started anew by then."""
EXCHANGED_S: Final = 30.0
"""So long a camera gives no picture until another one takes its place: who slipped is back sooner."""
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
    chosen: str = ""
    """What it was asked for and why, as it said last; also of one that rests."""


class KeptCamera:
    """The one camera of the box. Whoever borrows it gets a source whose ``close`` gives it back."""

    def __init__(
        self, opened: Callable[[], Source | None] = camera_here,
        clock: Callable[[], float] = time.monotonic,
        named: Callable[[str], Source | None] | None = None,
        usual: Callable[[], str] = lambda: "",
    ) -> None:  # fmt: skip
        """``named`` opens one that was chosen; without it there is one camera alone. ``usual`` names the one
        that is opened where nobody chooses: it may be another one than before."""
        self._opened, self._clock, self._named, self._usual = opened, clock, named, usual
        self._name = ""
        """Which camera is open, where one was chosen."""
        self._taken = ""
        """Which one the usual camera was when it was opened."""
        self._turn = threading.Lock()
        self._source: Source | None = None
        self._borrowings = 0
        """How many loans there were; the number of the newest."""
        self._loans: set[int] = set()
        """Those that have not ended."""
        self._match: int | None = None
        """The loan of the last match."""
        self._idle_since: float | None = None
        self._since = 0.0
        self._came: deque[float] = deque()
        self._why = self._chosen = ""
        self._stop = threading.Event()

    def borrow(self, name: str = "") -> Source | None:
        """The camera for a match, the one of this name if it is told, or None where there is none."""
        with self._turn:
            self._loans.clear()
            lent = self._lent(name)
            self._match = self._borrowings
            return lent

    def visit(self) -> Source | None:
        """The usual camera for somebody who only looks; None where there is none, or while a match has it."""
        with self._turn:
            return None if self._match in self._loans else self._lent("")

    def _lent(self, name: str) -> Source | None:
        if self._source is None or name != self._name or self._is_exchanged():
            self._open(name)
        if self._source is None:
            return None
        self._borrowings, self._idle_since = self._borrowings + 1, None
        self._loans.add(self._borrowings)
        return _Borrowed(self, self._borrowings, self._source.recorded)

    def _open(self, name: str) -> None:
        """Open the camera of this name, or the usual one, in place of the one that is open."""
        other, self._source = self._source, None
        if other is not None:
            other.close()
        taken = "" if name else self._usual()
        self._chosen = self._chosen if (name, taken) == (self._name, self._taken) else ""
        self._name, self._taken = name, taken
        opened = self._named(name) if name and self._named is not None else self._opened()
        self._source, self._since, self._why = opened, self._clock(), ""
        self._came.clear()
        if self._stop.is_set():
            self.close()  # who let go of the camera meanwhile has not seen this one

    def _is_exchanged(self) -> bool:
        """Whether the usual camera gives no picture, and another one would be taken for it now."""
        silent = self._clock() - (self._came[-1] if self._came else self._since) > EXCHANGED_S
        return silent and not self._name and self._usual() not in ("", self._taken)

    def give_back(self, loan: int) -> None:
        """This loan is over: once nobody has another, the camera stays open for the next match."""
        with self._turn:
            if loan not in self._loans:
                return  # it has ended already, and somebody else has the camera
            self._loans.discard(loan)
            if self._loans:
                return
            self._idle_since = self._clock()
            if self._source is not None and not self._stop.is_set():
                told = (self._borrowings,)
                threading.Thread(target=self._idle, args=told, name="idle camera", daemon=True).start()

    def holds(self, loan: int) -> bool:
        """Whether this loan has not ended."""
        return loan in self._loans

    def next(self, timeout_s: float, loan: int | None = None) -> Shot | Away | None:
        """The next frame; None where there is no camera, or the loan by which it is asked for has ended.

        A match keeps the camera that it was opened with: it counts on its lens."""
        with self._turn:
            if self._source is not None and self._match not in self._loans and self._is_exchanged():
                self._open("")
            over = self._source is None or (loan is not None and loan not in self._loans)
            found = None if over or self._source is None else self._source.next(timeout_s)
        now = self._clock()
        if isinstance(found, Shot):
            self._came.append(now)
            self._why = ""
            while self._came and now - self._came[0] > _WINDOW_S:
                self._came.popleft()
        elif isinstance(found, Away) and found.why:
            self._why = found.why
        return found

    def ask_large(self, count: int = 1, share: float = MOST_SHARE) -> bool:
        """Ask for large pictures, where the camera has any."""
        source = self._source
        return isinstance(source, Enlarging) and source.ask_large(count, share)

    def came_large(self) -> Sequence[Shot]:
        """The large pictures that have come."""
        source = self._source
        return source.came_large() if isinstance(source, Enlarging) else ()

    def sensor(self) -> str:
        """Which sensor it has, as it said by now."""
        return str(getattr(self._source, "told", {}).get("sensor", ""))

    def focus_again(self) -> bool | None:
        """Ask the camera to focus anew; whether it can, None as long as nobody knows."""
        source = self._source
        return source.focus_again() if isinstance(source, Focusing) else False

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
            return CameraState("none", chosen=self._chosen)
        self._chosen = _chosen(source) or self._chosen
        restarts = _restarts(source)
        age = round(now - (came[-1] if came else self._since), 1)
        state = "ok" if age <= STALE_S and not self._why else "stale" if age <= AWAY_S else "away"
        fps = round(sum(now - at <= _WINDOW_S for at in came) / _WINDOW_S, 1)
        return CameraState(state, age, restarts, fps, self._why if state != "ok" else "", self._chosen)

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


@runtime_checkable
class Focusing(Protocol):
    """A source whose lens may be put anew."""

    def focus_again(self) -> bool | None:
        """Ask it to; whether it can, None as long as nobody knows."""


class _Borrowed:
    """The camera by one loan."""

    def __init__(self, camera: KeptCamera, loan: int, recorded: bool) -> None:
        self._camera, self._loan, self.recorded = camera, loan, recorded

    def next(self, timeout_s: float) -> Shot | Away | None:
        return self._camera.next(timeout_s, self._loan)

    def ask_large(self, count: int = 1, share: float = MOST_SHARE) -> bool:
        return self._camera.holds(self._loan) and self._camera.ask_large(count, share)

    def came_large(self) -> Sequence[Shot]:
        return self._camera.came_large() if self._camera.holds(self._loan) else ()

    def focus_again(self) -> bool | None:
        return self._camera.focus_again() if self._camera.holds(self._loan) else None

    def close(self) -> None:
        self._camera.give_back(self._loan)


def _chosen(source: Source) -> str:
    """What it was asked for and why, where it tells."""
    return str(getattr(source, "told", {}).get("words", ""))


def _restarts(source: Source) -> int:
    """How often its process was started anew, where it tells."""
    vitals = getattr(source, "vitals", None)
    if vitals is not None:
        return int(vitals().restarts)
    return max(0, int(getattr(getattr(source, "watchdog", None), "restarts", 0)))
