"""Everything that may be done now, in a stable order: troops by their places, each type's actions in turn."""

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from itertools import combinations

from engine.dominoes_of_war import terrain
from engine.dominoes_of_war.bases import all_bases, touching
from engine.dominoes_of_war.model import (
    ACTIONS,
    Blow,
    Bonus,
    Decline,
    Draw,
    End,
    Extend,
    Face,
    First,
    Forfeit,
    Found,
    March,
    Rewall,
    Run,
    Shoot,
    Spawn,
    Stock,
    Troop,
    Wall,
    WarMove,
    WarState,
)
from engine.dominoes_of_war.places import (
    AROUND,
    FAR,
    FIELD_BORDERS,
    STRAIGHT,
    Border,
    Place,
    border,
    column,
    row,
)
from engine.dominoes_of_war.readings import Terms
from engine.dominoes_of_war.terrain import Aim, Pace, Terrain, distances, fire, zone
from engine.dominoes_of_war.troops import ARMIES, HIDDEN, TROOPS, Kind


def ground_of(state: WarState, terms: Terms) -> Terrain:
    """The terrain as it is now."""
    return terrain.terrain(state.bases, state.walls, terms.corner_blocks, terms.base_diagonal)


def legal_moves(state: WarState, terms: Terms) -> list[WarMove]:
    """All that may be done now; nothing while something must be seen first, or after the end."""
    side = state.turn
    match state.phase:
        case "starter":
            return [First(side, 1), First(side, 2)]
        case "bases":
            return list(foundings(state, terms))
        case "walls":
            return [Wall(side, where) for where in free_borders(state, terms)]
        case "stock":
            return list(_stockings(state))
        case "act":
            return [*_actions(state, terms), End(side), *_draws(state, terms)]
        case "bonus":
            return [*_bonus_moves(state, terms), Forfeit(side)]
        case "face":
            return [Face(side, at, facing) for at in state.unfaced for facing in facings(terms)]
        case "offer":
            return [Draw(3 - side), Decline(3 - side)]
    return []


def facings(terms: Terms) -> Mapping[str, int]:
    """The directions a Sniper may face."""
    return AROUND if terms.eight_facings else STRAIGHT


# — the set-up —


def foundings(state: WarState, terms: Terms) -> tuple[Found, ...]:
    """The bases that the player to move may place."""
    return _foundings(state.turn, state.bases[2 - state.turn], terms.bases_may_touch)


@lru_cache(maxsize=64)
def _foundings(side: int, other: tuple[Place, ...], may_touch: bool) -> tuple[Found, ...]:
    barred = frozenset(other) | (frozenset() if may_touch else touching(other))
    return tuple(Found(side, tiles) for tiles in all_bases() if barred.isdisjoint(tiles))


def free_borders(state: WarState, terms: Terms, without: Border | None = None) -> list[Border]:
    """Where a wall may be stood up now, ``without`` being taken away first."""
    standing = frozenset(state.walls)
    borders: tuple[Border, ...] = FIELD_BORDERS
    if terms.wall_on_base:
        borders = _all_borders(ground_of(state, terms))
    free = [where for where in borders if where not in standing]
    if terms.seal_refused:
        kept = tuple(wall for wall in state.walls if wall != without)
        free = [where for where in free if not seals(state, (*kept, where))]
    return free


@lru_cache(maxsize=128)
def _all_borders(ground: Terrain) -> tuple[Border, ...]:
    return tuple(
        border(at, at + step)
        for at in sorted(ground.home)
        for step in (STRAIGHT["n"], STRAIGHT["e"])
        if at + step in ground.home
    )


def seals(state: WarState, walls: Iterable[Border]) -> tuple[Place, ...]:
    """The tiles that these walls would cut off from the rest of the map, and the present ones do not."""
    before = terrain.sealed(state.bases, frozenset(state.walls))
    after = terrain.sealed(state.bases, frozenset(walls))
    return tuple(at for at in after if at not in before)


def unstocked(state: WarState, side: int) -> tuple[Place, ...]:
    """The empty tiles of a player's base."""
    taken = {troop.at for troop in state.troops}
    return tuple(at for at in state.bases[side - 1] if at not in taken)


