"""Illegal moves that the players let stand: the table as the move left it, and who goes on from there."""

from engine.dominoes_of_war.deeds import (
    apply,
    due_facing,
    enlist,
    next_turn,
    rested,
    settle_set_up,
    with_base,
    with_facing,
    with_wall,
)
from engine.dominoes_of_war.judge import acting
from engine.dominoes_of_war.model import (
    BASE_SIZE,
    SET_UP,
    WALLS,
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
    Wall,
    WarMove,
    WarState,
)
from engine.dominoes_of_war.orders import left_to_hide
from engine.dominoes_of_war.places import FIELD_INDEX, Border, Place, name
from engine.dominoes_of_war.readings import Terms
from engine.dominoes_of_war.troops import HIDDEN, TROOPS, Kind, title
from engine.errors import CannotStand


def let_stand(state: WarState, terms: Terms, move: WarMove) -> WarState:
    """The state as the table is after an illegal move; raises CannotStand where no table can be so."""
    if state.phase == "over":
        raise CannotStand("The game is over; what is done afterwards is no part of it.")
    side = acting(state, move)
    _check_pieces(state, move)
    _check_places(state, move, side)
    if state.phase in SET_UP:
        return _in_set_up(state, terms, move, side)
    match move:
        case Wall():
            return with_wall(state, move.where)._replace(spare=state.spare - 1)
        case Stock():
            return enlist(state, side, move.kind, move.at)
        case Face():
            if move.at in state.unfaced:
                return apply(state, terms, move)
            return with_facing(state, move.at, move.facing)
        case End() if side == state.turn:
            return next_turn(state) if state.phase == "face" else due_facing(state)
        case Bonus() | Extend() | Rewall():
            return _bonus_taken(state, terms, move, side)
        case March() | Run() | Blow() | Shoot() | Spawn():
            return apply(_ready(state, side), terms, move)
    return state  # words alone: nothing on the table has changed


def _ready(state: WarState, side: int) -> WarState:
    """The state in which this player takes an action; whatever else was due is over with that."""
    if side != state.turn:
        return next_turn(state)
    if state.bonus == 12:
        return state
    return state._replace(phase="act", focus=0, faced=(), bonus=0)


def _bonus_taken(state: WarState, terms: Terms, move: Bonus | Extend | Rewall, side: int) -> WarState:
    """The table after a bonus that was not due, or not so; the turn goes on as it would have."""
    after = apply(state._replace(turn=side), terms, move)
    if state.phase == "bonus" and side == state.turn:
        return after
    return after._replace(phase=state.phase, turn=state.turn, bonus=state.bonus)


def _in_set_up(state: WarState, terms: Terms, move: WarMove, side: int) -> WarState:
    """The table after a move in the set-up that was not due, or not so; the set-up goes on."""
    match move:
        case First():
            if state.phase not in ("lot", "starter"):
                return state
            return settle_set_up(state._replace(starter=move.who))
        case Found():
            larger = len(move.tiles) - BASE_SIZE
            after = with_base(state, side, move.tiles)._replace(spare=state.spare - larger)
        case Wall():
            beyond = len(state.walls) + state.rubble >= WALLS
            after = with_wall(state, move.where)._replace(spare=state.spare - beyond)
        case Stock():
            after = enlist(state, side, move.kind, move.at)
        case Face():
            after = with_facing(state, move.at, move.facing)
        case End() | Forfeit() | Draw() | Decline():
            return state
        case _:
            after = _as_before_play(apply(state._replace(phase="act", turn=side), terms, move))
    if state.phase in ("armies", "lot", "starter"):
        return after._replace(phase=state.phase, turn=state.turn)
    return settle_set_up(after)


def _as_before_play(state: WarState) -> WarState:
    """The same table with no turn begun."""
    return rested(state)._replace(actions=0, focus=0, walk=None, ended="")


# — what no table can show —


def _check_pieces(state: WarState, move: WarMove) -> None:
    """Refuse moves with soldiers and walls that do not exist."""
    places: tuple[Place, ...] = ()
    walls: tuple[Border, ...] = ()
    match move:
        case March() | Spawn() | Face():
            places = (move.at,)
        case Run():
            places = (move.at,)
        case Shoot():
            places = (move.at, *sorted(move.targets))
        case Blow():
            places, walls = (move.at,), (move.wall,)
        case Rewall():
            walls = (move.old,)
    for at in places:
        if state.troop_at(at) is None:
            raise CannotStand(f"No troop stands on {name(at)}, so none can have done this.")
    for wall in walls:
        if wall not in state.walls:
            raise CannotStand(f"No wall stands on {wall} that could be gone from there.")
    if isinstance(move, Run | Blow):
        troop = state.troop_at(move.at)
        if troop is not None and not TROOPS[troop.kind].bomb:
            raise CannotStand(f"A {title(troop.kind)} cannot explode, so the table cannot look like that.")


def _check_places(state: WarState, move: WarMove, side: int) -> None:
    """Refuse moves that put a piece where none can be, or one that is not there to be put."""
    match move:
        case March():
            _check_empty(state, move.to)
        case Run():
            _check_tile(state, move.to)
        case Spawn() | Bonus():
            _check_recruit(state, side, move.kind, move.to)
        case Stock():
            _check_recruit(state, side, move.kind, move.at)
        case Extend():
            _check_new_tiles(state, side, frozenset({move.at}), state.spare >= 1)
            if not state.bases[side - 1]:
                raise CannotStand(f"Player {side} has no base yet that could grow.")
        case Found():
            _check_new_tiles(state, side, move.tiles, len(move.tiles) - BASE_SIZE <= state.spare)
            if state.bases[side - 1] or not move.tiles:
                raise CannotStand(f"Player {side} has a base already, or this one has no tiles.")
        case Wall():
            beyond = state.phase not in SET_UP or len(state.walls) + state.rubble >= WALLS
            if beyond and not state.spare:
                raise CannotStand("There is no spare tile left to stand up as a wall.")
            _check_border(state, move.where)
        case Rewall():
            _check_border(state, move.new)


def _check_tile(state: WarState, at: Place) -> None:
    if at not in FIELD_INDEX and at not in (*state.bases[0], *state.bases[1]):
        raise CannotStand(f"There is no tile on {name(at)}; who stands beside the tiles is out of play.")


def _check_empty(state: WarState, at: Place) -> None:
    _check_tile(state, at)
    if state.troop_at(at) is not None:
        raise CannotStand(f"On {name(at)} stands a troop; no tile holds two.")


def _check_recruit(state: WarState, side: int, kind: Kind, to: Place) -> None:
    left = left_to_hide(state, side) if kind == HIDDEN else state.in_pool(side, kind)
    if left <= 0:
        raise CannotStand(f"Player {side} has no {title(kind)} left in the pool that could stand there.")
    if kind == HIDDEN and state.phase not in SET_UP:
        raise CannotStand("Once play has begun no troop is hidden.")
    _check_empty(state, to)


def _check_new_tiles(state: WarState, side: int, tiles: frozenset[Place], enough: bool) -> None:
    for at in sorted(tiles):
        if at in FIELD_INDEX or at in (*state.bases[0], *state.bases[1]):
            raise CannotStand(f"On {name(at)} lies a tile already.")
    if not enough:
        raise CannotStand(f"There are not so many tiles left for player {side}'s base.")


def _check_border(state: WarState, where: Border) -> None:
    if not where.is_side:
        raise CannotStand(f"{where} is no side between two tiles where a wall could stand.")
    for at in where:
        _check_tile(state, at)
    if where in state.walls:
        raise CannotStand(f"On {where} stands a wall already.")
