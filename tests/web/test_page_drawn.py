"""A view sends a board what it draws, and nothing else; what no piece shows is told in words and numbers."""

import re
from pathlib import Path

import pytest

from device.match.acts import taken_up
from device.match.match import Match
from device.match.match_view import view
from engine import GAMES
from engine.draw_game.model import DrawState
from engine.history import History
from engine.plain import obj
from tests.web.browser import Browser
from tests.web.desks import ShownDesk
from tests.web.gallery import GAMES as MIDDLE
from tests.web.gallery import random_game, random_steps

BOARDS = Path(__file__).parents[2] / "web/static/board"


@pytest.mark.parametrize("game", GAMES)
def test_a_view_sends_nothing_that_no_board_draws(game: str) -> None:
    """Each part of the detail is read by the script of its game."""
    script = (
        BOARDS / f"{game.replace('kingdomino-', '').replace('dominoes-of-', '').replace('-', '_')}.js"
    ).read_text()
    sent = obj(view(taken_up(Match(), random_game(game, MIDDLE[game])))["detail"], "the detail")
    assert sent
    assert [key for key in sent if not re.search(rf"detail\b.*\b{key}\b|\b{key}\b.*\bdetail\b", script)] == []


def test_the_open_ends_are_what_they_count() -> None:
    """After each tile of a game: the sum is what the ruling says that the ends count."""
    counted = 0
    for history in random_steps("draw-game", 60):
        state, ruling = history.state, history.steps[-1].ruling
        told = re.search(r"the ends count (\d+)", ruling.reason if ruling else "")
        if told and isinstance(state, DrawState) and state.phase != "deal" and state.phase != "lot":
            ends = obj(view(taken_up(Match(), history))["detail"], "the detail")["ends"]
            assert isinstance(ends, list)
            assert sum(ends) == int(told[1])
            counted += 1
    assert counted > 15


def test_soldiers_and_open_ends_are_told_beside_the_board(tmp_path: Path, browser: Browser) -> None:
    """How many each has on the table, and what the ends of the line come to."""
    wars: History = random_game("dominoes-of-war", MIDDLE["dominoes-of-war"])
    with ShownDesk(tmp_path, taken_up(Match(), wars)) as shown:
        browser.open(shown.address)
        browser.until(lambda: "Ann · 5 on the table" in browser.text("#board .tray.p1"))
        assert "Bo · 6 on the table" in browser.text("#board .tray.p2")
    (tmp_path / "line").mkdir()
    with ShownDesk(
        tmp_path / "line", taken_up(Match(), random_game("draw-game", MIDDLE["draw-game"]))
    ) as shown:
        browser.open(shown.address)
        browser.until(lambda: "12 + 3 + 0 + 6 = 21" in browser.text("#board .tray.ends"))
