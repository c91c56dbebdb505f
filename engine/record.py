"""The record of a game: append-only JSON lines, each with a check sum, that read back to the same game.

The first line is the header; every further line is one entry with its number:

    {"n": 1, "fact": "see …"}                               something the table showed
    {"n": 2, "move": "1: …", "ruling": {…}}                 a move and its ruling; an allowed one was played
    {"n": 2, "move": "1: …", "alike": ["1: …"], …}          one of several that nobody could tell apart
    {"n": 3, "stand": 2, "why": "…"}                        the players let the refused move 2 stand
    {"n": 4, "correct": 1, "with": {"fact": "see …"}}       entry 1 was misread and is replaced
    {"n": 5, "correct": 2, "with": null}                    entry 2 is taken back (undo)
    {"n": 6, "before": 2, "with": {"move": "2: …"}}         a move that was missed
    {"n": 7, "set": "…", "state": {…}, "why": "…"}          the table as it is, or a piece set by hand

Nothing is ever erased: a correction is an entry too, and can itself be corrected.
"""

import json
import zlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from engine.errors import BadRecord
from engine.plain import BadData, Json, JsonObject, get, items, obj, text, whole

VERSION = 2
"""The version of the record's form: from 2 on an entry may say how the table lies.

A reader refuses newer ones and understands all older ones."""

Kind = Literal["fact", "move", "set"]


