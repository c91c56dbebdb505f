"""The outlines of things that lie over a domino, in the domino's own measure.

In it the domino reaches from 0 to 2 along and from 0 to 1 across.
"""

import math
from typing import Any

import cv2
import numpy as np

from training.examples import Floats, Picture, Rng
from vision.pieces.patches import carried

OWN: Floats = np.array([(0, 0), (2, 0), (2, 1), (0, 1)], dtype=float)
"""A domino's corners in its own measure."""


def to_picture(corners: Floats) -> Floats:
    """The matrix from a domino's own measure to where its corners are."""
    return np.asarray(
        cv2.getPerspectiveTransform(OWN.astype(np.float32), corners.astype(np.float32)), dtype=float
    )


def filled(like: Any, outline: Floats) -> Any:
    """A mask as large as a picture, 1 within the outline."""
    mask = np.zeros(like.shape[:2], np.float32)
    cv2.fillPoly(mask, [np.round(outline * 16).astype(np.int32)], 1.0, cv2.LINE_AA, 4)
    return mask


def grown(corners: Floats, by: float) -> Floats:
    """The outline of a domino with so much around it."""
    return np.asarray(carried(OWN + np.sign(OWN - (1, 0.5)) * by, to_picture(corners)))


def thing(part: Picture, corners: Floats, rng: Rng) -> Any:
    """Where a thing lies that covers some of a domino, its edge as soft as a picture is."""
    draw = (_strip, _strip, _strip, _sheet, _finger, _round)[int(rng.integers(6))]
    mask = filled(part, carried(draw(rng), to_picture(corners)))
    return cv2.GaussianBlur(mask, (0, 0), float(rng.uniform(0.3, 1.3)))


def _strip(rng: Rng) -> Floats:
    """From one of the four sides over a share of the domino, mostly straight, reaching beyond it."""
    share = float(rng.uniform(0.12, 0.85) if rng.random() < 0.7 else rng.normal(0.5, 0.06))
    beyond = np.exp(rng.uniform(math.log(0.03), math.log(2.5 if rng.random() < 0.5 else 0.4), 3))
    if rng.random() < 0.5:  # from the left
        box = np.array([(-beyond[0], -beyond[1]), (2 * share, -beyond[1]), (2 * share, 1 + beyond[2]),
                        (-beyond[0], 1 + beyond[2])])  # fmt: skip
    else:
        box = np.array([(-beyond[0], -beyond[1]), (2 + beyond[2], -beyond[1]), (2 + beyond[2], share),
                        (-beyond[0], share)])  # fmt: skip
    turn = float(rng.normal(0, 3) if rng.random() < 0.7 else rng.uniform(-30, 30))
    box = turned(box, box[1:3].mean(axis=0), turn)
    box = box + rng.normal(0, 0.02, (4, 2))
    return turned(box, np.array([1.0, 0.5]), 180.0 * int(rng.integers(2)))


def _sheet(rng: Rng) -> Floats:
    """A corner or a side of something large, from anywhere."""
    size = rng.uniform((0.8, 0.8), (5, 5))
    box = np.array([(0, 0), (1, 0), (1, 1), (0, 1)]) * size
    if rng.random() < 0.6:
        box[:, 1] -= rng.uniform(0, size[1])
    tip = rng.uniform((0.1, 0.05), (1.9, 0.95))
    return turned(box + tip, tip, float(rng.uniform(0, 360)))


def _finger(rng: Rng) -> Floats:
    """Long and round at the end."""
    wide = float(rng.uniform(0.3, 0.9))
    bow = np.radians(np.linspace(90, 270, 13))
    tip = np.column_stack([np.cos(bow), np.sin(bow)]) * (wide / 2 * float(rng.uniform(0.8, 1.4)), wide / 2)
    far = float(rng.uniform(2, 5))
    shape = np.concatenate([tip, [(far, -wide * 0.6), (far, wide * 0.6)]])
    at = rng.uniform((0.1, 0.0), (1.9, 1.0))
    return turned(shape + at, at, float(rng.uniform(0, 360)))


def _round(rng: Rng) -> Floats:
    """A coin, a cap, a man on a foot: most of a half, or a part of it."""
    turn = np.linspace(0, 2 * math.pi, 40, endpoint=False)
    bent = (
        1
        + rng.normal(0, 0.12) * np.cos(2 * turn + rng.uniform(0, 6))
        + rng.normal(0, 0.05) * np.cos(3 * turn)
    )
    radius = float(rng.uniform(0.3, 0.85)) * bent
    at = rng.uniform((0.0, 0.1), (2.0, 0.9))
    return np.asarray(at + np.column_stack([np.cos(turn), np.sin(turn)]) * radius[:, None])


def turned(points: Floats, about: Floats, degrees: float) -> Floats:
    """Points after a turn about one of them."""
    c, s = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    return np.asarray((points - about) @ np.array([(c, s), (-s, c)]) + about)
