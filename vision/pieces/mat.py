"""The mat way of looking: with four markers in the picture, pieces have a size and a place in millimetres."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from calibration import aruco
from calibration.camera_errors import CalibrationError
from calibration.joint import LensKnowledge
from calibration.mats import CORNER_IDS, MARKER_MM
from calibration.profiles import UNKNOWN_CAMERA
from calibration.table_finder import Table, find_table
from vision.pieces import finder
from vision.pieces.finder import USUAL_MM, Spotted
from vision.pieces.patches import Floats, Picture
from vision.pieces.piece_read import Read

TOP_MM = {"domino": 10.0, "wall": 24.0, "coin": 3.0, "die": 15.0, "pawn": 21.0, "soldier": 30.0, "tile": 6.4}
"""How high above the table the side lies that is seen from above, where no profile says better."""
_SIZES_MM = {"domino": (34.0, 64.0), "coin": (12.0, 28.0), "die": (7.0, 27.0), "pawn": (8.0, 24.0),
             "soldier": (12.0, 40.0), "tile": (38.0, 64.0)}  # fmt: skip
_SOLID_MM = {kind: USUAL_MM[kind] for kind in ("die", "pawn", "soldier")}
"""How wide a piece is that cannot lie across another."""
_CARD = 1.2
"""So much farther than its black square a marker's card reaches, whose white rim looks like a wall."""
_APART = 0.7
_BEST_PX_A_MM = 1.3
"""How large the finder likes to see the table."""
_QUICK_PX = 1600


@dataclass(frozen=True)
class OnTable:
    """Where a piece lies on the table."""

    x_mm: float
    y_mm: float
    angle_deg: float
    """Counter-clockwise from the table's x axis, as layouts have it."""


def table_in(
    picture: Picture, lens: LensKnowledge | None = None, marker_mm: float = MARKER_MM
) -> Table | None:
    """The table that the markers of a picture, printed at that size, tell of, or None."""
    rows, columns = picture.shape[:2]
    grey: aruco.Grey = np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), dtype=np.uint8)
    if lens is None and not _markers_in(grey):
        return None
    try:
        known = lens or UNKNOWN_CAMERA.knowledge((columns, rows))
        return find_table([grey], known, side_mm=marker_mm)
    except (CalibrationError, np.linalg.LinAlgError):
        return None


def _markers_in(grey: aruco.Grey) -> bool:
    """Whether a quick look shows two corner markers or more; most photos of kitchen tables have none."""
    shrink = max(1.0, max(grey.shape) / _QUICK_PX)
    size = (max(1, round(grey.shape[1] / shrink)), max(1, round(grey.shape[0] / shrink)))
    small: aruco.Grey = np.asarray(cv2.resize(grey, size, interpolation=cv2.INTER_AREA), dtype=np.uint8)
    return sum(number in CORNER_IDS for number, _ in aruco.detect(small)) >= 2


def scale_for(table: Table) -> float:
    """How much smaller the finder should look at this table's pictures."""
    return min(1.0, _BEST_PX_A_MM * table.camera.mm_per_px())


def spotted(picture: Picture, table: Table) -> list[Spotted]:
    """What the finder sees in a picture of this table, or in a part of one."""
    return finder.find(picture, [scale_for(table)], 1 / table.camera.mm_per_px(), keen=True)


def height_of(piece: Read) -> float:
    """How high its visible side lies, above what it lies on."""
    return TOP_MM["wall" if piece.face == "edge" else piece.kind]


def of_a_size(pieces: Sequence[Read], table: Table) -> list[Read]:
    """Without what has no size that such a piece can have, and without the markers themselves."""
    if not pieces:
        return []
    corners = corners_mm(pieces, table)
    sides = _longest(corners)
    limits = [_SIZES_MM[one.kind] for one in pieces]
    middles = corners[:, :, :2].mean(axis=1)
    printed = [place.corners_mm for place in table.markers]
    cards = [square.mean(axis=0) + _CARD * (square - square.mean(axis=0)) for square in printed]
    flat = table.camera.to_mm(np.array([one.middle for one in pieces]))
    return [
        one
        for one, side, (low, high), middle, below in zip(pieces, sides, limits, middles, flat, strict=True)
        if low <= side <= high
        and not any(_covers(marker, middle) for marker in printed)
        and not (one.face == "edge" and any(_covers(card, below) for card in cards))
    ]


def longest_mm(pieces: Sequence[Read], table: Table) -> Floats:
    """How long the longest side of each piece is, at its height above the table."""
    return _longest(corners_mm(pieces, table))


