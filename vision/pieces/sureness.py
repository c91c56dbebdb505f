"""When nobody need be asked about a piece: a limit a kind, measured on simulated pictures kept for it.

``training.set_sureness`` sets the limits of pieces judged alone, ``training.teach_company`` of those judged
beside all else on their table; both write how many readings they rest on beside them.
"""

import tomllib
from functools import cache

from vision.pieces.networks import MODELS
from vision.pieces.piece_read import Read

SORTS = ("domino", "back", "wall", "coin", "pawn", "die-pips", "die-piecepack", "die-kingdomino-duel",
         "soldier", "tile")  # fmt: skip
"""The sorts of pieces that have a limit of their own."""
_MUCH_SEEN, _BACK_SEEN = 0.65, 0.85
_INK_PX = 15.0
_COUNTED_VALUE, _COUNTED_THERE = 0.9, 0.95
"""An ordinary die whose pips were counted alike is believed with less: the count errs elsewhere than the
network does. Both look through the same corners, so that it says little of whether a die is there."""
_UNCOUNTED = 0.5
"""One whose pips were counted otherwise, or not clearly, must leave so much less doubt: of 448 simulated
ones that were believed and right 35 were such, of 3 wrong ones all."""
_HIDDEN = 0.2
"""What is half covered must leave so much less doubt than what lies open."""


def sort_of(one: Read) -> str:
    """Its sort: kind, and face or set where they look different."""
    if one.kind == "domino":
        return {"up": "domino", "down": "back", "edge": "wall"}[one.face]
    if one.kind == "die":
        return f"die-{(one.value or {}).get('set', 'pips')}"
    return one.kind


def sure(one: Read) -> bool:
    """Whether nobody need be asked about this piece."""
    if not one.flat or _may_only_look_empty(one):
        return False
    doubt = 1 - limits("company" if one.in_company else "sureness")[sort_of(one)]
    if _is_ordinary_die(one) and lies_open(one):
        if not _counted_alike(one):
            doubt *= _UNCOUNTED
        elif one.ranked[0][1] >= _COUNTED_VALUE and one.there >= _COUNTED_THERE:
            return True
    return one.confidence >= 1 - (doubt if lies_open(one) else doubt * _HIDDEN)


def _is_ordinary_die(one: Read) -> bool:
    """Whether it is a die with pips that no table speaks for."""
    return sort_of(one) == "die-pips" and not one.in_company


def _counted_alike(one: Read) -> bool:
    """Whether as many pips were counted as were read."""
    return one.counted is not None and (one.value or {}).get("face") == str(one.counted)


def _may_only_look_empty(one: Read) -> bool:
    """Whether a die's face looks empty, and is so small that its ink need not be seen."""
    return one.kind == "die" and (one.value or {}).get("face") == "null" and one.length < _INK_PX


def lies_open(one: Read) -> bool:
    """Whether enough of it is seen; the half of a domino that is seen may be its blank one."""
    return one.visible >= (_BACK_SEEN if one.kind == "domino" and one.face == "down" else _MUCH_SEEN)


@cache
def limits(name: str) -> dict[str, float]:
    """The least confidence of each sort of piece that is believed."""
    told = tomllib.loads((MODELS / f"{name}.toml").read_text(encoding="utf-8"))
    return {sort: float(one["limit"]) for sort, one in told.items()}
