"""A game in Portable Piecepack Notation (PPN): what happened on the table, with the rulings as comments.

PPN knows pieces and places but no rules: that a move was judged, which die was used for it and what a player
may not see can only stand in comments. The default parser of PPN 0.14 is addressed. The board is drawn on
squares a1 to h8; the dice lie to the right of it, those of the old box at x = 10, those of the new box at 11
and those chosen at 12. What leaves the board (a coin eaten, a Dominoid attacked) is removed. The tiles lie
face down and all alike, so that a shift moves only what is on them.

Each step has the number TURN.STEP, the opening being turn 0.
"""

import json
from collections.abc import Iterable, Iterator

from engine.book import AnyRuleBook, State
from engine.dominoids.board import NAMES, POOL, SQUARES, ends, middle
from engine.dominoids.model import (
    DOMINOES,
    EMPTY,
    NOWHERE,
    OPENING,
    SUITS,
    UNKNOWN,
    Coin,
    DominoidsState,
)

_LETTERS = "SMCA"
_RANKS = "na2345"
_BOXES = {"old": 10, "new": 11, "chosen": 12}
_TOPS = {(-1, 0): "<", (0, -1): "v", (1, 0): ">", (0, 1): "^"}
"""Which way a domino is turned, by where its low end lies from its high end: upright it is on top."""


def write(
    book: AnyRuleBook,
    first: State,
    told: Iterable[tuple[str | State, str]],
    *,
    players: tuple[str, str] = ("player 1", "player 2"),
) -> str:
    """The game that began with ``first`` and went on with moves and facts in notation, each with its comment.

    A move that the rule book refuses is taken to have been let stand. A table that was taken as it is, or set
    by hand, is told by its state.
    """
    state = _own(first)
    lines = [
        "---",
        "GameType: Dominoids",
        "SetUp: None",
        f"Player1: {json.dumps(players[0])}",
        f"Player2: {json.dumps(players[1])}",
        "...",
        " ".join(["0.0.", *_set_up(state)]),
    ]
    steps: dict[int, int] = {0: 0}
    for did, comment in told:
        turn = 0 if state.stage == OPENING else state.turn
        steps[turn] = steps.get(turn, 0) + 1
        after = _own(did) if isinstance(did, State) else _after(book, state, did)
        said = ": ".join(filter(None, (did if isinstance(did, str) else "", comment)))
        lines.append(" ".join([f"{turn}.{steps[turn]}.", *_changes(state, after), _comment(said)]))
        state = after
    return "\n".join(lines) + "\n"


def _own(state: State) -> DominoidsState:
    if not isinstance(state, DominoidsState):
        raise TypeError("only a game of Dominoids can be written in PPN")
    return state


def _after(book: AnyRuleBook, state: DominoidsState, text: str) -> DominoidsState:
    if text.startswith("see "):
        return _own(book.observe(state, book.parse_fact(text)))
    move = book.parse(text)
    allowed = book.judge(state, move).allowed
    return _own(book.apply(state, move) if allowed else book.let_stand(state, move))


def _comment(text: str) -> str:
    """Text in braces; braces inside are not allowed."""
    return "{" + " ".join(text.split()).replace("{", "(").replace("}", ")") + "}"


# — places and pieces —


def _number(value: float) -> str:
    return f"{value:g}"


def _place(x: float, y: float) -> str:
    return f"({_number(x)},{_number(y)})"


def _at(lie: int) -> str:
    return _place(*middle(lie))


def _domino(number: int, lie: int) -> str:
    """A domino as it is put down; the macro draws it upright, its first number on top."""
    low, high = (SQUARES[end] for end in ends(lie))
    return f"`{DOMINOES[number]}'{_TOPS[low.x - high.x, low.y - high.y]}@{_at(lie)}"


def _coin(coin: Coin) -> str:
    if coin.value == UNKNOWN:
        return f"cb{_LETTERS[coin.suit]}"
    return f"cf{_LETTERS[coin.suit]}{_RANKS[coin.value]}"


def _die_place(state: DominoidsState, die: int) -> str:
    box = "chosen" if state.chosen >> die & 1 else "new" if state.new >> die & 1 else "old"
    return _place(_BOXES[box], 8 - die)


