"""Whole games through the page by touch alone: no line is typed, no camera looks."""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from random import Random

import pytest

from engine import GAMES
from engine.book import State
from engine.history import History
from engine.touch import Taps, touched
from engine.touching import touch, toucher_for
from tests.web.browser import Browser
from tests.web.gallery import random_game
from tests.web.hand_table import HandTable

PLAYERS = ("Ann", "Bo")
SHORT = {"dominoids": "default+max_turns=40"}
"""Who plays at random would hardly ever come to an end otherwise."""
PATIENCE_S = 60.0
"""So long a page may take on a machine that has much else to do."""
HASTE = {"Agree", "Forfeit"}
"""What would end a game, or a choice in it, before there was much of it."""
LYING = {"square", "domino", "pawn", "die", "stack", "arrow", "tile", "arm", "lying", "place", "soldier",
         "border", "wall", "facing", "map", "pool"}  # fmt: skip
"""What lies on a board or in a tray beside it; only the forms may name it on a button."""
_TAP = """
const [tap] = arguments, all = (selector) => [...document.querySelectorAll(selector)];
const said = all('[data-say]').find((one) => one.dataset.say === tap && one.checkVisibility());
const lying = all('#board .frame [data-tap]').filter((one) => one.dataset.tap.split('|').includes(tap));
const one = said ?? lying.find((each) => each.classList.contains('lit')) ?? lying[0];
if (!one) return false;
one.dispatchEvent(new MouseEvent('click', { bubbles: true }));
return said ? 'a button' : 'the board';
"""


class Hand:
    """Somebody who taps what the page shows."""

    def __init__(self, browser: Browser, table: HandTable) -> None:
        self.browser, self.table, self.taps = browser, table, 0
        browser.open(table.address)
        self.until_calm()

    def until_calm(self) -> None:
        """The page shows the board, and nothing is half said."""
        self.browser.until(lambda: self.browser.run("return document.querySelector('#say .prompt') !== null"))

    @property
    def said(self) -> list[str]:
        """What the page has been told so far."""
        told = str(self.browser.run("return document.getElementById('board').dataset.said ?? ''"))
        return told.split("|") if told else []

    def tap(self, tap: str) -> None:
        """Tap it, as soon as it is there; what lies on the board is tapped on the board."""
        in_form = self.said[:1] and self.said[0].startswith("form ")
        where = self.browser.until(lambda: self.browser.run(_TAP, tap), PATIENCE_S)
        assert where == "the board" or in_form or tap.split(" ")[0] not in LYING, f"{tap}: only {where}"
        self.taps += 1

    def try_out(self, taps: Taps) -> None:
        """Tap what is not allowed: nothing is played, and each tap is kept."""
        for tap in taps:
            told = len(self.said)
            self.tap(tap)
            self.browser.until(lambda told=told: len(self.said) > told, PATIENCE_S)

    def say(self, taps: Taps) -> None:
        """One line: as many of its taps as are wanted."""
        before = len(self.table.game.entries)
        for tap in taps:
            told = self.said
            if self.is_needless(tap, told):
                continue
            self.tap(tap)
            self.browser.until(
                lambda told=told: len(self.table.game.entries) > before or len(self.said) > len(told),
                PATIENCE_S,
            )
            if len(self.table.game.entries) > before:
                break
        self.browser.until(lambda: len(self.table.game.entries) > before, PATIENCE_S)
        due = toucher_for(self.table.game.book).implied(self.table.game.state)
        rows = "return document.querySelectorAll('#log li').length"
        self.browser.until(lambda: self.browser.run(rows) == len(self.table.game.steps))
        self.browser.until(lambda: self.said == ([f"form {due}"] if due else []))

    def is_needless(self, tap: str, told: list[str]) -> bool:
        """Whether the page asks for something else, because this goes without saying."""
        shown = touch(self.table.game, tuple(told))
        kinds = {choice.tap.split(" ")[0] for choice in shown.next}
        return tap.split(" ")[0] in ("lie", "with", "half", "player", "mark", "by") and (
            tap.split(" ")[0] not in kinds or tap not in {choice.tap for choice in shown.next}
        )


