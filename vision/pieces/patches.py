"""Pieces cut out of a picture and laid flat, as the readers want them."""

import math
from typing import Any, TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

Floats: TypeAlias = NDArray[np.float64]
Picture: TypeAlias = NDArray[np.uint8]
Colour: TypeAlias = tuple[float, float, float]
"""In CIE Lab."""
Body: TypeAlias = tuple[Colour, float]
"""Of which colour a piece is, and how unlike its middle it looks along its long sides (CIE Lab)."""


def framed(size: tuple[float, float], rim: tuple[float, float]) -> Floats:
    """The corners of what fills a patch of this size (wide, high) but for a rim to each side."""
    (right, foot), (left, top) = (size[0] - rim[0], size[1] - rim[1]), rim
    return np.array([(left, top), (right, top), (right, foot), (left, foot)], dtype=float)


DOMINO_SIZE = (128, 72)
DOMINO_CORNERS = framed(DOMINO_SIZE, (12, 10))
"""Where a domino's corners lie in its patch: half ``a`` to the left."""
SMALL_SIZE = (64, 64)
SMALL_CORNERS = framed(SMALL_SIZE, (12, 12))
"""Where the square around a small piece lies in its patch."""
_COARSE = 1.6
_COLOUR_SIZE = (16, 8)


def rectangle(x: float, y: float, length: float, width: float, angle_deg: float) -> Floats:
    """The corners of a rectangle, in the order of a patch's; the angle turns as pixels do, clockwise."""
    c, s = math.cos(math.radians(angle_deg)), math.sin(math.radians(angle_deg))
    along, across = np.array([c, s]) * length / 2, np.array([-s, c]) * width / 2
    middle = np.array([x, y])
    return np.array(
        [middle - along - across, middle + along - across, middle + along + across, middle - along + across]
    )


def cut(picture: Picture, corners: Floats, places: Floats, size: tuple[int, int]) -> tuple[Picture, Floats]:
    """The patch whose ``places`` show the ``corners`` of the picture, and the matrix from picture to patch.

    A large piece is made smaller by averaging first, so that no pattern of its pixels can look like pips.
    """
    matrix: Floats = np.asarray(
        cv2.getPerspectiveTransform(corners.astype(np.float32), places.astype(np.float32)), dtype=float
    )
    shrink = float(np.linalg.norm(corners[1] - corners[0]) / np.linalg.norm(places[1] - places[0]))
    source, to_source = picture, np.eye(3)
    if shrink > _COARSE:
        rim = inverse(matrix) @ np.array(
            [[0, size[0], size[0], 0], [0, 0, size[1], size[1]], [1, 1, 1, 1]], dtype=float
        )
        rim = rim[:2] / rim[2]
        rows, columns = picture.shape[:2]
        x0, y0 = (int(v) for v in np.clip(np.floor(rim.min(axis=1)) - 2, 0, (columns - 2, rows - 2)))
        x1, y1 = (int(v) for v in np.clip(np.ceil(rim.max(axis=1)) + 2, (x0 + 2, y0 + 2), (columns, rows)))
        wide, high = max(1, round((x1 - x0) / shrink)), max(1, round((y1 - y0) / shrink))
        source = np.asarray(
            cv2.resize(picture[y0:y1, x0:x1], (wide, high), interpolation=cv2.INTER_AREA), dtype=np.uint8
        )
        fx, fy = wide / (x1 - x0), high / (y1 - y0)
        to_source = np.array([[fx, 0, (0.5 - x0) * fx - 0.5], [0, fy, (0.5 - y0) * fy - 0.5], [0, 0, 1]])
    flat: Any = cv2.warpPerspective(
        source,
        matrix @ inverse(to_source),
        size,
        flags=cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_REPLICATE,
    )
    return flat, matrix


def body_colour(picture: Picture, corners: Floats) -> Colour:
    """The colour of most of a domino's upper side; pips, bar and glare are the lesser part."""
    return body_and_rim(picture, corners)[0]


def body_and_rim(picture: Picture, corners: Floats) -> Body:
    """The same, and how its long sides look: what is too slim has cloth there."""
    lab = body(picture, corners)
    light, green_red, blue_yellow = np.median(lab.reshape(-1, 3), axis=0)
    middle = np.median(lab[2:-2].reshape(-1, 3), axis=0)
    rims = [np.median(lab[row], axis=0) for row in (0, -1)]
    away = float(max(np.linalg.norm(rim - middle) for rim in rims))
    return (float(light), float(green_red), float(blue_yellow)), away


def body(picture: Picture, corners: Floats) -> Floats:
    """The upper side of a domino in few large dots (CIE Lab)."""
    across, down = _COLOUR_SIZE
    flat, _ = cut(picture, corners, framed((across - 1, down - 1), (-1, -1)), _COLOUR_SIZE)
    return np.asarray(cv2.cvtColor(flat.astype(np.float32) / 255, cv2.COLOR_BGR2Lab), dtype=float)


def inverse(matrix: Floats) -> Floats:
    """The way back."""
    return np.asarray(np.linalg.inv(matrix), dtype=float)


def carried(points: Floats, matrix: Floats) -> Floats:
    """Points (n×2) through a perspective matrix."""
    out = np.column_stack([points, np.ones(len(points))]) @ matrix.T
    return np.asarray(out[:, :2] / out[:, 2:])
