"""The matches that are kept on this machine: those to go on with, and those that are over.

What was agreed before a match is the first note of its journal, so that a restart finds all of it there. One
that nobody has left (``device/journal/leaving.py``) is gone on with by itself.
"""

import shutil
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Final

from device.folders import matches_folder
from device.journal.events import Draft, Event
from device.journal.game import game_in, note
from device.journal.journal_reader import NotCopiedError, read_chain
from device.journal.leaving import is_left, take_up
from device.journal.readable import files_of, match_of, readable_match, readable_matches
from device.journal.store import Journal, JournalError, is_being_written
from device.live.making import UNREADABLE
from device.service.box import By, Confirm, Seating
from device.service.kept_match import KeptMatch, Remembered, Stamp, pairs, recalled, remember
from engine import PipwatchError, rulebook
from engine.plain import JsonObject, get, items, text

_MOST: Final = 12
"""Matches that are shown at once; what lies further back comes page by page."""
_BREATH_S: Final = 0.02
"""Between two matches that are counted: whoever looks at the lobby meanwhile comes in between."""
_SEATED: Final = "seated"
_BYS: Final[tuple[By, ...]] = ("camera", "hand", "virtual")


def seated(seating: Seating) -> Draft:
    """The first note of a match: what was agreed before it."""
    return note(
        _SEATED, game=seating.game, profile=seating.profile, players=list(seating.players),
        confirm=seating.confirm, by=seating.by, camera=seating.camera, pieces=seating.pieces,
    )  # fmt: skip


def seating_in(events: Sequence[Event], confirm: Confirm = "auto") -> Seating | None:
    """What was agreed before a match.

    One that the box did not begin tells it by its game alone, and is confirmed as the settings say.
    """
    told = next((one.body for one in events if one.kind == "note" and one.body.get("what") == _SEATED), None)
    game = game_in(events)
    if told is not None:
        players = [text(name, "a player") for name in items(get(told, "players", "a match"), "the players")]
        by: By = next((one for one in _BYS if one == told.get("by")), "camera")
        confirm = "button" if told.get("confirm") == "button" else "auto"
        seat = Seating(
            text(get(told, "game", "a match"), "the game"), _two(players), confirm,
            by, text(told.get("profile", "default"), "the profile"),
            text(told.get("camera", ""), "the camera"), text(told.get("pieces", ""), "the pieces"),
        )  # fmt: skip
        return seat if game is None or game.header.game == seat.game else None
    if game is None:
        return None
    header = game.header
    return Seating(header.game, header.players, confirm, "camera", header.profile)


def _two(players: Sequence[str]) -> tuple[str, str]:
    first, second = (*players, "player 1", "player 2")[:2]
    return first, second


# — gone, or all of them —


def forget_unbegun(path: Path) -> None:
    """Take a match away of which nothing was ever seen or told."""
    with suppress(JournalError, OSError):
        with Journal(path) as journal:
            if any(event.kind != "note" for event in journal.events):
                return
        for name in (path.name, f"{path.name}-wal", f"{path.name}-shm", f".{path.name}.lock"):
            path.with_name(name).unlink(missing_ok=True)
        take_up(path)


def delete(path: Path) -> str:
    """Take a match away for good, with its pictures and all that updates kept of it; why not, if not."""
    files = [*files_of(path)]
    if any(map(is_being_written, files)):
        return "This match is being played."
    try:
        for one in files:
            for name in (one.name, f"{one.name}-wal", f"{one.name}-shm", f".{one.name}.lock"):
                one.with_name(name).unlink(missing_ok=True)
            shutil.rmtree(one.with_suffix(".errors"), ignore_errors=True)
    except OSError as wrong:
        return f"{path.name} cannot be deleted: {wrong.strerror}."
    take_up(path)
    return ""


@dataclass(frozen=True, slots=True)
class Page:
    """Some of the matches, the newest first."""

    kept: tuple[KeptMatch, ...]
    older: str = ""
    """After which name the next ones come; empty where there are none."""
    wrong: tuple[str, ...] = ()
    """Which of them cannot be read, and why."""

    def to_json(self) -> JsonObject:
        """What a page needs of it."""
        return {
            "matches": [one.to_json() for one in self.kept], "older": self.older, "wrong": [*self.wrong],
        }  # fmt: skip


