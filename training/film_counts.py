"""What a judged film counts as, move by move: right, asked, wrong and flagged, wrong and silent, missed.

Two lists of plain data come in: the film's truth (``pipwatch simulate --truth``) and the lines that
``pipwatch run --headless --json`` printed. They are laid beside each other in order, as two texts are
compared; nothing here knows pictures or clocks.
"""

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import asdict, dataclass, field
from math import inf
from typing import Any, Literal, TypeAlias

Line: TypeAlias = dict[str, Any]
Outcome: TypeAlias = Literal["right", "asked", "wrong and flagged", "wrong and silent", "missed"]
OUTCOMES: tuple[Outcome, ...] = ("right", "asked", "wrong and flagged", "wrong and silent", "missed")

_SAME, _NAMED, _OTHER = 3.0, 2.0, 1.0
"""What it is worth to lay a line beside an event: the same text, one that names it beside its own, or another
one at its time."""
_LIGHT = ("lamp", "shadow", "exposure")
_DOUBTS = ("asking", "out of step", "camera lost", "setting up")
_SOON_S = 3.0
"""So long after the light has changed a move that nobody made is laid to it."""


@dataclass(frozen=True)
class FilmedEvent:
    """A move or a fact of the script, with the frames in which it was done."""

    kind: str
    text: str
    first: int
    last: int
    legal: bool
    rule: str
    visible: bool
    back: tuple[int, int] | None = None
    """When it was taken back."""
    until: float = inf
    """The first frame of what changes the table next."""
    after_that: float = inf
    """The first frame of what changes the table after that."""
    forced: int | None = None
    """Of a move that was all that was left: the frame from which on it could be known."""


@dataclass(frozen=True)
class FirstEntry:
    """An entry of the record, when it was made first."""

    n: int
    kind: str
    text: str
    frame: int
    illegal: bool
    rule: str
    alike: tuple[str, ...] = ()
    """What else it may have been, as was told with it."""
    became: str = ""
    """What it was corrected to, if it was."""


@dataclass
class Judged:
    """One event of the script, and what became of it."""

    text: str
    kind: str
    outcome: Outcome
    told: str = ""
    legal: bool = True
    rule: str = ""
    told_rule: str = ""
    told_illegal: bool = False
    late: bool = False
    """Whether it was told only after the table had changed again."""
    flagged: bool = False
    """Whether something was said meanwhile that made people look."""
    wait_s: float | None = None
    """From the last hand over the table to the ruling, in table time."""
    lit: bool = False
    """Whether the light was changing then."""
    put_right: bool | None = None
    """Of a move that was taken back: whether that was understood before anything else was told."""
    put_right_late: bool = False
    """Whether it was understood only when the next hand was at the table."""
    named: bool = False
    """Whether the entry names it beside its own words: which of two dice was used no picture shows."""
    only_said: bool = False
    """Whether it leaves the table as it was, and need not have been done: no picture shows that it was."""


@dataclass
class Count:
    """A judged film, counted; plain data when written down."""

    events: list[Judged] = field(default_factory=list)
    false: list[Line] = field(default_factory=list)
    """Entries that nothing in the film accounts for."""
    questions: int = 0
    alarms: int = 0
    """How often table and record were said to disagree."""
    visits: int = 0
    light_events: int = 0
    began: bool = True

    def to_json(self) -> Line:
        """The count as plain data."""
        return asdict(self)

    @classmethod
    def from_json(cls, data: Line) -> "Count":
        """The count that ``to_json`` wrote."""
        return cls(**{**data, "events": [Judged(**one) for one in data["events"]]})

    @property
    def untouched(self) -> bool:
        """Whether nobody had to do anything for the whole film to be recorded as it was."""
        fine = all(one.outcome == "right" and one.put_right is not False for one in self.events)
        return fine and self.began and not self.false and not self.questions


def count(
    truth: Sequence[Line], told: Sequence[Line], hands: Sequence[bool], fps: float,
    opening: Collection[int] = (),
) -> Count:  # fmt: skip
    """Hold what was told of a film against its truth.

    ``hands`` says of each frame whether one is seen, and ``opening`` names entries that only tell the set-up
    in which the film begins.
    """
    events = events_of(truth)
    entries = entries_of(told, fps)
    lights = [
        (one["first"], one["last"]) for one in truth if one["type"] == "trouble" and one["kind"] in _LIGHT
    ]
    said = [one for one in told if one.get("phase") in _DOUBTS]
    pairs = beside(events, entries)
    found = Count(
        questions=sum(one["phase"] == "asking" for one in said),
        alarms=sum(one["phase"] == "out of step" for one in said),
        visits=sum(now and not before for before, now in zip([False, *hands], hands, strict=False)),
        light_events=len(lights),
        began=bool(entries) or not any(one["phase"] == "setting up" for one in said),
    )
    frames = [(str(one["phase"]), round(one["at_s"] * fps)) for one in said]
    mended = {one["correct"]: one for one in told if "correct" in one}
    for event, entry in pairs:
        judged = _judged(event, entry, frames, entry is not None and entry.n in mended)
        if entry is not None:
            judged.wait_s = _wait(entry.frame, event, hands, fps)
            judged.lit = any(a <= entry.frame <= b + _SOON_S * fps for a, b in lights)
        found.events.append(judged)
    paired = {entry.n for _, entry in pairs if entry is not None} | {*opening}
    extra = _less_what_follows([entry for entry in entries if entry.n not in paired], truth)
    found.false = [_false(entry, hands, lights, fps) for entry in extra]
    _take_backs(found, pairs, extra, frames, {n: round(one["at_s"] * fps) for n, one in mended.items()
                                              if one.get("with") is None})  # fmt: skip
    return found


