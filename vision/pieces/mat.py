"""The mat way of looking: with four markers in the picture, pieces have a size and a place in millimetres."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from calibration import aruco
from calibration.errors import CalibrationError
from calibration.joint import LensKnowledge
from calibration.mats import CORNER_IDS
from calibration.profiles import UNKNOWN_CAMERA
from calibration.table import Table, find_table
from vision.pieces.patches import Floats, Picture
from vision.pieces.tidy import Read

TOP_MM = {"domino": 10.0, "wall": 24.0, "coin": 3.0, "die": 15.0, "pawn": 21.0, "soldier": 36.0, "tile": 6.4}
"""How high above the table the side lies that is seen from above, where no profile says better."""
_SIZES_MM = {"domino": (34.0, 64.0), "coin": (12.0, 28.0), "die": (7.0, 27.0), "pawn": (8.0, 24.0),
             "soldier": (12.0, 40.0), "tile": (38.0, 64.0)}  # fmt: skip
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


def table_in(picture: Picture, lens: LensKnowledge | None = None) -> Table | None:
    """The table that the markers of a picture tell of, or None."""
    rows, columns = picture.shape[:2]
    grey: aruco.Grey = np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), dtype=np.uint8)
    if lens is None and not _markers_in(grey):
        return None
    try:
        return find_table([grey], lens or UNKNOWN_CAMERA.knowledge((columns, rows)))
    except (CalibrationError, np.linalg.LinAlgError):
        return None


def _markers_in(grey: aruco.Grey) -> bool:
    """Whether a quick look shows two corner markers or more; most photos of kitchen tables have none."""
    shrink = max(1.0, max(grey.shape) / _QUICK_PX)
    size = (round(grey.shape[1] / shrink), round(grey.shape[0] / shrink))
    small: aruco.Grey = np.asarray(cv2.resize(grey, size, interpolation=cv2.INTER_AREA), dtype=np.uint8)
    return sum(number in CORNER_IDS for number, _ in aruco.detect(small)) >= 2


def scale_for(table: Table) -> float:
    """How much smaller the finder should look at this table's pictures."""
    return min(1.0, _BEST_PX_A_MM * table.camera.mm_per_px())


def sits_well(piece: Read, table: Table) -> bool:
    """Whether a piece has a size that such a piece can have."""
    low, high = _SIZES_MM[piece.kind]
    height = height_of(piece)
    corners = table.camera.to_mm(piece.corners, height)
    sides = np.linalg.norm(corners - np.roll(corners, 1, axis=0), axis=1)
    return low <= float(sides.max()) <= high


def height_of(piece: Read) -> float:
    """How high its visible side lies, above what it lies on."""
    return TOP_MM["wall" if piece.face == "edge" else piece.kind]


def placed(piece: Read, table: Table, on_mm: float = 0.0) -> OnTable:
    """Where a piece lies, standing on something ``on_mm`` high."""
    height = height_of(piece) + on_mm
    middle, ahead = _points(piece, table, height)
    along = ahead - middle
    return OnTable(float(middle[0]), float(middle[1]), math.degrees(math.atan2(along[1], along[0])) % 360)


def _points(piece: Read, table: Table, height: float) -> tuple[Floats, Floats]:
    """The middle of a piece, and a point that lies ahead of it, in millimetres."""
    if piece.kind in ("domino", "wall"):
        ahead = (piece.corners[1] + piece.corners[2]) / 2
    else:
        turn = math.radians(piece.angle_deg)
        ahead = piece.middle + np.array([math.cos(turn), -math.sin(turn)]) * piece.length / 2
    both = table.camera.to_mm(np.array([piece.middle, ahead]), height)
    return both[0], both[1]


def of_a_size(pieces: Sequence[Read], table: Table) -> list[Read]:
    """Without what has no size that such a piece can have."""
    return [one for one in pieces if sits_well(one, table)]


def standing(pieces: Sequence[Read], table: Table) -> list[OnTable]:
    """Where all pieces lie; soldiers, pawns, coins and dice may stand on a domino or a tile."""
    flat = [placed(one, table) for one in pieces]
    out = []
    for one, place in zip(pieces, flat, strict=True):
        under = 0.0
        if one.kind in ("soldier", "pawn", "coin", "die", "domino"):
            under = max(
                (_under(one, place, other, at) for other, at in zip(pieces, flat, strict=True)), default=0.0
            )
        out.append(placed(one, table, under) if under else place)
    return out


def _under(one: Read, place: OnTable, other: Read, at: OnTable) -> float:
    """How high ``other`` lifts what lies at ``place``."""
    if (
        other.kind not in ("domino", "tile")
        or other is one
        or (one.kind == "domino" and other.kind == "domino")
    ):
        return 0.0
    if other.kind == "domino" and other.face == "edge":
        return 0.0
    long, wide = (25.4, 25.4) if other.kind == "tile" else (24.0, 12.0)
    turn = math.radians(at.angle_deg)
    dx, dy = place.x_mm - at.x_mm, place.y_mm - at.y_mm
    along, across = dx * math.cos(turn) + dy * math.sin(turn), dy * math.cos(turn) - dx * math.sin(turn)
    inside = abs(along) < long + 2 and abs(across) < wide + 2
    return TOP_MM[other.kind] if inside else 0.0


def renamed(piece: Read, place: OnTable) -> Read:
    """The piece with its angle on the table, where its value tells one."""
    if piece.kind != "soldier":
        return piece
    ranked = tuple(({**(v or {}), "facing_deg": round(place.angle_deg, 1)}, p) for v, p in piece.ranked)
    return replace(piece, ranked=ranked)
