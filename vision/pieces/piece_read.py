"""One piece as it was read: what it may be, and where it lies in the picture."""

import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np

from vision.pieces.patches import Floats

Ranked: TypeAlias = tuple[tuple[Mapping[str, Any] | None, float], ...]
"""Values with their probabilities, the likeliest first."""
TOLD = 4
"""So many values of a piece are told at most."""
AT_ONCE = 0.995
"""What a first look says so surely needs no second one, where there is haste."""
CLEAR = 0.9
"""What is read with more confidence than this says something for what lies beside it."""
_AS_LONG = 1.15
"""Dominoes of one set are seen alike long but for this ratio."""


@dataclass(frozen=True)
class Read:
    """One piece as read: what it may be, the likeliest first, and where it lies in the picture."""

    kind: str
    face: str
    ranked: Ranked
    """What it shows, given that there is such a piece with this face."""
    there: float
    """The probability that there is a piece of this kind, with this face."""
    corners: Floats
    angle_deg: float
    owner: int | None = None
    visible: float = 1.0
    """The share of it that nothing covers."""
    colour: tuple[float, float, float] | None = None
    """Of a domino or a tile: lightness and the two colour axes of its body (CIE Lab)."""
    rim: float = 0.0
    """Of a domino: how unlike its middle it looks along its long sides (CIE Lab)."""
    spotted: float = 1.0
    """How clearly the finder saw it, before any reader looked."""
    flat: bool = True
    """Whether it lies flat: a die that leans, or stands on another, is asked about."""
    counted: int | None = None
    """Of an ordinary die: how many pips were counted without a network, where that was rather clear."""
    in_company: bool = False
    """Whether its confidence heeds what else lies on the table."""
    turned: float = 0.0
    """Of a domino read where one must lie: the probability that it lies there with the other face up."""
    beneath: Ranked = ()
    """Of one that rather lies closed: what it would show, with probabilities, if it lay open after all."""

    @cached_property
    def middle(self) -> Floats:
        """The middle of its upper side in the picture."""
        return np.asarray(self.corners.mean(axis=0))

    @cached_property
    def length(self) -> float:
        """Its longer side in pixels."""
        sides = np.linalg.norm(self.corners - np.roll(self.corners, 1, axis=0), axis=1)
        return float(sides.max())

    @cached_property
    def along(self) -> Floats:
        """From its first end to its second, in the picture."""
        p = self.corners
        return np.asarray((p[1] - p[0] + p[2] - p[3]) / 2)

    def is_as_long(self, length: float) -> bool:
        """Whether it may be a domino of a set that is seen so long."""
        return 1 / _AS_LONG < self.length / length < _AS_LONG

    @property
    def is_open(self) -> bool:
        """Whether it is a domino that shows its pips."""
        return self.kind == "domino" and self.face == "up" and self.value is not None

    @property
    def pips(self) -> tuple[int, ...]:
        """Those of a domino that shows them, first end first."""
        return tuple(self.value["pips"]) if self.is_open and self.value is not None else ()

    @property
    def value(self) -> Mapping[str, Any] | None:
        """The likeliest value."""
        return self.ranked[0][0]

    @property
    def confidence(self) -> float:
        """The probability that kind, face and value are all right."""
        return self.there * self.ranked[0][1]


def in_reading_order(pieces: Sequence[Read]) -> list[Read]:
    """The order in which people read a table: from above, and from the left."""
    # A line is as high as most pieces are.
    line = max(1.0, statistics.median([one.length for one in pieces] or [1.0]))
    return sorted(pieces, key=lambda one: (round(float(one.middle[1]) / line), float(one.middle[0])))
