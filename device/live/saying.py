"""What the eye says of a look and of a verdict: to whom it matters, and with which part of the picture."""

from collections.abc import Sequence
from dataclasses import replace

from device.journal.events import Picture as JournalPicture
from device.journal.ruling_pictures import Outline, box_of, evidence
from device.live.ports import Picture
from device.live.told_already import lies_still
from device.match.shown import around
from device.match.signals import Kind, Told
from engine.history import History
from engine.matching import (
    Choice,
    Incomplete,
    Nothing,
    OutOfStep,
    Question,
    Ruled,
    TakeBack,
    Unreadable,
    Verdict,
)
from engine.scene import Scene
from vision.view import Box, FrameState, Look

SHOWN = (Ruled, Question, TakeBack)
"""Verdicts that rest on pictures worth keeping."""
_DISTURBING = (OutOfStep, Unreadable, Question)
_BLIND = {
    FrameState.BUMPED: "The camera was moved; it has to find the table again.",
    FrameState.FROZEN: "The camera sends the same picture again and again.",
    FrameState.BLACK: "The picture is black: the lens is covered, or there is no light.",
    FrameState.TORN: "Part of the picture is missing.",
}


def of_look(look: Look) -> Told | None:
    """What the gate says, for the match; a change of light is nobody's business."""
    if look.hand:
        return Told(Kind.HAND)
    if look.state in (FrameState.STARTING, FrameState.SETTLED, FrameState.SETTLING):
        return Told(Kind.FREE)
    words = _BLIND.get(look.state)
    return None if words is None else Told(Kind.BLIND, words)


def needs_another_look(verdict: Verdict, game: History | None) -> bool:
    """Whether this would disturb people or accuse somebody, or something was read that may be otherwise."""
    if isinstance(verdict, Incomplete):
        return bool(verdict.differences)  # else nothing is amiss, and something is only waited for
    if not isinstance(verdict, Ruled):
        return isinstance(verdict, _DISTURBING) or (isinstance(verdict, TakeBack) and verdict.more)
    accuses = verdict.refused and not lies_still(verdict, game)
    return accuses or verdict.doubted or verdict.more or (bool(verdict.revised) and not verdict.happened)


def is_plain(verdict: Verdict) -> bool:
    """Whether moves were made that are allowed, and neither a look back nor another look is needed."""
    return is_done(verdict) and isinstance(verdict, Ruled) and not verdict.doubted


def is_done(verdict: Verdict) -> bool:
    """The same, whatever else may have been read there: who came first when nobody else had begun, say."""
    return isinstance(verdict, Ruled) and bool(verdict.happened) and not (verdict.refused or verdict.revised)


def explains_all(verdict: Verdict) -> bool:
    """Whether table and record agree once this counts: nothing was done, or what is allowed and no more."""
    if isinstance(verdict, Nothing):
        return not verdict.doubts
    return isinstance(verdict, Ruled) and is_done(verdict) and not (verdict.more or verdict.doubts)


def surely_done(verdict: Verdict) -> Verdict:
    """The same without what was read in doubt after the last move: of a tile that was turned below a man."""
    if not isinstance(verdict, Ruled) or verdict.refused or not verdict.happened:
        return verdict
    last = max((number for number, one in enumerate(verdict.happened, 1) if one.kind == "move"), default=0)
    rest = [number for number, one in enumerate(verdict.happened) if number >= last and one.alike]
    return replace(verdict, happened=verdict.happened[: rest[0]], more=True) if last and rest else verdict


def is_alike(one: Verdict, other: Verdict) -> bool:
    """Whether both tell that the same was done."""
    if not isinstance(one, Ruled) or not isinstance(other, Ruled):
        return False
    return [each.text for each in one.happened] == [each.text for each in other.happened]


def done_by_nobody(verdict: Ruled | TakeBack) -> Question:
    """What was done where nobody was seen."""
    choices = (Choice("nothing", Nothing()), Choice(verdict.sentence, verdict))
    return Question("The table looks different, and nobody was seen at it. What happened?", choices)


def by_nobody(scene: Scene) -> Scene:
    """The same scene, if nobody knew whose hands were there."""
    sightings = tuple(replace(one, by=None) for one in scene.sightings)
    return replace(scene, by=None, sightings=sightings, lately=None)


def shown(
    verdict: Verdict, before: Picture | None, now: Picture, changed: Sequence[Box], marks: Sequence[Outline]
) -> Sequence[JournalPicture]:
    """The pictures that show what a verdict rests on, as far as they are worth keeping."""
    worth = isinstance(verdict, SHOWN) or (isinstance(verdict, OutOfStep) and verdict.choices)
    return evidence(before, now, *where(changed, marks)) if worth else ()


def odd_marks(verdict: Verdict, marks: Sequence[Outline]) -> tuple[Outline, ...]:
    """What was seen that lies otherwise than the record says."""
    differences = verdict.differences if isinstance(verdict, OutOfStep | Unreadable) else ()
    numbers = {int(one.ref) for one in differences if one.ref.isdecimal()}
    return tuple(marks[number] for number in sorted(numbers) if number < len(marks))


def where(changed: Sequence[Box], marks: Sequence[Outline]) -> tuple[tuple[Outline, ...], Box | None]:
    """The marks where the table changed, and the box around it; without a change the whole table counts."""
    if (box := around(changed)) is None:
        return tuple(marks), box_of(marks)
    return tuple(mark for mark in marks if any(_inside(point, box) for point in mark.outline)), box


def _inside(point: tuple[float, float], box: Box) -> bool:
    return box[0] <= point[0] <= box[2] and box[1] <= point[1] <= box[3]
