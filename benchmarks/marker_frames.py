"""Pictures of markers and tiles on a table with exact truth, for the proofs of the geometry.

Light is summed over each pixel's area through the true lens, blurred as light, and only then exposed,
encoded and given noise, as in a camera. This is no handsome table (that is `simulation`): only what
measuring depends on is drawn, so that thousands of frames are cheap.
"""

from collections.abc import Callable
from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.aruco import MARKER_CELLS, Grey, cells
from calibration.camera import Camera, Floats
from calibration.mats import MARKER_MM, PAPER_MM, MarkerPlace

Light = NDArray[np.float32]
_FINE = 4
"""The light of a pixel is summed over this many points each way."""
_GRID_PX = 8
_PAPER_RIM_MM = 8


@dataclass(frozen=True)
class FrameLook:
    """How the light and the camera treat a picture."""

    exposure: float = 0.8
    """The share of full scale that white paper gets."""
    blur_px: float = 0.7
    noise: float = 0.01
    """Standard deviation of the read noise as a share of full scale, after encoding."""
    gamma: float = 2.2
    slope: tuple[float, float] = (0.0, 0.0)
    """By how much the light grows from the middle to the right and to the lower edge."""
    table_light: float = 0.25
    ink_light: float = 0.04


@dataclass(frozen=True)
class FlatBlock:
    """A rectangular thing lying on the table (a tile) or over it (a sleeve): its top face alone is drawn."""

    centre_mm: tuple[float, float]
    size_mm: tuple[float, float]
    angle_deg: float = 0.0
    height_mm: float = 0.0
    light: float = 0.9

    def own(self, points_mm: Floats) -> Floats:
        """Table points in the block's own frame."""
        turn = np.radians(self.angle_deg)
        c, s = np.cos(turn), np.sin(turn)
        return np.asarray((points_mm - self.centre_mm) @ np.array([[c, -s], [s, c]]))

    @property
    def corners_mm(self) -> Floats:
        """The four corners on the table, counter-clockwise."""
        turn = np.radians(self.angle_deg)
        c, s = np.cos(turn), np.sin(turn)
        w, d = self.size_mm[0] / 2, self.size_mm[1] / 2
        own = np.array([(-w, -d), (w, -d), (w, d), (-w, d)])
        return np.asarray(own @ np.array([[c, s], [-s, c]]) + self.centre_mm)


@dataclass(frozen=True)
class Scenery:
    """What lies on the table."""

    markers: tuple[MarkerPlace, ...]
    blocks: tuple[FlatBlock, ...] = field(default=())
    covers: tuple[FlatBlock, ...] = field(default=())


def draw(camera: Camera, scenery: Scenery, look: FrameLook, rng: np.random.Generator) -> Grey:
    """One grey frame."""
    return expose(shine(camera, scenery, look, rng), look, rng)


def shine(camera: Camera, scenery: Scenery, look: FrameLook, rng: np.random.Generator) -> Light:
    """The light that falls on each pixel; a still scene is exposed from it again and again."""
    width, height = camera.lens.size_px
    light = _table(width, height, look, rng)
    for marker in scenery.markers:
        _paint(light, camera, _paper_outline(marker), 0.0, _paper_light(marker, look.ink_light))
    for block in (*scenery.blocks, *scenery.covers):
        _paint(light, camera, block.corners_mm, block.height_mm, _block_light(block))
    return _sloped(light, look)


def expose(light: Light, look: FrameLook, rng: np.random.Generator) -> Grey:
    """Light as a camera's 8-bit grey picture."""
    if look.blur_px > 0:
        light = cv2.GaussianBlur(light, (0, 0), look.blur_px)
    encoded = cv2.pow(np.clip(light * np.float32(look.exposure), 0, 1), 1 / look.gamma)
    grain = rng.standard_normal(light.shape, dtype=np.float32)
    return cv2.convertScaleAbs(np.maximum(encoded + grain * np.float32(look.noise), 0), alpha=255)


def board_frame(
    camera: Camera, board: Grey, mm_per_cell: float, look: FrameLook, rng: np.random.Generator
) -> Grey:
    """A picture of a flat printed board whose drawing has one pixel for every ``mm_per_cell``."""
    width, height = camera.lens.size_px
    light = _table(width, height, look, rng)
    rows, columns = board.shape
    half = np.array([columns, rows]) * mm_per_cell / 2
    printed = np.where(board > 127, 1.0, look.ink_light).astype(np.float32)

    def shade(points: Floats) -> tuple[NDArray[np.bool_], Light]:
        x = ((points[..., 0] + half[0]) / mm_per_cell - 0.5).astype(np.float32)
        y = ((half[1] - points[..., 1]) / mm_per_cell - 0.5).astype(np.float32)
        paper = cv2.BORDER_CONSTANT
        drawn = cv2.remap(printed, x, y, cv2.INTER_LINEAR, borderMode=paper, borderValue=1.0)
        return (np.abs(points) <= half + _PAPER_RIM_MM).all(axis=-1), np.asarray(drawn)

    outline = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * (half + _PAPER_RIM_MM)
    # The board is drawn at about the picture's own scale, and its edges have two sides alike: one point a
    # pixel does.
    _paint(light, camera, outline, 0.0, shade, fine=1)
    return expose(_sloped(light, look), look, rng)


