"""Two pieces that changed places: each reads as what should lie in the place of the other."""

from collections.abc import Sequence
from itertools import combinations
from typing import Final

from engine.layout import Spot
from engine.matching.reading_odds import agreement
from engine.matching.search import CLEAR
from engine.scene import Sighting

_RARE: Final = -7.0
"""The log of how often a hand leaves two pieces in each other's places, beside both of them misread."""


def swaps(misread: Sequence[tuple[Spot, Sighting]]) -> bool:
    """Whether two of these rather lie in each other's places than that both are misread."""
    return any(
        one.kind == other.kind
        and _RARE + _read((one, there), (other, here)) - _read((one, here), (other, there)) > CLEAR
        for (one, here), (other, there) in combinations(misread, 2)
    )


def _read(*pairs: tuple[Spot, Sighting]) -> float:
    return sum(agreement(*pair, turned=None) for pair in pairs)
