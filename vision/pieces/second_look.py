"""A second look, at the places where pieces must lie: what the finder missed there is read all the same.

Looked for is what lay on a board when table and record agreed and is not seen now, or what a set-up still
lacks: small pieces in their own places, dominoes also on those around, as they may have been moved there.
"""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Any

import numpy as np

from calibration.plan import Region, TablePlan
from engine.scene import Sighting
from vision.pieces.each import PieceReader
from vision.pieces.expecting import Expecting
from vision.pieces.finder import SQUARE, USUAL_MM, WIDE_SHARE, Spotted
from vision.pieces.lattice import LEAST_TILES, fit_lattice
from vision.pieces.mat import TOP_MM
from vision.pieces.memory import Memory
from vision.pieces.patches import Picture
from vision.pieces.piece_read import Read
from vision.pieces.reading import Readout, agreed_on_table
from vision.pieces.table_scene import scene_of

BOARD = "board"
_AROUND = 2
"""So many places from where it was, in each direction, a domino is looked for."""
_HERE = 0.6
"""So near to its place, in board units, a piece is in it."""
_BELIEVED = 0.9
_LIKELY = 0.6
"""So likely what a set-up lacks is seen where it must lie to be told, with how sure it is."""
_TURNED = 0.98
"""So surely a back is seen that is believed where the game has none: two squares of a board look like one."""


@dataclass(frozen=True)
class Lack:
    """A piece that should lie on the board."""

    kind: str
    x: float
    y: float
    angle: float = 0.0
    value: Mapping[str, Any] | None = None
    """What it shows, where that is known; it may then lie elsewhere too."""


def wanted(sightings: Iterable[Sighting]) -> tuple[Lack, ...]:
    """The pieces of a board as they were seen: to be there still, or near by."""
    return tuple(
        Lack(one.kind, one.x, one.y, one.angle or 0.0, one.value)
        for one in sightings
        if one.region == BOARD and one.x is not None and one.y is not None and one.value is not None
    )


def looked_again(
    picture: Picture,
    reading: Readout,
    plan: TablePlan,
    expecting: Expecting,
    wants: Sequence[Lack],
    memory: Memory | None = None,
) -> Readout:
    """The reading with what it lacks of these, as far as a second look finds it."""
    region = plan.regions.get(BOARD)
    if region is None or region.unit_mm is None or reading.table is None:
        return reading
    reader = PieceReader(picture, expecting, memory)
    spots = [*_lacking(reading, plan, region, wants)]
    at_home = [spot for want, spot in spots if _is_at_home(want, spot, region, reading)]
    return _with(reading, [*_found(reader, spots, reading.pieces), *_closed(reader, at_home)])


def _lacking(
    reading: Readout, plan: TablePlan, region: Region, wants: Sequence[Lack]
) -> Iterator[tuple[Lack, Spotted]]:
    """What is wanted and not seen, in each place where it may lie and nothing else does."""
    seen = scene_of(reading, plan).sightings
    for want in wants:
        if not any(_is_it(one, want) for one in seen):
            for place in dict.fromkeys(_places(want)):
                if not any(_is_taken(place, one) for one in seen):
                    yield want, _spotted(want.kind, place, region, reading)


def dice_looked_again(
    picture: Picture,
    reading: Readout,
    plan: TablePlan,
    expecting: Expecting,
    before: Iterable[Sighting],
    memory: Memory | None = None,
) -> Readout:
    """The reading with the dice that lay beside the board, are seen nowhere, and lie where they lay.

    A worn blank is hardly more than a spot of another colour, which the finder sees in one picture and not in
    the next.
    """
    if reading.table is None:
        return reading
    seen = [one for one in scene_of(reading, plan).sightings if one.kind == "die"]
    if len(seen) >= expecting.belongings.most.get("die", 0):
        return reading
    lie, half = _dice_mm(seen, plan), USUAL_MM["die"] / 2
    empty = [at for at in _dice_mm(before, plan) if not any(math.dist(at, other) < half for other in lie)]
    if not empty:
        return reading
    camera = reading.table.camera
    places = camera.to_pixels(np.array(empty), np.full(len(empty), TOP_MM["die"]))
    spots = [Spotted.at("die", place, USUAL_MM["die"] / camera.mm_per_px()) for place in places]
    reads = PieceReader(picture, expecting, memory).every(spots, quick=True)
    return _with(reading, [one for one in reads if _is_a_die(one, spots)])


def _with(reading: Readout, found: Sequence[Read]) -> Readout:
    """The reading with what a second look has found, all made to agree again."""
    if not found:
        return reading
    assert reading.table is not None  # nothing is looked for anywhere else
    alone = (*reading.alone, *found)
    return replace(agreed_on_table(reading.size, alone, reading.table), ms=reading.ms, alone=alone)


def _dice_mm(sightings: Iterable[Sighting], plan: TablePlan) -> list[tuple[float, float]]:
    """Where on the table dice lie in regions that have no board places."""
    each = (_lay_mm(one, plan) for one in sightings if one.kind == "die")
    return [at for at in each if at is not None]


def _lay_mm(one: Sighting, plan: TablePlan) -> tuple[float, float] | None:
    """Where on the table something lies in a region that has no board places."""
    region = plan.regions.get(one.region)
    if region is None or region.unit_mm is not None or one.x is None or one.y is None:
        return None
    return region.centre_mm[0] + one.x, region.centre_mm[1] + one.y


