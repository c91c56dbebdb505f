"""What a move or a fact does to the table: pieces first, then whose turn it is and what is due."""

from collections.abc import Iterable, Mapping
from typing import TypeVar

from engine.dominoes_of_war.model import (
    ACTIONS,
    BONUSES,
    TILE_NUMBER,
    WALLS,
    Armies,
    Blow,
    Bonus,
    Counts,
    Decline,
    Draw,
    End,
    Ended,
    Extend,
    Face,
    First,
    Flipped,
    Forfeit,
    Found,
    Lot,
    March,
    Rewall,
    Run,
    Shoot,
    Shown,
    Spawn,
    Stock,
    Troop,
    Walk,
    Wall,
    WarFact,
    WarMove,
    WarState,
)
from engine.dominoes_of_war.orders import (
    blow_centre,
    ground_of,
    stocking,
    stride,
)
from engine.dominoes_of_war.places import FIELD_INDEX, Border, Place, distance
from engine.dominoes_of_war.readings import Terms
from engine.dominoes_of_war.terrain import Pace, distances, zone
from engine.dominoes_of_war.troops import ARMIES, HIDDEN, TROOPS, Kind

# — pieces —


def counted(state: WarState, counts: Counts, side: int, kind: Kind, change: int) -> Counts:
    """These counts with one type of a player's army changed."""
    index = ARMIES[state.armies[side - 1]].index(kind)
    return (*counts[:index], counts[index] + change, *counts[index + 1 :])


T = TypeVar("T")


def _for_side(pair: tuple[T, T], side: int, value: T) -> tuple[T, T]:
    return (value, pair[1]) if side == 1 else (pair[0], value)


def _pool_changed(state: WarState, side: int, kind: Kind, change: int) -> WarState:
    if kind == HIDDEN:
        return state  # he leaves the pool when he is seen
    counts = counted(state, state.pools[side - 1], side, kind, change)
    return state._replace(pools=_for_side(state.pools, side, counts))


def _with_troop(state: WarState, old: Place | None, new: Troop) -> WarState:
    """The state with the soldier on ``old`` (if any) replaced by ``new``."""
    others = [troop for troop in state.troops if troop.at != old]
    return state._replace(troops=tuple(sorted([*others, new])))


def enlist(state: WarState, side: int, kind: Kind, to: Place, *, acted: bool = False) -> WarState:
    """A soldier comes out of a pool onto the table."""
    return _with_troop(_pool_changed(state, side, kind, -1), None, Troop(to, side, kind, acted=acted))


def with_facing(state: WarState, at: Place, facing: str) -> WarState:
    """The state with the soldier on ``at`` turned; only of Snipers it matters where they face."""
    troop = standing(state, at)
    return _with_troop(state, at, troop._replace(facing=facing)) if TROOPS[troop.kind].steady else state


def kill(state: WarState, terms: Terms, places: Iterable[Place]) -> WarState:
    """The soldiers on these places leave the table for the pool or the discard."""
    gone = frozenset(places)
    dead = [troop for troop in state.troops if troop.at in gone]
    state = state._replace(troops=tuple(troop for troop in state.troops if troop.at not in gone))
    for troop in dead:
        if terms.to_pool or troop.kind == HIDDEN:
            state = _pool_changed(state, troop.side, troop.kind, 1)
        else:
            counts = counted(state, state.discarded[troop.side - 1], troop.side, troop.kind, 1)
            state = state._replace(discarded=_for_side(state.discarded, troop.side, counts))
    return state


def blast(
    state: WarState, terms: Terms, centres: Iterable[Place], *, through_walls: bool, runner: Place = 0
) -> frozenset[Place]:
    """The places on which explosions round these tiles kill; ``runner`` has left his place to explode."""
    ground = ground_of(state, terms)
    bombs = {troop.at for troop in state.troops if terms.chain_reaction and TROOPS[troop.kind].bomb}
    bombs.discard(runner)
    due, done, hit = set(centres), set[Place](), set[Place]()
    while due:
        centre = due.pop()
        done.add(centre)
        hit |= ground.blast(centre, through_walls=through_walls) | {centre}
        due |= (bombs & hit) - done
    return frozenset(hit)


def without_wall(state: WarState, wall: Border) -> WarState:
    """The state with a wall less, wherever it goes."""
    return state._replace(walls=tuple(other for other in state.walls if other != wall))


def with_wall(state: WarState, wall: Border) -> WarState:
    """The state with one wall more, wherever it comes from."""
    return state._replace(walls=tuple(sorted((*state.walls, wall))))


def with_base(state: WarState, side: int, tiles: Iterable[Place]) -> WarState:
    """The state with these tiles as a player's base."""
    return state._replace(bases=_for_side(state.bases, side, tuple(sorted(tiles))))


def turned_up(state: WarState, at: Place, number: int) -> WarState:
    """The state with the tile on this place of the field face up."""
    index = FIELD_INDEX[at]
    return state._replace(field=state.field[:index] + bytes([number]) + state.field[index + 1 :])


