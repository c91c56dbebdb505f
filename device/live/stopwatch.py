"""How long rulings take: from the last still frame that was needed to the ruling on the disk, stage by stage.

A stopwatch goes around the parts of an eye and is told of the match like a screen; the parts do not know it.
"""

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from device.live.ports import Away, Following, Picture, Reader, Seen, Shot, Source, Viewing
from device.match.match import Match
from engine.history import History
from engine.matching import Question, Verdict
from engine.matching.answered import ShownPieces
from engine.scene import Scene
from vision.view import Box, Look, TableView

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
        self.clock = clock
        """What it goes by."""
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

    def view(self, view: Viewing) -> Viewing:
        """A view of the table that is timed."""
        return _View(view, self)

    def reader(self, reader: Reader) -> Reader:
        """A reader that is timed."""
        return _Reader(reader, self)

    def follow(self, follow: Callable[[History], Following]) -> Callable[[History], Following]:
        """Followers that are timed."""
        return lambda history: _Follower(follow(history), self)

    def tell(self, match: Match, _at: float) -> None:
        """The match has changed: if the record is longer and all of it safe, a lap is over."""
        now = self.clock()
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
        self._shot, self._began, self._spent = shot, self.clock(), {}

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        """Time that counts for a stage."""
        began = self.clock()
        try:
            yield
        finally:
            self.spent(name, self.clock() - began)

    def spent(self, name: str, seconds: float) -> None:
        """So much time went into a stage of this frame; once it is read, a lap is open."""
        self._spent[name] = self._spent.get(name, 0.0) + seconds
        if "reading" in self._spent and self._shot is not None:
            with self._lock:
                self._open = Lap(self._shot.at_s, self._shot.picture, dict(self._spent)), self._began


class _Source:
    def __init__(self, source: Source, watch: Stopwatch) -> None:
        self._source, self._watch = source, watch
        self.recorded, self.close = source.recorded, source.close

    def next(self, timeout_s: float) -> Shot | Away | None:
        found = self._source.next(timeout_s)
        if isinstance(found, Shot):
            self._watch.began(found)
        self._watch.ended |= found is None
        return found


class _View:
    def __init__(self, view: Viewing, watch: Stopwatch) -> None:
        self._view, self._watch, self.lose = view, watch, view.lose

    def see(self, picture: Picture, at_s: float, **how: Any) -> Look:
        with self._watch.stage("gate"):
            return self._view.see(picture, at_s, **how)

    def table(self, lying: Callable[[], Sequence[Box]]) -> TableView | None:
        with self._watch.stage("gate"):
            return self._view.table(lying)

    def shows(self, picture: Picture) -> bool:
        with self._watch.stage("gate"):
            return self._view.shows(picture)


class _Reader:
    def __init__(self, reader: Reader, watch: Stopwatch) -> None:
        self._reader, self._watch = reader, watch
        self.arms, self.larger = reader.arms, reader.larger

    def steady(self, picture: Picture, at_s: float) -> bool | None:
        with self._watch.stage("markers"):
            return self._reader.steady(picture, at_s)

    def read(self, table: TableView, before: Seen | None = None) -> Seen | str:
        with self._watch.stage("reading"):
            return self._reader.read(table, before)


class _Follower:
    def __init__(self, follower: Following, watch: Stopwatch) -> None:
        self._follower, self._watch = follower, watch

    def see(self, scene: Scene) -> Verdict:
        with self._watch.stage("matching"):
            return self._follower.see(scene)

    def after(self, history: History, scene: Scene | None, before: Scene | None = None) -> Any:
        return _Follower(self._follower.after(history, scene, before), self._watch)

    def at(self, scene: Scene | None) -> Any:
        return _Follower(self._follower.at(scene), self._watch)

    def agreed(self, scene: Scene) -> Any:
        return _Follower(self._follower.agreed(scene), self._watch)

    def shown(self) -> ShownPieces:
        return self._follower.shown()

    def asking(self, question: Question, scene: Scene | None = None) -> Any:
        return _Follower(self._follower.asking(question, scene), self._watch)
