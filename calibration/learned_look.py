"""Learning how a piece looks from photos of it on a table with markers: size, shape and colours, no code."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration import colour_planes
from calibration.camera import Camera, Floats
from calibration.camera_errors import NoSuchPiece
from calibration.mats import MARKER_MM, PAPER_MM
from calibration.profiles import PieceLook, Rgb, Shape
from calibration.table_finder import Table
from calibration.table_view import MetricView, Picture

_PX_PER_MM = 3.0
_LEAST_MM2, _MOST_MM2 = 60.0, 6000.0
_DISC_FILL, _FILL_SLACK = math.pi / 4, 0.06
_SAME_SIZE = 0.12
_LEAST_MARK_MM2 = 1.0
_MOST_COLOURS = 12
_LAB_APART = 22.0
_LEAST_APART_MM = 80.0
_SAME_PLACE_MM = 3.0
HIGHEST = (6, 9, 12, 15, 18)
"""The sets that dominoes come in, by their highest half."""

Mask = NDArray[np.uint8]


@dataclass(frozen=True)
class FoundPiece:
    """One piece in a view from straight above."""

    centre_mm: tuple[float, float]
    size_mm: tuple[float, float]
    angle_deg: float
    shape: Shape


@dataclass(frozen=True)
class _Cut:
    """A photo rectified at the pieces' height, and which of its pixels are piece."""

    picture: Picture
    lab: Floats
    away: Floats
    """How far each pixel's colour is from the table's."""
    mask: Mask
    left_mm: float
    top_mm: float


def learn_look(
    shots: Sequence[tuple[Picture, Table]], height_mm: float, *, disc: bool | None = None
) -> tuple[PieceLook, int]:
    """How the pieces in the photos look, and from how many of them that was learned.

    The photos (in BGR, as OpenCV reads them) show several pieces of one kind, apart from one another, on a
    plain table with markers. ``height_mm`` is how high their top faces are. ``disc`` says whether they are
    round where that is known.
    """
    cuts = [_cut(picture, table, height_mm) for picture, table in shots]
    found = [(cut, piece) for cut in cuts for piece in _pieces(cut)]
    if not found:
        raise NoSuchPiece(
            "no piece stands out from the table: lay some pieces apart from one another between the markers, "
            "on a plain table of another colour"
        )
    shape = _shape([piece for _, piece in found], disc)
    alike = _alike([(cut, piece) for cut, piece in found if piece.shape == shape])
    sizes = np.array([piece.size_mm for _, piece in alike])
    length, width = (round(float(side), 1) for side in np.median(sizes, axis=0))
    if shape == "disc":
        length = width = round((length + width) / 2, 1)
    body, marks, counts = _colours(alike)
    pips = _pip_counts(counts) if shape == "rectangle" and length > 1.6 * width else ()
    look = PieceLook(shape, (max(length, width), min(length, width)), height_mm, body, marks, pips)
    return look, len(alike)


def height_from(one: tuple[Picture, Table], other: tuple[Picture, Table]) -> float:
    """How high the pieces' top faces are, from two photos of the same pieces from different sides.

    Only at their true height do both photos put every piece in the same place.
    """
    eyes = [table.camera.pose.eye_mm for _, table in (one, other)]
    if float(np.linalg.norm(eyes[0][:2] - eyes[1][:2])) < _LEAST_APART_MM:
        raise NoSuchPiece(
            "both photos were taken from about the same place, which does not show how high the pieces are: "
            "take the second one from another side, or give --height-mm"
        )
    seen = []
    for picture, table in (one, other):
        centres = [piece.centre_mm for piece in _pieces(_cut(picture, table, 0.0))]
        if not centres:
            raise NoSuchPiece("no piece stands out from the table in one of the photos")
        seen.append((table.camera, table.camera.to_pixels(centres)))
    best, apart = min((_apart(seen, height), height) for height in np.arange(0.0, 50.25, 0.25))[::-1]
    if apart > _SAME_PLACE_MM:
        raise NoSuchPiece("the pieces lie elsewhere in the second photo: leave them where they are")
    return float(best)


def _apart(seen: list[tuple[Camera, Floats]], height_mm: float) -> float:
    """The median distance from the pieces of one photo to the nearest of the other."""
    (first, here), (second, there) = seen
    a, b = first.to_mm(here, height_mm), second.to_mm(there, height_mm)
    return float(np.median(np.linalg.norm(a[:, None] - b[None], axis=2).min(axis=1)))


