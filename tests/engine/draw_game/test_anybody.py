"""A deal of which nobody knows whose turn it is: whoever does something next has it."""

import json

import pytest

from engine import CannotStand, IllegalMove, State
from engine.draw_game.book import DrawGame
from engine.draw_game.model import ANYBODY, DrawState
from engine.plain import BadData
from engine.ruling import Status
from tests.engine.draw_game.scene import after, game

HIDDEN = {"tiles": [], "hidden": 11}


def unknown(book: DrawGame, *lines: str) -> DrawState:
    """A deal in which all that is known is what was done."""
    state = after(book, book.start(setup={"down": 1, "hands": [HIDDEN, HIDDEN]}), *lines)
    return state._replace(mover=ANYBODY)


@pytest.mark.parametrize("player", [1, 2])
def test_either_may_be_next_and_then_it_is_the_others_turn(player: int) -> None:
    """Who lays the first tile has had the Down, and the other has it in the next deal."""
    book = game()
    state = unknown(book)
    assert book.movers(state) == (1, 2)
    line = f"{player}: down 3-4"
    assert book.parse(line) in book.legal_moves(state)
    assert book.judge(state, book.parse(line)).allowed
    for later in (book.play(state, book.parse(line)), book.apply(state, book.parse(line))):
        assert (later.mover, later.match.down) == (3 - player, player)


def test_in_the_midst_of_a_deal_the_down_was_whose_it_was() -> None:
    """Only the turn is unknown there."""
    book = game()
    state = unknown(book, "1: down 3-4")
    later = book.play(state, book.parse("1: 4-6 by 4 at east"))
    assert (later.mover, later.match.down) == (2, 1)


def test_nobodys_move_is_nobodys() -> None:
    """What is typed without a player must say whose it is, and cannot stand without."""
    book = game()
    state, move = unknown(book), book.parse("down 3-4")
    found = book.judge(state, move)
    assert (found.status, found.rule) == (Status.ILLEGAL, "DRW-T1")
    assert found.reason == "Nobody knows yet whose turn it is: say which player it is."
    with pytest.raises(IllegalMove):
        book.play(state, move)
    with pytest.raises(CannotStand, match="whose turn"):
        book.let_stand(state, move)


def test_a_refused_tile_may_stand_whoever_laid_it() -> None:
    """It was that player's turn then."""
    book = game()
    state = unknown(book, "1: down 3-4")
    wrong = book.parse("2: 2-5 by 2 at west")
    assert not book.check(state, wrong).allowed
    assert book.let_stand(state, wrong).mover == 1


def test_a_redeal_is_demanded_without_a_turn() -> None:
    """Either may, before the first tile."""
    book = game()
    state = unknown(book)
    redeals = [f"{player}: redeal" for player in (1, 2)]
    assert [book.format(move) for move in book.legal_moves(state) if "redeal" in book.format(move)] == redeals
    assert book.judge(state, book.parse(redeals[1])).status is Status.UNVERIFIABLE
    assert book.play(state, book.parse(redeals[1])).phase == "deal"


def test_the_plain_form_says_that_nobody_knows() -> None:
    """And only while a deal is played."""
    state = unknown(game())
    data = json.loads(json.dumps(state.to_json()))
    assert State.from_json(data) == state
    with pytest.raises(BadData, match="only while a deal is played"):
        State.from_json({**data, "phase": "hand"})
