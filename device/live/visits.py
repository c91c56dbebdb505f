"""Hands that came to the table: how often, whose, and over which parts of the picture they were."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from device.journal.evidence import Mark
from device.live.ports import Arm
from engine.scene import Scene, Sighting
from vision.gate import Box, Look, State

CELL_PX = 16
"""Where arms were is remembered on a grid this fine."""
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
    reached: dict[int, Cells] = field(default_factory=dict)
    """For each player whose arm was seen, where it was."""

    @property
    def untouched(self) -> bool:
        """Whether nobody can have moved anything."""
        return not self.count and not self.gaps

    def note(self, look: Look, arms: Iterable[Arm], size_px: tuple[int, int], *, comes: bool) -> None:
        """Take in what the gate says of the next frame; ``comes``: a hand that was not there before."""
        self.gaps |= look.state in BLIND
        self.count += comes
        for arm in arms:
            for player in arm.players:
                cells = self.reached.setdefault(player, _grid(size_px))
                if cells.shape != _grid(size_px).shape:
                    cells = self.reached[player] = _grid(size_px)
                outline = np.array(arm.outline, dtype=np.int32) // CELL_PX
                cv2.fillPoly(cells, [outline], [1])
                cv2.polylines(cells, [outline], isClosed=True, color=[1])

    def add(self, later: "Visits") -> None:
        """Those that came after these, too."""
        self.count += later.count
        self.gaps |= later.gaps
        for player, cells in later.reached.items():
            mine = self.reached.get(player)
            fits = mine is not None and mine.shape == cells.shape
            self.reached[player] = np.maximum(mine, cells) if mine is not None and fits else cells

    def told(self, scene: Scene, changed: Sequence[Box] = (), marks: Sequence[Mark] = ()) -> Scene:
        """The scene with what is known of who made it; ``marks`` says where its sightings lie."""
        by = next(iter(self.reached)) if len(self.reached) == 1 else self._at(changed)
        sightings = scene.sightings
        if len(self.reached) > 1:
            sightings = tuple(replace(one, by=self._at(_box(one, marks))) for one in sightings)
        return replace(scene, sightings=sightings, by=by, visits=self.count or None)

    def _at(self, boxes: Sequence[Box]) -> int | None:
        """The player who alone was there."""
        there = [player for player, cells in self.reached.items() if _any_in(cells, boxes)]
        return there[0] if len(there) == 1 else None


def is_hand(look: Look) -> bool:
    """Whether a hand is over the table."""
    return look.state in _HANDS


def _grid(size_px: tuple[int, int]) -> Cells:
    return np.zeros((size_px[1] // CELL_PX + 1, size_px[0] // CELL_PX + 1), dtype=np.uint8)


def _box(one: Sighting, marks: Sequence[Mark]) -> Sequence[Box]:
    """Where a sighting lies in the picture, if its mark is known."""
    if not one.ref.isdecimal() or int(one.ref) >= len(marks):
        return ()
    across, down = zip(*marks[int(one.ref)].outline, strict=True)
    return [(int(min(across)), int(min(down)), int(max(across)), int(max(down)))]


def _any_in(cells: Cells, boxes: Sequence[Box]) -> bool:
    """Whether an arm was over one of the boxes."""
    return any(
        cells[upper // CELL_PX : lower // CELL_PX + 1, left // CELL_PX : right // CELL_PX + 1].any()
        for left, upper, right, lower in boxes
    )
