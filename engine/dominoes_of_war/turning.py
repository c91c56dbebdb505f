"""A tile that is to be turned up: once somebody has been there, it rarely still lies closed."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from engine.dominoes_of_war.model import WarState
from engine.dominoes_of_war.sighted import place_of, sides_of
from engine.dominoes_of_war.troops import TROOPS
from engine.scene import Guess, Scene, Sighting

_LEFT_CLOSED: Final = 0.1
"""How much rarer, among visits after a march, a tile is left closed than turned up."""
_OPEN: Final = 0.3
"""So likely at least a tile lies open whose middle a soldier covers, and with it what a back shows: an open
one with a blank half was read as a back with 99.7 %."""


def turned_by_now(state: WarState, scene: Scene) -> Scene:
    """The scene with the tile under the soldier who has moved taken rather for an open one.

    Half covered by him it may look closed; the next thing that players do there is to turn it, and nobody
    goes on before.
    """
    if state.phase != "tile" or scene.visits == 0:
        return scene
    here = [one for one in scene.sightings if place_of(one) == state.focus]
    men = [one for one in here if one.kind == "soldier"]
    told = {id(one): _weighed(one, state, men) for one in here if one.kind == "domino"}
    return replace(scene, sightings=tuple(told.get(id(one), one) for one in scene.sightings))


def _weighed(one: Sighting, state: WarState, men: Sequence[Sighting]) -> Sighting:
    """What a tile may be, rarely closed after a visit, and no mine under who still stands on it."""
    troop = state.troop_at(state.focus)
    stands = troop is not None and any(troop.side in sides_of(state, man) for man in men)
    safe = not stands or (troop is not None and TROOPS[troop.kind].nimble)
    closed = [guess for guess in one.guesses if (guess.face or one.face) == "down"]
    shown = [guess for guess in one.guesses if guess not in closed and (safe or not _is_mine(guess))]
    up, down = (sum(guess.probability for guess in each) for each in (shown, closed))
    if not up:
        return one
    share = max(up / (up + _LEFT_CLOSED * down), _OPEN if stands else 0.0)
    told = (
        Guess(guess.value, guess.probability * whole / part, guess.face or one.face)
        for each, part, whole in ((shown, up, (up + down) * share), (closed, down, (up + down) * (1 - share)))
        for guess in each
    )
    return replace(one, guesses=tuple(sorted(told, key=lambda guess: -guess.probability)))


def _is_mine(guess: Guess) -> bool:
    pips = (guess.value or {}).get("pips")
    return isinstance(pips, list | tuple) and len({*map(str, pips)}) == 1