# — what is due next —


def settle_set_up(state: WarState) -> WarState:
    """The state with the next step of the set-up due, or the first turn when nothing is left of it."""
    first, second = state.starter, 3 - state.starter
    placed = len(state.walls) + state.rubble
    for side in (first, second):
        if not state.bases[side - 1]:
            return state._replace(phase="bases", turn=side)
    if placed < WALLS:
        return state._replace(phase="walls", turn=first if placed % 2 == 0 else second)
    if stocking(state, 1) or stocking(state, 2):
        return state._replace(phase="stock", turn=first)
    if any(troop.kind == HIDDEN for troop in state.troops):
        return state._replace(phase="reveal", turn=first)
    return ended(state._replace(phase="act", turn=first))


def ended(state: WarState) -> WarState:
    """The state, over if a side has no troops left."""
    missing = [side for side in (1, 2) if not state.strength(side)]
    if not missing:
        return state
    how: Ended = "both" if len(missing) == 2 else "won"
    return _over(state, how)


def _over(state: WarState, how: Ended) -> WarState:
    return state._replace(phase="over", ended=how, focus=0, faced=(), bonus=0, walk=None, extra=0)


def rested(state: WarState) -> WarState:
    """The same with nobody who has acted."""
    troops = tuple(troop._replace(acted=False) if troop.acted else troop for troop in state.troops)
    return state._replace(troops=troops)


def next_turn(state: WarState) -> WarState:
    """The other player's turn, nothing used yet."""
    return rested(state)._replace(
        phase="act",
        turn=3 - state.turn,
        actions=0,
        extra=0,
        focus=0,
        faced=(),
        bonus=0,
        walk=None,
        offered=False,
    )


def due_facing(state: WarState) -> WarState:
    """The state with the own Snipers to be faced who are not yet, or the next turn."""
    facing = state._replace(phase="face", focus=0, bonus=0, extra=0, walk=None)
    return facing if facing.unfaced else next_turn(state)


def _faced(state: WarState, move: Face) -> WarState:
    turned = with_facing(state, move.at, move.facing)
    return due_facing(turned._replace(faced=tuple(sorted((*state.faced, move.at)))))


def _charged(state: WarState, at: Place) -> WarState:
    """The state with a new action charged to the troop on ``at``: an extra one, or one of the three."""
    troop = standing(state, at)
    used_up = state.actions >= ACTIONS or (troop.acted and not TROOPS[troop.kind].tireless)
    if state.phase == "bonus":
        state = state._replace(phase="act", bonus=0)
    elif state.extra and used_up:
        state = state._replace(extra=state.extra - 1)
    else:
        state = state._replace(actions=state.actions + 1)
    return _with_troop(state._replace(walk=None), at, troop._replace(acted=True))


def _charged_move(state: WarState, at: Place) -> WarState:
    """The same for a move, which may be the rest of one that was charged before."""
    return state if state.walk is not None and state.walk.at == at else _charged(state, at)


def standing(state: WarState, at: Place) -> Troop:
    """The troop on a place where one must be."""
    troop = state.troop_at(at)
    if troop is None:
        raise ValueError("nobody stands where a troop should act")
    return troop


# — moves —


def apply(state: WarState, terms: Terms, move: WarMove) -> WarState:
    """The state after a move that is allowed."""
    match move:
        case March():
            return _march(state, terms, move)
        case Shoot():
            return _shoot(state, terms, move)
        case Run():
            return _explode(state, terms, move.at, move.to, None)
        case Blow():
            return _explode(state, terms, move.at, before_wall(state, terms, move), move.wall)
        case Spawn():
            spawned = _charged(state, move.at)
            return enlist(spawned, state.turn, move.kind, move.to, acted=not terms.spawn_acts)
        case End():
            return due_facing(state)
        case Face():
            return _faced(state, move)
        case Draw() | Decline():
            return _answered(state, move)
        case First() | Found() | Wall() | Stock():
            return settle_set_up(_set_up(state, move))
    return _bonus_used(state._replace(phase="act", bonus=0), terms, move)


def _set_up(state: WarState, move: First | Found | Wall | Stock) -> WarState:
    match move:
        case First():
            return state._replace(starter=move.who)
        case Found():
            return with_base(state, state.turn, move.tiles)
        case Wall():
            return with_wall(state, move.where)
        case _:
            side = 1 if move.at in state.bases[0] else 2
            return enlist(state, side, move.kind, move.at)


def _answered(state: WarState, move: Draw | Decline) -> WarState:
    if state.phase == "act":
        return state._replace(phase="offer")
    if isinstance(move, Draw):
        return _over(state, "agreed")
    return state._replace(phase="act", offered=True)


