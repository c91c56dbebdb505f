"""A match from two metres and over a broadcast: what stands there can be read, and the last move stays."""

from dataclasses import replace
from pathlib import Path

import pytest

from device.match.acts import taken_up
from device.match.match import Match, Phase
from device.match.match_view import View, view
from engine.history import Step
from tests.web.browser import Browser
from tests.web.desks import ShownDesk
from tests.web.gallery import DESK, TABLET, asking, out_of_step, random_steps, refused

LARGE_PX, READABLE_PX = 48, 28
"""On a tablet of ten inches 28 pixels make capitals of 3.3 mm: 5.7 minutes of arc from two metres, and an
eye that sees well reads five."""
_SMALL = """const [selector, least] = arguments, walk = document.createTreeWalker(
    document.querySelector(selector), NodeFilter.SHOW_TEXT);
  const found = [];
  for (let one = walk.nextNode(); one; one = walk.nextNode()) {
    const size = parseFloat(getComputedStyle(one.parentElement).fontSize);
    if (one.data.trim() && one.parentElement.checkVisibility() && size < least) found.push([one.data, size]);
  }
  return found;"""
_OUTSIDE = """return ['#headline', '#expected', '#ruling', '#scores'].filter((name) => {
    const box = document.querySelector(name).getBoundingClientRect();
    return !box.height || box.top < 0 || box.left < 0 || box.right > innerWidth || box.bottom > innerHeight;
  });"""


def after_a_roll(game: str = "dominoids") -> tuple[View, Step]:
    """A game in which something was seen after the last move, and that move."""
    for history in random_steps(game, 80):
        ruled = [step for step in history.steps if step.ruling is not None]
        if len(ruled) > 3 and history.steps[-1].happened.kind == "fact":
            return view(taken_up(Match(), history)), ruled[-1]
    raise AssertionError("nothing was rolled")


def after_a_refusal() -> tuple[View, Step]:
    """A question after a move that was refused, and the move before, which stands."""
    wrong = refused()
    assert wrong.game is not None
    made = [step for step in wrong.game.steps if step.ruling is not None and step.ruling.allowed]
    assert wrong.game.steps[-1].ruling is not None
    assert not wrong.game.steps[-1].ruling.allowed
    return view(replace(wrong, phase=Phase.ASKING, refused=False)), made[-1]


@pytest.mark.parametrize("mode", ["table", "overlay"])
def test_the_last_move_stays_until_another_is_ruled(tmp_path: Path, browser: Browser, mode: str) -> None:
    """After a roll, beside a question, and where table and record disagree; the whole page has its record."""
    rolled, last = after_a_roll()
    lost = out_of_step()
    assert lost.game is not None
    before = next(step for step in reversed(lost.game.steps) if step.ruling is not None)
    with ShownDesk(tmp_path, lost) as shown:
        browser.viewport(*DESK)
        browser.open(f"{shown.address}?view={mode}")
        for told, move in ((view(lost), before), (rolled, last), (view(asking()), before)):
            shown.desk.views.put(told)
            browser.until(lambda move=move: move.happened.text in browser.text("#ruling"), 15)
            assert "The last move" in browser.text("#ruling")
            assert "Legal" in browser.text("#ruling")
            assert move.ruling is not None
            assert move.ruling.rule in browser.text("#ruling .rule")
        assert browser.run("return document.querySelector('#ruling').checkVisibility()")
        doubted, move = after_a_refusal()
        shown.desk.views.put(doubted)
        browser.until(lambda: move.happened.text in browser.text("#ruling"), 15)
        assert "Illegal" not in browser.text("#ruling")
        if mode == "overlay":
            shown.desk.views.put(view(asking()))
            browser.open(shown.address)
            browser.until(lambda: browser.text("#choices"))
            assert browser.text("#ruling") == ""


@pytest.mark.parametrize("size", [DESK, TABLET])
def test_what_stands_there_is_read_from_two_metres(
    tmp_path: Path, browser: Browser, size: tuple[int, int]
) -> None:
    """On a tablet laid across and held upright: whose turn, the score, what is expected and the last move."""
    rolled, _ = after_a_roll()
    with ShownDesk(tmp_path, asking()) as shown:
        browser.viewport(*size)
        browser.open(f"{shown.address}?view=table")
        shown.desk.views.put(rolled)
        browser.until(lambda: browser.text("#expected"))
        for selector, least in (
            ("#headline", LARGE_PX), ("#scores b", LARGE_PX), ("#scores .name", READABLE_PX),
            ("#expected", READABLE_PX), ("#ruling", READABLE_PX),
        ):  # fmt: skip
            assert browser.text(selector)
            assert browser.run(_SMALL, selector, least) == [], selector
        assert browser.run(_OUTSIDE) == []
