"""What a game expects of its table, joined to what was read: a stranger to the game must be seen the clearer.

Two squares of a board may look like a double blank or a closed tile, and a pawn like a soldier. A game that
has no blanks, no closed tiles and no soldiers makes these unlikely, never impossible: who puts a soldier on
that board is told that there is one, if it is seen well enough.
"""

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from calibration.plan import TablePlan
from calibration.table_finder import Table
from engine.belonging import Belongings
from engine.scene import Sighting
from vision.pieces import dice
from vision.pieces.domino_reading import FACES, PIPS, DominoReading
from vision.pieces.known_signs import KnownSigns
from vision.pieces.looks import Looks
from vision.pieces.mat import TOP_MM
from vision.pieces.patches import Floats, Picture
from vision.pieces.small import CHOICES, SmallReading, chosen

STRANGE = 0.005
"""How much less likely it is that something lies there which is no part of the game."""
_STRANGE_PLAIN = 0.00005
"""The same of a back or an edge, which show nothing: shadows and the seams of a board look like them."""
_SMALL = ("coin", "die", "pawn", "soldier")
_SEEN = 0.5
"""What is at least so likely of a kind looks like one of it."""
_LEAST, _NOTHING_COUNTS = 1e-6, 0.25
"""What stands in shadow looks a little like nothing; what looks like it as much as like a piece is none."""
_CLEAR = 0.95
"""What is seen so clearly stays, whatever else was seen."""
_ONE_PLACE = 0.65
"""So near, in board units, no two pieces lie that each have a place."""
_RIM_MM = 10.0
"""A piece so near to a region may belong to it."""


@dataclass(frozen=True)
class Expecting:
    """A game's pieces, and the table on which they are looked for."""

    belongings: Belongings
    plan: TablePlan
    table: Table
    looks: Looks | None = None
    """Those of the players' own pieces, where they were taught."""
    signs: KnownSigns = field(default_factory=KnownSigns)
    """Those of the game's dice, as far as its record has told them."""

    @property
    def tells(self) -> bool:
        """Whether the game tells what can lie where."""
        return bool(self.belongings.kinds)

    @property
    def has_dominoes(self) -> bool:
        """Whether the game tells of dominoes, so that what looks like a closed one is hardly a book."""
        told = self.belongings
        return bool(told.open or told.closed or told.faces or {"domino", "wall"} & set(told.most))

    @property
    def has_dice(self) -> bool:
        """Whether the game has places for dice."""
        return any("dice" in region for region in self.plan.regions)

    def dominoes(self, seen: Sequence[DominoReading]) -> list[DominoReading]:
        """Readings of dominoes after it was heard which the game has, and where."""
        middles = [one.corners.mean(axis=0) for one in seen]
        regions = self._regions(middles, TOP_MM["domino"])
        return [self._domino(one, there) for one, there in zip(seen, regions, strict=True)]

    def small(self, seen: Sequence[SmallReading]) -> list[SmallReading]:
        """Readings of small pieces after it was heard what can lie where."""
        regions = self._around(seen)
        return self._each_once([self._piece(one, there) for one, there in zip(seen, regions, strict=True)])

    def _each_once(self, seen: list[SmallReading]) -> list[SmallReading]:
        """Of a kind of which no two show the same, what looks like one seen better is of another kind.

        Better seen is what can hardly be anything else: a coin whose rim is lost in the light looks like a
        pawn, and a pawn never quite like that coin.
        """
        out = list(seen)
        for kind in sorted(self.belongings.unique & {*_SMALL}):
            number = CHOICES["kind"].index(kind)
            best: dict[int, SmallReading] = {}
            alike = [each for each in enumerate(seen) if each[1].choices["kind"][number] >= _SEEN]
            for k, one in sorted(alike, key=lambda each: -_odds(each[1], number)):
                first = best.setdefault(int(one.choices["suit"].argmax()), one)
                # what is nearer is the same piece, of which ``mat.none_twice`` keeps one
                if math.dist((first.x, first.y), (one.x, one.y)) > first.side / 2:
                    kinds = one.choices["kind"] * np.where(np.array(CHOICES["kind"]) == kind, STRANGE, 1.0)
                    out[k] = replace(one, choices={**one.choices, "kind": kinds / kinds.sum()})
        return out

    def perhaps_dice(self, seen: Sequence[SmallReading]) -> list[int]:
        """Which of these may be dice, where dice may lie: what looks like a tile is a blank one there.

        The closer look at dice was shown only these and what lies beside them: of a man it says nothing.
        """
        if not self.belongings.kinds:
            return dice.perhaps(seen)
        regions = self._around(seen)
        heard = [self._piece(one, there) for one, there in zip(seen, regions, strict=True)]
        plain = (k for k, one in enumerate(heard) if one.share("die") > max(one.share("none"), dice.PERHAPS))
        # What looks most like a die is looked at wherever it lies: the closer look may say it is nothing.
        alone = (k for k in dice.perhaps(seen) if chosen(seen[k], "kind")[0] == "die")
        return sorted(
            {*plain, *alone, *(k for k in dice.perhaps(seen) if heard[k].share("die") > dice.PERHAPS)}
        )

    def of_its_piecepack(self, seen: Sequence[SmallReading]) -> set[int] | None:
        """Which of these lie where pieces of the game's one piecepack do; none where it has no piecepack.

        A marker in the corner of the mat may look like an ace, and is no fifth die.
        """
        if self.belongings.dice != "piecepack":
            return None
        regions = self._around(seen)
        return {
            k
            for k, (one, there) in enumerate(zip(seen, regions, strict=True))
            if there and self.belongings.may_lie(chosen(one, "kind")[0], there)
        }

    def by_known_signs(
        self, picture: Picture, seen: Sequence[SmallReading], of_its_piecepack: Collection[int]
    ) -> list[SmallReading]:
        """Readings after the signs of the game's dice were held against those that its record has told."""
        dice = [k for k in of_its_piecepack if chosen(seen[k], "kind")[0] == "die"]
        return self.signs.heard(picture, seen, dice)

    def _around(self, seen: Sequence[SmallReading]) -> list[list[str]]:
        """The regions that small pieces lie in or near."""
        return self._regions([np.array([one.x, one.y]) for one in seen], TOP_MM["die"])

    def _regions(self, middles: Sequence[Floats], height_mm: float) -> list[list[str]]:
        """The regions that points of the picture lie in or near."""
        if not middles:
            return []
        points = self.table.camera.to_mm(np.array(middles), np.full(len(middles), height_mm))
        named = self.plan.regions.items()
        return [[n for n, r in named if r.holds(float(x), float(y), margin_mm=_RIM_MM)] for x, y in points]

    def _domino(self, one: DominoReading, regions: Sequence[str]) -> DominoReading:
        known = self.belongings
        there = 1.0 if known.may_lie("domino", regions) else STRANGE
        ways = _weights(FACES[:3], known.faces, _STRANGE_PLAIN) * there
        pips = _weights(range(PIPS), known.pips)
        first, second = one.first * pips, one.second * pips
        ways[FACES.index("up")] *= first.sum() * second.sum()
        if known.open.intersection(regions):
            ways[FACES.index("down")] *= STRANGE
        if regions and known.closed.issuperset(regions):
            ways[[FACES.index("up"), FACES.index("edge")]] *= STRANGE  # its shadow looks like a tile on edge
        faces = one.faces * np.append(ways, 1.0)
        return replace(
            one, faces=faces / faces.sum(), first=first / first.sum(), second=second / second.sum()
        )

    def _piece(self, one: SmallReading, regions: Sequence[str]) -> SmallReading:
        known = self.belongings
        fits = [kind == "none" or known.may_lie(kind, regions) for kind in CHOICES["kind"]]
        kind = one.choices["kind"] * np.where(fits, 1.0, STRANGE)
        sets = one.choices["set"] * _weights(CHOICES["set"], {known.dice} if known.dice else ())
        if known.dice and any("die" in known.kinds.get(region, ()) for region in regions):
            # Where a game's dice lie there are no others, however much one looks it.
            sets = np.array([float(name == known.dice) for name in CHOICES["set"]])
        kind[CHOICES["kind"].index("die")] *= sets.sum()  # one of another game is the stranger for it
        more = {"kind": kind / kind.sum(), "set": sets / sets.sum()}
        return replace(one, choices={**one.choices, **more})


