"""Moves and facts as text.

    1: take 3                 die 3 (a face, as in ``take q2``, does where one die alone shows it)
    2: take 1+4               two dice
    1: P3 take d+b            two dice at once, with P3
    1: P1    1: P2            this turn without connection; this turn apart
    1: P4 2=s                 die 2 turned to a stripe
    1: castle 2               the castle's cross for die 2
    1: draw d@r2c4 s1@r2c5    a dot on r2c4, a stripe with a cross on r2c5
    1: draw nothing
    1: P5 s                   the stripe is named
    1: P6 r1c2                a cross more on r1c2
    see oldest 2              player 2 begins as A
    see roll d b q2 ?         the faces of dice 1 to 4

Coats: d dot, D two dots, s stripe, S two stripes, q quarters, b black; a digit counts crosses, ``?`` is the
question mark. Without ``1:`` or ``2:`` a move is by whoever's turn it is.
"""

import re

from engine.errors import BadNotation
from engine.kingdomino_duel.edition import JOKER, coat, face, symbol
from engine.kingdomino_duel.kingdom import NAMES, Mark, square_named
from engine.kingdomino_duel.model import (
    Castle,
    Cross,
    Declare,
    DieRef,
    Draw,
    DuelFact,
    DuelMove,
    Name,
    Oldest,
    Roll,
    Take,
    Turn,
)

_MOVE_EXAMPLE = "a move reads like '1: take 3', '2: draw d@r2c4 s1@r2c5' or '1: castle 2'"
_FACT_EXAMPLE = "a fact reads like 'see roll d b q2 ?' or 'see oldest 1'"


def format_move(move: DuelMove) -> str:
    """The move in notation."""
    return (f"{move.player}: " if move.player else "") + _words(move)


def _words(move: DuelMove) -> str:
    if isinstance(move, Take):
        return ("P3 " if move.at_once else "") + "take " + "+".join(str(die) for die in move.dice)
    if isinstance(move, Declare):
        return f"P{move.power}"
    if isinstance(move, Turn):
        return f"P4 {move.die}={move.face}"
    if isinstance(move, Castle):
        return f"castle {move.die}"
    if isinstance(move, Draw):
        return "draw " + (" ".join(str(mark) for mark in move.marks) or "nothing")
    if isinstance(move, Name):
        return f"P5 {symbol(move.coat)}"
    return f"P6 {NAMES[move.square]}"


def parse_move(line: str) -> DuelMove:
    """The move that ``line`` writes."""
    said = line.strip()
    found = re.fullmatch(r"(?:([12]):\s*)?(P3 +take|take|castle|draw|P[1-6])(?: +(\S.*))?", said, re.ASCII)
    if not found:
        raise BadNotation(f"{said!r} is no move of Kingdomino Duel: {_MOVE_EXAMPLE}.")
    player = int(found[1]) if found[1] else None
    try:
        return _read(player, " ".join(found[2].split()), found[3] or "")
    except ValueError as wrong:
        raise BadNotation(f"{said!r} is no move of Kingdomino Duel: {wrong}.") from None


def _read(player: int | None, verb: str, rest: str) -> DuelMove:
    if verb in ("take", "P3 take"):
        return Take(player, _dice(rest), at_once=verb != "take")
    if verb in ("P1", "P2"):
        if rest:
            raise ValueError(f"nothing follows {verb}, as in '1: {verb}'")
        return Declare(player, int(verb[1]))
    if verb == "P4":
        die, sign, shown = rest.partition("=")
        if not sign:
            raise ValueError("P4 takes a die and a face, as in '1: P4 2=s'")
        return Turn(player, _die(die), face(shown))
    if verb == "castle":
        return Castle(player, _die(rest))
    if verb == "draw":
        return Draw(player, () if rest == "nothing" else _marks(rest))
    if verb == "P5":
        return Name(player, coat(rest))
    if verb == "P6":
        return Cross(player, square_named(rest))
    raise ValueError("P3 takes two dice, as in '1: P3 take 1+3'")


def _dice(rest: str) -> tuple[DieRef, ...]:
    dice = tuple(_die(part) for part in rest.split("+"))
    if len(dice) > 2:
        raise ValueError(f"one or two dice are taken, as in 'take 1+4', not {len(dice)}")
    return dice


def _die(written: str) -> DieRef:
    if written in ("1", "2", "3", "4"):
        return int(written)
    try:
        return face(written)
    except ValueError:
        raise ValueError(f"{written!r} is no die; a die is 1 to 4, or its face, as d, q2 or ?") from None


def _marks(rest: str) -> tuple[Mark, ...]:
    marks = []
    for part in rest.split():
        shown, sign, where = part.partition("@")
        if not sign:
            raise ValueError(f"{part!r} is no coat on a square, as d@r2c4, nor 'nothing'")
        drawn = face(shown)
        if drawn.coat == JOKER:
            raise ValueError(f"{part!r} should name the coat that is drawn for the question mark, as d@r2c4")
        marks.append(Mark(square_named(where), *drawn))
    if not marks:
        raise ValueError("draw takes coats on squares, as d@r2c4 s1@r2c5, or 'nothing'")
    return tuple(marks)


def format_fact(fact: DuelFact) -> str:
    """The fact in notation."""
    if isinstance(fact, Oldest):
        return f"see oldest {fact.player}"
    return "see roll " + " ".join(str(shown) for shown in fact.faces)


def parse_fact(line: str) -> DuelFact:
    """The fact that ``line`` writes."""
    said = line.strip()
    found = re.fullmatch(r"see (oldest|roll) +(\S.*)", said, re.ASCII)
    if not found:
        raise BadNotation(f"{said!r} is no fact of Kingdomino Duel: {_FACT_EXAMPLE}.")
    if found[1] == "oldest":
        if not re.fullmatch(r"[0-9]", found[2]):
            raise BadNotation(f"{said!r} is no fact of Kingdomino Duel: {_FACT_EXAMPLE}.")
        return Oldest(int(found[2]))
    try:
        return Roll(tuple(face(shown) for shown in found[2].split()))
    except ValueError as wrong:
        raise BadNotation(f"{said!r} is no fact of Kingdomino Duel: {wrong}.") from None
