"""The lobby in a real browser, on a phone's width: a match is begun by hand, left, and gone on with."""

import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.device.match.bench import FACTS
from tests.device.service.boxes import BEGIN, RealBox
from tests.web.browser import Browser

HOSTILE = "<img src=x onerror=document.title='owned'>"


@pytest.fixture
def box(tmp_path: Path) -> Iterator[RealBox]:
    """A real box in its lobby."""
    with RealBox(tmp_path / "box") as made:
        made.ready()
        yield made


def choose(browser: Browser, name: str, value: str) -> None:
    """Tap on a choice."""
    browser.click(f'label:has(input[name="{name}"][value="{value}"])')


def fits(browser: Browser) -> bool:
    """Whether nothing is wider than the window."""
    return bool(browser.run("return document.documentElement.scrollWidth <= innerWidth"))


def test_a_match_from_the_lobby_and_back(box: RealBox, browser: Browser) -> None:
    """Choose, begin by hand, type, leave; it is offered again, and goes on with what was typed."""
    browser.size(390, 844)
    browser.open(f"http://localhost:{box.port}/")
    browser.until(lambda: browser.run("return document.querySelectorAll('#games label').length") == 4)
    assert "No camera was found" in browser.text("#remarks")
    assert browser.run("return document.querySelector('#kept').hidden")
    assert browser.run("return document.querySelector('[name=by]:checked').value") == "hand"
    assert fits(browser)
    choose(browser, "game", "kingdomino-duel")
    browser.type('[name="first"]', HOSTILE[:40])
    browser.type('[name="second"]', "Bo")
    choose(browser, "confirm", "button")
    choose(browser, "by", "hand")
    browser.click("#begin")
    browser.until(lambda: "type the moves" in browser.text("#headline"))
    assert "This match is played by hand" in browser.text("body")
    browser.type("#line", f"{FACTS[0]}\n")
    browser.until(lambda: FACTS[0] in browser.text("#log"))
    assert fits(browser)
    browser.click("#leave")
    browser.click('#leaving [value="stay"]')
    assert "The match" not in browser.text("#headline")
    browser.click("#leave")
    browser.click('#leaving [value="leave"]')
    browser.until(lambda: HOSTILE[:40] in browser.text("#kept"))
    assert "Kingdomino Duel" in browser.text("#kept")
    assert fits(browser)
    # What was played last is offered again.
    assert browser.run("return document.querySelector('[name=game]:checked').value") == "kingdomino-duel"
    assert browser.run("return document.querySelector('[name=confirm]:checked').value") == "button"
    browser.click("#kept button")
    browser.until(lambda: FACTS[0] in browser.text("#log"))
    assert "owned" not in browser.run("return document.title")
    # A picture that was on its way when the match was closed is no fault.
    assert [one for one in browser.complaints() if "/frame.jpg" not in one] == []


def test_a_page_waits_for_a_match_that_takes_its_time(box: RealBox, browser: Browser) -> None:
    """While a match is being opened the lobby says so, is not loaded again and again, and leads there."""
    held = box.hinder("opening")
    box.post("/api/box/do", BEGIN)
    box.until(lambda: box.json("/api/box").get("place") == "match")
    browser.open(f"http://localhost:{box.port}/")
    browser.run("window.loaded = 'once'")
    browser.until(lambda: "being opened" in browser.text("#notice"))
    time.sleep(1.0)
    assert browser.run("return window.loaded") == "once"
    held.unlink()
    browser.until(lambda: "type the moves" in browser.text("#headline"))
    assert browser.complaints() == []
