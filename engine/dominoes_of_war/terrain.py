"""The terrain: which tiles lie where, which steps from tile to tile are open, who can be reached and hit.

A terrain knows tiles and walls, no troops. It changes only when a wall or a base does, so what follows from
it is worked out once and kept; troops come in as the set of places that they occupy.
"""

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Literal

from engine.dominoes_of_war.places import (
    DIAGONAL,
    FIELD,
    STRAIGHT,
    Border,
    Place,
    border,
    spread,
)
from engine.dominoes_of_war.troops import GAIT_STEPS, Gait

Passing = Literal["free", "all", "none", "troops"]
"""Which tiles a move may cross without ending there: the empty ones, all, none, or those of other troops."""


class Terrain:
    """Tiles and walls. Two terrains are the same only if they are one: ``terrain()`` sees to that."""

    __slots__ = ("_open", "_ways", "home", "walls")

    def __init__(
        self,
        bases: tuple[tuple[Place, ...], tuple[Place, ...]],
        walls: tuple[Border, ...],
        *,
        corner_blocks: bool,
        base_diagonal: bool,
    ) -> None:
        self.home: Mapping[Place, int] = {
            **dict.fromkeys(FIELD, 0),
            **dict.fromkeys(bases[0], 1),
            **dict.fromkeys(bases[1], 2),
        }
        """Every tile, and whose base it belongs to (0: the field)."""
        self.walls = frozenset(walls)
        opened: list[Mapping[Place, frozenset[Place]]] = []
        for standing in (self.walls, frozenset[Border]()):
            sides = {at: self._sides(at, standing) for at in self.home}
            slants = {
                at: frozenset(
                    at + step
                    for step in DIAGONAL.values()
                    if self._slant(at, step, sides, standing if corner_blocks else frozenset(), base_diagonal)
                )
                for at in self.home
            }
            opened.append({at: sides[at] | slants[at] for at in self.home})
        self._open = tuple(opened)
        self._ways: dict[tuple[Place, Gait], tuple[Place, ...]] = {}

    def _sides(self, at: Place, walls: frozenset[Border]) -> frozenset[Place]:
        return frozenset(
            at + step
            for step in STRAIGHT.values()
            if self.joined(at, at + step) and border(at, at + step) not in walls
        )

    def _slant(
        self,
        at: Place,
        step: int,
        sides: Mapping[Place, frozenset[Place]],
        corner: frozenset[Border],
        base_diagonal: bool,
    ) -> bool:
        """Whether a slanting step is open: at least one of the two ways round its corner must be."""
        to = at + step
        if not self.joined(at, to) or (not base_diagonal and self.home[at] != self.home[to]):
            return False
        rounds = [at + part for part in STRAIGHT.values() if to - at - part in STRAIGHT.values()]
        if any(border(at, way) in corner or border(way, to) in corner for way in rounds):
            return False
        return any(way in sides[at] and to in sides[way] for way in rounds)

    def joined(self, one: Place, other: Place) -> bool:
        """Whether both are tiles, and not one of each base."""
        homes = {self.home.get(one), self.home.get(other)}
        return None not in homes and homes != {1, 2}

    def around(self, at: Place, *, over_walls: bool = False) -> frozenset[Place]:
        """The tiles one open step away, in all eight directions."""
        return self._open[over_walls][at]

    def ways(self, at: Place, gait: Gait) -> tuple[Place, ...]:
        """The tiles one open step of this gait away, in order."""
        known = self._ways.get((at, gait))
        if known is None:
            steps = GAIT_STEPS[gait]
            known = tuple(sorted(to for to in self._open[gait == "climbing"][at] if to - at in steps))
            self._ways[at, gait] = known
        return known

    def line(self, at: Place, step: int, *, over_walls: bool = False) -> Iterator[Place]:
        """The tiles in one direction, up to what stops a shot or a throw."""
        opened = self._open[over_walls]
        to = at + step
        while to in opened[to - step]:
            yield to
            to += step

    def base(self, side: int) -> tuple[Place, ...]:
        """The tiles of a player's base, in order."""
        return tuple(sorted(at for at, home in self.home.items() if home == side))


@lru_cache(maxsize=128)
def terrain(
    bases: tuple[tuple[Place, ...], tuple[Place, ...]],
    walls: tuple[Border, ...],
    corner_blocks: bool = False,
    base_diagonal: bool = True,
) -> Terrain:
    """The terrain of these bases and walls; the same one for the same arguments as long as it is in use."""
    return Terrain(bases, walls, corner_blocks=corner_blocks, base_diagonal=base_diagonal)


@lru_cache(maxsize=8192)
def zone(ground: Terrain, at: Place, gait: Gait, steps: int) -> frozenset[Place]:
    """Every tile that so many steps could reach if no troop stood in the way."""
    return frozenset(distances(ground, at, gait, steps, frozenset(), "all"))


@lru_cache(maxsize=1 << 16)
def distances(
    ground: Terrain,
    at: Place,
    gait: Gait,
    steps: int,
    troops: frozenset[Place],
    passing: Passing,
) -> Mapping[Place, int]:
    """How many steps each tile is away, as far as ``steps`` go; tiles with troops on them included.

    ``troops`` need hold only those in the zone, so that the same surroundings are worked out once.
    """
    found = {at: 0}
    edge = [at]
    for step in range(1, steps + 1):
        ahead: list[Place] = []
        for here in edge:
            for to in ground.ways(here, gait):
                if to not in found:
                    found[to] = step
                    if _passes(passing, to in troops):
                        ahead.append(to)
        edge = ahead
    return found


def _passes(passing: Passing, occupied: bool) -> bool:
    return passing == "all" or passing == ("troops" if occupied else "free")


@lru_cache(maxsize=8192)
def fire(
    ground: Terrain, at: Place, directions: frozenset[int], near: int, far: int, thrown: bool
) -> Mapping[Place, tuple[Place, ...]]:
    """Every tile that an attack reaches if no troop stands in the way, with the tiles it passes."""
    reached: dict[Place, tuple[Place, ...]] = {}
    for step in directions:
        passed: list[Place] = []
        for to in ground.line(at, step, over_walls=thrown):
            if len(passed) + 1 > far:
                break
            if len(passed) + 1 >= near:
                reached[to] = tuple(passed)
            passed.append(to)
    return reached


def heading(one: Place, other: Place) -> tuple[str, int] | None:
    """The direction and distance from one place to another on a straight or slanting line, else None."""
    right, up = spread(one, other)
    away = max(abs(right), abs(up))
    if away == 0 or {abs(right), abs(up)} - {0, away}:
        return None
    return ("", "n", "s")[up // away] + ("", "e", "w")[right // away], away


def sealed(ground: Terrain) -> tuple[Place, ...]:
    """The tiles that nobody can walk to from the greater part of the map; empty where all hangs together."""
    left = set(ground.home)
    parts: list[set[Place]] = []
    while left:
        start = min(left)
        part = set(distances(ground, start, "straight", len(left), frozenset(), "all"))
        parts.append(part)
        left -= part
    greatest = max(parts, key=len)
    return tuple(sorted(at for part in parts if part is not greatest for at in part))
