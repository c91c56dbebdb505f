"""Takes a match up again from its journal: the game, and whether it was paused or a question was open.

A question is open if nothing was written after it: whatever settles one (an answer, an entry, another
question) leaves an event of its own. If it settled without one, because a hand came or the table was put
right, the next look at the table settles it again.
"""

from collections.abc import Mapping, Sequence

from device.journal.events import Event
from device.journal.game import last_game
from device.match.acts import taken_up
from device.match.acts.steps import CHALLENGED, NONE_OF_THESE
from device.match.match import UNSEEN, Course, Match, Option
from device.match.phase import Phase
from engine import record
from engine.history import History
from engine.plain import BadData, Json, JsonObject, get, items, obj, text


def resumed(match: Match, game: History, events: Sequence[Event]) -> Match:
    """The match that goes on with the last game of these events, as it was left."""
    told = last_game(events)
    course = Course(taken_up(match, game, ahead=_by_hand(told)), 0.0)
    if _agreed(told):
        course.change(refused=False, ahead=False, withdrawn=frozenset())
        if course.match.phase is Phase.ILLEGAL:
            course.become(Phase.SETTLING)
    last = told[-1].body if told and told[-1].kind == "note" else {}
    if last.get("what") == "asked" and "options" in last:
        _ask_again(course, game, last)
    elif last.get("what") in ("denied", "answered") and "choices" in last:
        _still_denied(course, last)
    elif last.get("what") == "challenged" and "said" in last:
        _still_challenged(course, last)
    if _paused(told):
        course.become(Phase.PAUSED)
    return course.match


def _paused(events: Sequence[Event]) -> bool:
    notes = [event.body.get("what") for event in events if event.kind == "note"]
    return next((what for what in reversed(notes) if what in ("paused", "resumed")), "") == "paused"


def _agreed(events: Sequence[Event]) -> bool:
    """Whether the table was seen to agree with the record as it is, so that nothing refused lies there."""
    last = next((event for event in reversed(events) if event.kind != "note" or _is_agreed(event)), None)
    return last is not None and _is_agreed(last)


def _is_agreed(event: Event) -> bool:
    return event.kind == "note" and event.body.get("what") == "agreed"


def _by_hand(events: Sequence[Event]) -> bool:
    """Whether people may have told what is last in the game: it rests on no picture."""
    entries = [event for event in events if event.kind == "entry"]
    return bool(entries) and not entries[-1].pictures


def _ask_again(course: Course, game: History, asked: JsonObject) -> None:
    """The question as it was asked, with the games to which its answers lead."""
    question = text(asked.get("words", ""), "the question")
    course.become(Phase.ASKING, question)
    course.change(options=asked_again(game, asked), unanswered=question)
    _withdraw(course, asked.get("withdrawn", []))


def asked_again(game: History, asked: JsonObject) -> tuple[Option, ...]:
    """The answers to a question as it was written down, each with the game to which it leads."""
    words = [text(one, "a choice") for one in items(get(asked, "choices", "a question"), "the choices")]
    options = items(get(asked, "options", "a question"), "the options")
    entries = [items(one, "the entries") for one in options]
    if len(words) != len(entries):
        raise BadData(f"a question has {len(words)} choices and {len(entries)} options")
    return tuple(
        Option(word, _with(game, [obj(entry, "an entry") for entry in fresh]))
        for word, fresh in zip(words, entries, strict=True)
    )


def _still_denied(course: Course, denied: JsonObject) -> None:
    """It was none of what was asked about, or nothing at all: the same table does not ask it again."""
    choices = [text(one, "a choice") for one in items(denied["choices"], "the choices")]
    if denied["what"] == "denied":
        course.become(Phase.OUT_OF_STEP, NONE_OF_THESE)
    course.change(settled_question="\n".join(choices), view=UNSEEN)
    _withdraw(course, denied.get("withdrawn", []))


def _still_challenged(course: Course, challenged: JsonObject) -> None:
    """What people said was not so is not believed again as long as the table shows it."""
    course.become(Phase.OUT_OF_STEP, CHALLENGED)
    _withdraw(course, challenged["said"])
    course.change(ahead=course.match.ahead or not challenged["said"])


def _withdraw(course: Course, moves: Json) -> None:
    told = frozenset(text(one, "a move") for one in items(moves, "the moves"))
    course.change(withdrawn=course.match.withdrawn | told)


def _with(game: History, fresh: Sequence[Mapping[str, Json]]) -> History:
    """The game with some entries more, as they were written."""
    if not fresh:
        return game
    lines = [record.line(one) + "\n" for one in fresh]
    return History.of(record.read(record.write(game.header, game.entries) + "".join(lines)))
