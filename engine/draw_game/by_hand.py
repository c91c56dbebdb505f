"""A tile, a hand or points of the Draw Game set by hand: the record is corrected, and nobody has moved."""

from collections.abc import Sequence
from typing import Final

from engine.dominoes import Domino
from engine.draw_game.deals import told
from engine.draw_game.line import CLOSED, PIPS, line_of
from engine.draw_game.model import (
    BIT,
    Arm,
    Beside,
    Down,
    DrawMatch,
    DrawState,
    Event,
    Line,
    Play,
    board_tiles,
    moves_in,
)
from engine.draw_game.notation import read_tile
from engine.draw_game.rules import House
from engine.draw_game.stored import check_laid, checked, totals, unseen_by
from engine.errors import BadNotation

HELP: Final = (
    "put 2-5 east (or west, north, south), put 2-5 away (off the line), "
    "put hand-1 5 (how many tiles it holds), put points-1 35, put turn 2"
)
_ARMS: Final = {str(arm): arm for arm in Arm}


def put(state: DrawState, words: Sequence[str], house: House) -> DrawState:
    """The state with one tile or number otherwise; raises BadNotation, or BadData where that cannot be."""
    match [*words]:
        case ["turn", ("1" | "2") as player] if state.phase == "playing":
            return state._replace(mover=int(player))
        case [("points-1" | "points-2") as whose, number] if number.isdecimal() and not int(number) % 5:
            return _with_points(state, int(whose[-1]), int(number))
        case [("hand-1" | "hand-2") as whose, number] if number.isdecimal():
            return _with_hand(state, int(whose[-1]) - 1, int(number), house)
        case [name, "away"]:
            return _with_line(state, _taken_off(state, read_tile(name)), house)
        case [name, place] if place in _ARMS:
            return _with_line(state, _laid(state, read_tile(name), _ARMS[place]), house)
    raise BadNotation(f"Nothing can be put so; write {HELP}.")


def _with_points(state: DrawState, player: int, points: int) -> DrawState:
    lines = tuple(line for line in state.lines if line.player != player)
    if points:
        lines = (*lines, Line(player, points, state.match.deal, "earlier", points))
    return state._replace(lines=lines, scores=totals(lines))


def _with_hand(state: DrawState, index: int, many: int, house: House) -> DrawState:
    hidden = list(state.hidden)
    hidden[index] = many - state.hands[index].bit_count()
    if hidden[index] < 0:
        raise BadNotation(
            f"Of that hand {state.hands[index].bit_count()} tiles are known; it holds no fewer."
        )
    both = (hidden[0], hidden[1])
    unseen = unseen_by(state.hands, both, state.history)
    return told(checked(state._replace(hidden=both, unseen=unseen)), house)


def _laid(state: DrawState, tile: Domino, arm: Arm) -> tuple[Event, ...]:
    if state.ends[0] == CLOSED:
        return (*state.history, Down(tile))
    pips = PIPS[state.ends[arm]]
    return (*state.history, Play(tile, pips if pips in tile else tile.low, arm))


def _taken_off(state: DrawState, tile: Domino) -> tuple[Event, ...]:
    if not board_tiles(state.history) & BIT[tile]:
        raise BadNotation(f"The {tile} does not lie on the table.")
    laid = Down, Play, Beside
    return tuple(one for one in state.history if not (isinstance(one, laid) and one.bit == BIT[tile]))


def _with_line(state: DrawState, history: tuple[Event, ...], house: House) -> DrawState:
    """The state with another line: a tile comes out of the hand that is to move, or goes back into it."""
    check_laid(history)
    laid, before = board_tiles(history), board_tiles(state.history)
    hands = (state.hands[0] & ~laid, state.hands[1] & ~laid)
    hidden, mover = [*state.hidden], (state.mover or 1) - 1
    if not laid & (state.hands[0] | state.hands[1]):
        change = before.bit_count() - laid.bit_count()
        hidden[mover] = max(0, hidden[mover] + change)
    both = (hidden[0], hidden[1])
    ends, bare = line_of(history)
    done = state.match.before + moves_in(state.history)
    match: DrawMatch = state.match._replace(before=done - moves_in(history), due=None)
    after = state._replace(
        hands=hands, hidden=both, unseen=unseen_by(hands, both, history), ends=ends, bare=bare,
        history=history, claims=(), match=match,
    )  # fmt: skip
    return told(checked(after), house)
