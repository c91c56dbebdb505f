"""A player of the Draw Game: points first, then heavy tiles, and a hand that can still follow.

Of the other hand nothing is used but what everybody sees.
"""

import random
from typing import Final

from engine.draw_game.book import DrawGame
from engine.draw_game.model import Call, Down, DrawMove, DrawState, Play, Redeal, tiles_in

_PIP: Final = 0.1
"""What it is worth to be rid of a pip: the other player may score those that are left."""
_DOUBLE: Final = 0.5
"""What it is worth to be rid of a double, which fits one number only."""
_FOLLOW: Final = 0.4
"""What each tile in the hand is worth that could be laid next."""
_WHIM: Final = 0.3
"""How much a player's whim decides between plays that are about as good."""


def decide(book: DrawGame, state: DrawState, rng: random.Random) -> DrawMove:
    """The play that makes most of the hand; drawing and passing only where nothing can be laid."""
    moves = book.legal_moves(state)
    calls = [move for move in moves if isinstance(move, Call)]
    if calls:
        due = state.match.due
        return next((call for call in calls if due and call.player == due[0]), calls[0])
    plays = [move for move in moves if isinstance(move, Down | Play)]
    if plays:
        worth = {move: _worth(book, state, move) + rng.random() * _WHIM for move in plays}
        return max(plays, key=worth.__getitem__)
    # Dealing anew is nobody's duty, and it would throw away what has been laid.
    return next((move for move in moves if not isinstance(move, Redeal)), moves[0])


def _worth(book: DrawGame, state: DrawState, move: Down | Play) -> float:
    player = move.player or state.mover
    after = book.apply(state, move)
    points = after.scores[player - 1] - state.scores[player - 1]
    worth = points + _PIP * move.tile.pips + _DOUBLE * move.tile.is_double
    if after.phase != "playing":
        return worth
    mine = after._replace(mover=player)
    fitting = {reply.tile for reply in book.legal_moves(mine) if isinstance(reply, Play)}
    return worth + _FOLLOW * len(fitting & set(tiles_in(after.hands[player - 1])))
