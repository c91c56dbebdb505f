"""Around the journal that is being written: the day's pictures, the reserve, order in the state folder."""

import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

from device.folders import matches_folder, settings_beside, written
from device.journal.events import Draft, Picture
from device.journal.journal_reader import reader
from device.journal.readable import all_files, match_of
from device.journal.store import Journal, JournalError
from device.keeping.allowance import DAY_S, Allowance, fresh, spent
from device.keeping.old_pictures import shed
from device.keeping.reserve import Reserve
from device.keeping.unpacking import finish

_SIZES: Final = "SELECT at, length(jpeg) FROM pictures JOIN events USING (seq)"
LOOK_AGAIN_S: Final = 60.0
"""So long after a full disk it is not tried whether there is room again."""


class Caretaker:
    """Looks after the disk under one journal: see `device.journal.store.Care`."""

    def __init__(
        self, allowance: Allowance, reserve: Reserve | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:  # fmt: skip
        self._allowance, self._reserve, self._clock = allowance, reserve, clock
        self._again = clock()  # the reserve is made, or found to be impossible, with the first picture

    def kept(self, draft: Draft) -> Sequence[Picture]:
        """What the day's allowance has room for; nothing while the reserve is in use."""
        now = self._clock()
        if not draft.pictures or not self._has_room(now):
            return ()
        pictures, self._allowance = self._allowance.later(now).kept(draft)
        return pictures

    def make_room(self) -> bool:
        """Give the reserve up."""
        self._again = self._clock() + LOOK_AGAIN_S
        return self._reserve is not None and self._reserve.give_up()

    def _has_room(self, now: float) -> bool:
        """Whether pictures may be kept: the reserve is set aside, or cannot be on this disk at all."""
        if self._reserve is None or self._reserve.there or not self._reserve.possible:
            return True
        if now >= self._again:
            self._again = now + LOOK_AGAIN_S
            return self._reserve.make() or not self._reserve.possible
        return False


def kept_journal(path: Path) -> Journal:
    """The journal at ``path``, open for writing; raises JournalError.

    A match among the others has a caretaker. One that somebody wants elsewhere keeps all its pictures.
    """
    folder = matches_folder()
    if match_of(path).parent != folder:
        return Journal(path)
    reserve = Reserve(folder.parent)
    reserve.make()
    return Journal(path, care=Caretaker(fresh(spent_today(folder)), reserve))


def make_order(state: Path | None = None) -> str:
    """What is done at a start, before a match; what people should know of it, in a sentence.

    A restore that was cut is finished, and old pictures give way where they are too many. A box with a
    trouble here plays all the same.
    """
    state = state or matches_folder().parent
    try:
        done = finish(state, settings_beside(state))
    except OSError as wrong:
        return f"A restore was cut, and cannot be finished: {str(wrong.strerror or wrong).rstrip('.')}."
    shed(state)
    return "" if done is None else f"A restore that was cut has been finished: {done.words}"


def spent_today(folder: Path, now: Callable[[], float] = time.time) -> int:
    """The bytes of pictures that the matches of the last day took."""
    today = [path for path in all_files(folder) if written(path) / 1e9 > now() - DAY_S]
    sizes: list[tuple[float, int]] = []
    for path in today:
        try:
            with reader(path) as base:
                sizes += base.execute(_SIZES).fetchall()
        except (JournalError, OSError):
            continue
    return spent(sizes, now())
