"""How the table looks: where every piece lies, and what a move would change about that."""

from collections.abc import Iterator, Mapping
from functools import lru_cache
from heapq import nsmallest

from engine.dominoes_of_war.deeds import before_wall, blast
from engine.dominoes_of_war.model import (
    BASE_SIZE,
    DOWN,
    SET_UP,
    TILES,
    WALLS,
    Blow,
    Bonus,
    Extend,
    Face,
    First,
    Found,
    March,
    Rewall,
    Run,
    Shoot,
    Spawn,
    Stock,
    Wall,
    WarMove,
    WarState,
)
from engine.dominoes_of_war.orders import ground_of, left_to_hide
from engine.dominoes_of_war.places import ANGLES, FIELD, Border, Place, column, name, row
from engine.dominoes_of_war.readings import Terms
from engine.dominoes_of_war.troops import ARMIES, HIDDEN, TROOPS
from engine.layout import Layout, Spot
from engine.nearness import Footprint, Where
from engine.plain import Json

UPRIGHT, TURNED = 90.0, 0.0
"""How the tiles of the field lie, and those of the bases."""


def layout(state: WarState) -> Layout:
    """What the table should look like."""
    spots = (*_tiles(state), *_walls(state), *_soldiers(state), *_beside(state))
    walls = WALLS if state.phase in SET_UP else 0
    unplaced = sum(BASE_SIZE for base in state.bases if not base)
    unplaced += max(walls - len(state.walls) - state.rubble, 0)
    hidden = {f"pool-{side}": left_to_hide(state, side) for side in (1, 2) if _hidden(state, side)}
    return Layout(spots, {"spares": state.spare + unplaced, "discard": state.rubble, **hidden})


def _hidden(state: WarState, side: int) -> bool:
    return any(troop.side == side and troop.kind == HIDDEN for troop in state.troops)


def _tiles(state: WarState) -> Iterator[Spot]:
    for at, number in zip(FIELD, state.field, strict=True):
        value: Mapping[str, Json] | None = None if number == DOWN else {"pips": list(TILES[number])}
        yield Spot(
            f"tile {name(at)}",
            "domino",
            "down" if value is None else "up",
            value,
            "board",
            column(at),
            row(at),
            UPRIGHT,
        )
    for side, base in enumerate(state.bases, 1):
        for at in base:
            yield Spot(
                f"tile {name(at)}", "domino", "down", None, "board", column(at), row(at), TURNED, owner=side
            )


def _walls(state: WarState) -> Iterator[Spot]:
    for wall in state.walls:
        where = wall_stands(wall)
        yield Spot(f"wall {wall}", "wall", "edge", None, "board", where.x, where.y, where.angle)


def _soldiers(state: WarState) -> Iterator[Spot]:
    for troop in state.troops:
        angle = ANGLES[troop.facing] if troop.facing else None
        value: Mapping[str, Json] = {
            "army": state.armies[troop.side - 1],
            "type": None if troop.kind == HIDDEN else troop.kind,
            "facing_deg": angle,
        }
        yield Spot(
            f"soldier {name(troop.at)}",
            "soldier",
            "up",
            value,
            "board",
            column(troop.at),
            row(troop.at),
            angle,
            owner=troop.side,
        )


def _beside(state: WarState) -> Iterator[Spot]:
    """The pieces beside the board: pools, killed troops, mines that went off."""
    for region, piles in (("pool", state.pools), ("discard", state.discarded)):
        for side, counts in enumerate(piles, 1):
            army = state.armies[side - 1]
            if region == "pool" and _hidden(state, side):
                continue  # it would tell who stands behind the divider
            for kind, number in zip(ARMIES[army], counts, strict=True):
                for index in range(1, number + 1):
                    yield Spot(
                        f"{region} {side} {kind} {index}",
                        "soldier",
                        "up",
                        {"army": army, "type": kind, "facing_deg": None},
                        f"pool-{side}" if region == "pool" else region,
                        owner=side,
                    )
    for index, number in enumerate(state.mines, 1):
        value: Mapping[str, Json] = {"pips": list(TILES[number])}
        yield Spot(f"mine {index}", "domino", "up", value, "discard")


