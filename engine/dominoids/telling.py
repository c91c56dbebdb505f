"""How pieces, dice and places are called in the sentences of a ruling."""

from collections.abc import Iterable, Mapping

from engine.dominoids.board import MASK, NAMES, NUMBER_OF
from engine.dominoids.model import DOMINOES, FACES, SUITS, UNKNOWN, DominoidsState
from engine.plain import Json
from engine.ruling import Fault
from engine.squares import Square


def suit_name(suit: int) -> str:
    """``Suns``."""
    return SUITS[suit].capitalize()


def die_name(state: DominoidsState, die: int) -> str:
    """``the Suns die (3)``."""
    return f"the {suit_name(die)} die ({FACES[state.faces[die]]})"


def squares_word(count: int) -> str:
    """``1 square``, ``2 squares``."""
    return "1 square" if count == 1 else f"{count} squares"


def piece_at(state: DominoidsState, square: int) -> str | None:
    """What lies on a square, or None."""
    for number, lie_ in enumerate(state.dominoes):
        if MASK[lie_] >> square & 1:
            return f"the {DOMINOES[number]}"
    for suit, pawn in enumerate(state.pawns):
        if pawn == square:
            return f"the {suit_name(suit)} pawn"
    coin = state.coin_at(square)
    return coin and coin_name(coin.suit, coin.value)


def coin_name(suit: int, value: int) -> str:
    """``a Suns coin``, or with its value where that was seen."""
    article = "an" if suit_name(suit)[0] in "AEIOU" else "a"
    return f"{article} {suit_name(suit)} coin" + ("" if value == UNKNOWN else f" of value {value}")


def in_the_way(
    state: DominoidsState, squares: Iterable[Square], own: int | None = None
) -> list[tuple[str, str]]:
    """What lies on these squares, as (piece, square); the Dominoid numbered ``own`` does not count."""
    own_mask = 0 if own is None else MASK[state.dominoes[own]]
    found: list[tuple[str, str]] = []
    for square in squares:
        number = NUMBER_OF.get(square)
        if number is not None and not own_mask >> number & 1:
            piece = piece_at(state, number)
            if piece:
                found.append((piece, NAMES[number]))
    return found


def listed(names: Iterable[str], word: str = "and") -> str:
    """``a``, ``a and b``, ``a, b and c``."""
    *before, last = names
    return f"{', '.join(before)} {word} {last}" if before else last


def fault(
    rule: str, sentence: str, squares: Iterable[Square | int] = (), facts: Mapping[str, Json] | None = None
) -> Fault:
    """A rule with a sentence about this very move; squares may be given by number."""
    named = tuple(NAMES[at] if isinstance(at, int) else str(at) for at in squares)
    return Fault(rule, sentence, named, facts or {})