def _odds(one: SmallReading, kind: int) -> float:
    """How much likelier it is of this kind than of the next likeliest, of which nothing counts for less."""
    kinds = np.array(one.choices["kind"])
    own = float(kinds[kind])
    kinds[CHOICES["kind"].index("none")] *= _NOTHING_COUNTS
    kinds[kind] = 0.0
    return own / max(float(kinds.max()), _LEAST)


_WEIGHED = ("wall",)
"""Of these each place was weighed beside all others already (``gaps.at_most``): what is hardly a wall may be
the one that stands there, and whoever knows where they stood can tell."""


def believable(sightings: Sequence[Sighting], belongings: Belongings) -> tuple[Sighting, ...]:
    """Without what is doubted where something surer speaks against it.

    That is where the same piece is seen better elsewhere, where another lies in that place already, or where
    as many of its kind are seen better as the game has.
    """
    kept: list[Sighting] = []
    for one in sorted(sightings, key=lambda one: -_clearness(one)):
        if _clearness(one) > _CLEAR or not any(_excludes(other, one, belongings) for other in kept):
            kept.append(one)
    there = {id(one) for one in kept} - _too_many(kept, belongings)
    return tuple(one for one in sightings if id(one) in there)


def _too_many(kept: Sequence[Sighting], belongings: Belongings) -> set[int]:
    """What is more of a kind than the game has: the least sure to be there, whatever the others show."""
    more: list[Sighting] = []
    for kind, most in belongings.most.items():
        if kind in _WEIGHED:
            continue
        alike = [one for one in kept if one.kind == kind]
        more += sorted(alike, key=lambda one: (-round(one.presence, 2), -_clearness(one)))[most:]
    return {id(one) for one in more if _clearness(one) <= _CLEAR}


def _clearness(one: Sighting) -> float:
    return one.presence * (one.guesses[0].probability if one.guesses else 1.0)


def _excludes(one: Sighting, other: Sighting, belongings: Belongings) -> bool:
    """Whether the other cannot be there as well."""
    if one.kind == other.kind and one.kind in belongings.unique and one.value == other.value:
        return True
    if one.region != other.region or one.region not in belongings.single:
        return False
    return any(math.dist(a, b) < _ONE_PLACE for a in _places(one) for b in _places(other))


def _places(one: Sighting) -> list[tuple[float, float]]:
    """The middles of the places that a piece lies on: of a domino two."""
    if one.x is None or one.y is None:
        return []
    turn = math.radians(one.angle or 0.0)
    halves = (-0.5, 0.5) if one.kind == "domino" else (0.0,)
    return [(one.x + half * math.cos(turn), one.y + half * math.sin(turn)) for half in halves]


def _weights(choices: Sequence[object], known: Collection[object], strange: float = STRANGE) -> Floats:
    """1 for what a game has, little for what it has not; 1 for all where it does not tell."""
    return np.array([1.0 if not known or one in known else strange for one in choices])
