"""Whose turn it is: of those who may do something, only whoever is waited for is named."""

from dataclasses import replace

import pytest

from device.match.acts import taken_up
from device.match.match import Match
from device.match.match_view import view
from engine.dominoids.model import DominoidsState
from engine.draw_game.model import ANYBODY, DrawState
from engine.history import History

NAMES = ("Ann", "Bo")
HIDDEN = "see deal hidden / hidden"
OPEN = "see deal 0-0 0-1 0-2 0-3 0-4 0-5 0-6 1-2 1-3 1-4 1-5 / 2-2 3-3 2-3 2-4 2-5 2-6 3-4 3-5 3-6 4-5 4-6"
FIVE_DOUBLES = (
    "see deal 0-0 1-1 4-4 5-5 6-6 0-5 0-6 1-2 1-3 1-4 1-5 / 2-2 3-3 2-3 2-4 2-5 2-6 3-4 3-5 3-6 4-5 4-6"
)


def told(game: History) -> tuple[object, object]:
    """The headline of a match by hand, and whose turn its view marks."""
    shown = view(taken_up(Match(by_hand=True, camera=False), game))
    assert shown["awaited"] == shown["movers"]
    return shown["headline"], shown["movers"]


def dealt(lot: str, deal: str, profile: str = "default") -> History:
    """A deal of the Draw Game after its lot."""
    return History.begin("draw-game", profile, players=NAMES).fact(f"see lot {lot}").fact(deal)


@pytest.mark.parametrize("deal", [HIDDEN, OPEN, FIVE_DOUBLES])
def test_after_the_lot_only_the_player_who_has_the_down_is_to_move(deal: str) -> None:
    """Also where the other may yet demand a redeal, as he may of a hand that nobody sees."""
    assert told(dealt("1-1 / 2-3", deal)) == ("Bo to move", [2])
    assert told(dealt("2-3 / 1-1", deal)) == ("Ann to move", [1])


def test_the_other_may_demand_a_redeal_all_the_same() -> None:
    """It is not his turn, but his right (DRW-13): the rule book lists it, and the demand is judged."""
    game = dealt("1-1 / 2-3", FIVE_DOUBLES)
    assert game.book.parse("1: redeal") in game.book.legal_moves(game.state)
    assert told(game.move("1: redeal")) == ("Still to be seen: deal", [])


def test_who_may_call_points_is_not_therefore_to_move() -> None:
    """After a tile that made points, which either may call, the other one is to lay."""
    game = dealt("2-3 / 1-1", HIDDEN, "default+muggins=yes").move("1: down 0-5")
    assert game.book.movers(game.state) == (1, 2)
    assert told(game) == ("Bo to move", [2])


def test_where_nobody_knows_whose_turn_it_is_both_are_named() -> None:
    """So it is of a table that was taken as it lay, until somebody does something."""
    game = dealt("1-1 / 2-3", HIDDEN)
    assert isinstance(game.state, DrawState)
    unknown = replace(game, first=game.state._replace(mover=ANYBODY), steps=())
    assert told(unknown) == ("Ann or Bo to move", [1, 2])


def test_in_dominoids_who_may_agree_to_stop_is_not_to_move() -> None:
    """At the begin of a turn the other one may agree; it is the active player's turn."""
    game = History.begin("dominoids", seed=4, players=NAMES)
    assert game.book.movers(game.state) == (1, 2)
    assert isinstance(game.state, DominoidsState)
    active = game.state.player
    assert told(game) == (f"{NAMES[active - 1]} to move", [active])
