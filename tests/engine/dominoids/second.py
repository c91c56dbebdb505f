"""From the second generator's words to the rule book's and back: set-ups of positions, labels of moves."""

from collections.abc import Iterator
from typing import Any

from engine.dominoids import DominoidsBook
from engine.dominoids.model import (
    Agree,
    AnyFact,
    AnyMove,
    DominoidsState,
    MoveDominoid,
    laid_on,
)
from engine.dominoids.movement import manner
from engine.plain import JsonObject
from engine.profile import Profile

BOOK = DominoidsBook(Profile())
STAGES = {"reveal": "consequence"}


def setup(position: dict[str, Any]) -> JsonObject:
    """A position of the second generator as a set-up."""
    dominoes = {}
    for lying in position["dominoids"]:
        ends = sorted((pips, square) for square, pips in lying.items())
        dominoes[f"{ends[0][0]}-{ends[1][0]}"] = [square for _, square in ends]
    mover = position["mover"]
    slid = next((name for name, ends in dominoes.items() if mover and set(ends) == set(mover)), None)
    collected = [
        {suit: [value for one, value in held if one == suit] for suit, _ in held}
        for held in position["eaten"]
    ]
    phase = position["phase"]
    found: JsonObject = {
        "player": position["player"] + 1,
        "stage": STAGES.get(phase, phase),
        "dominoes": dominoes,
        "pawns": position["pawns"],
        "coins": [{"square": square, **coin} for square, coin in position["coins"].items()],
        "collected": collected,
        "dice": position["faces"],
        "new": position["new"],
        "chosen": position["chosen"],
        "used": [suit for suit in position["chosen"] if suit not in position["unused"]],
        "mover": slid if phase in STAGES or phase == "consequence" else None,
        "ended": "suits" if phase == "over" else None,
    }
    return found


def label(state: DominoidsState, move: AnyMove) -> str:
    """What the second generator calls this move."""
    text = BOOK.format(move).replace(": ", ":", 1)
    if isinstance(move, MoveDominoid):
        before = laid_on(move.to.number, state.dominoes[move.to.number])
        kind = {"slide": "slide", "turn": "rotate"}[manner(before, move.to).kind]
        return text.replace(f"move {move.to}", f"{kind} {before} to {move.to}")
    return text


def fact_label(fact: AnyFact) -> str:
    """What the second generator calls this fact."""
    return BOOK.format_fact(fact).removeprefix("see ")


def steps(state: DominoidsState) -> Iterator[tuple[str, DominoidsState]]:
    """Everything that may come next, with the second generator's labels; to agree is no step there."""
    if BOOK.pending(state):
        for fact in BOOK.possible_facts(state):
            yield fact_label(fact), BOOK.observe(state, fact)
    else:
        for move in BOOK.legal_moves(state):
            if not isinstance(move, Agree):
                yield label(state, move), BOOK.apply(state, move)
