"""The score pad holds what the match counts: each line under its player, each deal, and the totals."""

from pathlib import Path
from typing import Final

import pytest

from device.match.acts import taken_up
from device.match.match import Match
from device.match.match_view import view
from engine.history import History
from tests.web.browser import Browser
from tests.web.desks import ShownDesk
from tests.web.gallery import random_steps
from tests.web.test_true_form import HASTE

SCORED: Final = {
    "draw-game": (4, 130), "dominoids": (6, 60), "dominoes-of-war": (4, 160), "kingdomino-duel": (4, 400),
}  # fmt: skip
"""Which random game of each, and how much of it: several deals, something eaten, soldiers, both maps."""
_PAD = """return [...document.querySelectorAll('#pad-table tbody')].map((part) => ({
  head: [...part.querySelectorAll('tr.part > *')].map((one) => one.innerText),
  rows: [...part.querySelectorAll('tr:not(.part)')]
    .map((row) => [...row.children].map((one) => one.innerText)),
}));"""
_CELLS = "return [...document.querySelectorAll(arguments[0])].map((one) => one.innerText)"
Line = tuple[str, int, str, int]


def counted(history: History) -> list[Line]:
    """The lines of a score: the deal, the player, what for, and the points."""
    found = []
    for line in history.scores.lines:
        deal, _, rest = line.label.partition(": ") if line.label.startswith("deal ") else ("", "", line.label)
        words = rest.replace("player 1", "Ann").replace("player 2", "Bo")
        found.append((deal, line.player, words, line.points))
    return sorted(found)


def on_the_pad(browser: Browser) -> list[Line]:
    """The same from the page: one for each number that stands in a row."""
    found = []
    for part in browser.run(_PAD):
        deal = part["head"][0] if part["head"] else ""
        for words, *points in part["rows"]:
            assert any(points)
            found += [(deal, k, words, int(one)) for k, one in enumerate(points, 1) if one]
    return sorted(found)


@pytest.mark.parametrize("game", SCORED)
def test_the_pad_says_who_made_which_points(tmp_path: Path, browser: Browser, game: str) -> None:
    """Each line stands once, under the name of its player; each deal is summed up, the totals are right."""
    seed, most = SCORED[game]
    *_, history = random_steps(game, most, seed, HASTE)
    lines = counted(history)
    assert lines
    with ShownDesk(tmp_path, taken_up(Match(), history)) as shown:
        browser.viewport(1280, 800)
        browser.open(shown.address)
        browser.until(lambda: browser.text("#pad-table tfoot"), 15)
        assert browser.run(_CELLS, "#pad-table thead th") == ["For", "Ann", "Bo"]
        assert on_the_pad(browser) == lines
        heads = [part["head"] for part in browser.run(_PAD) if part["head"]]
        deals = sorted({deal for deal, *_ in lines if deal}, key=lambda deal: int(deal.split(" ")[1]))
        sums = {
            deal: [str(sum(points for one, player, _, points in lines if (one, player) == (deal, k)))
                   for k in (1, 2)] for deal in deals
        }  # fmt: skip
        assert heads == [[deal, *sums[deal]] for deal in reversed(deals)]
        assert (len(deals) > 1) == (game == "draw-game")
        totals = [str(total) for total in history.scores.totals]
        assert browser.run(_CELLS, "#pad-table tfoot td") == totals
        assert browser.run(_CELLS, "#scores b") == totals
        assert view(taken_up(Match(), history))["scores"] == history.scores.to_json()
