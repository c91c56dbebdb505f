"""Each piece read by itself: what was spotted, by the reader of its kind, with second opinions heard."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from vision.pieces import agreement, dice, dominoes, finder, hidden_halves, small
from vision.pieces.dominoes import DominoReading
from vision.pieces.expecting import Expecting
from vision.pieces.finder import Spotted
from vision.pieces.ink import with_inks
from vision.pieces.looks import renamed
from vision.pieces.memory import Memory, remembered
from vision.pieces.one_of_each import suits_shared_out
from vision.pieces.one_set import of_one_set
from vision.pieces.patches import Floats, Picture, body_colour, rim_contrast
from vision.pieces.read import Read
from vision.pieces.small import SmallReading

_LEAST_THERE = 0.5
_SPOTTED = 0.5
_ALTERNATIVES = 3
_SURELY_THERE = 0.9
"""A pawn that is so surely there takes its suit from those that are looked for."""


def read_spotted(
    picture: Picture,
    spotted: Sequence[Spotted],
    *,
    quick: bool = False,
    expecting: Expecting | None = None,
    covers: bool = False,
    memory: Memory | None = None,
    beside: Sequence[Read] = (),
) -> list[Read]:
    """What was spotted, each piece by the reader of its kind; ``covers`` as for ``read_dominoes``.

    ``memory`` knows what was said of pieces that look as they did, ``beside`` are others that were read.
    """
    long = [one for one in spotted if one.kind not in finder.SQUARE]
    square = [one for one in spotted if one.kind in finder.SQUARE]
    pieces = [
        *read_dominoes(picture, long, quick=quick, expecting=expecting, covers=covers, memory=memory),
        *read_small(picture, square, quick=quick, expecting=expecting, memory=memory, beside=beside),
    ]
    looks = None if expecting is None else expecting.looks
    return pieces if looks is None else renamed(picture, pieces, looks)


def read_dominoes(
    picture: Picture,
    spotted: Sequence[Spotted],
    *,
    quick: bool = False,
    expecting: Expecting | None = None,
    covers: bool = False,
    memory: Memory | None = None,
) -> list[Read]:
    """The dominoes among what was spotted; where ``covers`` may lie on them, plain halves are seen again.

    On a measured table nobody asks that: what covers it is a hand, which the gate sees, or a man on his tile.
    """
    out = []

    def look(spots: Sequence[Spotted]) -> list[DominoReading]:
        each = dominoes.read(picture, [one.corners for one in spots], quick=quick)
        counted = agreement.with_counts(picture, each)
        return hidden_halves.doubted(picture, counted) if covers else counted

    looked = remembered(memory, ("long", quick), spotted, look)
    if expecting is not None:
        looked = expecting.dominoes(looked)
    for spot, seen in zip(spotted, looked, strict=True):
        faces = dict(zip(dominoes.FACES, (float(p) for p in seen.faces), strict=True))
        face = max(("up", "down", "edge"), key=lambda name: faces[name])
        if 1 - faces["none"] < _LEAST_THERE:
            continue
        ranked: list[tuple[Mapping[str, Any] | None, float]] = [(None, 1.0)]
        if face == "up":
            both = np.outer(seen.first, seen.second)
            best = np.argsort(-both, axis=None)[: _ALTERNATIVES + 1]
            pairs = [divmod(int(k), dominoes.PIPS) for k in best]
            ranked = [({"pips": [a, b]}, float(both[a, b])) for a, b in pairs]
        along = seen.corners[1] - seen.corners[0] + seen.corners[2] - seen.corners[3]
        angle = math.degrees(math.atan2(-along[1], along[0])) % 360
        out.append(
            Read(
                "domino", face, tuple(ranked), faces[face], seen.corners, angle, visible=seen.visible,
                colour=body_colour(picture, seen.corners), spotted=spot.score,
                rim=rim_contrast(picture, seen.corners),
            )
        )  # fmt: skip
    return out


def _maybe_dice(spots: Sequence[Spotted], looks: Sequence[SmallReading]) -> list[int]:
    """Which may be dice by their reader, or by the finder what the reader takes for a man with his disc."""
    soldier = small.CHOICES["kind"].index("soldier")
    spotted = [k for k, one in enumerate(spots) if one.kind == "die" and one.score > _SPOTTED]
    men = [k for k in spotted if looks[k].choices["kind"].argmax() == soldier]
    return sorted({*men, *dice.perhaps(looks)})


def read_small(
    picture: Picture,
    spotted: Sequence[Spotted],
    *,
    quick: bool = False,
    expecting: Expecting | None = None,
    memory: Memory | None = None,
    beside: Sequence[Read] = (),
    as_dice: bool = False,
) -> list[Read]:
    """The coins, dice, pawns, soldiers and tiles among what was spotted, ``beside`` others of their table.

    ``as_dice`` says that each must be looked at as a die, whatever it seems to be at first.
    """
    out = []

    def look(spots: Sequence[Spotted]) -> list[SmallReading]:
        looks = small.read(picture, spots, quick=quick)
        looks = looks if expecting is None else expecting.again(picture, looks)
        if expecting is None or expecting.has_dice:
            maybe = _maybe_dice(spots, looks) if expecting is None else expecting.perhaps_dice(looks)
            maybe = list(range(len(spots))) if as_dice else maybe
            looks = dice.looked_at(picture, looks, maybe)
        return agreement.with_discs(picture, looks, [one.kind == "soldier" for one in spots])

    alone = of_one_set(remembered(memory, ("square", quick, expecting is None), spotted, look))
    compared = agreement.with_counts_of_dice(picture, alone)
    if expecting is not None:
        compared = expecting.small(compared)
        if expecting.looks is None:  # else the suits of the coins are not yet those of their own set
            compared = with_inks(picture, compared)
    of_a_game = None if expecting is None else expecting.of_its_piecepack(compared)
    pawns = [_suits_of(one) for one in beside if one.kind == "pawn" and one.there >= _SURELY_THERE]
    shared = suits_shared_out(compared, of_a_game, pawns)
    for seen, spot in zip(shared, spotted, strict=True):
        kinds = dict(zip(small.CHOICES["kind"], (float(p) for p in seen.choices["kind"]), strict=True))
        kind = max((k for k in kinds if k != "none"), key=lambda name: kinds[name])
        if kinds[kind] < _LEAST_THERE:
            continue
        ranked = small.ranked(seen, kind)[: _ALTERNATIVES + 1]
        value = ranked[0][0] or {}
        face = "down" if kind == "tile" or (kind == "coin" and value.get("suit")) else "up"
        if kind == "soldier":
            facing = round(-seen.angle_deg % 360, 1)
            ranked = [({**(v or {}), "facing_deg": facing}, p) for v, p in ranked]
        owner = int(np.argmax(seen.choices["owner"])) if kind == "soldier" else None
        turn = -seen.angle_deg % 360
        colour = body_colour(picture, seen.corners) if kind == "tile" else None
        out.append(
            Read(
                kind, face, tuple(ranked), kinds[kind], seen.corners, turn, owner, seen.visible,
                colour, spotted=spot.score, flat=kind != "die" or seen.flat > dice.FLAT,
                counted=seen.counted,
            )
        )  # fmt: skip
    return out


def _suits_of(pawn: Read) -> Floats:
    """What a pawn that was read says of its suit."""
    said = {str((value or {}).get("suit")): p for value, p in pawn.ranked}
    return np.array([said.get(suit, 0.0) for suit in small.CHOICES["suit"]])
