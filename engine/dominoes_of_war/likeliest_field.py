"""The table of Dominoes of War as it most likely is, where nobody is there to be asked."""

from dataclasses import replace
from typing import Final

from engine.dominoes_of_war.as_it_lies import one_too_many, surest
from engine.dominoes_of_war.bases import lone
from engine.dominoes_of_war.model import WALLS, WarState
from engine.dominoes_of_war.muster import most_likely
from engine.dominoes_of_war.places import FIELD, FIELD_INDEX, Place, column, name, row
from engine.dominoes_of_war.readings import Terms
from engine.dominoes_of_war.sighted import BOARD, bases_seen, place_of, tiles_of
from engine.errors import BadSetup
from engine.matching.adopted import for_sure, said_of
from engine.matching.piece_words import place_name, where_words
from engine.scene import Guess, Scene, Sighting

_FALLEN: Final = Sighting("wall", "discard", face="edge")
_SURE: Final = 0.9
_THERE: Final = 0.5
_FEW: Final = 4
"""Of a field on which more tiles than this are seen nowhere it cannot be said how it lies."""


def most_like(state: WarState, scene: Scene, terms: Terms) -> tuple[Scene, tuple[str, ...]]:
    """The scene for sure: men by their comrades, tiles as they look, and walls seen nowhere as fallen."""
    armies = state.armies if any(state.bases) else None
    mustered, men = most_likely(scene, terms.pools, armies)
    grown, bases = _less_grown(mustered)
    walled, none = _four_walls(grown)
    laid, field = _laid(walled)
    clear, said = for_sure(laid)
    there = sum(one.kind == "wall" and one.region in (BOARD, "discard") for one in clear.sightings)
    fallen = max(0, WALLS - there - sum(map(_is_rubble, clear.sightings)))
    walls = ["a wall in the discard"] * fallen
    scene = replace(clear, sightings=(*clear.sightings, *[_FALLEN] * fallen))
    return scene, (*said_of([*men, *none, *walls, *bases, *field]), *said)


def _is_rubble(one: Sighting) -> bool:
    """Whether something that is not known as a wall is one that fell."""
    return one.kind == "domino" and one.region == "discard" and one.face != "up"


def _less_grown(scene: Scene) -> tuple[Scene, list[str]]:
    """The scene less what makes a base larger than it was laid and is not clearly a tile; in words which."""
    best = {at: one for at, one in surest(scene).items() if one.presence >= _THERE}
    soldiers = (one for one in scene.sightings if one.kind == "soldier")
    men = [(at, one) for one in soldiers if (at := place_of(one)) is not None]
    around = best.keys() - FIELD_INDEX.keys()
    try:
        bases = bases_seen(
            around - (lone(around) - {at for at, _ in men}), [(at, one.owner) for at, one in men]
        )
    except BadSetup:
        return scene, []  # whose base a tile is cannot be told
    none = one_too_many(bases, best, {at for at, _ in men})
    kept = tuple(one for one in scene.sightings if one.kind != "domino" or place_of(one) not in none)
    return replace(scene, sightings=kept), [f"no tile on {name(at)}" for at in none]


def _four_walls(scene: Scene) -> tuple[Scene, list[str]]:
    """The scene with the surest of what looks like a wall, no more than there are; in words what is none."""
    standing = [one for one in scene.sightings if one.kind == "wall" and one.region == BOARD]
    none = sorted(standing, key=lambda one: -one.presence)[WALLS:]
    kept = tuple(one for one in scene.sightings if not any(one is other for other in none))
    said = [
        f"no wall {where_words(BOARD, place_name(one.x, one.y))}" for one in none if one.presence >= _THERE
    ]
    return replace(scene, sightings=kept), said


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
