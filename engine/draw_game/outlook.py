"""How well the line can go on: what a look ahead expects of each open end."""

from typing import Final, NamedTuple

from engine.draw_game.ground import Step, Tip, Way, passable, starts, step, territories
from engine.draw_game.model import TILES, Arm
from engine.draw_game.path import Path, Walls, promised, sides, walls

DEPTH: Final = 4
"""How many further tiles are thought of at each end."""
TIGHT: Final = 0.25
"""What it costs that a tile lies nearer than a unit to another one, in tiles that find no place."""
SIDE: Final = 0.3
"""What it costs to turn at the side of the last half, in tiles that find no place."""
ENOUGH: Final = 0.1
"""A way on that loses no more, in tiles that find no place, is good enough to look no further."""
CROWDED: Final = 0.4
"""What it costs an end that its part of the board is small, in tiles that find no place."""
ROOMY: Final = 16
"""How many cells of its part of the board a tile takes, with what stays clear around it."""

TURNS: Final[tuple[Way, ...]] = ("on", "left", "right")
AT_THE_SIDE: Final[tuple[Way, ...]] = ("side left", "side right")


class _Hope(NamedTuple):
    """What does not change while one looks ahead."""

    doubles: float
    """How likely any later tile is a double."""
    spinner: bool
    """Whether the next double will be the spinner."""


def cost(path: Path) -> float:
    """How many of the next tiles probably find no place, over all ends, and how crowded the ends are."""
    promises = promised(path)
    hope = _Hope(path.doubles, path.spinner is None)
    lost, fronts, taken = 0.0, [], 0
    for tile in path.tiles:
        taken |= tile.zones[0]
    for _, (around, _) in promises:
        taken |= around
    for end in path.ends:
        if end is None:
            continue
        about, tip, depth = walls(path, end, promises), end.tip, DEPTH
        crosswise = path.tiles[end.host].double
        if path.bare(end):
            one = step(tip, "on")
            if not fits(one, about):
                lost += DEPTH
                continue
            lost += TIGHT * bool(one.core & about.far)
            about, tip, depth, crosswise = _past(about, one), one.tip, depth - 1, False
        single = _single(about, tip, depth, hope, crosswise=crosswise)
        double = single if crosswise or not end.chance else _double(about, tip, depth, hope)
        lost += depth - (1 - end.chance) * single - end.chance * double
        fronts.append(_front(tip, about))
    many = (len(TILES) - len(path.tiles)) / max(1, len(fronts))
    room = territories(fronts, passable(taken))
    return lost + sum(CROWDED * many / (1 + size / ROOMY) for size in room)


def fits(one: Step, about: Walls, over: int = 0) -> bool:
    """Whether a tile can lie there at all, sticking out of the board no farther than ``over`` cells."""
    return one.over <= over and not one.body & about.close


def _clear(one: Step, about: Walls) -> bool:
    """Whether a tile lies there as it should, a unit clear of others."""
    return fits(one, about) and not one.core & about.far


def _past(about: Walls, one: Step) -> Walls:
    """What the tile after this one must keep clear of."""
    return Walls(about.far | about.kin, about.close | about.host[1], about.host[0], (one.about, one.near))


def _front(tip: Tip, about: Walls) -> int:
    """Where the line goes on behind the next tile."""
    front = 0
    for way, start in zip(TURNS, starts(tip), strict=True):
        if fits(step(tip, way), about):
            front |= start
    return front


def _likely(about: Walls, tip: Tip, depth: int, hope: _Hope) -> float:
    """How many of so many further tiles probably find room at an end that is no double."""
    if depth <= 0:
        return 0.0
    single = _single(about, tip, depth, hope)
    double = _double(about, tip, depth, hope) if hope.doubles else single
    return (1 - hope.doubles) * single + hope.doubles * double


def _single(about: Walls, tip: Tip, depth: int, hope: _Hope, *, crosswise: bool = False) -> float:
    """The same, the next being no double: it turns to where most follow, but never at a double's side."""
    if depth <= 0:
        return 0.0
    best, tight = 0.0, []
    for way in TURNS:
        one = step(tip, way)
        if not fits(one, about):
            continue
        if not _clear(one, about):
            tight.append(one)
            continue
        best = max(best, 1 + _likely(_past(about, one), one.tip, depth - 1, hope))
        if best >= depth - ENOUGH:
            return best
    for one in tight if best < depth - TIGHT else ():
        best = max(best, 1 - TIGHT + _likely(_past(about, one), one.tip, depth - 1, hope))
    for way in AT_THE_SIDE if not best and not crosswise else ():
        one = step(tip, way)
        if fits(one, about):
            first = 1 - SIDE - TIGHT * bool(one.core & about.far)
            best = max(best, first + _likely(_past(about, one), one.tip, depth - 1, hope))
    return best


def _double(about: Walls, tip: Tip, depth: int, hope: _Hope) -> float:
    """The same, the next being a double: no other follows it, and a spinner needs room on all sides."""
    one = step(tip, "across")
    if not fits(one, about):
        return 0.0
    then = _past(about, one)
    first = 1 - TIGHT * bool(one.core & about.far)
    if not hope.spinner:
        return first + _single(then, one.tip, depth - 1, hope, crosswise=True)
    left, right = (step(side, "on") for side in sides(one, Arm.EAST))
    if not (_clear(left, then) and _clear(right, then)):
        return first
    hope = hope._replace(spinner=False)
    on = Walls(then.far, then.close | left.near | right.near, then.kin | left.about | right.about, then.host)
    least = first + _single(on, one.tip, depth - 1, hope, crosswise=True)
    for branch, other in ((left, right), (right, left)):
        far, close = then.far | then.kin | one.about | other.about, then.close | one.near | other.near
        beyond = Walls(far, close, one.about, (branch.about, branch.near))
        least = min(least, first + 1 + _likely(beyond, branch.tip, depth - 2, hope))
    return least
