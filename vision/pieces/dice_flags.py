"""Dice whose upper face nobody should count silently: on top of another, or touching.

Seen from above, a die that stands on another looks larger than the dice beside it, two that touch may lend
each other pips, and two of them side by side look like one domino as wide as a die. Such pieces are asked
for, never dropped. A die that leans far enough to show two faces is doubted by the reader and by the pip
counter themselves (training.measure_dice_flags).
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from vision.pieces.patches import Floats
from vision.pieces.tidy import Read

ASKED_BELOW = 0.9
"""What is flagged is believed no more than this, so that a person looks."""
_LARGER, _FEWEST = 1.22, 3
_MARGIN = 1.08
_AS_WIDE = (0.8, 1.25)


def flags(pieces: Sequence[Read]) -> dict[int, str]:
    """Which of the pieces, by their number, should be looked at again, and why."""
    dice = [k for k, one in enumerate(pieces) if one.kind == "die"]
    sides = {k: pieces[k].length for k in dice}
    found: dict[int, str] = {}
    for n, k in enumerate(dice):
        others = [sides[j] for j in dice if j != k and _set(pieces[j]) == _set(pieces[k])]
        if len(others) >= _FEWEST and sides[k] > _LARGER * float(np.median(others)):
            found[k] = "stacked"
        for j in dice[n + 1 :]:
            if _touch(pieces[k].corners, pieces[j].corners):
                found.setdefault(k, "touching")
                found.setdefault(j, "touching")
    if dice:
        usual = float(np.median(list(sides.values())))
        for k, one in enumerate(pieces):
            if one.kind == "domino" and _AS_WIDE[0] * usual < _width(one) < _AS_WIDE[1] * usual:
                found[k] = "two dice"
    return found


def doubted(pieces: Sequence[Read]) -> list[Read]:
    """The pieces, with flagged ones believed so little that they are asked for."""
    out = list(pieces)
    for k in flags(pieces):
        out[k] = replace(out[k], there=min(out[k].there, ASKED_BELOW))
    return out


def _set(one: Read) -> object:
    return (one.value or {}).get("set")


def _width(one: Read) -> float:
    return float(np.linalg.norm(one.corners[3] - one.corners[0] + one.corners[2] - one.corners[1])) / 2


def _touch(a: Floats, b: Floats) -> bool:
    """Whether two four-cornered shapes overlap, each made a little larger: no side of either parts them."""
    p, q = (c.mean(axis=0) + _MARGIN * (c - c.mean(axis=0)) for c in (a, b))
    for side in (*(p - np.roll(p, 1, axis=0)), *(q - np.roll(q, 1, axis=0))):
        across = np.array([-side[1], side[0]])
        if (p @ across).max() < (q @ across).min() or (q @ across).max() < (p @ across).min():
            return False
    return True
