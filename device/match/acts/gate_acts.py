"""What a match does with what the gate and the camera say."""

from typing import cast

from device.match.acts.steps import drop_wish, rest
from device.match.match import Course
from device.match.phase import Phase
from device.match.signals import Kind, Signal, Told


def hand(course: Course, _signal: Signal) -> None:
    """A hand comes: what was seen and does not count yet is seen again when it has left."""
    if course.match.phase is not Phase.ILLEGAL or course.match.pending is not None:
        course.become(Phase.HANDS)


def free(course: Course, _signal: Signal) -> None:
    """The hand has left."""
    course.become(Phase.SETTLING)


def seen_again(course: Course, signal: Signal) -> None:
    """There is a picture again."""
    course.look_anew()
    rest(course)
    if course.match.phase is Phase.WATCHING:
        course.become(Phase.HANDS if signal.kind is Kind.HAND else Phase.SETTLING)


def lost(course: Course, signal: Signal) -> None:
    """The camera is away: the match goes on by hand, and no table can be taken as it is."""
    course.change(camera=False, adopting=False)
    if course.match.wish is Kind.AS_IT_IS:
        drop_wish(course)
    if course.match.by_hand:
        if course.match.phase is Phase.SETTLING:
            rest(course)
    elif course.match.phase not in (Phase.PAUSED, Phase.FINISHED):
        course.become(Phase.CAMERA_LOST, cast("Told", signal).words)


def failed(course: Course, signal: Signal) -> None:
    """The eye made an error: that is its own fault and no camera's, and it looks again."""
    course.change(notice=cast("Told", signal).words)


def blind(course: Course, signal: Signal) -> None:
    """The picture shows nothing; if that lasts, the camera counts as lost."""
    if course.match.blind is None:
        course.change(blind=(course.now, cast("Told", signal).words))
