"""A match's doubtful moments as test cases: what was seen, what was said, and what people said it was.

A case is made of each question that was asked and each entry that was corrected. In the archive every case
has a folder with its pictures, exactly as the journal keeps them, and a file ``case.json``:

    {"kind": "question", "choices": […], "answer": "1: …" | null, "state": {…}, "entries": 12}
    {"kind": "accusation", "was": {"move": "1: …"}, "choices": […], …}     a refusal that players have denied
    {"kind": "taken", "is": {"set": "…", "state": {…}}, "state": {…}, …}   a table that was taken as it is
    {"kind": "correction", "was": {"move": "…"}, "is": {"move": "…"} | null, "state": {…}, "entries": 11}

``state`` is what the referee believed when it looked; ``entries`` how many entries of ``record.jsonl`` led
there.
"""

import io
import json
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from device.journal.events import Event
from device.journal.game import entry_events, last_game, record_in
from device.journal.journal_reader import reader
from device.journal.store import chain_in, pictures_in
from engine import record
from engine.history import History
from engine.plain import Json, JsonObject, items, obj
from engine.record import Record

_TIME = (1980, 1, 1, 0, 0, 0)  # the same match makes the same archive


@dataclass(frozen=True, slots=True)
class Case:
    """One doubtful moment."""

    told: JsonObject
    event: Event
    """The event that holds the pictures."""


def archive(path: Path) -> bytes:
    """All cases of the journal at ``path``, as a zip file."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as file, reader(path) as base:
        chain = chain_in(base)
        game = record_in(chain, path.name)
        _put(file, "record.jsonl", record.write(game.header, game.entries).encode())
        for number, case in enumerate(cases(last_game(chain.events), game), 1):
            folder = f"case-{number:03d}"
            _put(file, f"{folder}/case.json", json.dumps(case.told, ensure_ascii=False, indent=1).encode())
            for picture in pictures_in(base, case.event):
                _put(file, f"{folder}/{picture.role}.jpg", picture.jpeg)
    return made.getvalue()


def cases(events: Sequence[Event], game: Record) -> Iterator[Case]:
    """The doubtful moments of one game, in order."""
    kept = entry_events(events)
    for event in events:
        entries = sum(1 for other in kept.values() if other.seq < event.seq)
        if event.kind == "note" and event.body.get("what") == "asked":
            asked = _question(event, events, _state(game, entries)) | {"entries": entries}
            if (denied := event.body.get("misread")) is not None:
                asked |= {"kind": "accusation", "was": {"move": denied}}
            yield Case(asked, _pictured(event, denied, events))
        elif event.kind == "entry" and "set" in event.body:
            taken: JsonObject = {key: event.body[key] for key in ("set", "state")}
            yield Case(
                {"kind": "taken", "is": taken, "state": _state(game, entries), "entries": entries}, event
            )
        elif event.kind == "entry" and isinstance(target := event.body.get("correct"), int):
            about = kept[target]
            told: JsonObject = {
                "kind": "correction",
                "was": {key: about.body[key] for key in ("fact", "move", "set", "with") if key in about.body},
                "is": event.body.get("with"),
                "state": _state(game, target - 1),
                "entries": target - 1,
            }
            yield Case(told, about)


def _pictured(asked: Event, denied: Json, events: Sequence[Event]) -> Event:
    """The event with the pictures of what people were asked about: of a refusal that counted, its entry."""
    entries = (one for one in reversed(events) if one.kind == "entry" and one.seq < asked.seq)
    accused = next((one for one in entries if denied is not None and one.body.get("move") == denied), asked)
    return asked if asked.pictures else accused


def _question(event: Event, events: Sequence[Event], state: JsonObject) -> JsonObject:
    """The question with its answer: the one that was given, or shown, before anything else was asked."""
    answer: Json = None
    for other in (one for one in events if one.kind == "note" and one.seq > event.seq):
        what = other.body.get("what")
        if what == "settled":
            answer = _shown(event, other, events)
        elif what == "answered":
            answer = other.body.get("answer")
        if what in ("asked", "answered", "settled"):
            break
    return {"kind": "question", "choices": event.body.get("choices"), "answer": answer, "state": state}


def _shown(asked: Event, settled: Event, events: Sequence[Event]) -> Json:
    """The choice with which the entries begin that settled a question; without one, what they say."""
    count = settled.body.get("entries")
    if not isinstance(count, int):
        return None  # an older journal does not say what settled it
    after = [_said(one.body) for one in events if one.kind == "entry" and one.seq > settled.seq]
    fresh = after[:count]
    choices, options = (asked.body.get(key) for key in ("choices", "options"))
    found: dict[int, Json] = {}
    for words, option in zip(items(choices, "choices"), items(options or [], "options"), strict=False):
        said = [_said(obj(entry, "an entry")) for entry in items(option, "an option")]
        if fresh[: len(said)] == said and bool(said) == bool(fresh):
            found[len(said)] = words
    return found[max(found)] if found else ("; ".join(text for _, text in fresh) or None)


def _said(body: Mapping[str, Json]) -> tuple[Json, str]:
    """About which entry one speaks, and what it says happened."""
    said = obj(body.get("with") or body, "what happened")
    return body.get("correct"), str(said.get("fact", said.get("move", said.get("set", "taken back"))))


def _state(game: Record, entries: int) -> JsonObject:
    return History.of(Record(game.header, game.entries[:entries])).state.to_json()


def _put(file: zipfile.ZipFile, name: str, data: bytes) -> None:
    file.writestr(zipfile.ZipInfo(name, _TIME), data, zipfile.ZIP_DEFLATED)
