"""Stepping through a match: each entry with its table, corrections where they were made, undo and redo."""

from pathlib import Path

import cv2
import numpy as np
import pytest

from device.journal.events import Picture
from device.journal.game import added, began
from device.journal.store import Journal
from device.match.acts import taken_up
from device.match.match import Match
from device.match.match_view import view
from device.match.mends import mends, redoes, undoes
from device.match.signals import Kind
from device.typed import after
from engine import GAMES
from engine.history import History
from tests.device.match.match_bench import FACTS, ILLEGAL, LEGAL, Bench, game
from tests.web.browser import Browser
from tests.web.desks import ShownDesk
from tests.web.gallery import STATES
from tests.web.test_axe import broken
from web.past import PastMatch

LEFT, RIGHT, HOME, ENTER, ESCAPE = "\ue012", "\ue014", "\ue011", "\ue007", "\ue00c"


def mended() -> History:
    """A game with a move that was taken back, one corrected, and one that stands."""
    history = game(*FACTS, LEGAL[0])
    history = after(history, "undo")
    history = after(history, "1: take 3")
    history = after(history, "correct 5: 1: take 4")
    return after(history, LEGAL[1])


def test_what_was_put_right_is_told_in_sentences() -> None:
    """Each correction says whose place it is about; undo and redo say what they would do."""
    history = mended()
    assert [one["words"] for one in mends(history, 99)] == [
        "Entry 3 was taken back.", "Entry 5 was corrected: 1: take 4",
    ]  # fmt: skip
    assert [one["entry"] for one in mends(history, 99)] == [4, 6]
    assert [one["counts"] for one in mends(history, 5)] == [True, False]
    assert undoes(history) == f"7, {LEGAL[1]}"
    back = after(history, "undo")
    assert redoes(back) == f"7, {LEGAL[1]}"
    again = after(back, "redo")
    assert redoes(again) == ""
    assert again.state == history.state
    assert [one["words"] for one in mends(again, 99)][-2:] == [
        "Entry 7 was taken back.",
        "Entry 7 counts again.",
    ]
    stood = game(*FACTS, LEGAL[0]).move(ILLEGAL).stand()
    assert [one["words"] for one in mends(stood, 99)] == ["Entry 4 stands: both let it."]
    assert undoes(stood) == "entry 4 stands"
    assert undoes(game()) == ""
    assert undoes(game(FACTS[0])) == f"1, {FACTS[0]}"


def test_redo_brings_back_what_one_undo_took() -> None:
    """A move that was undone with what it revealed counts again with it, by one word."""
    bench = Bench(*FACTS, *LEGAL[:2])
    before = bench.game
    bench.tell(Kind.UNDO)
    assert bench.game.state != before.state
    again = after(bench.game, "redo")
    assert again.state == before.state


def test_each_entry_has_its_table_and_its_changes(tmp_path: Path) -> None:
    """As the match stands now; of a correction what it changed when it was made."""
    with ShownDesk(tmp_path, taken_up(Match(), mended())) as shown:
        past = PastMatch(shown.journal)
        third, fifth, sixth = past.at(3), past.at(5), past.at(6)
        assert third is not None and fifth is not None and sixth is not None  # noqa: PT018
        assert "layout" not in third  # taken back: it lies nowhere
        assert fifth["step"]["text"] == LEGAL[0]
        assert fifth["layout"]["spots"]
        assert [one["entry"] for one in sixth["changes"]] == [5]
        assert sixth["changes"][0]["was"]["text"] == "1: take 3"
        assert sixth["changes"][0]["now"]["text"] == "1: take 4"
        assert sixth["totals"] == [[0, 0], [0, 0]]
        assert fifth["totals"] == []
        assert past.at(0) is None
        assert past.at(99) is None


_BOARD = """const shown = document.querySelector(arguments[0]).cloneNode(true);
shown.querySelectorAll('details').forEach((one) => one.removeAttribute('open')); return shown.innerHTML;"""


@pytest.mark.parametrize("state", [*GAMES, *(f"refused-{game}" for game in GAMES if game != "draw-game")])
def test_the_table_of_the_past_is_drawn_as_the_live_one(tmp_path: Path, browser: Browser, state: str) -> None:
    """The last entry and the table now: last move, dice of this turn, what was refused and what would be."""
    with ShownDesk(tmp_path, STATES[state]()) as shown:
        browser.open(shown.address)
        browser.until(lambda: browser.text("#log .entry"))
        browser.run("document.querySelector('#log .entry').click()")
        browser.until(lambda: browser.run("return document.querySelector('#past-board svg') !== null"))
        live = browser.run(_BOARD, "#board .frame")
        assert browser.run(_BOARD, "#past-board .frame") == live
        assert ("ghosts wrong" in live) == state.startswith("refused")


def test_a_journal_that_is_gone_has_no_past(tmp_path: Path) -> None:
    """No entry, and no error."""
    assert PastMatch(tmp_path / "none.match").at(1) is None