def corners_mm(pieces: Sequence[Read], table: Table) -> Floats:
    """Where the corners of each piece (n×4×2) lie above the table."""
    heights = np.array([height_of(one) for one in pieces])
    return table.camera.to_mm(np.array([one.corners for one in pieces]), heights[:, None])


def _longest(corners: Floats) -> Floats:
    return np.asarray(np.linalg.norm(corners - np.roll(corners, 1, axis=1), axis=2).max(axis=1))


def none_twice(pieces: Sequence[Read], table: Table) -> list[Read]:
    """Without what stands where another of its kind does: a pawn's head and its foot are one pawn."""
    kept: list[Read] = []
    density = 1 / table.camera.mm_per_px()
    for one in sorted(pieces, key=lambda p: -p.there):
        reach = _APART * _SOLID_MM.get(one.kind, 0.0) * density
        if not reach or not any(o.kind == one.kind and math.dist(o.middle, one.middle) < reach for o in kept):
            kept.append(one)
    return kept


def _covers(marker: Floats, point: Floats) -> bool:
    """Whether a point lies on a marker."""
    middle = marker.mean(axis=0)
    return bool(np.linalg.norm(point - middle) < np.linalg.norm(marker[0] - middle))


def standing(pieces: Sequence[Read], table: Table, piled_mm: Sequence[float] = ()) -> list[OnTable]:
    """Where all pieces lie; soldiers, pawns, coins, dice and walls may stand on a domino or a tile.

    ``piled_mm`` says how much higher each lies as it lies on others of its kind, where that is known.
    """
    if not pieces:
        return []
    flat = _placed(pieces, table, np.zeros(len(pieces)))
    below = [
        (other, at)
        for other, at in zip(pieces, flat, strict=True)
        if other.kind == "tile" or (other.kind == "domino" and other.face != "edge")
    ]
    lifted = [
        max((_under(one, place, other, at) for other, at in below), default=0.0)
        for one, place in zip(pieces, flat, strict=True)
    ]
    if piled_mm:
        lifted = [below + own for below, own in zip(lifted, piled_mm, strict=True)]
    return _placed(pieces, table, np.array(lifted)) if any(lifted) else flat


def _placed(pieces: Sequence[Read], table: Table, on_mm: Floats) -> list[OnTable]:
    """Where pieces lie that stand on something so high."""
    heights = np.array([height_of(one) for one in pieces]) + on_mm
    points = np.array([(one.middle, _ahead(one)) for one in pieces])
    middles, aheads = np.moveaxis(table.camera.to_mm(points, heights[:, None]), 1, 0)
    turns = np.degrees(np.arctan2(*(aheads - middles).T[::-1])) % 360
    return [OnTable(float(x), float(y), float(a)) for (x, y), a in zip(middles, turns, strict=True)]


def _ahead(piece: Read) -> Floats:
    """A point of the picture that lies ahead of the middle of a piece."""
    if piece.kind in ("domino", "wall"):
        return np.asarray((piece.corners[1] + piece.corners[2]) / 2)
    turn = math.radians(piece.angle_deg)
    return np.asarray(piece.middle + np.array([math.cos(turn), -math.sin(turn)]) * piece.length / 2)


def _under(one: Read, place: OnTable, other: Read, at: OnTable) -> float:
    """How high ``other`` lifts what lies at ``place``."""
    if other is one or one.kind == "tile" or (one.kind == other.kind and one.face != "edge"):
        return 0.0
    long, wide = (25.4, 25.4) if other.kind == "tile" else (24.0, 12.0)
    turn = math.radians(at.angle_deg)
    dx, dy = place.x_mm - at.x_mm, place.y_mm - at.y_mm
    along, across = dx * math.cos(turn) + dy * math.sin(turn), dy * math.cos(turn) - dx * math.sin(turn)
    inside = abs(along) < long + 2 and abs(across) < wide + 2
    return TOP_MM[other.kind] if inside else 0.0


def renamed(piece: Read, place: OnTable) -> Read:
    """The piece as the table knows it: a domino on its edge is a wall, and a soldier faces somewhere."""
    if piece.kind == "domino" and piece.face == "edge":
        return replace(piece, kind="wall")
    if piece.kind != "soldier":
        return piece
    ranked = tuple(({**(v or {}), "facing_deg": round(place.angle_deg, 1)}, p) for v, p in piece.ranked)
    return replace(piece, ranked=ranked)
