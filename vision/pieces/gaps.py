"""Between the tiles of a field: walls, or the dark gaps that look like backs."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import cv2
import numpy as np

from calibration.camera import Camera
from vision.pieces import dominoes
from vision.pieces.dominoes import FACES, DominoReading
from vision.pieces.field_places import Field, Spot
from vision.pieces.mat import TOP_MM
from vision.pieces.patches import DOMINO_CORNERS, DOMINO_SIZE, Floats, Picture, cut

LEAST_WALL = 0.05
_STEEP = 1.5
_HALFWAY, _HALFWAY_ON_ENDS = 0.008, 0.11
"""How doubtful a place between two tiles looks that is as likely a wall as a gap: of 784 on seven simulated
tables, with the domino reader of today, all 28 with a wall lie below 0.003, and all gaps above 0.024 (0.65 at
the tiles' ends, which lie too near to each other to look like a wall)."""
_LOOK_SIZE = (32, 18)
_ALIKE = 0.8
"""So alike, as a correlation, a spot looks that nobody has touched: 0.93 or more on simulated tables in most
places, noisy ones apart, and 0.67 at most where a wall has come or gone."""


@dataclass
class Gaps:
    """What was read between tiles, so that a place that looks as before need not be read again."""

    camera: Camera | None = None
    known: dict[tuple[float, float], tuple[Floats, DominoReading]] = field(default_factory=dict)

    def read(self, picture: Picture, where: Field, spots: Sequence[Spot]) -> list[DominoReading]:
        """The readings of these spots."""
        if self.camera != where.table.camera:
            self.camera, self.known = where.table.camera, {}
        corners = [where.corners(spot) for spot in spots]
        looks = [_look(picture, one) for one in corners]
        old = [self.known.get((spot.x, spot.y)) for spot in spots]
        new = [k for k, spot in enumerate(spots) if not _as_before(spot, old[k], looks[k])]
        each = dominoes.read(picture, [corners[k] for k in new], quick=True)
        for k, one in zip(new, each, strict=True):
            self.known[spots[k].x, spots[k].y] = looks[k], one
        return [self.known[spot.x, spot.y][1] for spot in spots]


def _look(picture: Picture, corners: Floats) -> Floats:
    """How a spot looks, as brightness that no lamp changes: middle 0, spread 1, and some noise away."""
    flat, _ = cut(picture, corners, DOMINO_CORNERS, DOMINO_SIZE)
    grey = cv2.resize(cv2.cvtColor(flat, cv2.COLOR_BGR2GRAY), _LOOK_SIZE, interpolation=cv2.INTER_AREA)
    values = grey.astype(np.float64).ravel()
    return np.asarray((values - values.mean()) / max(float(values.std()), 1.0))


def _as_before(spot: Spot, was: tuple[Floats, DominoReading] | None, look: Floats) -> bool:
    """Whether a spot looks as it did when it was read, and left no doubt then."""
    if was is None or LEAST_WALL < as_wall(spot, was[1]) < 1 - LEAST_WALL:
        return False
    return float(was[0] @ look) / look.size > _ALIKE


def as_wall(spot: Spot, one: DominoReading) -> float:
    """The probability that a wall stands there: a gap looks like nothing at least a little."""
    nothing = max(float(one.faces[FACES.index("none")]), 1e-6)
    halfway = _HALFWAY_ON_ENDS if spot.top_mm > TOP_MM["wall"] else _HALFWAY
    return float(1 / (1 + (nothing / halfway) ** _STEEP))
