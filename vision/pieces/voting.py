"""Several looks at the same still pieces made one: what one frame got wrong, the others outvote."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeAlias

import numpy as np

from vision.pieces.read import Read

_NEAR = 0.3
_LEAST = 0.001
"""The probability of what a look did not think of: no single look can rule a thing out."""
_LEAST_THERE = 0.5
_MOST = 4

_Shown: TypeAlias = tuple[str, str]
"""A face and a value as text."""


def voted(looks: Sequence[Sequence[Read]]) -> list[Read]:
    """The pieces of several looks, matched by place, each with the mean of the looks' log-probabilities."""
    if len(looks) == 1:
        return list(looks[0])
    found = (_vote(group, len(looks)) for group in _groups(looks))
    return [one for one in found if one.there >= _LEAST_THERE]


def _groups(looks: Sequence[Sequence[Read]]) -> list[list[Read]]:
    """The readings that show one piece, at most one of each look."""
    groups: list[list[Read]] = []
    for look in looks:
        open_ = list(groups)
        for one in look:
            near = [group for group in open_ if _same_place(one, group[0])]
            if near:
                best = min(near, key=lambda group: math.dist(one.middle, group[0].middle))
                best.append(one)
                open_ = [group for group in open_ if group is not best]
            else:
                groups.append([one])
    return groups


def _same_place(one: Read, other: Read) -> bool:
    return one.kind == other.kind and math.dist(one.middle, other.middle) <= _NEAR * other.length


def _vote(group: Sequence[Read], looks: int) -> Read:
    """One reading of a piece from those looks that saw it; a look that did not speaks against it."""
    values: dict[_Shown, Mapping[str, Any] | None] = {}
    for one in group:
        values |= {(one.face, repr(value)): value for value, _ in one.ranked}
    total = dict.fromkeys(values, 0.0)
    other = 0.0
    for one in group:
        said = {(one.face, repr(value)): one.there * p for value, p in one.ranked}
        for shown in values:
            total[shown] += math.log(max(said.get(shown, 0.0), _LEAST))
        other += math.log(max(1 - sum(said.values()), _LEAST))
    blind = looks - len(group)
    weights = {shown: math.exp((log + blind * math.log(_LEAST)) / looks) for shown, log in total.items()}
    whole = sum(weights.values()) + math.exp((other + blind * math.log(1 - _LEAST)) / looks)
    face = max(weights, key=lambda shown: weights[shown])[0]
    mine = sorted(((w, shown) for shown, w in weights.items() if shown[0] == face), reverse=True)
    there = sum(w for w, _ in mine)
    ranked = tuple((values[shown], w / there) for w, shown in mine[:_MOST])
    return replace(_clearest(group, face), ranked=ranked, there=there / whole)


def _clearest(group: Sequence[Read], face: str) -> Read:
    """The surest of the readings with this face; a domino's corners are the mean of all of them."""
    of_face = [one for one in group if one.face == face]
    best = max(of_face, key=lambda one: one.confidence)
    if best.kind != "domino":
        return best  # a square's corners have no order that all looks share
    return replace(best, corners=np.mean([one.corners for one in of_face], axis=0))
