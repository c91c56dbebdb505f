"""A roll that was read in doubt, as the same dice show it now: lying elsewhere, in another light."""

from collections.abc import Iterator, Mapping, Sequence
from heapq import nlargest
from itertools import permutations, product
from math import prod
from typing import Final

from engine.dominoids.model import FACES, NULL, Roll
from engine.dominoids.sighted import LEAST, die_share
from engine.scene import Sighting

_LIKELY: Final = 0.1
"""A face that is seen less clearly than this is no reason to doubt the record."""
_MOST: Final = 6
"""So many rolls at most are thought of."""


def rereadings(
    faces: Sequence[int], roll: Roll, later: Mapping[int, int], seen: Sequence[Sighting]
) -> Iterator[Roll]:
    """What the dice of a roll may have shown as they are seen now, the likeliest first.

    ``faces`` are those of all four before it, ``later`` those that were rolled again since. Of a blank one
    that may be wrong: it looks like any other, and another may have been rolled.
    """
    if len(seen) != len(faces):
        return
    told = dict(roll.faces)
    best: dict[tuple[int, ...], float] = {}
    for order in permutations(seen):
        each = []
        for die, one in enumerate(order):
            then = told.get(die, faces[die])
            now = later.get(die, then)
            sure = die not in told or later.get(die, NULL) != NULL
            kept = [(then, max(LEAST, die_share(one, die, now)))] if sure or die in later else []
            each.append(kept if sure else [*kept, *_shown(one, die)])
        for shown in product(*each):
            key = tuple(face for face, _ in shown)
            best[key] = max(best.get(key, 0.0), prod(share for _, share in shown))
    best.pop(tuple(told.get(die, face) for die, face in enumerate(faces)), None)
    for key in nlargest(_MOST, best, key=lambda key: best[key]):
        yield Roll(tuple((die, key[die]) for die in sorted(told)))


def _shown(one: Sighting, die: int) -> list[tuple[int, float]]:
    """What a sighting shows if it is this die, and how likely."""
    shares = ((face, die_share(one, die, face)) for face in range(len(FACES)))
    return [(face, share) for face, share in shares if share >= _LIKELY]
