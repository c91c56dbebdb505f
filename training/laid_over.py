"""Things laid over a domino in a picture, or close beside it: paper, cards, cloth, fingers, other dominoes.

What lies beside a domino, and what only throws a shadow or shines on it, hides nothing: a network is to learn
the difference.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import cv2
import numpy as np

from training.examples import Floats, Picture, Rng, Target
from training.outlines import OWN, filled, grown, thing, to_picture, turned
from vision.pieces.patches import carried

_AROUND = 1.9
"""So many lengths of a domino are cut out around it."""
_LONGEST_PX = 110.0
"""More of a domino than this its patch does not show."""
_SKIN = np.array([(125, 150, 205), (80, 105, 160), (45, 60, 95), (150, 175, 225)], dtype=float)
_OFTEN_OVER, _OFTEN_BESIDE, _OFTEN_SHADE = 0.55, 0.17, 0.1


@dataclass(frozen=True)
class LaidOver:
    """A part of a picture with something in it, the domino's corners there, and what is seen of each half."""

    picture: Picture
    corners: Floats
    seen: tuple[float, float]
    mask: Any
    """Where something lies, 0 … 1."""


def untouched(picture: Picture, one: Target) -> LaidOver:
    """The surroundings of a domino as they are."""
    part, corners = around(picture, one.corners)
    return LaidOver(part, corners, (1.0, 1.0), np.zeros(part.shape[:2], np.float32))


def laid(picture: Picture, one: Target, others: Sequence[Target], rng: Rng) -> LaidOver:
    """The surroundings of a domino with something over it, beside it, or nothing more than before."""
    plain, way = untouched(picture, one), rng.random()
    if way > _OFTEN_OVER + _OFTEN_BESIDE + _OFTEN_SHADE:
        return plain
    part, corners = plain.picture, plain.corners
    mask = thing(part, corners, rng)
    if way > _OFTEN_OVER + _OFTEN_BESIDE:
        return replace(plain, picture=_in_shade(part, mask, rng))
    if way > _OFTEN_OVER:
        mask = mask * (1 - filled(part, grown(corners, float(rng.uniform(0.0, 0.04)))))
    spoilt = _with_thing(part, mask, corners, picture, others, rng)
    return LaidOver(spoilt, corners, seen_of(mask, corners), mask)


def around(picture: Picture, corners: Floats) -> tuple[Picture, Floats]:
    """A copy of the picture around a domino, and the domino's corners in it."""
    reach = _AROUND / 2 * float(np.linalg.norm(corners[1] - corners[0]))
    rows, columns = picture.shape[:2]
    middle = corners.mean(axis=0)
    x0, y0 = (int(v) for v in np.clip(middle - reach, 0, (columns - 8, rows - 8)))
    x1, y1 = (int(v) for v in np.clip(middle + reach, (x0 + 8, y0 + 8), (columns, rows)))
    part, there = picture[y0:y1, x0:x1].copy(), corners - (x0, y0)
    smaller = _LONGEST_PX * _AROUND / 2 / reach
    if smaller > 0.8:
        return part, there
    part = np.asarray(cv2.resize(part, None, fx=smaller, fy=smaller, interpolation=cv2.INTER_AREA), np.uint8)
    return part, (there + 0.5) * smaller - 0.5


def seen_of(mask: Any, corners: Floats) -> tuple[float, float]:
    """The share of each half that a mask leaves open."""
    out = []
    for left in (0.0, 1.0):
        half = filled(mask, carried(OWN / (2, 1) + (left, 0), to_picture(corners)))
        out.append(1 - float((mask * half).sum()) / max(1.0, float(half.sum())))
    return out[0], out[1]


def _with_thing(
    part: Picture, mask: Any, corners: Floats, picture: Picture, others: Sequence[Target], rng: Rng
) -> Picture:
    """The part of a picture with a thing where the mask is, and mostly its shadow."""
    ground = part.astype(np.float32)
    if rng.random() < 0.6:
        width = float(np.linalg.norm(corners[3] - corners[0]))
        away = rng.normal(0, 0.05 * width, 2)
        shift = np.array([(1, 0, away[0]), (0, 1, away[1])])
        shade = cv2.warpAffine(mask, shift, mask.shape[::-1], borderMode=cv2.BORDER_REPLICATE)
        shade = cv2.GaussianBlur(shade, (0, 0), max(0.5, float(rng.uniform(0.01, 0.15)) * width))
        shade = shade if mask.max() > 0 else 0 * shade
        ground = ground * (1 - np.float32(rng.uniform(0.1, 0.6)) * shade[:, :, None])
    over = _looks(part, corners, picture, others, rng)
    mixed = ground * (1 - mask[:, :, None]) + np.clip(over, 0, 255) * mask[:, :, None]
    return np.asarray(np.round(np.clip(mixed, 0, 255)), dtype=np.uint8)


