"""The line as it really lies: no grid, players bend it as they like.

Lengths are in half dominoes. A tile lies where its middle is; ``angle`` points from its low half to its high
half. From where the tiles of a deal lie follows where each arm ends and which way it looks, and so which half
of a new tile touches which arm.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from math import cos, hypot, radians, sin
from typing import Final, NamedTuple

from engine.dominoes import Domino
from engine.draw_game.line import spinner_of
from engine.draw_game.model import Arm, Beside, Down, Event, Play
from engine.errors import BadSetup
from engine.plain import Json, JsonObject

NEAR: Final = 0.62
"""So near to where it would touch, a half is taken to touch."""
SPREAD: Final = 0.22
"""How far off it usually is (a standard deviation)."""
ROUND_THE_CORNER: Final = -0.7
"""What it costs that a tile touches the side of the last half instead of its end."""
BESIDE: Final = 1.35
"""So near to the middle of another half, a tile lies beside it."""


class Lies(NamedTuple):
    """Where a tile lies."""

    x: float
    y: float
    angle: float


class End(NamedTuple):
    """The open end of an arm: the middle of its edge, and the way it looks."""

    host: Domino
    x: float
    y: float
    dx: float
    dy: float

    def touching(self, lies: Lies) -> Iterator[tuple[float, float, float]]:
        """Where the middle of a half is that touches this end, and what that costs: straight on, or aside."""
        yield self.x + self.dx / 2, self.y + self.dy / 2, 0.0
        ux, uy = _axis(lies)
        if not self.host.is_double and abs(ux * self.dx + uy * self.dy) < 0.5:
            for side in (1, -1):
                x = self.x - self.dx / 2 - side * self.dy
                y = self.y - self.dy / 2 + side * self.dx
                yield x, y, ROUND_THE_CORNER


class Touch(NamedTuple):
    """A half of a tile that touches an arm, and how well (0 is perfect)."""

    arm: Arm
    half: int
    worth: float


def _axis(lies: Lies) -> tuple[float, float]:
    return cos(radians(lies.angle)), sin(radians(lies.angle))


def halves(tile: Domino, lies: Lies) -> tuple[tuple[int, float, float], tuple[int, float, float]]:
    """The two halves of a tile: pips, and where the middle of the half is."""
    ux, uy = _axis(lies)
    low = (tile.low, lies.x - ux / 2, lies.y - uy / 2)
    return low, (tile.high, lies.x + ux / 2, lies.y + uy / 2)


def ends(history: Iterable[Event], lies: Mapping[Domino, Lies]) -> dict[Arm, End]:
    """Where the arms end, open or not, as far as their tiles were seen."""
    found: dict[Arm, End] = {}
    spinner: Domino | None = None
    for event in history:
        if isinstance(event, Down) and event.tile in lies and not found:
            found.update(_down(event.tile, lies[event.tile]))
            if event.tile.is_double:
                spinner = event.tile
                found.update(_branches(spinner, lies[spinner], found[Arm.EAST]))
        elif isinstance(event, Play) and event.tile in lies and event.arm in found:
            end = _after(event, lies[event.tile], found[event.arm])
            if event.tile.is_double and spinner is None:
                spinner = event.tile
                line = end if event.arm is Arm.EAST else end._replace(dx=-end.dx, dy=-end.dy)
                found.update(_branches(spinner, lies[spinner], line))
            found[event.arm] = end
    return found


def _down(tile: Domino, lies: Lies) -> dict[Arm, End]:
    """The two ends of the first tile; of a double its long sides, the western one being the left one."""
    ux, uy = _axis(lies)
    reach = 1.0
    if tile.is_double:
        ux, uy, reach = -uy, ux, 0.5
        if (round(ux, 6), round(uy, 6)) < (0.0, 0.0):
            ux, uy = -ux, -uy
    east = End(tile, lies.x + ux * reach, lies.y + uy * reach, ux, uy)
    return {Arm.WEST: End(tile, lies.x - ux * reach, lies.y - uy * reach, -ux, -uy), Arm.EAST: east}


def _branches(spinner: Domino, lies: Lies, line: End) -> dict[Arm, End]:
    """The short ends of the spinner: north is to the left of whoever looks from west to east."""
    ux, uy = _axis(lies)
    if ux * -line.dy + uy * line.dx < 0:
        ux, uy = -ux, -uy
    north = End(spinner, lies.x + ux, lies.y + uy, ux, uy)
    return {Arm.NORTH: north, Arm.SOUTH: End(spinner, lies.x - ux, lies.y - uy, -ux, -uy)}


def _after(play: Play, lies: Lies, end: End) -> End:
    """The end that a tile leaves where it was laid at another one."""
    ux, uy = _axis(lies)
    if play.tile.is_double:
        ax, ay = lies.x - end.x, lies.y - end.y
        along, across = ax * ux + ay * uy, ay * ux - ax * uy
        if abs(along) > 0.75:  # in line, not crosswise
            sign = 1 if along > 0 else -1
            return End(play.tile, lies.x + sign * ux, lies.y + sign * uy, sign * ux, sign * uy)
        sign = 1 if across > 0 else -1
        dx, dy = -uy * sign, ux * sign
        return End(play.tile, lies.x + dx / 2, lies.y + dy / 2, dx, dy)
    if play.half == play.tile.high:
        ux, uy = -ux, -uy
    return End(play.tile, lies.x + ux, lies.y + uy, ux, uy)


def touches(tile: Domino, lies: Lies, arms: Mapping[Arm, End]) -> list[Touch]:
    """The arms that a tile touches, each with the half that does, the best first."""
    found = []
    for arm, end in arms.items():
        for half, x, y in _contacts(tile, lies):
            best = max(_worth(x - at_x, y - at_y) + cost for at_x, at_y, cost in end.touching(lies))
            if best > _worth(NEAR, 0.0) + ROUND_THE_CORNER:
                found.append(Touch(arm, half, best))
    best_of: dict[Arm, Touch] = {}
    for touch in sorted(found, key=lambda one: -one.worth):
        best_of.setdefault(touch.arm, touch)
    return list(best_of.values())


def _contacts(tile: Domino, lies: Lies) -> Iterator[tuple[int, float, float]]:
    """The points of a tile that can touch: the middles of its halves, and of a double its own middle."""
    yield from halves(tile, lies)
    if tile.is_double:
        yield tile.low, lies.x, lies.y


def _worth(dx: float, dy: float) -> float:
    return -0.5 * (hypot(dx, dy) / SPREAD) ** 2


def neighbours(tile: Domino, lies: Lies, others: Mapping[Domino, Lies]) -> Iterator[Beside]:
    """The tiles beside which a tile lies, and the half that is nearest, the nearest first."""
    near = []
    for host, there in others.items():
        for half, x, y in halves(tile, lies):
            for _, other_x, other_y in halves(host, there):
                off = hypot(x - other_x, y - other_y)
                if off < BESIDE and host != tile:
                    near.append((off, half, host))
    for _, half, host in sorted(near):
        yield Beside(tile, half, host)


def hangs_together(history: Iterable[Event], lies: Mapping[Domino, Lies]) -> bool:
    """Whether every tile that was laid at an arm still touches it with the same half."""
    done: list[Event] = []
    for event in history:
        if isinstance(event, Play) and event.tile in lies:
            arms = {arm: end for arm, end in ends(done, lies).items() if arm == event.arm}
            halves_there = [touch.half for touch in touches(event.tile, lies[event.tile], arms)]
            if arms and event.half not in halves_there:
                return False
        done.append(event)
    return True


def attached(
    history: Iterable[Event], lies: Mapping[Domino, Lies], left: Collection[Domino]
) -> tuple[list[Play], set[Domino]]:
    """The tiles that go on from a line, one after another where each touches best, and those that do not."""
    known, plays, rest = [*history], list[Play](), {*left}
    while True:
        open_ends = ends(known, lies)
        found = [
            (touch.worth, domino, touch)
            for domino in sorted(rest)
            for touch in touches(domino, lies[domino], open_ends)
        ]
        if not found:
            return plays, rest
        _, domino, touch = max(found)
        play = Play(domino, touch.half, touch.arm)
        known.append(play)
        plays.append(play)
        rest.discard(domino)


def touching_nothing(left: Collection[Domino]) -> str:
    """What to do with tiles that lie apart from the line, in a sentence."""
    lost = ", ".join(str(domino) for domino in sorted(left))
    return f"The {lost} touches nothing of the line: push it against its end, or take it off the board."


def first_of(
    lies: Mapping[Domino, Lies], spinner: Domino | None, doubtful: Collection[Domino] = ()
) -> tuple[Domino, Domino | None]:
    """The tile from which a line is told, and its spinner if that is clear."""
    clear, doubles = [domino for domino in lies if domino not in doubtful], doubles_of(lies, doubtful)
    centre = spinner if spinner in clear else doubles[0] if len(doubles) == 1 else None
    return centre or min(clear, key=lambda domino: hypot(lies[domino].x, lies[domino].y)), centre


def grown(
    lies: Mapping[Domino, Lies], spinner: Domino | None, doubtful: Collection[Domino] = ()
) -> JsonObject:
    """The line that these tiles make, as a set-up tells a board: outwards from a first tile.

    The spinner is the first tile, where it is known or there is but one double. Else the line is told from
    the tile nearest to the middle of the table, or from a double if more of the tiles hang together then: at
    the short ends of a spinner others lie. What is ``doubtful`` is no first tile, and part of the line if it
    touches it; if not, it is a stain of the table.
    """
    nearest, centre = first_of(lies, spinner, doubtful)
    firsts = [nearest, *(() if centre else doubles_of(lies, doubtful))]
    told = [(first, *attached([Down(first)], lies, set(lies) - {first})) for first in firsts]
    first, plays, left = min(told, key=lambda one: len(one[2].difference(doubtful)))
    arms: dict[Arm, list[Json]] = {arm: [] for arm in Arm}
    for play in plays:
        arms[play.arm].append(str(play.tile))
    if left := left.difference(doubtful):
        raise BadSetup(touching_nothing(left))
    board: JsonObject = {"first": str(first), **{str(arm): laid for arm, laid in arms.items()}}
    centre = centre or spinner_of([Down(first), *plays])
    return board if centre is None else {**board, "spinner": str(centre)}


def doubles_of(lies: Mapping[Domino, Lies], doubtful: Collection[Domino] = ()) -> list[Domino]:
    """The doubles that surely lie there, the nearest to the middle of the table first."""
    doubles = [domino for domino in lies if domino.is_double and domino not in doubtful]
    return sorted(doubles, key=lambda domino: hypot(lies[domino].x, lies[domino].y))
