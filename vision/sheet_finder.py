"""Where the maps lie in a photo: the corners of all their squares, from marks or from the boxes themselves.

Our own sheet is found by its four marks. Any other is found by its boxes: outlines of four corners that
repeat side by side are numbered from neighbour to neighbour, a plane is laid through them, and where paper is
bent the squares follow their boxes. What boxes alone cannot tell (which end is up; which rows are the outer
ones where too few boxes are clear) is left open: each way is one candidate, and the reader decides.
"""

import itertools
from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np

from calibration import aruco, duel_sheet
from calibration.mats import MarkerPlace
from vision.sheet_bend import bent, mesh, through
from vision.sheet_boxes import ALL_WAYS, QUICK_WAYS, Boxes, Indices, boxes_in, numbered
from vision.sheet_cells import COLUMNS, ROWS, Floats, Picture, smaller
from vision.sheet_likeness import likeness
from vision.sheet_paper import maps_on_papers

_LOOK_PX = 1500
"""The longer side of the picture that is searched."""
_LEAST_PX = 1000
_FEWEST_BOXES = 10
_NEARLY, _MOST_WAYS = 0.9, 6
"""Of the ways that nearly as many boxes speak for as for any, so many are looked at."""
_HARDER = ((2.0, 2.0), (2.0, 4.0), (4.0, 4.0))
"""Factors and sharpness for pictures in which nothing is found at first."""


@dataclass(frozen=True)
class Candidate:
    """One way in which a map may lie: the corners of its squares (6×8×2 px), from its upper left."""

    corners: Floats
    ours: bool
    support: int
    """How many boxes or marks speak for it."""


@dataclass(frozen=True)
class FoundSheet:
    """A sheet in a photo and the ways in which it may lie, likeliest first."""

    candidates: tuple[Candidate, ...]

    @property
    def outline(self) -> Floats:
        """The four corners of the map (px), as its first candidate says."""
        corners = self.candidates[0].corners
        return np.asarray(corners[[0, 0, -1, -1], [0, -1, -1, 0]])


@dataclass(frozen=True)
class FoundSheets:
    """All sheets of a photo, from left to right."""

    maps: tuple[FoundSheet, ...]
    spellbooks: tuple[FoundSheet, ...]
    """The spellbooks of ours that lie there too; a square is 30 mm, though none is printed."""


def find_sheets(image: Picture, *, patient: bool = True, papers: bool = True) -> FoundSheets:
    """The maps in a photo (blue, green, red), whichever way they lie; ``patient``: all ways are tried.

    Where no boxes are seen at all, the ``papers`` that lie there count, and the largest frames.
    """
    longest = max(image.shape[:2])
    factor = min(1.0, _LOOK_PX / longest) if longest > _LEAST_PX else min(2.5, _LEAST_PX / longest)
    found, boxes = _looked(image, factor, 0)
    if not patient:
        return found
    for larger, sharper in _HARDER if longest <= _LOOK_PX else ():
        # Small marks and thin boxes come out of a blurred picture once it is blown up and sharpened.
        # Where a spellbook's marks are read, it is neither.
        if not found.maps and not found.spellbooks:
            found, _ = _looked(image, larger, sharper)
    if not found.maps and not found.spellbooks:
        frames = [scaled(sheet, 1 / factor) for sheet in _by_frame(boxes, factor**2 * image[..., 0].size)]
        found = FoundSheets((*(on_paper(image) if papers else ()), *frames), found.spellbooks)
    return found


def on_paper(image: Picture, *, hued: bool = False) -> Iterator[FoundSheet]:
    """Where boxes cannot be outlined, or were numbered wrongly: the lines that cross a paper evenly.

    ``hued``: only what is of another hue than the table is a paper, whatever light falls on either.
    """
    factor = min(1.0, _LEAST_PX / max(image.shape[:2]))
    small = smaller(image, factor) if factor < 1 else image
    for ways in maps_on_papers(small, hued=hued):
        sheet = FoundSheet(tuple(Candidate(way, False, 0) for way in ways))
        yield scaled(sheet, 1 / factor)


