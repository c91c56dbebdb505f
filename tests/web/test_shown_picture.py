"""The newest picture is drawn once for all who look on."""

import json
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest

from device.journal.ruling_pictures import Outline
from device.live.ports import Glimpse, Shot
from device.live.thread_channels import Latest
from tests.device.live.scripted import picture_of
from web import shown_picture
from web.shown_picture import LEAST_S, How, NewestPicture, ShownPicture, captions_of, shown

MARKS = (Outline(((1.0, 1.0), (9.0, 1.0), (9.0, 9.0)), "2-5"),)


class Drawings:
    """Frames that come, a clock that is told, and how often anything was drawn."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now, self.drawn = 100.0, 0
        self.frames: Latest[Glimpse] = Latest()
        self.pictures = NewestPicture(self.frames, clock=lambda: self.now)
        real = shown_picture.shown

        def shown(glimpse: Glimpse, how: How) -> Any:
            self.drawn += 1
            return real(glimpse, how)

        monkeypatch.setattr(shown_picture, "shown", shown)

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

    def ask(_: int) -> ShownPicture | None:
        ready.wait(10)
        return drawings.pictures.get("drawn")

    with ThreadPoolExecutor(8) as screens:
        found = set(screens.map(ask, range(8)))
    assert len(found) == 1
    assert drawings.drawn == 1


def test_a_new_frame_is_drawn_once_the_last_picture_is_old_enough(drawings: Drawings) -> None:
    """Until then all see the one before, by its own number, so that none is taken for a newer one."""
    drawings.film(1)
    first = drawings.pictures.get("drawn")
    drawings.film(2)
    drawings.now += LEAST_S - 0.01
    assert drawings.pictures.get("drawn") == first
    drawings.now += 0.01
    second = drawings.pictures.get("drawn")
    assert first
    assert second
    assert second.number > first.number
    drawings.now += 60
    assert drawings.pictures.get("drawn") == second  # no newer frame, nothing is drawn
    assert drawings.drawn == 2


def test_a_plain_picture_is_another_one(drawings: Drawings) -> None:
    """Both are kept, each for those who want it; before the first frame there is none."""
    assert drawings.pictures.get("plain") is None
    drawings.film(1)
    with_marks, plain = drawings.pictures.get("drawn"), drawings.pictures.get("plain")
    assert with_marks
    assert plain
    assert with_marks.jpeg != plain.jpeg
    assert (drawings.pictures.get("drawn"), drawings.pictures.get("plain")) == (with_marks, plain)
    assert drawings.drawn == 2


def test_a_page_is_told_what_to_write_where() -> None:
    """In pixels of the picture as it is sent; the picture itself has the outlines alone."""
    large = np.full((1080, 1920, 3), 90, np.uint8)
    square = ((100.0, 200.0), (300.0, 200.0), (300.0, 400.0), (100.0, 400.0))
    odd = Outline(tuple((x + 800, y) for x, y in square), "grunt?")
    lost = Outline(tuple((x, y + 500) for x, y in square))
    glimpse = Glimpse(
        Shot(1, 0.0, large), None, (Outline(square, "2-5"), odd, Outline(square[:3])), (odd, lost)
    )
    assert json.loads(captions_of(glimpse)) == {
        "size": [960, 540],
        "words": [
            ["2-5", 50, 100, 150, 200, 0],
            ["grunt?", 450, 100, 550, 200, 1],
            ["", 50, 350, 150, 450, 1],
        ],
    }
    outlined, drawn = shown(glimpse, "outlined"), shown(glimpse, "drawn")
    assert outlined.shape == drawn.shape == (540, 960, 3)
    below = (slice(205, 240), slice(60, 140))  # where the words of the first one stand
    assert np.all(outlined[below] == 90)
    assert not np.all(drawn[below] == 90)
    assert not np.all(outlined[95:205, 45:155] == 90)
    assert captions_of(Glimpse(Shot(1, 0.0, large), None, (Outline(square, "Übung ≠"),))).isascii()