@dataclass
class Shelf:
    """All matches that are kept. A match is read again only when its file has changed."""

    file: Path | None = None
    """Where it is remembered how those ended that are over."""
    free: Callable[[], bool] = field(default=lambda: True, repr=False)
    """Whether nobody plays: only then the older ones are counted."""
    _known: dict[Path, tuple[Stamp, KeptMatch | None]] = field(default_factory=dict)
    _turn: threading.Lock = field(default_factory=threading.Lock)
    _wrong: dict[Path, str] = field(default_factory=dict)
    _passing: set[Path] = field(default_factory=set)
    """Which of them could not be read just now."""
    _shown: tuple[Path, ...] = ()
    _remembered: Remembered | None = None
    _counting: threading.Thread | None = None
    _fresh: bool = False
    """Whether anything was read, or went, since it was remembered."""

    @property
    def problems(self) -> tuple[str, ...]:
        """Which of the last matches cannot be read, and why."""
        wrong = self._wrong.copy()
        return tuple(wrong[path] for path in self._shown if path in wrong)

    def look(self) -> tuple[KeptMatch, ...]:
        """The last matches, the newest first."""
        return self._first(list(readable_matches())).kept

    def page(self, after: str) -> Page | None:
        """The matches that come after one, the newest first; None where that one is not kept any more."""
        paths = list(readable_matches())
        stems = [path.stem for path in paths]
        if after and after not in stems:
            return None
        return self._page(paths, stems.index(after) + 1 if after else 0)

    def told(self) -> JsonObject:
        """The last matches, whether there are older ones, and who of all has won how often."""
        paths = list(readable_matches())
        first = self._first(paths)
        known = self._known.copy()
        seen = [one for path in paths if (one := known.get(path, ((), None))[1]) is not None]
        return {
            "matches": [one.to_json() for one in first.kept if not one.over],
            "results": [one.to_json() for one in first.kept if one.over],
            "older": first.older, "pairs": [one.to_json() for one in pairs(seen)],
            "counting": self._count(paths),
        }  # fmt: skip

    def going_on(self) -> KeptMatch | None:
        """The match that goes on by itself after a restart: the newest one that is neither over nor left.

        However many others are newer: after a power cut a clock may be wrong. Of those that nobody has left
        there is one as a rule, and some more where a terminal played them, which marks none.
        """
        for path in islice((one for one in readable_matches() if not is_left(one)), _MOST):
            with self._turn:
                kept = self._one(path)
            if kept is not None and not kept.over and not is_left(path):
                return kept
        return None

    # — how —

    def _first(self, paths: Sequence[Path]) -> Page:
        page = self._page(paths, 0)
        with self._turn:
            self._shown, there = tuple(paths[:_MOST]), set(paths)
            kept = {path: told for path, told in self._known.items() if path in there}
            self._fresh |= len(kept) < len(self._known)
            self._known = kept
            # A match that was taken away while it was read is no match that cannot be read.
            self._wrong = {path: said for path, said in self._wrong.items() if path.exists()}
            self._remember()
        return page

    def _page(self, paths: Sequence[Path], begin: int) -> Page:
        some = paths[begin : begin + _MOST]
        with self._turn:
            found = [self._one(path) for path in some]
            wrong = tuple(self._wrong[path] for path in some if path in self._wrong)
        more = begin + _MOST < len(paths)
        return Page(tuple(one for one in found if one is not None), some[-1].stem if more else "", wrong)

    def _count(self, paths: Sequence[Path]) -> bool:
        """Whether some of them were not looked at yet: that is done aside, one after the other."""
        if not any(map(self._is_news, paths)):
            return False
        if self.free() and (self._counting is None or not self._counting.is_alive()):
            self._counting = threading.Thread(target=self._counted, args=(paths,), name="shelf", daemon=True)
            self._counting.start()
        return True

    def _counted(self, paths: Sequence[Path]) -> None:
        for path in paths:
            if not self.free():
                return
            if self._is_news(path):
                with self._turn:
                    self._one(path)
                time.sleep(_BREATH_S)
        with self._turn:
            self._remember()

    def _is_news(self, path: Path) -> bool:
        known = self._known.get(path)
        try:
            return known is None or known[0] != _stamp(path)
        except OSError:
            return False  # it is being taken away

    def _one(self, path: Path) -> KeptMatch | None:
        if self._remembered is None:
            self._recall()
        try:
            stamp = _stamp(path)
        except OSError:
            self._known[path] = (), None
            return None
        if path not in self._known or self._known[path][0] != stamp:
            # A name that nobody could ask for is none.
            self._fresh = True
            self._known[path] = stamp, None if readable_match(path.stem) is None else self._read(path)
            if path in self._passing:
                self._known[path] = (), None  # what could not be read now may be read at the next look
        return self._known[path][1]

    def _read(self, path: Path) -> KeptMatch | None:
        self._wrong.pop(path, None)
        self._passing.discard(path)
        try:
            return kept_at(path)
        except NotCopiedError as wrong:
            self._passing.add(path)
            self._wrong[path] = str(wrong)
            return None
        except (JournalError, PipwatchError, *UNREADABLE) as wrong:
            said = str(wrong).removeprefix(path.name).lstrip(": ").rstrip(".")
            self._wrong[path] = f"{path.name}: {said}; it is left as it is."
            return None

    def _recall(self) -> None:
        """What is known from before the start of the box."""
        self._remembered = {} if self.file is None else recalled(self.file)
        folder = matches_folder()
        self._known |= {folder / name: told for name, told in self._remembered.items()}

    def _remember(self) -> None:
        """Those that are over, if that is news: one that goes on changes with every move."""
        if self.file is None or not self._fresh:
            return
        self._fresh = False
        over = {
            str(path.relative_to(match_of(path).parent)): (stamp, kept)
            for path, (stamp, kept) in self._known.items()
            if kept is not None and kept.over
        }
        if over != self._remembered:
            self._remembered = over
            remember(self.file, over)


def kept_at(path: Path) -> KeptMatch | None:
    """The match of a journal, or None where nobody ever sat down to it."""
    events = read_chain(path).events
    seating, game = seating_in(events), game_in(events)
    if seating is None:
        return None
    told = KeptMatch(path.stem, seating, rulebook(seating.game).title, at=events[-1].at)
    if game is None:
        return told
    outcome = game.outcome
    winner = (outcome.winner or 0) if outcome is not None else 0
    return KeptMatch(
        told.name, seating, told.title, len(game.entries), tuple(game.scores.totals), winner,
        outcome is not None, told.at,
    )  # fmt: skip


def _stamp(path: Path) -> Stamp:
    """What changes when a match does: its file, or what was appended and is not folded into it yet."""
    here = path.stat()
    with suppress(OSError):
        there = Path(f"{path}-wal").stat()
        return here.st_mtime_ns, here.st_size, there.st_mtime_ns, there.st_size
    return here.st_mtime_ns, here.st_size
