"""A field of dominoes, one on each place of a lattice: what lies there is looked for where it must lie.

Once most tiles of the field are found, every place of the lattice is known to a millimetre or two. A tile
that the finder missed, one below a soldier, and a wall between two tiles are then read on the very spot; a
plank that would lie across two tiles is nothing but the dark gap between them, or a wall.
"""

import math
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TypeAlias

import numpy as np

from calibration.plan import TablePlan
from vision.pieces import domino_reading, mat
from vision.pieces.domino_reading import DominoReading
from vision.pieces.each import PieceReader
from vision.pieces.field_places import (
    LONG_MM,
    NEAR,
    WIDE_MM,
    Field,
    Place,
    Probe,
    borders_between,
    field_of,
    off_lattice,
    read_at,
)
from vision.pieces.finder import Spotted
from vision.pieces.gaps import walls_on
from vision.pieces.mat import TOP_MM, OnTable
from vision.pieces.memory import Memory
from vision.pieces.patches import Floats, Picture
from vision.pieces.piece_read import Read
from vision.pieces.reading import Readout
from vision.pieces.sureness import sure

Lying: TypeAlias = tuple[Read, OnTable]
"""A piece, and where it lies."""
_HEAD_MM, _ASTRAY = 18.0, 0.4
_ALIKE_DEG, _ACROSS_DEG = 25.0, 45.0
"""So little turned a tile lies on its place."""
_LEAST_TILE, _CLEAR_TILE, _CLEAR_PIPS = 0.3, 0.8, 0.95
_ODD_MM, _SURE_TILE = 7.0, 0.9
"""What is so much longer or wider than a tile is one only if that is as sure on its place."""
_LIKELY_MAN = 0.6
"""What is less surely a soldier of some type is none: bodies and patterns reach this at most."""
_BODY = 0.6
"""So near to the line from a soldier's foot to his head, in shares of the head, there is but his body."""
_NO_BODY = 0.8
"""Who is so surely of a type is a man of his own: in a pool they stand closer than that."""


def on_field(
    picture: Picture, reading: Readout, plan: TablePlan, memory: Memory | None = None, walls: int = 0
) -> Readout:
    """The reading after every place of the field was looked at; as it was where no field is seen.

    ``memory`` knows what was read where the picture is as it was; ``walls`` is how many of them the game has:
    those that are neither seen nor in the discard are looked for longer.
    """
    field = field_of(reading, plan)
    if field is None:
        return reading
    pairs = list(zip(reading.pieces, reading.places, strict=True))
    tiles = {place: k for k, place in _tiles(field, pairs)}
    pairs = _heads_again(PieceReader(picture, memory=memory), field, pairs, tiles)
    men = _men(field, pairs)
    wanted = field.own | men.keys()
    borders = list(borders_between(field, wanted | tiles.keys()))
    pairs, tiles, replaced = _with_tiles_again(picture, field, pairs, tiles, men, memory)
    better = _men_again(PieceReader(picture, memory=memory), field, pairs, tiles, men)
    pairs += better.values()
    # who is not seen on the very spot is nobody; nor is anybody where no tile lies, unless he is sure
    men = {place: k for place, k in men.items() if sure(pairs[k][0]) and place not in better}
    on_tiles = {*men.values(), *range(len(pairs) - len(better), len(pairs))}
    gone, lying = _bodies(field, pairs) | replaced, set(tiles.values())
    kept = [
        (_as_man(one) if k in on_tiles else one, at)
        for k, (one, at) in enumerate(pairs)
        if k in on_tiles or (k not in gone and _stays(field, one, at, is_tile=k in lying))
    ]
    due = walls - _fallen(pairs, plan)
    standing = walls_on(picture, field, borders, memory, due, walls)
    kept += [_piece(field, spot, one, "wall", "edge", there) for spot, one, there in standing]
    pieces, places = zip(*kept, strict=True)
    return replace(reading, pieces=tuple(pieces), places=tuple(places))


# — what was found —


def _tiles(field: Field, pairs: Sequence[Lying]) -> Iterator[tuple[int, Place]]:
    """The dominoes that lie on places as tiles do, the doubtful first."""
    for k, (one, at) in sorted(enumerate(pairs), key=lambda pair: pair[1][0].there):
        x, y = field.place_of(at)
        place = round(x), round(y)
        off = abs((at.angle_deg - field.lattice.turn_deg - field.turn_at(place) + 90) % 180 - 90)
        on_board = field.region.holds(*field.region.place_mm(x, y))
        lies = one.kind == "domino" and on_board and off_lattice((x, y)) < NEAR and off < _ALIKE_DEG
        if lies:
            yield k, place


