"""A reading as ``pipwatch read --json`` tells it: the keys are a contract, others may join them."""

from collections.abc import Mapping
from typing import Any

from calibration.table_finder import Table
from vision.photos import hidden
from vision.photos.armies import armies
from vision.photos.picture_reading import PhotoReadout
from vision.photos.stacks import Stack
from vision.pieces.marker_size import OtherSize
from vision.pieces.mat import OnTable
from vision.pieces.patches import Floats
from vision.pieces.piece_read import Read
from vision.pieces.sureness import sure


def as_json(reading: PhotoReadout, image: str) -> dict[str, Any]:
    """The object that is printed for one image."""
    nothing = (None,) * len(reading.pieces)
    places, stacks = reading.places or nothing, reading.stacks or nothing
    each = zip(reading.pieces, places, stacks, armies(reading.pieces), strict=True)
    return {
        "image": image,
        "size": list(reading.size),
        "table": None if reading.table is None else _table(reading.table, reading.other_size),
        "pieces": [_piece(*one) for one in each],
        "hidden": [_points(outline) for outline in hidden.outlines(reading)],
        "ms": {name: round(value, 1) for name, value in reading.ms.items()},
    }


def _table(table: Table, other: OtherSize | None) -> dict[str, Any]:
    """What was measured, and only where the pieces contradict it another size of the markers."""
    plain = {
        "markers": sorted(place.number for place in table.markers),
        "mm_per_px": round(table.camera.mm_per_px(), 4),
        "rms_px": round(table.rms_px, 3),
    }
    return plain if other is None else {**plain, "likely_marker_mm": other.marker_mm}


def _piece(one: Read, place: OnTable | None, stack: Stack | None, army: str | None) -> dict[str, Any]:
    x, y = one.middle
    plain = {
        "kind": one.kind,
        "face": one.face,
        "value": _value(one.value, army),
        "centre_px": [round(float(x), 1), round(float(y), 1)],
        "corners_px": None if one.kind in ("coin", "pawn") else _points(one.corners),
        "centre_mm": None if place is None else [round(place.x_mm, 2), round(place.y_mm, 2)],
        "angle_deg": round(one.angle_deg if place is None else place.angle_deg, 1) % 360,
        "confidence": round(one.confidence, 4),
        "sure": sure(one),
        "visible": round(one.visible, 2),
        "alternatives": [
            {"value": _value(v), "confidence": round(p * one.there, 4)} for v, p in one.ranked[1:]
        ],
    }
    if one.kind == "soldier":
        return {**plain, "side": None if one.owner is None else one.owner + 1}
    return {**plain, "stack": None if stack is None else _stack(stack)} if one.kind == "coin" else plain


def _stack(stack: Stack) -> dict[str, Any]:
    return {
        "coins": stack.coins,
        "confidence": round(stack.confidence, 4),
        "several": round(stack.several, 4),
    }


def _points(outline: Floats) -> list[list[float]]:
    return [[round(float(v), 1) for v in point] for point in outline]


def _value(value: Mapping[str, Any] | None, army: str | None = None) -> dict[str, Any] | None:
    """A value as programs are told it: a die without crosses has none of them, and a soldier has his army."""
    if value is None:
        return None
    plain = {k: 0 if k == "crosses" and v is None else v for k, v in value.items()}
    return {**plain, "army": army} if army is not None else plain
