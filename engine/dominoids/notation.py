"""Moves and facts as text.

    1: dice suns crowns             the dice of the turn
    1: suns move 2@b4-3@c4          with the Suns die the 2-3 slides or turns to b4 and c4
    1: suns bud 3@d2-5@e2           the child that buds
    1: suns shift row 3 right       or left; a column goes up or down
    1: suns pass
    1: eat b6 · 1: attack 1-3 · 1: birth 3@d2-5@e2 · 1: none      what a slide brings
    1: place suns b4                a coin from the stack of Suns
    1: done · 1: agree              the end of the turn; stopping the game by agreement

    see suns@b3 2@c3-3@d3           an arm of the opening: pawn and domino
    see roll suns=3 crowns=null     see coin b6 4           see first 2

Without ``1:`` or ``2:`` a move is that of the player whose turn it is. Squares off the board may be named
where a domino is: ``i6`` or ``(0,5)``.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Final

from engine.dominoes import tile
from engine.dominoids.board import DIRECTIONS, line_name
from engine.dominoids.model import (
    DOMINOES,
    FACES,
    NUMBER,
    SUITS,
    Agree,
    AnyFact,
    AnyMove,
    Arm,
    Attack,
    Birth,
    Bud,
    Done,
    Eat,
    FirstPlayer,
    Idle,
    Laid,
    MoveDominoid,
    Pass,
    PlaceCoin,
    Roll,
    Shift,
    TakeDice,
    TurnedCoin,
    laid,
)
from engine.errors import BadNotation
from engine.squares import Square
from engine.squares import square as read_square

_PLAIN: Final[Mapping[str, type[Idle | Done | Agree]]] = {"none": Idle, "done": Done, "agree": Agree}
_FARTHEST: Final = 9
"""How far off the board, in squares, a domino may be said to lie."""


# — writing —


def format_move(move: AnyMove) -> str:
    """A move as text."""
    who = "" if move.player is None else f"{move.player}: "
    return who + _body(move)


def _body(move: AnyMove) -> str:
    match move:
        case TakeDice():
            return " ".join(["dice", *(SUITS[die] for die in move.dice)])
        case MoveDominoid():
            return f"{SUITS[move.die]} move {move.to}"
        case Bud():
            return f"{SUITS[move.die]} bud {move.child}"
        case Shift():
            return f"{SUITS[move.die]} shift {line_name(move.direction, move.line)} {move.direction}"
        case Pass():
            return f"{SUITS[move.die]} pass"
        case Eat():
            return f"eat {move.square}"
        case Attack():
            return f"attack {move.victim}"
        case Birth():
            return f"birth {move.child}"
        case PlaceCoin():
            return f"place {SUITS[move.suit]} {move.square}"
        case _:
            return next(word for word, kind in _PLAIN.items() if isinstance(move, kind))


def format_fact(fact: AnyFact) -> str:
    """A fact as text."""
    match fact:
        case Arm():
            return f"see {SUITS[fact.suit]}@{fact.pawn} {fact.domino}"
        case Roll():
            return " ".join(["see roll", *(f"{SUITS[die]}={_face(face)}" for die, face in fact.faces)])
        case TurnedCoin():
            return f"see coin {fact.square} {fact.value}"
        case _:
            return f"see first {fact.player}"


def _face(face: int) -> str:
    """A face of a die; also one that no die has can be said to have been seen."""
    return FACES[face] if face < len(FACES) else str(face)


# — reading —


class _Unread(Exception):
    """What would be right instead."""


def parse_move(line: str) -> AnyMove:
    """The move that a text writes."""
    found = re.fullmatch(r"(?:([12]): )?([^:]+)", line.strip())
    try:
        if found is None:
            raise _Unread("it should begin with '1: ' or '2: ', or with neither for the player on turn")
        player = None if found[1] is None else int(found[1])
        return _read_move(player, found[2].split(" "))
    except _Unread as right:
        raise BadNotation(f"{line.strip()!r} is no move of Dominoids: {right}.") from None


def _read_move(player: int | None, words: Sequence[str]) -> AnyMove:
    verb, rest = words[0], words[1:]
    if verb in SUITS:
        return _read_action(player, SUITS.index(verb), rest)
    if verb in _PLAIN:
        if rest:
            raise _Unread(f"'{verb}' stands alone")
        return _PLAIN[verb](player)
    if verb == "dice":
        dice = tuple(_suit(word) for word in rest)
        if not 1 <= len(dice) <= 4:
            raise _Unread("after 'dice' come the suits, as in 'dice suns crowns'")
        return TakeDice(player, dice)
    if verb == "place":
        suit, at = _words(rest, 2, "place suns b4")
        return PlaceCoin(player, _suit(suit), _square(at))
    if verb in _ONE_WORD:
        (word,) = _words(rest, 1, _ONE_WORD[verb])
        return _read_consequence(player, verb, word)
    raise _Unread("it should begin with a suit's die ('suns move 2@b4-3@c4') or with one of " + _VERBS)


_ONE_WORD: Final = {"eat": "eat b6", "attack": "attack 1-3", "birth": "birth 3@d2-5@e2"}
_VERBS: Final = "dice, eat, attack, birth, none, place, done, agree"


def _read_consequence(player: int | None, verb: str, word: str) -> AnyMove:
    if verb == "eat":
        return Eat(player, _square(word))
    if verb == "birth":
        return Birth(player, _laid(word))
    found = re.fullmatch(r"([0-9])-([0-9])", word)
    if found is None or tile(int(found[1]), int(found[2])) not in NUMBER:
        raise _Unread("after 'attack' comes a domino from 1-1 to 5-5, as in 'attack 1-3'")
    return Attack(player, tile(int(found[1]), int(found[2])))


def _read_action(player: int | None, die: int, words: Sequence[str]) -> AnyMove:
    match words:
        case ["move", where]:
            return MoveDominoid(player, die, _laid(where))
        case ["bud", where]:
            return Bud(player, die, _laid(where))
        case ["pass"]:
            return Pass(player, die)
        case ["shift", line, number, way] if re.fullmatch("[1-4]", number):
            for direction in DIRECTIONS:
                if way == direction and line_name(direction, int(number)) == f"{line} {number}":
                    return Shift(player, die, direction, int(number))
    raise _Unread(
        f"after '{SUITS[die]}' comes 'move 2@b4-3@c4', 'bud 3@d2-5@e2', 'shift row 3 right', "
        "'shift column 1 up' or 'pass'"
    )


def parse_fact(line: str) -> AnyFact:
    """The fact that a text writes."""
    try:
        return _read_fact(line.strip().split(" "))
    except _Unread as right:
        raise BadNotation(f"{line.strip()!r} is no fact of Dominoids: {right}.") from None


def _read_fact(words: Sequence[str]) -> AnyFact:
    match words:
        case ["see", "roll", *dice] if dice:
            return Roll(tuple(sorted(_die(word) for word in dice)))
        case ["see", "coin", at, value] if re.fullmatch("[0-9]", value):
            return TurnedCoin(_square(at), int(value))
        case ["see", "first", player] if re.fullmatch("[0-9]", player):
            return FirstPlayer(int(player))
        case ["see", pawn, where] if "@" in pawn:
            suit, _, at = pawn.partition("@")
            return Arm(_suit(suit), _square(at), _laid(where))
    raise _Unread(
        "it should read like 'see coin b6 4', 'see roll suns=3 crowns=null', 'see suns@b3 2@c3-3@d3' "
        "or 'see first 1'"
    )


def _die(word: str) -> tuple[int, int]:
    suit, _, face = word.partition("=")
    if re.fullmatch("[6-9]", face):
        return _suit(suit), int(face)
    if face not in FACES:
        raise _Unread(f"a die shows one of {', '.join(FACES)}, as in 'suns=3', not {word!r}")
    return _suit(suit), FACES.index(face)


def _words(words: Sequence[str], count: int, example: str) -> Sequence[str]:
    if len(words) != count:
        raise _Unread(f"it should read like '{example}'")
    return words


def _suit(word: str) -> int:
    if word not in SUITS:
        raise _Unread(f"the suits are {', '.join(SUITS)}, not {word!r}")
    return SUITS.index(word)


def _square(word: str) -> Square:
    if re.fullmatch("[a-h][1-8]", word) is None:
        raise _Unread(f"{word!r} is no square of the board; they are a1 to h8")
    return read_square(word)


def _anywhere(word: str) -> Square:
    """A square that may be off the board, written in the one way in which it is written."""
    letter, digits = re.fullmatch("[a-z][0-9]+", word), re.fullmatch(r"\((-?[0-9]+),(-?[0-9]+)\)", word)
    at = Square(0, 0)
    if letter:
        at = Square(ord(word[0]) - 96, int(word[1:]))
    elif digits:
        at = Square(int(digits[1]), int(digits[2]))
    near = all(1 - _FARTHEST <= part <= 8 + _FARTHEST for part in at)
    if str(at) != word or not near:
        raise _Unread(f"{word!r} is no square on the board or near it; squares read like b4, i6 or (0,5)")
    return at


def _laid(word: str) -> Laid:
    where = r"([a-z][1-9][0-9]?|\([-0-9]+,[-0-9]+\))"
    found = re.fullmatch(rf"([0-9])@{where}-([0-9])@{where}", word)
    if found is None:
        raise _Unread(f"where a domino lies reads like 2@b4-3@c4, not {word!r}")
    one, other = int(found[1]), int(found[3])
    if tile(one, other) not in NUMBER:
        raise _Unread(f"there is no {tile(one, other)}; the dominoes are {DOMINOES[0]} to {DOMINOES[-1]}")
    at, bt = _anywhere(found[2]), _anywhere(found[4])
    if bt not in at.beside():
        raise _Unread(f"the two ends of a domino lie on neighbouring squares, not on {at} and {bt}")
    return laid(one, at, other, bt)
