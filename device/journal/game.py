"""The game that a journal holds, in the form of a record, and the drafts that a changed history makes."""

from collections.abc import Sequence
from pathlib import Path

from device.journal.events import Chain, Draft, Event, Picture
from device.journal.journal_reader import read_chain
from device.journal.store import JournalError
from engine import record
from engine.history import History
from engine.plain import Json
from engine.record import Record


def began(history: History, pictures: Sequence[Picture] = ()) -> tuple[Draft, ...]:
    """The events with which a game begins: its header, and what is known of it already."""
    known = (Draft("entry", entry.to_json()) for entry in history.entries)
    return (Draft("begin", history.header.to_json(), tuple(pictures)), *known)


def added(before: History, after: History, pictures: Sequence[Picture] = ()) -> tuple[Draft, ...]:
    """The events that lead from one history to a later one of its game; the pictures go with the first."""
    fresh = after.entries[len(before.entries) :]
    return tuple(
        Draft("entry", entry.to_json(), tuple(pictures) if entry is fresh[0] else ()) for entry in fresh
    )


def note(what: str, pictures: Sequence[Picture] = (), **more: Json) -> Draft:
    """An event that belongs to the match and not to the game's record."""
    return Draft("note", {"what": what, **more}, tuple(pictures))


def last_game(events: Sequence[Event]) -> tuple[Event, ...]:
    """The events of the last game: a match that is taken up anew from the table begins another one."""
    begins = [index for index, event in enumerate(events) if event.kind == "begin"]
    return tuple(events[begins[-1] :]) if begins else ()


def record_in(chain: Chain, name: str) -> Record:
    """The record of the last game in a journal."""
    told_events = last_game(chain.events)
    if not told_events:
        raise JournalError(f"{name} holds no game: it ended before the set-up was seen.")
    parts = [event.body for event in told_events if event.kind != "note"]
    # By the record's own reader, so that a journal can say nothing that a record could not.
    told = record.read("".join(record.line(part) + "\n" for part in parts))
    return Record(told.header, told.entries, chain.damage or told.damage)


def read_record(path: Path) -> Record:
    """The record of the last game in the journal at ``path``."""
    return record_in(read_chain(path), path.name)


def game_in(events: Sequence[Event]) -> History | None:
    """The last game among these events, judged anew; None where none has begun yet."""
    return History.of(record_in(Chain(tuple(events)), "the journal")) if last_game(events) else None


def entry_events(events: Sequence[Event]) -> dict[int, Event]:
    """Entry number → event, of the last game."""
    numbered: dict[int, Event] = {}
    for event in last_game(events):
        if event.kind == "entry" and isinstance(number := event.body.get("n"), int):
            numbered[number] = event
    return numbered
