"""Moves of the Duel told by what its dice show: nobody can see which of four dice is the first.

A script numbers the dice as it rolled them, a record as they were read. Both are rewritten: whoever took
the same dice, or gave the castle's cross to the same die, made the same move.
"""

import re
from collections.abc import Iterable, Sequence
from typing import Any, TypeAlias

Line: TypeAlias = dict[str, Any]

_ROLL = "see roll "
_NUMBERED = re.compile(r"(?<=: take |castle )\d(?:\+\d)*")


def by_what_dice_show(lines: Iterable[Line], setup: Line) -> list[Line]:
    """The lines of a truth or of a record of the Duel, with the dice's faces for their numbers."""
    rolled = [str(die["rolled"]) for die in setup.get("dice") or ()]
    out = []
    for line in lines:
        rolled = _rolled(line) or rolled
        out.append({key: _rewritten(value, rolled) for key, value in line.items()})
    return out


def _rolled(line: Line) -> list[str]:
    """What the dice show from this line on, if it tells of a roll or corrects one."""
    fact = str(line.get("fact") or (line.get("with") or {}).get("fact") or "")
    return fact.removeprefix(_ROLL).split() if fact.startswith(_ROLL) else []


def _rewritten(value: Any, rolled: Sequence[str]) -> Any:
    """A text, or every text in what a line holds, with faces for numbers."""
    if isinstance(value, str):
        return _with_faces(value, rolled)
    if isinstance(value, list):
        return [_rewritten(one, rolled) for one in value]
    if isinstance(value, dict):
        return {key: _rewritten(one, rolled) for key, one in value.items()}
    return value


def _with_faces(text: str, rolled: Sequence[str]) -> str:
    if text.startswith(_ROLL):
        return _ROLL + " ".join(sorted(text.removeprefix(_ROLL).split()))
    found = _NUMBERED.search(text)
    numbers = [int(number) for number in found[0].split("+")] if found else []
    if not found or not all(1 <= number <= len(rolled) for number in numbers):
        return text
    return text[: found.start()] + "+".join(sorted(rolled[n - 1] for n in numbers)) + text[found.end() :]
