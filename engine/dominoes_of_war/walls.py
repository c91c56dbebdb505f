"""Walls that seem to stand elsewhere: nobody may move one but after a tile of 20, and nearly nobody does."""

from collections.abc import Collection, Iterator
from dataclasses import replace
from typing import Final

from engine.book import State
from engine.dominoes_of_war.model import SET_UP, WarState
from engine.dominoes_of_war.places import Border
from engine.dominoes_of_war.sighted import BOARD, border_of, place_of, tiles_of
from engine.dominoes_of_war.view import wall_stands
from engine.scene import Scene, Sighting

_MOVES_A_WALL: Final = 20
_THERE: Final = 0.5
_CLEAR: Final = 0.9
_OPEN: Final = 0.2
"""What is less surely an open tile has not been turned up."""


def as_they_stood(state: WarState, scene: Scene, others: Collection[State] = ()) -> Scene:
    """The scene with walls where they are known to stand, if they seem to have moved and none may be moved.

    In the shade of the tiles the gap between two looks like a wall, and a wall like a gap: who sees one
    elsewhere has rather misread it, now or when the game began, than seen what no rule allows. ``others`` are
    states that the game may be in if something was misread: a tile of 20, say.
    """
    may_be = any(_may_be_moved(one, scene) for one in (state, *others) if isinstance(one, WarState))
    if state.phase in SET_UP or may_be:
        return scene
    new, lacking = _new(state, scene), _lacking(state, scene)
    moved = min(len(new), len(lacking))
    none = {id(one) for one in sorted(new, key=lambda one: one.presence)[:moved]}
    kept = tuple(one for one in scene.sightings if id(one) not in none)
    # Whether the one that lacks stands there still, nobody can say now.
    there = tuple(_standing(where) for where in lacking[:moved])
    return replace(scene, sightings=(*kept, *there))


def elsewhere(state: WarState, scene: Scene) -> str:
    """What to tell players of a wall that clearly seems to stand elsewhere, or nothing."""
    new = [one for one in _new(state, scene) if one.presence >= _CLEAR]
    lacking = _lacking(state, scene)
    if state.phase in SET_UP or not new or not lacking:
        return ""
    return f"A wall looks as if it stood on {border_of(new[0])}; it counts as standing on {lacking[0]}."


def _may_be_moved(state: WarState, scene: Scene) -> bool:
    """Whether a tile of 20 lies open that was closed, or its bonus is due."""
    if state.bonus == _MOVES_A_WALL:
        return True
    open_ = (one for one in scene.sightings if one.kind == "domino" and _is_newly_open(state, one))
    return any(tile.pips == _MOVES_A_WALL for one in open_ for tile in tiles_of(one))


def _is_newly_open(state: WarState, one: Sighting) -> bool:
    at = place_of(one)
    shown = sum(guess.probability for guess in one.guesses if (guess.face or one.face) == "up")
    return at is not None and state.is_down(at) and shown >= _OPEN


def _walls(scene: Scene) -> Iterator[tuple[Sighting, Border]]:
    for one in scene.sightings:
        where = border_of(one) if one.kind == "wall" and one.region == BOARD else None
        if where is not None:
            yield one, where


def _new(state: WarState, scene: Scene) -> list[Sighting]:
    """The walls that are seen where none is known to stand."""
    return [one for one, where in _walls(scene) if one.presence >= _THERE and where not in state.walls]


def _lacking(state: WarState, scene: Scene) -> list[Border]:
    """Where a wall is known to stand and none is seen, though nothing hides the place."""
    seen = {where for one, where in _walls(scene) if one.presence >= _THERE}
    return [where for where in state.walls if where not in seen]


def _standing(where: Border) -> Sighting:
    lies = wall_stands(where)
    return Sighting("wall", BOARD, lies.x, lies.y, lies.angle, "edge", presence=_THERE)