def _men(field: Field, pairs: Sequence[Lying]) -> dict[Place, int]:
    """The soldier on each place: of several the surest, the others are his body or a pattern of the tile."""
    men: dict[Place, int] = {}
    for k, (one, at) in sorted(enumerate(pairs), key=lambda pair: pair[1][0].confidence):
        x, y = field.place_of(at)
        if one.kind == "soldier" and field.region.holds(*field.region.place_mm(x, y)):
            men[round(x), round(y)] = k
    return men


def _heads_again(
    reader: PieceReader, field: Field, pairs: Sequence[Lying], tiles: Mapping[Place, int]
) -> list[Lying]:
    """The same with each doubted soldier of a pool read where he was found as large as a head is, if clearer.

    The finder takes a blurred head for a die, which is smaller, and what is cut too small is hardly read. On
    the board nobody is looked for but on his place: what is printed there looks like a soldier in many cuts.
    """
    doubted = [k for k, (one, at) in enumerate(pairs)
               if one.kind == "soldier" and not (sure(one) or field.is_on_board(at))]  # fmt: skip
    out = list(pairs)
    for k, one, at in _heads(reader, field, [pairs[k][0].middle for k in doubted], pairs, tiles):
        if one.confidence > out[doubted[k]][0].confidence:
            out[doubted[k]] = one, at
    return out


def _heads(
    reader: PieceReader,
    field: Field,
    at_px: Sequence[Floats],
    pairs: Sequence[Lying],
    tiles: Mapping[Place, int],
) -> Iterator[tuple[int, Read, OnTable]]:
    """The soldiers whose heads show at these points, each with the point's number and where he stands."""
    if not at_px:
        return
    long = _HEAD_MM / field.table.camera.mm_per_px()
    spots = [Spotted.at("soldier", at, long) for at in at_px]
    seen = [one for one in reader.small(spots, quick=True) if one.kind == "soldier"]
    below = [pairs[k][0] for k in tiles.values()]
    for one, at in zip(seen, mat.standing([*below, *seen], field.table)[len(below) :], strict=True):
        off = np.linalg.norm(np.array(at_px) - one.middle, axis=1)
        yield int(off.argmin()), mat.renamed(one, at), at


def _men_again(
    reader: PieceReader,
    field: Field,
    pairs: Sequence[Lying],
    tiles: Mapping[Place, int],
    men: Mapping[Place, int],
) -> dict[Place, Lying]:
    """The men on tiles where one was doubted, and on those beside the field where none was found.

    The finder takes a body for the head at times, and the head is then read askew.
    """
    doubted = {place for place, k in men.items() if not sure(pairs[k][0])}
    due = sorted(
        tiles.keys() & doubted | {one for one in tiles.keys() - men.keys() if not field.is_inside(one)}
    )
    height = TOP_MM["soldier"] + TOP_MM["domino"]
    heads = [field.table.camera.to_pixels(np.array([field.mm_of(*place)]), height)[0] for place in due]
    found: dict[Place, Lying] = {}
    for _, one, at in _heads(reader, field, heads, pairs, tiles):
        x, y = field.place_of(at)
        place = round(x), round(y)
        if place in due and off_lattice((x, y)) < _ASTRAY:
            found[place] = one, at
    return found


def _as_man(one: Read) -> Read:
    """A soldier on the board; what looks like one of no certain type is no certain soldier either."""
    return one if sure(one) else replace(one, there=one.confidence)


def _bodies(field: Field, pairs: Sequence[Lying]) -> set[int]:
    """What looks like a soldier and is the lower part of a surer one."""
    camera = field.table.camera
    men = [(k, one, at) for k, (one, at) in enumerate(pairs) if one.kind == "soldier"]
    found = set()
    for _, one, at in men:
        if not sure(one):
            continue
        foot = camera.to_pixels(np.array([(at.x_mm, at.y_mm)]), 0.0)[0]
        for k, other, _ in men:
            near = _from_line(other.middle, foot, one.middle) < _BODY * one.length
            if near and other.confidence < _NO_BODY and not sure(other):
                found.add(k)
    return found


def _from_line(point: Floats, start: Floats, end: Floats) -> float:
    """How far a point lies from a line from one point to another."""
    along = end - start
    share = float(np.clip((point - start) @ along / max(float(along @ along), 1e-9), 0.0, 1.0))
    return float(np.linalg.norm(point - start - share * along))


def _stays(field: Field, one: Read, at: OnTable, *, is_tile: bool) -> bool:
    """Whether a find can be a part of the table; beside the board all may lie but a soldier of no type."""
    x, y = field.place_of(at)
    if one.kind == "soldier" and one.confidence < _LIKELY_MAN:
        return False
    if is_tile or not field.region.holds(*field.region.place_mm(x, y)):
        return True
    if one.kind not in ("domino", "wall"):
        return one.kind != "soldier"  # those that are any were told by their places
    between = any(off_lattice((x + dx, y + dy)) < NEAR for dx, dy in ((0.5, 0), (0, 0.5), (0.5, 0.5)))
    across = abs((at.angle_deg - field.lattice.turn_deg - 90.0 + 90) % 180 - 90) > _ACROSS_DEG
    between |= across and field.is_inside((round(x), round(y)))
    is_sure = sure(one)
    return (is_sure or not between) if one.value is not None else (is_sure and not between)


