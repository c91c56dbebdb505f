"""The thread that looks: frames from the source through the eye to the referee."""

import queue
import sys
import time
import traceback
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from threading import Event

from device.live.eye import Eye
from device.live.messages import Ask, Ended, Heard, Message, Position
from device.live.mishaps import Mishaps, words_of
from device.live.ports import Away, Glimpse, Shot, Source
from device.live.thread_channels import Latest
from device.match.signals import Kind, Told

_WAIT_S = 0.5
_AGAIN_S = 1.0


@dataclass
class Looker:
    """What the thread has in its hands; ``run`` is the thread."""

    source: Source
    eye: Eye
    tell: Callable[[Message], None]
    frames: Latest[Glimpse]
    """The newest frame, for whoever wants to see it."""
    positions: "queue.SimpleQueue[Position]" = field(default_factory=queue.SimpleQueue)
    stop: Event = field(default_factory=Event)
    mishaps: Mishaps = field(default_factory=Mishaps)
    """Where errors of the eye are kept."""
    _position: Position = field(default_factory=lambda: Position(None))
    _asked: int = 0
    _at_s: float = 0.0
    """When the last frame of a recording was taken."""
    _failed: str = ""
    _away: str = ""
    """Why there was no frame the last time, as far as the referee was told."""

    def run(self) -> None:
        """Look until the source ends or the match stops."""
        wrong = ""
        try:
            while not self.stop.is_set() and self._once():
                pass
            if self.source.recorded:
                self._meet(self._at_s)
            for signal in self.eye.end(self._position):
                self.tell(Heard(signal))
        except Exception as error:
            traceback.print_exc(file=sys.stderr)
            wrong = f"The eye cannot go on: {error}"
        # A film of which nothing, or not the end, could be made has failed; one with a bad frame has not.
        lost = self._position.game is None or self.eye.owes
        self.tell(Ended(wrong or (self._failed if lost else "")))

    def _once(self) -> bool:
        """One frame; whether there may be more."""
        found = self.source.next(_WAIT_S)
        if found is None:
            return False
        if isinstance(found, Away):
            if found.why and found.why != self._away:
                self._away = found.why
                self.tell(Heard(Told(Kind.LOST, found.why)))
            return True
        if self._away:
            self._away = ""
            self.eye.wake()
        try:
            self._look(found)
        except Exception as error:
            # A single frame must not end a match or a film: it is said, and the next one is looked at.
            self.mishaps.keep(found, self._position, error)
            self.eye.wake()  # what was to be read has not been
            self._failed = words_of(error)
            self.tell(Heard(Told(Kind.FAILED, self._failed), self._time(found)))
            if not self.source.recorded:
                time.sleep(_AGAIN_S)
        self.frames.put(self.eye.glimpse(found))
        return True

    def _look(self, shot: Shot) -> None:
        if self.source.recorded:
            self._at_s = shot.at_s
            self._meet(shot.at_s)
        while not self.positions.empty():
            self._position = self.positions.get()
        for signal in self.eye.see(shot, self._position):
            self.tell(Heard(signal, self._time(shot)))
        if self.source.recorded:
            self._meet(shot.at_s)  # who plays at a virtual table sees what has become of the last frame

    def _time(self, shot: Shot) -> float | None:
        """When a frame was taken, where that is the time that counts."""
        return shot.at_s if self.source.recorded else None

    def _meet(self, at_s: float) -> None:
        """Wait until the referee has taken in all that came before, so that a film is judged the same."""
        self._asked += 1
        self.tell(Ask(self._asked, at_s))
        while self._position.answers < self._asked and not self.stop.is_set():
            with suppress(queue.Empty):
                self._position = self.positions.get(timeout=_WAIT_S)
