"""The shapes of bases: six tiles round the field that hang together and have one or two entrances."""

from collections.abc import Iterable
from functools import lru_cache

from engine.dominoes_of_war.model import BASE_SIZE
from engine.dominoes_of_war.places import FIELD, FIELD_INDEX, STRAIGHT, Border, Place, border

MOST_ENTRANCES = 2


def touching(tiles: Iterable[Place]) -> frozenset[Place]:
    """The places outside the field that share a side with one of these tiles and are none of them."""
    inside = frozenset(tiles)
    beside = frozenset(at + step for at in inside for step in STRAIGHT.values())
    return beside - inside - FIELD_INDEX.keys()


def entrances(tiles: Iterable[Place]) -> tuple[Border, ...]:
    """The sides that these base tiles share with tiles of the field, in order."""
    sides = (border(at, at + step) for at in tiles for step in STRAIGHT.values() if at + step in FIELD_INDEX)
    return tuple(sorted(sides))


def connected(tiles: Iterable[Place]) -> frozenset[Place]:
    """Those of these tiles that hang together with the first of them by their sides."""
    left = set(tiles)
    found: set[Place] = set()
    edge = {min(left)} if left else set()
    while edge:
        found |= edge
        left -= edge
        edge = {at + step for at in edge for step in STRAIGHT.values()} & left
    return frozenset(found)


def lone(tiles: Iterable[Place]) -> frozenset[Place]:
    """Those of these tiles that lie beside the field with no other beside them: no tile of a base does."""
    outside = frozenset(tiles) - FIELD_INDEX.keys()
    return frozenset(at for at in outside if not any(at + step in outside for step in STRAIGHT.values()))


@lru_cache(maxsize=1)
def all_bases() -> tuple[frozenset[Place], ...]:
    """Every base that may be placed round an empty field, in the order of their tiles."""
    edge = {at + step for at in FIELD for step in STRAIGHT.values()} - FIELD_INDEX.keys()
    grown = {frozenset({at}) for at in edge}
    for _ in range(BASE_SIZE - 1):
        larger = {tiles | {at} for tiles in grown for at in touching(tiles)}
        # Entrances only grow in number, so a shape with too many leads to no base.
        grown = {tiles for tiles in larger if len(entrances(tiles)) <= MOST_ENTRANCES}
    return tuple(sorted(grown, key=sorted))
