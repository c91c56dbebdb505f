"""Making of single readings one that holds together: nothing twice, nothing overlapping, sizes that agree.

A reading that the others speak against is not changed, it is only believed less; what cannot be is dropped.
"""

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from vision.pieces.one_a_place import apart
from vision.pieces.piece_read import Read

_PLAIN = 0.98
"""In a photo nothing plain that is less sure to be there is believed."""
_SIZE_SPREAD = 1.45
"""Dominoes of one table differ in length by less than this ratio."""
_CLEAR_BACK, _IN_THE_MIDDLE, _SO_MANY_PRINTS = 0.95, 0.08, 3
"""Prints lie so near the middle of so clear a back, in its lengths; and there are at least so many."""
_ENOUGH_ALIKE, _OTHER_COLOUR = 3, 18.0
"""So many dominoes tell their colour; one so much farther off (CIE Lab) than any of these is none."""
_LIKELY_IN_SET, _STRANGE = 0.5, 0.5
"""What is so likely of the set is not doubted; what cannot be of it is believed by this factor."""
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


def tidied(pieces: Sequence[Read], set_name: str | None = None, *, measured: bool = False) -> list[Read]:
    """The readings of one picture, made to agree; ``measured`` ones are known to have a piece's true size."""
    if "domino" not in KINDS_OF.get(set_name or "", ("domino",)):
        # A die and its shadow look like a domino, of which the die then seems to be a pip.
        pieces = _of_the_kinds(pieces, set_name)
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
    usual = [one.colour for one in pieces if one.colour and any(one.pips) and one.confidence > 0.9]
    if len(usual) < _ENOUGH_ALIKE:
        return list(pieces)
    middle = np.median(usual, axis=0)
    spread = float(np.linalg.norm(np.asarray(usual) - middle, axis=1).max())
    return [
        one
        for one in pieces
        if one.colour is None
        or not one.is_open
        or any(one.pips)
        or float(np.linalg.norm(np.asarray(one.colour) - middle)) < spread + _OTHER_COLOUR
    ]


def _of_the_set(pieces: Sequence[Read], set_name: str | None) -> list[Read]:
    """Only kinds and values that the named set has."""
    if set_name is None or set_name not in KINDS_OF:
        return list(pieces)
    return [_narrowed(one, set_name) for one in _of_the_kinds(pieces, set_name)]


def _of_the_kinds(pieces: Sequence[Read], set_name: str | None) -> list[Read]:
    """Only kinds that the named set has."""
    kinds = KINDS_OF.get(set_name or "")
    return [one for one in pieces if kinds is None or one.kind in kinds]


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
        if one.is_open:
            same[tuple(sorted(one.pips))].append(k)
    out = list(pieces)
    for twins in same.values():
        best = max(twins, key=lambda k: pieces[k].confidence)
        for k in twins:
            if k != best:
                doubt = 1 - pieces[k].confidence
                # Two sets may lie on a table: a twin is doubted as much as it could be something else.
                out[k] = replace(pieces[k], there=pieces[k].there * (1 - min(0.5, 20 * doubt)))
    return out
