"""A whole game by touch: moves, facts, pieces set by hand, and changes of what was said before.

The first tap of a change is its form, then comes the entry it is about; what happened there instead is tapped
on the table as it lay then.
"""

import importlib
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Final, cast

from engine.book import AnyRuleBook, State
from engine.history import History
from engine.touch import (
    FORM,
    Form,
    Tappable,
    Taps,
    Touch,
    Toucher,
    alone,
    name_of,
    tapped_words,
    touched,
)  # fmt: skip

AnyToucher = Toucher[State]


@lru_cache(maxsize=32)
def toucher_for(book: AnyRuleBook) -> AnyToucher:
    """How the game of this rule book is played by touch."""
    module = importlib.import_module(f"engine.{book.game.replace('-', '_')}.touching")
    return cast("AnyToucher", module.TOUCHER(book))


def touch(history: History, taps: Taps) -> Touch:
    """What becomes of these taps in a game as it stands."""
    toucher = toucher_for(history.book)
    if not taps or taps[0] not in _CHANGED:
        return touched(toucher, history.state, taps)
    form, parts = _CHANGED[taps[0]], taps[1:]
    if not form.needs_entry:
        return Touch(taps[:1], line=form.name)
    entry = _entry(history, parts)
    if entry is None:
        return Touch(taps[:1], _entries(history), prompt=form.told)
    if not form.needs_happening:
        return Touch(taps[:2], line=f"{form.name} {entry}")
    then = touched(toucher, state_before(history, entry), parts[1:])
    line = f"{form.name} {entry}: {then.line}" if then.line else ""
    return Touch((*taps[:2], *then.taps), then.next, line, then.prompt or form.told)


def words_of(history: History, taps: Taps) -> tuple[str, ...]:
    """What each of these taps is called, as it was offered."""
    toucher, state = toucher_for(history.book), table_of(history, taps)
    if not taps or taps[0] not in _CHANGED:
        return tapped_words(toucher, state, taps)
    entries = dict(_entries(history))
    change = (_CHANGED[taps[0]].told, *(entries.get(tap, tap) for tap in taps[1:2]))
    return (*change, *tapped_words(toucher, state, taps[2:]))


def table_of(history: History, taps: Taps) -> State:
    """The state that these taps are about: that of an entry, or how the game stands."""
    if taps and taps[0] in _CHANGED and _CHANGED[taps[0]].needs_happening:
        entry = _entry(history, taps[1:])
        if entry is not None:
            return state_before(history, entry)
    return history.state


def state_before(history: History, entry: int) -> State:
    """The state before the happening that stands in the place of this entry."""
    number = next(n for n, step in enumerate(history.steps) if entry in (step.entry, step.place))
    return history.steps[number - 1].state if number else history.first


def forms_of(book: AnyRuleBook) -> tuple[Form, ...]:
    """Every form of the notation of a game, changes of the record too."""
    return (*toucher_for(book).forms, *(change.as_form() for change in CHANGES))


class _Change:
    """A change of the record: whether it names an entry, and whether something happened there instead."""

    def __init__(self, name: str, told: str, example: str, parts: str = "") -> None:
        self.name, self.told, self.example, self.parts = name, told, example, parts
        self.needs_entry, self.needs_happening = "N" in parts, ":" in parts

    def as_form(self) -> Form:
        """The change among the forms of the notation; its parts are asked for by ``touch``."""
        nothing, write = alone(self.name)
        return Form(self.name, "change", self.told, self.name + self.parts, self.example, nothing, write)


CHANGES: Final = (
    _Change("undo", "The last entry is taken back", "undo"),
    _Change("redo", "What was taken back last holds again", "redo"),
    _Change("stand", "The refused move stands: both players let it", "stand"),
    _Change("take back", "An entry is taken back, what followed stays", "take back 3", " N"),
    _Change("back to", "All that was done after an entry is taken back", "back to 3", " N"),
    _Change("correct", "Something else happened there", "correct 3: ", " N: MOVE or FACT"),
    _Change("before", "Something was missed before an entry", "before 3: ", " N: MOVE or FACT"),
)
_CHANGED: Final[Mapping[str, _Change]] = {FORM + change.name: change for change in CHANGES}


def _entries(history: History) -> tuple[Tappable, ...]:
    """The entries that count, the last one first."""
    return tuple(
        Tappable(f"entry {step.place}", f"{step.place}: {step.happened.text}")
        for step in reversed(history.steps)
    )


def _entry(history: History, parts: Sequence[str]) -> int | None:
    """The entry that a tap names, if it is one that counts."""
    name = name_of(parts[0]) if parts else ""
    known = {str(step.place) for step in history.steps}
    return int(name) if name in known else None
