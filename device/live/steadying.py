"""What nobody touched has not moved: a table as it was read, held against how it lay when it was agreed on.

A piece that was there, where no hand has been since and where the gate saw no change, is there still, though
this reading missed it; and something new in such a place is a shadow, or a pattern of the cloth. So it is,
too, where a hand has been and the place looks just as it did. What a piece *shows* is not touched: a better
reading may tell that an earlier one was wrong. One that seems to lie otherwise was looked at through the
wrong corners: of that the earlier reading counts. But of a map that nobody was at there is no news: it has so
many squares that something strange is always read in one of them.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from math import dist

from device.journal.ruling_pictures import Outline
from device.live.ports import Seen
from engine.scene import Sighting
from vision.view import Box

_PIECES = ("domino", "wall", "coin", "die", "pawn", "soldier")
_LONG = ("domino", "wall")
_ACROSS = 45.0
"""So far, in degrees, nothing is turned by a reading alone."""
_PLAIN = 0.9
"""What is less surely there may have been a shadow."""
NEAR = 0.5
"""So near, in shares of the longer of both, a piece is where it was."""


def steadied(
    seen: Seen,
    before: Seen,
    touched: Callable[[Box], bool],
    same: Callable[[Box], bool] = lambda _box: False,
) -> Seen:
    """What was seen, held against what lay there before.

    ``touched`` says where somebody may have been at work, ``same`` where the picture is just what it was.
    """
    now = [(one, box) for one in seen.scene.sightings if (box := box_at(one, seen.marks)) is not None]
    then = [(one, box) for one in before.scene.sightings if (box := box_at(one, before.marks)) is not None]
    marks, missed, overlooked = list(seen.marks), list[Sighting](), list[Box]()
    for one, box in then:
        if not _lies_as(one, box, now) and (not touched(box) or same(box)):
            missed.append(replace(one, ref=str(len(marks)), by=None))
            marks.append(before.marks[int(one.ref)])
            overlooked.append(box)
    ghosts = {
        id(one)
        for one, box in now
        if not _lies_as(one, box, then)
        and (not touched(box) or same(box) or any(_is_within(middle(box), piece) for piece in overlooked))
    }
    maps = {one.region for one in before.scene.sightings if one.kind == "sheet"}
    known = {
        id(one) for one in seen.scene.sightings if one.region in maps and _is_old(one, seen.marks, touched)
    }
    kept = tuple(
        replace(one, guesses=()) if id(one) in known else one
        for one in seen.scene.sightings
        if id(one) not in ghosts
    )
    come = tuple(one.ref for one, box in now if id(one) not in ghosts and not _is_among(one, box, then))
    scene = replace(seen.scene, sightings=(*kept, *missed), fresh=come)
    return replace(seen, scene=scene, marks=tuple(marks))


def loses(now: Seen, earlier: Seen, bare: Callable[[Box], bool] = lambda _box: False) -> bool:
    """Whether a piece that was put down since table and record agreed was seen earlier, and is not now.

    ``bare`` says where nothing that was put down since can be lying: what lay there was taken away again.
    """
    lie = [(one, box) for one in now.scene.sightings if (box := box_at(one, now.marks)) is not None]
    return any(
        not _is_among(one, box, lie)
        for one in earlier.scene.sightings
        if one.ref in earlier.scene.fresh
        and one.presence > _PLAIN
        and (box := box_at(one, earlier.marks)) is not None
        and not bare(box)
    )


def _is_old(one: Sighting, marks: Sequence[Outline], touched: Callable[[Box], bool]) -> bool:
    """Whether this is a map that nobody was at."""
    return one.kind == "sheet" and (box := mark_box(one, marks)) is not None and not touched(box)


def box_at(one: Sighting, marks: Sequence[Outline]) -> Box | None:
    """Where a piece lies in the picture, if its mark is known."""
    return mark_box(one, marks) if one.kind in _PIECES else None


def mark_box(one: Sighting, marks: Sequence[Outline]) -> Box | None:
    """Where anything that was seen lies in the picture, if its mark is known."""
    if not one.ref.isdecimal() or int(one.ref) >= len(marks):
        return None
    across, down = zip(*marks[int(one.ref)].outline, strict=True)
    return int(min(across)), int(min(down)), int(max(across)), int(max(down))


def _is_among(one: Sighting, box: Box, others: Sequence[tuple[Sighting, Box]]) -> bool:
    """Whether one of the others is of the same kind and lies about there."""
    return any(other.kind == one.kind and away(box, there) <= NEAR for other, there in others)


def _lies_as(one: Sighting, box: Box, others: Sequence[tuple[Sighting, Box]]) -> bool:
    """Whether one of the others lies there, and no otherwise."""
    return any(_is_among(one, box, [other]) and not _is_turned(one, other[0]) for other in others)


def _is_turned(one: Sighting, other: Sighting) -> bool:
    """Whether a long piece lies across another: whatever is read of it, both cannot be so."""
    if one.kind not in _LONG or one.angle is None or other.angle is None:
        return False
    return abs((one.angle - other.angle + 90) % 180 - 90) > _ACROSS


def _is_within(at: tuple[float, float], box: Box) -> bool:
    return box[0] <= at[0] <= box[2] and box[1] <= at[1] <= box[3]


def away(one: Box, other: Box) -> float:
    """How far apart two boxes lie, by the longest side of both: of a pawn one may hold the head alone."""
    longest = max(one[2] - one[0], one[3] - one[1], other[2] - other[0], other[3] - other[1], 1)
    return dist(middle(one), middle(other)) / longest


def middle(box: Box) -> tuple[float, float]:
    """The middle of a box."""
    return (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
