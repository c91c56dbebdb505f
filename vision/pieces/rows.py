"""Backs lie in rows: where one is missing in a row it is looked for once more.

Where two closed dominoes lie alike, with room for one more between them, and the row goes on beyond one of
them in the same step, or the row beside it has all three, the finder may have missed one; the reader says.
Beyond the ends of a row nothing is looked for, and only backs that were judged beside all else count: cloth
between rows looks like one too.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from calibration.table_finder import Table
from vision.pieces.finder import Spotted
from vision.pieces.given_places import OFF_MM, Place, free, is_step, laid, lie_alike
from vision.pieces.patches import Floats
from vision.pieces.piece_read import CLEAR, Read

_TAKEN_MM = 16.0
"""So near to a domino nothing else is looked for."""


def lacking(pieces: Sequence[Read], table: Table) -> list[Spotted]:
    """Places in the rows of backs where none was read, as if the finder had seen something there."""
    backs = [one for one in pieces if one.kind == "domino" and one.face == "down" and one.confidence > CLEAR]
    if not backs:
        return []
    middles, turns, sizes = laid(backs, table)
    taken, _, _ = laid([one for one in pieces if one.kind == "domino"], table)
    return free(_between(middles, turns, taken), taken, _TAKEN_MM, sizes, table)


def _between(middles: Floats, turns: Floats, taken: Floats) -> list[Place]:
    """Free places half-way between two alike, in or beside a row that goes on; the nearest first."""
    steps = (middles[None] - middles[:, None]) / 2
    far = np.linalg.norm(steps, axis=2)
    like = lie_alike(turns)
    pairs = np.argwhere(is_step(far) & like)
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
    first = middles[is_step(np.linalg.norm(middles - start, axis=1))]
    return bool((_lie_at(middles, first + step) & _lie_at(middles, first + 2 * step)).any())


def _lie_at(middles: Floats, places: Floats, near_mm: float = OFF_MM) -> NDArray[np.bool_]:
    """Whether something lies at each of these places."""
    away = ((places[:, None] - middles[None]) ** 2).sum(axis=2)
    return np.asarray(away.min(axis=1, initial=np.inf) < near_mm**2)