def planned(history: History, rng: Random) -> Taps:
    """The taps of a random move, or of what is seen next."""
    book, state = history.book, history.state
    toucher = toucher_for(book)
    if toucher.implied(state):
        return chosen(history, state, rng)
    moves = [one for one in book.legal_moves(state) if type(one).__name__ not in HASTE]
    moves = moves or list(book.legal_moves(state))
    kinds = sorted({type(one).__name__ for one in moves})
    kind = rng.choice(kinds) if kinds else ""
    lines = {book.format(one) for one in moves if type(one).__name__ == kind}
    ways = [way for way in toucher.ways(state) if way.line in lines or not lines]
    way = rng.choice(ways)
    return (*way.taps, *way.asked)


def chosen(history: History, state: State, rng: Random) -> Taps:
    """The taps of what is told part by part: hands are hidden where they can be."""
    toucher = toucher_for(history.book)
    while True:
        shown, taps = touched(toucher, state, ()), Taps()
        while not shown.line:
            offered = [choice.tap for choice in shown.next]
            tap = "say hidden" if "say hidden" in offered else rng.choice(offered)
            taps = (*taps, tap)
            shown = touched(toucher, state, (*shown.taps, tap))
        try:
            history.fact(shown.line)
        except ValueError:
            continue  # a hand that nobody can hold
        return taps


def play(
    browser: Browser, folder: Path, game: str, most: int, by: Callable[[Browser, HandTable], Hand] = Hand
) -> History:
    """A random game until it ends, or until so much has been said."""
    rng = Random(f"{game} 3")
    profile = SHORT.get(game, "default")
    with HandTable(folder, History.begin(game, profile, players=PLAYERS)) as table:
        hand = by(browser, table)
        while table.game.outcome is None and len(table.game.entries) < most:
            hand.say(planned(table.game, rng))
        assert browser.complaints() == []
        return table.game


@pytest.mark.timeout(900)
@pytest.mark.parametrize("game", GAMES)
def test_a_game_is_begun_and_played_by_touch_alone(browser: Browser, tmp_path: Path, game: str) -> None:
    """From the bare table on, set-up included: each tap is found on the page, and every move is legal."""
    browser.size(390, 844)
    history = play(browser, tmp_path, game, 22)
    assert len(history.steps) >= 22 or history.outcome is not None
    assert all(step.ruling is None or step.ruling.allowed for step in history.steps)


@pytest.mark.long
@pytest.mark.parametrize("game", GAMES)
def test_a_whole_game_is_played_by_touch_alone(browser: Browser, tmp_path: Path, game: str) -> None:
    """Until somebody has won, or nobody can any more."""
    browser.size(1280, 800)
    history = play(browser, tmp_path, game, 1500)
    assert history.outcome is not None
    assert all(step.ruling is None or step.ruling.allowed for step in history.steps)


DICE = (
    "see suns@b3 2@c3-3@d3", "see moons@c7 1@c6-4@c5", "see crowns@g6 2@f6-5@e6", "see arms@f2 1@f3-1@f4",
    "see roll suns=3 moons=4 crowns=ace arms=null", "see first 1", "dice suns moons",
)  # fmt: skip


PLAYED = ("see lot 3-4 / 5-6", "see deal hidden / hidden", "down 3-6", "1: 4-6 by 6 at east")
"""The first tiles of a Draw Game: its ends are a 3 in the west and a 4 in the east."""


def begun(game: str, *lines: str) -> History:
    """A game after these lines."""
    history = History.begin(game, players=PLAYERS)
    for line in lines:
        history = history.fact(line) if line.startswith("see") else history.move(line)
    return history


def shown(browser: Browser, selector: str) -> int:
    """How many of these are on the page."""
    return int(browser.run("return document.querySelectorAll(arguments[0]).length", selector))


