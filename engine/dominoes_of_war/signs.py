"""What the table shows of what was done in Dominoes of War: soldiers gone, come, turned; tiles, walls."""

from collections.abc import Iterable, Iterator
from itertools import product
from typing import Final

from engine.book import Move
from engine.dominoes_of_war.model import (
    BASE_SIZE,
    Bonus,
    Extend,
    Face,
    Found,
    March,
    Rewall,
    Shoot,
    Spawn,
    Stock,
    Troop,
    Wall,
    WarState,
)
from engine.dominoes_of_war.places import ANGLES, FIELD_INDEX, Place, column, name, place, row
from engine.dominoes_of_war.sighted import BOARD, border_of, facings_at, place_of, sides_of, types_of
from engine.dominoes_of_war.troops import HIDDEN
from engine.layout import Spot
from engine.matching.evidence import Evidence, Gap, Places
from engine.scene import Sighting

_TURNED: Final = 35.0
"""Farther than this, in degrees, a Sniper is not turned by chance."""


def standing(state: WarState, spot: Spot) -> Troop | None:
    """The troop of a spot on the board."""
    if spot.kind != "soldier" or spot.region != BOARD or spot.x is None or spot.y is None:
        return None
    return state.troop_at(place(round(spot.x), round(spot.y)))


def _players(state: WarState, troop: Troop) -> tuple[int, ...]:
    """Who may have moved a troop: its owner, and whoever's turn it is."""
    return (troop.side,) if troop.side == state.turn else (troop.side, state.turn)


def marches(
    state: WarState, gap: Gap, gone: list[Troop], come: list[tuple[Place, Sighting]]
) -> Iterator[Move]:
    """Soldiers who went where one is seen, or where a tile was flipped on the way or under a dead man."""
    for troop in gone:
        for at, one in come:
            if troop.kind in types_of(one) and troop.side in sides_of(state, one) and at != troop.at:
                yield from (March(player, troop.at, at) for player in _players(state, troop))
        for spot, _ in gap.misread:
            if spot.kind == "domino" and spot.face == "down" and spot.x is not None and spot.y is not None:
                yield March(troop.side, troop.at, place(round(spot.x), round(spot.y)))
    if any(one.kind == "domino" and one.region == "discard" for one in gap.extra):
        for troop, at in product(gone, FIELD_INDEX):
            if (
                state.is_down(at)
                and max(abs(column(at) - column(troop.at)), abs(row(at) - row(troop.at))) <= 3
            ):
                yield March(troop.side, troop.at, at)


def spawns(state: WarState, come: list[tuple[Place, Sighting]]) -> Iterator[Move]:
    """Soldiers who have come from the pool."""
    for at, one in come:
        for side, kind in product(sides_of(state, one), types_of(one)):
            if state.phase == "bonus":
                yield Bonus(side, kind, at)
            for leader in state.troops:
                if leader.side == side:
                    yield Spawn(side, leader.at, kind, at)


def shots(state: WarState, gone: list[Troop]) -> Iterator[Move]:
    """Soldiers shot: one or two of one side, by anybody of the other."""
    for side in (1, 2):
        hit = frozenset(troop.at for troop in gone if troop.side == side)
        if 0 < len(hit) <= 2:
            for shooter in state.troops:
                if shooter.side != side and shooter.kind != HIDDEN:
                    yield Shoot(3 - side, shooter.at, hit)


def turns(state: WarState, gap: Gap) -> Iterator[Move]:
    """Soldiers who face another way."""
    for spot, one in gap.misread:
        troop = standing(state, spot)
        if troop is not None and one.angle is not None and troop.kind == "sniper":
            yield from (Face(troop.side, troop.at, facing) for facing in facings_at(one.angle))


def next_faced(state: WarState, evidence: Evidence) -> Iterator[Face]:
    """How the Sniper seems to face who comes next: one who was turned before those who keep their facing.

    In which order they are faced does not matter, so that one is enough; and of who keeps his facing nothing
    is known before the turn is over.
    """
    due = [troop for troop in state.troops if troop.at in state.unfaced]
    angles: dict[Place, list[float]] = {troop.at: [] for troop in due}
    for one in evidence.in_region(BOARD, "soldier"):
        at = place_of(one)
        if at in angles and one.angle is not None:
            angles[at].append(one.angle)
    turned = [troop for troop in due if _is_turned(troop, angles[troop.at], evidence.places)]
    for troop in (turned or due)[:1]:
        for angle in angles[troop.at]:
            yield from (Face(state.turn, troop.at, facing) for facing in facings_at(angle))


def _is_turned(troop: Troop, angles: Iterable[float], places: Places) -> bool:
    """Whether a Sniper is seen to face elsewhere than he was told to, or elsewhere than he stood."""
    lay = places.get(f"soldier {name(troop.at)}")
    before = ANGLES[troop.facing] if troop.facing else lay.angle if lay is not None else None
    return before is not None and any(abs((one - before + 180) % 360 - 180) > _TURNED for one in angles)


def stocked(state: WarState, come: list[tuple[Place, Sighting]]) -> Iterator[Move]:
    """Soldiers put on the bases before the first turn."""
    for at, one in come:
        for side in sides_of(state, one):
            yield from (Stock(side, at, kind) for kind in types_of(one))
            if one.value is None or one.value.get("type") is None:
                yield Stock(side, at, HIDDEN)


def tiles(state: WarState, gap: Gap) -> Iterator[Move]:
    """Bases laid, and tiles added to them."""
    laid = [at for one in gap.extra if one.kind == "domino" and (at := place_of(one)) is not None]
    if state.phase == "bases":
        if len(laid) == BASE_SIZE:
            yield Found(state.turn, frozenset(laid))
    else:
        yield from (Extend(state.turn, at) for at in laid)


def walls(state: WarState, gap: Gap) -> Iterator[Move]:
    """Walls stood up or moved."""
    new = [where for one in gap.extra if one.kind == "wall" and (where := border_of(one)) is not None]
    for where in new:
        if state.phase == "walls":
            yield Wall(state.turn, where)
        for old in state.walls:
            if any(spot.name == f"wall {old}" for spot in gap.missing):
                yield Rewall(state.turn, old, where)
