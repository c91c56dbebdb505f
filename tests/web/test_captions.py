"""What was read is written over the camera's picture: legible at any size, by its thing, in each language."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from device.journal.ruling_pictures import Outline
from device.live.ports import Glimpse, Shot
from device.match.acts import taken_up
from device.match.match import Match
from tests.web.browser import Browser
from tests.web.desks import ShownDesk
from tests.web.gallery import DESK, PHONE, TABLET, random_game, spoken

WIDE, HIGH = 1280, 960
LEAST_PX = 12
_WORDS = """const of = (one) => { const { left, top, right, bottom } = one.getBoundingClientRect();
  return [left, top, right, bottom]; }, pane = document.querySelector('#captions');
return { picture: of(document.querySelector('#picture')), pane: pane && of(pane),
  words: [...document.querySelectorAll('#captions span')].map((one) =>
    [one.textContent, parseFloat(getComputedStyle(one).fontSize), of(one), one.className]) };"""


def lying(x: float, y: float, words: str, wide: float = 120, high: float = 60) -> Outline:
    """Something of this size that lies there."""
    return Outline(((x, y), (x + wide, y), (x + wide, y + high), (x, y + high)), words)


TABLE = (
    lying(40, 40, "2-5"), lying(600, 40, "suns ace?"), lying(1150, 40, "grunt"), lying(40, 860, "dot+"),
    lying(500, 500, "6-6"), lying(640, 500, "0-0"), lying(1150, 880, "map"),
)  # fmt: skip
ODD = (TABLE[2],)


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[ShownDesk]:
    """A match with a table before its camera."""
    with ShownDesk(tmp_path, taken_up(Match(), random_game("draw-game", 14))) as shown:
        look(shown)
        yield shown


def look(desk: ShownDesk, marks: Sequence[Outline] = TABLE, number: int = 1) -> None:
    """The camera's next frame."""
    picture = np.full((HIGH, WIDE, 3), 90, np.uint8)
    desk.desk.frames.put(Glimpse(Shot(number, 0.0, picture), None, tuple(marks), ODD))  # type: ignore[attr-defined]


def told(browser: Browser, many: int = len(TABLE)) -> dict[str, Any]:
    """What is written, once the picture is there and lies still."""
    before: dict[str, Any] = {}

    def calm() -> bool:
        nonlocal before
        now = browser.run(_WORDS)
        same, before = now == before and len(now["words"]) == many and now["picture"][2] > 0, now
        return bool(same)

    browser.until(calm)
    return before


def legible(found: dict[str, Any]) -> None:
    """Large enough, inside the picture, which keeps its shape, near the thing, and none upon another."""
    left, top, right, bottom = found["picture"]
    share = min((right - left) / WIDE, (bottom - top) / HIGH)
    x, y = (
        (left + right - share * WIDE) / 2,
        (top + bottom - share * HIGH) / 2,
    )
    assert found["pane"] == pytest.approx(found["picture"], abs=1)
    boxes = []
    for (_, size, box, _), mark in zip(found["words"], TABLE, strict=True):
        assert size >= LEAST_PX
        assert box[0] >= left - 1
        assert box[1] >= top - 1
        assert box[2] <= right + 1
        assert box[3] <= bottom + 1
        (x0, y0), (x1, y1) = mark.outline[0], mark.outline[2]
        thing = (x + share * x0, y + share * y0, x + share * x1, y + share * y1)
        gap_x = max(thing[0] - box[2], box[0] - thing[2], 0)
        gap_y = max(thing[1] - box[3], box[1] - thing[3], 0)
        assert max(gap_x, gap_y) <= 3
        boxes.append(box)
    for k, one in enumerate(boxes):
        for other in boxes[:k]:
            apart = one[0] >= other[2] or other[0] >= one[2] or one[1] >= other[3] or other[1] >= one[3]
            assert apart, (one, other)


@pytest.mark.parametrize("size", [PHONE, TABLET, DESK])
def test_words_are_legible_at_any_size_of_the_picture(
    desk: ShownDesk, browser: Browser, size: tuple[int, int]
) -> None:
    """On a phone, a tablet and a desk, and larger; what is odd is said by a sign, not by colour alone."""
    browser.viewport(*size, mobile=size is PHONE)
    browser.open(desk.address)
    found = told(browser)
    legible(found)
    assert [one[0] for one in found["words"]] == ["2-5", "suns ace?", "≠ grunt", "dot+", "6-6", "0-0", "map"]
    assert [one[3] for one in found["words"]] == ["", "", "odd", "", "", "", ""]
    browser.run("document.querySelector('#camera .larger').click()")
    wider = browser.until(lambda: _grown(browser, found))
    legible(wider)
    assert all(now[1] <= 1.5 * 16 for now in wider["words"])
    assert browser.run("return document.documentElement.scrollWidth <= innerWidth")
    assert browser.complaints() == []


def _grown(browser: Browser, before: dict[str, Any]) -> dict[str, Any] | None:
    now = told(browser)
    wide = [one["picture"][2] - one["picture"][0] for one in (before, now)]
    return now if wide[1] > wide[0] * 1.2 else None


def test_words_are_in_the_language_of_the_page(desk: ShownDesk, browser: Browser) -> None:
    """Signs, types and coats as the catalogue has them; tiles are the same everywhere."""
    spoken(browser, "de")
    browser.open(desk.address)
    words = [one[0] for one in told(browser)["words"]]
    assert words == ["2-5", "Sonnen Ass?", "≠ Fußsoldat", "Punkt+", "6-6", "0-0", "Karte"]


def test_words_come_and_go_with_what_is_read_and_where_they_are_wanted(
    desk: ShownDesk, browser: Browser
) -> None:
    """Another look has other words; the plain picture has none; nor has a page without a picture."""
    browser.open(desk.address)
    told(browser)
    look(desk, TABLE[:3], 2)
    assert [one[0] for one in told(browser, 3)["words"]] == ["2-5", "suns ace?", "≠ grunt"]
    browser.run("document.querySelector('#plain').click()")
    assert told(browser, 0)["words"] == []
    browser.run("document.querySelector('#plain').click()")
    look(desk, (lying(10, 10, "<img src=x onerror=owned=1>"),), 3)
    assert told(browser, 2)["words"][0][0] == "<img src=x onerror=owned=1>"
    assert browser.run("return document.querySelector('#captions').innerHTML").count("<span") == 2
    browser.run("document.querySelector('#picture').hidden = true")
    browser.until(lambda: browser.run("return document.querySelector('#captions').hidden"))
