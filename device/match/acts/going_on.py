"""What keeps a match going: the disk, the clock, and the journal from which it is taken up."""

from typing import cast

from device.match.acts.gate_acts import lost
from device.match.acts.steps import count, drop_wish, rest, wait_for_the_eye
from device.match.match import Course, Match
from device.match.phase import Phase
from device.match.signals import Kind, Signal, Told
from engine.history import History


def kept(course: Course, signal: Signal) -> None:
    """Events are on the disk."""
    told = cast("Told", signal)
    course.change(unsaved=course.match.unsaved[told.number :], notice=told.words or course.match.notice)


def not_kept(course: Course, signal: Signal) -> None:
    """The journal cannot be written: nothing goes on until it can."""
    course.become(Phase.PAUSED, cast("Told", signal).words)
    drop_wish(course)
    course.change(problem=cast("Told", signal).words, adopting=False)


def time(course: Course, _signal: Signal) -> None:
    """What was due happens."""
    match = course.match
    if match.due is None or match.due > course.now:
        return
    if match.blind is not None:
        lost(course, Told(Kind.LOST, match.blind[1]))
    else:
        count(course)


def taken_up(match: Match, game: History, *, ahead: bool = False) -> Match:
    """The match that goes on with a game from its journal; the table is read anew.

    ``ahead``: whether people told what is last in it, so that the table may not show it yet.
    """
    course = Course(match, 0.0)
    course.play(game)
    course.change(withdrawn=_taken_back_last(game), ahead=ahead)
    rest(course)
    wait_for_the_eye(course)
    return course.match


def _taken_back_last(game: History) -> frozenset[str]:
    """What the last entries took back: it may still lie on the table."""
    gone = set()
    for entry in reversed(game.entries):
        if entry.correct is None or entry.happened is not None:
            break
        about = game.entries[entry.correct - 1].happened
        gone |= {about.text} if about else set()
    return frozenset(gone)
