"""Making of single readings one that holds together: nothing twice, nothing overlapping, sizes that agree.

A reading that the others speak against is not changed, it is only believed less; what cannot be is dropped.
"""

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations
from typing import Any

import cv2
import numpy as np

from vision.pieces.finder import overlap
from vision.pieces.patches import Floats

_OVERLAP = 0.25
_PLAIN = 0.98
_PLAIN_CLAIM = 0.9
_INNER, _UNDER = 0.92, 0.02
_SIZE_SPREAD = 1.45
_AS_WIDE, _DOUBTED = 0.6, 0.97
_CLEAR_DIE, _A_HALF, _ASIDE = 0.9, 0.7, 0.3
_CLEAR_BACK, _IN_THE_MIDDLE, _SO_MANY_PRINTS = 0.95, 0.08, 3
_ENOUGH_ALIKE, _OTHER_COLOUR = 3, 18.0
_LIKELY_IN_SET, _STRANGE = 0.5, 0.5
_HIGHEST = {"double-six": 6, "double-nine": 9, "double-twelve": 12}
_DICE_OF = {"piecepack": "piecepack", "kingdomino-duel": "kingdomino-duel", "dice": "pips"}
KINDS_OF: Mapping[str, tuple[str, ...]] = {
    **dict.fromkeys(_HIGHEST, ("domino",)),
    "piecepack": ("coin", "die", "pawn", "tile"),
    "kingdomino-duel": ("die",),
    "dice": ("die",),
    "soldiers": ("domino", "soldier"),
}
"""What can lie on a table where only this set is in use."""


@dataclass(frozen=True)
class Read:
    """One piece as read: what it may be, the likeliest first, and where it lies in the picture."""

    kind: str
    face: str
    ranked: tuple[tuple[Mapping[str, Any] | None, float], ...]
    """Values with their probabilities, given that there is such a piece with this face."""
    there: float
    """The probability that there is a piece of this kind, with this face."""
    corners: Floats
    angle_deg: float
    owner: int | None = None
    visible: float = 1.0
    """The share of it that nothing covers."""
    colour: tuple[float, float, float] | None = None
    """Of a domino or a tile: lightness and the two colour axes of its body (CIE Lab)."""
    rim: float = 0.0
    """Of a domino: how unlike its middle it looks along its long sides (CIE Lab)."""
    spotted: float = 1.0
    """How clearly the finder saw it, before any reader looked."""
    flat: bool = True
    """Whether it lies flat: a die that leans, or stands on another, is asked about."""
    in_company: bool = False
    """Whether its confidence heeds what else lies on the table."""
    turned: float = 0.0
    """Of a domino read where one must lie: the probability that it lies there with the other face up."""

    @cached_property
    def middle(self) -> Floats:
        """The middle of its upper side in the picture."""
        return np.asarray(self.corners.mean(axis=0))

    @cached_property
    def length(self) -> float:
        """Its longer side in pixels."""
        sides = np.linalg.norm(self.corners - np.roll(self.corners, 1, axis=0), axis=1)
        return float(sides.max())

    @property
    def value(self) -> Mapping[str, Any] | None:
        """The likeliest value."""
        return self.ranked[0][0]

    @property
    def confidence(self) -> float:
        """The probability that kind, face and value are all right."""
        return self.there * self.ranked[0][1]


def tidied(pieces: Sequence[Read], set_name: str | None = None, *, measured: bool = False) -> list[Read]:
    """The readings of one picture, made to agree; ``measured`` ones are known to have a piece's true size."""
    if measured:  # their company tells shadows from backs
        kept = _of_like_colour(_of_like_size(apart(_without_prints(pieces), measured=True)))
    else:
        kept = _of_like_size(apart([one for one in pieces if not _is_a_shadow(one)]))
    kept = _of_the_set(kept, set_name)
    return _each_once(kept)


def _is_a_shadow(one: Read) -> bool:
    """Whether something plain is too doubtful: a shadow or a plank looks like the back of a piece."""
    return one.value is None and one.kind in ("domino", "tile") and one.there < _PLAIN


def _without_prints(pieces: Sequence[Read]) -> list[Read]:
    """Without what is printed in the middle of backs: no three coins lie so on three closed dominoes."""
    backs = [one for one in pieces if one.kind == "domino" and one.face == "down" and one.there > _CLEAR_BACK]
    prints = [
        one
        for one in pieces
        if one.kind in ("coin", "die")
        and any(math.dist(one.middle, back.middle) < _IN_THE_MIDDLE * back.length for back in backs)
    ]
    if len(prints) < _SO_MANY_PRINTS:
        return list(pieces)
    return [one for one in pieces if not any(one is other for other in prints)]


def apart(pieces: Sequence[Read], *, measured: bool = False) -> list[Read]:
    """No two pieces in the same place: the one that is believed more stays."""
    kept: list[Read] = []
    if not measured:  # where sizes are known two dice, or a die and its shadow, are too small to be a domino
        dice = [one for one in pieces if one.kind == "die" and one.confidence > 0.5]
        pieces = [one for one in pieces if not any(_is_its_shadow(one, die) for die in dice)]
        pieces = [one for one in pieces if not _are_two_dice(one, dice)]
    large = [one for one in pieces if one.kind in ("domino", "die") and one.value and one.confidence > 0.6]
    pieces = [one for one in pieces if not any(_is_a_pip(one, other) for other in large)]
    faced = [one for one in pieces if one.kind == "domino" and one.value and one.confidence > 0.9]
    pieces = [one for one in pieces if not any(_reaches_under(one, other) for other in faced)]
    for one in sorted(pieces, key=_claim, reverse=True):
        if not any(_clash(one, other) for other in kept):
            kept.append(one)
    return kept