def left_to_hide(state: WarState, side: int) -> int:
    """How many soldiers in a player's pool are not standing on the table hidden."""
    hidden = sum(troop.side == side and troop.kind == HIDDEN for troop in state.troops)
    return sum(state.pools[side - 1]) - hidden


def stocking(state: WarState, side: int) -> bool:
    """Whether a player still has to stock his base, and can."""
    return bool(unstocked(state, side)) and left_to_hide(state, side) > 0


def _stockings(state: WarState) -> Iterator[Stock]:
    for side in (1, 2):
        if stocking(state, side):
            for at in unstocked(state, side):
                for kind in kinds_left(state, side):
                    yield Stock(side, at, kind)
                yield Stock(side, at, HIDDEN)


def kinds_left(state: WarState, side: int) -> Iterator[Kind]:
    """The types of which a player's pool has one."""
    for kind, left in zip(ARMIES[state.armies[side - 1]], state.pools[side - 1], strict=True):
        if left:
            yield kind


# — actions —


def walking(state: WarState, troop: Troop) -> bool:
    """Whether this troop is in the middle of a move that it may go on with."""
    return state.walk is not None and state.walk.at == troop.at


def may_act(state: WarState, troop: Troop) -> bool:
    """Whether this troop of the player to move may take a new action."""
    if state.phase == "bonus" or state.extra:
        return True
    return state.actions < ACTIONS and (not troop.acted or TROOPS[troop.kind].tireless)


def stride(state: WarState, troop: Troop) -> int:
    """How many spaces this troop may move now, if it may."""
    if state.walk is not None and state.walk.at == troop.at:
        return state.walk.left
    return TROOPS[troop.kind].steps


def _actions(state: WarState, terms: Terms) -> list[WarMove]:
    side, ground = state.turn, ground_of(state, terms)
    taken = {troop.at: troop for troop in state.troops}
    places = frozenset(taken)
    found: list[WarMove] = []
    for troop in state.troops:
        if troop.side != side:
            continue
        kind, fresh = TROOPS[troop.kind], may_act(state, troop)
        if fresh or walking(state, troop):
            steps = stride(state, troop)
            near = places & zone(ground, troop.at, kind.gait, steps)
            pace = Pace(kind.gait, steps, terms.passing)
            found += _marches(ground, side, troop.at, pace, near)
            if kind.bomb:
                reach = distances(ground, troop.at, pace, near)
                enemies = [at for at in near & reach.keys() if taken[at].side != side]
                found += [Run(side, troop.at, to) for to in sorted(enemies)]
                found += _blows(state, terms, troop, reach, near)
        if fresh:
            found += attacks(ground, terms, troop, taken)
            if kind.leads and troop.at not in state.bases[side - 1]:
                found += _spawns(side, troop.at, unstocked(state, side), tuple(kinds_left(state, side)))
    return found


def _blows(
    state: WarState, terms: Terms, troop: Troop, reach: Mapping[Place, int], near: frozenset[Place]
) -> Iterator[Blow]:
    for wall in state.walls:
        if blow_centre(reach, near, wall, stride(state, troop), terms) is not None:
            yield Blow(troop.side, troop.at, wall)


@lru_cache(maxsize=1 << 15)
def _marches(
    ground: Terrain, side: int, at: Place, pace: Pace, troops: frozenset[Place]
) -> tuple[March, ...]:
    reach = distances(ground, at, pace, troops)
    return tuple(March(side, at, to) for to in sorted(reach) if to != at and to not in troops)


def blow_centre(
    reach: Mapping[Place, int], troops: frozenset[Place], wall: Border, steps: int, terms: Terms
) -> Place | None:
    """The tile before ``wall`` from which a Kamikaze has the steps to run into it, or None.

    Where every tile entered is flipped, the Kamikaze must stand there already.
    """
    for near in wall:
        away = reach.get(near, steps)
        if away < steps and (away == 0 or (near not in troops and not terms.stepwise)):
            return near
    return None


@lru_cache(maxsize=1024)
def _spawns(
    side: int, leader: Place, places: tuple[Place, ...], kinds: tuple[Kind, ...]
) -> tuple[Spawn, ...]:
    return tuple(Spawn(side, leader, kind, to) for to in places for kind in kinds)


