"""The virtual table as a camera: a random game, filmed while it is watched; one seed gives one film."""

import time
from collections.abc import Callable

from device.live.ports import Away, Shot
from simulation.film import Film, Options


class VirtualTable:
    """A film in real time, faster, or as fast as it can be drawn and looked at (``speed`` 0).

    It ends like a recording; times are the table's, so that a slow machine plays slowly and not wrongly.
    """

    recorded = True

    def __init__(
        self, game: str, seed: int, *, speed: float = 1.0, options: Options | None = None,
        clock: Callable[[], float] = time.monotonic, sleep: Callable[[float], None] = time.sleep,
    ) -> None:  # fmt: skip
        self.film = Film.of(game, seed=seed, options=options)
        self._shots = self.film.shots()
        self._speed, self._clock, self._sleep = speed, clock, sleep
        self._began_s: float | None = None

    def next(self, timeout_s: float) -> Shot | Away | None:
        """The next frame when its time has come; None after the last."""
        del timeout_s  # a frame that is drawn is never late by its own clock
        shot = next(self._shots, None)
        if shot is None:
            return None
        if self._speed > 0:
            now = self._clock()
            self._began_s = now if self._began_s is None else self._began_s
            ahead = self._began_s + shot.tick.t / self._speed - now
            if ahead > 0:
                self._sleep(ahead)
        return Shot(shot.index, shot.tick.t, shot.picture)

    def close(self) -> None:
        """Nothing is held."""
        self._shots = iter(())
