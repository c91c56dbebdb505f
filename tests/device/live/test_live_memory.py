"""Memory stays flat: whoever watches a table for hours keeps what counts, and no frames."""

import gc
import os
import sys
import weakref
from pathlib import Path

import cv2
import numpy as np
import pytest

from device.journal.store import Journal
from device.live.eye import Eye
from device.live.ports import Away, Picture, Seen, Shot
from device.live.running import Running
from device.match.acts import taken_up
from device.match.match import Manners, Match
from tests.device.live.scripted import Beginning, TruthFollower, shows
from tests.device.match.match_bench import FACTS, LEGAL, game
from vision.view import Look, SeenArm, TableView, TableWatch

SIZE = (320, 240)
FPS = 10.0
WARM = 400
"""Frames after which everything that is kept for good has been made."""
MOST_MB = 6.0

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="counts pages as Linux does")


def resident_mb() -> float:
    """How much memory this process holds."""
    gc.collect()
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


class Hours:
    """A table over which hands come and go, in noise and changing light; it remembers how memory grew."""

    recorded = True

    def __init__(self, frames: int) -> None:
        self.frames, self.at, self.mb = frames, 0, list[float]()
        self.rng = np.random.default_rng(1)
        self.cloth = np.full((SIZE[1], SIZE[0], 3), 90, np.uint8)
        for k in range(6):
            cv2.rectangle(self.cloth, (30 + 45 * k, 100), (55 + 45 * k, 112), (220, 220, 210), -1)
        self.noise = self.rng.normal(0, 2, (SIZE[1] + 20, SIZE[0] + 20, 3)).astype(np.float32)

    def next(self, _timeout_s: float) -> Shot | Away | None:
        """The next frame."""
        if self.at >= WARM and self.at % 100 == 0:
            self.mb.append(resident_mb())
        if self.at == self.frames:
            return None
        self.at += 1
        return Shot(self.at - 1, self.at / FPS, self._picture(self.at))

    def _picture(self, number: int) -> Picture:
        light = self.cloth.copy()
        turn, phase = divmod(number, 40)
        if phase < 12:
            x = 60 + (turn * 37) % 200
            rim = SIZE[1] if turn % 2 else 0
            cv2.line(light, (x, rim), (x + 2 * phase, 120), (110, 140, 200), 30)
        x, y = self.rng.integers(0, 20, 2)
        part = self.noise[y : y + SIZE[1], x : x + SIZE[0]]
        lamp = 1.0 - 0.25 * (number % 700 > 660)
        return np.asarray(cv2.convertScaleAbs(np.maximum(light * lamp + part, 0)), dtype=np.uint8)

    def close(self) -> None:
        """Nothing is held."""


class Still:
    """Reads the same table again and again; now and then something is there that should not be."""

    def __init__(self) -> None:
        self.read_so_far = 0

    def steady(self, _picture: Picture, _at_s: float) -> bool:
        """Nobody knocks."""
        return True

    def arms(self, look: Look) -> list[SeenArm]:
        """Both players reach in."""
        return [SeenArm(frozenset({1 + k % 2}), outline) for k, outline in enumerate(look.hidden)]

    def larger(self) -> float:
        """No camera here has more."""
        return 1.0

    def read(self, _table: TableView, _before: Seen | None = None) -> Seen:
        """What lies there."""
        self.read_so_far += 1
        return Seen(shows(FACTS if self.read_so_far % 5 else [*FACTS[:1], LEGAL[0]]))


def watched(path: Path, frames: int) -> tuple[list[float], int]:
    """How memory grew while a match was watched for so many frames, and how often the table was read."""
    source, reader, base = Hours(frames), Still(), game(*FACTS)
    eye = Eye(TableWatch(), reader, Beginning(base), TruthFollower)
    match = taken_up(Match(manners=Manners(calm_s=0)), base)
    assert Running(match, Journal(path), source=source, eye=eye).run() == ""
    return source.mb, reader.read_so_far


def test_a_match_that_is_watched_for_long_holds_no_more_memory(tmp_path: Path) -> None:
    """More than a minute of a table at which nothing is played, with the true gate and threads."""
    mb, read = watched(tmp_path / "a.match", 720)
    assert read > 10
    assert max(mb) - mb[0] < MOST_MB, mb


def test_who_looked_goes_with_the_match_and_waits_for_no_collector(tmp_path: Path) -> None:
    """Pictures weigh much and count as little: until the collector was due, a box held several matches'."""
    eye = Eye(TableWatch(), Still(), Beginning(game(*FACTS)), TruthFollower)
    gone, match = weakref.ref(eye), taken_up(Match(manners=Manners(calm_s=0)), game(*FACTS))
    running = Running(match, Journal(tmp_path / "a.match"), source=Hours(60), eye=eye)
    del eye
    gc.disable()
    try:
        assert running.run() == ""
        assert gone() is None
    finally:
        gc.enable()


@pytest.mark.long
def test_memory_is_flat_over_two_hours(tmp_path: Path) -> None:
    """Two hours at ten frames a second."""
    mb, read = watched(tmp_path / "a.match", int(2 * 3600 * FPS))
    assert read > 1000
    half = len(mb) // 2
    assert max(mb[half:]) - max(mb[:half]) < MOST_MB, mb[:: len(mb) // 20]
