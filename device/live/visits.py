"""Hands that came to the table: how often, whose, and over which parts of the picture they were."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeVar

import cv2
import numpy as np
from numpy.typing import NDArray

from device.journal.ruling_pictures import Outline
from device.live.steadying import box_at
from engine.scene import Hands, Scene, Sighting
from vision.view import Box, FrameState, Look, Polygon, SeenArm

CELL_PX = 16
"""Where arms were is remembered on a grid this fine."""
NEAR_PX = 24
"""A hand so near to a piece may have touched it: fingers are thin, and hands are higher than the table."""
ARM_SHARE = 0.02
"""What covers less of the picture than this tells nobody's hand."""
BRIEF_S = 0.8
"""In less time nobody reaches in and moves a piece: a shadow at the rim, beside another's arm."""
_A_FRAME_S = BRIEF_S / 2
"""No arm counts for longer for being in one frame, however long no other was looked at before it."""
WHOLE_VISIT_S = 1.5
"""Nobody comes, does something and is gone again in less."""

Cells = NDArray[np.uint8]
_Who = TypeVar("_Who")


@dataclass(frozen=True, eq=False)
class _Visit:
    """One of them: for how long each player's arm was seen, and where."""

    seen_s: Mapping[frozenset[int], float] = field(default_factory=dict)
    """By whose arm it may have been; what reaches the rim at both sides may be anybody's."""
    cells: Mapping[frozenset[int], Cells] = field(default_factory=dict)

    def note(self, arms: Sequence[SeenArm], size_px: tuple[int, int], lasted_s: float) -> "_Visit":
        """The same with arms that were seen for so long."""
        seen_s, cells = dict(self.seen_s), dict(self.cells)
        for players in {arm.players for arm in arms}:
            seen_s[players] = seen_s.get(players, 0.0) + lasted_s
        for arm in arms:
            cells[arm.players] = _drawn(cells.get(arm.players), arm.outline, size_px)
        return _Visit(seen_s, cells)

    def of(self, players: frozenset[int]) -> "_Visit":
        """Only these players' part of it."""
        seen_s, found = dict[frozenset[int], float](), dict[frozenset[int], Cells]()
        for each, cells in self.cells.items():
            if theirs := each & players:
                seen_s[theirs] = seen_s.get(theirs, 0.0) + self.seen_s.get(each, 0.0)
                found = _joined(found, {theirs: cells})
        return _Visit(seen_s, found)

    @property
    def reached(self) -> dict[int, Cells]:
        """For each player who was there, where.

        An arm comes in and goes out at its own side: what reaches the rim at both sides meanwhile is that
        arm with its shadow, unless both were seen.
        """
        alone = {next(iter(who)): seen_s for who, seen_s in self.seen_s.items() if len(who) == 1}
        there = {*alone} or {player for players in self.cells for player in players}
        if any(seen_s >= BRIEF_S for seen_s in alone.values()):
            there = {player for player in there if self._most_s(player) >= BRIEF_S}
        found: dict[int, Cells] = {}
        for players, cells in self.cells.items():
            found = _joined(found, dict.fromkeys(players & there, cells))
        return found

    def _most_s(self, player: int) -> float:
        """For how long at most this player's arm was there."""
        return sum(seen_s for players, seen_s in self.seen_s.items() if player in players)


