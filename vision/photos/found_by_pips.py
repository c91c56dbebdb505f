"""Dice found anew by the pips of their make, where what was read there is in doubt.

A square that covers two faces of a die, or a die taken for a pawn, is no die's face to any reader. Where sure
dice have shown what ink and spacing their make has, its patterns are looked for around such a place: what
shows as many pips as far apart as theirs, and no others between, is a face seen from above. A side seen
aslant has them closer together. The reader is asked again there, and has to agree.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from vision.photos.one_make import (
    INK,
    KnownDie,
    Make,
    farthest,
    heard,
    known_dice,
    look_of,
    make_of,
    pip_face,
)
from vision.pieces.each import PieceReader
from vision.pieces.finder import SQUARE, Spotted
from vision.pieces.patches import Floats, Picture, cut, framed, rectangle
from vision.pieces.piece_read import Read
from vision.pieces.pip_blobs import REACH_PX
from vision.pieces.pips import DIE
from vision.pieces.sureness import sure

_WINDOW_PX = 120
_WHOLE = framed((_WINDOW_PX, _WINDOW_PX), (0, 0))
_REACH = 0.75
"""So far from the place the middle of the face may lie, as a share of half a side."""
_NEARER, _STRAY, _WITHIN = 0.15, 0.16, 0.8
"""How much closer together or farther apart its pips may be, how far from its place each, and how far from
the middle of a face others count against it, in halves of a side."""
_OWN = 0.35
"""Nearer than so much of a side to the middle of a sure piece there is no other die."""
_SCORE, _SEEN_TOO = 0.4, 0.95
"""What the finder must think of a place, and the reader of dice of the face that is found there."""
_MOST_PLACES = 40
_AROUND = np.ones((5, 5), np.uint8)


@dataclass(frozen=True)
class PipFace:
    """A pattern of pips: how many, where its middle lies (in halves of a side), how large it is beside others
    of its make, its turn, and how far the worst pip lies from its place."""

    count: int
    x: float
    y: float
    size: float
    turn_deg: float
    stray: float


def with_faces_found(picture: Picture, pieces: Sequence[Read], spotted: Sequence[Spotted]) -> list[Read]:
    """The pieces with the dice in doubt where their make's pips show them, and those that were not read."""
    known = known_dice(picture, pieces)
    if not known:
        return list(pieces)
    side = float(np.median([pieces[k].length for k in known]))
    out = list(pieces)
    for x, y in _places(out, spotted, side):
        found = _best(picture, _faces(picture, x, y, side, list(known.values())))
        if found is not None and not any(sure(one) and _near(one, found) for one in out):
            out = [one for one in out if not _near(one, found)] + [found]
    return out


def _places(pieces: Sequence[Read], spotted: Sequence[Spotted], side: float) -> list[tuple[float, float]]:
    """Where a die of that size may lie that no sure piece is the reading of."""
    doubted = [(float(one.middle[0]), float(one.middle[1])) for one in pieces if _in_doubt(one, side)]
    seen = [
        (one.x, one.y)
        for one in spotted
        if one.kind in SQUARE and one.score > _SCORE and _as_large(max(one.length, one.width), side)
    ]
    sure_ones = [one for one in pieces if sure(one)]
    free = [
        place
        for place in (*doubted, *seen)
        if all(np.linalg.norm(one.middle - place) > _OWN * max(one.length, side) for one in sure_ones)
    ]
    return free[:_MOST_PLACES]


def _in_doubt(one: Read, side: float) -> bool:
    return one.kind in SQUARE and not sure(one) and _as_large(one.length, side)


def _as_large(length: float, side: float) -> bool:
    return side / 2 < length < 2 * side


def _near(one: Read, other: Read) -> bool:
    """Whether both cannot be pieces of their own."""
    return float(np.linalg.norm(one.middle - other.middle)) < 0.5 * max(
        other.length, min(one.length, other.length)
    )


def _faces(
    picture: Picture, x: float, y: float, side: float, known: Sequence[KnownDie]
) -> list[tuple[PipFace, Spotted]]:
    """The faces around a place, and where they lie in the picture."""
    make = make_of(look_of(picture, rectangle(x, y, side, side, 0.0)), known)
    if make is None:
        return []
    whole = side * _WINDOW_PX / (2 * REACH_PX)
    window = cut(picture, rectangle(x, y, whole, whole, 0.0), _WHOLE, (_WINDOW_PX, _WINDOW_PX))[0]
    half = side / 2
    return [
        (
            one,
            Spotted.at(
                "die", np.array([x + half * one.x, y + half * one.y]), side * one.size, turn=one.turn_deg
            ),
        )
        for one in faces_in(np.asarray(window, dtype=float), make)
    ]


def faces_in(window: Floats, make: Make) -> list[PipFace]:
    """The patterns of two pips and more around the middle of a window, three sides wide."""
    at = _pips(make.ink_in(window))
    across = 2 * math.sqrt(2) * make.spacing
    found: list[PipFace] = []
    for k, one in enumerate(at):
        for other in at[k + 1 :]:
            apart = float(np.linalg.norm(other - one))
            middle = (one + other) / 2
            if abs(math.log(apart / across)) > _NEARER or np.linalg.norm(middle) > _REACH:
                continue
            turn = math.atan2(*(other - one)[::-1]) - math.pi / 4
            face = _face(at, middle, apart / across, turn, make.spacing)
            if face is not None and not any(_same(face, before) for before in found):
                found.append(face)
    return found


def _pips(ink: Floats) -> Floats:
    """Where there is ink as of a pip, in halves of a side from the middle."""
    rows, columns = np.nonzero((ink >= cv2.dilate(ink, _AROUND)) & (ink > INK))
    return np.column_stack([columns, rows]).astype(float) / REACH_PX - (_WINDOW_PX - 1) / 2 / REACH_PX


def _face(at: Floats, middle: Floats, size: float, turn: float, spacing: float) -> PipFace | None:
    """The pattern that the pips around a middle make, seen so large and so turned."""
    c, s = math.cos(turn), math.sin(turn)
    own = (at - middle) @ np.array([[c, -s], [s, c]]) / size
    own = own[abs(own).max(axis=1) < _WITHIN]
    strays = [
        (farthest(own, spacing * DIE.places[k, : len(own)]), count)
        for k, count in enumerate(DIE.counts)
        if count == len(own)
    ]
    stray, count = min(strays, default=(math.inf, 0))
    if stray > _STRAY:
        return None
    return PipFace(count, float(middle[0]), float(middle[1]), size, math.degrees(turn), stray)


def _same(one: PipFace, other: PipFace) -> bool:
    return one.count == other.count and math.hypot(one.x - other.x, one.y - other.y) < 0.2


def _best(picture: Picture, faces: Sequence[tuple[PipFace, Spotted]]) -> Read | None:
    """The face that the reader of dice sees there too; none where it sees two that differ."""
    agreed = []
    for face, spot in faces:
        for one in PieceReader(picture).small([spot], as_dice=True):
            if one.ranked[0][1] >= _SEEN_TOO and one.value == pip_face(face.count):
                agreed.append(heard(one, face.count))
    if len({str(one.value) for one in agreed}) > 1:
        return None
    return max(agreed, key=lambda one: one.confidence, default=None)