# — what a move changes —


def wall_stands(wall: Border) -> Where:
    """Where a wall stands, and along which direction."""
    upright = column(wall.low) == column(wall.high)
    x, y = (column(wall.low) + column(wall.high)) / 2, (row(wall.low) + row(wall.high)) / 2
    return Where(x, y, 0.0 if upright else 90.0)


def footprint(state: WarState, terms: Terms, move: WarMove) -> Footprint:
    """Every piece that a move touches, and where it is afterwards."""
    match move:
        case March():
            return _marched(move.at, move.to)
        case Shoot():
            return {"attacker": name(move.at), **_killed(state, terms, move)}
        case Run():
            dead = _blasted(state, terms, move.to, runner=move.at) | {move.at, move.to}
            return {f"soldier {name(at)}": "off" for at in dead}
        case Blow():
            near = before_wall(state, terms, move) if state.troop_at(move.at) else move.wall.low
            dead = _blasted(state, terms, near, runner=move.at) | {move.at}
            return {f"wall {move.wall}": "off", **{f"soldier {name(at)}": "off" for at in dead}}
        case Spawn():
            return {"spawner": name(move.at), f"new {move.kind}": _at(move.to)}
        case Bonus():
            return {f"new {move.kind}": _at(move.to)}
        case Face():
            return {f"soldier {name(move.at)}": Where(*_at(move.at)[:2], ANGLES[move.facing])}
    return _tiles_moved(move)


def candidates(legal: list[WarMove], move: WarMove) -> list[WarMove]:
    """Those of the legal moves that may be among the three nearest to ``move``.

    A move of the same soldier differs from a move in one piece, anything else in two or more: where there
    are three such, the rest need no look. A base is as far from another as there are tiles that only one of
    them has; where bases are due, all of them are as far from anything that is none.
    """
    if legal and isinstance(legal[0], Found):
        if not isinstance(move, Found):
            return legal[:3]
        tiles = move.tiles
        return nsmallest(3, legal, key=lambda one: len(tiles ^ one.tiles) if isinstance(one, Found) else 0)
    if isinstance(move, March):
        same: list[WarMove] = [one for one in legal if isinstance(one, March) and one.at == move.at]
        return same if len(same) >= 3 else legal
    return legal


@lru_cache(maxsize=1 << 14)
def _marched(at: Place, to: Place) -> Footprint:
    """Kept, because a ruling compares an illegal move with every legal one, and most of those are marches."""
    return {f"soldier {name(at)}": _at(to)}


def _at(at: Place) -> Where:
    return Where(column(at), row(at))


def _killed(state: WarState, terms: Terms, move: Shoot) -> Footprint:
    bombs = [at for at in move.targets if (troop := state.troop_at(at)) and TROOPS[troop.kind].bomb]
    dead = set(move.targets)
    if bombs:
        hit = blast(state, terms, bombs, through_walls=terms.blast_ignores_walls)
        dead |= {troop.at for troop in state.troops if troop.at in hit}
    return {f"soldier {name(at)}": "off" for at in dead}


def _blasted(state: WarState, terms: Terms, centre: Place, runner: Place) -> set[Place]:
    if centre not in ground_of(state, terms).home:
        return set()
    hit = blast(state, terms, (centre,), through_walls=False, runner=runner)
    return {troop.at for troop in state.troops if troop.at in hit}


def _tiles_moved(move: WarMove) -> Footprint:
    """The footprint of a move that touches no soldier but one being stocked."""
    match move:
        case Found():
            return {f"tile {name(at)}": _at(at) for at in move.tiles}
        case Extend():
            return {"new tile": _at(move.at)}
        case Wall():
            return {"new wall": wall_stands(move.where)}
        case Rewall():
            return {f"wall {move.old}": wall_stands(move.new)}
        case Stock():
            return {f"new {move.kind}": _at(move.at)}
        case First():
            return {"said": f"first {move.who}"}
    return {"said": type(move).__name__}
