"""How well what was read of one piece agrees with what it should be."""

from collections.abc import Mapping, Sequence
from itertools import combinations
from math import log
from typing import Final

from engine.layout import Spot
from engine.plain import Json
from engine.scene import Guess, Sighting

FLOOR: Final = 0.0003
"""A reading is never surer than this that a piece is not what it should be."""
SHEET_FLOOR: Final = 1e-6
"""The same for a whole sheet, of which two squares or more are new."""
_OTHERS: Final = 10
"""Among how many other values the probability is shared that the guesses leave over."""
_UNSEEN: Final = 0.5
"""What a guess is worth that does not say all of a value."""
_FADED: Final = 0.06
"""How often a die that was taken shows fewer crosses than it has, farther out or in shade."""
_IGNORED: Final = frozenset(("set", "facing_deg"))
"""Keys that are no part of a piece's identity; where a soldier faces is told by his angle."""
_RARE: Final = -7.0
"""The log of how often a hand leaves two pieces in each other's places, beside both of them misread."""


def agreement(spot: Spot, sighting: Sighting, *, turned: bool | None) -> float:
    """The log of how likely the reading is if this is the piece of ``spot``; 0 where nothing was read.

    ``turned`` says whether a domino lies the other way round than the spot, None where that does not matter.
    """
    if spot.owner is not None and sighting.owner not in (None, spot.owner) and spot.kind == "soldier":
        return log(FLOOR)
    if not sighting.guesses:
        return 0.0 if sighting.face == spot.face else log(FLOOR)
    fits, rest, whole = 0.0, 0.0, spot.kind == "sheet"
    for guess in sighting.guesses:
        rest += guess.probability
        if (guess.face or sighting.face) == spot.face:
            fits += guess.probability * _share(spot, guess, turned)
            whole |= guess.value is None  # as of a closed tile: what is left over is no more of this face
    left = 0.0 if whole else max(0.0, 1.0 - rest) / _OTHERS
    return log(min(1.0, max(FLOOR if spot.kind != "sheet" else SHEET_FLOOR, fits + left)))


def _share(spot: Spot, guess: Guess, turned: bool | None) -> float:
    if spot.value is None or guess.value is None:
        return 1.0
    if spot.kind == "sheet":
        return sheet_share(spot.value, guess.value)
    if "pips" in spot.value:
        return _pips_share(spot.value["pips"], guess.value.get("pips"), turned)
    worth = 1.0
    for key, wanted in spot.value.items():
        if wanted is not None and key not in _IGNORED:
            may_fade = key == "crosses" and spot.owner is not None
            worth *= _entry_share(wanted, guess.value.get(key), may_fade=may_fade)
    return worth


def _entry_share(wanted: Json, found: Json, *, may_fade: bool) -> float:
    if found is None:
        return _UNSEEN
    if may_fade and _is_fewer(found, wanted):
        return _FADED
    return float(found == wanted)


def _is_fewer(found: Json, wanted: Json) -> bool:
    return isinstance(found, int) and isinstance(wanted, int) and found < wanted


def _pips_share(wanted: Json, found: Json, turned: bool | None) -> float:
    if not isinstance(wanted, list) or not isinstance(found, list | tuple):
        return _UNSEEN
    there = list(found)
    ways = (there, there[::-1]) if turned is None else (there[::-1],) if turned else (there,)
    return float(wanted in ways)


def sheet_share(wanted: Mapping[str, Json], found: Mapping[str, Json]) -> float:
    """How likely a sheet reads so: the product over its cells, each with its own confidence if it has one."""
    share = 1.0
    for key, entry in wanted.items():
        if key in found:
            share *= _agree(entry, found[key])
    return share


def _agree(wanted: Json, found: Json) -> float:
    """How likely a part of a sheet is read as ``found`` where ``wanted`` stands."""
    if isinstance(found, Sequence) and isinstance(wanted, Sequence) and len(wanted) == len(found):
        share = 1.0
        for one, other in zip(wanted, found, strict=True):
            share *= _agree(one, other)
        return share
    sure = found.get("confidence", 1.0) if isinstance(found, Mapping) else 1.0
    assert isinstance(sure, int | float)
    return max(FLOOR, sure if _same(wanted, found) else (1.0 - sure) / _OTHERS)


def _same(wanted: Json, found: Json) -> bool:
    """Whether all that is said of a cell is as it should be; what is not said does not count."""
    if not isinstance(wanted, Mapping) or not isinstance(found, Mapping):
        return wanted == found
    told = ((entry, found[key]) for key, entry in wanted.items() if key in found)
    return all(entry == there for entry, there in told)


def swaps(misread: Sequence[tuple[Spot, Sighting]], least: float) -> bool:
    """Whether two of these rather lie in each other's places, by so much, than that both are misread."""
    return any(
        one.kind == other.kind
        and _RARE + _read((one, there), (other, here)) - _read((one, here), (other, there)) > least
        for (one, here), (other, there) in combinations(misread, 2)
    )


def _read(*pairs: tuple[Spot, Sighting]) -> float:
    return sum(agreement(*pair, turned=None) for pair in pairs)
