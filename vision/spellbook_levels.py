"""From which darkness on something in a spellbook is ink: the book itself tells, by all that it shows."""

from dataclasses import dataclass

import numpy as np

from vision.sheet_cells import Floats

_LEAST_INK = 0.07
"""Less darkness than this, as a part of the paper's light, is no ink."""
_MOST_BLANK = 0.25
"""More darkness than this is no blank box."""


@dataclass(frozen=True, slots=True)
class Level:
    """From which darkness on something is ink, and how far around that it is doubtful."""

    least: float
    slack: float

    def ink(self, dark: float) -> bool:
        """Whether something as dark as this is ink."""
        return dark > self.least

    def may_be_ink(self, dark: float) -> bool:
        """Whether something as dark as this could be a thin line at least."""
        return dark > self.least - 1.6 * self.slack

    def doubtful(self, dark: float) -> bool:
        """Whether it could as well be the other."""
        return abs(dark - self.least) < self.slack


@dataclass(frozen=True)
class Levels:
    """From which darkness on something is ink: in a box, in a gap, in the circle of whoever has the power."""

    box: Level
    gap: Level
    circle: Level
    stain: float
    """A circle as dark as this is crossed off or stained, whose ever it is."""
    thin: float
    """What a line through a box leaves there at the least."""
    whole: float
    """What fills its box leaves as much as this."""


def levels_of(boxes: Floats, gaps: Floats, used: list[float]) -> Levels:
    """What is ink in this book, by all that its boxes, gaps and circles show."""
    level = _box_level(boxes)
    ticked, blank = boxes[boxes > level.least], boxes[boxes <= level.least]
    bare = float(np.median(blank)) if len(blank) else 0.0
    typical = float(np.median(ticked)) if len(ticked) else 1.0
    contrast = typical - bare
    # Print shines into narrow gaps and small circles: what most of them show is none of the players' ink.
    gap, circle = float(np.percentile(gaps, 30)), float(np.median(used))
    # Blank circles differ little, whatever the pen; a thin cross is not much darker.
    crossed = float(np.clip(0.07 * contrast, 0.022, 0.05))
    return Levels(
        level,
        Level(gap + 0.3 * contrast, 0.15 * contrast),
        Level(circle + crossed, 0.35 * crossed),
        stain=circle + 0.25 * contrast,
        thin=bare + 0.3 * (level.least - bare),
        whole=0.6 * typical,
    )


def _box_level(inks: Floats) -> Level:
    """Between blank boxes and ticked ones: in the widest gap (by ratio) of what the boxes show."""
    order = np.sort(np.maximum(inks, 0.02))
    # Below, no ink is as faint; above, no blank box is as dark.
    fits = (order[1:] > _LEAST_INK) & (order[:-1] < _MOST_BLANK)
    if not fits.any():
        return Level(_LEAST_INK if order[0] < _MOST_BLANK else _MOST_BLANK, 0.02)
    at = int(np.where(fits, order[1:] / order[:-1], 0).argmax())
    least = float(max(np.sqrt(order[at] * order[at + 1]), _LEAST_INK))
    return Level(least, 0.35 * least)
