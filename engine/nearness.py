"""Which legal move is nearest to an illegal one: the one a hand could make of it with the least trouble."""

from collections.abc import Iterable, Mapping
from heapq import nsmallest
from math import hypot
from typing import NamedTuple, TypeAlias, TypeVar

T = TypeVar("T")


class Where(NamedTuple):
    """Where a piece ends up, in board units and degrees."""

    x: float
    y: float
    angle: float = 0.0


Footprint: TypeAlias = Mapping[str, Where | str | None]
"""Every piece that a move touches, and where it is afterwards: a place on the board, the name of a region
without places ("pool", "player 1"), or None where it is unknown. Choices that move no piece (a die taken, a
pass said aloud) are entries too, under a name of their own."""

APART = 8.0
"""How far apart two ends count that have no common measure, in board units: a board's width."""


def trouble(wanted: Footprint, offered: Footprint) -> tuple[int, float]:
    """Pieces that lie differently after the two moves, then how far those pieces are apart."""
    if wanted.keys().isdisjoint(offered):  # most legal moves touch other pieces, so this is worth its line
        apart = len(wanted) + len(offered)
        return apart, APART * apart
    lost = len(offered.keys() - wanted.keys())
    pieces, distance = lost, APART * lost
    for name, here in wanted.items():
        there = offered.get(name)
        if here == there and (here is not None or name in offered):
            continue
        pieces += 1
        if isinstance(here, Where) and isinstance(there, Where):
            distance += hypot(here.x - there.x, here.y - there.y)
            if here.angle != there.angle:
                distance += 0.5 * abs((here.angle - there.angle + 180) % 360 - 180) / 90
        else:
            distance += APART
    return pieces, distance


def nearest(wanted: Footprint, offers: Iterable[tuple[T, Footprint]], limit: int = 3) -> tuple[T, ...]:
    """The up to ``limit`` offers nearest to ``wanted``; equally near ones keep their order."""
    ranked = nsmallest(
        limit,
        ((trouble(wanted, footprint), order, offer) for order, (offer, footprint) in enumerate(offers)),
    )
    return tuple(offer for _, _, offer in ranked)
