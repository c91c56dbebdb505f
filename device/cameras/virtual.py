"""The virtual table as a camera: people play a whole game at it, and live with their referee.

Its frames are drawn when they are asked for. What the players press and answer goes over the same desk as
everybody's; who watches may press in their place.
"""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

import cv2
import numpy as np

from device.live.desk import Desk
from device.live.ports import MOST_SHARE, Away, Picture, Shot
from device.match.match_view import View
from device.match.phase import Phase
from device.match.signals import Kind, Told
from simulation.live_table import Conditions, LiveTable
from simulation.people import People
from simulation.strategy import decide
from simulation.temper import Temper
from simulation.whole_game import WholeGame

_REST_S = 0.2
_FIRST_S = 5.0


class VirtualTable:
    """A table in real time, faster, or as fast as it can be drawn and looked at (``speed`` 0).

    Times are the table's, so that a slow machine plays slowly and not wrongly. When the game is over the
    source ends, or, where the last page is to stay, gives no more frames until somebody takes back.
    """

    recorded = True

    def __init__(
        self, table: LiveTable, people: People, *, speed: float = 1.0, stays: bool = False,
        clock: Callable[[], float] = time.monotonic, sleep: Callable[[float], None] = time.sleep,
    ) -> None:  # fmt: skip
        self.table, self.people = table, people
        self._speed, self._stays, self._clock, self._sleep = speed, stays, clock, sleep
        self._desk: Desk | None = None
        self._view: View | None = None
        self._seen = 0
        self._due_s: float | None = None
        self._closed = self._left = False
        self._wanted, self._share = 0, MOST_SHARE
        self._large: list[Shot] = []

    def sit_down(self, desk: Desk) -> None:
        """The players find the desk of their match."""
        self._desk = desk

    def next(self, timeout_s: float) -> Shot | Away | None:
        """The next frame when its time has come; None once the game is over and everybody has gone."""
        if self._closed:
            return None
        if self.people.done and not self._stays:
            return None
        self._act()
        if self.people.done and (self.given_up or self._is_over):
            why, self._left = "" if self._left else self.given_up, True
            self._sleep(min(_REST_S, timeout_s))
            return Away(why)
        before = self.table.now
        shot = self.table.next()
        self._pace(self.table.now - before)
        return Away() if shot is None else self._watched(Shot(shot.index, shot.tick.t, shot.picture))

    def ask_large(self, count: int = 1, share: float = MOST_SHARE) -> bool:
        """Ask for the next frames larger than they are watched, too, if they are watched smaller."""
        if self.table.conditions.watched >= 1:
            return False
        self._wanted, self._share, self._large = count, share, []
        return True

    def came_large(self) -> Sequence[Shot]:
        """Those that have come since."""
        found, self._large = self._large, []
        return found

    def _watched(self, shot: Shot) -> Shot:
        """A frame as it is watched; as the camera has it, it is kept for who has asked."""
        share = self.table.conditions.watched
        if share >= 1:
            return shot
        if self._wanted:
            self._wanted -= 1
            self._large.append(replace(shot, picture=_shrunk(shot.picture, min(1.0, share * self._share))))
        return replace(shot, picture=_shrunk(shot.picture, share))

    @property
    def given_up(self) -> str:
        """Why the players have left before the game was over, in a sentence; empty while they have not."""
        why = self.people.diary.given_up
        return f"The players have given up: {why.rstrip('.')}." if why else ""

    @property
    def _is_over(self) -> bool:
        """Whether nobody needs another picture; who takes back on the last page wants the table seen."""
        return self._view is None or self._view["phase"] == Phase.FINISHED

    def close(self) -> None:
        """Nothing is held."""
        self._closed = True

    def _act(self) -> None:
        """The players look at the page and do what they do."""
        if self._desk is None:
            return
        # The first page is waited for, so that a seed plays the same game on a slow machine.
        self._seen, fresh = self._desk.views.get(self._seen, _FIRST_S if self._view is None else 0.0)
        self._view = self._view if fresh is None else fresh
        if self._view is None:
            return
        for press in self.people.at(self._view):
            self._desk.press(Told(Kind(press.kind), press.words, press.number, press.key))

    def _pace(self, seconds: float) -> None:
        """Wait until a frame's time has come; a late one does not hurry those that follow."""
        if self._speed <= 0:
            return
        now = self._clock()
        due = now if self._due_s is None else max(now, self._due_s)
        if due > now:
            self._sleep(due - now)
        self._due_s = due + seconds / self._speed


def _shrunk(picture: Picture, share: float) -> Picture:
    size = (round(share * picture.shape[1]), round(share * picture.shape[0]))
    return np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), dtype=np.uint8)


@dataclass(frozen=True)
class VirtualSeats:
    """The virtual table that is wanted, and who sits at it."""

    seed: int = 1
    speed: float = 1.0
    look: str = "random"
    stays: bool = False
    """Whether the last page stays once the game is over."""
    conditions: Conditions | None = None
    """What the table is like, where it is not the usual one."""
    temper: Temper = field(default_factory=Temper)


def virtual_table(game: str, profile: str, seats: VirtualSeats) -> VirtualTable:
    """A whole game by people at the virtual table."""
    whole = WholeGame.begin(game, seed=seats.seed, profile=profile, mind=decide)
    table = LiveTable(game, seats.seed, whole.layout, seats.conditions or Conditions(look=seats.look))
    people = People(whole, table, seats.temper, seed=seats.seed)
    return VirtualTable(table, people, speed=seats.speed, stays=seats.stays)
