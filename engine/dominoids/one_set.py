"""What the dominoes of one table say of each other: each is there once, and all but those unseen are seen."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from engine.dominoes import Domino, tile
from engine.dominoids.model import DOMINOES
from engine.dominoids.sighted import ends_of
from engine.scene import Guess, Scene, Sighting

_LEFT: Final = 0.001
"""Nothing is read so surely that nothing is left for what was not thought of."""


def of_one_set(scene: Scene) -> Scene:
    """The scene in which what is seen better elsewhere is perhaps the one domino that is seen nowhere."""
    best: dict[Domino, float] = {}
    for one in scene.sightings:
        if (name := _first(one)) is not None:
            best[name] = max(best.get(name, 0.0), one.guesses[0].probability)
    unseen = [domino for domino in DOMINOES if domino not in best]
    if len(unseen) != 1:
        return scene
    return replace(scene, sightings=tuple(_less_seen(one, best, unseen[0]) for one in scene.sightings))


def _less_seen(one: Sighting, best: Mapping[Domino, float], unseen: Domino) -> Sighting:
    name = _first(one)
    if name is None or best[name] <= one.guesses[0].probability:
        return one
    pips = _in_place(ends_of((one.value or {}).get("pips")) or (0, 0), (unseen.low, unseen.high))
    if pips is None:
        return one
    first = one.guesses[0]
    left = max(_LEFT, 1 - sum(guess.probability for guess in one.guesses))
    shares = [(Guess({"pips": [*pips]}, 1.0), left), (first, first.probability * (1 - best[name]))]
    whole = sum(share for _, share in shares)
    told = [replace(guess, probability=share / whole) for guess, share in shares]
    return replace(one, guesses=tuple(sorted(told, key=lambda guess: -guess.probability)))


def _in_place(seen: Sequence[int], ends: tuple[int, int]) -> tuple[int, int] | None:
    """The ends as they must lie if one of the two that were seen is right."""
    return next((way for way in (ends, ends[::-1]) if way[0] == seen[0] or way[1] == seen[1]), None)


def _first(one: Sighting) -> Domino | None:
    """What a domino is most likely."""
    if one.kind != "domino" or one.face != "up":
        return None
    ends = ends_of((one.value or {}).get("pips"))
    return None if ends is None else tile(*ends)
