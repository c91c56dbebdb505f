"""The squares of a map cut out of a photo, all at one size, with light and paper taken out of them.

What the sheet itself prints is found by comparing: 34 squares carry the same form, so what most of them show
is printed, and what is left is somebody's ink. No look of a publisher has to be known for that.
"""

from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration import colour_planes

Picture = NDArray[np.uint8]
Floats = NDArray[Any]
Values = NDArray[Any]

ROWS, COLUMNS = 5, 7
CASTLE_INDEX = 17
PITCH_PX = 40
CELL_PX = 48
"""A cell shows its square and a tenth of a square more on each side, for crosses that go over the edge."""
_USEFUL, _MUCH_SMALLER = 1.6, 0.75
"""So many times a cell's pixels a square are all that a look can use."""
_MARGIN = (CELL_PX - PITCH_PX) // 2
LEAST_INK = 0.12
"""The faintest ink that is shown as strong as any other; below, noise would be."""
_FAINT = 0.1
OF_A_SQUARE, OF_ITS_INK = 99, 0.9
"""A percentile of one square, and the share of it that counts. On 26 full maps that share of the second
strongest square is 1.02 (0.94 to 1.23 for nineteen of twenty) of what all squares together have at their 99th
percentile, in the finer look 0.96 (0.91 to 1.11) of the mean of the darkest; on 26 maps of three squares 2.9
(1.3 to 6) and 1.4 (1 to 2.1)."""
_WIDEST_INK = 35
"""No ink is as wide as this in both directions, in pixels of a cell; shadows are."""
_FORM_SHARE = 30
"""The share of squares, in percent, that must be as dark as the form at a pixel."""


@dataclass(frozen=True)
class Cells:
    """The 35 squares of a map in reading order."""

    dark: Values
    """35×48×48: how much darker than the paper each pixel is, 0 to 1."""
    form: Values
    """48×48: what is printed on every square but the castle."""
    flat: Picture
    """The map flattened, in colour, with its margin."""

    def planes(self) -> Values:
        """What the network sees of each square: its darkness, the form, and the ink alone (35×3×48×48)."""
        return planes(self.dark, self.form)

    @property
    def faint(self) -> bool:
        """Whether even the strongest ink is hardly darker than paper: what is fainter may not show at all."""
        return _strength(_inked(self.dark, self.form)) < _FAINT

    def turned(self) -> "Cells":
        """The same map the other way up."""
        return Cells(self.dark[::-1, ::-1, ::-1], self.form[::-1, ::-1], self.flat[::-1, ::-1])


def planes(dark: Values, form: Values) -> Values:
    """Darkness, form and ink of each cell; the ink is as strong as the sheet's darkest lines are.

    ``form`` is what all squares have printed (48×48), or what each has (35×48×48).
    """
    ink = _inked(dark, form)
    strength = float(np.clip(_strength(ink), LEAST_INK, 1.0))
    shown = np.broadcast_to(form, dark.shape)
    return np.stack([dark, shown, np.clip(ink / strength, 0, 1)], axis=1).astype(np.float32)


def _inked(dark: Values, form: Values) -> Values:
    # A form that lies a pixel aside should not show up as ink along its lines.
    around = np.ones((3, 3), np.uint8)
    wide = cv2.dilate(form, around) if form.ndim == 2 else np.stack([cv2.dilate(one, around) for one in form])
    return np.asarray(np.clip(dark - wide, 0, 1))


def _strength(ink: Values) -> float:
    others = np.delete(ink, CASTLE_INDEX, axis=0) if len(ink) == ROWS * COLUMNS else ink
    return max(float(np.percentile(others, 99)), drawn_most(others))


def drawn_most(ink: Values) -> float:
    """How strong ink is on the square that is drawn on most but one.

    Where few squares are drawn on, most pixels of a sheet show no pen, and what they show is noise.
    """
    own = np.sort(np.percentile(ink.reshape(len(ink), -1), OF_A_SQUARE, axis=1))
    return OF_ITS_INK * float(own[-min(2, len(own))])


def no_larger(image: Picture, corners: Floats, pitch_px: int) -> tuple[Picture, float]:
    """The picture with no more pixels a square than cells of so many can use, and what it was scaled by.

    A photo that has a few more is left as it is.
    """
    side = float(np.median(np.linalg.norm(np.diff(corners, axis=1), axis=2)))
    factor = _USEFUL * pitch_px / max(side, 1.0)
    return (smaller(image, factor), factor) if factor < _MUCH_SMALLER else (image, 1.0)


