"""The signs of a game's own dice: what a record says that a die shows is what such a sign looks like there.

    known = KnownSigns()
    known = known.agreed(scene, record, signs, shown)   # once table and record agree
    seen = known.heard(picture, seen, dice)             # readings of dice, held against what is known

A maker's numbers may look like another's letters; but a 4 that people have told once looks like every other 4
of that set. A blank face has no sign, and is not learned. Signs only speak where one of them is recognized.

What was read in doubt teaches nothing, or it would be its own proof. What people say teaches, and outweighs
what was learned before. Of what was read for sure only a sign that no known one explains is learned.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import exp
from typing import TypeAlias

import cv2
import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from engine.layout import Layout, Spot
from engine.matching.answered import ShownPieces
from engine.matching.evidence import Evidence, Leniency
from engine.scene import Scene, Sighting
from vision.pieces.patches import Floats, Picture, cut, framed
from vision.pieces.piece_read import CLEAR
from vision.pieces.small import CHOICES, SmallReading

Sign: TypeAlias = Floats
"""How unlike the die's body each dot of its upper face looks (CIE Lab)."""
SignName: TypeAlias = tuple[str, str | None]
"""The face and the suit of a die: each suit has an ink of its own, and its own sign for an ace."""
_DOTS, _FACE_PX = 18, 36
"""A sign has so many dots a side, each the mean of some pixels of a face that was cut out so large."""
_CORNERS = framed((_FACE_PX, _FACE_PX), (-2, -2))
"""The rim of a face belongs to no sign."""
_REACH = 2
"""By so many dots a sign may be cut out beside another."""
_UNKNOWN, _SAME = 0.83, 0.9
"""What is so much like no known sign is one that nobody told yet, or cannot be seen well; and what is so much
like one is that sign. Of 838 pairs of one sign 688 were alike by 0.90 and more, of 5,871 of two signs 6 (20
simulated makes)."""
_STEEP, _MOST = 50.0, 8.0
"""How fast, and how far, the log of the odds falls with likeness."""
_KEPT = 3
"""So many examples of a sign are kept, the newest."""


@dataclass(frozen=True, eq=False)
class SignExample:
    """One sign as it was seen, in its four turns, with what it says by an entry of the record."""

    name: SignName
    turns: Floats
    entry: int
    told: bool
    """Whether people have told it; else it was read for sure."""

    def holds(self, shown: ShownPieces) -> bool:
        """Whether its entry still counts, and is still people's word if it was."""
        return self.entry in (shown.told if self.told else shown.counts)


@dataclass(frozen=True)
class KnownSigns:
    """The signs of one game's dice, as far as its record has told them."""

    examples: tuple[SignExample, ...] = ()

    def agreed(
        self, scene: Scene, record: Layout, signs: Mapping[str, Sign], shown: ShownPieces
    ) -> "KnownSigns":
        """The same with the dice of a table that agrees with the record, as far as it is in no doubt of them.

        ``signs`` are theirs, by ``ref``. What the record took back is forgotten.
        """
        dice = replace(scene, sightings=tuple(one for one in scene.sightings if one.kind == "die"))
        spots = tuple(spot for spot in record.spots if spot.kind == "die")
        found = Evidence(dice, {}, Leniency({}, {})).found(Layout(spots))
        known = KnownSigns(tuple(one for one in self.examples if one.holds(shown)))
        for spot in spots:
            one, name, entry = found.get(spot.name), _name(spot), shown.entries.get(spot.name)
            if one is None or name is None or entry is None or one.ref not in signs or not _is_in_sight(one):
                continue
            sign, told = signs[one.ref], entry in shown.told
            if told or _reads_so(one, name):
                known = known._learned(sign, SignExample(name, _turns(sign), entry, told))
        return known

    def _learned(self, sign: Sign, new: SignExample) -> "KnownSigns":
        """The same with a sign, unless it is known; what was only read must be like none that is."""
        alike, kept = self._alike(sign), self.examples
        if new.told:
            kept = tuple(one for one in kept if one.name == new.name or _likeness(sign, one) < _SAME)
        if max(alike.values(), default=0.0) >= _UNKNOWN and not new.told:
            return self
        if any(
            one.name == new.name and one.told >= new.told and _likeness(sign, one) >= _SAME for one in kept
        ):
            return KnownSigns(kept)
        return KnownSigns(tuple(_newest((*kept, new))))

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
        if best < _UNKNOWN:
            return one

        def odds(rank: str, suit: str) -> float:
            """How likely the sign is this one, beside the one that it is most alike."""
            own, others = alike.get((rank, suit), _UNKNOWN), alike.get((rank, None), 0.0)
            return exp(-min(_MOST, _STEEP * (best - max(own, others))))

        suits = [*zip(CHOICES["suit"], one.choices["suit"], strict=True)]
        each = [sum(p * odds(rank, suit) for suit, p in suits) for rank in CHOICES["rank"]]
        ranks = one.choices["rank"] * each
        return replace(one, choices={**one.choices, "rank": ranks / ranks.sum()})

    def _alike(self, sign: Sign) -> dict[SignName, float]:
        """How much a sign is like each of those that are known, 1 at the most; numbers of any suit, too."""
        places, alike = _places(sign), dict[SignName, float]()
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


def _name(spot: Spot) -> SignName | None:
    """What the sign of a die says; None where it has none."""
    value = spot.value or {}
    face, suit = value.get("face"), value.get("suit")
    if not isinstance(face, str) or face not in CHOICES["rank"] or face == "null":
        return None
    return face, suit if isinstance(suit, str) else None


def _is_in_sight(one: Sighting) -> bool:
    """Whether a die can be seen whole."""
    return min(one.visible, one.presence) >= CLEAR


def _reads_so(one: Sighting, name: SignName) -> bool:
    """Whether a die reads as this, and as nothing else."""
    face = name[0]
    return sum(guess.probability for guess in one.guesses if (guess.value or {}).get("face") == face) >= CLEAR


def _likeness(sign: Sign, example: SignExample) -> float:
    """How much a sign is like one that is known."""
    return float((_places(sign) @ example.turns.T).max())


def _places(sign: Sign) -> Floats:
    """A sign as it may lie beside another, in all places within reach."""
    side = _DOTS - 2 * _REACH
    return _units(sliding_window_view(sign, (side, side)).reshape(-1, side * side))


def _turns(sign: Sign) -> Floats:
    """The middle of a sign in its four turns."""
    middle = sign[_REACH:-_REACH, _REACH:-_REACH]
    return _units(np.stack([np.rot90(middle, turn).ravel() for turn in range(4)]))


def _units(rows: Floats) -> Floats:
    """Each row less its mean, as long as 1."""
    rows = rows - rows.mean(axis=1, keepdims=True)
    return np.asarray(rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-6))


def _newest(examples: Sequence[SignExample]) -> Iterable[SignExample]:
    """The newest of each name, in the order in which they came; what people told before what was read."""
    for k, one in enumerate(examples):
        better = (
            (other.told, j) > (one.told, k) for j, other in enumerate(examples) if other.name == one.name
        )
        if sum(better) < _KEPT:
            yield one
