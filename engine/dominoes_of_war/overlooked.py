"""Tiles of the field and the bases that a look overlooks: they never leave the table."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from engine.dominoes_of_war.model import Phase, WarState
from engine.dominoes_of_war.places import column, row
from engine.dominoes_of_war.sighted import BOARD, place_of
from engine.layout import Layout, Spot
from engine.scene import Scene, Sighting

MOST: Final = 2
"""So many tiles at most are overlooked: below a man, or where the floor looks like their backs."""
_BEFORE: Final[frozenset[Phase]] = frozenset(("armies", "lot", "starter", "bases"))
"""Phases in which tiles are still laid, and taken up again."""


def with_overlooked(state: WarState, layout: Layout, seen: Scene, told: Scene) -> Scene:
    """``told`` with the tile or two that are not seen in it, if none lies elsewhere in the scene as ``seen``.

    Who holds the tile that is to be turned up has not overlooked it.
    """
    tiles = {(spot.x, spot.y): spot for spot in _tiles(layout)}
    lying = [one for one in told.sightings if one.kind == "domino" and one.region == BOARD]
    places = [at for one in lying if (at := place_of(one)) is not None]
    there = {(float(column(at)), float(row(at))) for at in places} & tiles.keys()
    lost = [spot for where, spot in tiles.items() if where not in there]
    held = state.phase == "tile" and (float(column(state.focus)), float(row(state.focus))) not in there
    astray = len(lying) > len(there) or _elsewhere(layout, seen)
    if state.phase in _BEFORE or held or astray or len(lost) > MOST:
        return told
    overlooked = (Sighting("domino", BOARD, one.x, one.y, one.angle, one.face) for one in lost)
    return replace(told, sightings=(*told.sightings, *overlooked))


def _tiles(layout: Layout) -> Iterator[Spot]:
    return (spot for spot in layout.spots if spot.kind == "domino" and spot.region == BOARD)


def _elsewhere(layout: Layout, seen: Scene) -> bool:
    """Whether more tiles lie beside the board than belong there."""
    beside = Counter(one.region for one in seen.sightings if one.kind == "domino" and one.region != BOARD)
    return any(many > layout.hidden.get(region, 0) for region, many in beside.items())
