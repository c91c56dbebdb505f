"""What was put right in a game, in sentences: corrections where they were made, and what undo would do."""

from collections.abc import Iterator

from engine.history import History
from engine.plain import JsonObject
from engine.record import Entry


def mends(game: History, counted: int) -> Iterator[JsonObject]:
    """Each entry that speaks of another one: its number, whose it speaks of, and what it says.

    The first so many entries are ``counted``; what comes after them waits to be confirmed.
    """
    for entry in game.entries:
        words = _said(game, entry)
        if words:
            why = "" if entry.why in ("undo", "redo") or entry.why.startswith("back to") else entry.why
            yield {
                "entry": entry.n,
                "about": entry.target,
                "words": words,
                "why": why,
                "counts": entry.n <= counted,
            }


def _said(game: History, entry: Entry) -> str:
    if entry.stand is not None:
        return f"Entry {entry.stand} stands: both let it."
    if entry.correct is None:
        return ""
    if entry.happened is not None:
        return f"Entry {entry.correct} was corrected: {entry.happened.text}"
    about = game.entries[entry.correct - 1]
    if about.correct is not None and about.happened is None:
        return f"Entry {about.correct} counts again."
    return f"Entry {entry.correct} was taken back."


def undoes(game: History) -> str:
    """What undo would take back, or nothing: the last move with what it revealed, or the last word."""
    taken: list[Entry] = []
    for entry in reversed(game.counting):
        taken.append(entry)
        if entry.happened is None or entry.target is not None or entry.happened.kind != "fact":
            break
    else:
        taken = taken[:1]  # no move was made yet: one fact at a time
    return _of(taken[-1]) if taken else ""


def redoes(game: History) -> str:
    """What redo would have count again, or nothing."""
    undone = game.undone
    return "" if undone is None or undone.correct is None else _of(game.entries[undone.correct - 1])


def _of(entry: Entry) -> str:
    """An entry in a few words."""
    if entry.stand is not None:
        return f"entry {entry.stand} stands"
    if entry.happened is not None:
        return f"{entry.n}, {entry.happened.text}"
    return f"entry {entry.n}"
