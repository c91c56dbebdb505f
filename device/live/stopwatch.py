"""How long rulings take: from the last still frame that was needed to the ruling on the disk, stage by stage.

A stopwatch goes around the parts of an eye and is told of the match like a screen; the parts do not know it.
"""

import threading
import time
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any

from device.live.ports import Arm, Away, Following, Gate, Picture, Reader, Seen, Shot, Source
from device.match.match import Match
from engine.history import History
from engine.matching import Question, Verdict
from engine.scene import Scene
from vision.gate import Look

STAGES = ("markers", "gate", "reading", "matching", "keeping")
"""Of a ruling's time; keeping is all that comes after the verdict: evidence, the referee, the journal."""


@dataclass
class Lap:
    """One table that was read, and how long it took until what it showed was on the disk."""

    at_s: float
    picture: Picture = field(repr=False)
    """The last still frame."""
    stages_s: dict[str, float]
    total_s: float = 0.0


class Stopwatch:
    """Around one match."""

    def __init__(self, clock: Callable[[], float] = time.perf_counter) -> None:
        self.laps: list[Lap] = []
        """One for each table that changed the record."""
        self.ended = False
        """Whether the source came to its end: a match that somebody stopped was not seen whole."""
        self._clock = clock
        self._lock = threading.Lock()
        self._shot: Shot | None = None
        self._began = 0.0
        self._spent: dict[str, float] = {}
        self._open: tuple[Lap, float] | None = None
        self._game: History | None = None

    # — around the parts —

    def source(self, source: Source) -> Source:
        """A source whose frames start the watch."""
        return _Source(source, self)

    def gates(self, gates: Callable[[tuple[int, int]], Gate]) -> Callable[[tuple[int, int]], Gate]:
        """Gates that are timed."""
        return lambda size_px: _Gate(gates(size_px), self)

    def reader(self, reader: Reader) -> Reader:
        """A reader that is timed."""
        return _Reader(reader, self)

    def follow(self, follow: Callable[[History], Following]) -> Callable[[History], Following]:
        """Followers that are timed."""
        return lambda history: _Follower(follow(history), self)

    def tell(self, match: Match, _at: float) -> None:
        """The match has changed: if the record is longer and all of it safe, a lap is over."""
        now = self._clock()
        if match.game is None or not match.saved or match.game is self._game:
            return
        grown = len(match.game.entries) > (len(self._game.entries) if self._game else 0)
        self._game = match.game
        with self._lock:
            if self._open is None or not grown:
                return
            lap, began = self._open
            self._open = None
            lap.total_s = now - began
            lap.stages_s["keeping"] = lap.total_s - sum(lap.stages_s.values())
            self.laps.append(lap)

    # — what the parts tell —

    def began(self, shot: Shot) -> None:
        """A frame has come."""
        self._shot, self._began, self._spent = shot, self._clock(), {}

    def stage(self, name: str) -> AbstractContextManager[None]:
        """Time that counts for a stage."""
        return _Stage(self, name)

    def spent(self, name: str, seconds: float) -> None:
        """So much time went into a stage of this frame; once it is read, a lap is open."""
        self._spent[name] = self._spent.get(name, 0.0) + seconds
        if "reading" in self._spent and self._shot is not None:
            with self._lock:
                self._open = Lap(self._shot.at_s, self._shot.picture, dict(self._spent)), self._began

    @property
    def clock(self) -> Callable[[], float]:
        """What it goes by."""
        return self._clock


class _Stage:
    def __init__(self, watch: Stopwatch, name: str) -> None:
        self._watch, self._name, self._began = watch, name, 0.0

    def __enter__(self) -> None:
        self._began = self._watch.clock()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._watch.spent(self._name, self._watch.clock() - self._began)


class _Source:
    def __init__(self, source: Source, watch: Stopwatch) -> None:
        self._source, self._watch = source, watch
        self.recorded = source.recorded

    def next(self, timeout_s: float) -> Shot | Away | None:
        found = self._source.next(timeout_s)
        if isinstance(found, Shot):
            self._watch.began(found)
        self._watch.ended |= found is None
        return found

    def close(self) -> None:
        self._source.close()


class _Gate:
    def __init__(self, gate: Gate, watch: Stopwatch) -> None:
        self._gate, self._watch = gate, watch

    def see(self, picture: Picture, at_s: float, *, steady: bool | None = None) -> Look:
        with self._watch.stage("gate"):
            return self._gate.see(picture, at_s, steady=steady)

    def relit(self) -> None:
        self._gate.relit()

    def voted(self) -> Picture | None:
        with self._watch.stage("gate"):
            return self._gate.voted()

    def shows_view(self, picture: Picture) -> bool:
        with self._watch.stage("gate"):
            return self._gate.shows_view(picture)


class _Reader:
    def __init__(self, reader: Reader, watch: Stopwatch) -> None:
        self._reader, self._watch = reader, watch

    def steady(self, picture: Picture, at_s: float) -> bool | None:
        with self._watch.stage("markers"):
            return self._reader.steady(picture, at_s)

    def arms(self, look: Look) -> Sequence[Arm]:
        return self._reader.arms(look)

    def larger(self) -> float:
        return self._reader.larger()

    def read(self, picture: Picture, look: Look, before: Seen | None = None) -> Seen | str:
        with self._watch.stage("reading"):
            return self._reader.read(picture, look, before)


class _Follower:
    def __init__(self, follower: Following, watch: Stopwatch) -> None:
        self._follower, self._watch = follower, watch

    def see(self, scene: Scene) -> Verdict:
        with self._watch.stage("matching"):
            return self._follower.see(scene)

    def after(self, history: History, scene: Scene | None) -> Any:
        return _Follower(self._follower.after(history, scene), self._watch)

    def at(self, scene: Scene | None) -> Any:
        return _Follower(self._follower.at(scene), self._watch)

    def asking(self, question: Question) -> Any:
        return _Follower(self._follower.asking(question), self._watch)
