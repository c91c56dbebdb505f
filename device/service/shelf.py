"""The matches that are kept on this machine: those to go on with, and those that are over.

What was agreed before a match is the first note of its journal, so that a restart finds all of it there. That
somebody has left a match is a mark beside it, an empty file: nothing of it can be torn by a power cut, and a
match without one is gone on with by itself.
"""

import shutil
import threading
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from device.journal.events import Draft, Event
from device.journal.game import game_in, note
from device.journal.readable import files_of, match_of, readable_match, readable_matches
from device.journal.reading import read_chain
from device.journal.store import Journal, JournalError, is_being_written
from device.live.making import UNREADABLE
from device.service.box import By, Confirm, Seating
from engine import PipwatchError, rulebook
from engine.plain import JsonObject, get, items, text

_MOST: Final = 12
"""Matches that are shown: what lies further back is found by `pipwatch export`."""
_SEATED: Final = "seated"
_BYS: Final[tuple[By, ...]] = ("camera", "hand", "virtual")


@dataclass(frozen=True, slots=True)
class Kept:
    """A match that is kept, as the lobby shows it."""

    name: str
    seating: Seating
    title: str = ""
    entries: int = 0
    scores: tuple[int, ...] = ()
    winner: int = 0
    """1 or 2, or 0 for a draw; of a match that is over."""
    over: bool = False
    at: float = 0.0
    """The wall clock of its last event, for people only."""

    def to_json(self) -> JsonObject:
        """What a page needs of it."""
        seating = self.seating
        return {
            "name": self.name, "game": seating.game, "title": self.title, "players": list(seating.players),
            "confirm": seating.confirm, "by": seating.by, "camera": seating.camera,
            "pieces": seating.pieces, "entries": self.entries,
            "scores": list(self.scores), "winner": self.winner, "over": self.over, "at": self.at,
        }  # fmt: skip


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


# — left, or to be gone on with —


def _mark(path: Path) -> Path:
    match = match_of(path)
    return match.with_name(f".{match.name}.left")


def leave(path: Path) -> None:
    """Somebody has left this match: it waits until somebody wants it again."""
    with suppress(
        OSError
    ):  # a disk that cannot be written: then it goes on after a restart, and is left again
        _mark(path).touch(mode=0o600)


def take_up(path: Path) -> None:
    """Somebody goes on with this match."""
    with suppress(OSError):
        _mark(path).unlink(missing_ok=True)


def is_left(path: Path) -> bool:
    """Whether somebody has left this match."""
    return _mark(path).exists()


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


@dataclass
class Shelf:
    """All matches that are kept. A match is read again only when its file has changed."""

    _known: dict[Path, tuple[tuple[int, ...], Kept | None]] = field(default_factory=dict)
    _turn: threading.Lock = field(default_factory=threading.Lock)
    _wrong: dict[Path, str] = field(default_factory=dict)

    @property
    def problems(self) -> tuple[str, ...]:
        """Which matches cannot be read, and why."""
        return tuple(self._wrong.copy().values())

    def look(self) -> tuple[Kept, ...]:
        """The last matches, the newest first."""
        with self._turn:
            found = [(path, self._one(path)) for path in list(readable_matches())[:_MOST]]
            self._known = {path: self._known[path] for path, _ in found if path in self._known}
            # A match that was taken away while it was read is no match that cannot be read.
            there = {path for path in self._wrong if path in self._known and path.exists()}
            self._wrong = {path: said for path, said in self._wrong.items() if path in there}
            return tuple(kept for _, kept in found if kept is not None)

    def going_on(self) -> Kept | None:
        """The match that goes on by itself after a restart: the newest one that is neither over nor left."""
        return next((one for one in self.look() if not one.over and not is_left(_path(one))), None)

    def _one(self, path: Path) -> Kept | None:
        try:
            stamp = _stamp(path)
        except OSError:
            return None
        if readable_match(path.stem) is None:
            return None  # a name that nobody could ask for
        if path not in self._known or self._known[path][0] != stamp:
            self._known[path] = (stamp, self._read(path))
        return self._known[path][1]

    def _read(self, path: Path) -> Kept | None:
        self._wrong.pop(path, None)
        try:
            return kept_at(path)
        except (JournalError, PipwatchError, *UNREADABLE) as wrong:
            said = str(wrong).removeprefix(path.name).lstrip(": ").rstrip(".")
            self._wrong[path] = f"{path.name}: {said}; it is left as it is."
            return None


def kept_at(path: Path) -> Kept | None:
    """The match of a journal, or None where nobody ever sat down to it."""
    events = read_chain(path).events
    seating, game = seating_in(events), game_in(events)
    if seating is None:
        return None
    told = Kept(path.stem, seating, rulebook(seating.game).title, at=events[-1].at)
    if game is None:
        return told
    outcome = game.outcome
    winner = (outcome.winner or 0) if outcome is not None else 0
    return Kept(
        told.name, seating, told.title, len(game.entries), tuple(game.scores.totals), winner,
        outcome is not None, told.at,
    )  # fmt: skip


def _path(kept: Kept) -> Path:
    path = readable_match(kept.name)
    assert path is not None  # it was just read there
    return path


def _stamp(path: Path) -> tuple[int, ...]:
    """What changes when a match does: its file, or what was appended and is not folded into it yet."""
    here = path.stat()
    with suppress(OSError):
        there = Path(f"{path}-wal").stat()
        return here.st_mtime_ns, here.st_size, there.st_mtime_ns, there.st_size
    return here.st_mtime_ns, here.st_size
