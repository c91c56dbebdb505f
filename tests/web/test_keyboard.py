"""By keyboard alone: from the lobby to the end of a short game."""

from pathlib import Path
from random import Random

import pytest

from engine.history import History
from engine.touch import Taps
from tests.device.service.boxes import RealBox
from tests.web.browser import Browser
from tests.web.by_hand import HandTable
from tests.web.test_touch import Hand, planned

TAB, ENTER, SPACE, RIGHT = "\ue004", "\ue007", " ", "\ue014"
MOST_TABS = 160
_FOCUSED = """const one = document.activeElement;
return one && [one.dataset.say ?? '', one.dataset.tap ?? '', one.id, one.name ?? '', one.innerText ?? ''];"""
_SEEN = """const one = document.activeElement, box = one.getBoundingClientRect();
const x = box.x + box.width / 2, y = box.y + box.height / 2, top = document.elementFromPoint(x, y);
return one.matches(':focus-visible') && Boolean(top) && (one.contains(top) || top.contains(one));"""


class Keys(Hand):
    """Somebody without a mouse, who sees where the focus is."""

    hidden = 0

    def tap(self, tap: str) -> None:
        """Go to it, and press it; where the focus is covered, that is counted."""
        self.browser.until(lambda: self.reached(tap), 60)
        self.hidden += not self.browser.run(_SEEN)
        self.browser.keys(ENTER)
        self.taps += 1

    def reached(self, tap: str) -> bool:
        """Tab on until the focus is on it."""
        for _ in range(MOST_TABS):
            say, board, *_ = self.browser.run(_FOCUSED) or ["", ""]
            if tap == say or tap in board.split("|"):
                return True
            self.browser.keys(TAB)
        return False


@pytest.mark.timeout(900)
def test_a_game_is_played_to_its_end_by_keyboard(tmp_path: Path, browser: Browser) -> None:
    """The Draw Game to a few points: each tap is reached by Tab, seen, and made by Enter."""
    browser.size(1280, 800)
    rng = Random(5)
    with HandTable(tmp_path, History.begin("draw-game", "default+target=5", players=("Ann", "Bo"))) as table:
        keys = Keys(browser, table)
        while table.game.outcome is None and len(table.game.entries) < 40:
            taps: Taps = planned(table.game, rng)
            keys.say(taps)
        assert table.game.outcome is not None
        browser.until(lambda: "has won" in browser.text("#final"))
        assert keys.hidden == 0
        assert browser.complaints() == []


def test_a_match_is_begun_by_keyboard(tmp_path: Path, browser: Browser) -> None:
    """The lobby's form: fields by Tab, choices by arrows, and Enter begins."""
    with RealBox(tmp_path / "box") as box:
        box.heard("READY=1", 120)
        browser.size(1280, 800)
        browser.open(f"http://localhost:{box.port}/")
        browser.until(lambda: browser.run("return document.querySelectorAll('#games label').length") == 4)
        reached(browser, "game")
        browser.keys(RIGHT)
        chosen = browser.run("return document.querySelector('[name=game]:checked').value")
        reached(browser, "first")
        browser.keys(*"Ann")
        reached(browser, "second")
        browser.keys(*"Bo", ENTER)
        browser.until(lambda: "phase" in box.json("/api/view"), 60)
        assert box.json("/api/view")["game"] == chosen
        assert box.json("/api/view")["players"] == ["Ann", "Bo"]


def reached(browser: Browser, name: str) -> None:
    """Tab on until the focus is on a field of this name."""
    for _ in range(MOST_TABS):
        if (browser.run(_FOCUSED) or [""] * 5)[3] == name:
            return
        browser.keys(TAB)
    raise AssertionError(f"no Tab leads to {name}")
