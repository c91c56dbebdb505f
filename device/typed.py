"""What people type to change a game: moves and facts in notation, corrections, undo, a piece set by hand."""

import re
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace

from engine import BadNotation, ImpossibleFact
from engine.history import History
from engine.matching import Follower, Revision, set_by_hand
from engine.matching.guide import guide_for
from engine.record import Happening


def after(history: History, line: str) -> History:
    """The history after one typed line; raises BadNotation, ImpossibleFact or CannotStand in a sentence."""
    if not is_text(line):
        raise BadNotation("this is not text in UTF-8.")
    word, _, rest = line.partition(" ")
    if word == "stand":
        return history.stand(rest.strip())
    if word == "put":
        return set_by_hand(history, line)
    if line == "undo":
        return history.undo()
    if line == "redo":
        return _redone(history)
    if taken := re.fullmatch(r"take back (\d{1,9})", line):
        return history.correct(int(taken[1]), None)
    if back := re.fullmatch(r"back to (\d{1,9})", line):
        return _back_to(history, int(back[1]))
    if changed := re.fullmatch(r"(correct|before) (\d{1,9}): *(.+)", line):
        text = changed[3].strip()
        happened = Happening("fact" if text.startswith("see ") else "move", text)
        number = int(changed[2])
        if changed[1] == "correct":
            return history.correct(number, happened)
        return history.insert(number, happened)
    return _told(history, line)


def _told(history: History, line: str) -> History:
    """A move or a fact. Where a step forbids it that looked the same as another, it was the other.

    Nobody sees which of two like dice was taken, or used: who names the other one later is right.
    """
    try:
        told = _added(history, line)
    except ImpossibleFact:
        told = None
    if told is not None and _is_allowed(told):
        return told
    others: list[History] = []
    for past in Follower.of(history).pasts():
        if _look_alike(history, past.revised):
            with suppress(ImpossibleFact, BadNotation):
                others.append(_added(_revised(history, past.revised), line))
    fitting = [other for other in others if _is_allowed(other)]
    if fitting and all(other.state == fitting[0].state for other in fitting):
        return fitting[0]
    return _added(history, line) if told is None else told


def _look_alike(history: History, revised: Sequence[Revision]) -> bool:
    """Whether the first of these steps was seen in that doubt, and the others only rename what was done."""
    guide, book = guide_for(history.book), history.book
    steps = [(history.steps[-one.steps].happened, one.text) for one in revised]
    first, text = steps[0]
    return text in first.alike and all(
        told.kind == "fact" or guide.gist(book.parse(other)) == guide.gist(book.parse(told.text))
        for told, other in steps[1:]
    )


def _added(history: History, line: str) -> History:
    return history.fact(line) if line.startswith("see ") else history.move(line)


def _is_allowed(history: History) -> bool:
    """Whether the last step is no refused move."""
    ruling = history.steps[-1].ruling
    return ruling is None or ruling.allowed


def _revised(history: History, revised: Sequence[Revision]) -> History:
    """The history with these steps as they must have been."""
    for step, one in [(history.steps[-one.steps], one) for one in revised]:
        happened = replace(step.happened, text=one.text, alike=one.alike)
        history = history.correct(step.place, happened, "told by what followed")
    return history


def _redone(history: History) -> History:
    """What was undone last counts again: a move, with what it revealed."""
    moves = moves_in(history)
    history = history.redo()
    while moves_in(history) == moves and history.undone is not None:
        history = history.redo()
    return history


def moves_in(history: History) -> int:
    """How many moves of a game count, and how many of them stand although they were refused."""
    return sum((step.happened.kind != "fact") + step.stands for step in history.steps)


def _back_to(history: History, entry: int) -> History:
    """All that was done after an entry is taken back, the last of it first; after 0, everything is."""
    steps = [number for number, step in enumerate(history.steps, 1) if entry in (step.entry, step.place)]
    if entry and not steps:
        raise BadNotation(f"Entry {entry} is none that counts: there is no way back to it.")
    later = history.steps[steps[-1] if steps else 0 :]
    if not later:
        raise BadNotation(f"Nothing was done after entry {entry}.")
    for step in reversed(later):
        history = history.correct(step.place, None, f"back to entry {entry}")
    return history


def is_text(typed: str) -> bool:
    """Whether this can be written to a record: bytes that were not UTF-8 come in as lone surrogates."""
    return not any("\ud800" <= letter <= "\udfff" for letter in typed)