def smaller(image: Picture, factor: float) -> Picture:
    """The picture at this part of its size; by whole halves first, which is quick."""
    height, width = image.shape[:2]
    size = (round(width * factor), round(height * factor))
    while min(image.shape[1] / size[0], image.shape[0] / size[1]) >= 2:
        even = image[: image.shape[0] // 2 * 2, : image.shape[1] // 2 * 2]
        image = np.asarray(cv2.resize(even, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA), np.uint8)
    return np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA), np.uint8)


def flattened(image: Picture, corners: Floats, pitch_px: int, margin_px: int) -> Picture:
    """The map seen from straight above: ``corners`` are those of its squares (6×8×2 px of the image)."""
    image, factor = no_larger(image, corners, pitch_px)
    corners = (corners + 0.5) * factor - 0.5
    places = _places(corners, pitch_px, margin_px)
    flat = cv2.remap(image, places[..., 0], places[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(flat, dtype=np.uint8)


def _places(corners: Floats, pitch_px: int, margin_px: int) -> Values:
    """Where each pixel of the flat map comes from: a plane's view, and what the paper bends away from it."""
    mesh = np.stack(np.meshgrid(np.arange(COLUMNS + 1), np.arange(ROWS + 1)), axis=2).astype(np.float64)
    home, _ = cv2.findHomography(mesh.reshape(-1, 2), corners.reshape(-1, 2))
    if home is None:
        raise ValueError("the corners of the squares do not span a sheet")
    bent = corners - cv2.perspectiveTransform(mesh.reshape(-1, 1, 2), home).reshape(corners.shape)
    height, width = ROWS * pitch_px + 2 * margin_px, COLUMNS * pitch_px + 2 * margin_px
    u = ((np.arange(width) + 0.5 - margin_px) / pitch_px).astype(np.float32)
    v = ((np.arange(height) + 0.5 - margin_px) / pitch_px).astype(np.float32)
    grid = np.stack(np.meshgrid(u, v), axis=2)
    flat = cv2.perspectiveTransform(grid.reshape(-1, 1, 2), home).reshape(grid.shape)
    moved = cv2.remap(
        bent.astype(np.float32), grid[..., 0], grid[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    return np.asarray(flat + moved, dtype=np.float32)


def cells_of(image: Picture, corners: Floats) -> Cells:
    """The squares of the map whose squares' corners (6×8×2 px) are given, as they lie."""
    flat = flattened(image, corners, PITCH_PX, _MARGIN)
    dark = darkness(flat)
    parts = [
        dark[row * PITCH_PX : row * PITCH_PX + CELL_PX, column * PITCH_PX : column * PITCH_PX + CELL_PX]
        for row in range(ROWS)
        for column in range(COLUMNS)
    ]
    cut = np.stack(parts)
    others = np.delete(cut, CASTLE_INDEX, axis=0)
    form = np.percentile(others, _FORM_SHARE, axis=0).astype(np.float32)
    return Cells(cut, form, flat)


def darkness(flat: Picture) -> Values:
    """How much darker than the paper around it each pixel is; coloured inks count by what they take away."""
    lost = 1 - (flat.astype(np.float32) + 1) / np.maximum(paper_light(flat), 1)
    both = 0.5 * colour_planes.most(lost) + 0.5 * colour_planes.mean(lost)
    return np.asarray(np.clip(both, 0, 1), dtype=np.float32)


def paper_light(flat: Picture, pitch_px: int = PITCH_PX) -> Values:
    """The light of the bare paper at each pixel of a flat map with squares of so many pixels."""
    small = flat
    if pitch_px != PITCH_PX:
        size = tuple(round(side * PITCH_PX / pitch_px) for side in flat.shape[1::-1])
        small = np.asarray(cv2.resize(flat, size, interpolation=cv2.INTER_AREA), np.uint8)
    calm = cv2.GaussianBlur(small.astype(np.float32) + 1, (0, 0), 1.0)
    # Closing keeps the edge of a shadow where it is; ink, even a black coat, is narrower than its reach.
    white = cv2.morphologyEx(calm, cv2.MORPH_CLOSE, np.ones((_WIDEST_INK, _WIDEST_INK), np.uint8))
    white = cv2.GaussianBlur(white, (0, 0), 3.0)
    return np.asarray(white if small is flat else cv2.resize(white, (flat.shape[1], flat.shape[0])))
