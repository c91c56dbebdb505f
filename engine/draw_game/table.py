"""Where the tiles of a deal lie on a table that is not endless.

The Down lies at the origin. The line runs west and east until the table's side is near, then turns once, to
its right; the spinner's short ends run off at right angles. Each arm folds up and down in columns within its
own quarter of the table, so that none meets another, and a tile keeps its place once it lies. Where a quarter
is full, or a spinner stands where only a long straight line can have put it, arms run on straight, off the
table if they must: that is rare, and still no two tiles overlap.
"""

from functools import lru_cache
from types import MappingProxyType
from typing import Final, Literal, NamedTuple, TypeAlias

from engine.dominoes import Domino
from engine.draw_game.hands import boneyard, size
from engine.draw_game.model import (
    Arm,
    Down,
    DrawState,
    Event,
    Pass,
    Play,
    Shown,
    board_tiles,
    tiles_in,
)
from engine.layout import Layout, Spot
from engine.nearness import Where

SIDE: Final = 12.0
"""How far the line runs west and east before it turns, in half dominoes."""
TOP: Final = 9.0
"""How far the columns reach from the line."""
NEAR: Final = 4.0
"""How near to the line a column may come back."""
COLUMN: Final = 4.0
"""From one column to the next."""
CLEAR: Final = 2.5
"""What stays free between an arm's columns and the next branch."""

Leg: TypeAlias = Literal["out", "up", "over", "down", "back"]
_HEADING: Final = {
    "out": (-1, 0, 180),
    "up": (0, 1, 90),
    "over": (1, 0, 0),
    "down": (0, -1, 270),
    "back": (1, 0, 0),
}


class Head(NamedTuple):
    """The open end of an arm, seen so that the arm is the western or the northern one.

    The eastern and the southern arm are the same turned by half a circle; ``turned`` says that it is one.
    """

    x: float
    y: float
    leg: Leg
    column: float
    branch: bool
    """Whether it is one of the spinner's short ends."""
    turned: bool
    straight: bool = False
    """Whether it must not turn any more."""


def _turn(head: Head, spinner_x: float | None) -> Leg | None:
    """The leg that begins with the next tile, or None where the arm goes on as it does."""
    if head.straight:
        return None
    if head.leg == "out":
        # a column right beside the spinner would touch its branch
        clear = spinner_x is None or head.x - 0.5 <= spinner_x - 3
        return "up" if head.x - 2 < -SIDE and clear else None
    if head.leg in ("over", "back"):
        far = head.x - head.column >= 2.5
        return ("down" if head.leg == "over" else "up") if far else None
    if head.leg == "down":
        return "back" if head.y - 2 < NEAR else None
    # Before the spinner lies nobody knows where its branches will need room; and an arm that folds down
    # has to come up again, or it would run into the line.
    room = SIDE + 1 if head.branch else spinner_x - CLEAR if spinner_x is not None else -SIDE
    return "over" if head.y + 2 > TOP and head.column + 2 * COLUMN <= room else None


def placed(head: Head, tile: Domino, half: int, spinner_x: float | None) -> tuple[Where, Head]:
    """Where a tile lies that is laid at an open end, and the end it leaves. A double never turns a corner."""
    if head.turned and spinner_x is not None:
        spinner_x = -spinner_x
    leg = None if tile.is_double else _turn(head, spinner_x)
    dx, dy, angle = _HEADING[head.leg]
    if leg is None:
        length = 1 if tile.is_double else 2
        x, y = head.x + dx * length / 2, head.y + dy * length / 2
        after = head._replace(x=head.x + dx * length, y=head.y + dy * length)
    else:
        turn_x, turn_y, angle = _HEADING[leg]
        corner_x, corner_y = head.x + dx / 2, head.y + dy / 2
        x, y = corner_x + turn_x / 2, corner_y + turn_y / 2
        column = corner_x if leg in ("up", "down") else head.column
        after = head._replace(x=corner_x + turn_x * 1.5, y=corner_y + turn_y * 1.5, leg=leg, column=column)
    if tile.is_double:
        angle = (angle + 90) % 180
    else:
        angle = (angle + 180 * (half != tile.low) + 180 * head.turned) % 360
    return (Where(-x, -y, angle) if head.turned else Where(x, y, angle)), after


