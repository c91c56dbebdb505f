"""What of a layout can be seen."""

from collections.abc import Hashable
from dataclasses import replace

from engine.layout import Layout, Spot


def seen_of(spot: Spot) -> tuple[Hashable, ...]:
    """All that can be seen of a spot, as one key."""
    value = spot.value
    told: Hashable = None
    if value is not None:
        if spot.kind == "sheet":
            told = repr(value)
        elif "pips" in value:
            told = repr(value["pips"])
        else:
            told = tuple(value.values())
    return (spot.kind, spot.face, told, spot.region, spot.x, spot.y, spot.angle, spot.owner)


def look(layout: Layout, *, facing: bool = True) -> frozenset[tuple[Hashable, ...]]:
    """A layout as one sees it: without names; or also without how soldiers face."""
    spots = layout.spots
    if not facing:
        spots = tuple(_faceless(spot) if spot.kind == "soldier" else spot for spot in spots)
    return frozenset(seen_of(spot) for spot in spots)


def _faceless(spot: Spot) -> Spot:
    return replace(spot, angle=None, value={**(spot.value or {}), "facing_deg": None})
