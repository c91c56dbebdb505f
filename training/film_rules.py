"""What the rule book says of a film: which moves were all that was left, and what only tells its set-up.

A move that nobody sees and that is all that can be done next needs no waiting for: the chain records it at
once, while the script has it said later, or has ended before. And what a film begins with is set up on the
table when its first frame is taken, though a record tells it entry by entry.
"""

from collections.abc import Sequence
from itertools import islice
from typing import Any, TypeAlias

from engine import BadNotation, BadSetup, ImpossibleFact, State, rulebook
from engine.book import AnyRuleBook
from engine.history import History
from engine.matching.guide import guide_for

Line: TypeAlias = dict[str, Any]

_MOST, _FEW = 6, 8


def with_forced(
    truth: Sequence[Line], states: Sequence[Line], game: str, profile: str, before: int = 0
) -> list[Line]:
    """The truth with each move marked that was all that was left, and with what must follow others.

    Told is what follows where nobody came to say it: after a move that was taken back, and after the last
    line that can be seen. ``states`` are the script's by number, and ``before`` is the number of the one in
    which the clip begins.
    """
    book = rulebook(game, profile)
    known, marked = State.from_json(states[before]), []
    shown: tuple[Line, State] | None = None
    for line in truth:
        marked.append(told := {**line})
        if line["type"] == "move" and not line["visible"] and _forced(book, known):
            told["forced"] = True
        if line["type"] == "move" and line["legal"] and line.get("back"):
            told["leads"] = _leads(book, book.apply(known, book.parse(line["move"])))
        if line["type"] in ("move", "fact"):
            known = State.from_json(states[line["state"]])
            shown = (told, known) if line["visible"] else shown
    if shown is not None:
        shown[0].setdefault("leads", _leads(book, shown[1]))
    return marked


def _leads(book: AnyRuleBook, state: State) -> list[str]:
    """The moves that are all that can follow, in notation."""
    leads: list[str] = []
    while (text := _forced(book, state)) and len(leads) < _MOST:
        leads.append(text)
        state = book.apply(state, book.parse(text))
    return leads


def _forced(book: AnyRuleBook, state: State) -> str:
    """What must come next and nobody sees, in notation; empty where something else can be done."""
    move = guide_for(book).forced(state)
    return "" if move is None else book.format(move)


def opening_entries(told: Sequence[Line], setup: Line, game: str, profile: str) -> frozenset[int]:
    """The entries that tell the set-up in which a film begins, if all of them together tell just that.

    The last fact may be wanting: who begins is told with the first move.
    """
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
    more = history.book.possible_facts(history.state)
    ends = [history.state, *(history.book.observe(history.state, fact) for fact in islice(more, _FEW))]
    so = any(end.to_json() == setup for end in ends)
    return frozenset(line["entry"] for line in facts) if so else frozenset()