def test_a_tap_that_is_not_allowed_says_why_not(browser: Browser, tmp_path: Path) -> None:
    """The rule and the reason, the squares in red, the nearest legal moves as pictures; nothing is played.

    Leaving it clears the board; one of the nearest is played with one tap; "it was played so" records it.
    """
    with HandTable(tmp_path, begun("dominoids", *DICE)) as table:
        hand = Hand(browser, table)
        entries = len(table.game.entries)
        hand.tap("domino 2-3")
        browser.until(lambda: shown(browser, "#board .dot") > 0)
        hand.tap("square b1")
        browser.until(lambda: "Not allowed" in browser.text("#say"))
        assert "DMN-" in browser.text("#say .no")
        assert shown(browser, "#board .ghosts.wrong g") > 0
        assert shown(browser, "#say svg.thumb") == 3
        assert len(table.game.entries) == entries
        press(browser, "#say button", "Leave it")
        browser.until(lambda: not hand.said)
        hand.tap("domino 2-3")
        browser.until(lambda: hand.said)
        hand.tap("square b1")
        browser.until(lambda: "Not allowed" in browser.text("#say"))
        press(browser, "#say button", "It was played so")
        browser.until(lambda: "Not allowed" in browser.text("#headline"))
        assert table.game.steps[-1].verdict.startswith("illegal")
        browser.until(lambda: shown(browser, "#board .broken") > 0)
        press(browser, "#buttons button", "Put it back")
        browser.until(lambda: "Ann" in browser.text("#headline"))


@pytest.mark.parametrize(
    ("history", "taps", "rule", "squares"),
    [
        (partial(begun, "draw-game", *PLAYED), ("tile 1-2", "arm east"), "DRW-5", 0),
        (partial(random_game, "dominoes-of-war", 23), ("soldier (0,11)", "place a7"), "DOW-QUI-M", 2),
        (partial(random_game, "kingdomino-duel", 14), ("map 1 r2c4", "map 1 r1c3"), "KDD-3", 2),
    ],
)
def test_each_game_says_why_a_place_is_not_allowed(
    browser: Browser, tmp_path: Path, history: Callable[[], History], taps: Taps, rule: str, squares: int
) -> None:
    """A tile that matches no end, a soldier who goes too far, squares that do not touch: nothing is played.

    One of the nearest legal moves is played with one tap.
    """
    browser.viewport(390, 844, mobile=True)
    with HandTable(tmp_path, history()) as table:
        hand = Hand(browser, table)
        entries = len(table.game.entries)
        for tap in taps:
            hand.tap(tap)
            browser.until(lambda tap=tap: tap in hand.said)
        browser.until(lambda: "Not allowed" in browser.text("#say .no"))
        assert rule in browser.text("#say .no")
        assert shown(browser, "#board .map.p1 .broken, #board svg.board:not(.map *) .broken") == squares
        assert shown(browser, "#board .ghosts.wrong g") > 0
        assert 1 <= shown(browser, "#say svg.thumb") <= 3
        assert len(table.game.entries) == entries
        browser.click("#say button:has(svg.thumb)")
        browser.until(lambda: len(table.game.entries) > entries)
        ruling = table.game.steps[-1].ruling
        assert ruling is not None
        assert ruling.allowed
        assert browser.complaints() == []


def press(browser: Browser, selector: str, words: str) -> None:
    """Press a button by its words."""
    script = """const all = [...document.querySelectorAll(arguments[0])];
        const one = all.find((each) => each.innerText === arguments[1]);
        one?.click(); return Boolean(one);"""
    browser.until(lambda: browser.run(script, selector, words))


