"""Places where a domino must lie by how others lie, in millimetres, as if the finder had seen one there."""

import math
from collections.abc import Iterable, Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from calibration.table_finder import Table
from vision.pieces.finder import Spotted
from vision.pieces.mat import TOP_MM, corners_mm
from vision.pieces.patches import Floats, rectangle
from vision.pieces.piece_read import Read

Place: TypeAlias = tuple[float, float, float]
"""Middle (mm) and turn (degrees) of a domino."""
_STEP_MM = (22.0, 75.0)
"""How far apart the middles of neighbours are."""
OFF_MM = 5.0
"""So far from its place a domino may lie."""
_LIKE_DEG = 8.0
"""So much neighbours are turned otherwise at most."""
_SPOTTED = 0.1
"""How clearly the finder would have seen what it did not tell of."""


def laid(dominoes: Sequence[Read], table: Table) -> tuple[Floats, Floats, Floats]:
    """The middles of dominoes (n×2 mm), their turns, and their lengths and widths."""
    corners = corners_mm(dominoes, table)
    first, second, third, last = np.moveaxis(corners, 1, 0)
    along, across = (second - first + third - last) / 2, (last - first + third - second) / 2
    sizes = np.stack([np.linalg.norm(along, axis=1), np.linalg.norm(across, axis=1)], axis=1)
    return corners.mean(axis=1), np.degrees(np.arctan2(along[:, 1], along[:, 0])), sizes


def is_step(far_mm: Floats) -> NDArray[np.bool_]:
    """Whether things lie so far apart as neighbours do."""
    return np.asarray((far_mm > _STEP_MM[0]) & (far_mm < _STEP_MM[1]))


def lie_alike(turns: Floats) -> NDArray[np.bool_]:
    """Which of these dominoes (n×n) are turned alike."""
    return np.asarray(np.abs((turns[None] - turns[:, None] + 90) % 180 - 90) < _LIKE_DEG)


def free(
    places: Iterable[Place], taken: Floats, away_mm: float, sizes: Floats, table: Table
) -> list[Spotted]:
    """Those of the places that lie so far from all that are taken, and from each other."""
    spots = []
    for x, y, turn in places:
        if float(np.linalg.norm(taken - (x, y), axis=1).min(initial=np.inf)) > away_mm:
            taken = np.vstack([taken, (x, y)])
            spots.append(_spotted((x, y, turn), np.median(sizes, axis=0), table))
    return [one for one in spots if one is not None]


def _spotted(place: Place, size: Floats, table: Table) -> Spotted | None:
    """A domino of this size in a place, if the picture shows it."""
    x, y, turn = place
    corners = rectangle(x, y, float(size[0]), float(size[1]), turn)
    seen = table.camera.to_pixels(corners, np.full(4, TOP_MM["domino"]))
    if (seen < 0).any() or (seen >= np.array(table.camera.lens.size_px)).any():
        return None
    along, across = (seen[1] - seen[0] + seen[2] - seen[3]) / 2, (seen[3] - seen[0] + seen[2] - seen[1]) / 2
    middle = seen.mean(axis=0)
    turned = math.degrees(math.atan2(along[1], along[0]))
    numbers = (*middle, np.linalg.norm(along), np.linalg.norm(across), turned)
    # Half a pixel is as good as none, and the same place is then named alike in picture after picture.
    left, down, long, wide, angle = (round(2 * float(number)) / 2 for number in numbers)
    return Spotted("domino", left, down, long, wide, angle, _SPOTTED)