def test_the_record_is_stepped_through_on_the_page(tmp_path: Path, browser: Browser) -> None:
    """By tap and by arrow keys; the focus comes back to where it was."""
    history = mended()
    with ShownDesk(tmp_path, taken_up(Match(), history)) as shown:
        browser.viewport(390, 844, mobile=True)
        browser.open(shown.address)
        browser.until(lambda: LEGAL[1] in browser.text("#log"))
        rows = browser.run(
            "return [...document.querySelectorAll('#log .text')].map((one) => one.textContent)"
        )
        assert rows[0].endswith(LEGAL[1])
        assert "Entry 5 was corrected: 1: take 4" in rows
        assert "Entry 3 was taken back." in rows
        browser.run("document.querySelector('#log .entry').focus()")
        browser.click("#log .entry")
        browser.until(lambda: browser.text("#past-title").startswith("7: "))
        assert "KDD-" in browser.text("#past-ruling")
        browser.until(lambda: browser.run("return document.querySelector('#past-board svg') !== null"))
        assert browser.run("return document.querySelector('#past-last').disabled")
        browser.keys(LEFT)
        browser.until(lambda: "was corrected" in browser.text("#past-title"))
        assert "5: 1: take 3" in browser.text("#past-ruling")
        focused = "return document.activeElement.id"
        for button, title, left in (("last", "7: ", "back"), ("first", "1: ", "on")):
            browser.run(f"document.querySelector('#past-{button}').focus()")
            browser.keys("\ue007")  # at an end there is no further way: the focus goes to the way back
            browser.until(lambda title=title: browser.text("#past-title").startswith(title))
            browser.until(lambda left=left: browser.run(focused) == f"past-{left}")
        browser.keys(RIGHT)
        browser.until(lambda: browser.text("#past-title").startswith("2: "))
        browser.keys(HOME)
        browser.until(lambda: browser.text("#past-title").startswith("1: "))
        browser.keys(RIGHT)
        browser.until(lambda: browser.text("#past-title").startswith("2: "))
        wide = browser.run("return [document.documentElement.scrollWidth, innerWidth]")
        assert wide[0] <= wide[1]
        browser.click("#past-return")
        browser.until(lambda: shown.said)
        assert shown.said[0].words == "back to 2"
        assert browser.run("return document.activeElement.className") == "entry"
        shown.desk.views.put(view(taken_up(Match(), after(history, "undo"))))
        browser.until(lambda: "Redo" in browser.text("#buttons"))
        assert LEGAL[1] in browser.text("#buttons")


def test_a_tap_shows_the_pictures_of_an_entry_as_large_as_they_were_taken(
    tmp_path: Path, browser: Browser, engine: str
) -> None:
    """Over all of the page, to be pushed about; a tap on it, its button or Escape put it back."""
    history = game(*FACTS, LEGAL[0])
    taken = cv2.imencode(".jpg", np.full((720, 1280, 3), 90, np.uint8))[1].tobytes()
    with Journal(tmp_path / "shown.match") as journal:
        journal.append(began(game()))
        journal.append(added(game(), history, [Picture("after", taken), Picture("before", taken)]))
    with ShownDesk(tmp_path, taken_up(Match(), history)) as shown:
        browser.viewport(390, 844, mobile=True)
        browser.open(shown.address)
        browser.until(lambda: browser.text("#log .entry"))
        browser.run("[...document.querySelectorAll('#log .entry')].at(-1).click()")
        there = """return [...document.querySelectorAll('#past-pictures figure')].filter((one) => !one.hidden
          && one.querySelector('img').naturalWidth === 1280).length"""
        browser.until(lambda: browser.run(there) == 2)
        wide = "return document.querySelectorAll('#past-pictures img')[1].getBoundingClientRect().width"
        covers = """const at = (x, y) => document.elementFromPoint(x, y)?.closest('figure.whole') !== null;
          const whole = document.querySelector('#past figure.whole');
          return whole !== null && at(5, 5) && at(385, 839) && whole.scrollWidth > innerWidth"""
        assert browser.run(wide) < 390
        second = "#past-pictures figure:nth-child(2) img"
        browser.run("document.querySelector(arguments[0]).scrollIntoView({ block: 'center' })", second)
        browser.click(second)
        browser.until(lambda: browser.run(covers))
        assert browser.run(wide) == 1280
        assert browser.run("return document.activeElement.matches('figure.whole .larger')")
        assert browser.run("return document.activeElement.ariaLabel.endsWith('As it was')")
        assert broken(browser, engine, "#past") == []
        title = browser.run("return document.querySelector('#past-title').textContent")
        browser.keys(LEFT)
        assert browser.run("return document.querySelector('#past-title').textContent") == title
        browser.keys(ESCAPE)
        browser.until(lambda: not browser.run(covers))
        assert browser.run("return document.querySelector('#past').open")
        assert browser.run(wide) < 390
        browser.keys(ENTER)  # the focus is where it was
        browser.until(lambda: browser.run(covers))
        browser.click("#past figure.whole img")
        browser.until(lambda: not browser.run(covers))
        assert browser.run("return [...document.querySelectorAll('#past [inert]')].length") == 0