def _looks(part: Picture, corners: Floats, picture: Picture, others: Sequence[Target], rng: Rng) -> Any:
    """What a thing shows: plain, printed, or a piece of the picture."""
    way = rng.random()
    if way < 0.12 and others:
        return _another(part, corners, picture, others[int(rng.integers(len(others)))], rng)
    if way < 0.3:
        return _cloth(part, picture, rng)
    rows, columns = part.shape[:2]
    y, x = np.mgrid[-1 : 1 : rows * 1j, -1 : 1 : columns * 1j].astype(np.float32)
    slope = np.float32(rng.normal(0, 0.08)) * x + np.float32(rng.normal(0, 0.08)) * y
    out = _plain(part, corners, rng).astype(np.float32) * (1 + slope)[:, :, None]
    grain = rng.normal(0, 1, (rows, columns, 1)).astype(np.float32)
    out = out + grain * np.float32(rng.uniform(0, 5))
    spots = rng.normal(0, 1, (6, 6)).astype(np.float32)
    coarse = cv2.resize(spots, (columns, rows), interpolation=cv2.INTER_CUBIC)
    out = out + coarse[:, :, None] * np.float32(max(0.0, rng.normal(0, 4)))
    return _printed(out, corners, rng) if rng.random() < 0.25 else out


def _plain(part: Picture, corners: Floats, rng: Rng) -> Floats:
    """A colour: any, paper's, skin's, or nearly that of the domino itself, which is the hardest."""
    way = rng.random()
    if way < 0.4:
        inner = part[filled(part, corners) > 0.5]
        own = np.median(inner, axis=0) if len(inner) else np.full(3, 200.0)
        return np.asarray(own * float(rng.normal(1, 0.12)) + rng.normal(0, 8, 3))
    if way < 0.65:
        return np.asarray(rng.uniform(120, 250) + np.array([-0.5, 0.1, 0.4]) * rng.normal(12, 14))
    if way < 0.75:
        return np.asarray(_SKIN[int(rng.integers(len(_SKIN)))] * rng.uniform(0.6, 1.2) + rng.normal(0, 8, 3))
    return np.asarray(rng.uniform(10, 245, 3))


def _printed(out: Any, corners: Floats, rng: Rng) -> Any:
    """Lines or spots of another colour, as a card or a ruled sheet has."""
    ink = tuple(float(v) for v in rng.uniform(0, 230, 3))
    width = float(np.linalg.norm(corners[3] - corners[0]))
    rows, columns = out.shape[:2]
    out = np.ascontiguousarray(out, dtype=np.float32)
    thick = max(1, round(width * float(rng.uniform(0.02, 0.08))))
    if rng.random() < 0.5:
        step = width * float(rng.uniform(0.2, 0.8))
        angle = float(rng.uniform(0, math.pi))
        way = np.array([math.cos(angle), math.sin(angle)])
        middle = np.array([columns, rows]) / 2
        for k in range(-6, 7):
            at = middle + np.array([-way[1], way[0]]) * step * k
            cv2.line(out, _pixel(at - way * 900), _pixel(at + way * 900), ink, thick, cv2.LINE_AA)
        return out
    for _ in range(int(rng.integers(2, 14))):
        at = rng.uniform((0, 0), (columns, rows))
        cv2.circle(
            out, _pixel(at), max(1, round(width * float(rng.uniform(0.03, 0.2)))), ink, -1, cv2.LINE_AA
        )
    return out


def _cloth(part: Picture, picture: Picture, rng: Rng) -> Any:
    """Any other place of the picture, in its own light."""
    rows, columns = part.shape[:2]
    y = int(rng.integers(max(1, picture.shape[0] - rows + 1)))
    x = int(rng.integers(max(1, picture.shape[1] - columns + 1)))
    return picture[y : y + rows, x : x + columns].astype(np.float32) * np.float32(rng.normal(1, 0.15))


def _another(part: Picture, corners: Floats, picture: Picture, other: Target, rng: Rng) -> Any:
    """Another piece of the picture, as large as the domino and turned anyhow, repeated on all sides."""
    side = float(np.linalg.norm(corners[1] - corners[0]))
    turn = turned(OWN - (1, 0.5), np.zeros(2), float(rng.uniform(0, 360))) * side / 2
    to = turn + rng.uniform(corners.min(axis=0), corners.max(axis=0))
    matrix = cv2.getPerspectiveTransform(other.corners.astype(np.float32), to.astype(np.float32))
    return cv2.warpPerspective(
        picture, matrix, part.shape[1::-1], flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT
    ).astype(np.float32)


def _in_shade(part: Picture, mask: Any, rng: Rng) -> Picture:
    """A shadow or a gleam with the outline of a thing that lies elsewhere."""
    soft = cv2.GaussianBlur(mask, (0, 0), float(rng.uniform(0.5, 6)))[:, :, None]
    work = part.astype(np.float32)
    if rng.random() < 0.7:
        work = work * (1 - soft * np.float32(rng.uniform(0.15, 0.7)))
    else:
        work = work + soft * np.float32(rng.uniform(15, 90))
    return np.asarray(np.clip(work, 0, 255), dtype=np.uint8)


def _pixel(point: Any) -> tuple[int, int]:
    return round(float(point[0])), round(float(point[1]))
