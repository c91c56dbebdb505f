"""Whether markers were printed at another size than is supposed: then all pieces look too small or too large.

Millimetres come from the markers' size, so that a wrong one makes every piece wrong by the same ratio.
It is told by pieces of which makers make no such size, before those are dropped. Only what shows a
pattern says what it is: a plain square may be a book. Plain pieces count beside others of their set.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from calibration.marker_side import LEAST_MARKER_MM, MOST_MARKER_MM
from calibration.table_finder import Table
from vision.pieces.expecting import Expecting
from vision.pieces.finder import USUAL_MM
from vision.pieces.lattice import TILE_MM
from vision.pieces.mat import longest_mm
from vision.pieces.patches import Floats
from vision.pieces.piece_read import Read

_CLEAR = 0.8
"""The least confidence (kind, face and value together) of a piece that is measured."""
_ALIKE = math.log(1.08)
"""So far from the middle size, as a logarithm, pieces of one maker are measured at most."""
_SLACK = 1.03
"""How many times too large or too small the middle of a sort is measured at the right scale, at most."""


@dataclass(frozen=True)
class Sort:
    """Pieces that are measured together, and the sizes in which makers make them."""

    words: str
    usual_mm: float
    least_mm: float
    most_mm: float
    fewest: int
    """So many must agree."""
    most: int
    """More than that are no pieces but the pattern of a cloth; some are read twice, and those count, too."""
    shows: Callable[[Read], bool]
    beside: tuple[str, ...] = ()
    """What must be seen or known as well, one of these at least; none: it speaks for itself."""
    alike: float = 0.6
    """The least share of those seen that must agree."""

    @property
    def weight(self) -> float:
        """How much its middle says: the less makers differ, the more."""
        return 1 / math.log(self.most_mm / self.least_mm) ** 2


@dataclass(frozen=True)
class Measured:
    """The middle size of what was seen of one sort."""

    sort: Sort
    middle_mm: float
    pieces: int

    def fits(self, share: float = 1.0) -> bool:
        """Whether makers make this size, where all is seen at this share of its true size."""
        made = self.middle_mm / share
        return self.sort.least_mm / _SLACK <= made <= self.sort.most_mm * _SLACK


@dataclass(frozen=True)
class OtherSize:
    """The markers seem to have another size than was supposed."""

    words: str
    """What looks too small or too large."""
    share: float
    """The size at which it is seen, as a share of its true one."""
    marker_mm: float
    """What a marker measures if these pieces have their usual size."""
    pieces: int
    """How many agree."""

    @property
    def remark(self) -> str:
        """What is amiss."""
        times, how = (1 / self.share, "small") if self.share < 1 else (self.share, "large")
        asked = f"were the markers printed at {self.marker_mm:g} mm?"
        return f"The {self.words} look {times:.1f} times too {how}: {asked}"

    @property
    def remedy(self) -> str:
        """What to do about it."""
        return f"Say --marker-mm {self.marker_mm:g}, or what a marker's black square measures."

    @property
    def sentence(self) -> str:
        """Both."""
        return f"{self.remark} {self.remedy}"


def told_by(pieces: Sequence[Read], table: Table, expecting: Expecting | None = None) -> OtherSize | None:
    """What size the markers have, where pieces contradict the one that is supposed; None where all is well.

    ``pieces`` are all that was read, also what has no piece's size. ``expecting`` knows what a game has.
    """
    found = _measured(pieces, table, dominoes=expecting is not None and expecting.has_dominoes)
    telling = [one for name, one in found.items() if name in _LARGE] or [*found.values()]
    odd = [one for one in telling if not one.fits()]
    if not odd:
        return None
    share = _share(telling)
    supposed = float(np.mean([place.side_mm for place in table.markers]))
    side = round(supposed / share)
    if not all(one.fits(share) for one in telling) or not LEAST_MARKER_MM <= side <= MOST_MARKER_MM:
        return None
    most = max(odd, key=lambda one: one.pieces)
    return OtherSize(most.sort.words, share, float(side), sum(one.pieces for one in odd))


def _share(telling: Sequence[Measured]) -> float:
    """At which share of their true size these are seen, the mean of what each sort says."""
    logs = sum(one.sort.weight * math.log(one.middle_mm / one.sort.usual_mm) for one in telling)
    return math.exp(logs / sum(one.sort.weight for one in telling))


def _measured(pieces: Sequence[Read], table: Table, *, dominoes: bool) -> dict[str, Measured]:
    """The middle size of every sort of which enough pieces agree; ``dominoes`` are known to lie there."""
    clear = [one for one in pieces if one.confidence > _CLEAR]
    if not clear:
        return {}
    sides = longest_mm(clear, table)
    mine = {name: sides[[sort.shows(one) for one in clear]] for name, sort in SORTS.items()}
    seen = {name for name, sort in SORTS.items() if len(mine[name]) >= sort.fewest}
    seen |= {_GAME} if dominoes else set()
    found = {
        name: _middle(sort, mine[name])
        for name, sort in SORTS.items()
        if not sort.beside or seen.intersection(sort.beside)
    }
    return {name: one for name, one in found.items() if one is not None}


def _middle(sort: Sort, sides: Floats) -> Measured | None:
    """The middle size of these, if enough of them agree with it."""
    if not sort.fewest <= len(sides) <= sort.most:
        return None
    middle = float(np.median(sides))
    alike = int((np.abs(np.log(sides / middle)) < _ALIKE).sum())
    if alike < max(sort.fewest, sort.alike * len(sides)):
        return None
    return Measured(sort, middle, alike)


# — what shows what it is —


def _is_open(one: Read) -> bool:
    """Whether it is a domino with pips."""
    return any(one.pips)


def _is_closed(one: Read) -> bool:
    return one.kind == "domino" and one.face == "down"


def _is_coin(one: Read) -> bool:
    """Whether it is a coin that shows something."""
    value = one.value or {}
    return one.kind == "coin" and bool(value.get("suit") or value.get("value"))


def _is_die(one: Read, set_name: str) -> bool:
    """Whether it is a die of this set with more on it than one spot, which many things look like."""
    value = one.value or {}
    plain = value.get("face") in ("1", "null", "ace", "black")
    return one.kind == "die" and value.get("set") == set_name and not plain


_GAME = "a game with dominoes"
_DOMINO = Sort("dominoes", USUAL_MM["domino"], 38.0, 58.0, 3, 120, _is_open)
SORTS: Mapping[str, Sort] = {
    "domino": _DOMINO,
    "coin": Sort("coins", USUAL_MM["coin"], 16.0, 23.0, 4, 60, _is_coin),
    "soldier": Sort("soldiers", USUAL_MM["soldier"], 12.0, 40.0, 4, 120, lambda one: one.kind == "soldier"),
    "duel": Sort("dice", 16.0, 13.5, 20.5, 3, 40, lambda one: _is_die(one, "kingdomino-duel")),
    "pips": Sort("dice", USUAL_MM["die"], 8.0, 25.0, 3, 60, lambda one: _is_die(one, "pips")),
    "closed": replace(
        _DOMINO, fewest=5, most=150, shows=_is_closed, beside=("domino", "soldier", _GAME), alike=0.7
    ),
    "tile": Sort("tiles", TILE_MM, 46.0, 55.0, 6, 80, lambda one: one.kind == "tile", ("domino", "coin")),
}
"""From travel sets to the largest dominoes in the shops, and so on: what is ordinary is never remarked on."""
_LARGE = ("domino", "closed", "tile")
"""They are measured to 3 % and makers agree on them; where they are seen, small pieces say nothing."""
