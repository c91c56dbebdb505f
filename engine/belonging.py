"""What pieces a game has, and where each kind can lie: what the eye may expect before it looks.

Told by a game's guide (``engine.matching.guide``); a game that tells nothing expects anything anywhere.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from engine.layout import Face, Kind


@dataclass(frozen=True, slots=True)
class Belongings:
    """The pieces of a game, as far as they leave out others."""

    kinds: Mapping[str, frozenset[Kind]] = field(default_factory=dict)
    """What kinds of pieces can lie in a region; of a region that is not told, any."""
    single: frozenset[str] = frozenset()
    """Regions where no two pieces lie on one place."""
    unique: frozenset[Kind] = frozenset()
    """Kinds of which no two pieces show the same."""
    most: Mapping[Kind, int] = field(default_factory=dict)
    """How many pieces of a kind the game has; of a kind that is not told, any number."""
    pips: frozenset[int] = frozenset()
    """The pips that a half of a domino can have; none told: any."""
    faces: frozenset[Face] = frozenset()
    """How a domino can lie; none told: any way."""
    open: frozenset[str] = frozenset()
    """Regions where dominoes are laid open: one that seems to lie closed there is rather seen badly."""
    closed: frozenset[str] = frozenset()
    """Regions where dominoes lie closed, and none that is open."""
    dice: str = ""
    """The set of the dice, as readings name it; empty: any."""

    def may_lie(self, kind: str, regions: Iterable[str]) -> bool:
        """Whether a kind of piece can lie where these regions are; outside of all regions anything can."""
        told = [self.kinds.get(region) for region in regions]
        return not told or any(kinds is None or kind in kinds for kinds in told)
