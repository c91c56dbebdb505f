"""How a match lies on a phone: nothing cut, nothing covered, everything large enough for a thumb."""

import time
from pathlib import Path
from random import Random

import pytest

from engine import GAMES
from engine.history import History
from tests.web.browser import Browser
from tests.web.by_hand import HandTable
from tests.web.desks import ShownDesk
from tests.web.gallery import DESK, PHONE, STATES
from tests.web.test_touch import Hand, planned

THUMB = 44
SETTLED_S = 2.0
"""So long a busy machine may take for a frame or two."""
_SMALL = """
const of = (one) => one.getBoundingClientRect();
const inside = (one) => (one.matches('input') && one.closest('label')) || one.closest('p > a');
return [...document.querySelectorAll('a, button, input, select, summary, label:has(input)')]
  .filter((one) => one.checkVisibility() && !inside(one) && of(one).width > 0)
  .filter((one) => Math.min(of(one).width, of(one).height) < arguments[0] - 0.5)
  .map((one) => `${one.tagName} ${one.id || one.className} ${of(one).width}x${of(one).height}`);
"""
"""A link in a sentence is as large as its words."""
_PIECES = """
return [...document.querySelectorAll('#board .tray .target.lit')]
  .map((one) => [one.dataset.tap, one.getBoundingClientRect()])
  .filter(([, box]) => Math.max(box.width, box.height) < arguments[0] - 0.5)
  .map(([tap, box]) => `${tap} ${box.width} x ${box.height}`);
"""
OUTSIDE = """
const wide = innerWidth < 640 ? Math.min(innerWidth, screen.width) : innerWidth; // phones grow
const sticksOut = (box) => box.width > 1 && (box.left < -0.5 || box.right > wide + 0.5);
return [...document.querySelectorAll('body *')]
  .filter((one) => one.checkVisibility() && !one.closest('svg, #log, .enlarged'))
  .filter((one) => sticksOut(one.getBoundingClientRect()))
  .map((one) => `${one.tagName} ${one.id || one.className} sticks out`);
"""
_CUT = """
const some = 'button, h1, h2, summary, figcaption, .caption, #headline, #expected, .tray';
return [...document.querySelectorAll(some)].filter((one) => one.checkVisibility())
  .filter((one) => one.scrollWidth > one.clientWidth + 1 && getComputedStyle(one).overflow !== 'visible')
  .map((one) => `${one.tagName} ${one.id} ${one.innerText} is cut`);
"""
_COVERED = """
const of = (name) => document.getElementById(name).getBoundingClientRect(), found = [];
document.scrollingElement.scrollTop = 1e6;
const dock = of('dock'), say = of('say'), bar = of('buttons');
const parts = [...document.querySelectorAll("main > :not(#dock)")].filter((one) => one.checkVisibility());
const low = Math.max(...parts.map((one) => one.getBoundingClientRect().bottom));
if (low > dock.top + 0.5) found.push(`the page ends at ${low}, behind the buttons at ${dock.top}`);
const over = say.bottom > bar.top + 0.5 && say.right > bar.left + 0.5;
if (say.height && bar.height && over) found.push('what can be said covers the buttons');
const large = dock.bottom > innerHeight + 0.5 || dock.top < innerHeight * 0.25;
if (large) found.push(`the buttons stand from ${dock.top} to ${dock.bottom}`);
return found;
"""


def wrong(browser: Browser) -> list[str]:
    """What stays cut, covered, outside, or too small for a thumb.

    The page makes room for its buttons in the frame after they have changed.
    """
    until = time.monotonic() + SETTLED_S
    while (found := seen_wrong(browser)) and time.monotonic() < until:
        time.sleep(0.1)
    return found


def seen_wrong(browser: Browser) -> list[str]:
    """What is so at this moment."""
    phone = browser.run("return innerWidth") < 640
    found: list[str] = [*browser.run(OUTSIDE), *browser.run(_CUT), *browser.run(_COVERED)]
    if phone:
        found += browser.run(_SMALL, THUMB)
    return found


@pytest.mark.parametrize("state", STATES)
@pytest.mark.parametrize("size", [PHONE, DESK])
def test_nothing_is_cut_covered_or_too_small(
    tmp_path: Path, browser: Browser, state: str, size: tuple[int, int]
) -> None:
    """Each game, a refusal, a question, a move that waits, and the end."""
    with ShownDesk(tmp_path, STATES[state]()) as shown:
        browser.viewport(*size, mobile=size is PHONE)
        browser.open(shown.address)
        browser.until(lambda: browser.text("#scores") and browser.text("#buttons"))
        assert wrong(browser) == []
        browser.run("document.querySelector('.looks').open = true")
        assert wrong(browser) == []


@pytest.mark.parametrize("game", GAMES)
def test_a_board_is_played_on_in_the_reach_of_a_thumb(tmp_path: Path, browser: Browser, game: str) -> None:
    """Through set-up and first moves by hand, on a phone: the board, what can be said, and the buttons."""
    browser.viewport(*PHONE, mobile=True)
    with HandTable(tmp_path, History.begin(game, players=("Ann", "Bo"))) as table:
        hand, rng = Hand(browser, table), Random(game)
        for _ in range(10):
            assert wrong(browser) == []
            assert browser.run(_PIECES, THUMB) == []
            hand.say(planned(table.game, rng))
        wide = browser.run("return document.querySelector('#board svg.board').getBoundingClientRect().width")
        assert wide >= 330  # the board has the width of the phone


def test_a_figure_can_be_made_larger(tmp_path: Path, browser: Browser) -> None:
    """Once: a board whose squares suit a thumb, to be pushed about; then the whole screen; then as it was."""
    with ShownDesk(tmp_path, STATES["dominoes-of-war"]()) as shown:
        browser.viewport(*PHONE, mobile=True)
        browser.open(shown.address)
        browser.until(lambda: browser.text("#scores"))
        square = """const box = document.querySelector('#board .field .ground').getBoundingClientRect();
            return Math.min(box.width, box.height)"""
        before = browser.run(square)
        browser.click("#board .larger")
        assert browser.run(square) >= 1.6 * before
        assert browser.run("return document.documentElement.scrollWidth <= innerWidth")
        assert browser.run("return document.querySelector('#board .larger').ariaPressed") == "true"
        # A browser without a window has no whole screen to give: that it is asked for is all that shows.
        browser.run("Element.prototype.requestFullscreen = async function () { window.whole = this.id }")
        browser.click("#board .larger")
        browser.until(lambda: browser.run("return window.whole") == "board")
        browser.until(lambda: browser.text("#board .larger") == "As it was")
        browser.click("#board .larger")
        browser.until(lambda: abs(browser.run(square) - before) < 1)
