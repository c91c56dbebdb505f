"""When a camera counts as away and when its process is started anew. Pure: times are passed in."""

from collections import deque
from dataclasses import dataclass
from enum import Enum, auto


class Order(Enum):
    """What is to be done with the camera's process."""

    NOTHING = auto()
    START = auto()
    KILL = auto()


@dataclass(frozen=True)
class Patience:
    """How long things may take, in seconds."""

    away_s: float = 3.0
    """Without a new frame for so long, the players are told."""
    same_s: float = 2.0
    """The same where frames come that are all the same one: a sensor's noise sees to it that none is."""
    hang_s: float = 8.0
    """Without a new frame for so long, the process is killed and started anew."""
    start_s: float = 20.0
    """The same for a camera that has just been started and warms up, and has not said a word meanwhile."""
    busy_s: float = 120.0
    """A camera that says what it does instead, such as focusing, has so long at most without a new frame.

    That is a sweep of 15 looks and 8 exposures in which it is late by 3 s each time, and the start of its
    library."""
    budget: int = 5
    """So many starts within ``window_s`` are made at once; further ones wait longer each time."""
    window_s: float = 60.0
    longest_s: float = 60.0


class Watchdog:
    """Watches one camera."""

    def __init__(self, patience: Patience | None = None) -> None:
        self.patience = patience or Patience()
        self.restarts = -1
        self._starts: deque[float] = deque()
        self._started_s: float | None = None
        self._frame_s: float | None = None
        self._same_s: float | None = None
        """When the last frame came again that was there before."""
        self._word_s = float("-inf")
        """When it said last what it does instead of sending frames."""
        self._lost_s: float | None = None
        self._wait_s = 0.0
        self._free_s = 0.0

    @property
    def starts(self) -> bool:
        """Whether its process runs and has sent no frame yet."""
        return self._started_s is not None and self._frame_s is None

    def started(self, now: float) -> None:
        """A process was started."""
        self.restarts += 1
        self._started_s, self._frame_s, self._same_s, self._word_s = now, None, None, now
        self._starts.append(now)
        while self._starts and now - self._starts[0] > self.patience.window_s:
            self._starts.popleft()

    def frame(self, now: float) -> None:
        """A frame came that is not the one before."""
        self._frame_s, self._same_s, self._lost_s = now, None, None
        if self._started_s is not None and now - self._started_s > self.patience.window_s:
            self._wait_s = 0.0

    def same(self, now: float) -> None:
        """The frame came again that is there already."""
        self._same_s = now

    @property
    def repeats(self) -> bool:
        """Whether the last frame came again."""
        return self._same_s is not None

    @property
    def freezes(self) -> bool:
        """Whether frames come, and have all been the same one for too long."""
        if self._frame_s is None or self._same_s is None:
            return False
        return self._same_s - self._frame_s > self.patience.same_s

    def busy(self, now: float) -> None:
        """It said what it does instead of sending frames."""
        self._word_s = now

    def ended(self, now: float, *, hung: bool = False) -> None:
        """The process is gone: of itself, or killed as it hung; one that did so as it began had its time."""
        since = (self._lost_s, self._frame_s, None if hung else self._started_s, now)
        self._lost_s = next(one for one in since if one is not None)
        self._started_s = self._frame_s = self._same_s = None
        if len(self._starts) < self.patience.budget:
            self._free_s = now + 0.2
            return
        self._wait_s = min(max(5.0, 2 * self._wait_s), self.patience.longest_s)
        self._free_s = now + self._wait_s

    def order(self, now: float) -> Order:
        """What is to be done."""
        if self._started_s is None:
            return Order.START if now >= self._free_s else Order.NOTHING
        since_s = self._started_s if self._frame_s is None else self._frame_s
        patience_s = self.patience.start_s if self._frame_s is None else self.patience.hang_s
        silent_s = now - max(since_s, self._word_s)
        hangs = silent_s > patience_s or now - since_s > max(self.patience.busy_s, patience_s)
        return Order.KILL if hangs else Order.NOTHING

    def away(self, now: float) -> bool:
        """Whether the players are to be told that there is no picture."""
        since = self._frame_s if self._frame_s is not None else self._lost_s
        if since is None:
            since = self._started_s if self._started_s is not None else now
        return now - since > self.patience.away_s