def _looked(image: Picture, factor: float, sharper: float) -> tuple[FoundSheets, Boxes]:
    """What is found in the picture made larger by a factor, its edges made ``sharper`` times as steep."""
    small = image
    if factor > 1:
        small = np.asarray(
            cv2.resize(image, None, fx=factor, fy=factor, interpolation=cv2.INTER_CUBIC), np.uint8
        )
    elif factor < 1:
        small = smaller(image, factor)
    grey = np.asarray(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY), dtype=np.uint8)
    if sharper:
        calm = cv2.GaussianBlur(grey, (0, 0), factor / 2)
        wide = cv2.GaussianBlur(calm, (0, 0), 1.3 * factor)
        grey = np.asarray(cv2.addWeighted(calm, 1 + sharper, wide, -sharper, 0), dtype=np.uint8)
    marks = aruco.detect(grey)
    marked = list(_by_marks(marks, duel_sheet.MAP_MARKS))
    spellbooks = list(_by_marks(marks, duel_sheet.SPELLBOOK_MARKS))
    boxes = boxes_in(grey, QUICK_WAYS if marked else ALL_WAYS)
    left = boxes.outside([sheet.outline for sheet in (*marked, *spellbooks)])
    if marked and len(left.areas) >= _FEWEST_BOXES:  # another form may lie beside ours
        boxes = boxes_in(grey)
        left = boxes.outside([sheet.outline for sheet in (*marked, *spellbooks)])
    maps = [_followed(sheet, boxes) for sheet in marked]
    while True:
        sheet, left = _by_boxes(left, grey)
        if sheet is None:
            break
        maps.append(sheet)
    maps.sort(key=lambda sheet: float(sheet.outline[:, 0].mean()))
    return FoundSheets(
        *(tuple(scaled(one, 1 / factor) for one in some) for some in (maps, spellbooks))
    ), boxes


def scaled(sheet: FoundSheet, factor: float) -> FoundSheet:
    """The sheet in the same picture at another size."""
    ways = [Candidate((way.corners + 0.5) * factor - 0.5, way.ours, way.support) for way in sheet.candidates]
    return FoundSheet(tuple(ways))


def from_outline(corners: Floats) -> FoundSheet:
    """The sheet whose map has these four corners (4×2 px, clockwise), likeliest from its upper left.

    Whoever taps them on a photo may have begun at the corner that is the upper left of the photo.
    """
    starts = [np.roll(np.asarray(corners, dtype=np.float64), -k, axis=0) for k in (0, 2, 1, 3)]
    return FoundSheet(tuple(Candidate(_plane_of(one), False, 4) for one in starts))


def _plane_of(corners: Floats) -> Floats:
    """The corners of all squares amid these four, the upper left of the map first."""
    unit = np.array([(0, 0), (COLUMNS, 0), (COLUMNS, ROWS), (0, ROWS)], dtype=np.float32)
    return through(cv2.getPerspectiveTransform(unit, np.asarray(corners, dtype=np.float32)), mesh())


def _by_marks(marks: list[tuple[int, Floats]], printed: tuple[MarkerPlace, ...]) -> Iterator[FoundSheet]:
    """Sheets whose four (or three) marks agree on one plane, those that agree best first."""
    seen = [[corners for number, corners in marks if number == mark.number] for mark in printed]
    free: list[list[Floats | None]] = [[*each, None] for each in seen]
    ways = []
    for chosen in itertools.islice(itertools.product(*free), 3000):
        if sum(corners is not None for corners in chosen) < 3:
            continue
        plane = _plane(chosen, printed)
        if plane is not None:
            ways.append((sum(corners is None for corners in chosen), plane[1], chosen, plane[0]))
    used: set[int] = set()
    for missing, _, chosen, home in sorted(ways, key=lambda way: way[:2]):
        mine = {id(corners) for corners in chosen if corners is not None}
        if not mine & used:
            used |= mine
            yield FoundSheet((Candidate(through(home, mesh()), True, 4 - missing),))


def _plane(
    chosen: tuple[Floats | None, ...], printed: tuple[MarkerPlace, ...]
) -> tuple[Floats, float] | None:
    """The plane of squares through these marks, and how far they are off it as a part of a mark's side."""
    have = [(mark, corners) for mark, corners in zip(printed, chosen, strict=True) if corners is not None]
    flat = np.concatenate([mark.corners_mm for mark, _ in have]) * (1, -1) / duel_sheet.PITCH_MM
    flat += (COLUMNS / 2, ROWS / 2)
    seen = np.concatenate([corners for _, corners in have])
    home, _ = cv2.findHomography(flat, seen)
    if home is None:
        return None
    side = float(np.mean([np.linalg.norm(corners[0] - corners[2]) for _, corners in have])) / 2**0.5
    off = float(np.linalg.norm(through(home, flat) - seen, axis=1).max()) / max(side, 1)
    return (home, off) if off < 0.3 else None


