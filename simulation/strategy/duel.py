"""A player of Kingdomino Duel: large domains with crosses, and no square left that nothing can fill.

Powers that must be used at once are used well; the others only where nothing could be drawn without them,
and the castle's cross where it brings most, or before it is too late.
"""

import random
from typing import Final

from engine.kingdomino_duel.book import DuelBook
from engine.kingdomino_duel.edition import AS_PRINTED, COATS, JOKER, Face
from engine.kingdomino_duel.kingdom import Kingdom, Mark, beside, each
from engine.kingdomino_duel.model import (
    Castle,
    Cross,
    Declare,
    Draw,
    DuelMove,
    DuelState,
    Name,
    Take,
    Turn,
)

_BARE: Final = 0.35
"""What a square of a domain without crosses is worth: a cross may come."""
_ROOM: Final = 0.12
"""What each empty square beside a domain is worth, for each of its crosses and one."""
_STUCK: Final = 60.0
"""What it costs if nothing can be drawn next, as likely as both dice show coats that fit nowhere."""
_LONE: Final = 15.0
"""What a part of the empty squares costs that is odd in number: no dominoes can fill it."""
_MISSED: Final = 4.0
"""What a die costs that fits nowhere."""
_CASTLE: Final = 3.0
"""From how many points on the cross of the castle is used."""
_LATE: Final = 8
"""With how many empty squares it is used for whatever it brings."""
_WHIM: Final = 0.2
"""How much a player's whim decides between moves that are about as good."""


def decide(book: DuelBook, state: DuelState, rng: random.Random) -> DuelMove:
    """The move of a player who builds."""
    moves = book.legal_moves(state)
    player = moves[0].player or 1
    mine = [move for move in moves if move.player == player]
    if state.stage == "draw":
        mine = _drawing(book, state, mine, player)
    worth = {move: _worth(book, state, move, player) + rng.random() * _WHIM for move in mine}
    return max(mine, key=worth.__getitem__)


def _drawing(book: DuelBook, state: DuelState, moves: list[DuelMove], player: int) -> list[DuelMove]:
    """What is thought about in step 3: mostly only where to draw."""
    draws: list[DuelMove] = [move for move in moves if isinstance(move, Draw) and move.marks]
    most = max((len(move.marks) for move in draws if isinstance(move, Draw)), default=0)
    full = [move for move in draws if isinstance(move, Draw) and len(move.marks) == most]
    if not full:
        helpful = [move for move in moves if isinstance(move, Declare) and _draws(book, state, move, player)]
        return [*helpful] or [move for move in moves if isinstance(move, Draw)]
    castles: list[DuelMove] = [move for move in moves if isinstance(move, Castle)]
    if castles:
        plain = max(_built(book, state, move, player) for move in full)
        late = state.side(player).kingdom.empty.bit_count() <= _LATE
        needed = 0.5 if late else _CASTLE
        good = [move for move in castles if _with_castle(book, state, move, player) >= plain + needed]
        if good:
            return good
    return [*full]


def _with_castle(book: DuelBook, state: DuelState, move: DuelMove, player: int) -> float:
    after = book.apply(state, move)
    return max(_built(book, after, one, player) for one in _draws(book, state, move, player))


def _draws(book: DuelBook, state: DuelState, move: DuelMove, player: int) -> list[Draw]:
    """What a player could draw after another move of his."""
    after = book.legal_moves(book.apply(state, move))
    return [one for one in after if isinstance(one, Draw) and one.player == player and one.marks]


def _built(book: DuelBook, state: DuelState, move: DuelMove, player: int) -> float:
    return _map(book.apply(state, move).side(player).kingdom)


def _worth(book: DuelBook, state: DuelState, move: DuelMove, player: int) -> float:
    match move:
        case Take():
            after = book.apply(state, move)
            if after.stage == "draw":
                draws = [
                    one for one in book.legal_moves(after) if isinstance(one, Draw) and one.player == player
                ]
                drawn = [_built(book, after, one, player) - (not one.marks) * 2 * _MISSED for one in draws]
                return max(drawn) + move.at_once
            faces = [state.dice[die - 1].symbol for die in move.dice if isinstance(die, int)]
            held = [die.symbol for die in state.domino(player)]
            return _dice(state.side(player).kingdom, [*faces, *held]) + move.at_once
        case Draw() | Cross():
            return _built(book, state, move, player)
        case Name():
            kingdom = state.side(player).kingdom
            return float(sum(domain.coat == move.coat for domain in kingdom.domains()))
        case Castle():
            return _with_castle(book, state, move, player)
        case Turn():
            return -1.0
        case Declare():
            return float(-move.power)
    return 0.0


def _dice(kingdom: Kingdom, faces: list[Face]) -> float:
    """What dice are worth on a map: the best square for each by itself, so that it is quickly known."""
    before = _map(kingdom)
    worth = 0.0
    for one in faces:
        coats = range(6) if one.coat == JOKER else (one.coat,)
        gains = [
            _map(kingdom.add(Mark(square, coat, one.crosses))) - before
            for coat in coats
            for square in each(kingdom.reach(coat) & kingdom.empty)
            if beside(1 << square) & kingdom.empty
        ]
        worth += max(gains, default=-_MISSED)
    return worth


def _map(kingdom: Kingdom) -> float:
    """What a map is worth: its points, and what may still become of it."""
    empty = kingdom.empty
    worth = 0.0
    for domain in kingdom.domains():
        squares = sum(1 << square for square in domain.squares)
        room = (beside(squares) & empty).bit_count()
        worth += domain.points + _ROOM * room * (1 + domain.crosses)
        worth += 0.0 if domain.crosses else _BARE * len(domain.squares)
    pairs = beside(empty) & empty
    shut = sum(share for coat, share in enumerate(_SHARES) if not kingdom.reach(coat) & pairs)
    return worth - _STUCK * shut**2 - _LONE * _odd(empty)


def _odd(empty: int) -> int:
    """How many parts of the empty squares are odd in number: dominoes leave a square of each."""
    odd = 0
    while empty:
        part, grown = 0, empty & -empty
        while grown != part:
            part, grown = grown, (grown | beside(grown)) & empty
        odd += part.bit_count() % 2
        empty ^= part
    return odd


_SHARES: Final = [
    sum(one.coat == coat for die in AS_PRINTED.dice for one in die) / 24 for coat in range(len(COATS))
]
"""How often each coat is rolled."""
