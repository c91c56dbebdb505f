"""The terrain: which tiles lie where, which steps from tile to tile are open, who can be reached and hit.

A terrain knows tiles and walls, no troops. It changes only when a wall or a base does, so what follows from
it is worked out once and kept; troops come in as the set of places that they occupy.
"""

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Literal, NamedTuple

from engine.dominoes_of_war.places import (
    AROUND,
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


_PARTS: Mapping[int, tuple[int, int]] = {
    step: (STRAIGHT[word[0]], STRAIGHT[word[1]]) for word, step in DIAGONAL.items()
}
"""The two straight steps that make up each slanting one."""
_STRAIGHT = frozenset(STRAIGHT.values())

Open = Mapping[Place, frozenset[Place]]
"""For each tile those to which one step leads, in all eight directions."""


@lru_cache(maxsize=64)
def _bare(bases: tuple[tuple[Place, ...], tuple[Place, ...]]) -> tuple[Mapping[Place, int], Open]:
    """Whose each tile is, and the tiles round it; nothing goes from one base straight to the other."""
    home = {**dict.fromkeys(FIELD, 0), **dict.fromkeys(bases[0], 1), **dict.fromkeys(bases[1], 2)}
    beside = {
        at: frozenset(
            at + step
            for step in AROUND.values()
            if at + step in home and {home[at], home[at + step]} != {1, 2}
        )
        for at in home
    }
    return home, beside


@lru_cache(maxsize=64)
def _entered(bases: tuple[tuple[Place, ...], tuple[Place, ...]], base_diagonal: bool) -> Open:
    """The steps that are open while no wall stands: slanting ones between field and base need an entrance."""
    home, beside = _bare(bases)

    def is_open(at: Place, to: Place) -> bool:
        if to - at in _STRAIGHT or home[at] == home[to]:
            return True
        return base_diagonal and any(way in beside[at] and to in beside[way] for way in _corner(at, to))

    return {at: frozenset(to for to in beside[at] if is_open(at, to)) for at in home}


def _corner(at: Place, to: Place) -> tuple[Place, Place]:
    """The two places by which one goes round the corner of a slanting step."""
    up, right = _PARTS[to - at]
    return at + up, at + right


def _cuts(walls: frozenset[Border], at: Place, to: Place) -> tuple[bool, ...]:
    """Whether a wall cuts the way to a tile beside this one: one way straight, two round a corner.

    On a way on which no tile lies there is no wall, so that it counts as not cut.
    """
    if to - at in _STRAIGHT:
        return (border(at, to) in walls,)
    return tuple(border(at, way) in walls or border(way, to) in walls for way in _corner(at, to))


class Pace(NamedTuple):
    """How far a troop may go, and which tiles it may cross on its way."""

    gait: Gait
    steps: int
    passing: Passing


class Aim(NamedTuple):
    """In which directions and how far an attack goes, and whether over walls."""

    directions: frozenset[int]
    near: int
    far: int
    thrown: bool


class Terrain:
    """Tiles and walls. Two terrains are the same only if they are one: ``terrain()`` sees to that."""

    __slots__ = ("_corner_blocks", "_open", "_walls", "_ways", "home")

    def __init__(
        self,
        bases: tuple[tuple[Place, ...], tuple[Place, ...]],
        walls: tuple[Border, ...],
        *,
        corner_blocks: bool,
        base_diagonal: bool,
    ) -> None:
        self.home, beside = _bare(bases)
        """Every tile, and whose base it belongs to (0: the field)."""
        self._walls, self._corner_blocks = frozenset(walls), corner_blocks
        self._open = (self._walled(_entered(bases, base_diagonal)), beside)
        self._ways: dict[tuple[Place, Gait], tuple[Place, ...]] = {}

    def around(self, at: Place, *, over_walls: bool = False) -> frozenset[Place]:
        """The tiles to which a step or a shot leads from here, or a throw, in all eight directions."""
        return self._open[over_walls][at]

    def blast(self, at: Place, *, through_walls: bool = False) -> frozenset[Place]:
        """The tiles round this one that an explosion reaches: walls stop it, a missing tile does not."""
        beside = self._open[True][at]
        return frozenset(to for to in beside if through_walls or not self._is_walled_off(at, to))

    def _is_walled_off(self, at: Place, to: Place) -> bool:
        """Whether walls stand between a tile and one beside it, on each way there."""
        cuts = _cuts(self._walls, at, to)
        return any(cuts) if self._corner_blocks else all(cuts)

    def _walled(self, bare: Open) -> Open:
        """Those of these steps that are open when the walls stand; only tiles near a wall differ."""
        near = {end + step for wall in self._walls for end in wall for step in (0, *AROUND.values())}

        def is_open(at: Place, to: Place) -> bool:
            if self._is_walled_off(at, to):
                return False
            if to - at in _STRAIGHT or self.home[at] == self.home[to]:
                return True
            ways = zip(_corner(at, to), _cuts(self._walls, at, to), strict=True)
            return any(not cut and way in bare[at] and to in bare[way] for way, cut in ways)

        walled = {at: frozenset(to for to in bare[at] if is_open(at, to)) for at in near & bare.keys()}
        return {**bare, **walled}

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
    return frozenset(distances(ground, at, Pace(gait, steps, "all"), frozenset()))


@lru_cache(maxsize=1 << 16)
def distances(ground: Terrain, at: Place, pace: Pace, troops: frozenset[Place]) -> Mapping[Place, int]:
    """How many steps each tile is away, as far as the pace goes; tiles with troops on them included.

    ``troops`` need hold only those in the zone, so that the same surroundings are worked out once.
    """
    found = {at: 0}
    edge = [at]
    for step in range(1, pace.steps + 1):
        ahead: list[Place] = []
        for here in edge:
            for to in ground.ways(here, pace.gait):
                if to not in found:
                    found[to] = step
                    if _passes(pace.passing, to in troops):
                        ahead.append(to)
        edge = ahead
    return found


def _passes(passing: Passing, occupied: bool) -> bool:
    return passing == "all" or passing == ("troops" if occupied else "free")


@lru_cache(maxsize=8192)
def fire(ground: Terrain, at: Place, aim: Aim) -> Mapping[Place, tuple[Place, ...]]:
    """Every tile that an attack reaches if no troop stands in the way, with the tiles it passes."""
    reached: dict[Place, tuple[Place, ...]] = {}
    for step in aim.directions:
        passed: list[Place] = []
        for to in ground.line(at, step, over_walls=aim.thrown):
            if len(passed) + 1 > aim.far:
                break
            if len(passed) + 1 >= aim.near:
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


@lru_cache(maxsize=4096)
def sealed(bases: tuple[tuple[Place, ...], tuple[Place, ...]], walls: frozenset[Border]) -> tuple[Place, ...]:
    """The tiles that nobody can walk to from the greater part of the map; none where all hangs together."""
    home, beside = _bare(bases)
    left = set(home)
    parts: list[set[Place]] = []
    while left:
        edge = {left.pop()}
        parts.append(set(edge))
        while edge:
            edge = {
                at + step
                for at in edge
                for step in STRAIGHT.values()
                if at + step in left and at + step in beside[at] and border(at, at + step) not in walls
            }
            left -= edge
            parts[-1] |= edge
    greatest = max(parts, key=lambda part: (len(part), -min(part)))
    return tuple(sorted(at for part in parts if part is not greatest for at in part))
