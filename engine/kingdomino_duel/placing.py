"""All ways to draw two dice on a map.

This is what a referee asks most often, so it is done on whole sets of squares: one shift and two masks give
all places of a domino lying across, and the drawings themselves are made once for each pair of symbols and
looked up from then on.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from engine.kingdomino_duel.edition import COATS, JOKER, Face
from engine.kingdomino_duel.kingdom import OPEN, Kingdom, Mark, beside, each
from engine.kingdomino_duel.model import Draw


@dataclass(frozen=True, slots=True)
class Manner:
    """How a domino may be drawn: the powers in use, and the readings that bear on them."""

    free: bool = False
    """P1: no connection is needed."""
    apart: bool = False
    """P2: the two squares need not touch."""
    chain: bool = False
    """Under P2, the second square may connect to the first (A-K6)."""
    partial: bool = True
    """Under P2, one die may be drawn where both cannot be (A-K7)."""


PLAIN_MANNER = Manner()


def drawings(player: int, kingdom: Kingdom, domino: tuple[Face, Face], manner: Manner) -> Iterator[Draw]:
    """Every drawing of this domino that the rules allow, no two alike.

    ``domino`` holds the symbols of the dice, castle's cross counted in.
    """
    if not manner.apart:
        yield from _together(player, kingdom, domino, manner.free)
        return
    both = False
    for drawing in _both_apart(player, kingdom, domino, manner):
        both = True
        yield drawing
    if manner.partial and not both:
        for symbol in sorted({symbol for face in domino for symbol in symbols(face)}):
            for square in each(kingdom.empty & reach(kingdom, symbol, manner)):
                yield Draw(player, (Mark(square, *symbol),))


def reach(kingdom: Kingdom, symbol: Face, manner: Manner) -> int:
    """The squares, empty or not, on which this symbol would be connected."""
    return OPEN if manner.free else kingdom.reach(symbol.coat)


@lru_cache(maxsize=128)
def symbols(face: Face) -> tuple[Face, ...]:
    """What may be drawn for a face: itself, or any coat for the joker."""
    if face.coat != JOKER:
        return (face,)
    return tuple(Face(coat, face.crosses) for coat in range(len(COATS)))


@lru_cache(maxsize=4096)
def _pairs(domino: tuple[Face, Face]) -> tuple[tuple[Face, Face], ...]:
    """The different pairs of symbols that a domino may be drawn as."""
    pairs = {(min(a, b), max(a, b)) for a in symbols(domino[0]) for b in symbols(domino[1])}
    return tuple(sorted(pairs))


class _Places(NamedTuple):
    """The drawings of two symbols side by side, under the bit of the left or upper square."""

    across: Mapping[int, Draw]
    across_turned: Mapping[int, Draw]
    down: Mapping[int, Draw]
    down_turned: Mapping[int, Draw]


@lru_cache(maxsize=1024)
def _places(player: int, first: Face, second: Face) -> _Places:
    def ways(a: Face, b: Face, step: int) -> dict[int, Draw]:
        return {
            1 << square: Draw(player, (Mark(square, *a), Mark(square + step, *b)))
            for square in each(OPEN & OPEN >> step)
        }

    return _Places(
        ways(first, second, 1), ways(second, first, 1), ways(first, second, 8), ways(second, first, 8)
    )


def _together(player: int, kingdom: Kingdom, domino: tuple[Face, Face], free: bool) -> Iterator[Draw]:
    empty = kingdom.empty
    across, down = empty & empty >> 1, empty & empty >> 8
    for first, second in _pairs(domino):
        places = _places(player, first, second)
        a, b = (empty, empty) if free else (kingdom.reach(first.coat), kingdom.reach(second.coat))
        ways = [(across & (a | b >> 1), places.across), (down & (a | b >> 8), places.down)]
        if first != second:
            ways += [(across & (b | a >> 1), places.across_turned), (down & (b | a >> 8), places.down_turned)]
        for spots, made in ways:
            while spots:
                lowest = spots & -spots
                yield made[lowest]
                spots ^= lowest


def _both_apart(player: int, kingdom: Kingdom, domino: tuple[Face, Face], manner: Manner) -> Iterator[Draw]:
    empty = kingdom.empty
    for first, second in _pairs(domino):
        a, b = (empty & reach(kingdom, symbol, manner) for symbol in (first, second))
        chained = manner.chain and first.coat == second.coat
        for one in each(empty if chained else a):
            others = b
            if chained:
                near = beside(1 << one)
                others = (b | near) & empty if a >> one & 1 else b & near
            # Two equal symbols make the same drawing both ways round: only the later square is paired.
            others &= -2 << one if first == second else ~(1 << one)
            for other in each(others):
                yield Draw(player, (Mark(one, *first), Mark(other, *second)))
