"""When nobody need be asked about a piece: a limit a kind, measured on simulated pictures kept for it.

``training.sureness`` sets the limits, and writes how many readings they rest on beside them.
"""

import tomllib
from functools import cache

from vision.pieces.networks import MODELS
from vision.pieces.tidy import Read

_MUCH_SEEN = 0.65
_HIDDEN = 0.2
"""What is half covered must leave so much less doubt than what lies open."""


def sort_of(one: Read) -> str:
    """The sort of piece that has a limit of its own: kind, and face or set where they look different."""
    if one.kind == "domino":
        return {"up": "domino", "down": "back", "edge": "wall"}[one.face]
    if one.kind == "die":
        return f"die-{(one.value or {}).get('set', 'pips')}"
    return one.kind


def sure(one: Read) -> bool:
    """Whether nobody need be asked about this piece."""
    doubt = 1 - limits()[sort_of(one)]
    return one.confidence >= 1 - (doubt if one.visible >= _MUCH_SEEN else doubt * _HIDDEN)


@cache
def limits() -> dict[str, float]:
    """The least confidence of each sort of piece that is believed."""
    told = tomllib.loads((MODELS / "sureness.toml").read_text(encoding="utf-8"))
    return {sort: float(one["limit"]) for sort, one in told.items()}
