"""Moves and facts that may have happened, one after another, as plain values."""

from collections.abc import Hashable
from contextlib import suppress
from typing import NamedTuple

from engine.book import AnyRuleBook, Fact, Move, State
from engine.errors import ImpossibleFact
from engine.layout import Layout
from engine.matching.evidence import Places
from engine.matching.in_sight import look
from engine.matching.outcome import Revision
from engine.ruling import Ruling


def text_of(book: AnyRuleBook, did: Move | Fact) -> str:
    """A move or fact in notation."""
    return book.format(did) if isinstance(did, Move) else book.format_fact(did)


def parsed(book: AnyRuleBook, text: str) -> Move | Fact:
    """The same from notation; raises BadNotation."""
    return book.parse_fact(text) if text.startswith("see ") else book.parse(text)


def state_after(book: AnyRuleBook, state: State, did: Move | Fact) -> State | None:
    """The state after a move or fact; None where it cannot be, or is not allowed."""
    if isinstance(did, Move):
        return book.apply(state, did) if book.judge(state, did).allowed else None
    with suppress(ImpossibleFact):
        return book.observe(state, did)
    return None


class LineStep(NamedTuple):
    """One move or fact of a line, and the state after it."""

    did: Move | Fact
    ruling: Ruling | None
    state: State | None


class Origin(NamedTuple):
    """Where a line begins."""

    state: State
    revised: tuple[Revision, ...] = ()
    """What of the record must be corrected to begin there."""
    known: int = 0
    """How many steps of the line were seen before, in their order, when a question was asked about them."""


class Line(NamedTuple):
    """Moves and facts that may have happened, one after another."""

    origin: Origin

    state: State
    steps: tuple[LineStep, ...]
    prior: float
    plies: int
    worth: float
    """The log-likelihood of the scene after these steps, and of the steps themselves."""
    layout: Layout
    places: Places
    refused: bool = False
    silent: int = 0
    """How many of the steps go by in silence (``Guide.silent``)."""
    idle: bool = False
    """Whether the last step is one that nobody can see."""
    before: "Line | None" = None
    """Of a line that ends with a refused move, the line without it."""
    strange: bool = False
    """Whether another player's hand was seen than that of who must have made one of the moves."""

    @property
    def key(self) -> Hashable:
        """Lines with the same key lead on in the same way."""
        if not self.refused:
            return self.state
        before = self.before.state if self.before is not None and self.before.plies else None
        return look(self.layout), before
