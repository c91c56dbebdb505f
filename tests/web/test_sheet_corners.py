"""The four corners of a map in a photo, and a square that was misread: tapped, or by keyboard alone."""

from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

import cv2
import numpy as np
import pytest

from device.match.acts import taken_up
from device.match.match import Match
from device.sheet_reading import read_photo
from simulation.filled_sheet import OUR_FORM, filled
from simulation.sheet_photo import PhotoConditions, photographed
from tests.device.match.match_bench import FACTS, game
from tests.web.browser import Browser
from tests.web.desks import ShownDesk
from tests.web.test_sheets_live import FIRST, READ_S
from vision.sheet_finder import FoundSheets

ENTER, BACK, SHIFT = "\ue007", "\ue003", "\ue008"
LEFT, UP, RIGHT, DOWN = "\ue012", "\ue013", "\ue014", "\ue015"
BEGIN = ((0.2, 0.2), (0.8, 0.2), (0.8, 0.8), (0.2, 0.8))
STEP, FURTHER = 0.005, 10

_PLACE = """const one = document.querySelector('#photo'); one.scrollIntoView({ block: 'center' });
const box = one.getBoundingClientRect();
return [box.left + arguments[0] * box.width, box.top + arguments[1] * box.height]"""


@lru_cache(maxsize=1)
def photo() -> tuple[bytes, list[tuple[float, float]]]:
    """A photo of a map, and where the map's corners are in it, as shares of its width and height."""
    rng = np.random.default_rng(5)
    taken = photographed([filled(OUR_FORM, FIRST, False, rng)], PhotoConditions(square_px=50), rng)
    image = cv2.imdecode(np.frombuffer(taken.jpeg, np.uint8), cv2.IMREAD_COLOR)
    assert image is not None
    high, wide = image.shape[:2]
    corners = read_photo(np.asarray(image, np.uint8)).maps[0].corners[[0, 0, -1, -1], [0, -1, -1, 0]]
    return taken.jpeg, [(float(x) / wide, float(y) / high) for x, y in corners]


@pytest.fixture
def page(tmp_path: Path, browser: Browser, monkeypatch: pytest.MonkeyPatch) -> Iterator[Browser]:
    """The page of sheets with a photo in which no map is found by itself."""
    jpeg, _ = photo()
    monkeypatch.setattr("vision.sheet_finder.find_sheets", lambda _: FoundSheets((), ()))
    (tmp_path / "photo.jpg").write_bytes(jpeg)
    with ShownDesk(tmp_path, taken_up(Match(), game(*FACTS))) as desk:
        browser.viewport(1280, 800)
        browser.open(f"{desk.address}sheets")
        browser.type("#file", str(tmp_path / "photo.jpg"))
        browser.until(lambda: browser.run("return document.querySelector('#photo').naturalWidth > 0"), READ_S)
        yield browser


def move(browser: Browser, start: tuple[float, float], end: tuple[float, float]) -> None:
    """Bring the cross from one place to another by arrows, the long way with Shift."""
    small, large = [], []
    for one, other, less, more in zip(start, end, (LEFT, UP), (RIGHT, DOWN), strict=True):
        steps = round((other - one) / STEP)
        key = more if steps > 0 else less
        large += [key] * (abs(steps) // FURTHER)
        small += [key] * (abs(steps) % FURTHER)
    browser.keys(*large, held=SHIFT)
    browser.keys(*small)


def test_a_map_is_found_and_a_square_corrected_by_keyboard_alone(page: Browser) -> None:
    """Arrows and Enter set each corner, Backspace takes one back; then a square is gone to and mended."""
    told = "#corner-told"
    page.reach(".photo")
    assert "0 of 4 corners are set. Next is upper left: the cross is 20 %" in page.text(told)
    move(page, BEGIN[0], (0.5, 0.4))
    assert "the cross is 50 % from the left, 40 % from above" in page.text(told)
    page.keys(ENTER)
    assert "1 of 4 corners are set. Next is upper right" in page.text(told)
    assert page.run("return document.querySelectorAll('.dot:not(.cross)').length") == 1
    page.keys(BACK)
    assert "0 of 4 corners are set. Next is upper left: the cross is 50 %" in page.text(told)
    page.keys(BACK)  # there is none: nothing happens, and the page stays
    at = (0.5, 0.4)
    for k, corner in enumerate(photo()[1]):
        move(page, at, corner)
        page.keys(ENTER)
        at = BEGIN[(k + 1) % 4]
    page.until(lambda: page.run("return document.querySelectorAll('.map').length") == 1, READ_S)
    focused = "return document.activeElement.matches(arguments[0])"
    assert page.run(focused, "#told")
    square = '.squares button[aria-label^="r1c1"]'
    page.until(lambda: "empty" in page.run("return document.querySelector(arguments[0])?.ariaLabel", square))
    page.reach(square)
    page.keys(ENTER)
    page.until(lambda: page.run("return document.querySelector('#pick').open"))
    page.reach("#pick summary")
    page.keys(ENTER)
    page.reach("#coats button:nth-child(3)")
    page.keys(ENTER)
    page.reach("#pick [value=done]")
    page.keys(ENTER)
    page.until(lambda: "crosses" in page.run("return document.querySelector(arguments[0]).ariaLabel", square))
    assert page.run(focused, square), "the focus is back where it was"
    assert [one for one in page.complaints() if "/sheets/read" not in one] == []  # no map was found by itself


def test_corners_are_tapped_and_taken_back_and_those_of_nothing_are_asked_for_anew(page: Browser) -> None:
    """A tap sets a corner, a button takes it back; four of no map are refused, and are set anew."""

    def tap(x: float, y: float) -> None:
        place = page.run(_PLACE, x, y)
        page.drag(place, place)

    page.viewport(390, 844, mobile=True)
    tap(0.4, 0.4)
    page.until(lambda: "1 of 4 corners are set. Next is upper right." in page.text("#corner-told"))
    page.click("#corner-back")
    page.until(lambda: "0 of 4" in page.text("#corner-told"))
    for x, y in ((0.01, 0.01), (0.2, 0.01), (0.2, 0.2), (0.01, 0.2)):
        tap(x, y)
    page.until(lambda: "no castle amid these corners" in page.text("#told"), READ_S)
    assert "0 of 4 corners are set. Next is upper left." in page.text("#corner-told")
    assert page.run("return document.querySelectorAll('.dot').length") == 0
    wide = page.run("return [document.documentElement.scrollWidth, innerWidth]")
    assert wide[0] <= wide[1]
