"""Random well-formed moves and facts: any at all, and legal ones with one thing changed."""

from dataclasses import fields, replace
from random import Random

from engine.dominoes_of_war.model import (
    TILES,
    Armies,
    Blow,
    Bonus,
    Decline,
    Draw,
    End,
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
    Wall,
    WarFact,
    WarMove,
    WarState,
)
from engine.dominoes_of_war.places import AROUND, FIELD, Border, Place, border, place
from engine.dominoes_of_war.troops import ARMIES, HIDDEN

KINDS = sorted({kind for types in ARMIES.values() for kind in types})
MOVES = (
    First,
    Found,
    Wall,
    Stock,
    March,
    March,
    Run,
    Blow,
    Shoot,
    Shoot,
    Spawn,
    Bonus,
    Extend,
    Rewall,
    Forfeit,
    End,
    Face,
    Draw,
    Decline,
)


def any_place(rng: Random, state: WarState) -> Place:
    """A place: mostly one with a troop or a tile, sometimes one beside all tiles."""
    chance = rng.random()
    if chance < 0.5 and state.troops:
        return rng.choice(state.troops).at
    bases = (*state.bases[0], *state.bases[1])
    if chance < 0.7 and bases:
        return rng.choice(bases)
    if chance < 0.95:
        return rng.choice(FIELD)
    return place(rng.randint(-3, 12), rng.randint(-3, 12))


def near(rng: Random, at: Place) -> Place:
    """A place up to five steps away in one of the eight directions."""
    return at + rng.choice(list(AROUND.values())) * rng.randint(1, 5)


def any_border(rng: Random, state: WarState) -> Border:
    """A side: mostly one with a wall, or between neighbours."""
    if state.walls and rng.random() < 0.4:
        return rng.choice(state.walls)
    at = any_place(rng, state)
    return border(at, at + rng.choice(list(AROUND.values())) * (1 if rng.random() < 0.9 else 2))


def any_value(rng: Random, state: WarState, move: type[WarMove], key: str) -> object:
    """A value that a move of this sort can have here."""
    if key == "player":
        return rng.choice((1, 2, None))
    if key == "who":
        return rng.choice((1, 2))
    if key == "kind":
        return rng.choice([*KINDS, HIDDEN] if move is Stock else KINDS)
    if key == "facing":
        return rng.choice(list(AROUND))
    if key in ("wall", "where", "old", "new"):
        return any_border(rng, state)
    if key == "targets":
        return frozenset(any_place(rng, state) for _ in range(rng.choice((0, 1, 1, 1, 2))))
    if key == "tiles":
        start = rng.choice([place(0, 3), place(9, 5), place(4, 9), place(6, 0)])
        return frozenset(near(rng, start) for _ in range(rng.randint(0, 7)))
    if key == "to" and state.troops and rng.random() < 0.5:
        return near(rng, rng.choice(state.troops).at)
    return any_place(rng, state)


def any_move(rng: Random, state: WarState) -> WarMove:
    """A well-formed move of any sort."""
    sort = rng.choice(MOVES)
    return sort(**{field.name: any_value(rng, state, sort, field.name) for field in fields(sort)})


def mutated(rng: Random, state: WarState, move: WarMove) -> WarMove:
    """The move with one thing changed; a place may also only shift a little."""
    key = rng.choice([field.name for field in fields(move)])
    old = getattr(move, key)
    if key in ("at", "to") and rng.random() < 0.6:
        return replace(move, **{key: near(rng, old)})
    if key == "tiles" and rng.random() < 0.8:
        some = rng.choice(sorted(old))
        return replace(move, tiles=(old - {some}) | {near(rng, some) for _ in range(rng.randint(0, 2))})
    return replace(move, **{key: any_value(rng, state, type(move), key)})


def any_fact(rng: Random, state: WarState) -> WarFact:
    """A well-formed fact of any sort."""
    at = state.focus if state.focus and rng.random() < 0.7 else any_place(rng, state)
    return rng.choice(
        (
            Armies(rng.choice(list(ARMIES)), rng.choice(list(ARMIES))),
            Lot(rng.choice((1, 2))),
            Shown(at, rng.choice(KINDS)),
            Flipped(at, rng.choice(TILES)),
            Flipped(at, rng.choice(TILES)),
        )
    )
