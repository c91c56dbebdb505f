"""No two pieces in one place: a pip is no coin, a shadow no back, and two dice side by side are no domino."""

import math
from collections.abc import Callable, Sequence
from itertools import combinations

import cv2
import numpy as np

from vision.pieces.finder import overlap
from vision.pieces.in_reach import first_of_each, near
from vision.pieces.patches import Floats
from vision.pieces.piece_read import Read

_OVERLAP = 0.25
"""What shares more of its area than this with another piece is in its place."""
SHARED = 0.2
"""What shares more of its area than this with another domino cannot lie there beside it."""
_PLAIN_CLAIM = 0.9
"""What shows nothing has so much less right to its place."""
_INNER, _UNDER = 0.92, 0.02
"""A shadow reaches below so much of a face, the inner part, with more than this share of itself."""
_AS_WIDE, _DOUBTED = 0.6, 0.97
"""A die is wider than this share of a domino that is its shadow; that domino is no surer than this."""
_CLEAR_DIE, _A_HALF, _ASIDE = 0.9, 0.7, 0.3
"""Two dice that look like a domino: so clear, so long beside it, and so far apart in its lengths."""
_A_PIP = 0.28
"""A drilled pip is smaller than this share of its domino."""
_MANY = 2
"""So many others of its size make a domino one of many."""


def apart(pieces: Sequence[Read], *, measured: bool = False) -> list[Read]:
    """No two pieces in the same place: the one that is believed more stays."""
    if not measured:  # where sizes are known two dice, or a die and its shadow, are too small to be a domino
        dice = [one for one in pieces if one.kind == "die" and one.confidence > 0.5]
        pieces = _without_two_dice(_without(_is_its_shadow, pieces, dice), dice)
    large = [one for one in pieces if one.kind in ("domino", "die") and one.value and one.confidence > 0.6]
    # of a domino that another one displaces nothing is a pip
    pieces = _without(_is_a_pip, pieces, _one_a_place(large))
    if not measured:  # where sizes are known no pip is as large as a pawn's foot
        pieces = _without(_is_a_drilled_pip, pieces, large)
    faced = [one for one in pieces if one.kind == "domino" and one.value and one.confidence > 0.9]
    return _one_a_place(_without(_reaches_under, pieces, faced))


def _one_a_place(pieces: Sequence[Read]) -> list[Read]:
    """Of pieces in one place the one that is believed more."""
    ranked = sorted(pieces, key=_claim, reverse=True)
    return first_of_each(ranked, reach(ranked), _clash)


def _without(
    is_part: Callable[[Read, Read], bool], pieces: Sequence[Read], others: Sequence[Read]
) -> list[Read]:
    """The pieces without those that are a part of one of the others."""
    around = near(reach(pieces), reach(others))
    return [
        one for one, ks in zip(pieces, around, strict=True) if not any(is_part(one, others[k]) for k in ks)
    ]


def reach(pieces: Sequence[Read]) -> Floats:
    """The middle and the length of each piece, which tell what can touch it."""
    return np.array([(*one.middle, one.length) for one in pieces])


def _claim(one: Read) -> float:
    """How much right a piece has to its place: less if it is small without a clear face, or plain."""
    if one.value and one.kind != "domino":
        return one.there * (0.5 + 0.5 * one.ranked[0][1])
    return one.there * (1.0 if one.value or one.kind == "tile" else _PLAIN_CLAIM)


def _reaches_under(plain: Read, other: Read) -> bool:
    """Whether something plain goes on below a domino's face: its shadow, which looks like a back."""
    if (plain.kind, plain.face) != ("domino", "down") or plain.value or not _are_near(plain, other):
        return False
    inner = other.middle + (other.corners - other.middle) * _INNER
    own = float(cv2.contourArea(plain.corners.astype(np.float32)))
    both = float(cv2.intersectConvexConvex(plain.corners.astype(np.float32), inner.astype(np.float32))[0])
    return both > _UNDER * own


