"""A reading told in the words of the game: regions, board units, and what was hidden."""

from collections.abc import Sequence

import numpy as np

from calibration.plan import Region, TablePlan
from calibration.table_finder import Table
from engine.layout import Face
from engine.scene import Guess, Hidden, Point, Scene, Sighting
from vision.pieces.lattice import fit_lattice
from vision.pieces.mat import OnTable
from vision.pieces.patches import Floats
from vision.pieces.piece_read import Read
from vision.pieces.reading import Readout

_UNLIKELY = 1e-4
_WORST_BOARD_MM = 3.0


def scene_of(reading: Readout, plan: TablePlan, hidden_px: Sequence[Floats] = ()) -> Scene:
    """What a picture of a game's table shows; ``hidden_px`` are outlines (n×2) of what hands cover."""
    if reading.table is None:
        raise ValueError("a scene needs a table: the picture shows no markers")
    pairs = tuple(zip(reading.pieces, _on_board(reading, plan), strict=True))
    sightings = tuple(
        _sighting(k, one, place, plan) for k, (one, place) in enumerate(pairs) if one.kind != "tile"
    )
    return Scene(sightings, hidden_parts(reading.table, plan, hidden_px))


def _on_board(reading: Readout, plan: TablePlan) -> tuple[OnTable, ...]:
    """The places, those on a board of tiles as if the board lay exactly where the plan has it."""
    board = plan.regions.get("board")
    lattice = fit_lattice(reading.places_of("tile"), board.centre_mm) if board else None
    if board is None or lattice is None or lattice.off_mm > _WORST_BOARD_MM:
        return reading.places
    out = []
    for place in reading.places:
        if board.holds(place.x_mm, place.y_mm, margin_mm=10):
            x, y = lattice.straightened(place.x_mm, place.y_mm, board.centre_mm)
            place = OnTable(x, y, (place.angle_deg - lattice.turn_deg) % 360)
        out.append(place)
    return tuple(out)


def _sighting(number: int, one: Read, place: OnTable, plan: TablePlan) -> Sighting:
    name = _region_at(place, plan)
    x, y = _in_units(plan.regions[name], place) if name else (place.x_mm, place.y_mm)
    face: Face = "up" if one.face == "up" else "edge" if one.face == "edge" else "down"
    here = one.there + one.turned
    return Sighting(
        kind="wall" if face == "edge" else one.kind,  # type: ignore[arg-type]  # a piece's kinds are the layout's
        region=name,
        x=x,
        y=y,
        angle=place.angle_deg,
        face=face,
        guesses=_guesses(one, one.there / here if one.turned else 1.0, "down" if face == "up" else "up"),
        presence=min(1.0, here),
        visible=one.visible,
        owner=None if one.owner is None else one.owner + 1,
        ref=str(number),
        on_board=_on_board_too(one, name, place, plan) if face == "up" else None,
    )


def _on_board_too(one: Read, region: str, place: OnTable, plan: TablePlan) -> Point | None:
    """Where an open domino in a player's hand lies in board units: a line may have run there."""
    board = plan.regions.get("board")
    if one.kind != "domino" or not region.startswith("hand-") or board is None or board.unit_mm is None:
        return None
    return board.place_at(place.x_mm, place.y_mm)


def _guesses(one: Read, known: float, other: Face) -> tuple[Guess, ...]:
    """What it shows with the face that it seems to have, and what if a domino lies with the other one up."""
    told = ((value, p * known) for value, p in one.ranked)
    guesses = tuple(_guess(one, value, p) for value, p in told if value is not None and p > _UNLIKELY)
    if not one.turned:
        return guesses
    beneath = tuple(
        Guess(dict(value), (1 - known) * p, other)
        for value, p in one.beneath
        if value is not None and (1 - known) * p > _UNLIKELY
    )
    both = (*(guesses or (Guess(None, known),)), *(beneath or (Guess(None, 1 - known, other),)))
    return tuple(sorted(both, key=lambda guess: -guess.probability))


def _region_at(place: OnTable, plan: TablePlan) -> str:
    """The region that holds a place: the smallest, but the whole of a lattice rather than a part of it."""
    names = plan.regions_at(place.x_mm, place.y_mm)
    if not names:
        return plan.spilled_from(place.x_mm, place.y_mm)
    first = plan.regions[names[0]]
    lattice = (first.unit_mm, first.origin_mm)
    same = [name for name in names if (plan.regions[name].unit_mm, plan.regions[name].origin_mm) == lattice]
    return same[-1] if first.unit_mm else names[0]


def _guess(one: Read, value: object, probability: float) -> Guess:
    plain = dict(value)  # type: ignore[call-overload]
    face: Face | None = None
    if one.kind == "coin":
        face = "down" if plain.get("suit") else "up"
    return Guess(plain, min(1.0, probability), face)


def _in_units(region: Region, place: OnTable) -> Point:
    """Board units where the region has places, millimetres from its middle elsewhere."""
    if region.unit_mm is not None:
        return region.place_at(place.x_mm, place.y_mm)
    return place.x_mm - region.centre_mm[0], place.y_mm - region.centre_mm[1]


def hidden_parts(table: Table, plan: TablePlan, outlines_px: Sequence[Floats]) -> tuple[Hidden, ...]:
    """The parts of the regions that lie under these outlines of the picture."""
    found = []
    for outline in outlines_px:
        points = table.camera.to_mm(np.asarray(outline, dtype=float))
        low, high = points.min(axis=0), points.max(axis=0)
        for name, region in plan.regions.items():
            left, bottom, right, top = region.bounds_mm
            if low[0] < right and high[0] > left and low[1] < top and high[1] > bottom:
                each = [_in_units(region, OnTable(float(x), float(y), 0.0)) for x, y in points]
                found.append(Hidden(name, tuple(each)))
    return tuple(found)
