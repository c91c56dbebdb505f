"""The side of a pile of coins as the camera sees it aslant, laid flat from the rim of the top coin downwards.

The upper side is found by its far rim, as beyond that lies the table; the side goes down from the near one.
"""

import math

import cv2
import numpy as np

from calibration.camera import Camera
from vision.pieces.patches import Floats, Picture
from vision.pieces.piece_read import Read

USUAL_MM = 10.0
"""How high an upper side is taken to lie while nobody knows it: what is seen changes little with it."""
STEP_MM = 0.25
LAST_MM = 36.0
DEPTHS: Floats = np.arange(-2.0, LAST_MM + 0.1, STEP_MM)
"""How far below the rim the rows of a side lie, as if it never ended; the last show the table before it."""
_OTHER = 60.0
"""Colours further apart than this (CIE Lab) are simply others."""
_FRONT_DEG, _COLUMNS = 50.0, 33
_REAR_DEG, _POINTS = 98.0, 39
_SOFT_PX = 0.7


def px_a_mm_of_height(middle: Floats, camera: Camera) -> float:
    """How many pixels a millimetre of an upright side has, where it is seen at this point of the picture."""
    foot = camera.to_mm(middle[None], np.zeros(1))[:, :2]
    low, high = camera.to_pixels(np.repeat(foot, 2, axis=0), np.array([0.0, USUAL_MM]))
    return float(np.linalg.norm(high - low)) / USUAL_MM


def way_down(middle: Floats, camera: Camera) -> Floats:
    """The way in the picture from the middle of an upper side to what its side would end at, far below."""
    upper = camera.to_mm(middle[None], np.array([USUAL_MM]))[:, :2]
    return np.asarray(camera.to_pixels(upper, np.array([USUAL_MM - LAST_MM]))[0] - middle)


def side_of(picture: Picture, one: Read, camera: Camera) -> Floats:
    """The side of the pile that a coin tops (CIE Lab, a row a depth), all of which the picture shows."""
    reach = 1.2 * one.length + float(np.linalg.norm(way_down(one.middle, camera)))
    columns, rows = picture.shape[1], picture.shape[0]
    left, upper = (int(v) for v in np.clip(np.floor(one.middle - reach), 0, (columns, rows)))
    right, lower = (int(v) for v in np.clip(np.ceil(one.middle + reach), 0, (columns, rows)))
    around = _Around(picture[upper:lower, left:right], (left, upper), camera)
    return _unrolled(around, *_upper_side(around, one))


class _Around:
    """The part of a picture around a coin, and what it shows of points in the table's space."""

    def __init__(self, part: Picture, corner: tuple[int, int], camera: Camera) -> None:
        soft = cv2.GaussianBlur(np.asarray(part, dtype=np.float32) / 255, (0, 0), _SOFT_PX)
        self._lab = cv2.cvtColor(soft, cv2.COLOR_BGR2Lab)
        self._corner = np.array(corner, dtype=float)
        self.camera = camera

    def at(self, xy_mm: Floats, z_mm: Floats | float) -> Floats:
        """The colours (CIE Lab) seen at points (… × 2) so high."""
        heights = np.broadcast_to(z_mm, xy_mm.shape[:-1]).reshape(-1)
        pixels = (self.camera.to_pixels(xy_mm.reshape(-1, 2), heights) - self._corner).astype(np.float32)
        colours = [
            cv2.remap(self._lab, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
            for x, y in (np.hsplit(part, 2) for part in np.split(pixels, range(_MOST, len(pixels), _MOST)))
        ]
        return np.concatenate(colours).reshape(*xy_mm.shape[:-1], 3).astype(float)

    def middles_mm(self, middles: Floats) -> Floats:
        """Where an upper side lies whose middle is seen at each of these points (n×2)."""
        return np.asarray(self.camera.to_mm(middles, np.full(len(middles), USUAL_MM))[:, :2])


_MOST = 30_000
"""cv2.remap takes no more points in one column."""


def _upper_side(around: _Around, one: Read) -> tuple[Floats, float]:
    """The middle of the upper side in the picture, and its radius in millimetres."""
    start, beside = around.middles_mm(one.middle + np.array([(0.0, 0.0), (one.length / 2, 0.0)]))
    out = start - around.camera.pose.eye_mm[:2]
    rim = _arc(math.atan2(out[1], out[0]), _REAR_DEG, _POINTS)
    middle, radius = one.middle, float(np.linalg.norm(beside - start))
    for step_px, growth, count in ((1.0, 0.05, 2), (0.5, 0.025, 1), (0.25, 0.0125, 1)):
        steps = np.arange(-count, count + 1)
        middles = middle + step_px * np.array([(x, y) for x in steps for y in steps])
        radii = np.asarray(radius * (1 + growth * steps), dtype=float)
        contrast = _contrast(around, middles, radii, rim)
        k, j = np.unravel_index(int(contrast.argmax()), contrast.shape)
        middle, radius = middles[k], float(radii[j])
    return middle, radius


def _contrast(around: _Around, middles: Floats, radii: Floats, rim: Floats) -> Floats:
    """How much the colours on both sides of each rim differ (middles × radii)."""
    places = around.middles_mm(middles)
    off = max(0.45, 1.1 * float(around.camera.mm_per_px((float(places[0, 0]), float(places[0, 1])))))
    inner, outer = (
        around.at(places[:, None, None] + (radii[:, None, None] + away) * rim, USUAL_MM)
        for away in (-off, off)
    )
    return np.asarray(np.minimum(np.linalg.norm(inner - outer, axis=-1), _OTHER).mean(axis=-1))


def _unrolled(around: _Around, middle: Floats, radius: float) -> Floats:
    """The side that faces the camera, and the table before it."""
    place = around.middles_mm(middle[None])[0]
    to_eye = around.camera.pose.eye_mm[:2] - place
    front = place + radius * _arc(math.atan2(to_eye[1], to_eye[0]), _FRONT_DEG, _COLUMNS)
    return around.at(np.broadcast_to(front, (len(DEPTHS), _COLUMNS, 2)), (USUAL_MM - DEPTHS)[:, None])


def _arc(middle: float, half_deg: float, points: int) -> Floats:
    """Directions (n×2) around one, as far to both sides."""
    angles = middle + np.radians(np.linspace(-half_deg, half_deg, points))
    return np.column_stack([np.cos(angles), np.sin(angles)])
