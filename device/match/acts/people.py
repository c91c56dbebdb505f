"""What a match does with what people press and type."""

from typing import cast

from device.journal.game import added, began, note
from device.match.acts.steps import (
    CANNOT,
    CHALLENGED,
    MISREAD,
    NONE_OF_THESE,
    ask,
    changed_by_people,
    count,
    game_of,
    key_of,
    rest,
)
from device.match.match import Course, Keep, Option, TakeAsItIs
from device.match.phase import Phase
from device.match.signals import Scored, Signal, Told
from device.typed import after
from engine import BadNotation, CannotStand
from engine.history import History
from engine.plain import Json


def confirm(course: Course, signal: Signal) -> None:
    """What was seen counts now; a refused move stands when both players have confirmed it."""
    player = cast("Told", signal).number
    refused = course.match.phase is Phase.ILLEGAL
    if course.match.pending is not None:
        count(course, [note("confirmed", by=player)])
    if refused and course.match.phase is Phase.ILLEGAL and player:
        course.change(agreed=course.match.agreed | {player})
        if course.match.agreed == {1, 2}:
            let_stand(course, signal)


def undo(course: Course, signal: Signal) -> None:
    """What was seen is challenged, or the last move is taken back with what it revealed."""
    match = course.match
    if match.phase is Phase.ILLEGAL:
        misread(course, signal)
    elif match.phase is Phase.ASKING:
        asked = match.options
        words: list[Json] = [option.words for option in asked]
        course.keep([note("denied", choices=words, withdrawn=[*sorted(match.withdrawn)])])
        _deny(course)
        course.become(Phase.OUT_OF_STEP, NONE_OF_THESE)
        course.change(settled_question=key_of(asked))
    elif match.pending is not None:
        fresh = match.pending.game.entries[len(game_of(course).entries) :]
        said = [entry.happened.text for entry in fresh if entry.happened is not None]
        course.keep([note("challenged", match.pending.pictures, said=[*said])])
        course.change(withdrawn=match.withdrawn.union(said), ahead=not said, answered="")
        course.become(Phase.OUT_OF_STEP, CHALLENGED)
    else:
        _undo_last(course)


def _deny(course: Course) -> None:
    """It was none of what was asked about: no answer is followed on any more."""
    course.change(unanswered="", denied=course.match.denied + 1)


def _undo_last(course: Course) -> None:
    game = game_of(course)
    moves = _moves(game)
    try:
        before = game.undo()
        while moves and _moves(before) == moves:
            before = before.undo()
    except BadNotation as wrong:
        course.change(notice=str(wrong))
        return
    course.keep(added(game, before))
    changed_by_people(course, before)


def _moves(game: History) -> int:
    return sum((step.happened.kind != "fact") + step.stands for step in game.steps)


def pause(course: Course, _signal: Signal) -> None:
    """The players are away; what was seen and does not count yet is seen again when they are back."""
    if course.match.game is not None:
        course.keep([note("paused")])
    course.change(adopting=False)
    course.become(Phase.PAUSED)


def resume(course: Course, _signal: Signal) -> None:
    """The players are back; what could not be written is tried again."""
    if course.match.problem:
        course.orders.append(Keep(course.match.unsaved, again=True))
    elif course.match.game is not None:
        course.keep([note("resumed")])
    course.change(problem="")
    course.look_anew()
    rest(course)
    if course.match.phase is Phase.WATCHING:
        course.become(Phase.SETTLING)


def choose(course: Course, signal: Signal) -> None:
    """The question is answered."""
    number = cast("Told", signal).number
    if not 0 <= number < len(course.match.options):
        course.change(notice=f"There is no choice {number + 1}.")
        return
    option, key = course.match.options[number], key_of(course.match.options)
    game = game_of(course)
    if len(option.game.entries) > len(game.entries):
        course.keep([note("answered", answer=option.words), *added(game, option.game, course.match.asked)])
        changed_by_people(course, option.game)
    else:
        words: list[Json] = [one.words for one in course.match.options]
        course.keep([note("answered", answer=option.words, choices=words)])
        _deny(course)
        course.change(settled_question=key)
        rest(course)


def put_back(course: Course, _signal: Signal) -> None:
    """The refused move counts as tried, and the table is waited for."""
    if course.match.pending is not None:
        count(course)
    course.change(words="Put it back as it was.")


def let_stand(course: Course, _signal: Signal) -> None:
    """The players let the refused move stand."""
    if course.match.pending is not None:
        count(course)
    game = game_of(course)
    try:
        stood = game.stand("the players let it stand")
    except CannotStand as wrong:
        course.change(notice=str(wrong), agreed=frozenset())
        return
    course.keep(added(game, stood))
    changed_by_people(course, stood)


def misread(course: Course, _signal: Signal) -> None:
    """The refusal rests on an error of the eye: it is withdrawn at once, and the table is looked at anew.

    What it was may be chosen among the nearest legal moves, for as long as nothing else has told.
    """
    match, game = course.match, game_of(course)
    step = (match.pending.game if match.pending else game).steps[-1]
    pictures = match.pending.pictures if match.pending else ()
    if match.pending is None:
        withdrawn = game.correct(step.place, None, "misread")
        course.keep(added(game, withdrawn))
        changed_by_people(course, withdrawn)
    else:
        course.look_anew()
    course.change(withdrawn=course.match.withdrawn | {step.happened.text}, ahead=False)
    now = game_of(course)
    near = step.ruling.nearest if step.ruling else ()
    options = [*(Option(text, now.move(text)) for text in near), Option("nothing happened", now)]
    ask(course, MISREAD, options, pictures, misread=step.happened.text)


def as_it_is(course: Course, _signal: Signal) -> None:
    """The players want the game to go on from the table as it is."""
    course.change(notice="Taking the table as it is.", adopting=True)
    course.orders.append(TakeAsItIs())


def typed(course: Course, signal: Signal) -> None:
    """A move, a fact or a correction is told by hand, at any time, about any entry."""
    match = course.match
    before = match.game or match.blank
    if before is None:
        course.change(notice="There is no game to type into.")
        return
    try:
        game = after(before, cast("Told", signal).words.strip())
    except CANNOT as wrong:
        course.change(notice=str(wrong))
        return
    begins = began(before) if match.game is None else ()
    course.change(game=before)
    course.keep([*begins, *added(before, game)])
    changed_by_people(course, game)


def scored(course: Course, signal: Signal) -> None:
    """The players' sheets are scored: that is remembered, and is no part of the game's record."""
    sheets = cast("Scored", signal)
    course.keep([note("sheets scored", sheets.pictures, **sheets.body)])
    course.change(notice=sheets.words)
