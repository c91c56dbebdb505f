"""The transition table: which signal does what in which phase. What is not in it is ignored.

It is the whole of it: `step` does nothing but look an act up here and carry it out, and a screen offers a
button exactly where the table has an act for it.
"""

from collections.abc import Mapping, Sequence

from device.match.acts import Act, consent, gate_acts, going_on, people_acts, seen
from device.match.match import UNSEEN, Course, Match, Order
from device.match.phase import Phase
from device.match.signals import Kind, Saw, Signal, Told

P, K = Phase, Kind

EVERYWHERE: Mapping[Kind, Act] = {
    K.KEPT: going_on.kept,
    K.NOT_KEPT: going_on.not_kept,
    K.LOST: gate_acts.lost,
    K.FAILED: gate_acts.failed,
    K.SCORED: people_acts.scored,
}
"""What a signal does whatever the phase."""

_AGREE: Mapping[Kind, Act] = {
    K.AS_IT_IS: consent.as_it_is,
    K.BRING_BACK: consent.bring_back,
    K.CONFIRM: consent.confirm,
    K.WITHDRAW: consent.withdraw,
}
"""What both must agree to, in every phase in which a camera sees the table."""
_BRING_BACK: Mapping[Kind, Act] = {
    K.TYPED: people_acts.typed,
    K.BRING_BACK: consent.bring_back,
    K.CONFIRM: consent.confirm,
    K.WITHDRAW: consent.withdraw,
}
"""The same of what was taken back, which no camera need see."""

_READ: Mapping[Kind, Act] = {
    K.NOTHING: seen.nothing,
    K.LEGAL: seen.legal,
    K.REFUSED: seen.refused,
    K.QUESTION: seen.question,
    K.INCOMPLETE: seen.incomplete,
    K.TAKE_BACK: seen.take_back,
    K.DIFFERENT: seen.different,
    K.UNREADABLE: seen.unreadable,
    K.BLIND: gate_acts.blind,
    K.TIME: going_on.time,
    K.PAUSE: people_acts.pause,
    K.TYPED: people_acts.typed,
    **_AGREE,
    K.SET_UP: seen.taken,
    K.LACKING: seen.not_taken,
}
"""What holds in every phase in which the table is followed."""

TABLE: Mapping[Phase, Mapping[Kind, Act]] = {
    P.SETTING_UP: {
        K.SET_UP: seen.set_up, K.LACKING: seen.lacking, **_AGREE, K.TYPED: people_acts.typed,
        K.PAUSE: people_acts.pause, K.BLIND: gate_acts.blind, K.TIME: going_on.time,
    },
    P.WATCHING: {**_READ, K.HAND: gate_acts.hand, K.UNDO: people_acts.undo},
    P.HANDS: {
        K.FREE: gate_acts.free, K.LEGAL: seen.legal, K.REFUSED: seen.refused, K.TAKE_BACK: seen.take_back,
        K.BLIND: gate_acts.blind, K.TIME: going_on.time, K.UNDO: people_acts.undo, K.PAUSE: people_acts.pause,
        K.TYPED: people_acts.typed, **_AGREE, K.SET_UP: seen.taken, K.LACKING: seen.not_taken,
    },
    P.SETTLING: {**_READ, K.HAND: gate_acts.hand, K.UNDO: people_acts.undo},
    P.UNFINISHED: {**_READ, K.HAND: gate_acts.hand, K.UNDO: people_acts.undo},
    P.RULED: {**_READ, K.HAND: gate_acts.hand, K.UNDO: people_acts.undo},
    P.ASKING: {
        **_READ, K.CHOOSE: people_acts.choose, K.UNDO: people_acts.undo,
    },
    P.ILLEGAL: {
        **_READ, K.HAND: gate_acts.hand, K.UNDO: people_acts.undo,
        K.PUT_BACK: people_acts.put_back, K.LET_STAND: consent.let_stand, K.MISREAD: people_acts.misread,
    },
    P.OUT_OF_STEP: {**_READ, K.UNDO: people_acts.undo, K.CHOOSE: people_acts.choose},
    P.PAUSED: {K.PAUSE: people_acts.resume, K.TYPED: people_acts.typed, **_AGREE},
    P.CAMERA_LOST: {
        K.HAND: gate_acts.seen_again, K.FREE: gate_acts.seen_again, K.UNDO: people_acts.undo,
        K.PAUSE: people_acts.pause, K.LET_STAND: consent.let_stand, **_BRING_BACK,
    },
    P.FINISHED: {K.UNDO: people_acts.undo, K.TYPED: people_acts.typed, **_AGREE},
}  # fmt: skip

PEOPLE = frozenset(
    {
        K.CONFIRM,
        K.UNDO,
        K.PAUSE,
        K.CHOOSE,
        K.PUT_BACK,
        K.LET_STAND,
        K.MISREAD,
        K.AS_IT_IS,
        K.BRING_BACK,
        K.WITHDRAW,
        K.TYPED,
    }
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
    K.AS_IT_IS: "The table can be taken as it is only while a game is followed by a camera.",
    K.BRING_BACK: "Nothing is asked that would be brought back.",
    K.WITHDRAW: "Nobody has agreed to anything that could be taken back.",
    K.TYPED: "Nothing can be typed now.",
}
"""What people are told who want something that is not on offer."""
_PICTURES = frozenset({K.HAND, K.FREE, K.LACKING})
"""Signals that only a good picture can make."""
_STIRRING = frozenset({K.HAND, K.BLIND, K.LOST, K.PAUSE})
"""Signals with which, or after which, somebody may move: what was answered before says nothing any more."""


def step(match: Match, signal: Signal, now: float) -> tuple[Match, Sequence[Order]]:
    """The match after one signal, and what it asks to be done."""
    course, is_line = Course(match, now), signal.kind is K.TYPED if isinstance(signal, Told) else False
    if isinstance(signal, Told) and is_line:
        course.change(heard=(match.heard[0] + 1, ""))
        signal = consent.meant(signal.words) or signal
    if isinstance(signal, Saw) and signal.version != match.version:
        return match, ()
    if isinstance(signal, Saw) or signal.kind in _PICTURES:
        course.change(camera=True, blind=None)
    if signal.kind in _STIRRING or (isinstance(signal, Saw) and signal.kind is not K.QUESTION):
        course.change(settled_question="")
    if isinstance(signal, Saw) and signal.view != match.view:
        # the first view after a restart shows the table about which people have said something
        settled = match.settled_question if match.view == UNSEEN else ""
        course.change(settled_question=settled, view=signal.view)
    if isinstance(signal, Saw):
        course.change(shown=signal.shown)
    act = TABLE[match.phase].get(signal.kind) or EVERYWHERE.get(signal.kind)
    if signal.kind in PEOPLE and (refusal := _not_now(match, signal)):
        course.refuse(refusal) if is_line else course.change(notice=refusal)
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
    if match.wish is None:
        found -= {K.WITHDRAW}
    if match.wish is not K.BRING_BACK:
        found -= {K.BRING_BACK}
    judged = match.phase in (P.RULED, P.ILLEGAL) or (match.phase is P.CAMERA_LOST and match.refused)
    if not judged and match.wish not in (K.AS_IT_IS, K.BRING_BACK):
        found -= {K.CONFIRM}
    if match.by_hand or not match.camera or match.problem:
        found -= {K.AS_IT_IS}
    if not match.options:
        found -= {K.CHOOSE}
    if match.pending is None and (match.game is None or not match.game.entries):
        found -= {K.UNDO}
    return found
