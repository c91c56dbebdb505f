"""The line on the board's cells: its tiles, its open ends, and what a further tile must keep clear of."""

from typing import Final, NamedTuple, TypeAlias

from engine.dominoes import Domino
from engine.draw_game.ground import AHEAD, HIGH, WIDE, Cells, Step, Tip, guard, step, zones
from engine.draw_game.line import WITH_PIPS
from engine.draw_game.model import ALL, BIT, DOUBLES, Arm

Zones: TypeAlias = tuple[int, int]
"""What is within a unit of a tile (of its core), and what within half a unit."""
_WEIGHED: Final = 0.2
"""How likely a double is to come next where nobody has weighed it yet: seven of 28, less the spinner."""


class Lying(NamedTuple):
    """A tile of the line: where it lies, and the number of the tile that it was laid at."""

    cells: Cells
    host: int
    double: bool

    @property
    def zones(self) -> Zones:
        """What is near it."""
        return zones(self.cells, double=self.double)


class End(NamedTuple):
    """An open end: where it is, the tile that has it, and how likely a double comes next."""

    tip: Tip
    host: int
    chance: float


class Path(NamedTuple):
    """The line so far."""

    tiles: tuple[Lying, ...]
    ends: tuple[End | None, End | None, End | None, End | None]
    seen: int
    """The tiles that lie in it."""
    spinner: int | None = None
    """The number of the tile that is the spinner."""

    def bare(self, end: End) -> bool:
        """Whether an end is one of the spinner's sides where nothing lies yet."""
        return end.host == self.spinner

    @property
    def doubles(self) -> float:
        """How likely any further tile is a double."""
        left = ALL & ~self.seen
        return (left & DOUBLES).bit_count() / max(1, left.bit_count())


class Walls(NamedTuple):
    """What a tile at one end must not touch."""

    far: int
    """Within a unit of other tiles: its core should keep out."""
    close: int
    """Within half a unit of other tiles: it must keep out."""
    kin: int
    """What will be ``far`` once a tile lies there: about those that touch the end's own tile."""
    host: Zones
    """About the end's own tile."""


def begun(tile: Domino) -> Path:
    """The line with its first tile, in the middle of the board."""
    x, y = WIDE // 2, HIGH // 2
    wide, high = (1, 2) if tile.is_double else (2, 1)
    seen = BIT[tile]
    west = End(Tip(x - wide, y, 2), 0, _chance(tile.low, seen))
    east = End(Tip(x + wide, y, 0), 0, _chance(tile.high, seen))
    first = (Lying((x - wide, y - high, x + wide, y + high), -1, tile.is_double),)
    if not tile.is_double:
        return Path(first, (west, east, None, None), seen)
    north, south = End(Tip(x, y + high, 1), 0, 0.0), End(Tip(x, y - high, 3), 0, 0.0)
    return Path(first, (west, east, north, south), seen, 0)


def further(path: Path, arm: Arm, tile: Domino, half: int, one: Step) -> Path:
    """The line with one more tile, laid at an arm."""
    seen = path.seen | BIT[tile]
    chance = _chance(tile.other(half), seen)
    return _further(path._replace(seen=seen), arm, one, chance, double=tile.is_double)


def supposed(path: Path, arm: Arm, one: Step, chance: float, *, double: bool) -> Path:
    """The line as it would be with a tile of which only matters how it lies."""
    return _further(path, arm, one, chance, double=double)


def _further(path: Path, arm: Arm, one: Step, chance: float, *, double: bool) -> Path:
    end, number = path.ends[arm], len(path.tiles)
    assert end is not None
    ends = list(path.ends)
    ends[arm] = End(one.tip, number, chance)
    spinner = path.spinner
    if double and spinner is None:
        spinner = number
        ends[2:] = [End(tip, number, _WEIGHED) for tip in sides(one, arm)]
    tiles = (*path.tiles, Lying(one.cells, end.host, double))
    return Path(tiles, (ends[0], ends[1], ends[2], ends[3]), path.seen, spinner)


def chance_after(path: Path, tile: Domino, half: int) -> float:
    """How likely a double comes next where this tile is laid now."""
    return _chance(tile.other(half), path.seen | BIT[tile])


def _chance(pips: int, seen: int) -> float:
    left = WITH_PIPS[pips] & ~seen
    return 1 / left.bit_count() if left & DOUBLES else 0.0


def sides(one: Step, arm: Arm) -> tuple[Tip, Tip]:
    """The short ends of a double: north is to the left of whoever looks from west to east."""
    left, low, right, high = one.cells
    north = (one.tip.ahead + (1 if arm is Arm.EAST else 3)) % 4
    x, y, (dx, dy) = (left + right) // 2, (low + high) // 2, AHEAD[north]
    return Tip(x + 2 * dx, y + 2 * dy, north), Tip(x - 2 * dx, y - 2 * dy, (north + 2) % 4)


def promised(path: Path) -> list[tuple[End, Zones]]:
    """Around each bare side of the spinner: the place of the tile that will lie there."""
    ends = [end for end in path.ends if end is not None and path.bare(end)]
    return [(end, zones(step(end.tip, "on").cells, double=False)) for end in ends]


def walls(path: Path, end: End, promises: list[tuple[End, Zones]]) -> Walls:
    """What a tile at this end must keep clear of.

    A unit from all tiles, half a unit from those that touch its host: around a spinner they lie no farther
    apart. Half a unit is enough too where a double sticks out of the line, but not at an open end.
    """
    host = path.tiles[end.host]
    far = close = kin = 0
    for number, tile in enumerate(path.tiles):
        if number != end.host:
            about, near = tile.zones
            close |= near
            if number == host.host or tile.host == end.host:
                kin |= about
            else:
                far |= about
    for whose, (about, near) in promises:
        if whose != end:
            close |= near
            if whose.host == end.host:
                kin |= about
            else:
                far |= about
    for other in path.ends:
        if other is not None and other.host != end.host:
            close |= guard(other.tip)
    return Walls(far, close, kin, host.zones)


def turns(path: Path, arm: Arm) -> int:
    """How many tiles lie at an arm, before there is a spinner."""
    end, many = path.ends[arm], 0
    assert end is not None
    host = end.host
    while host:
        many, host = many + 1, path.tiles[host].host
    return many
