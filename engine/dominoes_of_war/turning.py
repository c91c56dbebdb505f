"""A tile that is to be turned up: once somebody has been there, it rarely still lies closed."""

from dataclasses import replace
from typing import Final

from engine.dominoes_of_war.model import WarState
from engine.dominoes_of_war.sighted import place_of
from engine.scene import Guess, Scene, Sighting

_LEFT_CLOSED: Final = 0.1
"""How much rarer, among visits after a march, a tile is left closed than turned up."""


def turned_by_now(state: WarState, scene: Scene) -> Scene:
    """The scene with the tile under the soldier who has moved doubted the less the more it looks turned up.

    Half covered by him, an open tile may look rather closed; the next thing that players do there is to turn
    it, and nobody goes on before.
    """
    if state.phase != "tile" or scene.visits == 0:
        return scene
    told = (
        _weighed(one) if one.kind == "domino" and place_of(one) == state.focus else one
        for one in scene.sightings
    )
    return replace(scene, sightings=tuple(told))


def _weighed(one: Sighting) -> Sighting:
    """What a tile may be, with closed for rarer than a reader thinks that knows no game."""
    shares = [
        guess.probability * (_LEFT_CLOSED if (guess.face or one.face) == "down" else 1.0)
        for guess in one.guesses
    ]
    if not sum(shares):
        return one
    scale = sum(guess.probability for guess in one.guesses) / sum(shares)
    told = (
        Guess(guess.value, share * scale, guess.face or one.face)
        for guess, share in zip(one.guesses, shares, strict=True)
    )
    return replace(one, guesses=tuple(sorted(told, key=lambda guess: -guess.probability)))
