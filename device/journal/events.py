"""Events of a journal, and the chain that proves them."""

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Literal

from engine.plain import Json, JsonObject

Role = Literal["before", "after", "frame"]
"""What a picture shows: the place of the move before and after it, or the whole frame that was read."""


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture that belongs to an event, as JPEG."""

    role: Role
    jpeg: bytes = field(repr=False)

    @property
    def digest(self) -> str:
        """What the event's chain says of this picture."""
        return hashlib.sha256(self.jpeg).hexdigest()


@dataclass(frozen=True, slots=True)
class Draft:
    """An event that is still to be written.

    The kinds: ``begin`` (the header of the game's record; a match that is taken up anew from the table
    begins again), ``entry`` (an entry of the record), ``note`` (anything else that should be remembered).
    """

    kind: Literal["begin", "entry", "note"]
    body: JsonObject = field(hash=False)
    pictures: tuple[Picture, ...] = ()


@dataclass(frozen=True, slots=True)
class Event:
    """An event that is on the disk."""

    seq: int
    kind: str
    at: float
    """The wall clock when it was written, in seconds; for people only, since clocks are set and go wrong."""
    body: JsonObject = field(hash=False)
    pictures: Mapping[str, str] = field(hash=False)
    """Role → digest."""
    hash: str
    """Over this event and the hash of the one before."""


def chained(before: str, seq: int, kind: str, at: float, content: str) -> str:
    """The hash of an event that follows one whose hash is ``before``; ``content`` is its exact text."""
    head = json.dumps([before, seq, kind, at], separators=(",", ":"))
    return hashlib.sha256(f"{head}\n{content}".encode()).hexdigest()


def content_of(body: Mapping[str, Json], pictures: Iterable[Picture]) -> str:
    """The text that is stored and hashed: what happened, and the digests of its pictures."""
    return json.dumps(
        {"body": body, "pictures": {picture.role: picture.digest for picture in pictures}},
        ensure_ascii=False,
        separators=(",", ":"),
    )


Row = tuple[int, str, float, str, str]
"""An event as stored: number, kind, time, content, hash."""


@dataclass(frozen=True, slots=True)
class Chain:
    """The events up to the first that cannot be right; ``damage`` is the sentence about the rest, if any."""

    events: tuple[Event, ...]
    damage: str = ""

    @property
    def head(self) -> str:
        """The hash that the next event is chained to."""
        return self.events[-1].hash if self.events else ""


def proved(rows: Iterable[Row]) -> Chain:
    """The chain that these rows make."""
    events: list[Event] = []
    found = iter(rows)
    for row in found:
        event = _proved(row, events)
        if event is None:
            lost = 1 + sum(1 for _ in found)
            return Chain(tuple(events), f"Event {len(events) + 1} was changed or damaged: {lost} are lost.")
        events.append(event)
    return Chain(tuple(events))


def _proved(row: Row, before: list[Event]) -> Event | None:
    seq, kind, at, content, stated = row
    head = before[-1].hash if before else ""
    try:
        if seq != len(before) + 1 or stated != chained(head, seq, kind, at, content):
            return None
        data = json.loads(content)
        return Event(seq, kind, at, data["body"], data["pictures"], stated)
    except (TypeError, ValueError, KeyError):  # a column that holds something else altogether
        return None
