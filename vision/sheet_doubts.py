"""Which squares of a map a person should look at: as few as make its score sure.

What is uncertain and changes no score is none of them. Where so much is unclear that the likeliest maps are
but a small part of all, the others count, too: nobody has seen their scores.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from vision.sheet_cells import Floats

DOUBT = 0.01
"""The probability of another score from which on it is said."""
_LIGHT = 1e-5
"""Maps less likely than this make no square doubtful."""
_MOST_BLAMED = 12
_RESTS = 0.03
"""With less chance than this that the score is still wrong, no further squares are asked about: a little
of it in each of many squares would have nearly all of them looked at."""
_LEFT = 0.25
"""So much of the chance that the score is wrong may be left once the doubtful squares are settled, where that
chance is large: a sheet that can hardly be read would have to be told square by square otherwise."""
_CHANGING = 0.2
"""So many of the maps that were not listed have another score at the least, whatever those that were."""

Value = tuple[int, int]
"""The coat (-1: empty) and the crosses of a square."""
_Changes = dict[int, Value]


@dataclass(frozen=True)
class Likely:
    """The maps that a sheet may show, as far as they were listed."""

    maps: Sequence[tuple[Value, ...]]
    weights: Floats
    """How likely each of them is, if it is one of them."""
    scores: Sequence[int]
    best: int
    """The number of the likeliest."""
    unlisted: float
    """How likely it is none of them."""
    alone: Floats
    """How likely each square by itself is what the likeliest map has there."""

    @property
    def sure(self) -> float:
        """How likely the score of the likeliest map is right."""
        return 1 - (1 - self.unlisted) * self._other - self.unseen(frozenset())

    def unseen(self, looked: frozenset[int]) -> float:
        """How likely a map that was not listed has another score, once these squares are put right."""
        changing = max(_CHANGING, self._other / max(1 - float(self.weights[self.best]), 1e-9))
        left = np.delete(self.alone, list(looked))
        return self.unlisted * changing * float((1 - left.prod()) / max(1 - self.alone.prod(), 1e-9))

    @cached_property
    def _other(self) -> float:
        """The share of the listed maps that have another score."""
        right = self.scores[self.best]
        return float(sum(w for w, score in zip(self.weights, self.scores, strict=True) if score != right))


def doubtful(likely: Likely, total: Callable[[Sequence[Value]], int]) -> frozenset[int]:
    """The squares to be looked at; ``total`` is what a map is worth."""
    best = likely.maps[likely.best]
    ways = [
        (float(weight), {k: value for k, value in enumerate(values) if value != best[k]}, score)
        for weight, values, score in zip(likely.weights, likely.maps, likely.scores, strict=True)
        if weight > _LIGHT
    ]
    totals: dict[frozenset[tuple[int, Value]], int] = {}

    def settled(changes: _Changes, looked: frozenset[int], score: int) -> int:
        """The score that is told if these squares alone are put right, of a map that has this score."""
        if changes.keys() <= looked:
            return score
        if changes.keys().isdisjoint(looked):
            return likely.scores[likely.best]
        key = frozenset((k, value) for k, value in changes.items() if k in looked)
        if key not in totals:
            totals[key] = total(tuple(dict(key).get(k, value) for k, value in enumerate(best)))
        return totals[key]

    def wrong(looked: frozenset[int]) -> float:
        listed = sum(weight for weight, changes, score in ways if settled(changes, looked, score) != score)
        return (1 - likely.unlisted) * listed + likely.unseen(looked)

    looked: frozenset[int] = frozenset()
    enough = max(_RESTS, _LEFT * wrong(looked))
    while (left := wrong(looked)) > (enough if looked else DOUBT):
        blame: Counter[int] = Counter()
        for weight, changes, score in ways:
            if settled(changes, looked, score) != score:
                blame.update(dict.fromkeys(changes.keys() - looked, weight))
        for k in np.argsort(likely.alone)[: _MOST_BLAMED if likely.unlisted > _RESTS else 0]:
            blame.update({int(k): likely.unlisted * (1 - float(likely.alone[k]))} if k not in looked else {})
        if not blame:
            break
        # Some squares matter only together: where none helps alone, the one most often at fault comes first.
        helps = {k: left - wrong(looked | {k}) for k, _ in blame.most_common(_MOST_BLAMED)}
        looked |= {max(helps, key=lambda k: (round(helps[k], 9), blame[k]))}
    return looked
