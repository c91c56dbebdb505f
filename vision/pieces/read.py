"""One piece as it was read: what it may be, and where it lies in the picture."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from vision.pieces.patches import Floats


@dataclass(frozen=True)
class Read:
    """One piece as read: what it may be, the likeliest first, and where it lies in the picture."""

    kind: str
    face: str
    ranked: tuple[tuple[Mapping[str, Any] | None, float], ...]
    """Values with their probabilities, given that there is such a piece with this face."""
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
    beneath: tuple[tuple[Mapping[str, Any] | None, float], ...] = ()
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

    @property
    def value(self) -> Mapping[str, Any] | None:
        """The likeliest value."""
        return self.ranked[0][0]

    @property
    def confidence(self) -> float:
        """The probability that kind, face and value are all right."""
        return self.there * self.ranked[0][1]