# — the two lists —


def events_of(truth: Sequence[Line]) -> list[FilmedEvent]:
    """What happened, up to the last that can be seen: nobody can tell what is only said after that."""
    lines = [one for one in truth if one["type"] in ("move", "fact")]
    while lines and not lines[-1]["visible"]:
        lines.pop()
    changes = sorted(
        frame for one in lines if one["visible"] for frame in (one["first"], *(one.get("back") or ())[:1])
    )
    found: list[FilmedEvent] = []
    seen = 0
    for one in lines:
        seen = one["first"] if one["visible"] else seen
        later = [frame for frame in changes if frame > one["last"]]
        if not one["visible"]:
            later = later[1:]  # what is only said is told together with what is seen next
        until, after_that = (*later, inf, inf)[:2]
        back = one.get("back")
        found.append(
            FilmedEvent(one["type"], one[one["type"]], one["first"], one["last"], one.get("legal", True),
                  one.get("rule", ""), one["visible"], (back[0], back[1]) if back else None,
                  until, after_that, seen if one.get("forced") else None)
        )  # fmt: skip
    return found


def entries_of(told: Sequence[Line], fps: float) -> list[FirstEntry]:
    """The moves and facts that were told, as they were told first."""
    found = []
    became = {one["correct"]: one["with"] for one in told if one.get("with")}
    for one in told:
        kind = "move" if "move" in one else "fact" if "fact" in one else ""
        if kind and "entry" in one:
            status, _, rule = str(one["verdict"]).partition(" ")
            frame = round(one["at_s"] * fps)
            found.append(
                FirstEntry(one["entry"], kind, one[kind], frame, status == "illegal", rule.split(",")[0],
                      tuple(one.get("alike", ())), became.get(one["entry"], {}).get(kind, ""))
            )  # fmt: skip
    return found


def beside(
    events: Sequence[FilmedEvent], entries: Sequence[FirstEntry]
) -> list[tuple[FilmedEvent, FirstEntry | None]]:
    """Each event with the entry that is about it, or None: the best way to lay both lists side by side."""
    rows, columns = len(events), len(entries)
    best = [[0.0] * (columns + 1) for _ in range(rows + 1)]
    for i in range(rows - 1, -1, -1):
        for j in range(columns - 1, -1, -1):
            both = _alike(events[i], entries[j]) + best[i + 1][j + 1]
            best[i][j] = max(both, best[i + 1][j], best[i][j + 1])
    pairs: list[tuple[FilmedEvent, FirstEntry | None]] = []
    i = j = 0
    while i < rows:
        if j < columns and best[i][j] == _alike(events[i], entries[j]) + best[i + 1][j + 1]:
            pairs.append((events[i], entries[j]))
            i, j = i + 1, j + 1
        elif j < columns and best[i][j] == best[i][j + 1]:
            j += 1
        else:
            pairs.append((events[i], None))
            i += 1
    return pairs


def _alike(event: FilmedEvent, entry: FirstEntry) -> float:
    """What it is worth to say that an entry is about an event.

    It is never before that happened, unless it was all that could happen and just that was recorded, if only
    in the end.
    """
    known = event.first
    if event.forced is not None and event.text in (entry.text, entry.became):
        known = event.forced
    if event.kind != entry.kind or entry.frame < known:
        return -inf
    if _is_right(event, entry):
        return _SAME
    if event.text in entry.alike:
        return _NAMED
    return _OTHER if entry.frame < event.until else -inf


def _is_right(event: FilmedEvent, entry: FirstEntry) -> bool:
    """Whether an entry says what happened; of an illegal move the rule counts, its words are a guess."""
    if event.legal:
        return event.text == entry.text and not entry.illegal
    return entry.illegal and event.rule == entry.rule


# — one event —


def _judged(
    event: FilmedEvent, entry: FirstEntry | None, said: Sequence[tuple[str, int]], mended: bool
) -> Judged:
    until = event.until if entry is None else entry.frame
    asked = any(phase == "asking" and event.first <= frame <= until for phase, frame in said)
    since = event.first if entry is None else entry.frame
    flagged = any(since <= frame < event.after_that for _, frame in said)
    judged = Judged(event.text, event.kind, "missed", legal=event.legal, rule=event.rule, flagged=flagged)
    judged.only_said = not event.visible and event.forced is None
    if entry is None:
        judged.outcome = "asked" if asked else "missed"
        return judged
    judged.told, judged.told_rule, judged.told_illegal = entry.text, entry.rule, entry.illegal
    judged.late = event.visible and entry.frame >= event.until
    if not _is_right(event, entry) or (mended and event.back is None):
        judged.named = event.text in entry.alike
        judged.flagged = flagged or mended or judged.named
        judged.outcome = "asked" if asked else "wrong and flagged" if judged.flagged else "wrong and silent"
    else:
        judged.outcome = "asked" if asked else "right"
    return judged


