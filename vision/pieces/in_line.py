"""Dominoes lie in lines: where an open one ends, another may begin that the finder did not see by itself.

In a line of small tiles two can look like one of twice their size. So in a photo without a measured table,
where several dominoes say how large one is, the places that touch an open one are looked at, as far as they
have its colour and nothing was read there.
"""

import math
from collections.abc import Iterator, Sequence
from itertools import chain, product

import numpy as np

from vision.pieces.finder import Spotted, overlap
from vision.pieces.patches import Floats, Picture, body_colour
from vision.pieces.read import Read

_CLEAR = 0.9
_MANY = 3
_AS_LONG = 1.15
_TAKEN = 0.15
_LIKE = 18.0
_AWAY = 0.25
"""So far, in shares of its length, may lie what is read from where it was looked for."""


def gone_on(picture: Picture, pieces: Sequence[Read]) -> list[Spotted]:
    """Free places that touch an open domino and look like more of it, as if the finder had seen them."""
    usual = _of_a_size(pieces)
    if not usual:
        return []
    colours = np.array([one.colour for one in usual])
    spots: list[Spotted] = []
    for spot in chain.from_iterable(map(_around, usual)):
        place = spot.corners
        if not _is_in(picture, place) or any(overlap(place, other.corners) > _TAKEN for other in pieces):
            continue
        colour = np.asarray(body_colour(picture, place))
        near = float(np.linalg.norm(colours - colour, axis=1).min()) < _LIKE
        if near and not any(overlap(place, other.corners) > 1 - _TAKEN for other in spots):
            spots.append(spot)
    return spots


def lying_there(pieces: Sequence[Read], spots: Sequence[Spotted], found: Sequence[Read]) -> list[Read]:
    """What was read in such places, as far as it is clear, is as large as the others, and has room."""
    usual = _of_a_size(pieces)
    clear = [
        one
        for one in found
        if _is_clear(one)
        and any(_is_as_long(one, other) for other in usual)
        and any(math.dist(one.middle, (spot.x, spot.y)) < _AWAY * one.length for spot in spots)
        and not any(overlap(one.corners, other.corners) > _TAKEN for other in pieces)
    ]
    kept: list[Read] = []
    for one in sorted(clear, key=lambda one: -one.confidence):
        if not any(overlap(one.corners, other.corners) > _TAKEN for other in kept):
            kept.append(one)
    return kept


def making_room(pieces: Sequence[Read], more: Sequence[Read]) -> list[Read]:
    """All together, without what seemed to lie across several of them and is of another size."""
    across = [
        one
        for one in pieces
        if any(overlap(one.corners, other.corners) > _TAKEN and not _is_as_long(one, other) for other in more)
    ]
    return [*(one for one in pieces if not any(one is other for other in across)), *more]


def _of_a_size(pieces: Sequence[Read]) -> list[Read]:
    """The clear open dominoes that are about as long as most of them, where these are several."""
    clear = [one for one in pieces if _is_clear(one) and one.colour is not None]
    if len(clear) < _MANY:
        return []
    usual = float(np.median([one.length for one in clear]))
    alike = [one for one in clear if 1 / _AS_LONG < one.length / usual < _AS_LONG]
    return alike if len(alike) >= _MANY else []


def _is_clear(one: Read) -> bool:
    return one.kind == "domino" and one.face == "up" and one.value is not None and one.confidence > _CLEAR


def _is_as_long(one: Read, other: Read) -> bool:
    return 1 / _AS_LONG < one.length / other.length < _AS_LONG


def _around(one: Read) -> Iterator[Spotted]:
    """Where a domino of this size may touch this one: end to end, across an end, with an end at a side."""
    p = one.corners
    along, across = (p[1] - p[0] + p[2] - p[3]) / 2, (p[3] - p[0] + p[2] - p[1]) / 2
    half_on, half_over = along / 2, across / 2
    turned = math.degrees(math.atan2(along[1], along[0]))
    ahead, aside = along / np.linalg.norm(along), across / np.linalg.norm(across)
    long, wide = float(np.linalg.norm(along)), float(np.linalg.norm(across))
    for side in (-1, 1):
        yield _spot(one, one.middle + side * along, long, wide, turned)
    for side, shift in product((-1, 1), (-1, 0, 1)):
        end = one.middle + side * (half_on + ahead * wide / 2) + shift * aside * long / 4
        yield _spot(one, end, long, wide, turned + 90)
        beside = one.middle + side * (half_over + aside * long / 2) + shift * ahead * long / 4
        yield _spot(one, beside, long, wide, turned + 90)


def _spot(one: Read, at: Floats, long: float, wide: float, turned: float) -> Spotted:
    return Spotted("domino", float(at[0]), float(at[1]), long, wide, turned, one.spotted)


def _is_in(picture: Picture, corners: Floats) -> bool:
    high, wide = picture.shape[:2]
    return bool((corners >= 0).all() and (corners < (wide, high)).all())