# — what is looked for —


def _tile_spot(field: Field, place: Place) -> Probe:
    return Probe(*place, field.turn_at(place), WIDE_MM, TOP_MM["domino"])


def _with_tiles_again(
    picture: Picture,
    field: Field,
    pairs: Sequence[Lying],
    tiles: Mapping[Place, int],
    men: Collection[Place],
    memory: Memory | None,
) -> tuple[list[Lying], dict[Place, int], set[int]]:
    """All with the tiles read on their places; which lies where, and the numbers of those replaced."""
    wanted = field.own | set(men)
    odd = {at: k for at, k in tiles.items() if at not in wanted and _is_misshapen(field, pairs[k][0])}
    doubted = odd | {
        at: k
        for at, k in tiles.items()
        if _is_doubted(pairs[k][0], below_a_man=field.is_inside(at) and at in men)
    }
    again = {at: pairs[k][0] for at, k in doubted.items()}
    found = _tiles_again(picture, field, wanted - tiles.keys(), again, men, memory)
    found = {at: piece for at, piece in found.items() if at not in odd or piece[0].there >= _SURE_TILE}
    now = {**tiles, **{at: k for k, at in enumerate(found, len(pairs))}}
    now = {at: k for at, k in now.items() if odd.get(at) != k}
    return [*pairs, *found.values()], now, {k for at, k in doubted.items() if now.get(at) != k}


def _tiles_again(
    picture: Picture, field: Field, lacking: Collection[Place], doubted: Mapping[Place, Read],
    men: Collection[Place], memory: Memory | None,
) -> dict[Place, Lying]:  # fmt: skip
    """What lies on these places, read there; of the doubted ones those that were not read better before."""
    each: dict[Place, Lying] = {}
    for reader, manned in ((domino_reading.READER, False), (domino_reading.MANNED, True)):
        places = [at for at in sorted({*lacking, *doubted}) if (at in men) == manned]
        spots = [_tile_spot(field, place) for place in places]
        seen = read_at(picture, field, spots, memory, reader)
        for at, spot, one in zip(places, spots, seen, strict=True):
            if 1 - one.share("none") > _LEAST_TILE:
                each[at] = _tile(field, spot, one)
    return {
        place: piece
        for place, piece in each.items()
        if place not in doubted or not _is_clearer(doubted[place], piece[0])
    }


def _is_doubted(one: Read, *, below_a_man: bool) -> bool:
    """Whether a tile is read again on its place: one of which a man covers the middle is easily misread."""
    if below_a_man:
        return one.face == "down" or one.confidence < _CLEAR_PIPS
    return one.there < _CLEAR_TILE


def _is_misshapen(field: Field, one: Read) -> bool:
    """Whether a closed tile is longer or wider than tiles are: bare ground beside one may look like that."""
    corners = field.table.camera.to_mm(one.corners, TOP_MM["domino"])
    long, wide = sorted(np.linalg.norm(corners[[1, 3]] - corners[0], axis=1), reverse=True)
    return one.face == "down" and bool(max(long - LONG_MM, wide - WIDE_MM) > _ODD_MM)


def _is_clearer(one: Read, again: Read) -> bool:
    """Whether an open tile was read better where the finder saw it than on its place."""
    return one.face == "up" and one.there >= _CLEAR_TILE and one.confidence >= again.confidence


def _tile(field: Field, spot: Probe, one: DominoReading) -> Lying:
    """What was read on a place, as a piece: as sure as the way it lies."""
    other, face = sorted(("up", "down"), key=one.share)
    read, at = _piece(field, spot, one, "domino", face, one.share(face))
    beneath = domino_reading.ranked(one) if face == "down" else ()
    return replace(read, turned=one.share(other), beneath=beneath), at


def _fallen(pairs: Sequence[Lying], plan: TablePlan) -> int:
    """How many walls lie in the discard."""
    discard = plan.regions.get("discard")
    if discard is None:
        return 0
    return sum(one.kind in ("domino", "wall") and one.face != "up" and discard.holds(at.x_mm, at.y_mm)
               for one, at in pairs)  # fmt: skip


def _piece(field: Field, spot: Probe, one: DominoReading, kind: str, face: str, there: float) -> Lying:
    corners = field.table.camera.to_mm(one.corners, spot.top_mm)
    x, y = corners.mean(axis=0)
    along = corners[1] - corners[0] + corners[2] - corners[3]
    turn = math.degrees(math.atan2(along[1], along[0])) % 360
    ranked = domino_reading.ranked(one) if face == "up" else ((None, 1.0),)
    read = Read(kind, face, ranked, there, one.corners, turn, visible=one.visible)
    return read, OnTable(float(x), float(y), turn)
