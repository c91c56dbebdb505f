"""What is set right by hand, and what ends a game early, is said by touch: each form once, in each game."""

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from random import Random
from typing import Final

import pytest

from device.typed import after
from engine import GAMES, PipwatchError
from engine.history import History
from engine.touch import Taps
from engine.touching import forms_of, touch
from tests.web.browser import Browser
from tests.web.gallery import random_game, random_steps
from tests.web.hand_table import HandTable
from tests.web.test_page_touch import DICE, PLAYED, Hand, begun, press
from tests.web.test_true_form import HASTE

BEGUN: Final = {
    "dominoids": lambda: list(random_steps("dominoids", 38, 6, HASTE))[-1],
    "draw-game": partial(begun, "draw-game", *PLAYED),
    "dominoes-of-war": partial(random_game, "dominoes-of-war", 31),
    "kingdomino-duel": partial(random_game, "kingdomino-duel", 13),
}
EARLY: Final = {
    "dominoids": (
        partial(begun, "dominoids", *DICE[:-1]), (("say agree", "player 1"), ("say agree", "player 2")),
    ),
    "dominoes-of-war": (partial(random_game, "dominoes-of-war", 31), (("say draw",), ("say draw",))),
}  # fmt: skip
"""Games that both agree to end, each in turn."""
TRIES, MOST = 200, 8


def walks(history: History, form: str, rng: Random) -> Iterator[Taps]:
    """Random ways through a form, each to its end."""
    for _ in range(TRIES):
        shown = touch(history, (form,))
        while not shown.line and shown.next:
            shown = touch(history, (*shown.taps, rng.choice(shown.next).tap))
        if shown.line and len(shown.taps) <= MOST:
            yield shown.taps


def changing(history: History, form: str, rng: Random) -> tuple[Taps, History]:
    """A way through a form by which the table, or what came to pass, is another one afterwards."""
    for taps in walks(history, form, rng):
        try:
            then = after(history, touch(history, taps).line)
        except PipwatchError:
            continue  # a correction that the game does not bear
        new = next(step for step in then.steps if step.entry == len(then.entries))
        fits = not new.problem and (new.ruling is None or new.ruling.allowed)
        if fits and (then.state != history.state or new is not then.steps[-1]):
            return taps, then
    raise AssertionError(f"{form}: nothing to be said by it")


def said(hand: Hand, taps: Taps) -> None:
    """Tap one after the other until the line is there, but what the page has understood already."""
    entries = len(hand.table.game.entries)
    for number, tap in enumerate(taps, 1):
        told = hand.said
        if tuple(told[:number]) == taps[:number]:
            continue
        hand.tap(tap)
        hand.browser.until(
            lambda told=told: len(hand.table.game.entries) > entries or len(hand.said) > len(told), 15
        )


@pytest.mark.parametrize("game", GAMES)
def test_each_form_that_sets_something_right_is_walked_by_touch(
    browser: Browser, tmp_path: Path, game: str
) -> None:
    """Every piece, score and turn that can be put, and a move or fact that was missed before an entry."""
    rng = Random(game)
    browser.viewport(390, 844, mobile=True)
    with HandTable(tmp_path, BEGUN[game]()) as table:
        hand = Hand(browser, table)
        forms = [f"form {one.name}" for one in forms_of(table.game.book) if one.group == "put"]
        assert len(forms) >= 4
        for form in ("form before", *forms):
            taps, then = changing(table.game, form, rng)
            press(browser, "#say button", "Something else …")
            said(hand, taps)
            browser.until(lambda then=then: len(table.game.entries) == len(then.entries), 15)
            assert table.game.state == then.state, taps
            browser.until(lambda form=form: hand.said[:1] != [form], 15)
        assert browser.complaints() == []


@pytest.mark.parametrize("game", EARLY)
def test_both_agree_to_end_a_game_by_touch(browser: Browser, tmp_path: Path, game: str) -> None:
    """Each says it, and the page says that nobody has won."""
    history, ways = EARLY[game]
    browser.viewport(390, 844, mobile=True)
    with HandTable(tmp_path, history()) as table:
        hand = Hand(browser, table)
        hand.say(ways[0])
        assert table.game.outcome is None
        entries = len(table.game.entries)
        for tap in ways[1]:
            browser.until(lambda: table.game.outcome or not hand.is_needless(tap, hand.said))  # noqa: B023
            if table.game.outcome is None:
                hand.tap(tap)
        browser.until(lambda: table.game.outcome is not None, 15)
        assert len(table.game.entries) == entries + 1
        assert table.game.outcome is not None
        assert table.game.outcome.winner is None
        assert all(step.ruling is None or step.ruling.allowed for step in table.game.steps)
        browser.until(lambda: "A draw" in browser.text("#final"), 15)


def test_a_bonus_is_given_up_by_touch(browser: Browser, tmp_path: Path) -> None:
    """One tap, and the turn goes on."""
    with HandTable(tmp_path, random_game("dominoes-of-war", 37)) as table:
        hand = Hand(browser, table)
        hand.say(("say forfeit",))
        assert table.game.steps[-1].happened.text == "1: forfeit"
        assert table.game.steps[-1].verdict.startswith("legal")
        assert browser.complaints() == []