def _set_up(state: DominoidsState) -> Iterator[str]:
    """Everything that is on the table, tiles first."""
    for x in range(4):
        for y in range(4):
            yield f"t@{_place(2 * x + 1.5, 2 * y + 1.5)}"
    bare = state._replace(dominoes=EMPTY.dominoes, pawns=EMPTY.pawns, coins=(), faces=EMPTY.faces)
    yield from _changes(bare, state)


# — what a step changed —


def _changes(before: DominoidsState, after: DominoidsState) -> Iterator[str]:
    """What has to be done to the pieces so that one state becomes the other.

    Pieces that move are named by where they were at the beginning of the step (``^``), because in a shift
    one may come to where another was.
    """
    for number, (was, now) in enumerate(zip(before.dominoes, after.dominoes, strict=True)):
        if was != now:
            yield from _domino_changes(number, was, now)
    for suit, (was, now) in enumerate(zip(before.pawns, after.pawns, strict=True)):
        if was == NOWHERE and now != NOWHERE:
            yield f"p{_LETTERS[suit]}@{NAMES[now]}"
        elif was != now:
            yield f"^{NAMES[was]}-{_offset(was, now)}"
    yield from _coin_changes(before, after)
    yield from _die_changes(before, after)


def _domino_changes(number: int, was: int, now: int) -> Iterator[str]:
    if was == POOL:
        yield _domino(number, now)
    elif now == POOL:
        yield f"*{_at(was)}"
    else:
        yield from _moved(number, was, now)


def _moved(number: int, was: int, now: int) -> Iterator[str]:
    """A Dominoid that slid, turned, or (only a move that was let stand) was laid anywhere else."""
    low, high = ends(was)
    there = ends(now)
    slid = there[0] - low == there[1] - high
    if not slid and DOMINOES[number].is_double and (low == there[1] or high == there[0]):
        there = there[1], there[0]
    if slid:
        yield f"^{_at(was)}-{_offset(low, there[0])}"
    elif low == there[0] or high == there[1]:
        pivot, moved, target = (low, high, there[1]) if low == there[0] else (high, low, there[0])
        yield f"^{_at(was)}@>{_clockwise(pivot, moved, target)}|{NAMES[pivot]}"
    else:
        yield from (f"*{_at(was)}", _domino(number, now))


def _offset(was: int, now: int) -> str:
    """``2L``: how far and which way."""
    dx, dy = SQUARES[now].x - SQUARES[was].x, SQUARES[now].y - SQUARES[was].y
    if dx and dy:
        return f"<{dx},{dy}>"
    return f"{abs(dx or dy)}{('L' if dx < 0 else 'R') if dx else ('D' if dy < 0 else 'U')}"


def _clockwise(pivot: int, moved: int, target: int) -> int:
    """How many degrees an end turned clockwise round the other."""
    centre, start, end = SQUARES[pivot], SQUARES[moved], SQUARES[target]
    ax, ay, bx, by = start.x - centre.x, start.y - centre.y, end.x - centre.x, end.y - centre.y
    if (bx, by) == (-ax, -ay):
        return 180
    return 90 if (bx, by) == (ay, -ax) else 270


def _coin_changes(before: DominoidsState, after: DominoidsState) -> Iterator[str]:
    gone = [coin for coin in before.coins if coin not in after.coins]
    come = [coin for coin in after.coins if coin not in before.coins]
    for coin in gone:
        turned = next((other for other in come if other.square == coin.square), None)
        moved = next((other for other in come if other[1:] == coin[1:]), None)
        if turned is not None and turned.suit == coin.suit and turned.value != coin.value:
            yield f"{NAMES[coin.square]}={_coin(turned)}"
            come.remove(turned)
        elif moved is not None:
            yield f"^{NAMES[coin.square]}-{_offset(coin.square, moved.square)}"
            come.remove(moved)
        else:
            yield f"*{NAMES[coin.square]}"
    yield from (f"{_coin(coin)}@{NAMES[coin.square]}" for coin in come)


def _die_changes(before: DominoidsState, after: DominoidsState) -> Iterator[str]:
    for die in range(len(SUITS)):
        was, now = before.faces[die], after.faces[die]
        letter, place = _LETTERS[die], _die_place(after, die)
        if was == UNKNOWN and now != UNKNOWN:
            yield f"d{letter}{_RANKS[now]}@{place}"
        elif now != UNKNOWN:
            if was != now:
                yield f"?d{letter}~{_RANKS[now]}"
            if _die_place(before, die) != place:
                yield f"?d{letter}-{place}"
