"""A match as it was: the table after each entry, its ruling, and what a correction has changed.

The record is read and judged anew only when its file has changed, and held for whoever steps through it.
"""

import threading
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from device.journal.game import game_in
from device.journal.reading import read_chain
from device.journal.store import JournalError
from device.match.view import layout_json, row_json
from engine import PipwatchError
from engine.history import Change, History
from engine.plain import JsonObject
from engine.record import Record


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
        step = next((one for one in game.steps if one.place == entry), None)
        changes, totals = _changes(game, entry)
        told: JsonObject = {
            "entry": entry, "of": len(game.entries),
            "changes": [_plain(one) for one in changes], "totals": [list(one) for one in totals],
        }  # fmt: skip
        if step is None:
            return told
        return {
            **told, "step": row_json(step), "layout": layout_json(game.book.layout(step.state)),
            "game": game.header.game, "players": list(game.header.players),
            "movers": list(game.book.movers(step.state)), "scores": step.scores.to_json(),
        }  # fmt: skip

    def game(self) -> History | None:
        """The game as it stands, or None where it cannot be read."""
        with self._turn, suppress(OSError, JournalError, PipwatchError):
            stamp = _stamp(self.journal)
            if stamp != self._stamp:
                self._game, self._stamp = game_in(read_chain(self.journal).events), stamp
            return self._game
        return None


def _changes(game: History, entry: int) -> tuple[tuple[Change, ...], tuple[tuple[int, int], ...]]:
    """What an entry that speaks of another one has changed when it was made; the score before and after."""
    if game.entries[entry - 1].target is None:
        return (), ()
    before, after = (History.of(Record(game.header, game.entries[:n])) for n in (entry - 1, entry))
    return after.changes_since(before), (before.scores.totals, after.scores.totals)


def _plain(change: Change) -> JsonObject:
    return {"entry": change.entry, "was": change.was, "now": change.now}


def _stamp(path: Path) -> tuple[int, ...]:
    """What changes when a journal does: its file, or what was appended and is not folded into it yet."""
    found: list[int] = []
    for one in (path, path.with_name(f"{path.name}-wal")):
        with suppress(OSError):
            told = one.stat()
            found += [told.st_mtime_ns, told.st_size]
    return tuple(found)