def _bonus_used(state: WarState, terms: Terms, move: Bonus | Extend | Rewall | Forfeit) -> WarState:
    match move:
        case Bonus():
            return enlist(state, state.turn, move.kind, move.to, acted=not terms.spawn_acts)
        case Extend():
            tiles = (*state.bases[state.turn - 1], move.at)
            return with_base(state, state.turn, tiles)._replace(spare=state.spare - 1)
        case Rewall():
            return with_wall(without_wall(state, move.old), move.new)
        case _:
            return state


def _march(state: WarState, terms: Terms, move: March) -> WarState:
    troop = standing(state, move.at)
    walk: Walk | None = None
    if terms.stepwise:
        steps = stride(state, troop)
        left = steps - reach_of(state, terms, troop, steps).get(move.to, steps)
        walk = Walk(move.to, left) if left else None
    state = _charged_move(state, move.at)
    state = _with_troop(state, move.at, standing(state, move.at)._replace(at=move.to))
    if state.is_down(move.to):
        return state._replace(phase="tile", focus=move.to, walk=walk)
    return state._replace(phase="act", walk=walk)


def reach_of(state: WarState, terms: Terms, troop: Troop, steps: int) -> Mapping[Place, int]:
    """How many steps each tile is away for this troop, as far as so many steps go."""
    ground, gait = ground_of(state, terms), TROOPS[troop.kind].gait
    near = frozenset(other.at for other in state.troops) & zone(ground, troop.at, gait, steps)
    return distances(ground, troop.at, Pace(gait, steps, terms.passing), near)


def _shoot(state: WarState, terms: Terms, move: Shoot) -> WarState:
    bombs = [at for at in move.targets if TROOPS[standing(state, at).kind].bomb]
    hit = move.targets
    if bombs:
        hit |= blast(state, terms, bombs, through_walls=terms.blast_ignores_walls)
    return ended(kill(_charged(state, move.at), terms, hit))


def before_wall(state: WarState, terms: Terms, move: Blow) -> Place:
    """The tile from which a Kamikaze runs into a wall: where it has the steps, else the nearer one."""
    troop = standing(state, move.at)
    steps = stride(state, troop)
    reach = reach_of(state, terms, troop, steps)
    places = frozenset(other.at for other in state.troops)
    centre = blow_centre(reach, places, move.wall, steps, terms)
    return min(move.wall, key=lambda at: distance(move.at, at)) if centre is None else centre


def _explode(state: WarState, terms: Terms, at: Place, centre: Place, wall: Border | None) -> WarState:
    """A Kamikaze explodes on purpose, on an enemy's tile or before a wall that goes with it."""
    hit = blast(state, terms, (centre,), through_walls=False, runner=at) | {at}
    state = kill(_charged_move(state, at), terms, hit)
    if wall is not None:
        state = without_wall(state, wall)._replace(rubble=state.rubble + 1)
    return ended(state._replace(walk=None))


# — facts —


def reveal(state: WarState, terms: Terms, fact: WarFact) -> WarState:
    """The state once something possible has been seen."""
    match fact:
        case Armies():
            armies = (fact.first, fact.second)
            pools = (terms.pools[fact.first], terms.pools[fact.second])
            return state._replace(phase="lot", armies=armies, pools=pools)
        case Lot():
            return state._replace(phase="starter", turn=fact.winner)
        case Shown():
            troop = standing(state, fact.at)._replace(kind=fact.kind)
            known = _pool_changed(state, troop.side, fact.kind, -1)
            return settle_set_up(_with_troop(known, fact.at, troop))
        case _:
            return _flip(state._replace(phase="act", focus=0), terms, fact)


def _flip(state: WarState, terms: Terms, fact: Flipped) -> WarState:
    kind = TROOPS[standing(state, fact.at).kind]
    number = TILE_NUMBER[fact.tile]
    brings = True
    if not fact.tile.is_double:
        state = turned_up(state, fact.at, number)
    elif kind.nimble:
        state = turned_up(state, fact.at, number)
        brings = terms.nimble_bonus
    else:
        state = _mine(state, terms, fact.at, number, kind.bomb)
        brings = terms.double_bonus and state.phase != "over"
    return _granted(state, terms, fact.tile.pips) if brings and fact.tile.pips in BONUSES else state


def _mine(state: WarState, terms: Terms, at: Place, number: int, bomb: bool) -> WarState:
    hit = frozenset({at})
    if bomb:
        hit |= blast(state, terms, hit, through_walls=terms.blast_ignores_walls)
    if state.spare:
        state = state._replace(mines=bytes(sorted((*state.mines, number))), spare=state.spare - 1)
    else:
        state = turned_up(state, at, number)
    return ended(kill(state._replace(walk=None), terms, hit))


def _granted(state: WarState, terms: Terms, total: int) -> WarState:
    if total != 12:
        return state._replace(phase="bonus", bonus=total)
    if terms.extra_any_time:
        return state._replace(extra=state.extra + 1)
    return state._replace(phase="bonus", bonus=total, walk=None)
