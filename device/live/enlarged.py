"""A settled table is read in the camera's large picture, where it has one and that shows the same moment.

    enlarged = Enlarged(camera)
    enlarged.ask(table, share, second)        # a table that is to be read; whether a large picture is to come
    answer = enlarged.answer(look, shows)     # with every frame: how it is to be read, once that is known

It is as large as the readers read best, and no larger: of more pixels each has more noise.

The gate says what a large picture is worth: the table was settled before it was taken, it is so in the frame
that comes after it, the view is the same, and the large picture shows it. Where a hand came in between, or no
large picture comes in time, the small one is read that the gate had before.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from device.live.ports import Enlarging, Picture, Shot
from vision.view import Look, TableView
from vision.view.vote import median

WAIT_S: Final = 2.0
"""So long at most large pictures are waited for."""
SEVERAL: Final = 3
"""So many are asked for by whoever looks a second time, and wants to be sure."""
_FEW_FAILURES, _REST_S = 2, 30.0
"""After so many failures in a row the large picture is left alone for so long."""
LATE: Final = "The camera's large picture does not come: I read the small one."
UNLIKE: Final = "The camera's large picture does not show what the small one does: I read the small one."


@dataclass(frozen=True, eq=False)
class ReadAs:
    """How a settled table is to be read."""

    table: TableView
    second: bool
    """Whether it is looked at a second time."""
    large: Picture | None = None
    failure: str = ""
    """What people are to be told, if anything."""


class Enlarged:
    """Large pictures for one eye; without a camera that has them nothing is ever waited for."""

    def __init__(self, camera: Enlarging | None = None) -> None:
        self._camera = camera
        self._waits: TableView | None = None
        self._until_s, self._count = 0.0, 1
        self._came: list[Shot] = []
        self._failures, self._rests_until_s, self._told = 0, -math.inf, False

    @property
    def waiting(self) -> bool:
        """Whether a settled table waits for its large picture."""
        return self._waits is not None

    def ask(self, table: TableView, share: float, second: bool = False) -> bool:
        """Ask for a picture of a table that is larger by ``share``, to read it; whether one is to come."""
        if self._camera is None or share <= 1 or table.at_s < self._rests_until_s:
            return False
        count = SEVERAL if second else 1
        if not self._camera.ask_large(count, share):
            return False
        self._waits, self._count, self._came = table, count, []
        self._until_s = table.at_s + WAIT_S
        return True

    def forget(self) -> None:
        """What is waited for is of no use any more."""
        self._waits = None

    def answer(self, look: Look, shows: Callable[[Picture], bool]) -> ReadAs | None:
        """How the table that waits is to be read, if this frame tells; ``shows`` is the gate's."""
        table = self._waits
        if table is None or self._camera is None:
            return None
        second = self._count > 1
        self._came += self._camera.came_large()
        if not look.settled or look.view != table.view:
            self._waits = None
            if not look.hand:  # the frames themselves may have been held up by it
                self._failed(look)
            return ReadAs(table, second)
        before = [one for one in self._came if one.at_s < look.at_s]
        if len(before) < self._count and look.at_s < self._until_s:
            return None
        self._waits = None
        good = [one.picture for one in before if shows(one.picture)]
        if not good:
            self._failed(look)
            return ReadAs(table, second, failure=self._once(UNLIKE if before else LATE))
        self._failures = 0
        return ReadAs(table, second, _one(good))

    def _failed(self, look: Look) -> None:
        self._failures += 1
        if self._failures >= _FEW_FAILURES:
            self._failures, self._rests_until_s = 0, look.at_s + _REST_S

    def _once(self, words: str) -> str:
        told, self._told = self._told, True
        return "" if told else words


def _one(pictures: Sequence[Picture]) -> Picture:
    """The median of those of one size."""
    return median([one for one in pictures if one.shape == pictures[0].shape])
