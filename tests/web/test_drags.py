"""A finger takes a piece up, draws it over the board and lets it go: in each game that is a move.

A place where it may not lie says why not, by which rule, and nothing is played.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final

import pytest

from engine.history import History
from engine.touch import Taps
from tests.web.browser import Browser
from tests.web.gallery import TABLET, random_game
from tests.web.hand_table import HandTable
from tests.web.test_page_touch import DICE, PLAYED, Hand, begun, shown


@dataclass(frozen=True)
class Dragged:
    """What is taken up in a game, where it may be let go and what that says, and where it may not."""

    history: Callable[[], History]
    piece: str
    place: str
    more: Taps
    line: str
    forbidden: str
    rule: str


DRAGS: Final = {
    "dominoids": Dragged(
        partial(begun, "dominoids", *DICE), "domino 1-1", "square f5", ("lie 1@f4-1@f5", "with moons"),
        "1: moons move 1@f4-1@f5", "square b1", "DMN-4.4",
    ),
    "draw-game": Dragged(
        partial(begun, "draw-game", *PLAYED), "tile 1-4", "arm east", (), "2: 1-4 by 4 at east",
        "arm west", "DRW-5",
    ),
    "dominoes-of-war": Dragged(
        partial(random_game, "dominoes-of-war", 23), "soldier (1,9)", "place b8", (), "1: move (1,9) b8",
        "place h1", "DOW-",
    ),
    "kingdomino-duel": Dragged(
        partial(random_game, "kingdomino-duel", 14), "map 1 r2c4", "map 1 r2c5",
        ("mark d@r2c4", "mark s@r2c5", "player 1"), "1: draw d@r2c4 s@r2c5",
        "map 1 r1c3", "KDD-3",
    ),
}  # fmt: skip
_WHERE = """const [tap] = arguments, all = [...document.querySelectorAll('#board .frame [data-tap]')]
  .filter((one) => one.dataset.tap.split('|').includes(tap));
const one = all.find((each) => each.classList.contains('lit')) ?? all[0];
if (!one) return null;
const box = one.getBoundingClientRect();
return [box.x + box.width / 2, box.y + box.height / 2];"""
_SIGHT = """const one = document.querySelector('#board svg.board');
one.scrollIntoView({ block: 'start' }); return Boolean(one);"""


def carried(browser: Browser, hand: Hand, piece: str, place: str) -> None:
    """Take it up, see that it follows the finger and where it may go, and let it go there."""
    browser.until(lambda: browser.run(_WHERE, piece))
    browser.run(_SIGHT)

    def there() -> list[float]:
        browser.until(lambda: any(piece in told for told in hand.said), 15)
        assert shown(browser, ".floating") == 1
        return list(browser.until(lambda: browser.run(_WHERE, place), 15))

    browser.carry(browser.run(_WHERE, piece), there)
    assert shown(browser, ".floating") == 0


@pytest.mark.parametrize("game", DRAGS)
def test_a_finger_carries_a_piece_to_its_place(browser: Browser, tmp_path: Path, game: str) -> None:
    """Where it may not lie it is told why not and nothing is played; then where it may, and it counts."""
    drag = DRAGS[game]
    browser.viewport(*TABLET, mobile=True)
    with HandTable(tmp_path, drag.history()) as table:
        hand = Hand(browser, table)
        entries = len(table.game.entries)
        carried(browser, hand, drag.piece, drag.forbidden)
        browser.until(lambda: "Not allowed" in browser.text("#say .no"), 15)
        assert drag.rule in browser.text("#say .no .rule")
        assert len(browser.text("#say .no")) > len("✗ Not allowed ") + 20
        assert shown(browser, "#board .ghosts.wrong g") > 0
        assert len(table.game.entries) == entries
        browser.run("document.querySelector('#say .choice').click()")
        browser.until(lambda: not hand.said, 15)
        carried(browser, hand, drag.piece, drag.place)
        browser.until(lambda: len(table.game.entries) > entries or len(hand.said) > 1, 15)
        for tap in drag.more:
            told = len(hand.said)
            if len(table.game.entries) > entries or hand.is_needless(tap, hand.said):
                continue
            hand.tap(tap)
            browser.until(lambda told=told: len(table.game.entries) > entries or len(hand.said) > told, 15)
        browser.until(lambda: len(table.game.entries) > entries, 15)
        assert table.game.steps[-1].happened.text == drag.line
        assert browser.complaints() == []


def test_two_fingers_carry_nothing(browser: Browser, tmp_path: Path) -> None:
    """They want to see the board larger: what the first had taken up lies where it was; no place is said."""
    drag = DRAGS["draw-game"]
    browser.viewport(*TABLET, mobile=True)
    with HandTable(tmp_path, drag.history()) as table:
        hand = Hand(browser, table)
        browser.until(lambda: browser.run(_WHERE, drag.piece))
        browser.run(_SIGHT)
        x, y = browser.run(_WHERE, drag.piece)
        one, other = {"x": x, "y": y, "id": 1}, {"x": x + 60, "y": y - 40, "id": 2}
        for kind, points in (
            ("touchStart", [one]), ("touchStart", [one, other]),
            ("touchMove", [one | {"x": x - 30}, other | {"x": x + 160}]), ("touchEnd", []),
        ):  # fmt: skip
            browser.devtools("Input.dispatchTouchEvent", type=kind, touchPoints=points)
        browser.until(lambda: browser.run("return visualViewport.scale") > 1.1, 15)
        assert shown(browser, ".floating") == 0
        assert hand.said in ((), [])
        browser.devtools("Emulation.resetPageScaleFactor")
