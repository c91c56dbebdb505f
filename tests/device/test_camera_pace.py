"""How many pictures a camera gives, and whether they are pictures: told before a match waits for nothing."""

import threading
from collections.abc import Callable
from itertools import count
from typing import Any

import numpy as np
import pytest

from device.cameras.frames import Frame, FrameKind
from device.cameras.own_process import Apart
from device.live.ports import Away, Shot


class Played:
    """A camera's process that sends a frame, or words, when the test says so."""

    def __init__(self) -> None:
        self.now, self.numbers = 0.0, count()
        self.source = Apart(self._opened, "The camera", clock=lambda: self.now, wait=self._wait)
        self.source.next(0.0)

    def _opened(self, take: Callable[[Frame], None]) -> Any:
        self.take = take
        return self

    def _wait(self, _news: threading.Condition, seconds: float) -> None:
        self.now += seconds

    def ended(self) -> bool:
        """It does not."""
        return False

    def until(self, end_s: float, *, same: bool = False) -> Shot | Away | None:
        """Frames come once a second; the last answer."""
        found = self.source.next(0.0)
        while self.now < end_s - 1e-9:
            self.now += 1.0
            self.take(Frame(np.full((16, 16, 3), 7 if same else next(self.numbers), np.uint8), at_s=self.now))
            found = self.source.next(0.0)
        return found


@pytest.mark.parametrize("ready_s", [1.0, None])
def test_a_camera_that_begins_too_slowly_is_told_before_its_pace_was_counted_in_full(
    ready_s: float | None,
) -> None:
    """With a frame a second, counted since its first one, whenever it said that it is ready."""
    played = Played()
    if ready_s is not None:
        played.now = ready_s
        played.take(Frame(kind=FrameKind.WORDS, words={"words": "1280×720"}))
    assert isinstance(played.until(2.0), Shot)
    found = played.until(4.0)
    assert isinstance(found, Away)
    assert "pictures a second, and 2.5 are the least" in found.why


def test_what_came_long_ago_is_forgotten_by_whoever_looks() -> None:
    """Nobody need ask how the camera is: a match of hours keeps the times of a few seconds."""
    played = Played()
    played.until(200.0)
    assert len(played.source._came_s) < 10


def test_a_picture_that_comes_again_and_again_is_no_picture() -> None:
    """People hear of it before the process is started anew, and no eye gets it."""
    played = Played()
    assert isinstance(played.until(1.0, same=True), Shot)
    played.now = 1.0
    for tick in range(11, 45):
        played.now = tick / 10
        played.take(Frame(np.full((16, 16, 3), 7, np.uint8), at_s=played.now))
        found = played.source.next(0.0)
        assert isinstance(found, Shot) == (tick <= 30), tick
    assert isinstance(found, Away)
    assert found.why.startswith("The camera sends the same picture again and again. It is tried")
