"""Things that lie over a part of a patch: fingers, cards, cloth and other pieces.

What is hidden keeps its answer: from how often a guess fails, a network learns how little it can know.
"""

import math
from typing import Any

import cv2
import numpy as np

from training.examples import Floats, Picture, Rng


def covered(flat: Picture, rng: Rng, outline: Floats, other: Picture | None = None) -> tuple[Picture, float]:
    """The patch with something over a part of it: a plain colour, or what ``other`` shows.

    Told with it is the share of the outline (n×2) that is still seen.
    """
    rows, columns = flat.shape[:2]
    mask: Any = np.zeros((rows, columns), np.float32)
    angle = float(rng.uniform(0, 2 * math.pi))
    way = np.array([math.cos(angle), math.sin(angle)])
    middle = np.array([columns, rows]) / 2
    reach = float(np.abs(way) @ middle)
    # From just over the rim to most of the patch.
    tip = middle + way * reach * float(rng.uniform(-0.35, 0.75))
    if rng.random() < 0.5:
        thick = float(rng.uniform(0.15, 0.6)) * rows
        end = tip + way * 3 * reach + rng.normal(0, 0.3 * reach, 2)
        cv2.line(mask, _pixel(tip + way * thick / 2), _pixel(end), 1.0, max(2, round(thick)))
    else:
        across = np.array([-way[1], way[0]]) * 4 * reach
        bend = rng.normal(0, 0.12 * reach, 2)
        corners = np.stack([tip - across, tip + bend, tip + across, tip + across + 8 * reach * way,
                            tip - across + 8 * reach * way])  # fmt: skip
        cv2.fillPoly(mask, [np.round(corners).astype(np.int32)], 1.0)
    mask = cv2.GaussianBlur(mask, (0, 0), float(rng.uniform(0.4, 1.4)))[:, :, None]
    over: Any = other
    if over is None or over.shape != flat.shape:
        slope = np.linspace(0, float(rng.normal(0, 40)), columns, dtype=np.float32)[None, :, None]
        over = rng.uniform(10, 245, 3).astype(np.float32) + slope
        over = over + rng.normal(0, rng.uniform(0, 8), flat.shape).astype(np.float32)
    else:
        over = np.roll(over, int(rng.integers(columns)), axis=1).astype(np.float32)
    mixed = flat * (1 - mask) + np.clip(over, 0, 255) * mask
    piece = np.zeros((rows, columns), np.float32)
    cv2.fillPoly(piece, [np.round(outline).astype(np.int32)], 1.0)
    seen = 1 - float((mask[:, :, 0] * piece).sum()) / max(1.0, float(piece.sum()))
    return np.asarray(np.round(mixed), dtype=np.uint8), seen


def _pixel(point: Any) -> tuple[int, int]:
    return round(float(point[0])), round(float(point[1]))
