"""From a picture to what lies in it: find, read, tidy; with markers in millimetres too."""

import math
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from calibration.table import Table
from vision.pieces import (
    agreement,
    board,
    company,
    dice,
    dominoes,
    finder,
    heads,
    hidden_halves,
    mat,
    rows,
    scale,
    small,
)  # fmt: skip
from vision.pieces.expecting import Expecting
from vision.pieces.finder import Spotted
from vision.pieces.ink import with_inks
from vision.pieces.lattice import in_step
from vision.pieces.looks import renamed
from vision.pieces.mat import OnTable
from vision.pieces.one_of_each import suits_shared_out
from vision.pieces.one_set import of_one_set
from vision.pieces.patches import Picture, body_colour, rim_contrast
from vision.pieces.sureness import sure
from vision.pieces.tidy import Read, apart, tidied

_LEAST_THERE = 0.5
_LEAST_PLAIN = 0.3
_ALTERNATIVES = 3


@dataclass(frozen=True)
class Reading:
    """Everything read in one picture."""

    size: tuple[int, int]
    pieces: tuple[Read, ...]
    ms: Mapping[str, float]
    table: Table | None = None
    places: tuple[OnTable, ...] = ()
    """Where each piece lies on the table, where there is a table."""
    alone: tuple[Read, ...] = ()
    """What was read of each piece by itself, before the readings were made to agree."""

    def as_json(self, image: str) -> dict[str, Any]:
        """The object that ``pipwatch read --json`` prints."""
        return {
            "image": image,
            "size": list(self.size),
            "table": None if self.table is None else _table_json(self.table),
            "pieces": [
                _as_json(one, self.places[k] if self.places else None) for k, one in enumerate(self.pieces)
            ],
            "hidden": [],
            "ms": {name: round(value, 1) for name, value in self.ms.items()},
        }


def read_picture(
    picture: Picture,
    set_name: str | None = None,
    table: Table | None = None,
    expecting: Expecting | None = None,
) -> Reading:
    """What lies in a picture of any table; with a table, or markers that tell of one, in millimetres too.

    ``expecting`` says what a game has, where one is played on that table.
    """
    start = time.perf_counter()
    table = table or mat.table_in(picture)
    known = time.perf_counter()
    spotted = _spotted(picture, table)
    found = time.perf_counter()
    pieces = _by_itself(picture, spotted, table, expecting)
    read = time.perf_counter()
    size = (picture.shape[1], picture.shape[0])
    reading = agreed(size, pieces, set_name, table)
    if table is not None and (spots := rows.lacking(reading.pieces, table)):
        pieces += mat.of_a_size(read_dominoes(picture, spots, expecting=expecting), table)
        reading = agreed(size, pieces, set_name, table)
    end = time.perf_counter()
    times = {"table": known - start, "find": found - known, "read": read - found, "total": end - start}
    ms = {name: 1e3 * seconds for name, seconds in times.items()}
    return replace(reading, ms=ms, alone=tuple(pieces))


def read_alone(picture: Picture, table: Table) -> list[Read]:
    """What lies on a table, each piece read by itself."""
    return _by_itself(picture, _spotted(picture, table), table, None)


def _spotted(picture: Picture, table: Table | None) -> list[Spotted]:
    if table is None:
        return finder.find(picture)
    return finder.find(picture, [mat.scale_for(table)], 1 / table.camera.mm_per_px(), keen=True)


def _by_itself(
    picture: Picture, spotted: Sequence[Spotted], table: Table | None, expecting: Expecting | None
) -> list[Read]:
    pieces = read_spotted(picture, spotted, expecting=expecting, covers=table is None)
    if table is None:
        return pieces
    return heads.found(picture, board.completed(picture, mat.of_a_size(pieces, table), table), table)


def read_spotted(
    picture: Picture,
    spotted: Sequence[Spotted],
    *,
    quick: bool = False,
    expecting: Expecting | None = None,
    covers: bool = False,
) -> list[Read]:
    """What was spotted, each piece by the reader of its kind; ``covers`` as for ``read_dominoes``."""
    long = [one for one in spotted if one.kind not in finder.SQUARE]
    square = [one for one in spotted if one.kind in finder.SQUARE]
    pieces = [
        *read_dominoes(picture, long, quick=quick, expecting=expecting, covers=covers),
        *read_small(picture, square, quick=quick, expecting=expecting),
    ]
    looks = None if expecting is None else expecting.looks
    return pieces if looks is None else renamed(picture, pieces, looks)


def agreed(
    size: tuple[int, int], pieces: Sequence[Read], set_name: str | None = None, table: Table | None = None
) -> Reading:
    """Single readings as one that holds together, with places where there is a table."""
    if table is None:
        pieces = scale.in_company(tidied(scale.of_one_scale(apart(pieces)), set_name))
    else:
        kept, before = gathered(pieces, table, set_name)
        pieces = [one for one in company.believed(kept, before, table) if not _is_a_plank(one)]
    pieces = sorted(pieces, key=_line_by_line)
    places: list[OnTable] = []
    if table is not None:
        places = mat.standing(pieces, table)
        pieces = [mat.renamed(one, place) for one, place in zip(pieces, places, strict=True)]
    return Reading(size, tuple(pieces), {}, table, tuple(places))


def gathered(
    pieces: Sequence[Read], table: Table, set_name: str | None = None
) -> tuple[list[Read], list[Read]]:
    """What of these readings can lie on one table together, and what they were chosen from."""
    before = in_step(mat.none_twice(mat.of_a_size(pieces, table), table), table)
    return tidied(before, set_name, measured=True), before


