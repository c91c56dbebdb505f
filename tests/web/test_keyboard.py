"""By keyboard alone: from the lobby to the end of a short game, with corrections and consent."""

from pathlib import Path
from random import Random

import pytest

from engine import GAMES
from engine.history import History
from engine.touch import Taps
from tests.device.match.match_bench import FACTS, ILLEGAL, LEGAL, game
from tests.device.service.boxes import RealBox
from tests.web.browser import Browser
from tests.web.hand_table import HandTable
from tests.web.test_page_touch import PLAYED, Hand, begun, planned, play

TAB, ENTER, SPACE, RIGHT = "\ue004", "\ue007", " ", "\ue014"
MOST_TABS = 160
_FOCUSED = """const one = document.activeElement;
return one && [one.dataset.say ?? '', one.dataset.tap ?? '', one.id, one.name ?? '', one.innerText ?? ''];"""
_SEEN = """const one = document.activeElement, box = one.getBoundingClientRect();
const x = box.x + box.width / 2, y = box.y + box.height / 2, top = document.elementFromPoint(x, y);
return one.matches(':focus-visible') && Boolean(top) && (one.contains(top) || top.contains(one));"""


class Keys(Hand):
    """Somebody without a mouse, who sees where the focus is."""

    def __init__(self, browser: Browser, table: HandTable) -> None:
        self.hidden: list[str] = []
        """What was pressed while something covered it."""
        super().__init__(browser, table)

    def tap(self, tap: str) -> None:
        """Go to it, and press it; where the focus is covered, that is counted."""
        self.browser.until(lambda: self.reached(tap), 60)
        if not self.browser.run(_SEEN):
            self.hidden.append(tap)
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
        assert keys.hidden == []
        assert browser.complaints() == []


@pytest.mark.timeout(3600)
@pytest.mark.parametrize("game", [game for game in GAMES if game != "draw-game"])
@pytest.mark.parametrize("most", [8, pytest.param(60, marks=pytest.mark.long)])
def test_each_game_is_begun_by_keyboard(tmp_path: Path, browser: Browser, game: str, most: int) -> None:
    """From the bare table on: what has many pieces to go through is in reach of Tab and Enter, too."""
    browser.size(1280, 800)
    by: list[Keys] = []

    def seated(page: Browser, table: HandTable) -> Keys:
        by.append(Keys(page, table))
        return by[0]

    history = play(browser, tmp_path, game, most, seated)
    assert len(history.entries) >= most or history.outcome is not None
    assert by[0].hidden == []


def test_a_match_is_begun_by_keyboard(tmp_path: Path, browser: Browser) -> None:
    """The lobby's form: fields by Tab, choices by arrows, and Enter begins."""
    with RealBox(tmp_path / "box") as box:
        box.heard("READY=1", 120)
        browser.size(1280, 800)
        browser.open(f"http://localhost:{box.port}/")
        browser.until(lambda: browser.run("return document.querySelectorAll('#games label').length") == 4)
        browser.reach("[name=game]")
        browser.keys(RIGHT)
        chosen = browser.run("return document.querySelector('[name=game]:checked').value")
        browser.reach("[name=first]")
        browser.keys(*"Ann")
        browser.reach("[name=second]")
        browser.keys(*"Bo", ENTER)
        browser.until(lambda: "phase" in box.json("/api/view"), 60)
        assert box.json("/api/view")["game"] == chosen
        assert box.json("/api/view")["players"] == ["Ann", "Bo"]


def test_an_entry_is_corrected_by_keyboard(tmp_path: Path, browser: Browser) -> None:
    """From the record: one was something else, said on the board; one did not happen; undo, and redo."""
    with HandTable(tmp_path, begun("draw-game", *PLAYED)) as table:
        browser.size(1280, 800)
        keys = Keys(browser, table)

        def lines() -> list[str]:
            return [step.happened.text for step in table.game.steps]

        def opened(entry: int, does: str) -> None:
            """Look at an entry, and press what puts it right."""
            row = "[...document.querySelectorAll('#log .entry')].at(-arguments[0]).id = 'wanted'"
            browser.run(row, entry)  # the record has the newest first
            browser.reach("#wanted")
            browser.keys(ENTER)
            browser.until(lambda: browser.text("#past-title").startswith(f"{entry}:"))
            browser.reach(does)
            browser.keys(ENTER)
            browser.until(lambda: not browser.run("return document.querySelector('#past').open"))
            browser.run("document.querySelector('#wanted')?.removeAttribute('id')")

        opened(3, "#past-else")
        browser.until(lambda: "entry 3" in keys.said)
        for tap in ("tile 5-6", "place down"):
            if len(table.game.entries) == len(PLAYED):
                keys.tap(tap)
                browser.until(lambda tap=tap: tap in keys.said or len(table.game.entries) > len(PLAYED))
        browser.until(lambda: lines()[2] == "2: down 5-6")
        opened(4, "#past-gone")
        browser.until(lambda: len(lines()) == 3)
        for words, left in (("Undo", 2), ("Redo", 3)):
            browser.until(lambda words=words: words in browser.text("#buttons"))
            pressed(browser, "#buttons button", words)
            browser.until(lambda left=left: len(lines()) == left)
        assert keys.hidden == []
        assert [one for one in browser.complaints() if "/evidence/" not in one] == []


def test_both_agree_by_keyboard(tmp_path: Path, browser: Browser) -> None:
    """What is typed is not allowed; each lets it stand by Tab and Enter, and the focus is never lost."""
    with HandTable(tmp_path, game(*FACTS, LEGAL[0])) as table:
        browser.size(1280, 800)
        browser.open(table.address)
        browser.until(lambda: browser.text("#scores"))
        browser.reach("#line")
        browser.keys(*ILLEGAL, ENTER)
        browser.until(lambda: "Both must agree" in browser.text("#consent"))
        browser.reach("#consent .p1")
        assert browser.run(_SEEN)
        browser.keys(ENTER)
        browser.until(lambda: "Ann lets it stand. Bo has not agreed yet." in browser.text("#consent"))
        assert browser.run("return document.activeElement.matches('#consent .p1')")
        pressed(browser, "#consent button", "Take it back")
        browser.until(lambda: "Both must agree" in browser.text("#consent"))
        assert browser.run("return document.activeElement !== document.body")
        for player in (2, 1):
            browser.reach(f"#consent .p{player}")
            browser.keys(ENTER)
            told = f"p{player}"
            browser.until(
                lambda told=told: "✓" in browser.text(f"#consent .{told}") or not browser.text("#consent")
            )
        browser.until(lambda: table.game.steps[-1].stands)
        browser.until(lambda: browser.text("#consent") == "")
        assert browser.run("return document.activeElement !== document.body")
        assert browser.complaints() == []


def pressed(browser: Browser, selector: str, words: str) -> None:
    """Tab on to the one that begins with these words, and press it."""
    for _ in range(MOST_TABS):
        there = "const one = document.activeElement; return one.matches(arguments[0]) && one.innerText"
        if str(browser.run(there, selector) or "").startswith(words):
            browser.keys(ENTER)
            return
        browser.keys(TAB)
    raise AssertionError(f"no Tab leads to {words}")
