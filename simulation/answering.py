"""Which answer to a referee's question is true, for people who know what they did."""

import re
from collections.abc import Callable, Sequence

_DULL = ("done", "end", "none", "idle", "pass")
"""Moves by which a turn ends."""
_UNDONE, _NOTHING = "taken back", "nothing"
"""What an answer says by which a move never counts, and one by which nobody did anything."""
_DIE = re.compile(r"^(\d: )(suns|moons|crowns|arms) ")


def answer(choices: Sequence[str], done: Sequence[str], *, told: bool) -> int | None:
    """The number of the answer that says what was ``done``, or None where none does.

    Where nothing was done, ``told`` says whether the record tells of something all the same.
    """
    if not done:
        said = _UNDONE if told else _NOTHING
        return next((k for k, words in enumerate(choices) if said in words.lower()), None)
    exact = _named(choices, done, lambda step: step)
    return _named(choices, done, _without_die) if exact is None else exact


def _named(choices: Sequence[str], done: Sequence[str], plain: Callable[[str], str]) -> int | None:
    """The answer that tells these steps, or the last of them, in plain words."""
    wanted = [plain(step) for step in done]
    told = [[plain(step) for step in re.split(r"; |, then ", words)] for words in choices]
    for k in range(len(wanted)):
        due = wanted[k:]
        for number, steps in enumerate(told):
            # What follows by the rules alone may be told with it; anything else is not what was done.
            if steps[: len(due)] == due and all(is_dull(step) for step in steps[len(due) :]):
                return number
    return next((n for n, steps in enumerate(told) if steps[-len(wanted) :] == wanted), None)


def is_dull(step: str) -> bool:
    """Whether this is only the end of a turn, which nobody sees."""
    return step.split(" ")[-1] in _DULL


def _without_die(step: str) -> str:
    """A step of Dominoids but for the die that was used: of two that show the same nobody knows which."""
    return _DIE.sub(r"\1", step)