def _wait(frame: int, event: FilmedEvent, hands: Sequence[bool], fps: float) -> float | None:
    """Table time from the last hand to the ruling; None where it was ruled on with others or never seen."""
    if not event.visible or frame >= event.until or frame >= len(hands):
        return None
    gone = max((k for k in range(event.first, frame + 1) if hands[k]), default=event.last) + 1
    return max(0, frame - gone) / fps


def _less_what_follows(entries: list[FirstEntry], truth: Sequence[Line]) -> list[FirstEntry]:
    """Without what was all that could follow a move, where that was taken back or the film ended with it."""
    kept = [*entries]
    for line in truth:
        end = line["back"][1] if line.get("back") else inf
        due = [*line.get("leads", ())]
        for entry in entries:
            if due and entry.text == due[0] and line["first"] <= entry.frame <= end:
                due.pop(0)
                kept.remove(entry)
    return kept


def _false(entry: FirstEntry, hands: Sequence[bool], lights: Sequence[tuple[int, int]], fps: float) -> Line:
    """An entry that nothing accounts for, and what may have led to it."""
    soon = round(_SOON_S * fps)
    seen = any(hands[max(0, entry.frame - soon) : entry.frame + 1])
    lit = any(first <= entry.frame <= last + soon for first, last in lights)
    by = "light" if lit and not seen else "hand" if seen else "nothing"
    return {"text": entry.text, "kind": entry.kind, "frame": entry.frame, "illegal": entry.illegal, "by": by}


def _take_backs(
    found: Count,
    pairs: Sequence[tuple[FilmedEvent, FirstEntry | None]],
    extra: Sequence[FirstEntry],
    said: Sequence[tuple[str, int]],
    taken_back: dict[int, int],
) -> None:
    """Say of each move that was taken back whether that was understood.

    A legal one must be taken back in the record before the next move is told. A refused one leaves the
    record as it is: nothing may be told of it, and what comes next must be understood.
    """
    for k, (judged, (event, entry)) in enumerate(zip(found.events, pairs, strict=True)):
        if event.back is None:
            continue
        begin, end = event.back[0], event.after_that
        if event.legal:
            at = taken_back.get(entry.n, inf) if entry is not None else inf
            next_told = min((one.frame for _, one in pairs[k + 1 :] if one is not None), default=inf)
            judged.put_right = begin <= at < inf and (at < end or at <= next_told)
            judged.put_right_late = judged.put_right and at >= end
            continue
        told = any(begin <= one.frame < end for one in extra)
        said_then = [phase for phase, frame in said if begin <= frame < end]
        follows = k + 1 == len(pairs) or found.events[k + 1].outcome == "right"
        judged.put_right = not told and "asking" not in said_then and (follows or not said_then)


def totals(counts: Sequence[Count]) -> Counter[str]:
    """All films together."""
    found: Counter[str] = Counter(films=len(counts), untouched=sum(one.untouched for one in counts))
    for one in counts:
        moves = [event for event in one.events if event.kind == "move"]
        found.update(event.outcome for event in moves)
        illegal = [event for event in moves if not event.legal]
        backs = [event for event in one.events if event.put_right is not None]
        found.update({
            "moves": len(moves),
            "late": sum(event.late for event in moves),
            "late and right": sum(event.late and event.outcome == "right" for event in moves),
            "facts": len(one.events) - len(moves),
            "facts right": sum(event.outcome == "right" for event in one.events if event.kind == "fact"),
            "missed and flagged": sum(e.outcome == "missed" and e.flagged for e in moves),
            "missed and only said": sum(e.outcome == "missed" and e.only_said for e in moves),
            "wrong and named": sum(e.outcome == "wrong and flagged" and e.named for e in moves),
            "illegal": len(illegal),
            "illegal found": sum(event.outcome == "right" for event in illegal),
            "legal": len(moves) - len(illegal),
            "take-backs": len(backs),
            "take-backs understood": sum(bool(event.put_right) for event in backs),
            "take-backs understood late": sum(event.put_right_late for event in backs),
            "visits": one.visits,
            "light events": one.light_events,
            "false by hand": sum(line["by"] == "hand" for line in one.false),
            "false by light": sum(line["by"] == "light" for line in one.false),
            "false by nothing": sum(line["by"] == "nothing" for line in one.false),
            "questions": one.questions,
            "alarms": one.alarms,
            "accusations": _accusations(one),
        })  # fmt: skip
    return found


def _accusations(one: Count) -> int:
    """Illegal moves told where none was made: a legal one, asked about before or not, or none at all."""
    legal = [event for event in one.events if event.kind == "move" and event.legal]
    return sum(event.told_illegal for event in legal) + sum(bool(line["illegal"]) for line in one.false)