def _claim(one: Read) -> float:
    """How much right a piece has to its place: less if it is small without a clear face, or plain."""
    if one.value and one.kind != "domino":
        return one.there * (0.5 + 0.5 * one.ranked[0][1])
    return one.there * (1.0 if one.value or one.kind == "tile" else _PLAIN_CLAIM)


def _reaches_under(plain: Read, other: Read) -> bool:
    """Whether something plain goes on below a domino's face: its shadow, which looks like a back."""
    if (
        plain.value is not None
        or plain.kind != "domino"
        or plain.face != "down"
        or not _are_near(plain, other)
    ):
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


def may_share(one: Read, other: Read) -> bool:
    """Whether both can be in one place: everything may lie on a tile, and men stand on dominoes."""
    kinds = {one.kind, other.kind}
    if len(kinds) == 2 and "tile" in kinds:
        return True
    return "domino" in kinds and bool(kinds & {"soldier", "pawn"})  # a coin or a die is not seen as a plank


def _are_near(one: Read, other: Read) -> bool:
    """Whether two pieces are near enough to touch at all; told before their outlines are compared."""
    return math.dist(one.middle, other.middle) <= 0.75 * max(one.length, other.length)


def _is_a_pip(small: Read, large: Read) -> bool:
    """Whether what looks like a small piece is a part of a domino or of a die."""
    if small.kind not in ("coin", "die") or small.length > 0.6 * large.length or not _are_near(small, large):
        return False
    x, y = (float(v) for v in small.middle)
    return cv2.pointPolygonTest(large.corners.astype(np.float32), (x, y), False) > 0


def _of_like_size(pieces: Sequence[Read]) -> list[Read]:
    """Dominoes of one table are of one size: one much larger or smaller than the others is doubted."""
    sizes = [p.length for p in pieces if p.kind == "domino" and p.face == "up" and p.confidence > 0.8]
    if not sizes:
        return list(pieces)
    usual = float(np.median(sizes))
    out = []
    for one in pieces:
        if one.kind == "domino" and not usual / _SIZE_SPREAD < one.length < usual * _SIZE_SPREAD:
            if one.face != "up" or one.there < 0.9:
                continue
            one = replace(one, there=one.there * 0.8)
        out.append(one)
    return out


def _of_like_colour(pieces: Sequence[Read]) -> list[Read]:
    """Dominoes of one table look alike: a double blank of another colour is a part of the board."""
    usual = [
        one.colour
        for one in pieces
        if one.kind == "domino"
        and one.colour
        and one.value
        and max(one.value["pips"])
        and one.confidence > 0.9
    ]
    if len(usual) < _ENOUGH_ALIKE:
        return list(pieces)
    middle = np.median(usual, axis=0)
    spread = float(np.linalg.norm(np.asarray(usual) - middle, axis=1).max())
    return [
        one
        for one in pieces
        if one.kind != "domino"
        or one.colour is None
        or one.value is None
        or max(one.value["pips"])
        or float(np.linalg.norm(np.asarray(one.colour) - middle)) < spread + _OTHER_COLOUR
    ]


def _of_the_set(pieces: Sequence[Read], set_name: str | None) -> list[Read]:
    """Only kinds and values that the named set has."""
    kinds = KINDS_OF.get(set_name or "")
    if kinds is None:
        return list(pieces)
    return [_narrowed(one, set_name or "") for one in pieces if one.kind in kinds]


def _narrowed(one: Read, set_name: str) -> Read:
    """The piece with the values only that the set has; where they were unlikely the piece is doubted."""
    highest, dice = _HIGHEST.get(set_name), _DICE_OF.get(set_name)
    left = [
        (value, p)
        for value, p in one.ranked
        if value is None
        or not (
            (highest is not None and one.kind == "domino" and max(value["pips"]) > highest)
            or (dice is not None and one.kind == "die" and value["set"] != dice)
        )
    ]
    kept = sum(p for _, p in left)
    there = one.there * min(1.0, kept / _LIKELY_IN_SET)
    if there <= 0:
        # A stranger to the set lies there: somebody has to say what it is.
        return replace(one, there=one.there * _STRANGE)
    return replace(one, ranked=tuple((value, p / kept) for value, p in left), there=there)


def _each_once(pieces: Sequence[Read]) -> list[Read]:
    """A set has each domino once: where two read the same, the one less sure is believed less."""
    same: dict[tuple[int, ...], list[int]] = defaultdict(list)
    for k, one in enumerate(pieces):
        if one.kind == "domino" and one.face == "up" and one.value is not None:
            same[tuple(sorted(one.value["pips"]))].append(k)
    out = list(pieces)
    for twins in same.values():
        best = max(twins, key=lambda k: pieces[k].confidence)
        for k in twins:
            if k != best:
                doubt = 1 - pieces[k].confidence
                # Two sets may lie on a table: a twin is doubted as much as it could be something else.
                out[k] = replace(pieces[k], there=pieces[k].there * (1 - min(0.5, 20 * doubt)))
    return out