# — attacks —


def aims(terms: Terms, troop: Troop) -> frozenset[int]:
    """The directions in which this troop may attack now."""
    kind = TROOPS[troop.kind]
    if not kind.steady:
        return kind.aim
    if troop.facing:
        return frozenset({AROUND[troop.facing]})
    return frozenset(facings(terms).values()) if terms.any_first_facing else frozenset()


def is_prey(terms: Terms, side: int, target: Troop) -> bool:
    """Whether a player may attack this troop at all."""
    return target.side != side or terms.friendly_fire or TROOPS[target.kind].bomb


def attacks(ground: Terrain, terms: Terms, troop: Troop, taken: Mapping[Place, Troop]) -> Iterator[Shoot]:
    """The attacks of one troop."""
    kind = TROOPS[troop.kind]
    if kind.split:
        yield from _split_shots(ground, terms, troop, taken)
        return
    reach = fire(ground, troop.at, Aim(aims(terms, troop), kind.near, kind.far, kind.thrown))
    for at in sorted(reach.keys() & taken.keys()):
        if is_prey(terms, troop.side, taken[at]) and (
            kind.thrown or terms.shots_pass or taken.keys().isdisjoint(reach[at])
        ):
            yield Shoot(troop.side, troop.at, frozenset({at}))


def _split_shots(
    ground: Terrain, terms: Terms, troop: Troop, taken: Mapping[Place, Troop]
) -> Iterator[Shoot]:
    """The pairs of shots of a Quick Shot, pairs with the same victims being the same."""
    far = TROOPS[troop.kind].far
    options = [split_options(ground, terms, troop, step, taken) for step in STRAIGHT.values()]
    found = {
        frozenset(victims)
        for one, other in combinations(options, 2)
        for first, length in one.items()
        for second, other_length in other.items()
        if length + other_length <= far
        for victims in [tuple(at for at in (first, second) if at is not None)]
    }
    for targets in sorted(found, key=sorted):
        yield Shoot(troop.side, troop.at, targets)


def split_options(
    ground: Terrain, terms: Terms, troop: Troop, step: int, taken: Mapping[Place, Troop]
) -> Mapping[Place | None, int]:
    """Whom one of a Quick Shot's shots can hit in one direction, and how long it must be for that.

    Under None: how long a shot must be at least that hits nobody. The further direction needs a space too.
    """
    far = TROOPS[troop.kind].far - 1
    options: dict[Place | None, int] = {}
    for length, at in enumerate((*ground.line(troop.at, step), None), 1):
        if length > far:
            break
        target = None if at is None else taken.get(at)
        if target is None:
            options.setdefault(None, length)
        elif is_prey(terms, troop.side, target):
            options[target.at] = length
        if target is not None and not terms.shots_pass:
            break
    return options


# — bonuses and draws —


def _bonus_moves(state: WarState, terms: Terms) -> Iterator[WarMove]:
    side = state.turn
    if state.bonus == 12:
        yield from _actions(state, terms)
    elif state.bonus == 10:
        for to in unstocked(state, side):
            for kind in kinds_left(state, side):
                yield Bonus(side, kind, to)
    elif state.bonus == 17:
        yield from (Extend(side, at) for at in extensions(state))
    else:
        for old in state.walls:
            for new in free_borders(state, terms, old):
                yield Rewall(side, old, new)


def extensions(state: WarState) -> list[Place]:
    """Where the player to move may add a tile to his base; nowhere when no spare tile is left."""
    own, other = state.bases[state.turn - 1], state.bases[2 - state.turn]
    if not state.spare:
        return []
    barred = touching(other) | frozenset((*own, *other))
    return sorted(at for at in touching(own) - barred if on_table(at))


def on_table(at: Place) -> bool:
    """Whether a place is near enough to be named."""
    return max(abs(column(at)), abs(row(at))) <= FAR


def _draws(state: WarState, terms: Terms) -> Iterator[Draw]:
    if may_offer(state, terms):
        yield Draw(state.turn)


def may_offer(state: WarState, terms: Terms) -> bool:
    """Whether the player to move may offer a draw: before his first action, and once."""
    return terms.draws and state.actions == 0 and not state.offered
