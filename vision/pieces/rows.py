"""Backs lie in rows: where one is missing in a row it is looked for once more.

Where two closed dominoes lie alike, with room for one more between them, and the row goes on beyond one of
them in the same step, or the row beside it has all three, the finder may have missed one; the reader says.
Beyond the ends of a row nothing is looked for, and only backs that were judged beside all else count: cloth
between rows looks like one too.
"""

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from calibration.table import Table
from vision.pieces.finder import Spotted
from vision.pieces.mat import TOP_MM
from vision.pieces.patches import Floats, rectangle
from vision.pieces.read import Read

_SURE = 0.9
STEP_MM = (22.0, 75.0)
"""How far apart the middles of neighbours in a row are."""
LIKE_DEG, OFF_MM = 8.0, 5.0
_TAKEN_MM = 16.0
_SPOTTED = 0.1


def lacking(pieces: Sequence[Read], table: Table) -> list[Spotted]:
    """Places in the rows of backs where none was read, as if the finder had seen something there."""
    backs = [one for one in pieces if one.kind == "domino" and one.face == "down" and one.confidence > _SURE]
    if not backs:
        return []
    middles, turns, sizes = laid(backs, table)
    taken, _, _ = laid([one for one in pieces if one.kind == "domino"], table)
    size = np.median(sizes, axis=0)
    spots = []
    for x, y, turn in _between(middles, turns, taken):
        if float(np.linalg.norm(taken - (x, y), axis=1).min()) > _TAKEN_MM:
            taken = np.vstack([taken, (x, y)])
            spots.append(spot((x, y, turn), size, table))
    return [one for one in spots if one is not None]


def laid(dominoes: Sequence[Read], table: Table) -> tuple[Floats, Floats, Floats]:
    """The middles of dominoes (n×2 mm), their turns, and their lengths and widths."""
    corners = np.array([one.corners for one in dominoes])
    laid = table.camera.to_mm(corners.reshape(-1, 2), np.full(4 * len(dominoes), TOP_MM["domino"]))
    laid = laid[:, :2].reshape(-1, 4, 2)
    along = (laid[:, 1] - laid[:, 0] + laid[:, 2] - laid[:, 3]) / 2
    across = (laid[:, 3] - laid[:, 0] + laid[:, 2] - laid[:, 1]) / 2
    sizes = np.stack([np.linalg.norm(along, axis=1), np.linalg.norm(across, axis=1)], axis=1)
    return laid.mean(axis=1), np.degrees(np.arctan2(along[:, 1], along[:, 0])), sizes


def _between(middles: Floats, turns: Floats, taken: Floats) -> list[tuple[float, float, float]]:
    """Free places half-way between two alike, in or beside a row that goes on; the nearest first."""
    steps = (middles[None] - middles[:, None]) / 2
    far = np.linalg.norm(steps, axis=2)
    like = np.abs((turns[None] - turns[:, None] + 90) % 180 - 90) < LIKE_DEG
    pairs = np.argwhere((far > STEP_MM[0]) & (far < STEP_MM[1]) & like)
    halfway = (middles[pairs[:, 0]] + middles[pairs[:, 1]]) / 2
    pairs = pairs[~_lie_at(taken, halfway, _TAKEN_MM)]
    one, other = pairs.T
    step = steps[one, other]
    goes_on = _lie_at(middles, middles[other] + step)
    # The row beside both is the same from either end.
    next_to = (one < other) & ~_lie_at(middles, middles[one] + step / 2)
    kept = [
        n
        for n in np.argsort(far[one, other], kind="stable")
        if goes_on[n] or (next_to[n] and _is_beside(middles[like[one[n]]], middles[one[n]], step[n]))
    ]
    places = middles[one] + step
    return [(float(places[n, 0]), float(places[n, 1]), float(turns[one[n]])) for n in kept]


def _is_beside(middles: Floats, start: Floats, step: Floats) -> bool:
    """Whether another row has one beside each of three places: the start, and one and two steps farther."""
    far = np.linalg.norm(middles - start, axis=1)
    first = middles[(far > STEP_MM[0]) & (far < STEP_MM[1])]
    return bool((_lie_at(middles, first + step) & _lie_at(middles, first + 2 * step)).any())


def _lie_at(middles: Floats, places: Floats, near_mm: float = OFF_MM) -> NDArray[np.bool_]:
    """Whether something lies at each of these places."""
    away = ((places[:, None] - middles[None]) ** 2).sum(axis=2)
    return np.asarray(away.min(axis=1, initial=np.inf) < near_mm**2)


def spot(place: tuple[float, float, float], size: Floats, table: Table) -> Spotted | None:
    """A back of this size in a place, if the picture shows it."""
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