def _is_its_shadow(plain: Read, die: Read) -> bool:
    """Whether a domino is a die with its shadow, or with another: about as wide, and half of it the die."""
    if plain.kind != "domino" or (plain.value and plain.confidence > min(_DOUBTED, die.confidence)):
        return False
    return _is_its_part(plain, die)


def _without_two_dice(pieces: Sequence[Read], dice: Sequence[Read]) -> list[Read]:
    """Without dominoes that are two dice; where a domino is one of many, its halves are no dice instead."""
    doubted = [one for one in pieces if _are_two_dice(one, dice)]
    rest = [one for one in pieces if not any(one is other for other in doubted)]
    of_many = [one for one in doubted if _is_one_of_many(one, rest)]
    return of_many + [
        one for one in rest if one.kind != "die" or not any(_is_its_part(domino, one) for domino in of_many)
    ]


def _are_two_dice(plain: Read, dice: Sequence[Read]) -> bool:
    """Whether a domino is rather two dice that touch: both are seen clearly, each is a half of it."""
    if plain.kind != "domino":
        return False
    halves = [
        die
        for die in dice
        if die.confidence > _CLEAR_DIE and die.length < _A_HALF * plain.length and _is_its_part(plain, die)
    ]
    return any(math.dist(a.middle, b.middle) > _ASIDE * plain.length for a, b in combinations(halves, 2))


def _is_one_of_many(domino: Read, others: Sequence[Read]) -> bool:
    """Whether a domino is clear and has the size of others that nobody takes for dice: then it is none."""
    if not domino.value or domino.confidence < _CLEAR_DIE:
        return False
    alike = [
        other
        for other in others
        if other.kind == "domino"
        and other.value
        and other.confidence > _CLEAR_DIE
        and other.is_as_long(domino.length)
    ]
    return len(alike) >= _MANY


def _is_its_part(plain: Read, die: Read) -> bool:
    """Whether a die lies in a domino and is about as wide."""
    if not _are_near(plain, die):
        return False
    width = float(np.linalg.norm(plain.corners[1:3] - plain.corners[[2, 3]], axis=1).min())
    x, y = (float(v) for v in die.middle)
    inside = cv2.pointPolygonTest(plain.corners.astype(np.float32), (x, y), False) >= 0
    return inside and die.length > _AS_WIDE * width


def _clash(one: Read, other: Read) -> bool:
    return (
        not may_share(one, other) and _are_near(one, other) and overlap(one.corners, other.corners) > _OVERLAP
    )


def lie_across(one: Read, other: Read) -> bool:
    """Whether two dominoes cannot lie beside each other."""
    return _are_near(one, other) and overlap(one.corners, other.corners) > SHARED


def may_share(one: Read, other: Read) -> bool:
    """Whether both can be in one place: everything may lie on a tile, and men stand on dominoes."""
    kinds = {one.kind, other.kind}
    if len(kinds) == 2 and "tile" in kinds:
        return True
    return "domino" in kinds and bool(kinds & {"soldier", "pawn"})  # a coin or a die is not seen as a plank


def _are_near(one: Read, other: Read) -> bool:
    """Whether two pieces are near enough to touch at all; told before their outlines are compared."""
    return math.dist(one.middle, other.middle) <= 0.75 * max(one.length, other.length)


def _is_a_drilled_pip(small: Read, large: Read) -> bool:
    """Whether what looks like a pawn on an open domino is one of its pips, with the gleam or shade round it.

    In 16 real photographs they were 0.16 to 0.26 of a domino long; a foot is about a third.
    """
    pawn = small.kind == "pawn" and large.kind == "domino"
    return pawn and small.length < _A_PIP * large.length and _is_within(small, large)


def _is_a_pip(small: Read, large: Read) -> bool:
    """Whether what looks like a small piece is a part of a domino or of a die."""
    if small.kind not in ("coin", "die") or small.length > 0.6 * large.length or not _are_near(small, large):
        return False
    return _is_within(small, large)


def _is_within(small: Read, large: Read) -> bool:
    """Whether the middle of one piece lies in the outline of another."""
    x, y = (float(v) for v in small.middle)
    return cv2.pointPolygonTest(large.corners.astype(np.float32), (x, y), False) > 0