def _followed(sheet: FoundSheet, boxes: Boxes) -> FoundSheet:
    """Our sheet with its squares moved to where their boxes are seen."""
    way = sheet.candidates[0]
    middles = (way.corners[:-1, :-1] + way.corners[1:, 1:]) / 2
    side = float(np.linalg.norm(np.diff(way.corners, axis=1), axis=2).mean())
    index, spots = [], []
    for row, column in np.ndindex(ROWS, COLUMNS):
        near = boxes.near(middles[row, column], 0.25 * side, (0.62 * side, 1.12 * side))
        if near is not None:
            index.append((column, row))
            spots.append(near)
    if len(index) < _FEWEST_BOXES:
        return sheet
    corners = bent(way.corners, np.array(index, dtype=np.float64), np.array(spots))
    return FoundSheet((Candidate(corners, True, way.support),))


def _by_boxes(boxes: Boxes, grey: aruco.Grey) -> tuple[FoundSheet | None, Boxes]:
    """The largest lattice of boxes as a sheet, and the boxes that are left; None when there is none left."""
    best = numbered(boxes)
    if best is None or len(best.index) < _FEWEST_BOXES:
        return None, boxes
    left = boxes.outside([cv2.convexHull(best.spots.astype(np.float32)).reshape(-1, 2)], best.side)
    ways = list(_windows(best))
    if not ways:
        return None, left
    most = max(way.support for way in ways)
    ways = [way for way in ways if way.support >= _NEARLY * most]
    if len(ways) > 1:
        ways = sorted(ways, key=lambda way: -likeness(grey, way.corners))[:_MOST_WAYS]
    return FoundSheet(tuple(each for way in ways for each in (way, turned(way)))), left


def turned(way: Candidate) -> Candidate:
    """The same map the other way up."""
    return Candidate(way.corners[::-1, ::-1].copy(), way.ours, way.support)


def _windows(lattice: Indices) -> Iterator[Candidate]:
    """Each way to lay five rows of seven squares over the numbered boxes."""
    for swap in (False, True):
        index = lattice.index[:, ::-1] * (1, -1) if swap else lattice.index
        low, high = index.min(axis=0), index.max(axis=0)
        for c0 in range(int(min(low[0], high[0] - COLUMNS + 1)), int(max(low[0], high[0] - COLUMNS + 1)) + 1):
            for r0 in range(int(min(low[1], high[1] - ROWS + 1)), int(max(low[1], high[1] - ROWS + 1)) + 1):
                inside = ((index >= (c0, r0)) & (index < (c0 + COLUMNS, r0 + ROWS))).all(axis=1)
                if inside.sum() >= _FEWEST_BOXES:
                    yield from _window(index[inside] - (c0, r0), lattice.spots[inside])


def _window(index: Floats, spots: Floats) -> Iterator[Candidate]:
    if min(np.ptp(index[:, 0]), np.ptp(index[:, 1])) < 1:
        return
    home, inside = cv2.findHomography(index + 0.5, spots, cv2.RANSAC, 0.12 * _pitch(index, spots))
    if home is None:
        return
    corners = through(home, mesh())
    good = np.asarray(inside).ravel() > 0
    if good.sum() >= _FEWEST_BOXES and np.isfinite(corners).all():
        yield Candidate(bent(corners, index.astype(np.float64), spots), False, len(index))


def _pitch(index: Floats, spots: Floats) -> float:
    return float(np.ptp(spots, axis=0).max() / max(1, np.ptp(index, axis=0).max()))


def _by_frame(boxes: Boxes, area: float) -> Iterator[FoundSheet]:
    """Where no lattice is clear: one of the largest outlines of four corners may be the map's frame."""
    ways = []
    for quad in [quad for quad, size in zip(boxes.quads, boxes.areas, strict=True) if size > 0.05 * area][:5]:
        sides = np.linalg.norm(quad - np.roll(quad, -1, axis=0), axis=1)
        start = quad if sides[0] + sides[2] >= sides[1] + sides[3] else np.roll(quad, -1, axis=0)
        way = Candidate(_plane_of(start), False, 4)
        ways += [way, turned(way)]
    if ways:
        yield FoundSheet(tuple(ways))
