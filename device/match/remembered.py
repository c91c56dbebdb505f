"""What the eye had in mind when a match was stopped, told by its journal: it goes on as if it never had been.

That is what looked a little like a piece when the game began and is none, and the answers to a question that
is open: what is seen next is held against each of them, too.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from device.journal.events import Event
from device.journal.game import last_game
from device.match.resuming import asked_again
from engine.history import History, Step
from engine.matching import Choice, Happened, Nothing, Question, Revision, Ruled, TakeBack
from engine.plain import BadData, JsonObject, get, items, number, text
from engine.scene import Sighting

_LEAVE_IT_OPEN = ("asked", "paused", "resumed", "sheets scored", "stains")
"""Notes after which a question is as open as before."""


@dataclass(frozen=True, slots=True)
class Remembered:
    """A game that is gone on with, and what was in mind."""

    game: History
    question: Question | None = None
    """What was asked last and is not answered, of that game; its answers hold what the eye follows on."""
    stains: tuple[Sighting, ...] = ()


def remembered(game: History, events: Sequence[Event]) -> Remembered:
    """What the events of a journal tell of its last game, which is this one."""
    told = last_game(events)
    stains = (note["stains"] for note in _notes(told) if note.get("what") == "stains")
    known = tuple(Sighting.from_json(one) for note in stains for one in items(note, "the stains"))
    return Remembered(game, _question(game, told), known)


def _notes(events: Sequence[Event]) -> list[JsonObject]:
    return [event.body for event in events if event.kind == "note"]


def _question(game: History, events: Sequence[Event]) -> Question | None:
    """The question that is open, if the eye asked it of this table; another is about what it misread."""
    for event in reversed(events):
        if event.kind != "note" or event.body.get("what") not in _LEAVE_IT_OPEN:
            return None
        if event.body["what"] == "asked":
            return _followed(game, event.body) if "margins" in event.body else None
    return None


def _followed(game: History, asked: JsonObject) -> Question:
    margins = [number(one, "a margin") for one in items(asked["margins"], "the margins")]
    options = asked_again(game, asked)
    if len(margins) != len(options):
        raise BadData(f"a question has {len(options)} choices and {len(margins)} margins")
    choices = [
        Choice(option.words, _outcome(game, option.game, margin, option.words))
        for option, margin in zip(options, margins, strict=True)
    ]
    return Question(text(get(asked, "words", "a question"), "the question"), tuple(choices))


def _outcome(game: History, then: History, margin: float, words: str) -> Ruled | TakeBack | Nothing:
    """The answer that leads from the game to another."""
    fresh = then.entries[len(game.entries) :]
    corrected = [entry for entry in fresh if entry.correct is not None]
    if not fresh:
        return Nothing()
    if all(entry.happened is None for entry in corrected) and len(corrected) == len(fresh):
        return TakeBack(len(corrected), then.state, words)
    back = {step.place: len(game.steps) - index for index, step in enumerate(game.steps)}
    revised = tuple(
        Revision(back[entry.correct], entry.happened.text, entry.happened.alike)
        for entry in corrected
        if entry.correct is not None and entry.happened is not None
    )
    steps = then.steps[len(then.steps) - (len(fresh) - len(corrected)) :]
    return Ruled(tuple(map(_happened, steps)), margin, (), revised)


def _happened(step: Step) -> Happened:
    did = step.happened
    return Happened("fact" if did.kind == "fact" else "move", did.text, step.state, step.ruling, did.alike)
