"""The thread that looks: frames from the source through the eye to the referee."""

import queue
import sys
import time
import traceback
from collections.abc import Callable
from dataclasses import dataclass, field
from threading import Event

from device.live.channels import Latest
from device.live.eye import Eye
from device.live.messages import Ask, Ended, Heard, Message, Position
from device.live.ports import Away, Glimpse, Shot, Source
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
    _position: Position = field(default_factory=lambda: Position(None))
    _asked: int = 0
    _away: str = ""
    """Why there was no frame the last time, as far as the referee was told."""

    def run(self) -> None:
        """Look until the source ends or the match stops."""
        wrong = ""
        try:
            while not self.stop.is_set() and self._once():
                pass
        except Exception as error:
            traceback.print_exc(file=sys.stderr)
            wrong = f"The eye cannot go on: {error}"
        self.tell(Ended(wrong))

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
            if self.source.recorded:
                raise
            # At a table a single frame must not end the match: it is said, and the next one is looked at.
            traceback.print_exc(file=sys.stderr)
            self.tell(Heard(Told(Kind.LOST, f"The eye failed: {error}")))
            time.sleep(_AGAIN_S)
        self.frames.put(self.eye.glimpse(found))
        return True

    def _look(self, shot: Shot) -> None:
        if self.source.recorded:
            self._meet(shot)
        while not self.positions.empty():
            self._position = self.positions.get()
        at = shot.at_s if self.source.recorded else None
        for signal in self.eye.see(shot, self._position):
            self.tell(Heard(signal, at))

    def _meet(self, shot: Shot) -> None:
        """Wait until the referee has taken in all that came before, so that a film is judged the same."""
        self._asked += 1
        self.tell(Ask(self._asked, shot.at_s))
        while self._position.answers < self._asked and not self.stop.is_set():
            try:
                self._position = self.positions.get(timeout=_WAIT_S)
            except queue.Empty:
                continue
