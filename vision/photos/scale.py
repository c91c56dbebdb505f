"""What a photo without markers says of its own scale: all pieces of one table are seen about equally large.

A photo is looked at from many distances, and from the wrong one a pip looks like a coin and a plank like a
face-down domino. The pieces whose values were read say how large the others must be.
"""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np

from vision.pieces.finder import USUAL_MM
from vision.pieces.piece_read import Read
from vision.pieces.sureness import sure

_WINDOW, _MOST_OFF = math.log(1.45), math.log(1.9)
"""So far apart sizes say one scale; what is farther off it is none of these pieces (as logarithms)."""
_DICE_OFF, _CLEAR = math.log(2.6), 0.98
"""The same of dice that are so clear."""
_LEAST_CONFIDENCE = 0.6
"""What is read with less says nothing of scale or company."""
_SAYS = {"domino": 3.0, "die": 1.0, "coin": 0.5}
"""What a pixel of each kind is worth for the scale."""
_LIKE_OTHERS = 1.12
"""Plain things of one set differ by less than this ratio; so many make a set."""
_COMPANY = 3
_SET_OF = {"coin": "piecepack", "pawn": "piecepack", "tile": "piecepack"}
_BY_ITSELF = 0.8
_MOST = {"coin": 6, "pawn": 2}
"""So many coins that show the same, and pawns of one suit, there may be on a table."""


def of_one_scale(pieces: Sequence[Read]) -> list[Read]:
    """Without what is far too large or too small beside the pieces that could be read."""
    read = [one for one in pieces if one.value is not None and one.confidence > _LEAST_CONFIDENCE]
    if not read:
        return list(pieces)
    sizes = np.array([_log_scale(one) for one in read])
    weights = np.array([_weight(one) for one in read])
    near = np.abs(sizes[:, None] - sizes[None]) < _WINDOW
    best = int((near @ weights).argmax())
    scale = float(np.average(sizes[near[best]], weights=weights[near[best]]))
    return [
        one
        for one in pieces
        if abs(_log_scale(one) - scale) < (_DICE_OFF if _is_clear_die(one) else _MOST_OFF)
    ]


def _is_clear_die(one: Read) -> bool:
    """Whether it is a die of some pattern, seen clearly: of dice there are small and large ones."""
    face = (one.value or {}).get("face")
    return one.kind == "die" and face not in ("1", "null", "ace") and one.confidence > _CLEAR


def _weight(one: Read) -> float:
    """How much a reading says: much where many pixels made a pattern that little else makes."""
    value = one.value or {}
    pattern = _SAYS.get(one.kind, 0.2)
    if one.kind == "die" and value.get("face") in ("1", "null", "ace"):
        pattern = 0.3
    return pattern * one.length * one.confidence


def _log_scale(one: Read) -> float:
    """About how many pixels show a millimetre, as a logarithm."""
    return math.log(max(one.length, 1.0) / USUAL_MM["wall" if one.face == "edge" else one.kind])


def in_company(pieces: Sequence[Read], set_name: str | None = None) -> list[Read]:
    """Without faceless things and men that nothing else in the photo makes likely.

    A plain rectangle is a face-down domino where dominoes lie, and a board's square where a piecepack lies,
    or where several of exactly that size do; alone it is a book, a plank or a card.
    """
    pieces = _of_an_army(pieces) if set_name != "soldiers" else list(pieces)
    kinds = {(one.kind, one.value is not None) for one in pieces if one.confidence > _LEAST_CONFIDENCE}
    dominoes = ("domino", True) in kinds or ("soldier", True) in kinds
    piecepack = ("coin", True) in kinds or ("pawn", True) in kinds
    out = []
    for one in pieces:
        if one.value is None and one.kind in ("domino", "wall", "tile"):
            at_home = piecepack if one.kind == "tile" else dominoes
            if not at_home and _alike(one, pieces) < _COMPANY:
                continue
        out.append(one)
    return _too_many_doubted(_empty_ones_doubted(out)) if set_name is None else out


def _empty_ones_doubted(pieces: Sequence[Read]) -> list[Read]:
    """A bare square or circle is hardly a piece by itself: doubted where no other of its set shows more.

    Printed boards are full of them, and so are marks on a wall.
    """
    sets = {_set_of(one) for one in pieces if not _is_empty(one) and one.kind != "pawn" and sure(one)}
    return [_in_doubt(one) if _is_empty(one) and _set_of(one) not in sets else one for one in pieces]


def _too_many_doubted(pieces: Sequence[Read]) -> list[Read]:
    """No table has so many blank coins, or pawns of one suit: print that is alike is read alike."""
    many = Counter(_sort(one) for one in pieces)
    return [_in_doubt(one) if many[_sort(one)] > _MOST.get(one.kind, math.inf) else one for one in pieces]


def _sort(one: Read) -> tuple[str, str]:
    """What pieces are counted together: a set has six coins of a suit, four of a value, a pawn of a suit."""
    value = one.value or {}
    return one.kind, str(value.get("suit") or value.get("value"))


def _in_doubt(one: Read) -> Read:
    return replace(one, there=one.there * _BY_ITSELF)


def _is_empty(one: Read) -> bool:
    """Whether a piece of a piecepack, or a die of the Duel, shows nothing."""
    value = one.value or {}
    if one.kind == "coin":
        return value.get("suit") is None and not value.get("value")
    return one.kind == "tile" or (one.kind == "die" and value.get("face") in ("null", "black"))


def _set_of(one: Read) -> str:
    """Which set a piece belongs to, as far as that can be told."""
    return str((one.value or {}).get("set")) if one.kind == "die" else _SET_OF.get(one.kind, "")


def _of_an_army(pieces: Sequence[Read]) -> list[Read]:
    """Without men in doubt where there is no war: other things are clear, no man is, and none has a tile.

    A knot in wood, a word on a box and the gleam of a die all look like men.
    """
    men = [one for one in pieces if one.kind == "soldier"]
    others = any(one.kind in ("domino", "die", "coin") and one.value and sure(one) for one in pieces)
    tiles = [one.corners.astype(np.float32) for one in pieces if one.kind == "domino"]
    if not others or any(sure(one) for one in men):
        return list(pieces)
    return [
        one
        for one in pieces
        if one.kind != "soldier"
        or any(cv2.pointPolygonTest(tile, tuple(map(float, one.middle)), False) >= 0 for tile in tiles)
    ]


def _alike(one: Read, pieces: Sequence[Read]) -> int:
    """How many of its kind have its size."""
    others = [other for other in pieces if other is not one and other.kind == one.kind and other.there > 0.9]
    return sum(1 / _LIKE_OTHERS < other.length / one.length < _LIKE_OTHERS for other in others)
