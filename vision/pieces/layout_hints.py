"""How a piece lies to the dominoes and tiles around it: in a row, on a border, on top.

Walls stand on the border of two dominoes, backs go on in steps, men stand on tiles, coins on the board. The
numbers are some of those by which ``company`` weighs a reading.
"""

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from vision.pieces.patches import Floats

Which: TypeAlias = NDArray[np.intp]
"""Numbers of some of the places."""

_APART_MM, _STEP_MM = (20.0, 110.0), (18.0, 90.0)
"""How far apart two dominoes with one thing between them lie, and two neighbours in a row."""
_ON_MM = 4.0
_FAR_MM, _OFF_MM = 100.0, 30.0
"""What lies farther than this counts as this far."""


def hints(places: Floats, dominoes: NDArray[np.bool_], tiles: NDArray[np.bool_]) -> Floats:
    """A row of four numbers for each place (n×2 mm); of these places some are trusted dominoes or tiles.

    How far it lies from half-way between two dominoes, in how many directions a row of them goes on from it,
    and how far the next domino and the next tile lie.
    """
    laid = np.flatnonzero(dominoes)
    return np.column_stack(
        [
            _off_half_way(places, laid) / 10,
            np.log1p(_rows_from(places, laid)),
            _nearest(places, laid) / 50,
            _nearest(places, np.flatnonzero(tiles)) / 50,
        ]
    )


def _off_half_way(places: Floats, among: Which) -> Floats:
    first, second = np.triu_indices(len(among), 1)
    a, b = among[first], among[second]
    apart = np.linalg.norm(places[a] - places[b], axis=1)
    near = (apart > _APART_MM[0]) & (apart < _APART_MM[1])
    a, b = a[near], b[near]
    if not len(a):
        return np.full(len(places), _OFF_MM)
    off = np.linalg.norm((places[a] + places[b])[None] / 2 - places[:, None], axis=2)
    each = np.arange(len(places))[:, None]
    off[(each == a) | (each == b)] = _OFF_MM
    return np.asarray(np.minimum(off.min(axis=1), _OFF_MM))


def _rows_from(places: Floats, among: Which) -> Floats:
    """How often two dominoes follow a place in one line and in one step."""
    out = np.zeros(len(places))
    for k, place in enumerate(places):
        others = places[among[among != k]]
        away = np.linalg.norm(others - place, axis=1)
        near = others[(away > _STEP_MM[0]) & (away < _STEP_MM[1])]
        if len(near):
            beyond = np.linalg.norm((2 * near - place)[:, None] - others[None], axis=2).min(axis=1)
            out[k] = np.count_nonzero(beyond < _ON_MM)
    return out


def _nearest(places: Floats, among: Which) -> Floats:
    if not len(among):
        return np.full(len(places), _FAR_MM)
    away = np.linalg.norm(places[:, None] - places[among][None], axis=2)
    away[np.arange(len(places))[:, None] == among] = _FAR_MM
    return np.asarray(np.minimum(away.min(axis=1), _FAR_MM))