@dataclass(frozen=True, slots=True)
class Happening:
    """A fact or a move, in notation; or, as ``set``, in words how a table came to be as ``state`` says."""

    kind: Kind
    text: str
    alike: tuple[str, ...] = ()
    """What else it may have been: it could not be told from these when it was written down."""
    state: JsonObject | None = field(default=None, hash=False, repr=False)
    """The state from which the game goes on, where somebody has said that the table lies so."""

    def to_json(self) -> JsonObject:
        """The happening as plain data."""
        told: JsonObject = {self.kind: self.text}
        if self.alike:
            told["alike"] = [*self.alike]
        if self.state is not None:
            told["state"] = self.state
        return told


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of a record.

    Exactly one of these is set: ``happened`` alone; ``stand``; ``correct`` with ``happened`` (a
    replacement) or without (a taking back); ``before`` with ``happened``.
    """

    n: int
    happened: Happening | None = None
    stand: int | None = None
    correct: int | None = None
    before: int | None = None
    why: str = ""
    ruling: JsonObject | None = field(default=None, hash=False)
    """The ruling that was given when the entry was made; kept, so that a later reader can compare."""

    @property
    def target(self) -> int | None:
        """The number of the entry that this one is about, if any."""
        for number in (self.stand, self.correct, self.before):
            if number is not None:
                return number
        return None

    def to_json(self) -> JsonObject:
        """The entry as plain data."""
        data: JsonObject = {"n": self.n}
        for key, number in (("stand", self.stand), ("correct", self.correct), ("before", self.before)):
            if number is not None:
                data[key] = number
        if self.correct is not None or self.before is not None:
            data["with"] = self.happened.to_json() if self.happened else None
        elif self.happened is not None:
            data.update(self.happened.to_json())
        if self.ruling is not None:
            data["ruling"] = self.ruling
        if self.why:
            data["why"] = self.why
        return data


@dataclass(frozen=True, slots=True)
class Header:
    """What a record says before the first entry."""

    game: str
    profile: str
    players: tuple[str, str]
    software: str
    setup: JsonObject = field(hash=False)
    """The state from which the game starts."""
    settings: JsonObject = field(hash=False, default_factory=dict)
    """The value of every reading under the profile, spelled out for readers of later times."""
    seed: int | None = None
    """The seed of a set-up drawn at random."""

    def to_json(self) -> JsonObject:
        """The header as plain data."""
        return {
            "pipwatch-record": VERSION,
            "game": self.game,
            "profile": self.profile,
            "players": list(self.players),
            "software": self.software,
            "seed": self.seed,
            "settings": self.settings,
            "setup": self.setup,
        }


@dataclass(frozen=True, slots=True)
class Record:
    """A record as read. ``damage`` is empty, or the sentence about the tail that was lost."""

    header: Header
    entries: tuple[Entry, ...]
    damage: str = ""


def line(data: Mapping[str, Json]) -> str:
    """``data`` as one line of a record: compact JSON with a check sum as its last entry, no line end."""
    body = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    return f'{body[:-1]},"sum":"{_check_sum(body)}"}}'


def write(header: Header, entries: Iterable[Entry] = ()) -> str:
    """A whole record as text."""
    lines = [header.to_json(), *(entry.to_json() for entry in entries)]
    return "".join(line(data) + "\n" for data in lines)


def read(source: str) -> Record:
    """The record that ``source`` holds.

    From the first damaged line on everything is lost, and ``damage`` says so; a record whose header is
    damaged, or that a newer version wrote, raises BadRecord.
    """
    lines = source.split("\n")
    try:
        header = _header(_parsed(lines[0]))
    except BadData as wrong:
        raise BadRecord(f"Line 1 is not the head of a Pipwatch record: {wrong}.") from None
    entries: list[Entry] = []
    damage = ""
    rest = lines[1:-1] if lines[-1] == "" else lines[1:]
    for number, entry_line in enumerate(rest, start=2):
        try:
            entries.append(_entry(_parsed(entry_line), len(entries) + 1))
        except BadData as wrong:
            lost = len(rest) - (number - 2)
            damage = f"Line {number} is damaged ({wrong}): the last {lost} of {len(rest)} entries are lost."
            break
    return Record(header, tuple(entries), damage)


def _check_sum(body: str) -> str:
    return f"{zlib.crc32(body.encode()):08x}"


def _parsed(entry_line: str) -> Mapping[str, Json]:
    if not entry_line.strip():
        raise BadData("it is empty")
    try:
        data: Json = json.loads(entry_line)
    except (ValueError, RecursionError):  # the latter: brackets within brackets without end
        raise BadData("it is not JSON, perhaps cut off") from None
    found = dict(obj(data, "a line"))
    stated = text(found.pop("sum", ""), "the check sum")
    if stated != _check_sum(json.dumps(found, ensure_ascii=False, separators=(",", ":"))):
        raise BadData("its check sum does not fit")
    return found


def _header(data: Mapping[str, Json]) -> Header:
    version = whole(get(data, "pipwatch-record", "the first line"), "the entry 'pipwatch-record'")
    if version < 1:
        raise BadData(f"the entry 'pipwatch-record' should be a version from 1 on, not {version}")
    if version > VERSION:
        raise BadRecord(
            f"This record is of version {version}, and this Pipwatch reads versions up to {VERSION}; "
            "a newer Pipwatch is needed."
        )
    seed = data.get("seed")
    players = [text(name, "a player's name") for name in items(data.get("players", ()), "the players")]
    if len(players) != 2:
        raise BadData("it should name two players")
    return Header(
        game=text(get(data, "game", "the header"), "the game"),
        profile=text(get(data, "profile", "the header"), "the profile"),
        players=(players[0], players[1]),
        software=text(data.get("software", ""), "the software's version"),
        setup=dict(obj(get(data, "setup", "the header"), "the set-up")),
        settings=dict(obj(data.get("settings", {}), "the settings")),
        seed=None if seed is None else whole(seed, "the seed"),
    )


def _entry(data: Mapping[str, Json], n: int) -> Entry:
    if whole(get(data, "n", "an entry"), "its number") != n:
        raise BadData(f"it should be entry {n}")
    ruling, said = data.get("ruling"), data.get("with")
    happened = _happening(data if said is None else obj(said, "'with'"))
    if said is not None and happened is None:
        raise BadData("'with' should hold a fact, a move or a table")
    entry = Entry(
        n=n,
        happened=happened,
        stand=_earlier(data, "stand", n),
        correct=_earlier(data, "correct", n),
        before=_earlier(data, "before", n),
        why=text(data.get("why", ""), "'why'"),
        ruling=None if ruling is None else dict(obj(ruling, "the ruling")),
    )
    targets = sum(number is not None for number in (entry.stand, entry.correct, entry.before))
    if targets > 1 or ((entry.before is not None or not targets) and entry.happened is None):
        raise BadData("it says nothing that a record can say")
    return entry


def _happening(data: Mapping[str, Json]) -> Happening | None:
    kinds: Sequence[Kind] = ("fact", "move", "set")
    alike = tuple(text(one, "what is alike") for one in items(data.get("alike", []), "what is alike"))
    told = [
        Happening(kind, text(data[kind], f"the {kind}"), alike, _state(data) if kind == "set" else None)
        for kind in kinds
        if kind in data
    ]
    if not all(one.isprintable() for one in (*alike, *(happened.text for happened in told))):
        raise BadData("it holds signs that cannot be printed")  # at a terminal they would be obeyed
    if len(told) > 1:
        raise BadData("it should tell a fact, a move or a table, not several")
    return told[0] if told else None


def _state(data: Mapping[str, Json]) -> JsonObject:
    return dict(obj(get(data, "state", "an entry that sets a table"), "the state that is set"))


def _earlier(data: Mapping[str, Json], key: str, n: int) -> int | None:
    if key not in data:
        return None
    number = whole(data[key], f"{key!r}")
    if not 1 <= number < n:
        raise BadData(f"{key!r} should be the number of an earlier entry, not {number}")
    return number
