"""The lens board (a ChArUco board): a chequered sheet with markers in its white squares.

It is drawn and found here with the few things that all versions of OpenCV do alike, because their own boards
changed layout between 4.6 and 4.7: a sheet printed with one would be misread by the other.
"""

from dataclasses import dataclass

import cv2
import numpy as np

from calibration import aruco
from calibration.aruco import MARKER_CELLS, Grey
from calibration.camera import Floats
from calibration.mats import MarkerPlace

COLUMNS, ROWS = 9, 6
SQUARE_MM = 28.0
BOARD_MARKER_MM = 21.0
FIRST_ID = 23
"""The board's markers are 23 to 49, so that a board lying on the table is never taken for table markers."""

_LEAST_CORNERS = 12


@dataclass(frozen=True)
class BoardShot:
    """The inner corners of the lens board in one picture."""

    size_px: tuple[int, int]
    board_mm: Floats
    """n×2, the board's middle is the origin."""
    seen_px: Floats

    @property
    def outline_px(self) -> Floats:
        """Where the outermost inner corners of the board would lie in the picture (4×2)."""
        matrix, _ = cv2.findHomography(self.board_mm, self.seen_px)
        corners = np.array([(-1, 1), (1, 1), (1, -1), (-1, -1)]) * _reach()
        return np.asarray(cv2.perspectiveTransform(corners[None], matrix)[0], dtype=np.float64)


def _reach() -> Floats:
    return np.array([(COLUMNS / 2 - 1) * SQUARE_MM, (ROWS / 2 - 1) * SQUARE_MM])


def board_markers() -> tuple[MarkerPlace, ...]:
    """The markers of the board around its middle, in the white squares row by row."""
    places: list[MarkerPlace] = []
    for row in range(ROWS):
        for column in range(COLUMNS):
            if (row + column) % 2 == 1:
                x = (column - (COLUMNS - 1) / 2) * SQUARE_MM
                y = ((ROWS - 1) / 2 - row) * SQUARE_MM
                places.append(MarkerPlace(FIRST_ID + len(places), (x, y), 0.0, BOARD_MARKER_MM))
    return tuple(places)


def black_squares() -> list[tuple[float, float]]:
    """The middles of the black squares around the board's middle, in mm."""
    return [
        ((column - (COLUMNS - 1) / 2) * SQUARE_MM, ((ROWS - 1) / 2 - row) * SQUARE_MM)
        for row in range(ROWS)
        for column in range(COLUMNS)
        if (row + column) % 2 == 0
    ]


def find_board(grey: Grey) -> BoardShot | None:
    """The lens board in a picture, or None where fewer than twelve of its corners can be seen."""
    places = {place.number: place for place in board_markers()}
    found = {number: corners for number, corners in aruco.detect(grey) if number in places}
    nodes: dict[tuple[float, float], list[Floats]] = {}
    for number, corners in found.items():
        place = places[number]
        matrix = cv2.getPerspectiveTransform(place.corners_mm.astype(np.float32), corners.astype(np.float32))
        for dx, dy in ((-1, -1), (-1, 1), (1, -1), (1, 1)):
            x = place.centre_mm[0] + dx * SQUARE_MM / 2
            y = place.centre_mm[1] + dy * SQUARE_MM / 2
            if abs(x) < COLUMNS / 2 * SQUARE_MM - 1 and abs(y) < ROWS / 2 * SQUARE_MM - 1:
                at = cv2.perspectiveTransform(np.array([[[x, y]]]), matrix.astype(np.float64))[0, 0]
                nodes.setdefault((x, y), []).append(at)
    # A corner between two markers is where both say; a lone say is too far off to be refined safely.
    sure = {node: np.mean(says, axis=0) for node, says in nodes.items() if len(says) == 2}
    if len(sure) < _LEAST_CORNERS:
        return None
    cell = np.mean([np.linalg.norm(c[0] - c[1]) for c in found.values()]) / MARKER_CELLS
    return _refined(grey, sure, max(2, round(float(cell) * 0.8)))


def _refined(grey: Grey, sure: dict[tuple[float, float], Floats], reach: int) -> BoardShot | None:
    height, width = grey.shape
    start = np.array(list(sure.values()), dtype=np.float32).reshape(-1, 1, 2)
    criteria = (cv2.TERM_CRITERIA_EPS + cv2.TERM_CRITERIA_MAX_ITER, 40, 0.005)
    refined = cv2.cornerSubPix(grey, start.copy(), (reach, reach), (-1, -1), criteria)
    at = np.asarray(refined, dtype=np.float64).reshape(-1, 2)
    near = np.linalg.norm(at - start.reshape(-1, 2), axis=1) < reach
    inside = ((at > 1) & (at < np.array([width - 2, height - 2]))).all(axis=1)
    keep = near & inside
    if keep.sum() < _LEAST_CORNERS:
        return None
    return BoardShot((width, height), np.array(list(sure))[keep], at[keep])