def _is_a_die(one: Read, spots: Sequence[Spotted]) -> bool:
    """Whether a die is clearly seen in one of the places where it was looked for."""
    return one.kind == "die" and one.there >= _BELIEVED and _is_in_one(one, spots)


def _is_in_one(one: Read, spots: Iterable[Spotted]) -> bool:
    """Whether something lies in one of these places."""
    return any(spot.is_within(_HERE / 2 * spot.length, one.middle) for spot in spots)


def _is_it(one: Sighting, want: Lack) -> bool:
    """Whether a sighting may be what is wanted: it lies there, or is seen to have gone elsewhere."""
    if one.kind != want.kind:
        return False
    if want.value is not None and one.kind == "domino" and _is_clear(one):
        return _same(one.value, want.value)
    here = one.region == BOARD and one.x is not None and one.y is not None
    return here and math.hypot((one.x or 0) - want.x, (one.y or 0) - want.y) < _HERE


def _is_clear(one: Sighting) -> bool:
    return bool(one.guesses) and one.presence * one.guesses[0].probability > _BELIEVED


def _same(one: Mapping[str, Any] | None, other: Mapping[str, Any] | None) -> bool:
    """Whether two values are the same, whichever way round a domino lies."""
    if one is None or other is None:
        return False
    if "pips" in other:
        return sorted(one.get("pips", ())) == sorted(other["pips"])
    return all(one.get(key) == entry for key, entry in other.items() if entry is not None)


def _places(want: Lack) -> Iterator[tuple[float, float, float]]:
    """Where a piece is looked for: x, y and angle in board units."""
    yield want.x, want.y, want.angle
    if want.kind != "domino" or want.value is None:
        return
    x, y = round(want.x), round(want.y)
    reach = range(-_AROUND, _AROUND + 1)
    for dx, dy in product(reach, reach):
        yield x + dx + 0.5, float(y + dy), 0.0
        yield float(x + dx), y + dy + 0.5, 90.0


def _is_taken(place: tuple[float, float, float], one: Sighting) -> bool:
    """Whether something that is seen clearly lies in the middle of a place."""
    if one.region != BOARD or one.x is None or one.y is None or one.presence < _BELIEVED:
        return False
    return math.hypot(one.x - place[0], one.y - place[1]) < _HERE


def _spotted(kind: str, place: tuple[float, float, float], region: Region, reading: Readout) -> Spotted:
    """A piece of a kind on a place, as if the finder had seen it."""
    assert reading.table is not None
    x, y, angle = place
    turn = math.radians(angle)
    half = USUAL_MM[kind] / 2
    middle = np.array(region.place_mm(x, y))
    along = np.array([math.cos(turn), math.sin(turn)]) * half
    tiles = reading.places_of("tile")
    ends = [middle - along, middle + along]
    lattice = fit_lattice(tiles, region.centre_mm)
    if lattice is not None:
        ends = [np.array(lattice.laid(float(x), float(y), region.centre_mm)) for x, y in ends]
    height = TOP_MM[kind] + (TOP_MM["tile"] if len(tiles) >= LEAST_TILES else 0.0)
    back, front = reading.table.camera.to_pixels(np.array(ends), np.full(2, height))
    at, way = (back + front) / 2, front - back
    long = float(np.linalg.norm(way))
    wide = long if kind in SQUARE else long * WIDE_SHARE
    turned = 0.0 if kind in SQUARE else math.degrees(math.atan2(way[1], way[0]))
    return Spotted.at(kind, at, long, wide, turned)


def _found(reader: PieceReader, spots: Sequence[tuple[Lack, Spotted]], beside: Sequence[Read]) -> list[Read]:
    """What of the wanted pieces is clearly seen, each once and where it is seen best."""
    reads = reader.every([spot for _, spot in spots], quick=True, beside=beside)
    found = []
    for want in {id(want): want for want, _ in spots}.values():
        at = [spot for of, spot in spots if of is want]
        fits = [one for one in reads if _fits(one, want, at)]
        if fits:
            found.append(max(fits, key=lambda one: one.confidence))
    return found


def _is_at_home(want: Lack, spot: Spotted, region: Region, reading: Readout) -> bool:
    """Whether a domino that showed something is looked for where it lay."""
    home = _spotted(want.kind, (want.x, want.y, want.angle), region, reading)
    return want.kind == "domino" and want.value is not None and spot == home


def _closed(reader: PieceReader, spots: Sequence[Spotted]) -> list[Read]:
    """Dominoes that lie where they lay, turned over: seen clearly, whatever the game expects there."""
    reads = replace(reader, expecting=None).every(spots, quick=True)
    return [one for one in reads if one.kind == "domino" and one.face == "down" and one.there >= _TURNED]


def _fits(one: Read, want: Lack, spots: Iterable[Spotted]) -> bool:
    """Whether what was read is the piece that is wanted, in one of the places where it was looked for."""
    # who knows which pawn lay there takes a pawn for it that rather is it; a domino may be another one
    believed = _LIKELY if want.value is None or want.kind == "pawn" else _BELIEVED
    if one.kind != want.kind or one.confidence < believed:
        return False
    if want.value is not None and not _same(one.value, want.value):
        return False
    return _is_in_one(one, spots)
