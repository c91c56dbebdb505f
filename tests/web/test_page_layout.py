"""How a match lies on a phone: nothing cut, nothing covered, everything large enough for a thumb."""

import time
from pathlib import Path
from random import Random

import pytest

from device.match.acts import taken_up
from device.match.match import Match
from engine import GAMES
from engine.history import History
from tests.web.browser import Browser
from tests.web.desks import ShownDesk
from tests.web.gallery import DESK, PHONE, STATES, random_game
from tests.web.gallery import GAMES as MIDDLE
from tests.web.hand_table import HandTable
from tests.web.refusals import TAPS, before, refusal
from tests.web.test_page_touch import Hand, planned, press

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

LANDSCAPE = (844, 390)
SIZES = (PHONE, LANDSCAPE, DESK)
_IN_VIEW = """
const find = (name) => document.querySelector(name), dock = find('#dock');
const box = (find('#board .map.mine svg') ?? find('#board svg.board')).getBoundingClientRect();
const low = dock.checkVisibility() ? dock.getBoundingClientRect().top : innerHeight;
return Math.max(0, Math.min(box.bottom, low) - Math.max(box.top, 0)) / box.height;
"""
"""How much of the board, or of the map of whoever is to move, is between the window's top and its buttons."""
FLOOR = {PHONE: 0.99, LANDSCAPE: 0.8, DESK: 0.99}
REFUSED = {"draw-game": 0.95, "dominoids": 0.75, "dominoes-of-war": 0.75, "kingdomino-duel": 0.6}
"""So much stays in view on a phone beside a refusal with all that it offers."""
_REFUSED = """
const box = (one) => one.getBoundingClientRect().toJSON();
const all = (name) => [...document.querySelectorAll(name)].filter((one) => one.checkVisibility()).map(box);
return { acts: all('#say button.choice'), thumbs: all('#say svg.thumb'), say: all('#say')[0],
  dock: all('#dock')[0], proof: all('#board .broken, #board .ghosts.wrong > g'), high: innerHeight };
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
        if size is PHONE:
            browser.click("#menu")
        browser.run("document.querySelector('.looks').open = true")
        assert browser.run("return document.querySelector('#theme').checkVisibility()")
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
        browser.run("document.querySelector('#board .larger').scrollIntoView({ block: 'center' })")
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


def test_a_figure_fills_the_screen_where_a_browser_has_no_whole_screen(
    tmp_path: Path, browser: Browser
) -> None:
    """As on an iPhone: it lies over all but what can be pressed, and nothing beneath is reached by keys."""
    with HandTable(tmp_path, random_game("dominoids", 24)) as table:
        browser.viewport(*PHONE, mobile=True)
        Hand(browser, table)
        browser.run("Object.defineProperty(document, 'fullscreenEnabled', { value: undefined })")
        box = "return document.querySelector(arguments[0]).getBoundingClientRect().toJSON()"
        browser.run("document.querySelector('#board .larger').click()")
        assert browser.text("#board .larger") == "Whole screen"
        browser.run("document.querySelector('#board .larger').click()")
        browser.until(lambda: browser.text("#board .larger") == "As it was")
        figure, dock = browser.run(box, "#board"), browser.run(box, "#dock")
        assert [figure[side] for side in ("left", "top", "right")] == [0, 0, PHONE[0]]
        assert abs(figure["bottom"] - dock["top"]) < 1
        assert browser.run("return document.querySelector('#verdict').inert")
        assert not browser.run("return document.querySelector('#dock').inert")
        browser.run("document.querySelector('#board .frame').focus()")
        browser.keys("\ue00c")
        browser.until(lambda: browser.text("#board .larger") == "Larger")
        assert not browser.run("return document.querySelector('#verdict').inert")
        assert browser.run("return getComputedStyle(document.querySelector('#board')).position") != "fixed"


def held(browser: Browser, size: tuple[int, int]) -> None:
    """The page in a window so large, and at its top."""
    browser.viewport(*size, mobile=size is not DESK)
    browser.run("scrollTo(0, 0)")


@pytest.mark.parametrize("game", GAMES)
def test_the_board_is_in_the_first_screen(tmp_path: Path, browser: Browser, game: str) -> None:
    """All of it, without a scroll, by hand and with a camera: of the Duel the map of whoever is to move."""
    history = random_game(game, MIDDLE[game])
    with HandTable(tmp_path, history) as table:
        Hand(browser, table)
        for size in SIZES:
            held(browser, size)
            browser.until(lambda size=size: browser.run(_IN_VIEW) >= FLOOR[size])
    with ShownDesk(tmp_path, taken_up(Match(), history)) as shown:
        browser.open(shown.address)
        browser.until(lambda: browser.text("#scores") and browser.text("#buttons"))
        for size in SIZES:
            held(browser, size)
            browser.until(lambda size=size: browser.run(_IN_VIEW) >= FLOOR[size])


@pytest.mark.parametrize("game", GAMES)
def test_a_refusal_leaves_the_board_in_view(tmp_path: Path, browser: Browser, game: str) -> None:
    """With a camera: the verdict, what both must agree to, the nearest legal moves, and most of the board."""
    with ShownDesk(tmp_path, refusal(game)) as shown:
        browser.open(shown.address)
        browser.until(lambda: browser.text("#nearest"))
        for size, floor in ((PHONE, REFUSED[game]), (DESK, FLOOR[DESK])):
            held(browser, size)
            browser.until(lambda floor=floor: browser.run(_IN_VIEW) >= floor)


@pytest.mark.parametrize("game", GAMES)
def test_a_refusal_by_hand_shows_why_and_where_and_what_to_do(
    tmp_path: Path, browser: Browser, game: str
) -> None:
    """What proves it wrong comes in sight above the buttons; so are both ways out, and small boards."""
    with HandTable(tmp_path, before(game)) as table:
        hand = Hand(browser, table)
        for size in (PHONE, DESK):
            held(browser, size)
            hand.try_out(TAPS[game])
            browser.until(lambda: browser.text("#say .no"))
            until = time.monotonic() + SETTLED_S
            while (odd := odd_refusal(browser)) and time.monotonic() < until:
                time.sleep(0.1)
            assert odd == []
            assert wrong(browser) == []
            press(browser, "#say button", "Leave it")
            browser.until(lambda: not hand.said)


def odd_refusal(browser: Browser) -> list[str]:
    """What of a refusal by hand is not where it should be, or not as large."""
    seen = browser.run(_REFUSED)
    low, end = seen["dock"]["top"], seen["say"]["bottom"]
    found = [f"a way out at {one}" for one in seen["acts"] if one["bottom"] > end or one["height"] < THUMB]
    found += [f"a proof at {one}" for one in seen["proof"] if one["top"] < 0 or one["bottom"] > low]
    sized = [40 <= one["height"] <= 125 and one["width"] <= 125 for one in seen["thumbs"]]
    if len(seen["acts"]) != 2 or not seen["proof"] or not sized or not all(sized):
        found.append(f"acts, proof and boards are {seen}")
    if seen["dock"]["height"] > 0.5 * seen["high"]:
        found.append(f"the buttons take {seen['dock']}")
    return found
