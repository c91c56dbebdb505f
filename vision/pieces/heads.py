"""Pawns are told by their heads: one that was found at its foot is looked at again, farther from the lens.

Seen aslant a pawn's head lies beside its foot, by as much as its height and its place on the table say. Both
look round, and the finder may see either; only where it is known which of them was found, its place is known.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from calibration.table_finder import Table
from vision.pieces import small
from vision.pieces.finder import Spotted
from vision.pieces.mat import TOP_MM
from vision.pieces.patches import Picture
from vision.pieces.piece_read import Read

_AS_FAR = (0.6, 1.0)
"""Shares of the way from foot to head at which the head is looked for, if this is the foot."""
_SHORT = 0.25
"""Where the way is shorter than so much of a pawn's width, both are one place."""
_SURE, _FARTHER, _TOO_FAR = 0.8, 0.15, 1.3
_AS_SURE = 0.95
"""So sure, beside what was found first, a head is: what was found first may have been the head already."""


def found(picture: Picture, pieces: Sequence[Read], table: Table) -> list[Read]:
    """The readings, each pawn where its head is seen."""
    pawns = [k for k, one in enumerate(pieces) if one.kind == "pawn"]
    if not pawns:
        return list(pieces)
    middles = np.array([pieces[k].middle for k in pawns])
    feet = table.camera.to_mm(middles, np.zeros(len(pawns)))[:, :2]
    ways = table.camera.to_pixels(feet, np.full(len(pawns), TOP_MM["pawn"])) - middles
    tried = [
        (k, way, share)
        for k, way in zip(pawns, ways, strict=True)
        if float(np.linalg.norm(way)) > _SHORT * pieces[k].length
        for share in _AS_FAR
    ]
    spots = [
        Spotted.at("pawn", pieces[k].middle + share * way, pieces[k].length, score=pieces[k].spotted)
        for k, way, share in tried
    ]
    out = list(pieces)
    best: dict[int, float] = {}
    for (k, way, _), seen in zip(tried, small.read(picture, spots), strict=True):
        far = float(np.linalg.norm(way))
        # Along the way, as a share of it; and beside it.
        away = np.array([seen.x, seen.y]) - pieces[k].middle
        along = float(away @ way) / far**2
        beside = abs(float(away[0] * way[1] - away[1] * way[0])) / far
        is_pawn = seen.share("pawn") > max(_SURE, _AS_SURE * pieces[k].there)
        farther = max(_FARTHER * pieces[k].length / far, best.get(k, 0.0)) < along < _TOO_FAR
        if is_pawn and farther and beside < 0.3 * pieces[k].length:
            best[k] = along
            out[k] = replace(pieces[k], corners=seen.corners)
    return out
