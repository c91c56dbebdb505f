"""What looked a little like a piece from the very beginning and was none: a stain, a pattern, a shadow."""

from collections.abc import Collection
from dataclasses import replace
from math import exp
from typing import TYPE_CHECKING

from engine.matching.adopted import SURELY_THERE
from engine.matching.evidence import ASKEW, CLUTTER, NEARBY_MM, PLAIN, SPREAD
from engine.matching.guide import near
from engine.scene import Scene, Sighting

if TYPE_CHECKING:
    from engine.matching.follower import Follower

_NEAR, _NEAR_MM = 0.5, 12.0
"""So near, in board units or beside the board, it is the same stain."""
_UPON, _UPON_MM = 1.5, 40.0
"""So near to it a piece may cover it."""


def stains(follower: "Follower", scene: Scene, *, clear: bool = False) -> tuple[Sighting, ...]:
    """What is seen of a table on which a game begins, and no part of the game.

    Only what is faint, unless ``clear`` says that what is seen clearly was left out on purpose as well.
    """
    seen = follower.at(scene).gap(scene).extra
    return tuple(one for one in seen if clear or one.presence < SURELY_THERE)


def unstained(scene: Scene, known: Collection[Sighting]) -> Scene:
    """The scene without what is as faint as it was, where it was."""
    kept = tuple(one for one in scene.sightings if not any(_is_one(one, stain) for stain in known))
    return scene if len(kept) == len(scene.sightings) else replace(scene, sightings=kept)


def weighed(scene: Scene, beside: Collection[Sighting]) -> Scene:
    """The scene in which what lay beside the game when table and record agreed is no more than a hint.

    Until somebody changes it, its picture is the same evidence in each look: it was weighed, and is no piece.
    """
    seen = (one if one.ref in scene.fresh else _weighed(one, beside) for one in scene.sightings)
    return replace(scene, sightings=tuple(seen))


def without(scene: Scene, known: Collection[Sighting]) -> Scene:
    """The scene without what lies as this did."""
    kept = (one for one in scene.sightings if not any(_is_as(one, was) for was in known))
    return replace(scene, sightings=tuple(kept)) if known else scene


def _weighed(one: Sighting, beside: Collection[Sighting]) -> Sighting:
    """What was seen; a hint if it lay there, shows nothing else now, and may still be none.

    It may be none as well if it was as surely there then: people have said, or meant, that it is none.
    """
    sure = 1 - exp(CLUTTER)
    known = any(_is_as(one, was) and (one.presence < sure or was.presence >= sure) for was in beside)
    return replace(one, presence=min(one.presence, 1 - exp(PLAIN))) if known else one


def _is_as(one: Sighting, was: Sighting) -> bool:
    """Whether this lies as that did, and reads as that."""
    read, then = ((it.kind, it.region, it.face, it.guesses and it.guesses[0].value) for it in (one, was))
    if read != then or was.x is None or was.y is None:
        return False
    turned = ((one.angle or 0.0) - (was.angle or 0.0) + 90) % 180 - 90
    return near(one, was.x, was.y, SPREAD if one.region == "board" else NEARBY_MM) and abs(turned) <= ASKEW


def lasting(known: Collection[Sighting], scene: Scene) -> tuple[Sighting, ...]:
    """The stains less what was clear and is gone: it was a thing, and a piece may lie there from now on.

    A pattern that is covered is there still.
    """
    return tuple(one for one in known if one.presence < SURELY_THERE or _is_there(one, scene))


def _is_there(stain: Sighting, scene: Scene) -> bool:
    """Whether a stain, or whatever lies upon it, is seen in a scene, or could not be seen."""
    if stain.x is None or stain.y is None or scene.is_hidden(stain.region, stain.x, stain.y):
        return True
    most = _UPON if stain.region == "board" else _UPON_MM
    here = [one for one in scene.sightings if one.region == stain.region and one.kind != "tile"]
    return any(near(one, stain.x, stain.y, most) for one in here)


def _is_one(one: Sighting, stain: Sighting) -> bool:
    if (one.kind, one.region) != (stain.kind, stain.region) or one.presence >= SURELY_THERE > stain.presence:
        return False
    if stain.x is None or stain.y is None:
        return False
    return near(one, stain.x, stain.y, _NEAR if one.region == "board" else _NEAR_MM)
