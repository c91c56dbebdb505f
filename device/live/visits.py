"""Hands that came to the table: how often, whose, and over which parts of the picture they were."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from device.journal.evidence import Mark
from device.live.ports import Arm
from device.live.steadying import box_at
from engine.scene import Scene, Sighting
from vision.gate import Box, Look, Polygon, State

CELL_PX = 16
"""Where arms were is remembered on a grid this fine."""
NEAR_PX = 24
"""A hand so near to a piece may have touched it: fingers are thin, and hands are higher than the table."""
ARM_SHARE = 0.02
"""What covers less of the picture than this tells nobody's hand."""
WHOLE_VISIT_S = 1.5
"""Nobody comes, does something and is gone again in less."""
_HANDS = (State.HAND, State.RESTING)
BLIND = (State.BUMPED, State.FROZEN, State.BLACK, State.TORN)
"""What a camera shows that sees nothing of the table."""

Cells = NDArray[np.uint8]


@dataclass
class Visits:
    """Those since some moment."""

    count: int = 0
    gaps: bool = False
    """Whether there was a time in which a hand could have come unseen."""
    unwatched: bool = False
    """Whether that was so long that a whole visit may have gone unseen: nobody can count them then."""
    reached: dict[int, Cells] = field(default_factory=dict)
    """For each player whose arm was seen, where it was."""
    covered: Cells | None = None
    """Where anything was over the table."""

    @property
    def untouched(self) -> bool:
        """Whether nobody can have moved anything."""
        return not self.count and not self.gaps and not self.unwatched

    def note(self, look: Look, arms: Iterable[Arm], size_px: tuple[int, int], *, comes: bool) -> None:
        """Take in what the gate says of the next frame; ``comes``: a hand that was not there before."""
        blind = look.state in BLIND
        self.gaps |= blind
        self.unwatched |= blind and look.at_s - look.since_s >= WHOLE_VISIT_S
        self.count += comes
        for outline in look.hidden:
            self.covered = _drawn(self.covered, outline, size_px)
        for arm in arms:
            for player in arm.players if _is_large(arm.outline, size_px) else ():
                self.reached[player] = _drawn(self.reached.get(player), arm.outline, size_px)

    def add(self, later: "Visits") -> None:
        """Those that came after these, too."""
        self.count += later.count
        self.gaps |= later.gaps
        self.unwatched |= later.unwatched
        self.covered = _both(self.covered, later.covered)
        for player, cells in later.reached.items():
            both = _both(self.reached.get(player), cells)
            assert both is not None
            self.reached[player] = both

    def touched(self, box: Box, changed: Sequence[Box]) -> bool:
        """Whether anything may have been done there: a hand was near, or the gate saw a change."""
        if self.gaps or self.unwatched or any(_overlap(box, other) for other in changed):
            return True
        return self.covered is not None and _any_in(self.covered, [_near(box)])

    def told(self, scene: Scene, changed: Sequence[Box] = (), marks: Sequence[Mark] = ()) -> Scene:
        """The scene with what is known of who made it; ``marks`` says where its sightings lie."""
        if self.unwatched:
            return replace(scene, by=None, visits=None)
        by = next(iter(self.reached)) if len(self.reached) == 1 else self._at(changed)
        sightings = scene.sightings
        if len(self.reached) > 1:
            sightings = tuple(replace(one, by=self._at(_boxes(one, marks))) for one in sightings)
        visits = 0 if self.untouched else self.count or None
        return replace(scene, sightings=sightings, by=by, visits=visits)

    def _at(self, boxes: Sequence[Box]) -> int | None:
        """The player who alone was there, or alone was at every one of the boxes; who hovers is at a few."""
        there = [player for player, cells in self.reached.items() if _any_in(cells, boxes)]
        if len(there) > 1:
            near = [_near(box) for box in boxes]
            there = [who for who in there if all(_any_in(self.reached[who], [box]) for box in near)]
        return there[0] if len(there) == 1 else None


def is_hand(look: Look) -> bool:
    """Whether a hand is over the table."""
    return look.state in _HANDS


def _is_large(outline: Polygon, size_px: tuple[int, int]) -> bool:
    """Whether this is enough of an arm to tell whose it is: at the rim a shadow covers a little, too."""
    area = cv2.contourArea(np.array(outline, dtype=np.int32))
    return area >= ARM_SHARE * size_px[0] * size_px[1]


def _drawn(cells: Cells | None, outline: Polygon, size_px: tuple[int, int]) -> Cells:
    """The cells with those under an outline."""
    grid = _grid(size_px)
    found = grid if cells is None or cells.shape != grid.shape else cells
    points = np.array(outline, dtype=np.int32) // CELL_PX
    cv2.fillPoly(found, [points], [1])
    cv2.polylines(found, [points], isClosed=True, color=[1])
    return found


def _both(one: Cells | None, other: Cells | None) -> Cells | None:
    """The cells of both; of pictures of another size those of the later."""
    if one is None or other is None or one.shape != other.shape:
        return one if other is None else other
    return np.maximum(one, other)


def _overlap(one: Box, other: Box) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def _grid(size_px: tuple[int, int]) -> Cells:
    return np.zeros((size_px[1] // CELL_PX + 1, size_px[0] // CELL_PX + 1), dtype=np.uint8)


def _near(box: Box) -> Box:
    """A box and what is so near to it that a hand there may have been at it."""
    return box[0] - NEAR_PX, box[1] - NEAR_PX, box[2] + NEAR_PX, box[3] + NEAR_PX


def _boxes(one: Sighting, marks: Sequence[Mark]) -> Sequence[Box]:
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
