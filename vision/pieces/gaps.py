"""Between the tiles of a field: walls, or the dark gaps that look like backs."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from vision.pieces.domino_reading import DominoReading
from vision.pieces.field_places import Field, Probe, read_at
from vision.pieces.mat import TOP_MM
from vision.pieces.memory import Memory
from vision.pieces.patches import Picture

Between: TypeAlias = tuple[Probe, DominoReading]
"""A place between two tiles, and what was read there."""
Standing: TypeAlias = tuple[Probe, DominoReading, float]
"""The same with the probability that a wall stands there."""

LEAST_WALL = 0.05
_LEAST_OF_ALL = 0.005
"""What is less likely a wall beside all others is not spoken of: where one was taken away, less is left."""
_STANDS = 0.5
_CLEAR = 0.9
"""Beside the middle of a border a wall must be so clear: where none stood, the likeliest of 250 places
on each of eight simulated tables reached 0.42, and the two walls that were missed in the middle 0.99."""
_SUREST = 1 - 1e-6
"""No place is surer than this that a wall stands there."""
_ASIDE_MM = 4.0
"""So far to both sides of a border a wall is looked for that was put down askew."""
_BOTH_WAYS = (-_ASIDE_MM, _ASIDE_MM)
_STEEP = 1.5
_HALFWAY, _HALFWAY_ON_ENDS = 0.008, 0.11
"""How doubtful a place between two tiles looks that is as likely a wall as a gap: of 784 on seven simulated
tables, with the domino reader of today, all 28 with a wall lie below 0.003, and all gaps above 0.024 (0.65 at
the tiles' ends, which lie too near to each other to look like a wall)."""


@dataclass(frozen=True)
class Halfways:
    """How doubtful a place looks that is as likely a wall as a gap, between the tiles and at their ends."""

    between: float = _HALFWAY
    on_ends: float = _HALFWAY_ON_ENDS

    def wall(self, spot: Probe, one: DominoReading) -> float:
        """The probability that a wall stands there: a gap looks like nothing at least a little."""
        halfway = self.on_ends if _is_on_ends(spot) else self.between
        return float(1 / (1 + (_nothing(one) / halfway) ** _STEEP))

    def surer(self, each: Sequence[Between], most: int) -> "Halfways":
        """The same for a picture in which even gaps look like walls, as in the shadows of the tiles.

        A game has only so many: of the places of one sort that look most like one, as many as that and one
        more, at least one is a gap, and none looks less like a wall than the last.
        """
        found = []
        for halfway, ends in ((self.between, False), (self.on_ends, True)):
            clear = sorted(_nothing(one) for spot, one in each if _is_on_ends(spot) is ends)
            found.append(min(halfway, clear[most]) if 0 < most < len(clear) else halfway)
        return Halfways(*found)


def walls_on(
    picture: Picture, where: Field, spots: Sequence[Probe], memory: Memory | None, due: int, most: int = 0
) -> list[Standing]:
    """What may be a wall on these borders; where fewer stand than are ``due``, also a little beside them.

    ``most`` is how many there are at the most, where that is known.
    """
    each = [*zip(spots, read_at(picture, where, spots, memory), strict=True)]
    halfways = Halfways().surer(each, most)
    standing = {spot for spot, one in each if halfways.wall(spot, one) > _STANDS}
    lacking = due - len(standing)
    others = [spot for spot in spots if spot not in standing]
    more = _askew(picture, where, others, memory, halfways, lacking)
    told = [(spot, one, halfways.wall(spot, one)) for spot, one in each if spot not in more]
    told = [*(one for one in told if one[2] > LEAST_WALL), *more.values()]
    shares = at_most(most, [share for *_, share in told]) if most else [share for *_, share in told]
    weighed = zip(told, shares, strict=True)
    return [(spot, one, share) for (spot, one, _), share in weighed if share > _LEAST_OF_ALL]


def at_most(most: int, shares: Sequence[float]) -> list[float]:
    """The same probabilities, once it is known that no more than so many walls can stand.

    Where a fifth place looks like a wall, too, one of them is none, and the likeliest are believed.
    """
    odds = [min(share, _SUREST) / (1 - min(share, _SUREST)) for share in shares]
    whole = sum(_ways(odds, most))
    told = []
    for k, one in enumerate(odds):
        others = _ways([*odds[:k], *odds[k + 1 :]], most - 1)
        told.append(one * sum(others) / whole)
    return told


def _ways(odds: Sequence[float], most: int) -> list[float]:
    """The odds that none of these stands, that one does, and so on, up to ``most``."""
    ways = [1.0, *[0.0] * most]
    for one in odds:
        for k in range(most, 0, -1):
            ways[k] += one * ways[k - 1]
    return ways


def _askew(
    picture: Picture,
    where: Field,
    spots: Sequence[Probe],
    memory: Memory | None,
    halfways: Halfways,
    lacking: int,
) -> dict[Probe, Standing]:
    """The walls that are lacking, as far as they clearly stand beside the middle of one of these borders."""
    if lacking <= 0:
        return {}
    units = where.region.unit_mm or (1.0, 1.0)
    aside = [(spot, _moved(spot, off / units[0], off / units[1])) for spot in spots for off in _BOTH_WAYS]
    read = read_at(picture, where, [moved for _, moved in aside], memory)
    best: dict[Probe, Standing] = {}
    for (spot, moved), one in zip(aside, read, strict=True):
        wall = halfways.wall(moved, one)
        if wall > max(_CLEAR, best[spot][2] if spot in best else 0.0):
            best[spot] = moved, one, wall
    likeliest = sorted(best, key=lambda spot: -best[spot][2])
    return {spot: best[spot] for spot in likeliest[:lacking]}


def _moved(spot: Probe, off_x: float, off_y: float) -> Probe:
    """A border across which one looks so far off its middle, in board units."""
    return replace(spot, x=spot.x + off_x) if spot.angle_deg else replace(spot, y=spot.y + off_y)


def as_wall(spot: Probe, one: DominoReading) -> float:
    """The probability that a wall stands there, as far as that place alone tells."""
    return Halfways().wall(spot, one)


def _nothing(one: DominoReading) -> float:
    """How much like nothing a place looks."""
    return max(one.share("none"), 1e-6)


def _is_on_ends(spot: Probe) -> bool:
    """Whether a wall would stand on the ends of two tiles, and not on the table."""
    return spot.top_mm > TOP_MM["wall"]
