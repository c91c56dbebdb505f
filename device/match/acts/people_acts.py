"""What a match does with what people press and type."""

import re
from dataclasses import replace
from typing import Final, cast

from device.journal.game import added, began, note
from device.match.acts.consent import asks_to_bring_back, withdraw
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
    note_play,
    plays_on_alone,
    rest,
    wait_for_the_eye,
)
from device.match.match import Course, Keep, Option, if_it_stood
from device.match.phase import Phase
from device.match.signals import Scored, Signal, Told
from device.notation_guide import help_lines
from device.typed import after, moves_in
from engine import BadNotation
from engine.plain import Json

_NAMED: Final = re.compile(r"(?:([12]): *)(redo|take back \d{1,9})")
"""What would bring back something that both had agreed to, in a player's own name."""


def undo(course: Course, signal: Signal) -> None:
    """A word is taken back, or what was seen is challenged, or the last move is taken back with its facts."""
    match = course.match
    if match.wish is not None and not cast("Told", signal).key:  # a screen says which of both it means
        withdraw(course, replace(cast("Told", signal), number=0))
    elif match.phase is Phase.ILLEGAL:
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
        withdrawn, denied = match.withdrawn.union(said), match.denied + 1  # it is followed on no longer
        course.change(withdrawn=withdrawn, denied=denied, ahead=not said, answered="")
        course.become(Phase.OUT_OF_STEP, CHALLENGED)
    else:
        _undo_last(course)


def _deny(course: Course) -> None:
    """It was none of what was asked about: no answer is followed on any more."""
    course.change(unanswered="", denied=course.match.denied + 1)


def _undo_last(course: Course) -> None:
    game = game_of(course)
    moves = moves_in(game)
    try:
        before = game.undo()
        while moves and moves_in(before) == moves:
            before = before.undo()
    except BadNotation as wrong:
        course.change(notice=str(wrong))
        return
    course.keep(added(game, before))
    changed_by_people(course, before)


def pause(course: Course, _signal: Signal) -> None:
    """The players are away; what was seen and does not count yet is seen again when they are back."""
    if course.match.game is not None:
        course.keep([note("paused")])
    course.change(adopting=False, wish=None, agreed=frozenset())
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
    wait_for_the_eye(course)


def choose(course: Course, signal: Signal) -> None:
    """The question is answered."""
    number = cast("Told", signal).number
    if not 0 <= number < len(course.match.options):
        course.change(notice=f"There is no choice {number + 1}.")
        return
    option, key = course.match.options[number], key_of(course.match.options)
    game = game_of(course)
    if plays_on_alone(course.match, option.game):
        course.keep([note("answered", answer=option.words)])
        note_play(course, option.game, course.match.asked)
        course.change(unanswered="")
    elif len(option.game.entries) > len(game.entries):
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
    if course.match.by_hand:  # nobody sees whether it is put back: they say so
        course.change(refused=False)
        rest(course)
    else:
        course.change(words="Put it back as it was.")
    course.change(wish=None, agreed=frozenset())


def misread(course: Course, _signal: Signal) -> None:
    """The refusal rests on an error of the eye: it is withdrawn at once, and the table is looked at anew.

    What it was may be chosen among the nearest legal moves, for as long as nothing else has told.
    """
    match, game = course.match, game_of(course)
    accused = match.pending.game if match.pending else game
    step, lies = accused.steps[-1], if_it_stood(accused)
    pictures = match.pending.pictures if match.pending else ()
    if match.pending is None:
        withdrawn = game.correct(step.place, None, "misread")
        course.keep(added(game, withdrawn))
        changed_by_people(course, withdrawn)
    else:
        course.look_anew()
    course.change(withdrawn=course.match.withdrawn | {step.happened.text}, ahead=False)
    course.change(wish=None, agreed=frozenset())
    now = game_of(course)
    near = step.ruling.nearest if step.ruling else ()
    options = [*(Option(text, now.move(text)) for text in near), Option("nothing happened", now)]
    ask(course, MISREAD, options, pictures, misread=step.happened.text, about=lies)


def typed(course: Course, signal: Signal) -> None:
    """A move, a fact or a correction is told by hand, at any time, about any entry."""
    match = course.match
    before = match.game or match.blank
    if before is None:
        course.refuse("There is no game to type into.")
        return
    line = cast("Told", signal).words.strip()
    if line in ("help", "?"):
        course.change(notice=" — ".join(help_lines(before.book)))
        return
    named = _NAMED.fullmatch(line)
    player, line = (int(named[1]), named[2]) if named else (0, line)
    try:
        game = after(before, line)
    except CANNOT as wrong:
        course.refuse(str(wrong))
        return
    begins = began(before) if match.game is None else ()
    course.change(game=before)
    if asks_to_bring_back(course, line, game, player):
        return
    course.keep([*begins, *added(before, game)])
    changed_by_people(course, game)


def scored(course: Course, signal: Signal) -> None:
    """The players' sheets are scored: that is remembered, and is no part of the game's record."""
    sheets = cast("Scored", signal)
    course.keep([note("sheets scored", sheets.pictures, **sheets.body)])
    course.change(notice=sheets.words)