class Table(NamedTuple):
    """The tiles of the line with their places, and the four open ends (None where there is none yet)."""

    places: "MappingProxyType[Domino, Where]"
    heads: tuple[Head | None, Head | None, Head | None, Head | None]
    spinner_x: float | None

    def place(self, tile: Domino, half: int, arm: Arm) -> Where | None:
        """Where a tile would lie at an arm; None where there is no such arm."""
        head = self.heads[arm]
        return None if head is None else placed(head, tile, half, self.spinner_x)[0]


@lru_cache(maxsize=64)
def table(history: tuple[Event, ...]) -> Table:
    """Where everything lies after a deal's history."""
    places: dict[Domino, Where] = {}
    heads: list[Head | None] = [None] * 4
    spinner_x: float | None = None
    for event in history:
        if isinstance(event, Down) and not places:
            edge = -0.5 if event.tile.is_double else -1.0
            places[event.tile] = Where(0.0, 0.0, 90.0 if event.tile.is_double else 0.0)
            heads[:2] = (Head(edge, 0.0, "out", 0.0, False, turned) for turned in (False, True))
            if event.tile.is_double:
                spinner_x = 0.0
                heads[2:] = (Head(0.0, 1.0, "up", 0.0, True, turned) for turned in (False, True))
        elif isinstance(event, Play) and (head := heads[event.arm]) is not None:
            where, after = placed(head, event.tile, event.half, spinner_x)
            places[event.tile], heads[event.arm] = where, after
            if event.tile.is_double and spinner_x is None:
                spinner_x = where.x
                heads[event.arm] = after._replace(straight=after.leg != "out")
                heads[2:] = _branches(where, after)
    return Table(MappingProxyType(places), (heads[0], heads[1], heads[2], heads[3]), spinner_x)


def _branches(spinner: Where, line: Head) -> tuple[Head, Head]:
    """The short ends of a spinner that lies in the line: north, south."""
    if line.leg == "out":
        return (
            Head(spinner.x, 1.0, "up", spinner.x, True, turned=False),
            Head(-spinner.x, 1.0, "up", -spinner.x, True, turned=True),
        )
    # the line has turned: one branch runs off the table, the other in front of the line
    sign = -1 if line.turned else 1
    x, y = spinner.x * sign, spinner.y * sign
    inward = Head(x + 1, y, "over", x, True, line.turned, straight=True)
    outward = Head(x - 1, y, "out", x, True, line.turned, straight=True)
    return (outward, inward) if line.turned else (inward, outward)


def layout(state: DrawState) -> Layout:
    """What the table should look like."""
    places = table(state.history).places
    spots = [_lying(tile, where) for tile, where in places.items()]
    spots += [_lying(tile, None) for tile in tiles_in(board_tiles(state.history)) if tile not in places]
    hidden = {"boneyard": boneyard(state)}
    for player in (1, 2):
        if player in laid_open(state):
            spots += [_shown(tile, player) for tile in tiles_in(state.hands[player - 1])]
        else:
            hidden[f"hand-{player}"] = size(state, player)
    return Layout(tuple(spots), hidden)


def laid_open(state: DrawState) -> frozenset[int]:
    """The players whose hands lie open: shown, or counted at the end of a deal."""
    moves = [event for event in state.history if not isinstance(event, Shown)]
    shown = {event.player for event in state.history if isinstance(event, Shown)}
    if not moves or state.phase not in ("hand", "deal", "over"):
        return frozenset()
    over = isinstance(moves[-1], Pass) or any(size(state, player) == 0 for player in (1, 2))
    known = {player for player in (1, 2) if over and not state.hidden[player - 1]}
    return frozenset(shown | known)


def _lying(tile: Domino, where: Where | None) -> Spot:
    value = {"pips": list(tile)}
    if where is None:
        return Spot(str(tile), "domino", "up", value, "aside")
    return Spot(str(tile), "domino", "up", value, "board", where.x, where.y, where.angle)


def _shown(tile: Domino, player: int) -> Spot:
    return Spot(str(tile), "domino", "up", {"pips": list(tile)}, f"hand-{player}", owner=player)
