"""Several screens at one match; pages that are loaded anew, that sleep, and a box that is started again."""

import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from device.match.phase import Phase
from device.match.signals import Kind, Told
from tests.device.match.match_bench import FACTS, ILLEGAL, LEGAL
from tests.device.service.boxes import RealBox
from tests.web.browser import MISSING, Browser
from tests.web.hand_table import HandTable
from tests.web.test_browser import Table
from tests.web.test_page_touch import DICE, Hand, begun
from tests.web.test_taps import Thumb, offered, said, tap

SOON_S = 20.0
"""So long a screen may take on a machine that has much else to do."""
_HIDE = """Object.defineProperty(document, "hidden", { value: arguments[0], configurable: true });
  document.dispatchEvent(new Event("visibilitychange"))"""
_PRESS = "const one = document.querySelector(arguments[0]); one?.click(); return Boolean(one)"


@pytest.fixture
def screens(tmp_path: Path) -> Iterator[list[Browser]]:
    """Two phones, and a television that only shows."""
    if MISSING:
        pytest.skip(MISSING)
    with ExitStack() as stack:
        found = [stack.enter_context(Browser(tmp_path / name)) for name in ("ann", "bo", "tv")]
        for phone in found[:2]:
            phone.viewport(390, 844, mobile=True)
        found[2].viewport(1280, 800)
        yield found


def test_two_phones_and_a_television_share_a_match(tmp_path: Path, screens: list[Browser]) -> None:
    """What one confirms the others show; what both must agree to needs both, each on a phone of their own."""
    ann, bo, tv = screens
    table = Table(tmp_path / "a.match")
    try:
        ann.open(table.screen.address)
        bo.open(table.screen.address)
        tv.open(f"{table.screen.address}?view=table")
        for screen in screens:
            screen.until(lambda screen=screen: "to move" in screen.text("#headline"))
        table.now([LEGAL[0]])
        ann.until(lambda: ann.run(_PRESS, "#buttons .p1"))
        for screen in screens:
            screen.until(lambda screen=screen: LEGAL[0] in screen.text("#ruling"), SOON_S)
        ann.until(lambda: table.phase is Phase.WATCHING)
        table.now([LEGAL[0], ILLEGAL])
        for screen in screens:
            screen.until(lambda screen=screen: "Not allowed" in screen.text("#headline"), SOON_S)
        assert "KDD-" in tv.text("#ruling")
        bo.until(lambda: bo.run(_PRESS, "#consent .p2"))
        tv.until(lambda: "Bo lets it stand" in tv.text("#consent"), SOON_S)
        ann.until(lambda: "Bo lets it stand" in ann.text("#consent"), SOON_S)
        assert table.phase is Phase.ILLEGAL  # one alone does nothing
        table.now([LEGAL[0]])
        tv.until(lambda: table.phase is not Phase.ILLEGAL)
        for screen in screens:
            screen.until(lambda screen=screen: "Not allowed" not in screen.text("#headline"), SOON_S)
            assert [one for one in screen.complaints() if "/frame.jpg" not in one] == []
    finally:
        table.close()


def test_a_page_that_is_loaded_anew_or_slept_goes_on_in_mid_turn(tmp_path: Path, browser: Browser) -> None:
    """A domino was tapped, and not yet where to: that is known again; what others did meanwhile is shown."""
    browser.viewport(390, 844, mobile=True)
    with HandTable(tmp_path, begun("dominoids", *DICE)) as table:
        hand, thumb = Hand(browser, table), Thumb(browser)
        tap(thumb, "domino 2-3")
        browser.until(lambda: hand.said == ["domino 2-3"])
        browser.open(table.address)
        browser.until(lambda: hand.said == ["domino 2-3"])
        assert len(offered(thumb)) > 0
        entries = len(table.game.entries)
        browser.run(_HIDE, True)
        table.running.desk.press(Told(Kind.TYPED, "1: moons move 1@f4-1@f5"))
        browser.until(lambda: len(table.game.entries) > entries)
        time.sleep(0.5)
        assert len(browser.run("return [...document.querySelectorAll('#log li')]")) == entries
        browser.run(_HIDE, False)
        browser.until(lambda: "1: moons move" in browser.text("#log"), SOON_S)
        browser.until(lambda: said(thumb) == [""])  # it is about another table now
        assert browser.complaints() == []


def test_a_box_that_is_started_again_goes_on_in_mid_turn(tmp_path: Path, browser: Browser) -> None:
    """Killed while a turn is half done: the open page comes back by itself, and the turn goes on by touch."""
    browser.viewport(390, 844, mobile=True)
    with RealBox(tmp_path / "box") as box:
        box.begin()
        for line in (*FACTS, LEGAL[0]):
            box.type(line)
        browser.open(f"http://localhost:{box.port}/")
        browser.until(lambda: LEGAL[0] in browser.text("#log"))
        before = box.lines
        box.kill()
        browser.until(lambda: "does not answer" in browser.text("#followed"), SOON_S)
        with RealBox(tmp_path / "box", box.port) as again:
            again.heard("READY=1", 120)
            browser.until(lambda: LEGAL[0] in browser.text("#log"), 60)
            browser.until(lambda: browser.text("#followed") == "", 60)
            assert again.lines == before
            thumb = Thumb(browser)
            for _ in range(2):  # the other one takes two dice
                browser.until(lambda: dice(thumb), 60)
                one = dice(thumb)[0]
                tap(thumb, one)
                browser.until(lambda one=one: one in said(thumb) or len(again.lines) > len(before), SOON_S)
            browser.until(lambda: len(again.lines) > len(before), SOON_S)


def dice(thumb: Thumb) -> list[str]:
    """The dice that may be tapped and were not."""
    return [one for one in offered(thumb) if one.startswith("die ") and one not in said(thumb)]
