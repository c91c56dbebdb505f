"""What the rule book says of a film: which moves were all that was left, and what only tells its set-up.

A move that nobody sees and that is all that can be done next needs no waiting for: the chain records it at
once, while the script has it said later, or has ended before. And what a film begins with is set up on the
table when its first frame is taken, though a record tells it entry by entry.
"""

from collections.abc import Sequence
from typing import Any, TypeAlias

from engine import BadNotation, BadSetup, ImpossibleFact, State, rulebook
from engine.book import AnyRuleBook
from engine.history import History
from engine.matching.guide import guide_for

Line: TypeAlias = dict[str, Any]

_MOST = 6


def with_forced(
    truth: Sequence[Line], states: Sequence[Line], game: str, profile: str, before: int = 0
) -> list[Line]:
    """The truth with each move marked that was all that was left, and with those that its end leaves.

    ``states`` are the script's by number, and ``before`` is the number of the one in which the clip begins.
    """
    book = rulebook(game, profile)
    known, marked = before, []
    for line in truth:
        if line["type"] == "move" and not line["visible"] and _forced(book, State.from_json(states[known])):
            line = {**line, "forced": True}
        marked.append(line)
        known = line.get("state", known)
    end = max(line.get("last", 0) for line in truth)
    return [*marked, *_left(book, State.from_json(states[known]), end)]


def _left(book: AnyRuleBook, state: State, frame: int) -> list[Line]:
    """The moves that are all that can follow."""
    left: list[Line] = []
    while (text := _forced(book, state)) and len(left) < _MOST:
        move = book.parse(text)
        ruling, state = book.judge(state, move), book.apply(state, move)
        left.append(
            {"type": "move", "move": text, "player": move.player, "first": frame, "last": frame,
             "legal": True, "status": str(ruling.status), "rule": ruling.rule, "stands": True,
             "visible": False, "forced": True}
        )  # fmt: skip
    return left


def _forced(book: AnyRuleBook, state: State) -> str:
    """What must come next and nobody sees, in notation; empty where something else can be done."""
    move = guide_for(book).forced(state)
    return "" if move is None else book.format(move)


def opening_entries(told: Sequence[Line], setup: Line, game: str, profile: str) -> frozenset[int]:
    """The entries that tell the set-up in which a film begins, if all of them together tell just that."""
    facts: list[Line] = []
    for line in told:
        if "move" in line and "entry" in line:
            break
        if "fact" in line and "entry" in line:
            facts.append(line)
    try:
        history = History.begin(game, profile)
        for line in facts:
            history = history.fact(line["fact"])
    except (BadNotation, BadSetup, ImpossibleFact):
        return frozenset()
    return frozenset(line["entry"] for line in facts) if history.state.to_json() == setup else frozenset()