def _cut(picture: Picture, table: Table, height_mm: float) -> _Cut:
    left, bottom = (float(v) for v in table.outline_mm.min(axis=0))
    right, top = (float(v) for v in table.outline_mm.max(axis=0))
    flat = MetricView(table).rectified(picture, (left, bottom, right, top), _PX_PER_MM, height_mm)
    lab = cv2.cvtColor(flat.astype(np.float32) / 255, cv2.COLOR_BGR2LAB).astype(np.float64)
    free = np.full(flat.shape[:2], 255, dtype=np.uint8)
    for place in table.markers:
        reach = place.side_mm * PAPER_MM / MARKER_MM * 0.75
        x, y = (place.centre_mm[0] - left) * _PX_PER_MM, (top - place.centre_mm[1]) * _PX_PER_MM
        cv2.circle(free, (round(x), round(y)), round(reach * _PX_PER_MM), 0, -1)
    background = cv2.GaussianBlur(_background(lab, free), (0, 0), 2)
    away = colour_planes.length(lab - background)
    away[free == 0] = 0
    level = max(10.0, float(_otsu(np.clip(away[free > 0], 0, 127))))
    mask = ((away > level) * 255).astype(np.uint8)
    opened = cv2.morphologyEx(mask, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
    return _Cut(flat, lab, away, _holes_filled(np.asarray(opened, dtype=np.uint8)), left, top)


def _background(lab: Floats, free: Mask) -> Floats:
    """The table's colour, which may change slowly from one side to the other."""
    rows, columns = free.shape
    y, x = np.mgrid[0:rows:6, 0:columns:6]
    use = free[y, x] > 0
    sample, at = lab[y, x][use], np.column_stack([np.ones(use.sum()), x[use] / columns, y[use] / rows])
    keep = np.linalg.norm(sample - np.median(sample, axis=0), axis=1) < _LAB_APART
    plane = np.linalg.lstsq(at[keep], sample[keep], rcond=None)[0]
    gx, gy = np.meshgrid(np.arange(columns) / columns, np.arange(rows) / rows)
    return np.asarray(plane[0] + gx[..., None] * plane[1] + gy[..., None] * plane[2])


def _otsu(values: Floats) -> float:
    level, _ = cv2.threshold((values * 2).astype(np.uint8).reshape(-1, 1), 0, 255, cv2.THRESH_OTSU)
    return float(level) / 2


def _holes_filled(mask: Mask) -> Mask:
    outlines, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    filled = np.zeros_like(mask)
    cv2.drawContours(filled, outlines, -1, 255, -1)
    return filled


def _pieces(cut: _Cut) -> list[FoundPiece]:
    outlines, _ = cv2.findContours(cut.mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    found = []
    for rough in outlines:
        outline = _at_half_contrast(cut, np.asarray(rough, dtype=np.int32))
        if len(outline) < 8:
            continue
        # Outlines run through the middles of the outermost pixels: half a pixel is missing on each side.
        (x, y), (a, b), angle = cv2.minAreaRect(outline)
        length, width = (max(a, b) + 1) / _PX_PER_MM, (min(a, b) + 1) / _PX_PER_MM
        area = (cv2.contourArea(outline) + cv2.arcLength(outline, True) / 2) / _PX_PER_MM**2
        if not _LEAST_MM2 <= area <= _MOST_MM2:
            continue
        fill = area / (length * width)
        round_enough = abs(fill - _DISC_FILL) < _FILL_SLACK and length < 1.15 * width
        if not round_enough and fill < 1 - 2 * _FILL_SLACK:
            continue
        heading = -angle if a >= b else -angle + 90
        centre = (cut.left_mm + (x + 0.5) / _PX_PER_MM, cut.top_mm - (y + 0.5) / _PX_PER_MM)
        shape: Shape = "disc" if round_enough else "rectangle"
        found.append(FoundPiece(centre, (length, width), heading, shape))
    return found


def _at_half_contrast(cut: _Cut, rough: NDArray[np.int32]) -> NDArray[np.int32]:
    """The outline where a pixel is half piece, half table: there blur moves it neither way."""
    x, y, w, h = cv2.boundingRect(rough)
    left, top = max(x - 4, 0), max(y - 4, 0)
    part = cut.away[top : y + h + 4, left : x + w + 4]
    inside = cut.mask[top : y + h + 4, left : x + w + 4] > 0
    half = ((part > np.median(part[inside]) / 2) & inside).astype(np.uint8)
    outlines, _ = cv2.findContours(_holes_filled(half * 255), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    largest = max(outlines, key=cv2.contourArea, default=rough - (left, top))
    return np.asarray(largest + np.array([left, top]), dtype=np.int32)


def _shape(pieces: Sequence[FoundPiece], disc: bool | None) -> Shape:
    if disc is None:
        rounds = sum(piece.shape == "disc" for piece in pieces)
        disc = rounds * 2 > len(pieces)
    wanted: Shape = "disc" if disc else "rectangle"
    if not any(piece.shape == wanted for piece in pieces):
        word = "round" if disc else "rectangular"
        raise NoSuchPiece(f"no {word} piece can be seen: lay some pieces apart from one another")
    return wanted


def _alike(found: list[tuple[_Cut, FoundPiece]]) -> list[tuple[_Cut, FoundPiece]]:
    """The pieces of the size that most have: a bystander must not be averaged in."""
    sizes = np.array([piece.size_mm for _, piece in found])
    near = np.array([(np.abs(sizes / size - 1).max(axis=1) < _SAME_SIZE) for size in sizes])
    best = int(near.sum(axis=1).argmax())
    return [pair for pair, is_near in zip(found, near[best], strict=True) if is_near]


def _colours(alike: list[tuple[_Cut, FoundPiece]]) -> tuple[Rgb, tuple[Rgb, ...], list[int]]:
    """The body's colour, the marks' colours, and how many marks each half of a piece has."""
    crops = [_crop(cut, piece) for cut, piece in alike]
    body = np.median(np.concatenate([lab.reshape(-1, 3) for lab in crops]), axis=0)
    marks: list[Floats] = []
    counts: list[int] = []
    for lab in crops:
        here = np.median(lab.reshape(-1, 3), axis=0)
        marked = ((colour_planes.length(lab - here) > _LAB_APART) * 255).astype(np.uint8)
        number, labels, stats, places = cv2.connectedComponentsWithStats(marked)
        halves = [0, 0]
        for index in range(1, number):
            area = stats[index, cv2.CC_STAT_AREA] / _PX_PER_MM**2
            wide, high = stats[index, cv2.CC_STAT_WIDTH], stats[index, cv2.CC_STAT_HEIGHT]
            if area < _LEAST_MARK_MM2:
                continue
            if max(wide, high) >= 2 * min(wide, high):
                continue  # the bar between the halves
            inner = cv2.erode((labels == index).astype(np.uint8), np.ones((3, 3), np.uint8)) > 0
            marks.append(np.median(lab[inner if inner.any() else labels == index], axis=0))
            halves[int(places[index, 0] > lab.shape[1] / 2)] += 1
        counts += halves
    return _rgb(body), tuple(_rgb(colour) for colour in _distinct(marks)), counts


def _crop(cut: _Cut, piece: FoundPiece) -> Floats:
    """The piece's face, its rim left out, its long side lying."""
    x = (piece.centre_mm[0] - cut.left_mm) * _PX_PER_MM - 0.5
    y = (cut.top_mm - piece.centre_mm[1]) * _PX_PER_MM - 0.5
    rim = max(1.0, 0.06 * piece.size_mm[1])
    width = round((piece.size_mm[0] - 2 * rim) * _PX_PER_MM)
    height = round((piece.size_mm[1] - 2 * rim) * _PX_PER_MM)
    turn = cv2.getRotationMatrix2D((x, y), -piece.angle_deg, 1.0)
    turn[:, 2] += np.array([width / 2 - 0.5 - x, height / 2 - 0.5 - y])
    return np.asarray(cv2.warpAffine(cut.lab, turn, (width, height)), dtype=np.float64)


def _distinct(colours: list[Floats]) -> list[Floats]:
    """The colours that are clearly different, the commonest first; a mark's mixed rim is no colour."""
    groups: list[list[Floats]] = []
    for colour in colours:
        for group in groups:
            if np.linalg.norm(np.median(group, axis=0) - colour) < _LAB_APART:
                group.append(colour)
                break
        else:
            groups.append([colour])
    groups.sort(key=len, reverse=True)
    least = max(1, len(colours) // 50)
    return [np.median(group, axis=0) for group in groups[:_MOST_COLOURS] if len(group) >= least]


def _rgb(lab: Floats) -> Rgb:
    bgr = cv2.cvtColor(lab.astype(np.float32).reshape(1, 1, 3), cv2.COLOR_LAB2BGR)[0, 0]
    blue, green, red = (int(v) for v in np.clip(np.rint(bgr * 255), 0, 255))
    return (red, green, blue)


def _pip_counts(counts: list[int]) -> tuple[int, ...]:
    """From nothing to the highest half of the smallest set that holds what was seen."""
    highest = next((top for top in HIGHEST if top >= max(counts, default=0)), HIGHEST[-1])
    return tuple(range(highest + 1))
