"""A piecepack has one pawn and one die of each suit: what one of them is, the others are not."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import permutations

import numpy as np

from vision.pieces.patches import Floats
from vision.pieces.small import CHOICES, SmallReading, chosen

SUITS = len(CHOICES["suit"])
_ONE_SET = 0.98
"""How likely it is that four or fewer of a kind are of one set."""


def suits_shared_out(seen: Sequence[SmallReading]) -> list[SmallReading]:
    """Readings of one picture, each suit given once to the pawns and once to the dice."""
    out = list(seen)
    for group in (_pawns(seen), _dice(seen)):
        if 2 <= len(group) <= SUITS:
            shared = shares_of_each(np.stack([seen[k].choices["suit"] for k in group]))
            for k, suit in zip(group, shared, strict=True):
                out[k] = replace(out[k], choices={**out[k].choices, "suit": suit})
    return out


def shares_of_each(said: Floats) -> Floats:
    """The probabilities (piece × suit) after it was heard that most likely no suit comes twice."""
    pieces = range(len(said))
    total, apart = 0.0, np.zeros_like(said)
    for way in permutations(range(SUITS), len(said)):
        weight = float(np.prod([said[k, way[k]] for k in pieces]))
        total += weight
        apart[pieces, way] += weight
    # Without the rule every way of giving out the suits is as likely as the pieces say themselves; the more
    # ways the rule forbids, the less of a coincidence it is that the pieces keep it.
    allowed = len(list(permutations(range(SUITS), len(said)))) / SUITS ** len(said)
    one_set = _ONE_SET * total / allowed
    mixed = one_set / (one_set + 1 - _ONE_SET)
    return np.asarray(mixed * apart / max(total, 1e-12) + (1 - mixed) * said)


def _pawns(seen: Sequence[SmallReading]) -> list[int]:
    return [k for k, one in enumerate(seen) if chosen(one, "kind")[0] == "pawn"]


def _dice(seen: Sequence[SmallReading]) -> list[int]:
    """The dice of a piecepack that show their suit; a null shows none."""
    return [
        k
        for k, one in enumerate(seen)
        if chosen(one, "kind")[0] == "die"
        and chosen(one, "set")[0] == "piecepack"
        and chosen(one, "rank")[0] != "null"
    ]
