"""What sightings may be in the Draw Game: which tile lies there, and which way round."""

from collections.abc import Iterator, Mapping
from typing import Final

from engine.dominoes import Domino, tile
from engine.draw_game.chain import Lies
from engine.draw_game.model import BIT, TILES, DrawState
from engine.matching.evidence import Lay
from engine.matching.piece_words import is_unread
from engine.plain import Json
from engine.scene import Scene, Sighting

BOARD: Final = "board"
ASIDE: Final = "aside"
_LEAST: Final = 0.002
"""A reading less likely than this is no reason to think of a move."""


def mover_seen(state: DrawState, scene: Scene) -> int:
    """Whose turn it is; where nobody knows, that of the player who was seen, or came first."""
    return state.mover or scene.by or scene.came or 1


def tiles_of(one: Sighting, least: float = _LEAST) -> Iterator[tuple[Domino, Lies]]:
    """The tiles that a sighting may be, each as it lies then."""
    if one.x is None or one.y is None or one.angle is None:
        return
    for guess in one.guesses:
        ends_ = _pips((guess.value or {}).get("pips"))
        if ends_ is not None and (guess.face or one.face) == "up" and guess.probability >= least:
            angle = one.angle if ends_[0] <= ends_[1] else (one.angle + 180) % 360
            yield tile(*ends_), Lies(one.x, one.y, angle)


def any_tile(one: Sighting) -> Iterator[tuple[Domino, Lies]]:
    """Every tile, either way round, that may lie open where one lies that cannot be read."""
    if one.x is None or one.y is None or one.angle is None or not is_unread(one):
        return
    for domino in TILES:
        for turn in (0, 180)[: 2 - domino.is_double]:
            yield domino, Lies(one.x, one.y, (one.angle + turn) % 360)


def lay_as(domino: Domino, one: Sighting) -> Lay | None:
    """Where a sighting lies if it is this tile."""
    for found, lies in tiles_of(one, 0.0):
        if found == domino:
            return Lay(one.region, lies.x, lies.y, lies.angle)
    return None


def looks_like(one: Sighting) -> Mapping[str, float]:
    """How likely a sighting is which tile, by their names."""
    looks: dict[str, float] = {}
    for guess in one.guesses:
        ends_ = _pips((guess.value or {}).get("pips"))
        if ends_ is not None:
            name = str(tile(*ends_))
            looks[name] = looks.get(name, 0.0) + guess.probability
    return looks


def _pips(value: Json) -> tuple[int, int] | None:
    if not isinstance(value, list | tuple) or len(value) != 2:
        return None
    a, b = (end if isinstance(end, int) else -1 for end in value)
    return (a, b) if tile(a, b) in BIT else None
