"""The table of Dominoes of War as it most likely is, where nobody is there to be asked."""

from dataclasses import replace
from typing import Final

from engine.dominoes_of_war.adopted import surest
from engine.dominoes_of_war.model import WALLS, WarState
from engine.dominoes_of_war.muster import most_likely
from engine.dominoes_of_war.places import FIELD, Place, column, name, row
from engine.dominoes_of_war.readings import Terms
from engine.dominoes_of_war.sighted import BOARD, tiles_of
from engine.matching.likeliest import for_sure, said_of
from engine.scene import Guess, Scene, Sighting

_FALLEN: Final = Sighting("wall", "discard", face="edge")
_SURE: Final = 0.9
_FEW: Final = 4
"""Of a field on which more tiles than this are seen nowhere it cannot be said how it lies."""


def most_like(state: WarState, scene: Scene, terms: Terms) -> tuple[Scene, tuple[str, ...]]:
    """The scene for sure: men by their comrades, tiles as they look, and walls seen nowhere as fallen."""
    armies = state.armies if any(state.bases) else None
    mustered, men = most_likely(scene, terms.pools, armies)
    laid, field = _laid(mustered)
    clear, said = for_sure(laid)
    there = sum(one.kind == "wall" and one.region in (BOARD, "discard") for one in clear.sightings)
    fallen = max(0, WALLS - there - sum(map(_is_rubble, clear.sightings)))
    walls = ["a wall in the discard"] * fallen
    scene = replace(clear, sightings=(*clear.sightings, *[_FALLEN] * fallen))
    return scene, (*said_of([*men, *walls, *field]), *said)


def _is_rubble(one: Sighting) -> bool:
    """Whether something that is not known as a wall is one that fell."""
    return one.kind == "domino" and one.region == "discard" and one.face != "up"


def _laid(scene: Scene) -> tuple[Scene, list[str]]:
    """The scene with every tile of the field, closed or open as it rather looks; in words which was doubted.

    On every place one lies: one that is hardly seen, behind a wall or below a man, is there all the same.
    """
    best = surest(scene)
    lacking = [at for at in FIELD if at not in best and not scene.is_hidden(BOARD, column(at), row(at))]
    told = {id(one): clear for at in FIELD if (one := best.get(at)) and (clear := _tile(one)) is not one}
    said = [f"{_how(told[id(best[at])])} on {name(at)}" for at in FIELD if id(best.get(at)) in told]
    kept = [told.get(id(one), one) for one in scene.sightings]
    if len(lacking) <= _FEW:
        kept += map(_back, lacking)
        said += [f"a closed tile on {name(at)}" for at in lacking]
    return replace(scene, sightings=tuple(kept)), said


def _back(at: Place) -> Sighting:
    return Sighting("domino", BOARD, float(column(at)), float(row(at)), 90.0, "down")


def _how(one: Sighting) -> str:
    return "a closed tile" if one.face == "down" else f"the {next(tiles_of(one))}"


def _tile(one: Sighting) -> Sighting:
    """A tile as it rather looks; itself where that is clear, or where it lies open and cannot be read."""
    closed = sum(guess.probability for guess in one.guesses if (guess.face or one.face) == "down")
    if not one.guesses:
        closed = float(one.face == "down")
    shown = next(tiles_of(one), None)
    if closed >= 0.5:
        is_clear = one.presence * closed >= _SURE
        return one if is_clear else replace(one, face="down", guesses=(), presence=1.0)
    if shown is None or one.presence * max(guess.probability for guess in one.guesses) >= _SURE:
        return one
    guess = Guess({"pips": [shown.low, shown.high]}, 1.0)
    return replace(one, face="up", guesses=(guess,), presence=1.0)
