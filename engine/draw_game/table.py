"""Where the tiles of a deal lie on a table that is not endless.

The Down lies at the origin, the line runs west and east from it, and the spinner's short ends run off at
right angles. Where each further tile lies is decided when it is laid (``engine.draw_game.laying``); a tile
keeps its place once it lies.
"""

from functools import lru_cache
from types import MappingProxyType
from typing import Final, NamedTuple, TypeAlias

from engine.dominoes import Domino
from engine.draw_game.ground import HIGH, WIDE, Step
from engine.draw_game.known_hands import boneyard, size
from engine.draw_game.laying import laid
from engine.draw_game.model import Arm, Down, DrawState, Event, Pass, Play, Shown, board_tiles, tiles_in
from engine.draw_game.path import Path, begun, chance_after, further
from engine.layout import Layout, Spot
from engine.nearness import Where

SIDE: Final = WIDE / 4
"""How far the board reaches to the west and to the east of the Down, in half dominoes."""
TOP: Final = HIGH / 4
"""How far it reaches to either player."""

_Laid: TypeAlias = tuple[Down | Play, ...]


class LaidLine(NamedTuple):
    """The tiles of the line with their places, and the line as the board's cells hold it (None before it)."""

    places: "MappingProxyType[Domino, Where]"
    path: Path | None

    def place(self, tile: Domino, half: int, arm: Arm) -> Where | None:
        """Where a tile would lie at an arm; None where there is no such arm."""
        one = None if self.path is None else _next(self.path, tile, half, arm)
        return None if one is None else _where(one, tile, half)


def table(history: tuple[Event, ...]) -> LaidLine:
    """Where everything lies after a deal's history."""
    return _table(tuple(event for event in history if isinstance(event, Down | Play)))


@lru_cache(maxsize=256)
def _table(plays: _Laid) -> LaidLine:
    """The same; each history but the shortest goes on from the one before its last tile."""
    if not plays:
        return LaidLine(MappingProxyType({}), None)
    before, last = _table(plays[:-1]), plays[-1]
    path, tile = before.path, last.tile
    if isinstance(last, Down):
        if path is not None:
            return before
        first = Where(0.0, 0.0, 90.0 if tile.is_double else 0.0)
        return LaidLine(MappingProxyType({tile: first}), begun(tile))
    one = None if path is None else _next(path, tile, last.half, last.arm)
    if path is None or one is None:
        return before
    places = {**before.places, tile: _where(one, tile, last.half)}
    return LaidLine(MappingProxyType(places), further(path, last.arm, tile, last.half, one))


def _next(path: Path, tile: Domino, half: int, arm: Arm) -> Step | None:
    if path.ends[arm] is None:
        return None
    return laid(path, arm, chance_after(path, tile, half), double=tile.is_double)


def _where(one: Step, tile: Domino, half: int) -> Where:
    """The place in board units; the angle points from the low half to the high one."""
    left, low, right, high = one.cells
    x, y, angle = (left + right - WIDE) / 4, (low + high - HIGH) / 4, 90 * one.tip.ahead
    if tile.is_double:
        return Where(x, y, (angle + 90) % 180)
    return Where(x, y, (angle + 180 * (half != tile.low)) % 360)


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
