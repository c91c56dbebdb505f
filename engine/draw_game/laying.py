"""Where people lay the next tile of a line that must not leave the board.

They go straight on as long as that is best, and turn to where the line can go on longest; they keep a unit
clear of other tiles, leave room for the other ends, and never turn with a double. Before a double has been
laid they keep to the middle, so that the spinner has room on all sides wherever it comes. Where the board is
full a tile sticks out of it, or runs off.
"""

from functools import lru_cache
from itertools import chain, count
from typing import Final

from engine.draw_game.ground import AHEAD, Cells, Step, Way, step
from engine.draw_game.model import Arm
from engine.draw_game.outlook import AT_THE_SIDE, TIGHT, TURNS, cost, fits
from engine.draw_game.path import End, Path, promised, supposed, turns, walls

COURSE: Final[tuple[Way, ...]] = ("on", "left", "side right", "right", "on", "right", "on", "on")
"""How each arm runs before there is a spinner: near the board's edge a spinner's ends have no room to turn,
so the arm folds about the middle. Of many courses this one kept most of some thousand deals on the board."""
TURN: Final = 0.03
"""What it costs to turn, in tiles that find no place: nobody turns for the sake of next to nothing."""
OVER: Final = 2
"""So many cells a tile may stick out of the board before the line just runs off: its middle stays on it."""


@lru_cache(maxsize=1 << 12)
def laid(path: Path, arm: Arm, chance: float, *, double: bool) -> Step:
    """How a tile lies at an arm; ``chance`` is how likely a double comes next."""
    end = path.ends[arm]
    assert end is not None
    kept, bare = walls(path, end, promised(path)), walls(path, end, [])
    if path.spinner is None and not double and turns(path, arm) < len(COURSE):
        one = step(end.tip, COURSE[turns(path, arm)])
        if fits(one, kept) and not one.core & kept.far:
            return one

    def price(one: Step) -> float:
        turn = TURN * (one.tip.ahead != end.tip.ahead)
        tight = 2 * TIGHT * bool(one.core & kept.far)
        return turn + tight + cost(supposed(path, arm, one, chance, double=False))

    turned = _ways(end, TURNS, double=double)
    beside = [] if path.tiles[end.host].double or double else _ways(end, AT_THE_SIDE)
    tries = [(turned, kept, 0), (beside, kept, 0), (turned, bare, 0), (beside, bare, 0)]
    tries += [(turned, kept, over) for over in range(1, OVER + 1)]
    for ways, about, over in tries:
        free = [one for one in ways if fits(one, about, over)]
        if free:
            return free[0] if len(free) == 1 else min(free, key=price)
    return _off(path, end, turned)


def _ways(end: End, ways: tuple[Way, ...], *, double: bool = False) -> list[Step]:
    return [step(end.tip, way) for way in (("across",) if double else ways)]


def _off(path: Path, end: End, ways: list[Step]) -> Step:
    """Where nothing lies, or off the board: half a unit clear, else touching, else behind what lies there."""
    others = [tile.cells for number, tile in enumerate(path.tiles) if number != end.host]
    dx, dy = AHEAD[end.tip.ahead]
    behind = (_moved(ways[0], dx * cells, dy * cells) for cells in count(1))
    tries = chain(((one, 1) for one in ways), ((one, 0) for one in ways), ((one, 1) for one in behind))
    return next(one for one, gap in tries if not any(_meet(one.cells, other, gap) for other in others))


def _moved(one: Step, x: int, y: int) -> Step:
    left, low, right, high = one.cells
    tip = one.tip._replace(x=one.tip.x + x, y=one.tip.y + y)
    return one._replace(cells=(left + x, low + y, right + x, high + y), tip=tip)


def _meet(one: Cells, other: Cells, gap: int) -> bool:
    """Whether two tiles lie nearer than so many cells."""
    return (
        one[0] < other[2] + gap
        and other[0] < one[2] + gap
        and one[1] < other[3] + gap
        and other[1] < one[3] + gap
    )
