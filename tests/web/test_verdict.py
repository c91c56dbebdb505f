"""Whose turn, what is expected, and the verdict: by name, arrow, icon, word, sentence and rule."""

from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from device.match.acts import taken_up
from device.match.expected import awaited, expected
from device.match.match import Match
from engine import GAMES, rulebook
from engine.history import History
from engine.touching import touch, toucher_for
from tests.web.browser import Browser
from tests.web.desks import ShownDesk
from tests.web.gallery import random_game, refused


@pytest.mark.parametrize("game", GAMES)
def test_it_is_always_said_what_is_expected(game: str) -> None:
    """In each state of random games, until it is over: the game's own words, and of whom it is expected."""
    book, rng = rulebook(game), Random(7)
    history = History.begin(game, players=("Ann", "Bo"))
    for _ in range(120):
        state = history.state
        if book.outcome(state) is not None:
            assert expected(history) == ""
            assert awaited(history) == ()
            break
        assert expected(history) == touch(history, ()).prompt or toucher_for(book).implied(state)
        assert expected(history)
        assert bool(awaited(history)) == (book.pending(state) is None)
        assert set(awaited(history)) <= set(book.movers(state)) or book.pending(state) is not None
        if book.pending(state) is None:
            moves = list(book.legal_moves(state))
            after = book.play(state, moves[rng.randrange(len(moves))])
        else:
            after = book.observe(state, book.sample(state, rng))
        history = replace(history, first=after)


def test_a_refusal_says_it_five_ways_and_opens_its_rule(tmp_path: Path, browser: Browser) -> None:
    """A sign, a word, the move, a sentence with names, and the rule, which opens in our own words."""
    match = refused()
    with ShownDesk(tmp_path, match) as shown:
        browser.open(shown.address)
        browser.until(lambda: "Not allowed" in browser.text("#headline"))
        told = browser.text("#ruling")
        assert "✗" in told
        assert "Illegal" in told
        assert "Ann does not hold the 6-6" in told
        assert "it is in the hand of Bo" in told
        browser.click("#ruling .rule")
        browser.until(lambda: browser.text("#rule-id") == "DRW-T2")
        browser.until(lambda: "comes from the hand" in browser.text("#rule-words"))
        link = browser.run("return document.querySelector('#rule-source a').getAttribute('href')")
        assert link == "/rules/draw-game#DRW-T2"
        browser.click("#rule button[class], #rule .acts button")
        assert browser.run("return document.activeElement.textContent") == "DRW-T2"


def test_whose_turn_it_is_is_said_by_name_and_arrow(tmp_path: Path, browser: Browser) -> None:
    """In the headline, with what is expected, and beside the score; never by colour alone."""
    with ShownDesk(tmp_path, taken_up(Match(), random_game("draw-game", 14))) as shown:
        browser.open(shown.address)
        browser.until(lambda: "➤" in browser.text("#scores"))
        assert "to move" in browser.text("#scores .moves")
        assert browser.text("#expected").startswith(browser.text("#scores .moves .name").split("\n")[0])
        assert "Lay a tile" in browser.text("#expected")
