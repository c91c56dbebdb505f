"""The transition table: which signal does what in which phase. What is not in it is ignored.

It is the whole of it: `step` does nothing but look an act up here and carry it out, and a screen offers a
button exactly where the table has an act for it.
"""

from collections.abc import Mapping, Sequence

from device.match import acts
from device.match.acts import Act
from device.match.match import Course, Match, Order
from device.match.phase import Phase
from device.match.signals import Kind, Saw, Signal, Told

P, K = Phase, Kind

EVERYWHERE: Mapping[Kind, Act] = {
    K.KEPT: acts.kept,
    K.NOT_KEPT: acts.not_kept,
    K.LOST: acts.lost,
    K.SCORED: acts.scored,
}
"""What a signal does whatever the phase."""

_READ: Mapping[Kind, Act] = {
    K.NOTHING: acts.nothing,
    K.LEGAL: acts.legal,
    K.REFUSED: acts.refused,
    K.QUESTION: acts.question,
    K.INCOMPLETE: acts.incomplete,
    K.TAKE_BACK: acts.take_back,
    K.DIFFERENT: acts.different,
    K.UNREADABLE: acts.unreadable,
    K.BLIND: acts.blind,
    K.TIME: acts.time,
    K.PAUSE: acts.pause,
    K.TYPED: acts.typed,
}
"""What holds in every phase in which the table is followed."""

TABLE: Mapping[Phase, Mapping[Kind, Act]] = {
    P.SETTING_UP: {
        K.SET_UP: acts.set_up, K.LACKING: acts.lacking, K.AS_IT_IS: acts.as_it_is, K.TYPED: acts.typed,
        K.PAUSE: acts.pause, K.BLIND: acts.blind, K.TIME: acts.time,
    },
    P.WATCHING: {**_READ, K.HAND: acts.hand, K.UNDO: acts.undo},
    P.HANDS: {
        K.FREE: acts.free, K.BLIND: acts.blind, K.TIME: acts.time, K.UNDO: acts.undo, K.PAUSE: acts.pause,
        K.TYPED: acts.typed,
    },
    P.SETTLING: {
        **_READ, K.HAND: acts.hand, K.UNDO: acts.undo, K.SET_UP: acts.taken, K.LACKING: acts.not_taken,
    },
    P.UNFINISHED: {**_READ, K.HAND: acts.hand, K.UNDO: acts.undo},
    P.RULED: {**_READ, K.HAND: acts.hand, K.CONFIRM: acts.confirm, K.UNDO: acts.undo},
    P.ASKING: {
        **_READ, K.CHOOSE: acts.choose, K.UNDO: acts.undo, K.AS_IT_IS: acts.as_it_is, K.SET_UP: acts.set_up,
        K.LACKING: acts.not_taken,
    },
    P.ILLEGAL: {
        **_READ, K.HAND: acts.hand, K.CONFIRM: acts.confirm, K.UNDO: acts.undo, K.PUT_BACK: acts.put_back,
        K.LET_STAND: acts.let_stand, K.MISREAD: acts.misread, K.AS_IT_IS: acts.as_it_is,
        K.SET_UP: acts.set_up, K.LACKING: acts.not_taken,
    },
    P.OUT_OF_STEP: {
        **_READ, K.UNDO: acts.undo, K.AS_IT_IS: acts.as_it_is, K.SET_UP: acts.set_up,
        K.LACKING: acts.not_taken,
    },
    P.PAUSED: {K.PAUSE: acts.resume, K.TYPED: acts.typed},
    P.CAMERA_LOST: {
        K.HAND: acts.seen_again, K.FREE: acts.seen_again, K.UNDO: acts.undo, K.PAUSE: acts.pause,
        K.TYPED: acts.typed, K.LET_STAND: acts.let_stand,
    },
    P.FINISHED: {K.UNDO: acts.undo, K.TYPED: acts.typed},
}  # fmt: skip

PEOPLE = frozenset(
    {K.CONFIRM, K.UNDO, K.PAUSE, K.CHOOSE, K.PUT_BACK, K.LET_STAND, K.MISREAD, K.AS_IT_IS, K.TYPED}
)
"""What people do."""
_NOT_NOW: Mapping[Kind, str] = {
    K.CONFIRM: "There is nothing to confirm.",
    K.UNDO: "There is nothing to take back.",
    K.PAUSE: "The game is over: there is nothing to pause.",
    K.CHOOSE: "Nothing is asked.",
    K.PUT_BACK: "There is no refused move to put back.",
    K.LET_STAND: "There is no refused move that could stand.",
    K.MISREAD: "There is no refusal that could be an error.",
    K.AS_IT_IS: "The table is taken as it is only where it and the record disagree.",
    K.TYPED: "Nothing can be typed now.",
}
"""What people are told who want something that is not on offer."""
_PICTURES = frozenset({K.HAND, K.FREE, K.LACKING})
"""Signals that only a good picture can make."""
_STIRRING = frozenset({K.HAND, K.BLIND, K.LOST, K.PAUSE})
"""Signals with which, or after which, somebody may move: what was answered before says nothing any more."""


def step(match: Match, signal: Signal, now: float) -> tuple[Match, Sequence[Order]]:
    """The match after one signal, and what it asks to be done."""
    course = Course(match, now)
    if isinstance(signal, Saw) and signal.version != match.version:
        return match, ()
    if isinstance(signal, Saw) or signal.kind in _PICTURES:
        course.change(camera=True, blind=None)
    if signal.kind in _STIRRING or (isinstance(signal, Saw) and signal.kind is not K.QUESTION):
        course.change(settled_question="")
    if isinstance(signal, Saw) and signal.view != match.view:
        course.change(settled_question="", view=signal.view)
    act = TABLE[match.phase].get(signal.kind) or EVERYWHERE.get(signal.kind)
    if signal.kind in PEOPLE and (refusal := _not_now(match, signal)):
        course.change(notice=refusal)
    elif act is not None:
        act(course, signal)
    return course.match, tuple(course.orders)


def _not_now(match: Match, signal: Signal) -> str:
    """Why nothing comes of what somebody pressed, or nothing."""
    if isinstance(signal, Told) and signal.key and signal.key != match.key:
        return "That is no longer what is asked: look again."
    return "" if signal.kind in offered(match) else _NOT_NOW[signal.kind]


def offered(match: Match) -> frozenset[Kind]:
    """What people may do now."""
    found = PEOPLE & set(TABLE[match.phase])
    if match.phase is P.CAMERA_LOST and not match.refused:
        found -= {K.LET_STAND}
    if match.pending is None and (match.game is None or not match.game.entries):
        found -= {K.UNDO}
    return found
