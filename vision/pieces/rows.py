"""Backs lie in rows: where one is missing in a row it is looked for once more.

Where two closed dominoes lie alike, with room for one more between them, and the row goes on beyond one of
them in the same step, or the row beside it has all three, the finder may have missed one; the reader says.
Beyond the ends of a row nothing is looked for, and only backs that were judged beside all else count: cloth
between rows looks like one too.
"""

import math
from collections.abc import Sequence

import numpy as np

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
    free = np.linalg.norm(halfway[:, None] - taken[None], axis=2).min(axis=1) > _TAKEN_MM
    out = []
    for k, j in sorted(pairs[free], key=lambda p: far[*p]):
        between, beyond = middles[k] + steps[k, j], middles[j] + steps[k, j]
        row = (middles[k], between, middles[j])
        next_to = not _lies_at(middles, middles[k] + steps[k, j] / 2)
        if k != j and (_lies_at(middles, beyond) or (next_to and _is_beside(middles[like[k]], row))):
            out.append((float(between[0]), float(between[1]), float(turns[k])))
    return out


def _is_beside(middles: Floats, three: Sequence[Floats]) -> bool:
    """Whether another row has one beside each of the three places."""
    asides = middles - three[0]
    near = (np.linalg.norm(asides, axis=1) > STEP_MM[0]) & (np.linalg.norm(asides, axis=1) < STEP_MM[1])
    return any(all(_lies_at(middles, place + aside) for place in three[1:]) for aside in asides[near])


def _lies_at(middles: Floats, place: Floats) -> bool:
    return float(np.linalg.norm(middles - place, axis=1).min()) < OFF_MM


def spot(place: tuple[float, float, float], size: Floats, table: Table) -> Spotted | None:
    """A back of this size in a place, if the picture shows it."""
    x, y, turn = place
    corners = rectangle(x, y, float(size[0]), float(size[1]), turn)
    seen = table.camera.to_pixels(corners, np.full(4, TOP_MM["domino"]))
    if (seen < 0).any() or (seen >= np.array(table.camera.lens.size_px)).any():
        return None
    along, across = (seen[1] - seen[0] + seen[2] - seen[3]) / 2, (seen[3] - seen[0] + seen[2] - seen[1]) / 2
    middle = seen.mean(axis=0)
    return Spotted(
        "domino", float(middle[0]), float(middle[1]), float(np.linalg.norm(along)),
        float(np.linalg.norm(across)), math.degrees(math.atan2(along[1], along[0])), _SPOTTED,
    )  # fmt: skip
