"""Dice of one picture are of one set as a rule: the others speak for the set that each is of."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from vision.pieces.small import SmallReading

_OF_ITS_OWN = 0.1
"""How likely it is that a die has nothing to do with the others."""


def of_one_set(seen: Sequence[SmallReading]) -> list[SmallReading]:
    """The readings of one picture after every die was held against the others."""
    out = list(seen)
    dice = [k for k, one in enumerate(seen) if one.share("die") > 0.5]
    if len(dice) < 2:
        return out
    said = np.stack([seen[k].choices["set"] for k in dice])
    # Many say no more than a few: they all may err alike.
    others = (said.sum(axis=0) - said) / (len(dice) - 1)
    prior = (1 - _OF_ITS_OWN) * others + _OF_ITS_OWN / said.shape[1]
    joined = said * prior
    joined /= joined.sum(axis=1, keepdims=True)
    for k, shares in zip(dice, joined, strict=True):
        out[k] = replace(seen[k], choices={**seen[k].choices, "set": shares})
    return out
