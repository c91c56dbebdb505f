"""The mat way of looking: with four markers in the picture, pieces have a size and a place in millimetres."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

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
_LAID = {"domino": (24.0, 12.0), "tile": (25.4, 25.4)}
"""Half the length and the width of what other pieces stand on."""
_ASTRAY_MM = 2.0
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
    flat = table.camera.to_mm(np.array([one.middle for one in pieces]))
    on_marker, on_card = _covered(table, middles, 1.0), _covered(table, flat, _CARD)
    return [
        one
        for k, (one, side, (low, high)) in enumerate(zip(pieces, sides, limits, strict=True))
        if low <= side <= high and not on_marker[k] and not (one.face == "edge" and on_card[k])
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


def _covered(table: Table, points: Floats, share: float) -> NDArray[np.bool_]:
    """Whether each point (n×2 mm) lies on a marker, or so much farther from its middle."""
    if not table.markers:
        return np.zeros(len(points), bool)
    squares = np.stack([place.corners_mm for place in table.markers])
    middles = squares.mean(axis=1)
    reach = share * np.linalg.norm(squares[:, 0] - middles, axis=1)
    away = np.linalg.norm(points[:, None] - middles[None], axis=2)
    return np.asarray((away < reach).any(axis=1))


def standing(pieces: Sequence[Read], table: Table, piled_mm: Sequence[float] = ()) -> list[OnTable]:
    """Where all pieces lie; soldiers, pawns, coins, dice and walls may stand on a domino or a tile.

    ``piled_mm`` says how much higher each lies as it lies on others of its kind, where that is known.
    """
    if not pieces:
        return []
    flat = _placed(pieces, table, np.zeros(len(pieces)))
    lifted = _lifted(pieces, flat)
    if piled_mm:
        lifted = lifted + np.array(piled_mm)
    return _placed(pieces, table, lifted) if lifted.any() else flat


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


def _lifted(pieces: Sequence[Read], flat: Sequence[OnTable]) -> Floats:
    """How high each of the pieces stands on a domino or a tile."""
    below = [k for k, one in enumerate(pieces) if _carries(one)]
    if not below:
        return np.zeros(len(pieces))
    lying = np.array([(at.x_mm, at.y_mm, at.angle_deg) for at in flat])
    x, y, turns = lying[below].T
    cosine, sine = np.cos(np.radians(turns)), np.sin(np.radians(turns))
    kinds = np.array([one.kind for one in pieces])
    half = np.array([_LAID[pieces[k].kind] for k in below]) + _ASTRAY_MM
    dx, dy = lying[:, :1] - x, lying[:, 1:2] - y
    on = (abs(dx * cosine + dy * sine) < half[:, 0]) & (abs(dy * cosine - dx * sine) < half[:, 1])
    on[below] &= kinds[below][:, None] != kinds[below]  # nothing stands on its like, or on itself
    on[kinds == "tile"] = False
    tops = np.array([TOP_MM[pieces[k].kind] for k in below])
    return np.asarray(np.where(on, tops, 0.0).max(axis=1))


def _carries(one: Read) -> bool:
    """Whether others may stand on it: on a wall nothing does."""
    return one.kind in _LAID and one.face != "edge"


def renamed(piece: Read, place: OnTable) -> Read:
    """The piece as the table knows it: a domino on its edge is a wall, and a soldier faces somewhere."""
    if piece.kind == "domino" and piece.face == "edge":
        return replace(piece, kind="wall")
    if piece.kind != "soldier":
        return piece
    ranked = tuple(({**(v or {}), "facing_deg": round(place.angle_deg, 1)}, p) for v, p in piece.ranked)
    return replace(piece, ranked=ranked)
