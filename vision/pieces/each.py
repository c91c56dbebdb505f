"""Each piece read by itself: what was spotted, by the reader of its kind, with second opinions heard."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TypeAlias

import numpy as np

from vision.pieces import agreement, dice, domino_reading, finder, small
from vision.pieces.domino_reading import DominoReading
from vision.pieces.expecting import Expecting
from vision.pieces.finder import Spotted
from vision.pieces.ink import with_inks
from vision.pieces.looks import renamed
from vision.pieces.memory import Memory, remembered
from vision.pieces.one_of_each import suits_shared_out
from vision.pieces.one_set import of_one_set
from vision.pieces.patches import Body, Colour, Floats, Picture, body_and_rim
from vision.pieces.piece_read import TOLD, Read
from vision.pieces.small import SmallReading

Doubting: TypeAlias = Callable[[Picture, Sequence[DominoReading]], list[DominoReading]]
"""Sees dominoes again that were read, and says how far each is to be believed."""

_LEAST_THERE = 0.5
_SPOTTED = 0.5
_SURELY_THERE = 0.9
"""A pawn that is so surely there takes its suit from those that are looked for."""


@dataclass(frozen=True)
class PieceReader:
    """Reads at given places of one picture."""

    picture: Picture
    expecting: Expecting | None = None
    """What a game has, where one is played."""
    memory: Memory | None = None
    """What was said of pieces that look as they did."""
    doubting: Doubting | None = None
    """Who says what may lie on dominoes.

    On a measured table nobody asks that: what covers it is a hand, which the gate sees, or a man on his tile.
    """

    def every(
        self, spots: Sequence[Spotted], *, quick: bool = False, beside: Sequence[Read] = ()
    ) -> list[Read]:
        """What lies there, by the reader of each kind; ``beside`` are others that were read."""
        pieces = self.dominoes([one for one in spots if one.kind not in finder.SQUARE], quick=quick)
        square = [one for one in spots if one.kind in finder.SQUARE]
        pieces += self.small(square, quick=quick, beside=beside)
        looks = None if self.expecting is None else self.expecting.looks
        return pieces if looks is None else renamed(self.picture, pieces, looks)

    def dominoes(self, spots: Sequence[Spotted], *, quick: bool = False) -> list[Read]:
        """The dominoes that lie there."""
        looked = remembered(self.memory, ("long", quick), spots, partial(self._dominoes, quick))
        if self.expecting is not None:
            looked = self.expecting.dominoes(looked)
        each = [(k, v) for k, v in zip(spots, looked, strict=True) if 1 - v.share("none") >= _LEAST_THERE]
        return [self._domino(*one, *body) for one, body in zip(each, self._bodies(each, quick), strict=True)]

    def small(
        self,
        spots: Sequence[Spotted],
        *,
        quick: bool = False,
        beside: Sequence[Read] = (),
        as_dice: bool = False,
    ) -> list[Read]:
        """The coins, dice, pawns, soldiers and tiles that lie there.

        ``as_dice`` says that each must be looked at as a die, whatever it seems to be at first.
        """
        how = ("square", quick, self.expecting is None)
        looked = remembered(self.memory, how, spots, partial(self._small, quick, as_dice))
        heard = self._heard(of_one_set(looked), beside)
        each = [(spot, seen, _likeliest(seen)) for spot, seen in zip(spots, heard, strict=True)]
        each = [one for one in each if one[1].share(one[2]) >= _LEAST_THERE]
        tiles = [(spot, seen) for spot, seen, kind in each if kind == "tile"]
        colours = iter(self._bodies(tiles, quick))
        return [self._piece(*one, next(colours)[0] if one[2] == "tile" else None) for one in each]

    def _dominoes(self, quick: bool, spots: Sequence[Spotted]) -> list[DominoReading]:
        """What the reader of dominoes and the second opinions say."""
        each = domino_reading.read(self.picture, [one.corners for one in spots], quick=quick)
        counted = agreement.with_counts(self.picture, each)
        return counted if self.doubting is None else self.doubting(self.picture, counted)

    def _bodies(
        self, each: Sequence[tuple[Spotted, DominoReading | SmallReading]], quick: bool
    ) -> list[Body]:
        """The colour and the rims of each, where its reader has found it."""
        corners = {spot: seen.corners for spot, seen in each}

        def look(spots: Sequence[Spotted]) -> list[Body]:
            return [body_and_rim(self.picture, corners[one]) for one in spots]

        return remembered(self.memory, ("body", quick), [spot for spot, _ in each], look)

    def _domino(self, spot: Spotted, seen: DominoReading, colour: Colour, rim: float) -> Read:
        face = max(("up", "down", "edge"), key=seen.share)
        along = seen.corners[1] - seen.corners[0] + seen.corners[2] - seen.corners[3]
        return Read(
            "domino",
            face,
            domino_reading.ranked(seen) if face == "up" else ((None, 1.0),),
            seen.share(face),
            seen.corners,
            math.degrees(math.atan2(-along[1], along[0])) % 360,
            visible=seen.visible,
            colour=colour,
            spotted=spot.score,
            rim=rim,
        )

    def _small(self, quick: bool, as_dice: bool, spots: Sequence[Spotted]) -> list[SmallReading]:
        """What the reader of small pieces says, and those who look at some of them again."""
        looks = small.read(self.picture, spots, quick=quick)
        if as_dice:
            looks = dice.looked_at(self.picture, looks, list(range(len(spots))))
        elif self.expecting is None:
            looks = dice.looked_at(self.picture, looks, _maybe_dice(spots, looks))
        elif self.expecting.has_dice:
            looks = dice.looked_at(self.picture, looks, self.expecting.perhaps_dice(looks))
        return agreement.with_discs(self.picture, looks, [one.kind == "soldier" for one in spots])

    def _heard(self, alone: Sequence[SmallReading], beside: Sequence[Read]) -> list[SmallReading]:
        """The same once counts, the game and all others of the table were heard."""
        seen, of_a_game = agreement.with_counts_of_dice(self.picture, alone), None
        if self.expecting is not None:
            seen = self.expecting.small(seen)
            if self.expecting.looks is None:  # else the suits of the coins are not yet those of their own set
                seen = with_inks(self.picture, seen)
            of_a_game = self.expecting.of_its_piecepack(seen)
            seen = self.expecting.by_known_signs(self.picture, seen, of_a_game or ())
        pawns = [_suits_of(one) for one in beside if one.kind == "pawn" and one.there >= _SURELY_THERE]
        return suits_shared_out(seen, of_a_game, pawns)

    def _piece(self, spot: Spotted, seen: SmallReading, kind: str, colour: Colour | None) -> Read:
        ranked, turn = small.ranked(seen, kind)[:TOLD], -seen.angle_deg % 360
        shows_suit = kind == "coin" and (ranked[0][0] or {}).get("suit")
        if kind == "soldier":
            ranked = [({**(v or {}), "facing_deg": round(turn, 1)}, p) for v, p in ranked]
        return Read(
            kind,
            "down" if kind == "tile" or shows_suit else "up",
            tuple(ranked),
            seen.share(kind),
            seen.corners,
            turn,
            int(np.argmax(seen.choices["owner"])) if kind == "soldier" else None,
            seen.visible,
            colour,
            spotted=spot.score,
            flat=kind != "die" or seen.flat > dice.FLAT,
            counted=seen.counted,
        )


def _likeliest(seen: SmallReading) -> str:
    """What it is, if it is anything."""
    return max((kind for kind in small.CHOICES["kind"] if kind != "none"), key=seen.share)


def _maybe_dice(spots: Sequence[Spotted], looks: Sequence[SmallReading]) -> list[int]:
    """Which may be dice by their reader, or by the finder what the reader takes for a man with his disc."""
    spotted = [k for k, one in enumerate(spots) if one.kind == "die" and one.score > _SPOTTED]
    men = [k for k in spotted if small.chosen(looks[k], "kind")[0] == "soldier"]
    return sorted({*men, *dice.perhaps(looks)})


def _suits_of(pawn: Read) -> Floats:
    """What a pawn that was read says of its suit."""
    said = {str((value or {}).get("suit")): p for value, p in pawn.ranked}
    return np.array([said.get(suit, 0.0) for suit in small.CHOICES["suit"]])
