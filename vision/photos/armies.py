"""Which army a soldier is of: by his type where one army alone has it, else by the comrades of his side."""

from collections.abc import Sequence

from engine.dominoes_of_war.troops import ARMIES
from vision.pieces.piece_read import Read
from vision.pieces.sureness import sure


def armies(pieces: Sequence[Read]) -> list[str | None]:
    """The army of each piece, in order; None for what is no soldier and where nothing tells it."""
    of_side = {side: _common([one for one in pieces if _known(one) and one.owner == side]) for side in (0, 1)}
    return [_army(one, of_side) for one in pieces]


def _army(one: Read, of_side: dict[int, str | None]) -> str | None:
    if one.kind != "soldier" or one.value is None:
        return None
    own = _with(one)
    if len(own) == 1:
        return own[0]
    theirs = None if one.owner is None else of_side[one.owner]
    return theirs if theirs in own else None


def _common(comrades: Sequence[Read]) -> str | None:
    """The only army that has all of these types, or None."""
    fits = [army for army in ARMIES if all(army in _with(one) for one in comrades)]
    return fits[0] if len(fits) == 1 else None


def _known(one: Read) -> bool:
    return one.kind == "soldier" and one.value is not None and sure(one)


def _with(one: Read) -> list[str]:
    """The armies that have this type."""
    kind = None if one.value is None else one.value.get("type")
    return [army for army, kinds in ARMIES.items() if kind in kinds]
