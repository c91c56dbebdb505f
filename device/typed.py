"""What people type to change a game: moves and facts in notation, corrections, undo."""

import re

from engine import BadNotation
from engine.history import History
from engine.record import Happening


def after(history: History, line: str) -> History:
    """The history after one typed line; raises BadNotation, ImpossibleFact or CannotStand in a sentence."""
    if not is_text(line):
        raise BadNotation("this is not text in UTF-8.")
    word, _, rest = line.partition(" ")
    if word == "stand":
        return history.stand(rest.strip())
    if line == "undo":
        return history.undo()
    if taken := re.fullmatch(r"take back (\d{1,9})", line):
        return history.correct(int(taken[1]), None)
    if changed := re.fullmatch(r"(correct|before) (\d{1,9}): *(.+)", line):
        text = changed[3].strip()
        happened = Happening("fact" if text.startswith("see ") else "move", text)
        number = int(changed[2])
        if changed[1] == "correct":
            return history.correct(number, happened)
        return history.insert(number, happened)
    return history.fact(line) if word == "see" else history.move(line)


def is_text(typed: str) -> bool:
    """Whether this can be written to a record: bytes that were not UTF-8 come in as lone surrogates."""
    return not any("\ud800" <= letter <= "\udfff" for letter in typed)
