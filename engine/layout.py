"""What the table should look like: pieces, where they lie in board units, and which face they show.

One board unit is the side of a square (Dominoids), the pitch of the tile field (Dominoes of War) or half a
domino's length (the Draw Game). On the region ``board`` the centre of square a1 is (1, 1), x grows to the
right and y away from the first player, so that square c5 is (3, 5). Angles are in degrees, counter-clockwise,
0 along x.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from engine.plain import Json

Kind = Literal["domino", "coin", "pawn", "die", "soldier", "wall", "tile", "sheet"]
Face = Literal["up", "down", "edge"]


@dataclass(frozen=True, slots=True)
class Spot:
    """One piece as it should lie on the table.

    ``name`` tells the piece apart from all others of the same layout. ``value`` has the keys that
    ``pipwatch read --json`` uses for this kind; a key with None is there but cannot be seen.
    A piece with ``x`` None may lie anywhere in its region. For a domino lying face up, ``angle`` points from
    the half ``pips[0]`` to the half ``pips[1]``; for a soldier it is where he faces.
    """

    name: str
    kind: Kind
    face: Face
    value: Mapping[str, Json] | None
    region: str
    x: float | None = None
    y: float | None = None
    angle: float | None = None
    owner: int | None = None


@dataclass(frozen=True, slots=True)
class Layout:
    """All spots of one state, and the regions that are part of the game."""

    spots: tuple[Spot, ...]
    hidden: Mapping[str, int] = field(default_factory=dict)
    """How many pieces each region holds that nobody at the table may see (hands, stacks, boneyard)."""

    def by_name(self) -> dict[str, Spot]:
        """The spots under their piece names."""
        return {spot.name: spot for spot in self.spots}

    def in_region(self, region: str) -> tuple[Spot, ...]:
        """The spots of one region, in order."""
        return tuple(spot for spot in self.spots if spot.region == region)
