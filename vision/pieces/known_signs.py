"""The signs of a game's own dice: what the record says that a die shows is what such a sign looks like there.

    known = KnownSigns()
    known = known.agreed(scene, record, signs)   # once table and record agree, and people have had their say
    seen = known.heard(picture, seen, dice)      # readings of dice, held against the signs that are known

A maker's numbers may look like another's letters; but a 4 that people have told once looks like every other 4
of that set. A blank face has no sign, and is not learned. Signs only speak where one of them is recognized.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import dist, exp
from typing import TypeAlias

import cv2
import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from engine.layout import Layout
from engine.matching.evidence import Evidence, Leniency
from engine.plain import Json
from engine.scene import Scene
from vision.pieces.finder import USUAL_MM
from vision.pieces.patches import Floats, Picture, cut, framed
from vision.pieces.small import CHOICES, SmallReading

Sign: TypeAlias = Floats
"""How unlike the die's body each dot of its upper face looks (CIE Lab)."""
Name: TypeAlias = tuple[Json, Json]
"""The face and the suit of a die: each suit has an ink of its own, and its own sign for an ace."""
_DOTS, _FACE_PX = 18, 36
"""A sign has so many dots a side, each the mean of some pixels of a face that was cut out so large."""
_CORNERS = framed((_FACE_PX, _FACE_PX), (-2, -2))
"""The rim of a face belongs to no sign."""
_REACH = 2
"""By so many dots a sign may be cut out beside another."""
_ALIKE = 0.83
"""What is so much like no sign that is known is one that nobody told yet, or cannot be seen well."""
_STEEP, _MOST = 50.0, 8.0
"""How fast, and how far, the log of the odds falls with likeness: of 838 pairs of one sign 688 were alike by
0.90 and more, of 5,871 of two signs 6 (20 simulated makes)."""
_KEPT = 3
"""So many examples of a sign are kept, the newest."""


@dataclass(frozen=True, eq=False)
class SignExample:
    """One sign as it was seen, in its four turns, with what it says and where that die lay."""

    name: Name
    at: tuple[str, float, float]
    turns: Floats

    def is_at(self, at: tuple[str, float, float]) -> bool:
        """Whether a die that lies there is this one: no two lie so near each other."""
        return self.at[0] == at[0] and dist(self.at[1:], at[1:]) < USUAL_MM["die"] / 2


@dataclass(frozen=True)
class KnownSigns:
    """The signs of one game's dice, as far as its record has told them."""

    examples: tuple[SignExample, ...] = ()

    def agreed(self, scene: Scene, record: Layout, signs: Mapping[str, Sign]) -> "KnownSigns":
        """The same with the dice of a table that agrees with the record; ``signs`` are theirs, by ``ref``.

        Of one place the newest word counts: what people correct was never an example.
        """
        dice = replace(scene, sightings=tuple(one for one in scene.sightings if one.ref in signs))
        spots = tuple(spot for spot in record.spots if spot.kind == "die")
        found = Evidence(dice, {}, Leniency({}, {})).found(Layout(spots))
        kept = self.examples
        for spot in spots:
            if (one := found.get(spot.name)) is not None and one.x is not None and one.y is not None:
                at, sign, name = (one.region, one.x, one.y), signs[one.ref], _name(spot.value or {})
                kept = tuple(other for other in kept if not other.is_at(at))
                if name is not None:
                    kept = (*kept, SignExample(name, at, _turns(sign)))
        return KnownSigns(tuple(_newest(kept)))

    def heard(
        self, picture: Picture, seen: Sequence[SmallReading], dice: Collection[int]
    ) -> list[SmallReading]:
        """Readings, of which those with these numbers are dice of the game."""
        if not self.examples:
            return list(seen)
        return [self._heard(one, picture) if k in dice else one for k, one in enumerate(seen)]

    def _heard(self, one: SmallReading, picture: Picture) -> SmallReading:
        alike = self._alike(sign_of(picture, one.corners))
        best = max(alike.values())
        if best < _ALIKE:
            return one

        def odds(rank: str, suit: str) -> float:
            """How likely the sign is this one, beside the one that it is most alike."""
            own, others = alike.get((rank, suit), _ALIKE), alike.get((rank, None), 0.0)
            return exp(-min(_MOST, _STEEP * (best - max(own, others))))

        suits = [*zip(CHOICES["suit"], one.choices["suit"], strict=True)]
        each = [sum(p * odds(rank, suit) for suit, p in suits) for rank in CHOICES["rank"]]
        ranks = one.choices["rank"] * each
        return replace(one, choices={**one.choices, "rank": ranks / ranks.sum()})

    def _alike(self, sign: Sign) -> dict[Name, float]:
        """How much a sign is like each of those that are known, 1 at the most; numbers of any suit, too."""
        side = _DOTS - 2 * _REACH
        places = _units(sliding_window_view(sign, (side, side)).reshape(-1, side * side))
        alike: dict[Name, float] = {}
        for one in self.examples:
            much, (rank, _) = float((places @ one.turns.T).max()), one.name
            for name in (one.name,) if rank == "ace" else (one.name, (rank, None)):
                alike[name] = max(alike.get(name, -1.0), much)
        return alike


def sign_of(picture: Picture, corners: Floats) -> Sign:
    """The sign on the upper face with these corners."""
    face, _ = cut(picture, corners, _CORNERS, (_FACE_PX, _FACE_PX))
    lab = np.asarray(cv2.cvtColor(face, cv2.COLOR_BGR2LAB), dtype=np.float32)
    away = np.linalg.norm(lab - np.median(lab.reshape(-1, 3), axis=0), axis=2)
    return np.asarray(cv2.resize(away, (_DOTS, _DOTS), interpolation=cv2.INTER_AREA))


def _name(value: Mapping[str, Json]) -> Name | None:
    """What the sign of a die with this value says; None where it has none."""
    face = value.get("face")
    if face not in CHOICES["rank"] or face == "null":
        return None
    return face, value.get("suit")


def _turns(sign: Sign) -> Floats:
    """The middle of a sign in its four turns."""
    middle = sign[_REACH:-_REACH, _REACH:-_REACH]
    return _units(np.stack([np.rot90(middle, turn).ravel() for turn in range(4)]))


def _units(rows: Floats) -> Floats:
    """Each row less its mean, as long as 1."""
    rows = rows - rows.mean(axis=1, keepdims=True)
    return np.asarray(rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-6))


def _newest(examples: Sequence[SignExample]) -> Iterable[SignExample]:
    """The newest of each name, in the order in which they came."""
    for k, one in enumerate(examples):
        if sum(other.name == one.name for other in examples[k + 1 :]) < _KEPT:
            yield one
