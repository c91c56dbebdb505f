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
from vision.pieces.piece_read import CLEAR, Read

_MANY = 3
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
        if not _is_in(picture, place) or _is_taken(place, pieces):
            continue
        colour = np.asarray(body_colour(picture, place))
        near = float(np.linalg.norm(colours - colour, axis=1).min()) < _LIKE
        if near and not _is_taken(place, spots, 1 - _TAKEN):
            spots.append(spot)
    return spots


def lying_there(pieces: Sequence[Read], spots: Sequence[Spotted], found: Sequence[Read]) -> list[Read]:
    """What was read in such places, as far as it is clear, is as large as the others, and has room."""
    usual = _of_a_size(pieces)
    clear = [
        one
        for one in found
        if _is_clear(one)
        and any(one.is_as_long(other.length) for other in usual)
        and any(spot.is_within(_AWAY * one.length, one.middle) for spot in spots)
        and not _is_taken(one.corners, pieces)
    ]
    kept: list[Read] = []
    for one in sorted(clear, key=lambda one: -one.confidence):
        if not _is_taken(one.corners, kept):
            kept.append(one)
    return kept


def making_room(pieces: Sequence[Read], more: Sequence[Read]) -> list[Read]:
    """All together, without what seemed to lie across several of them and is of another size."""
    across = [
        one
        for one in pieces
        if _is_taken(one.corners, [other for other in more if not one.is_as_long(other.length)])
    ]
    return [*(one for one in pieces if not any(one is other for other in across)), *more]


def _of_a_size(pieces: Sequence[Read]) -> list[Read]:
    """The clear open dominoes that are about as long as most of them, where these are several."""
    clear = [one for one in pieces if _is_clear(one) and one.colour is not None]
    if len(clear) < _MANY:
        return []
    usual = float(np.median([one.length for one in clear]))
    alike = [one for one in clear if one.is_as_long(usual)]
    return alike if len(alike) >= _MANY else []


def _is_taken(place: Floats, others: Sequence[Read | Spotted], share: float = _TAKEN) -> bool:
    """Whether one of the others covers so much of a place."""
    return any(overlap(place, other.corners) > share for other in others)


def _is_clear(one: Read) -> bool:
    return one.is_open and one.confidence > CLEAR


def _around(one: Read) -> Iterator[Spotted]:
    """Where a domino of this size may touch this one: end to end, across an end, with an end at a side."""
    p, along = one.corners, one.along
    across = (p[3] - p[0] + p[2] - p[1]) / 2
    half_on, half_over = along / 2, across / 2
    turned = math.degrees(math.atan2(along[1], along[0]))
    ahead, aside = along / np.linalg.norm(along), across / np.linalg.norm(across)
    long, wide = float(np.linalg.norm(along)), float(np.linalg.norm(across))
    for side in (-1, 1):
        yield Spotted.at("domino", one.middle + side * along, long, wide, turned, one.spotted)
    for side, shift in product((-1, 1), (-1, 0, 1)):
        end = one.middle + side * (half_on + ahead * wide / 2) + shift * aside * long / 4
        beside = one.middle + side * (half_over + aside * long / 2) + shift * ahead * long / 4
        for middle in (end, beside):
            yield Spotted.at("domino", middle, long, wide, turned + 90, one.spotted)


def _is_in(picture: Picture, corners: Floats) -> bool:
    high, wide = picture.shape[:2]
    return bool((corners >= 0).all() and (corners < (wide, high)).all())
