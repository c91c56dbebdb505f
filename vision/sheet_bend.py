"""How paper bends: squares moved off their plane, slowly from one to the next.

Boxes that were found say where their squares are; where print is seen but no box could be outlined, the form
that all squares share says it.
"""

import cv2
import numpy as np

from vision.sheet_cells import (
    CASTLE_INDEX,
    CELL_PX,
    COLUMNS,
    PITCH_PX,
    ROWS,
    Floats,
    Picture,
    Values,
    cells_of,
)

_REACH = 7
"""How far aside, in pixels of a cell, a form is looked for."""
_MARGIN = (CELL_PX - PITCH_PX) // 2
_LINE_PX, _LEAST_STEP = 2.5, 2
"""Half the width of a line, or of two lines with a gap, and the least step aside worth a look."""


def mesh() -> Floats:
    """The corners of the squares in squares: 6×8×2, from 0, 0 to 7, 5."""
    return np.stack(np.meshgrid(np.arange(COLUMNS + 1.0), np.arange(ROWS + 1.0)), axis=2)


def through(home: Floats, points: Floats) -> Floats:
    """Points of the plane of squares as they are seen."""
    flat = cv2.perspectiveTransform(np.asarray(points, np.float64).reshape(-1, 1, 2), home)
    return np.asarray(flat, dtype=np.float64).reshape(points.shape)


def bent(corners: Floats, index: Floats, spots: Floats) -> Floats:
    """The corners moved as smoothly as the boxes at these indices (column, row) are off their squares."""
    home, _ = cv2.findHomography(mesh().reshape(-1, 2), corners.reshape(-1, 2))
    off = spots - through(home, index + 0.5)
    side = float(np.linalg.norm(np.diff(corners, axis=1), axis=2).mean())
    terms, weights = _terms(index + 0.5), np.ones(len(index))
    for _ in range(4):
        # A weak pull to "not bent" keeps few boxes from bending a sheet where none is seen.
        scaled = terms * weights[:, None]
        pull = np.diag([0.02, 0.3, 0.3, 0.6, 0.6, 0.6, 1.0, 1.0])
        bend = np.linalg.solve(scaled.T @ terms + pull, scaled.T @ off)
        wrong = np.linalg.norm(off - terms @ bend, axis=1) / side
        weights = 1 / (1 + (wrong / 0.04) ** 2)
    moved = _terms(mesh().reshape(-1, 2)) @ bend
    return np.asarray(through(home, mesh()) + moved.reshape(corners.shape))


def _terms(places: Floats) -> Floats:
    """How paper bends: slowly, and less from top to bottom than along."""
    u, v = places[:, 0] / COLUMNS * 2 - 1, places[:, 1] / ROWS * 2 - 1
    return np.stack([np.ones_like(u), u, v, u * u, u * v, v * v, u * u * u, np.abs(u)], axis=1)


def settled(image: Picture, corners: Floats, *, rounds: int = 2) -> Floats:
    """The corners moved so that the printed form lies alike in all squares."""
    for _ in range(rounds):
        dark = cells_of(image, corners).dark
        others = np.delete(dark, CASTLE_INDEX, axis=0)
        form = cv2.GaussianBlur(np.median(others, axis=0).astype(np.float32), (0, 0), 0.8)
        middle = form[_REACH : CELL_PX - _REACH, _REACH : CELL_PX - _REACH]
        index, spots = [], []
        home, _ = cv2.findHomography(mesh().reshape(-1, 2), corners.reshape(-1, 2))
        for number, cell in enumerate(dark):
            if number == CASTLE_INDEX:
                continue
            alike = cv2.matchTemplate(np.ascontiguousarray(cell), middle, cv2.TM_CCOEFF_NORMED)
            _, best, _, (x, y) = cv2.minMaxLoc(alike)
            if best > 0.35 and 0 < x < 2 * _REACH and 0 < y < 2 * _REACH:
                index.append((number % COLUMNS, number // COLUMNS))
                spots.append(np.array([x - _REACH, y - _REACH]) / PITCH_PX)
        if len(index) < 14:
            return corners
        corners = _shifted(corners, home, np.array(index, dtype=np.float64), np.array(spots))
    return corners


def on_lines(corners: Floats, form: Values) -> Floats:
    """The corners moved to where the printed form has its lines: at the edges of squares.

    Circles and shields repeat as squares do, and may have been taken for them.
    """
    one = form[_MARGIN : _MARGIN + PITCH_PX, _MARGIN : _MARGIN + PITCH_PX]
    # A line is dark along all of its length, which a circle is nowhere.
    step = np.array([_line_at(np.percentile(one, 25, axis=axis)) for axis in (0, 1)])
    if np.abs(step).max() < _LEAST_STEP:
        return corners
    home, _ = cv2.findHomography(mesh().reshape(-1, 2), corners.reshape(-1, 2))
    return corners + through(home, mesh() + step / PITCH_PX) - through(home, mesh())


def _line_at(profile: Floats) -> int:
    """How far aside, in pixels of a cell, a profile that repeats has its line."""
    away = np.arange(PITCH_PX)
    line = np.exp(-0.5 * (np.minimum(away, PITCH_PX - away) / _LINE_PX) ** 2)
    line -= line.mean()
    best = int(np.argmax([np.roll(profile, -step) @ line for step in range(PITCH_PX)]))
    return best if best <= PITCH_PX // 2 else best - PITCH_PX


def _shifted(corners: Floats, home: Floats, index: Floats, shift: Floats) -> Floats:
    """The corners after each square of ``index`` has moved by its shift, in squares, as paper can bend."""
    here = (corners[:-1, :-1] + corners[1:, 1:] + corners[:-1, 1:] + corners[1:, :-1]) / 4
    places = index + 0.5
    moved = through(home, places + shift) - through(home, places)
    columns, rows = index[:, 0].astype(int), index[:, 1].astype(int)
    return bent(corners, index, here[rows, columns] + moved)
