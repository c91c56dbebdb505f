"""What seems to lie where it cannot: told where it belongs, or left out."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from engine.dominoes_of_war.bases import lone
from engine.dominoes_of_war.model import WarState
from engine.dominoes_of_war.sighted import place_of, sides_of
from engine.scene import Scene, Sighting

_POOLS: Final = {"pool-1": 1, "pool-2": 2}


def without_strays(state: WarState, scene: Scene, *, to_pool: bool) -> Scene:
    """The scene with everything where it can be; what can be nowhere has nothing to say about the game.

    ``to_pool`` says whether the killed go back to their pools: then no soldier lies in the discard.
    """
    told = (_in_his_pool(state, one, to_pool=to_pool) for one in _hanging_together(state, scene))
    return replace(scene, sightings=tuple(one for one in told if not _is_astray(one)))


def _hanging_together(state: WarState, scene: Scene) -> Iterator[Sighting]:
    """The scene without closed tiles that lie alone beside the field, where none is known to lie."""
    backs = {id(one): at for one in scene.sightings if one.kind == "domino" and (at := place_of(one))}
    alone = lone(backs.values()) - {at for base in state.bases for at in base}
    return (one for one in scene.sightings if one.face != "down" or backs.get(id(one)) not in alone)


def _in_his_pool(state: WarState, one: Sighting, *, to_pool: bool) -> Sighting:
    """A soldier among the spare tiles or the discard, where none can be, as one of the pool beside it.

    A pool has no room for all of an army, and who stands beyond its edge may stand nearer to the next pile.
    """
    if one.kind != "soldier" or one.region not in (("spares", "discard") if to_pool else ("spares",)):
        return one
    sides = sides_of(state, one)
    return replace(one, region=f"pool-{sides[0]}") if len(sides) == 1 else one


def _is_astray(one: Sighting) -> bool:
    """Whether something seems to be where it cannot be: in a pool soldiers of the other side, tiles or walls.

    Two soldiers side by side may look like a back, and the side of a stack of spare tiles like a wall.
    """
    if one.region == "spares":
        return one.kind == "wall"
    side = _POOLS.get(one.region)
    if one.kind != "soldier":
        return side is not None
    return side is not None and one.owner not in (None, side)
