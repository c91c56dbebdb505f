"""Where printed markers lie: loose papers, and the mat of a game with markers all round.

Markers are numbered clockwise from the far left as an upright camera sees them: 0 to 3 at the corners, 4 and
up between them. Nothing that finds a table relies on these places; they are only what is printed.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from calibration.aruco import MARKER_CELLS, cells
from calibration.camera import Floats
from calibration.camera_errors import WrongPrintScale
from calibration.marker_side import LEAST_MARKER_MM, MOST_MARKER_MM
from calibration.marker_side import MARKER_MM as MARKER_MM
from calibration.plan import TablePlan

CORNER_IDS = (0, 1, 2, 3)
PAPER_MM = 46.0
"""The white square that a marker of 32 mm needs around it, the marker included."""

_PLAUSIBLE_BAR_MM = (70.0, 142.0)
_LEAST_BETWEEN = 2
"""Of so many markers between the corners a mat is known."""
_AS_PRINTED = 0.01
"""So little off, as a share, a mat counts as printed true: its sheets are taped by hand."""
_SHEETS_OFF_MM = 6.0
"""So far, in millimetres of the plan, a marker lies off its place on taped sheets at most."""
_DESIGNS = (1.0, 0.985, 1.015, 0.97, 1.03)
"""A mat's markers may have been made a little larger or smaller than measured: where there is just room for
them between the regions, others are there then, with other numbers."""
_SPACING_MM = (260.0, 190.0)
"""The most between two markers along the near and far edges, and along the sides."""


@dataclass(frozen=True)
class MarkerPlace:
    """One marker on the table: its number, its middle, how it is turned, and its black side."""

    number: int
    centre_mm: tuple[float, float]
    angle_deg: float = 0.0
    """Counter-clockwise, 0 where the marker's own top points away from the first player."""
    side_mm: float = MARKER_MM

    @property
    def corners_mm(self) -> Floats:
        """The corners of the black square (4×2), clockwise from the marker's own upper left."""
        half = self.side_mm / 2
        return self.to_table([(-half, half), (half, half), (half, -half), (-half, -half)])

    def to_table(self, own_mm: object) -> Floats:
        """Points (n×2) of the marker's own frame (middle, x right, y to its top) as table points."""
        turn = math.radians(self.angle_deg)
        c, s = math.cos(turn), math.sin(turn)
        points = np.asarray(own_mm, dtype=np.float64)
        return np.asarray(points @ np.array([[c, s], [-s, c]]) + self.centre_mm)


def loose_markers(
    size_mm: tuple[float, float], *, side_mm: float = MARKER_MM
) -> tuple[MarkerPlace, MarkerPlace, MarkerPlace, MarkerPlace]:
    """Four corner markers whose papers fill the corners of a table of this size."""
    edge = side_mm * PAPER_MM / MARKER_MM / 2
    x, y = size_mm[0] / 2 - edge, size_mm[1] / 2 - edge
    return (
        MarkerPlace(0, (-x, y), 0.0, side_mm),
        MarkerPlace(1, (x, y), 0.0, side_mm),
        MarkerPlace(2, (x, -y), 0.0, side_mm),
        MarkerPlace(3, (-x, -y), 0.0, side_mm),
    )


def mat_markers(plan: TablePlan, *, side_mm: float = MARKER_MM) -> tuple[MarkerPlace, ...]:
    """The markers of a game's mat: at the corners, and all round wherever no region is in the way."""
    corners = loose_markers(plan.size_mm, side_mm=side_mm)
    places = list(corners)
    for start, end in zip(corners, (*corners[1:], corners[0]), strict=True):
        (ax, ay), (bx, by) = start.centre_mm, end.centre_mm
        gaps = math.ceil(max(abs(bx - ax) / _SPACING_MM[0], abs(by - ay) / _SPACING_MM[1]))
        for step in range(1, gaps):
            spot = (ax + (bx - ax) * step / gaps, ay + (by - ay) * step / gaps)
            if _is_free(plan, spot, side_mm * PAPER_MM / MARKER_MM):
                places.append(MarkerPlace(len(places), spot, 0.0, side_mm))
    return tuple(places)


def mat_scale(plan: TablePlan, seen: Sequence[MarkerPlace]) -> float:
    """At which scale the mat of a plan was printed whose markers are seen here; 1 where none is told.

    A mat is told from loose markers by those between its corners: nobody lays papers to the millimetre where
    the mat has them. Its own markers tell its scale, since they are at the rim: half of its width is the
    reach of its corner markers and half of their paper, both of which grew with it.
    """
    corners = [place for place in seen if place.number in CORNER_IDS]
    if len(corners) < len(CORNER_IDS) or len(seen) - len(corners) < _LEAST_BETWEEN:
        return 1.0
    side = float(np.mean([place.side_mm for place in seen]))
    reach = np.abs([place.centre_mm for place in corners]).mean(axis=0) + side * PAPER_MM / MARKER_MM / 2
    scales = 2 * reach / np.asarray(plan.size_mm)
    scale = float(scales.mean())
    if abs(scale - 1) < _AS_PRINTED:
        return 1.0
    designs = [side / scale * share for share in _DESIGNS]
    fits = any(_is_mat(plan, design, scale, seen) for design in designs)
    return scale if fits else 1.0


def _is_mat(plan: TablePlan, side_mm: float, scale: float, seen: Sequence[MarkerPlace]) -> bool:
    """Whether the markers lie as a mat with markers of this size has them, printed at a scale."""
    if not LEAST_MARKER_MM <= side_mm <= MOST_MARKER_MM:
        return False
    printed = {
        place.number: scale * np.asarray(place.centre_mm) for place in mat_markers(plan, side_mm=side_mm)
    }
    return all(
        one.number in printed
        and float(np.abs(printed[one.number] - one.centre_mm).max()) <= _SHEETS_OFF_MM * scale
        for one in seen
    )


def print_scale(bar_mm: float) -> float:
    """At which scale sheets were printed whose bar of 100 mm measures ``bar_mm``."""
    if not _PLAUSIBLE_BAR_MM[0] <= bar_mm <= _PLAUSIBLE_BAR_MM[1]:
        raise WrongPrintScale(bar_mm)
    return bar_mm / 100.0


def black_cells(place: MarkerPlace) -> list[Floats]:
    """The black parts of a marker as table polygons (4×2): one rectangle for each run of cells in a row."""
    pattern = cells(place.number)
    cell, half = place.side_mm / MARKER_CELLS, place.side_mm / 2
    runs: list[Floats] = []
    for row in range(MARKER_CELLS):
        column = 0
        while column < MARKER_CELLS:
            end = column
            while end < MARKER_CELLS and not pattern[row, end]:
                end += 1
            if end > column:
                left, right, top = column * cell - half, end * cell - half, half - row * cell
                runs.append(
                    place.to_table([(left, top), (right, top), (right, top - cell), (left, top - cell)])
                )
            column = max(end, column + 1)
    return runs


def _is_free(plan: TablePlan, spot: tuple[float, float], paper_mm: float) -> bool:
    reach = paper_mm / 2 - 1e-6
    for region in plan.regions.values():
        left, bottom, right, top = region.bounds_mm
        inside_x = left - reach < spot[0] < right + reach
        if inside_x and bottom - reach < spot[1] < top + reach:
            return False
    return True