@dataclass(frozen=True, eq=False)
class Visits:
    """Those since some moment: a value."""

    count: int = 0
    gaps: bool = False
    """Whether there was a time in which a hand could have come unseen."""
    unwatched: bool = False
    """Whether that was so long that a whole visit may have gone unseen: nobody can count them then."""
    covered: Cells | None = None
    """Where anything was over the table."""
    first: int | None = None
    """Whose arm was seen before any other's."""
    came_again: bool = False
    """Whether nobody was there for a moment since that arm came: what that one came for is done."""
    _before: Mapping[int, Cells] = field(default_factory=dict)
    """For each player whose arm was seen, where it was, before the last visit."""
    _last: _Visit = field(default_factory=_Visit)
    _at_s: float | None = None
    """When the last frame was taken in."""

    @property
    def untouched(self) -> bool:
        """Whether nobody can have moved anything."""
        return not self.count and not self.gaps and not self.unwatched

    def note(self, look: Look, arms: Iterable[SeenArm], size_px: tuple[int, int], *, comes: bool) -> "Visits":
        """The same with what is seen in the next frame; ``comes``: a hand that was not there before."""
        # After a knock the table is found anew: till then nobody's hand is told from the table.
        blind = look.blind or (look.state is FrameState.STARTING and look.view > 0)
        covered, there = self.covered, large(arms, size_px)
        for outline in look.hidden:
            covered = _drawn(covered, outline, size_px)
        lasted_s = 0.0 if self._at_s is None else min(look.at_s - self._at_s, _A_FRAME_S)
        return Visits(
            self.count + comes,
            self.gaps or blind,
            self.unwatched or (blind and look.at_s - look.since_s >= WHOLE_VISIT_S),
            covered,
            self._first_of(there),
            self.came_again or (comes and self.first is not None),
            self.reached if comes else self._before,
            (_Visit() if comes else self._last).note(there, size_px, lasted_s),
            look.at_s,
        )

    def _first_of(self, there: Sequence[SeenArm]) -> int | None:
        """Whose arm was seen before any other's, if these are there now."""
        whose = {player for arm in there for player in arm.players}
        alone = len(whose) == 1 and self.first is None and not self.reached
        return next(iter(whose)) if alone else self.first

    @property
    def reached(self) -> dict[int, Cells]:
        """For each player whose arm was seen, where it was."""
        return _joined(self._before, self._last.reached)

    def add(self, later: "Visits") -> "Visits":
        """These, and those that came after them."""
        none = self.first is None and not self.reached
        return replace(
            self,
            count=self.count + later.count,
            gaps=self.gaps or later.gaps,
            unwatched=self.unwatched or later.unwatched,
            covered=_both(self.covered, later.covered),
            first=later.first if none else self.first,
            came_again=later.came_again if none else self.came_again or later.count > 0,
            _before=_joined(self._before, later.reached),
        )

    def parted(self, there: frozenset[int]) -> tuple["Visits", "Visits"]:
        """Those of the ones who have gone, and those of the ones who are still there, as if just come."""
        both = {player for players in self._last.cells for player in players}
        first = None if self.first in there and not self.came_again else self.first
        ongoing, covered = self._last.of(there), None
        for cells in ongoing.cells.values():
            covered = _both(covered, cells)
        gone = replace(self, first=first, _last=self._last.of(frozenset(both - there)))
        return gone, Visits(1, covered=covered, _last=ongoing, _at_s=self._at_s)

    def touched(self, box: Box, changed: Sequence[Box]) -> bool:
        """Whether anything may have been done there: a hand was near, or the gate saw a change."""
        if self.gaps or self.unwatched or any(overlap(box, other) for other in changed):
            return True
        return self.covers(box)

    def covers(self, box: Box) -> bool:
        """Whether a hand was over a place, or near it."""
        return self.covered is not None and _any_in(self.covered, [_near(box)])

    def since_asked(self, scene: Scene, changed: Sequence[Box], marks: Sequence[Outline]) -> Scene:
        """The scene with these as those who came since players were asked what it shows."""
        now = self.told(scene, changed, marks)
        at = {one.ref: one.by for one in now.sightings if one.ref and one.by is not None}
        return replace(scene, lately=Hands(now.by, now.visits, at))

    def told(self, scene: Scene, changed: Sequence[Box] = (), marks: Sequence[Outline] = ()) -> Scene:
        """The scene with what is known of who made it; ``marks`` says where its sightings lie."""
        if self.unwatched:
            return replace(scene, by=None, visits=None)
        reached = self.reached
        by = next(iter(reached)) if len(reached) == 1 else _alone_at(reached, changed)
        sightings = scene.sightings
        if len(reached) > 1:
            sightings = tuple(replace(one, by=_alone_at(reached, _boxes(one, marks))) for one in sightings)
        visits = 0 if self.untouched else self.count or None
        return replace(scene, sightings=sightings, by=by, visits=visits, came=self.first)


def _alone_at(reached: Mapping[int, Cells], boxes: Sequence[Box]) -> int | None:
    """The player who alone was there, or alone was at every one of the boxes; who hovers is at a few."""
    there = [player for player, cells in reached.items() if _any_in(cells, boxes)]
    if len(there) > 1:
        near = [_near(box) for box in boxes]
        there = [who for who in there if all(_any_in(reached[who], [box]) for box in near)]
    return there[0] if len(there) == 1 else None


def large(arms: Iterable[SeenArm], size_px: tuple[int, int]) -> list[SeenArm]:
    """Those of which enough is seen to tell whose they are: at the rim a shadow covers a little, too."""
    least = ARM_SHARE * size_px[0] * size_px[1]
    return [arm for arm in arms if cv2.contourArea(np.array(arm.outline, dtype=np.int32)) >= least]


def _drawn(cells: Cells | None, outline: Polygon, size_px: tuple[int, int]) -> Cells:
    """The cells with those under an outline."""
    grid = _grid(size_px)
    found = grid if cells is None or cells.shape != grid.shape else cells.copy()
    points = np.array(outline, dtype=np.int32) // CELL_PX
    cv2.fillPoly(found, [points], [1])
    cv2.polylines(found, [points], isClosed=True, color=[1])
    return found


def _joined(one: Mapping[_Who, Cells], other: Mapping[_Who, Cells]) -> dict[_Who, Cells]:
    """Where each was in the one, and in the other, too."""
    both = ((who, _both(one.get(who), cells)) for who, cells in other.items())
    return {**one, **{who: cells for who, cells in both if cells is not None}}


def _both(one: Cells | None, other: Cells | None) -> Cells | None:
    """The cells of both; of pictures of another size those of the later."""
    if one is None or other is None or one.shape != other.shape:
        return one if other is None else other
    return np.maximum(one, other)


def overlap(one: Box, other: Box) -> bool:
    """Whether two boxes share anything."""
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def _grid(size_px: tuple[int, int]) -> Cells:
    return np.zeros((size_px[1] // CELL_PX + 1, size_px[0] // CELL_PX + 1), dtype=np.uint8)


def _near(box: Box) -> Box:
    """A box and what is so near to it that a hand there may have been at it."""
    return box[0] - NEAR_PX, box[1] - NEAR_PX, box[2] + NEAR_PX, box[3] + NEAR_PX


def _boxes(one: Sighting, marks: Sequence[Outline]) -> Sequence[Box]:
    box = box_at(one, marks)
    return () if box is None else (box,)


def _any_in(cells: Cells, boxes: Sequence[Box]) -> bool:
    """Whether an arm was over one of the boxes."""
    return any(
        cells[
            max(0, upper) // CELL_PX : max(0, lower) // CELL_PX + 1,
            max(0, left) // CELL_PX : max(0, right) // CELL_PX + 1,
        ].any()
        for left, upper, right, lower in boxes
    )
