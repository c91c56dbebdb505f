"""The newest picture is drawn once for all who look on."""

import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from device.journal.evidence import Mark
from device.live.channels import Latest
from device.live.ports import Glimpse, Shot
from tests.device.live.scripted import picture_of
from web import newest
from web.newest import LEAST_S, NewestPicture

MARKS = (Mark(((1.0, 1.0), (9.0, 1.0), (9.0, 9.0)), "2-5"),)


class Drawings:
    """Frames that come, a clock that is told, and how often anything was drawn."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now, self.drawn = 100.0, 0
        self.frames: Latest[Glimpse] = Latest()
        self.pictures = NewestPicture(self.frames, clock=lambda: self.now)
        real = newest.shown

        def shown(glimpse: Glimpse, *, plain: bool) -> Any:
            self.drawn += 1
            return real(glimpse, plain=plain)

        monkeypatch.setattr(newest, "shown", shown)

    def film(self, number: int) -> None:
        """The next frame."""
        self.frames.put(Glimpse(Shot(number, 0.0, picture_of(number)), None, MARKS))


@pytest.fixture
def drawings(monkeypatch: pytest.MonkeyPatch) -> Drawings:
    """Before the first frame."""
    return Drawings(monkeypatch)


def test_eight_screens_that_ask_at_once_have_one_picture_drawn(drawings: Drawings) -> None:
    """Those who come while it is drawn get the same one."""
    drawings.film(1)
    ready = threading.Barrier(8)

    def ask(_: int) -> tuple[int, bytes] | None:
        ready.wait(10)
        return drawings.pictures.get(plain=False)

    with ThreadPoolExecutor(8) as screens:
        found = set(screens.map(ask, range(8)))
    assert len(found) == 1
    assert drawings.drawn == 1


def test_a_new_frame_is_drawn_once_the_last_picture_is_old_enough(drawings: Drawings) -> None:
    """Until then all see the one before, by its own number, so that none is taken for a newer one."""
    drawings.film(1)
    first = drawings.pictures.get(plain=False)
    drawings.film(2)
    drawings.now += LEAST_S - 0.01
    assert drawings.pictures.get(plain=False) == first
    drawings.now += 0.01
    second = drawings.pictures.get(plain=False)
    assert first
    assert second
    assert second[0] > first[0]
    drawings.now += 60
    assert drawings.pictures.get(plain=False) == second  # no newer frame, nothing is drawn
    assert drawings.drawn == 2


def test_a_plain_picture_is_another_one(drawings: Drawings) -> None:
    """Both are kept, each for those who want it; before the first frame there is none."""
    assert drawings.pictures.get(plain=True) is None
    drawings.film(1)
    with_marks, plain = drawings.pictures.get(plain=False), drawings.pictures.get(plain=True)
    assert with_marks
    assert plain
    assert with_marks[1] != plain[1]
    assert (drawings.pictures.get(plain=False), drawings.pictures.get(plain=True)) == (with_marks, plain)
    assert drawings.drawn == 2