def still_frames(
    camera: Camera, scenery: Scenery, look: FrameLook, rng: np.random.Generator
) -> Callable[[], Grey]:
    """Frames of a still scene, cheaply: only around the markers is each frame exposed anew."""
    light = shine(camera, scenery, look, rng)
    first = expose(light, look, rng)
    spots = [_box(camera, _paper_outline(marker), 0.0, light.shape) for marker in scenery.markers]

    def frame() -> Grey:
        grey = first.copy()
        for x0, y0, x1, y1 in (spot for spot in spots if spot is not None):
            rim = 16
            left, top = max(x0 - rim, 0), max(y0 - rim, 0)
            fresh = expose(light[top : y1 + rim, left : x1 + rim], look, rng)
            grey[y0:y1, x0:x1] = fresh[y0 - top : y1 - top, x0 - left : x1 - left]
        return grey

    return frame


def _sloped(light: Light, look: FrameLook) -> Light:
    height, width = light.shape
    x = 1 + look.slope[0] * np.linspace(-1, 1, width, dtype=np.float32)
    y = 1 + look.slope[1] * np.linspace(-1, 1, height, dtype=np.float32)
    return light * (y[:, None] * x[None, :])


def _table(width: int, height: int, look: FrameLook, rng: np.random.Generator) -> Light:
    grain = rng.standard_normal((height // 40 + 2, width // 8 + 2), dtype=np.float32)
    wide = cv2.resize(grain, (width, height), interpolation=cv2.INTER_LINEAR)
    return np.asarray(look.table_light * (1 + 0.06 * wide), dtype=np.float32)


def _paper_outline(marker: MarkerPlace) -> Floats:
    half = marker.side_mm * PAPER_MM / MARKER_MM / 2
    return marker.to_table([(-half, -half), (half, -half), (half, half), (-half, half)])


Shade = Callable[[Floats], tuple[NDArray[np.bool_], Light]]


def _paper_light(marker: MarkerPlace, ink: float) -> Shade:
    pattern = cells(marker.number)
    cell = marker.side_mm / MARKER_CELLS
    half = marker.side_mm * PAPER_MM / MARKER_MM / 2
    turn = np.radians(marker.angle_deg)
    c, s = np.cos(turn), np.sin(turn)

    def shade(points: Floats) -> tuple[NDArray[np.bool_], Light]:
        own = (points - marker.centre_mm) @ np.array([[c, -s], [s, c]])
        column = np.floor(own[..., 0] / cell + MARKER_CELLS / 2).astype(int)
        row = np.floor(MARKER_CELLS / 2 - own[..., 1] / cell).astype(int)
        inside = (column >= 0) & (row >= 0) & (column < MARKER_CELLS) & (row < MARKER_CELLS)
        white = pattern[np.clip(row, 0, MARKER_CELLS - 1), np.clip(column, 0, MARKER_CELLS - 1)]
        return (np.abs(own) <= half).all(axis=-1), np.where(inside & ~white, ink, 1.0).astype(np.float32)

    return shade


def _block_light(block: FlatBlock) -> Shade:
    half = np.array(block.size_mm) / 2

    def shade(points: Floats) -> tuple[NDArray[np.bool_], Light]:
        covered = (np.abs(block.own(points)) <= half).all(axis=-1)
        return covered, np.full(covered.shape, block.light, dtype=np.float32)

    return shade


def _paint(
    light: Light, camera: Camera, outline_mm: Floats, height_mm: float, shade: Shade, fine: int = _FINE
) -> None:
    """Lay what ``shade`` says of the table points inside ``outline_mm`` over the light."""
    box = _box(camera, outline_mm, height_mm, light.shape)
    if box is None:
        return
    x0, y0, x1, y1 = box
    points = _fine_points(camera, box, height_mm, fine)
    mask, bright = shade(points)
    shape = (y1 - y0, fine, x1 - x0, fine)
    part = mask.reshape(shape).mean(axis=(1, 3), dtype=np.float32)
    sum_light = (bright * mask).reshape(shape).mean(axis=(1, 3), dtype=np.float32)
    patch = light[y0:y1, x0:x1]
    light[y0:y1, x0:x1] = patch * (1 - part) + sum_light


def _box(
    camera: Camera, outline_mm: Floats, height_mm: float, shape: tuple[int, ...]
) -> tuple[int, int, int, int] | None:
    """The pixels in which a table outline lies: left, top, right, bottom; None where it is not in sight."""
    around = camera.to_pixels(outline_mm, height_mm)
    if not np.isfinite(around).all():
        return None
    x0, y0 = np.maximum(np.floor(around.min(axis=0)).astype(int) - 3, 0)
    x1, y1 = np.minimum(np.ceil(around.max(axis=0)).astype(int) + 4, shape[::-1])
    return (int(x0), int(y0), int(x1), int(y1)) if x1 > x0 and y1 > y0 else None


def _fine_points(camera: Camera, box: tuple[int, int, int, int], height_mm: float, fine: int) -> Floats:
    """Table points of a fine raster over a pixel box; the lens is smooth, so a coarse grid is enough."""
    x0, y0, x1, y1 = box
    columns, rows = -(-(x1 - x0) // _GRID_PX) + 1, -(-(y1 - y0) // _GRID_PX) + 1
    gx, gy = np.meshgrid(x0 - 0.5 + np.arange(columns) * _GRID_PX, y0 - 0.5 + np.arange(rows) * _GRID_PX)
    grid = camera.to_mm(np.stack([gx, gy], axis=-1), height_mm).astype(np.float32)
    u = (np.arange((x1 - x0) * fine, dtype=np.float32) + 0.5) / fine / _GRID_PX
    v = (np.arange((y1 - y0) * fine, dtype=np.float32) + 0.5) / fine / _GRID_PX
    i, j = u.astype(int), v.astype(int)
    a, b = (u - i)[:, None], (v - j)[:, None, None]
    across = grid[:, i] * (1 - a) + grid[:, i + 1] * a
    below = across[j + 1] - across[j]
    return np.asarray(across[j] + below * b)
