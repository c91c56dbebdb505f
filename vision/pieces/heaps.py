"""Open dominoes beside a board lie in rows as a rule: what was overlooked or read across there is read again.

Where three lie at three corners of a step along and a step aside, a fourth may lie at the last one. It is
looked for only while fewer dominoes are seen than the game has, and counts if it is one that is seen nowhere
else. Two that lie side by side look like two across them as well, where makers leave no gap: those across
that show what lies elsewhere are none then.
"""

from collections.abc import Iterator, Sequence
from itertools import permutations

import numpy as np

from calibration.table import Table
from vision.pieces.each import read_dominoes
from vision.pieces.expecting import Expecting
from vision.pieces.finder import Spotted, overlap
from vision.pieces.memory import Memory
from vision.pieces.patches import Floats, Picture
from vision.pieces.read import Read
from vision.pieces.rows import LIKE_DEG, OFF_MM, STEP_MM, laid, spot

_SURE = 0.9
_SHARED = 0.2
"""What shares more of its area than this with another cannot lie there beside it."""
_AT_IT = 0.25
"""So far, in shares of its length, a domino may be seen from where it was looked for."""
_LEAST_DEG = 45.0
"""A step aside is turned so much at least from the step along."""
_ROUNDS = 3
"""What is found may be a corner for the next."""


def completed(
    picture: Picture,
    alone: Sequence[Read],
    seen: Sequence[Read],
    table: Table,
    expecting: Expecting,
    memory: Memory | None = None,
) -> list[Read] | None:
    """The single readings with the dominoes that were overlooked; None where none was.

    ``seen`` is what was made of the single readings together.
    """
    due = expecting.belongings.most.get("domino", 0)
    clear = [one for one in seen if _is_open(one) and one.confidence > _SURE]
    found: list[Read] = []
    for _ in range(_ROUNDS):
        if len({_pips(one) for one in (*clear, *found)}) >= due:
            break
        spots = _corners([*clear, *found], table)
        reads = read_dominoes(picture, spots, expecting=expecting, memory=memory) if spots else []
        more = [one for one in reads if any(_is_at(one, at) for at in spots) and _is_new(one, clear, found)]
        if not more:
            break
        found += more[:1]  # of two that show the same, or that lie across each other, one
    if not found:
        return None
    return [one for one in alone if not _lies_across(one, found, clear)] + found


def _is_open(one: Read) -> bool:
    return one.kind == "domino" and one.face == "up" and one.value is not None


def _pips(one: Read) -> tuple[int, ...]:
    return tuple(sorted(one.value["pips"])) if one.value is not None else ()


def _is_at(one: Read, at: Spotted) -> bool:
    return float(np.linalg.norm(one.middle - (at.x, at.y))) < _AT_IT * at.length


def _is_new(one: Read, clear: Sequence[Read], found: Sequence[Read]) -> bool:
    """Whether this is clearly a domino that is not seen elsewhere, and lies across none but such as are."""
    if not _is_open(one) or one.confidence <= _SURE:
        return False
    others = [*clear, *found]
    across = [other for other in others if _share(one, other)]
    beside = [other for other in others if not _share(one, other)]
    shown = [_pips(other) for other in beside]
    return _pips(one) not in shown and all(_pips(other) in shown for other in across)


def _lies_across(one: Read, found: Sequence[Read], clear: Sequence[Read]) -> bool:
    """Whether what was found lies there instead of this, which shows what is seen elsewhere."""
    if not _is_open(one) or not any(_share(one, other) for other in found):
        return False
    return any(_pips(other) == _pips(one) and not _share(one, other) for other in (*clear, *found))


def _share(one: Read, other: Read) -> bool:
    return overlap(one.corners, other.corners) > _SHARED


def _corners(dominoes: Sequence[Read], table: Table) -> list[Spotted]:
    """Where a fourth may lie, as if the finder had seen it."""
    if len(dominoes) < 3:
        return []
    middles, turns, sizes = laid(dominoes, table)
    size = np.median(sizes, axis=0)
    looked = middles[:0]
    spots = []
    for k, place in _fourths(middles, turns):
        if not len(looked) or float(np.linalg.norm(looked - place, axis=1).min()) > OFF_MM:
            looked = np.vstack([looked, place])
            spots.append(spot((float(place[0]), float(place[1]), float(turns[k])), size, table))
    return [one for one in spots if one is not None]


def _fourths(middles: Floats, turns: Floats) -> Iterator[tuple[int, Floats]]:
    """The last corners of threes that lie alike, each with the number of one of the three."""
    steps = middles[None] - middles[:, None]
    far = np.linalg.norm(steps, axis=2)
    like = np.abs((turns[None] - turns[:, None] + 90) % 180 - 90) < LIKE_DEG
    near = (far > STEP_MM[0]) & (far < STEP_MM[1]) & like
    for k in range(len(middles)):
        for along, aside in permutations(np.flatnonzero(near[k]), 2):
            a, b = steps[k, along], steps[k, aside]
            across = abs(float(a[0] * b[1] - a[1] * b[0])) / (far[k, along] * far[k, aside])
            place = middles[k] + a + b
            free = float(np.linalg.norm(middles - place, axis=1).min()) > 2 * OFF_MM
            if along < aside and across > np.sin(np.radians(_LEAST_DEG)) and free:
                yield k, place
