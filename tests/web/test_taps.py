"""Each way to put something right, counted in taps: `pytest -s tests/web/test_taps.py`."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from device.match.phase import Phase
from tests.device.match.bench import ILLEGAL, LEGAL
from tests.web.browser import MISSING, Browser
from tests.web.by_hand import HandTable
from tests.web.test_browser import Table
from tests.web.test_touch import Hand, begun

PLAYED = ("see lot 3-4 / 5-6", "see deal hidden / hidden", "down 3-6", "1: 4-6 by 6 at east")
_PRESS = """
const [selector, words] = arguments;
const one = [...document.querySelectorAll(selector)]
  .find((each) => each.checkVisibility() && !each.disabled && each.innerText.startsWith(words));
one?.click(); return Boolean(one);"""


class Thumb:
    """Somebody who counts each tap."""

    def __init__(self, browser: Browser) -> None:
        self.browser, self.taps = browser, 0

    def press(self, selector: str, words: str = "") -> None:
        """A button by its words, as soon as it is there."""
        self.browser.until(lambda: self.browser.run(_PRESS, selector, words))
        self.taps += 1

    def until(self, what: Callable[[], object]) -> None:
        """Wait for what comes of it."""
        self.browser.until(what)


@pytest.fixture
def thumb(tmp_path: Path) -> Iterator[Thumb]:
    """A thumb on a phone."""
    if MISSING:
        pytest.skip(MISSING)
    with Browser(tmp_path / "phone") as phone:
        phone.viewport(390, 844, mobile=True)
        yield Thumb(phone)


def counted(what: str, thumb: Thumb, most: int) -> None:
    """No more taps than that, and none before the next thing."""
    print(f"{what}: {thumb.taps} tap{'' if thumb.taps == 1 else 's'}")
    assert 0 < thumb.taps <= most, what
    thumb.taps = 0


def test_what_the_camera_got_wrong_is_put_right_in_two_taps(tmp_path: Path, thumb: Thumb) -> None:
    """A move that is challenged; a refusal that was an error; one that both let stand; one that is undone."""
    table = Table(tmp_path / "a.match")
    try:
        thumb.browser.open(table.screen.address)
        thumb.until(lambda: "to move" in thumb.browser.text("#headline"))
        table.now([LEGAL[0]])
        thumb.press("#buttons .p1", "<img")  # a player of that name
        thumb.until(lambda: table.phase is Phase.WATCHING)
        counted("confirm a move", thumb, 1)
        table.now([LEGAL[0], ILLEGAL])
        thumb.until(lambda: table.phase is Phase.ILLEGAL)
        thumb.press("#buttons button", "I was misread")
        thumb.press("#choices button")
        thumb.until(lambda: table.watcher.match.game and len(table.watcher.match.game.entries) == 4)
        counted("say that a move was misread, and which it was", thumb, 2)
        thumb.press("#buttons button", "Undo")
        thumb.until(lambda: len(table.watcher.match.game.steps) == 3)  # type: ignore[union-attr]
        counted("take back what was done last", thumb, 1)
    finally:
        table.close()


def test_what_was_said_before_is_put_right_from_the_record(tmp_path: Path, thumb: Thumb) -> None:
    """By hand: undo and redo, an entry that did not happen, one that was something else, and going back."""
    with HandTable(tmp_path, begun("draw-game", *PLAYED)) as table:
        Hand(thumb.browser, table)

        def lines() -> list[str]:
            return [step.happened.text for step in table.game.steps]

        thumb.press("#buttons button", "Undo")
        thumb.until(lambda: lines() == list(PLAYED[:3]))
        counted("undo", thumb, 1)
        thumb.press("#buttons button", "Redo")
        thumb.until(lambda: lines() == list(PLAYED))
        counted("redo", thumb, 1)
        thumb.press("#log .entry", "3")
        thumb.press("#past-else")
        thumb.until(lambda: "entry 3" in said(thumb))
        tap(thumb, "tile 5-6")
        thumb.until(lambda: lines()[2:3] == ["2: down 5-6"] or "place down" in offered(thumb))
        if lines()[2] != "2: down 5-6":
            tap(thumb, "place down")
        thumb.until(lambda: lines()[2] == "2: down 5-6")
        counted("say that an earlier entry was something else (two taps, and those of the move)", thumb, 4)
        thumb.press("#log .entry", "4")
        thumb.press("#past-gone")
        thumb.until(lambda: len(lines()) == 3)
        counted("say that an earlier entry did not happen", thumb, 2)
        thumb.press("#log ol:last-child li:last-child .entry")
        thumb.press("#past-return")
        thumb.until(lambda: len(lines()) == 1)
        counted("go back to an entry", thumb, 2)
        assert [
            one for one in thumb.browser.complaints() if "/evidence/" not in one
        ] == []  # by hand there is none


def said(thumb: Thumb) -> list[str]:
    """What the page has been told so far."""
    return str(thumb.browser.run("return document.getElementById('board').dataset.said ?? ''")).split("|")


def offered(thumb: Thumb) -> list[str]:
    """What may be tapped next."""
    script = """return [...document.querySelectorAll('#board .lit, #say [data-say]')]
        .flatMap((one) => (one.dataset.tap ?? one.dataset.say).split('|'))"""
    found: list[str] = thumb.browser.run(script)
    return found


def tap(thumb: Thumb, name: str) -> None:
    """A thing on the board or beside it."""
    script = """const one = [...document.querySelectorAll('#board .lit, #say [data-say]')]
        .find((each) => (each.dataset.tap ?? each.dataset.say).split('|').includes(arguments[0]));
        one?.dispatchEvent(new MouseEvent('click', { bubbles: true })); return Boolean(one)"""
    thumb.until(lambda: thumb.browser.run(script, name))
    thumb.taps += 1
