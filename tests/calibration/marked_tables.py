"""Coloured photos of pieces between markers, for the tests of what is learned from photos."""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.aruco import picture
from calibration.camera import Camera
from calibration.mats import MarkerPlace

Rgb = tuple[int, int, int]
SCALE = 3.0
SIZE_MM = (700.0, 500.0)


@dataclass(frozen=True)
class Tile:
    """A domino lying on the table."""

    centre_mm: tuple[float, float]
    angle_deg: float
    pips: tuple[int, int]


@dataclass(frozen=True)
class Maker:
    """A make of dominoes or coins."""

    size_mm: tuple[float, float]
    height_mm: float
    body: Rgb
    pip_colours: tuple[Rgb, ...]
    is_disc: bool = False


SPOTS = [(0, 0), (1, 1), (-1, -1), (1, -1), (-1, 1), (1, 0), (-1, 0), (0, 1), (0, -1)]
PLACES = {0: [], 1: [0], 2: [1, 2], 3: [0, 1, 2], 4: [1, 2, 3, 4], 5: [0, 1, 2, 3, 4], 6: [1, 2, 3, 4, 5, 6]}
PLACES |= {7: [0, *PLACES[6]], 8: [1, 2, 3, 4, 5, 6, 7, 8], 9: [0, 1, 2, 3, 4, 5, 6, 7, 8]}


def photo(
    camera: Camera,
    markers: Sequence[MarkerPlace],
    tiles: Sequence[Tile],
    maker: Maker,
    *,
    table: Rgb = (40, 90, 50),
    seed: int = 0,
) -> NDArray[np.uint8]:
    """A photo (BGR) of the tiles among the markers, with grain and a little blur."""
    rng = np.random.default_rng(seed)
    ground = np.full((*_raster()[::-1], 3), table[::-1], dtype=np.uint8)
    for place in markers:
        _lay_marker(ground, place)
    faces = np.zeros_like(ground)
    covered = np.zeros(ground.shape[:2], dtype=np.uint8)
    for tile in tiles:
        _lay_tile(faces, covered, tile, maker)
    size = camera.lens.size_px
    seen = cv2.warpPerspective(ground, _homography(camera, 0.0), size, borderValue=table[::-1])
    top = _homography(camera, maker.height_mm)
    over = cv2.warpPerspective(faces, top, size)
    share = cv2.warpPerspective(covered, top, size)[..., None] / 255.0
    blended = seen * (1 - share) + over * np.minimum(share, 1)
    soft = cv2.GaussianBlur(blended, (0, 0), 0.6) + rng.normal(0, 2.0, blended.shape)
    return np.clip(soft, 0, 255).astype(np.uint8)


def scattered(count: int, highest: int, seed: int = 0) -> list[Tile]:
    """Tiles well apart from one another; the first shows the highest value."""
    rng = np.random.default_rng(seed)
    spots = [(x, y) for x in (-180, -90, 0, 90, 180) for y in (-110, 0, 110)]
    chosen = [spots[i] for i in rng.permutation(len(spots))[:count]]
    tiles = [
        Tile(
            spot,
            float(rng.uniform(-90, 90)),
            (int(rng.integers(highest + 1)), int(rng.integers(highest + 1))),
        )
        for spot in chosen
    ]
    first = tiles[0]
    return [Tile(first.centre_mm, first.angle_deg, (highest, highest)), *tiles[1:]]


def _raster() -> tuple[int, int]:
    return round(SIZE_MM[0] * SCALE), round(SIZE_MM[1] * SCALE)


def _at(x: float, y: float) -> tuple[float, float]:
    return (x + SIZE_MM[0] / 2) * SCALE - 0.5, (SIZE_MM[1] / 2 - y) * SCALE - 0.5


def _homography(camera: Camera, height_mm: float) -> NDArray[np.float64]:
    w, d = SIZE_MM[0] / 2, SIZE_MM[1] / 2
    corners = [(-w, d), (w, d), (w, -d), (-w, -d)]
    start = np.array([_at(x, y) for x, y in corners], dtype=np.float32)
    return cv2.getPerspectiveTransform(start, camera.to_pixels(corners, height_mm).astype(np.float32))


def _lay_marker(ground: NDArray[np.uint8], place: MarkerPlace) -> None:
    cell = round(place.side_mm / 6 * SCALE * 2)
    marker = np.pad(picture(place.number, cell), round(7 * SCALE * 2), constant_values=255)
    half = len(marker) / (place.side_mm + 14) * (place.side_mm + 14) / 2
    x, y = _at(*place.centre_mm)
    scale = place.side_mm * SCALE / (6 * cell)
    matrix = np.array([[scale, 0, x - scale * (half - 0.5)], [0, scale, y - scale * (half - 0.5)]])
    size = ground.shape[1::-1]
    paper = cv2.warpAffine(marker, matrix, size, flags=cv2.INTER_AREA)
    where = cv2.warpAffine(np.full_like(marker, 255), matrix, size)[..., None] / 255.0
    ground[:] = np.rint(ground * (1 - where) + paper[..., None] * where).astype(np.uint8)


def _lay_tile(faces: NDArray[np.uint8], covered: NDArray[np.uint8], tile: Tile, maker: Maker) -> None:
    length, width = maker.size_mm
    turn = np.radians(tile.angle_deg)
    c, s = np.cos(turn), np.sin(turn)

    def point(u: float, v: float) -> tuple[int, int]:
        x, y = _at(tile.centre_mm[0] + u * c - v * s, tile.centre_mm[1] + u * s + v * c)
        return round(x * 16), round(y * 16)

    if maker.is_disc:
        for picture_, colour in ((faces, maker.body[::-1]), (covered, 255)):
            radius = round((length - 1 / SCALE) / 2 * SCALE * 16)
            cv2.circle(picture_, point(0, 0), radius, colour, -1, cv2.LINE_AA, 4)
    else:
        signs = ((-1, -1), (1, -1), (1, 1), (-1, 1))
        # OpenCV draws the rim half a pixel outside what is filled.
        long, wide = length - 1 / SCALE, width - 1 / SCALE
        outline = np.array([point(a * long / 2, b * wide / 2) for a, b in signs])
        cv2.fillPoly(faces, [outline], maker.body[::-1], cv2.LINE_AA, 4)
        cv2.fillPoly(covered, [outline], 255, cv2.LINE_AA, 4)
        bar = np.array([point(-0.4, -width * 0.42), point(0.4, -width * 0.42)])
        cv2.line(faces, bar[0], point(0, width * 0.42), (60, 60, 60), 2, cv2.LINE_AA, 4)
    for side, value in zip((-1, 1), tile.pips, strict=True):
        colour = maker.pip_colours[value % len(maker.pip_colours)][::-1]
        for index in PLACES[value]:
            dx, dy = SPOTS[index]
            u, v = side * length / 4 + dx * width * 0.27, dy * width * 0.27
            cv2.circle(faces, point(u, v), round(width * 0.085 * SCALE * 16), colour, -1, cv2.LINE_AA, 4)