def _is_a_plank(one: Read) -> bool:
    """Whether something plain is rather a part of the table."""
    return one.value is None and one.confidence < _LEAST_PLAIN


def _line_by_line(one: Read) -> tuple[int, float]:
    """The order in which people read a table: from above, and from the left."""
    return round(float(one.middle[1]) / max(1.0, one.length)), float(one.middle[0])


def read_dominoes(
    picture: Picture,
    spotted: Sequence[Spotted],
    *,
    quick: bool = False,
    expecting: Expecting | None = None,
    covers: bool = False,
) -> list[Read]:
    """The dominoes among what was spotted; where ``covers`` may lie on them, plain halves are seen again.

    On a measured table nobody asks that: what covers it is a hand, which the gate sees, or a man on his tile.
    """
    out = []
    each = dominoes.read(picture, [s.corners for s in spotted], quick=quick)
    looked = agreement.with_counts(picture, each)
    if covers:
        looked = hidden_halves.doubted(picture, looked)
    if expecting is not None:
        looked = expecting.dominoes(looked)
    for spot, seen in zip(spotted, looked, strict=True):
        faces = dict(zip(dominoes.FACES, (float(p) for p in seen.faces), strict=True))
        face = max(("up", "down", "edge"), key=lambda name: faces[name])
        if 1 - faces["none"] < _LEAST_THERE:
            continue
        ranked: list[tuple[Mapping[str, Any] | None, float]] = [(None, 1.0)]
        if face == "up":
            both = np.outer(seen.first, seen.second)
            best = np.argsort(-both, axis=None)[: _ALTERNATIVES + 1]
            pairs = [divmod(int(k), dominoes.PIPS) for k in best]
            ranked = [({"pips": [a, b]}, float(both[a, b])) for a, b in pairs]
        along = seen.corners[1] - seen.corners[0] + seen.corners[2] - seen.corners[3]
        angle = math.degrees(math.atan2(-along[1], along[0])) % 360
        out.append(
            Read(
                "domino", face, tuple(ranked), faces[face], seen.corners, angle, visible=seen.visible,
                colour=body_colour(picture, seen.corners), spotted=spot.score,
                rim=rim_contrast(picture, seen.corners),
            )
        )  # fmt: skip
    return out


def read_small(
    picture: Picture, spotted: Sequence[Spotted], *, quick: bool = False, expecting: Expecting | None = None
) -> list[Read]:
    """The coins, dice, pawns, soldiers and tiles among what was spotted."""
    out = []
    looks = small.read(picture, spotted, quick=quick)
    # A game weighs doubtful faces with what follows: there a closer look that errs more surely does harm.
    looks = dice.looked_at(picture, looks) if expecting is None else expecting.again(picture, looks)
    alone = of_one_set(looks)
    counted = agreement.with_counts_of_dice(picture, alone)
    compared = agreement.with_discs(picture, counted, [one.kind == "soldier" for one in spotted])
    if expecting is not None:
        compared = expecting.small(compared)
        if expecting.looks is None:  # else the suits of the coins are not yet those of their own set
            compared = with_inks(picture, compared)
    for seen, spot in zip(suits_shared_out(compared), spotted, strict=True):
        kinds = dict(zip(small.CHOICES["kind"], (float(p) for p in seen.choices["kind"]), strict=True))
        kind = max((k for k in kinds if k != "none"), key=lambda name: kinds[name])
        if kinds[kind] < _LEAST_THERE:
            continue
        ranked = small.ranked(seen, kind)[: _ALTERNATIVES + 1]
        value = ranked[0][0] or {}
        face = "down" if kind == "tile" or (kind == "coin" and value.get("suit")) else "up"
        if kind == "soldier":
            facing = round(-seen.angle_deg % 360, 1)
            ranked = [({**(v or {}), "facing_deg": facing}, p) for v, p in ranked]
        owner = int(np.argmax(seen.choices["owner"])) if kind == "soldier" else None
        turn = -seen.angle_deg % 360
        colour = body_colour(picture, seen.corners) if kind == "tile" else None
        out.append(
            Read(
                kind, face, tuple(ranked), kinds[kind], seen.corners, turn, owner, seen.visible,
                colour, spotted=spot.score, flat=seen.flat > dice.FLAT,
            )
        )  # fmt: skip
    return out


def _table_json(table: Table) -> dict[str, Any]:
    return {
        "markers": sorted(place.number for place in table.markers),
        "mm_per_px": round(table.camera.mm_per_px(), 4),
        "rms_px": round(table.rms_px, 3),
    }


def _as_json(one: Read, place: OnTable | None) -> dict[str, Any]:
    x, y = one.middle
    return {
        "kind": one.kind,
        "face": one.face,
        "value": _told(one.value),
        "centre_px": [round(float(x), 1), round(float(y), 1)],
        "corners_px": None
        if one.kind in ("coin", "pawn")
        else [[round(float(v), 1) for v in p] for p in one.corners],
        "centre_mm": None if place is None else [round(place.x_mm, 2), round(place.y_mm, 2)],
        "angle_deg": round(one.angle_deg if place is None else place.angle_deg, 1),
        "confidence": round(one.confidence, 4),
        "sure": sure(one),
        "visible": round(one.visible, 2),
        "alternatives": [
            {"value": _told(v), "confidence": round(p * one.there, 4)} for v, p in one.ranked[1:]
        ],
    }


def _told(value: Mapping[str, Any] | None) -> dict[str, Any] | None:
    """A value as programs are told it: a die without crosses has none of them."""
    return None if value is None else {k: 0 if k == "crosses" and v is None else v for k, v in value.items()}
