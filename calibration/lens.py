"""The lens of a camera: from pictures of the lens board, guided; or from pictures of the table's markers."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from calibration.aruco import Grey
from calibration.camera import Floats, Lens
from calibration.camera_errors import LensShotsMissing, ResolutionChanged
from calibration.follow import measured
from calibration.joint import LensKnowledge
from calibration.lens_board import BoardShot
from calibration.mats import MARKER_MM
from calibration.table_finder import Table, find_table, refine

LEAST_SHOTS = 6
_ENOUGH_SHOTS = 10
_GRID = (4, 3)
_CELL_NAMES = (
    ("far upper left", "upper middle left", "upper middle right", "far upper right"),
    ("left edge", "middle left", "middle right", "right edge"),
    ("far lower left", "lower middle left", "lower middle right", "far lower right"),
)
_TILTED = 0.12
_NEW_SHARE = 0.04
_WIDE_DEG = 80.0


@dataclass(frozen=True)
class LensFit:
    """A lens, and how well it explains the pictures it was made from."""

    lens: Lens
    rms_px: float
    focal_doubt: float
    """Standard deviation of the focal length as a share of it."""
    shots: int


@dataclass(frozen=True)
class Coverage:
    """How well the shots so far cover what a lens calibration needs."""

    counts: tuple[tuple[int, ...], ...]
    """Corners seen in each cell of a grid over the picture, rows from the top."""
    tilted: int
    """How many shots show the board aslant."""
    shots: int

    @property
    def missing(self) -> tuple[str, ...]:
        """The parts of the picture where the board has not been yet."""
        cells = [
            (count, _CELL_NAMES[row][column])
            for row, counts in enumerate(self.counts)
            for column, count in enumerate(counts)
        ]
        return tuple(name for count, name in cells if count < 3)

    @property
    def is_enough(self) -> bool:
        """Whether the lens can be made with confidence."""
        return not self.missing and self.tilted >= 4 and self.shots >= _ENOUGH_SHOTS

    @property
    def advice(self) -> str:
        """What to do next, in one sentence."""
        if self.missing:
            return f"hold the board so that it covers the {self.missing[0]} of the picture"
        if self.tilted < 4:
            return "hold the board aslant, a different edge nearer to the camera each time"
        if self.shots < _ENOUGH_SHOTS:
            return f"take {_ENOUGH_SHOTS - self.shots} more pictures, nearer and farther away"
        return "enough: the lens can be calibrated"


def coverage(shots: Sequence[BoardShot]) -> Coverage:
    """What the shots cover."""
    counts = np.zeros((_GRID[1], _GRID[0]), dtype=int)
    for shot in shots:
        cell = np.floor(shot.seen_px / np.array(shot.size_px) * _GRID).astype(int)
        np.add.at(counts, (np.clip(cell[:, 1], 0, _GRID[1] - 1), np.clip(cell[:, 0], 0, _GRID[0] - 1)), 1)
    tilted = sum(_slant(shot) > _TILTED for shot in shots)
    return Coverage(tuple(tuple(int(n) for n in row) for row in counts), tilted, len(shots))


def is_new(shot: BoardShot, shots: Sequence[BoardShot]) -> bool:
    """Whether a shot shows the board elsewhere or otherwise than all before."""
    here = shot.outline_px
    apart = [float(np.abs(here - other.outline_px).mean()) for other in shots]
    return not apart or min(apart) > _NEW_SHARE * shot.size_px[0]


def lens_from_board(shots: Sequence[BoardShot]) -> LensFit:
    """The lens that explains the shots of the lens board best."""
    if len(shots) < LEAST_SHOTS:
        raise LensShotsMissing(
            f"{len(shots)} usable pictures of the lens board are too few: take at least {LEAST_SHOTS}, "
            "from different sides, and let the board reach every corner of the picture"
        )
    size = shots[0].size_px
    for shot in shots:
        if shot.size_px != size:
            raise ResolutionChanged(shot.size_px, size)
    flags = cv2.CALIB_FIX_ASPECT_RATIO | cv2.CALIB_USE_INTRINSIC_GUESS
    guess = Lens.from_field_of_view(size, 65.0)
    first = _calibrate(shots, guess, flags | cv2.CALIB_FIX_K3)
    if first.lens.horizontal_deg < _WIDE_DEG:
        return first
    return _calibrate(shots, first.lens, flags)


def lens_from_markers(pictures: Sequence[Grey], guess: LensKnowledge, side_mm: float = MARKER_MM) -> LensFit:
    """The lens from pictures of the table's markers taken from different sides, the markers lying still."""
    tables = [find_table([picture], guess, side_mm=side_mm) for picture in pictures]
    common = set.intersection(*({place.number for place in table.markers} for table in tables))
    tables = [
        replace(table, markers=tuple(p for p in table.markers if p.number in common)) for table in tables
    ]
    for _ in range(3):
        first: Table = tables[0]
        shots = [
            (table.camera.pose, measured(picture, replace(table, markers=first.markers)))
            for table, picture in zip(tables, pictures, strict=True)
        ]
        tables = list(refine(shots, first, guess))
    found = tables[0]
    return LensFit(found.camera.lens, found.rms_px, found.focal_doubt, len(pictures))


def _calibrate(shots: Sequence[BoardShot], guess: Lens, flags: int) -> LensFit:
    (fx, fy), (cx, cy) = guess.focal_px, guess.centre_px
    matrix = np.array([[fx, 0, cx], [0, fy, cy], [0, 0, 1]])
    flat = [np.column_stack([s.board_mm, np.zeros(len(s.board_mm))]).astype(np.float32) for s in shots]
    seen = [s.seen_px.astype(np.float32).reshape(-1, 1, 2) for s in shots]
    rms, matrix, bent, _, _, spread, _, _ = cv2.calibrateCameraExtended(
        flat, seen, guess.size_px, matrix, np.array(guess.distortion), flags=flags
    )
    k1, k2, p1, p2, k3 = (float(v) for v in np.asarray(bent).ravel()[:5])
    lens = Lens(
        guess.size_px,
        (float(matrix[0, 0]), float(matrix[1, 1])),
        (float(matrix[0, 2]), float(matrix[1, 2])),
        (k1, k2, p1, p2, k3),
    )
    doubt = float(np.asarray(spread).ravel()[1]) / lens.focal_px[1]
    return LensFit(lens, float(rms), doubt, len(shots))


def _slant(shot: BoardShot) -> float:
    """How much nearer one edge of the board looks than the opposite one."""
    outline: Floats = shot.outline_px
    top, right, bottom, left = (float(np.linalg.norm(outline[(i + 1) % 4] - outline[i])) for i in range(4))
    return max(abs(top - bottom) / (top + bottom), abs(right - left) / (right + left)) * 2
