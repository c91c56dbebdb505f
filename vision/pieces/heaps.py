"""Open dominoes beside a board lie in rows as a rule: what was overlooked or read across there is read again.

Where three lie at three corners of a step along and a step aside, a fourth may lie at the last one. It is
looked for only while fewer dominoes are seen than the game has, and counts if it is one that is seen nowhere
else. Two that lie side by side look like two across them as well, where makers leave no gap: those across
that show what lies elsewhere are none then.
"""

from collections.abc import Iterator, Sequence
from itertools import permutations

import numpy as np

from calibration.table_finder import Table
from vision.pieces.each import PieceReader
from vision.pieces.finder import Spotted
from vision.pieces.given_places import OFF_MM, Place, free, is_step, laid, lie_alike
from vision.pieces.one_a_place import lie_across
from vision.pieces.patches import Floats
from vision.pieces.piece_read import CLEAR, Read

_AT_IT = 0.25
"""So far, in shares of its length, a domino may be seen from where it was looked for."""
_LEAST_DEG = 45.0
"""A step aside is turned so much at least from the step along."""
_ROUNDS = 3
"""What is found may be a corner for the next."""


def completed(
    reader: PieceReader, alone: Sequence[Read], seen: Sequence[Read], table: Table
) -> list[Read] | None:
    """The single readings with the dominoes that were overlooked; None where none was.

    ``seen`` is what was made of the single readings together.
    """
    most = 0 if reader.expecting is None else reader.expecting.belongings.most.get("domino", 0)
    clear = [one for one in seen if one.is_open and one.confidence > CLEAR]
    found: list[Read] = []
    for _ in range(_ROUNDS):
        if len({_shown(one) for one in (*clear, *found)}) >= most:
            break
        spots = _corners([*clear, *found], table)
        there = (one for one in reader.dominoes(spots) if _is_in_one(one, spots))
        more = next((one for one in there if _is_new(one, [*clear, *found])), None)
        if more is None:
            break
        found.append(more)  # of two that show the same, or that lie across each other, one
    return [one for one in alone if not _is_across(one, found, clear)] + found if found else None


def _is_in_one(one: Read, spots: Sequence[Spotted]) -> bool:
    return any(spot.is_within(_AT_IT * spot.length, one.middle) for spot in spots)


def _shown(one: Read) -> tuple[int, ...]:
    """What it shows, whichever way round it lies."""
    return tuple(sorted(one.pips))


def _is_new(one: Read, others: Sequence[Read]) -> bool:
    """Whether this is clearly a domino that is not seen elsewhere, and lies across none but such as are."""
    if not one.is_open or one.confidence <= CLEAR:
        return False
    beside = [_shown(other) for other in others if not lie_across(one, other)]
    return _shown(one) not in beside and all(_shown(o) in beside for o in others if lie_across(one, o))


def _is_across(one: Read, found: Sequence[Read], clear: Sequence[Read]) -> bool:
    """Whether what was found lies there instead of this, which shows what is seen elsewhere."""
    if not one.is_open or not any(lie_across(one, other) for other in found):
        return False
    return any(_shown(other) == _shown(one) and not lie_across(one, other) for other in (*clear, *found))


def _corners(dominoes: Sequence[Read], table: Table) -> list[Spotted]:
    """Where a fourth may lie, as if the finder had seen it."""
    if len(dominoes) < 3:
        return []
    middles, turns, sizes = laid(dominoes, table)
    return free(_fourths(middles, turns), middles[:0], OFF_MM, sizes, table)


def _fourths(middles: Floats, turns: Floats) -> Iterator[Place]:
    """The last corners of threes that lie alike."""
    steps = middles[None] - middles[:, None]
    far = np.linalg.norm(steps, axis=2)
    near = is_step(far) & lie_alike(turns)
    for k in range(len(middles)):
        for along, aside in permutations(np.flatnonzero(near[k]), 2):
            a, b = steps[k, along], steps[k, aside]
            across = abs(float(a[0] * b[1] - a[1] * b[0])) / (far[k, along] * far[k, aside])
            place = middles[k] + a + b
            is_free = float(np.linalg.norm(middles - place, axis=1).min()) > 2 * OFF_MM
            if along < aside and across > np.sin(np.radians(_LEAST_DEG)) and is_free:
                yield float(place[0]), float(place[1]), float(turns[k])
