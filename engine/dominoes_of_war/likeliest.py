"""The table of Dominoes of War as it most likely is, where nobody is there to be asked."""

from dataclasses import replace
from typing import Final

from engine.dominoes_of_war.model import WALLS, WarState
from engine.dominoes_of_war.muster import most_likely
from engine.dominoes_of_war.readings import Terms
from engine.dominoes_of_war.sighted import BOARD
from engine.matching.likeliest import for_sure, said_of
from engine.scene import Scene, Sighting

_FALLEN: Final = Sighting("wall", "discard", face="edge")


def most_like(state: WarState, scene: Scene, terms: Terms) -> tuple[Scene, tuple[str, ...]]:
    """The scene for sure: men by their comrades, tiles as they look, and walls seen nowhere as fallen."""
    armies = state.armies if any(state.bases) else None
    mustered, men = most_likely(scene, terms.pools, armies)
    clear, tiles = for_sure(mustered, faint=("domino",))
    there = sum(one.kind == "wall" and one.region in (BOARD, "discard") for one in clear.sightings)
    fallen = max(0, WALLS - there - sum(map(_is_rubble, clear.sightings)))
    walls = ["a wall in the discard"] * fallen
    scene = replace(clear, sightings=(*clear.sightings, *[_FALLEN] * fallen))
    return scene, (*said_of([*men, *walls]), *tiles)


def _is_rubble(one: Sighting) -> bool:
    """Whether something that is not known as a wall is one that fell."""
    return one.kind == "domino" and one.region == "discard" and one.face != "up"
