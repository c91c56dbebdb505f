"""A line that runs on beyond its part of the table, into where a player keeps his tiles."""

from collections.abc import Sequence
from dataclasses import replace
from math import hypot
from typing import Final

from engine.draw_game.model import DrawState
from engine.matching.evidence import REACH, Places
from engine.scene import Point, Scene, Sighting

_BOARD: Final = "board"
_NEXT: Final = 2.6
"""So near, in half dominoes, the middle of a tile is to that of the one that it was laid at."""


def with_whole_line(state: DrawState, scene: Scene, places: Places) -> Scene:
    """The scene with every tile of the line on the board, wherever the line has run to.

    While a deal is played nobody's hand lies open: an open tile that is one of a row with the line is of the
    line. Once hands are laid open, only what is known to lie there is.
    """
    beyond = [one for one in scene.sightings if one.on_board is not None and one.face == "up"]
    if not beyond:
        return scene
    line = _grown(scene, beyond) if state.phase == "playing" else _known(beyond, places)
    told = {id(one): _moved(one) for one in line}
    return replace(scene, sightings=tuple(told.get(id(one), one) for one in scene.sightings))


def _grown(scene: Scene, beyond: Sequence[Sighting]) -> Sequence[Sighting]:
    """Those that lie in a row with what lies on the board, one at another."""
    line = [
        (one.x, one.y)
        for one in scene.sightings
        if (one.kind, one.region, one.face) == ("domino", _BOARD, "up")
        and one.x is not None
        and one.y is not None
    ]
    found: list[Sighting] = []
    fresh = [*beyond]
    while fresh:
        come = [one for one in fresh if any(_off(one, at) <= _NEXT for at in line)]
        if not come:
            break
        found += come
        line += [_at(one) for one in come]
        fresh = [one for one in fresh if one not in come]
    return found


def _known(beyond: Sequence[Sighting], places: Places) -> Sequence[Sighting]:
    """Those that lie where a tile of the line was known to lie."""
    lain = [(lay.x, lay.y) for lay in places.values() if lay.region == _BOARD]
    return [one for one in beyond if any(_off(one, at) <= REACH for at in lain)]


def _at(one: Sighting) -> Point:
    assert one.on_board is not None  # only such are asked about
    return one.on_board


def _off(one: Sighting, at: Point) -> float:
    return hypot(_at(one)[0] - at[0], _at(one)[1] - at[1])


def _moved(one: Sighting) -> Sighting:
    x, y = _at(one)
    return replace(one, region=_BOARD, x=x, y=y, on_board=None)
