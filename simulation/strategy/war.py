"""A player of Dominoes of War who attacks: few tiles are turned, few troops stay at home, the end comes soon.

The bases are laid side by side on the mat and stocked with troops that go forward. Each action is the one
after which most enemies are gone or within reach, and fewest own troops within theirs. What a tile may show
that is turned up is weighed as a risk; it is never known before.
"""

import random
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Final

from engine.dominoes_of_war.bases import entrances
from engine.dominoes_of_war.book import DominoesOfWar
from engine.dominoes_of_war.model import (
    DOWN,
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
from engine.dominoes_of_war.orders import ground_of
from engine.dominoes_of_war.places import AROUND, Border, Place, column, distance, row, spread
from engine.dominoes_of_war.terrain import Terrain
from engine.dominoes_of_war.troops import HIDDEN, Kind

_TROOP: Final = 10.0
"""What an own troop is worth; all else is measured by it."""
_ENEMY: Final = 14.0
"""What it is worth that the enemy has a troop less: who is ready to change one for one ends a game."""
_THREAT: Final = 2.0
"""What each enemy is worth whom the next action could kill."""
_EXPOSED: Final = 2.5
"""What each own troop costs whom the enemy could kill at once, at the beginning of a game."""
_NERVE: Final = 12
"""After how many turned tiles players mind half as much that they can be hit: somebody has to begin."""
_STEP: Final = 0.5
"""What each step costs that one of the foremost troops is away from the nearest enemy."""
_FOREMOST: Final = 3
"""How many troops go forward together: as many as may act in a turn."""
_REAR: Final = 0.05
"""The same for each other troop: they follow when there is nothing better to do."""
_UNKNOWN_TILE: Final = 0.9
"""What it costs to turn up a tile: one in seven is a mine, and it takes time."""
_DARING: Final = 0.15
"""How often a player goes forward whatever may hit him: two who are careful would wait for ever."""
_WHIM: Final = 0.2
"""How much a player's whim decides between actions that are about as good."""

_APART: Final = 4
"""How many steps apart the ways out of the bases are laid: near, but not before the other's guns."""

_EAGER: Final[Mapping[Kind, float]] = {
    "kamikaze": 3,
    "gunslinger": 5,
    "lightfoot": 4,
    "grunt": 4,
    "spear-thrower": 4,
    "shotgunner": 4,
    "quick-shot": 2,
    "grenadier": 1.5,
    "general": 1,
    "chieftain": 1,
    "sniper": 0.1,
    HIDDEN: 0,
}
"""How gladly a type is taken into a base: those that go forward and strike; a Sniper waits for others."""


def decide(book: DominoesOfWar, state: WarState, rng: random.Random) -> WarMove:
    """The move of a player who attacks."""
    moves = [move for move in book.legal_moves(state) if not isinstance(move, Draw)]
    fear = 0.0 if rng.random() < _DARING else 1.0
    worth = {move: _worth(book, state, move, fear) + rng.random() * _WHIM for move in moves}
    if state.phase == "act" and not state.actions and len(moves) > 1:
        worth = {move: much for move, much in worth.items() if not isinstance(move, End)}
    return max(worth, key=worth.__getitem__)


def _worth(book: DominoesOfWar, state: WarState, move: WarMove, fear: float) -> float:
    match move:
        case First():
            return float(move.who == state.turn)
        case Found():
            return _base(state, move)
        case Wall():
            return _out_of_the_way(state, move.where)
        case Rewall():
            return 1 + _out_of_the_way(state, move.new) - _out_of_the_way(state, move.old)
        case Stock():
            return _recruit(state, move.kind, move.at)
        case Bonus():
            return 100 + _recruit(state, move.kind, move.to)
        case Extend():
            return 1.0 if _on_mat(move.at) else -1.0
        case Forfeit():
            return 0.0 if state.bonus != 12 else _value(book, state, fear)
        case Face():
            return _sight(state, move)
        case Decline():
            return 1.0
    return _action(book, state, move, fear)


def _on_mat(at: Place) -> bool:
    """Whether a base tile lies on the mat, which is two places wider than the field."""
    return -1 <= column(at) <= 10 and 0 <= row(at) <= 9


# — the set-up —


def _base(state: WarState, move: Found) -> float:
    """Small, on the mat, with two ways out, and a few steps from the other base."""
    if not all(map(_on_mat, move.tiles)):
        return -1000.0
    middle = [(column(at), row(at)) for at in move.tiles]
    wide = max(x for x, _ in middle) - min(x for x, _ in middle)
    high = max(y for _, y in middle) - min(y for _, y in middle)
    doors = [one for door in entrances(move.tiles) for one in door]
    worth = len(doors) - 0.3 * (wide + high)
    other = state.bases[2 - state.turn]
    if not other:
        return worth
    theirs = [one for door in entrances(other) for one in door]
    return worth - abs(_APART - min(distance(one, two) for one in doors for two in theirs))


def _out_of_the_way(state: WarState, where: Border) -> float:
    """How far a wall is from both bases: those who want to attack leave the way free."""
    tiles = [at for base in state.bases for at in base]
    return 0.1 * min(distance(one, at) for one in where for at in tiles)


def _recruit(state: WarState, kind: Kind, at: Place) -> float:
    """Those who strike go nearest to the enemy; some of each kind, as people like to have it."""
    same = sum(troop.side == state.turn and troop.kind == kind for troop in state.troops)
    enemies = state.bases[2 - state.turn]
    away = min(distance(at, one) for one in enemies)
    return _EAGER[kind] / (1 + 0.7 * same) + 0.01 * _EAGER[kind] * (5 - away)


def _sight(state: WarState, move: Face) -> float:
    """Where most enemies are; and rather as before."""
    ahead = 0.0
    for troop in state.troops:
        if troop.side != state.turn:
            right, up = spread(move.at, troop.at)
            x, y = spread(move.at, move.at + AROUND[move.facing])
            ahead += (right * x + up * y > 0) / (1 + min(abs(right), abs(up)))
    own = state.troop_at(move.at)
    return ahead + (own is not None and own.facing == move.facing) * 0.5


# — the battle —


def _action(book: DominoesOfWar, state: WarState, move: WarMove, fear: float) -> float:
    if isinstance(move, End):
        return _value(book, state, fear)
    worth = _value(book, book.apply(state, move), fear, side=state.turn)
    if isinstance(move, Spawn):
        return worth - 1.5 * _TROOP  # it only makes the game longer
    if isinstance(move, Shoot) and not move.targets:
        return worth - _TROOP  # nobody would see it
    if isinstance(move, March) and state.is_down(move.to):
        return worth - _UNKNOWN_TILE
    return worth


def _value(book: DominoesOfWar, state: WarState, fear: float, side: int = 0) -> float:
    """What a table is worth to a player, or to the one whose turn it is.

    ``fear``: how much he minds that his troops can be hit.
    """
    side = side or state.turn
    own, enemies = state.strength(side), state.strength(3 - side)
    worth = _TROOP * own - _ENEMY * enemies
    if not enemies or not own:
        return worth + 100 * (own - enemies)
    turned = sum(number != DOWN for number in state.field)
    fear *= _EXPOSED * _NERVE / (_NERVE + turned)
    worth += _THREAT * len(_prey(book, state, side)) - fear * len(_prey(book, state, 3 - side))
    return worth - _way(book, state, side)


def _prey(book: DominoesOfWar, state: WarState, side: int) -> set[Place]:
    """The enemies whom a player could kill if it were his turn."""
    troops = tuple(troop._replace(acted=False) if troop.acted else troop for troop in state.troops)
    asked = state._replace(phase="act", turn=side, actions=0, extra=0, walk=None, troops=troops, bonus=0)
    found: set[Place] = set()
    foes = {troop.at for troop in state.troops if troop.side != side}
    for move in book.legal_moves(asked):
        if isinstance(move, Shoot):
            bombs = [
                troop.at for troop in state.troops if troop.at in move.targets and troop.kind == "kamikaze"
            ]
            found |= {at for at in foes if at in move.targets or any(distance(at, one) <= 1 for one in bombs)}
        elif isinstance(move, Run):
            found |= {at for at in foes if distance(at, move.to) <= 1}
    return found


def _way(book: DominoesOfWar, state: WarState, side: int) -> float:
    """What it costs that troops are still away from the enemy."""
    foes = frozenset(troop.at for troop in state.troops if troop.side != side)
    steps = _steps_to(ground_of(state, book.terms), foes)
    away = sorted(steps.get(troop.at, 20) for troop in state.troops if troop.side == side)
    return _STEP * sum(away[:_FOREMOST]) + _REAR * sum(away[_FOREMOST:])


@lru_cache(maxsize=256)
def _steps_to(ground: Terrain, goals: frozenset[Place]) -> Mapping[Place, int]:
    """How many steps along rows and columns each tile is away from the nearest of these."""
    found = dict.fromkeys(goals, 0)
    edge: Iterable[Place] = goals
    away = 0
    while edge:
        away += 1
        ahead: list[Place] = []
        for at in edge:
            for to in ground.ways(at, "straight"):
                if to not in found:
                    found[to] = away
                    ahead.append(to)
        edge = ahead
    return found
