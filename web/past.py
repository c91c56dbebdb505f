"""A match as it was: the table after each entry, its ruling, and what a correction has changed.

The record is read and judged anew only when its file has changed, and held for whoever steps through it.
"""

import threading
import time
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

from device.journal.game import game_in
from device.journal.journal_reader import read_chain
from device.journal.store import JournalError
from device.match.board_marks import detail, marks, told_layout
from device.match.expected import awaited
from device.match.match_view import row_json
from engine import PipwatchError
from engine.history import History, Step
from engine.plain import Json, JsonObject
from engine.record import Record
from engine.scores import ScoreLine, Scores

FRESH_NS: Final = 200_000_000
"""A file that changed so shortly ago may change again within one tick of its clock, and nobody sees it."""


@dataclass
class PastMatch:
    """The record of one match, for any thread."""

    journal: Path
    _stamp: tuple[int, ...] = ()
    _game: History | None = field(default=None, repr=False)
    _turn: threading.Lock = field(default_factory=threading.Lock, repr=False)

    def at(self, entry: int) -> JsonObject | None:
        """The match after an entry, or None where there is none."""
        game = self.game()
        if game is None or not 1 <= entry <= len(game.entries):
            return None
        number = next((k for k, one in enumerate(game.steps) if one.place == entry), None)
        told: JsonObject = {"entry": entry, "of": len(game.entries), **_corrected(game, entry)}
        if number is None:
            return told
        step, then = game.steps[number], replace(game, steps=game.steps[: number + 1])
        return {
            **told, "step": row_json(step), "layout": told_layout(game.book.layout(step.state)),
            "detail": detail(step.state), "marks": marks(then, refused_lies=True),
            "game": game.header.game, "players": list(game.header.players),
            "movers": list(awaited(then)), "scores": step.scores.to_json(),
        }  # fmt: skip

    def game(self) -> History | None:
        """The game as it stands, or None where it cannot be read."""
        with self._turn, suppress(OSError, JournalError, PipwatchError):
            stamp = _stamp(self.journal)
            if stamp != self._stamp:
                self._game = game_in(read_chain(self.journal).events)
                self._stamp = () if 0 <= time.time_ns() - max(stamp[::2], default=0) < FRESH_NS else stamp
            return self._game
        return None


def _corrected(game: History, entry: int) -> JsonObject:
    """What an entry changed when it was made that speaks of another one, or of the table as it lies.

    Rulings and words that differ are told by their places; a score by its totals and by the lines that make
    it up, those that went and those that came. What was taken back at once, as by going back to an entry, is
    told together: ``first`` is the first of these entries.
    """
    told = game.entries[entry - 1]
    if told.target is None and (told.happened is None or told.happened.kind != "set"):
        return {"first": entry, "changes": [], "totals": [], "lines": []}
    first = _first_of(game, entry)
    before, after = (History.of(Record(game.header, game.entries[:n])) for n in (first - 1, entry))
    return {
        "first": first,
        "changes": [
            {"entry": one.entry, "was": was, "now": now}
            for one in after.changes_since(before)
            if (was := _ruled(before, one.entry)) != (now := _ruled(after, one.entry))
        ],
        "totals": [list(before.scores.totals), list(after.scores.totals)],
        "lines": [
            *({**line, "now": False} for line in _more(before.scores, after.scores)),
            *({**line, "now": True} for line in _more(after.scores, before.scores)),
        ],
    }


def _first_of(game: History, entry: int) -> int:
    """The first of the entries made with this one: all of a way back, or a move with what it revealed."""
    why = game.entries[entry - 1].why
    while entry > 1 and why and game.entries[entry - 2].why == why:
        about = game.entries[entry - 2].correct
        happened = None if about is None else game.entries[about - 1].happened
        if not why.startswith("back to") and (why != "undo" or happened is None or happened.kind != "fact"):
            break
        entry -= 1
    return entry


def _ruled(game: History, place: int) -> JsonObject | None:
    """What stands in a place of the record and how it is ruled, or nothing."""
    step = next((one for one in game.steps if one.place == place), None)
    return None if step is None else {"text": step.happened.text, **_verdict(step)}


def _verdict(step: Step) -> JsonObject:
    if step.ruling is None:
        return {"status": "impossible" if step.problem else "", "rule": "", "stands": False}
    return {"status": str(step.ruling.status), "rule": step.ruling.rule, "stands": step.stands}


def _more(scores: Scores, other: Scores) -> list[JsonObject]:
    """The lines that others lack."""
    left: Counter[ScoreLine] = Counter(scores.lines)
    left.subtract(other.lines)
    return [_line(line) for line, many in left.items() for _ in range(many)]


def _line(line: ScoreLine) -> dict[str, Json]:
    return {"player": line.player, "label": line.label, "points": line.points}


def _stamp(path: Path) -> tuple[int, ...]:
    """What changes when a journal does: its file, or what was appended and is not folded into it yet."""
    found: list[int] = []
    for one in (path, path.with_name(f"{path.name}-wal")):
        with suppress(OSError):
            told = one.stat()
            found += [told.st_mtime_ns, told.st_size]
    return tuple(found)