def test_a_piece_is_dragged_to_its_place(browser: Browser, tmp_path: Path) -> None:
    """Pressed, drawn over the board and let go: that is a move, as two taps are."""
    browser.size(1280, 1000)
    with HandTable(tmp_path, begun("dominoids", *DICE)) as table:
        hand = Hand(browser, table)
        entries = len(table.game.entries)
        browser.until(lambda: shown(browser, '#board .lit[data-tap^="domino 1-1"]') > 0)
        browser.run("document.querySelector('#board svg.board').scrollIntoView({ block: 'center' })")
        where = """const box = document.querySelector(arguments[0]).getBoundingClientRect();
            return [box.x + box.width / 2, box.y + box.height / 2];"""
        start = browser.run(where, '#board [data-tap="domino 1-1|square f4"]')
        end = browser.run(where, '#board [data-tap="square f5"]')
        browser.drag(start, end)
        browser.until(lambda: len(table.game.entries) > entries or hand.said)
        for tap in ("lie 1@f4-1@f5", "with moons"):
            if len(table.game.entries) == entries and hand.is_needless(tap, hand.said) is False:
                hand.tap(tap)
        browser.until(lambda: len(table.game.entries) > entries)
        assert table.game.steps[-1].happened.text == "1: moons move 1@f4-1@f5"
        assert shown(browser, ".floating") == 0


def test_the_keyboard_alone_plays(browser: Browser, tmp_path: Path) -> None:
    """Arrow keys go from one thing that is lit to the next, Enter taps, Escape begins anew."""
    with HandTable(tmp_path, begun("kingdomino-duel", "see oldest 1", "see roll d b q2 ?")) as table:
        hand = Hand(browser, table)
        entries = len(table.game.entries)
        browser.until(lambda: shown(browser, '#board .lit[data-tap="die 1"]') == 1)
        browser.run("""document.querySelector('#board [data-tap="die 1"]').focus()""")
        browser.keys("\ue014")  # to the right
        focused = "return document.activeElement?.dataset?.tap"
        assert browser.run(focused) == "die 2"
        browser.keys("\ue007")
        browser.until(lambda: len(table.game.entries) > entries)
        assert table.game.steps[-1].happened.text == "1: take 2"
        assert not hand.said


def test_what_was_said_before_is_changed_by_touch(browser: Browser, tmp_path: Path) -> None:
    """Two taps and the form: an entry is corrected on the board as it lay then."""
    lines = ("see lot 3-4 / 5-6", "see deal hidden / hidden", "down 3-6")
    with HandTable(tmp_path, begun("draw-game", *lines)) as table:
        hand = Hand(browser, table)
        press(browser, "#say button", "Something else …")
        for tap in ("form correct", "entry 3", "tile 2-6", "place down"):
            hand.tap(tap)
            browser.until(lambda tap=tap: tap in hand.said or len(table.game.entries) > 3)
        browser.until(lambda: len(table.game.entries) == 4)
        assert [step.happened.text for step in table.game.steps][-1] == "2: down 2-6"
        press(browser, "#say button", "Something else …")
        for tap in ("form put turn", "player 2"):
            hand.tap(tap)
        browser.until(lambda: len(table.game.entries) == 5)
        assert table.game.state.to_json()["mover"] == 2


@pytest.mark.parametrize("game", GAMES)
def test_nothing_sticks_out_and_everything_is_large_enough_for_a_finger(
    browser: Browser, tmp_path: Path, game: str
) -> None:
    """On a phone the page is as wide as the screen, and what is lit measures 24 pixels each way."""
    browser.size(390, 844)
    with HandTable(tmp_path, History.begin(game, players=PLAYERS)) as table:
        hand = Hand(browser, table)
        rng = Random(game)
        for _ in range(9):
            hand.say(planned(table.game, rng))
        wide = browser.run("return [document.documentElement.scrollWidth, innerWidth]")
        assert wide[0] <= wide[1]
        small = browser.run("""return [...document.querySelectorAll('#board .target.lit, #say button')]
            .map((one) => [one.dataset.tap ?? one.innerText, one.getBoundingClientRect()])
            .filter(([, box]) => Math.min(box.width, box.height) < 23.5).map(([tap]) => tap)""")
        assert small == []
