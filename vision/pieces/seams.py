"""Where two tiles touch there is no third: the halves on both sides of a seam look like one domino.

In a line of play they always have the same pips, and where makers print no bar and leave no gap, the double
that seems to lie there is as clear as any. So what lies on both of its sides is read as well, and of all ways
to lay down without overlap what was read the one counts that explains most of it: of a row that is whole the
tiles are always one more than their seams.
"""

import math
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import product

import numpy as np

from vision.pieces.finder import Spotted, overlap
from vision.pieces.one_a_place import SHARED, lie_across
from vision.pieces.patches import Floats
from vision.pieces.piece_read import Read

_THERE = 0.5
_LIKELY = 0.5
_OFF, _ASKEW_DEG = 0.2, 15.0
"""So far, in shares of its length, and so askew a tile may lie from where two touch."""
_DOUBLE = 0.75
"""What a double is worth beside another tile: one tile in four is one, and every seam looks so."""
_MANY = 55
"""A heap of more readings than this is no line: a whole set has so many tiles and seams."""


def beside(pieces: Sequence[Read]) -> list[Spotted]:
    """Where tiles lie if a double that was read is a seam, as far as nothing was read there."""
    faced = [one for one in pieces if _is_faced(one)]
    doubles = [one for one in faced if _is_double(one)]
    return [
        _spot(double, at)
        for double in doubles
        for at in _sides(double)
        if not any(_lies_at(one, double, at) for one in faced)
    ]


def explaining(pieces: Sequence[Read], found: Sequence[Read]) -> list[Read]:
    """What of all that was found makes a seam of something that was read: on each of its sides one."""
    clear = [one for one in found if one.confidence >= _LIKELY]
    both = [one for one in (*pieces, *clear) if _is_faced(one)]
    useful = {id(one) for seam in both for pair in _pairs(seam, both) for one in pair}
    return [one for one in clear if id(one) in useful]


def without_seams(pieces: Sequence[Read]) -> list[Read]:
    """The readings without those of which each half belongs to another that lies there rather."""
    faced = [one for one in pieces if _is_faced(one)]
    seams = {id(seam) for group in _heaps(faced) for seam in _seams(group)}
    return [one for one in pieces if id(one) not in seams]


def _seams(group: Sequence[Read]) -> Iterator[Read]:
    """What of a heap of readings lies across the seams of those that explain most of it."""
    lying = _most(group)
    tiles = [group[k] for k in lying]
    plain = [one for one in tiles if not _is_double(one)]
    for k, one in enumerate(group):
        if k not in lying and (any(_pairs(one, tiles)) or (_is_double(one) and _ends(one, plain, tiles))):
            yield one


def _ends(seam: Read, plain: Sequence[Read], tiles: Sequence[Read]) -> bool:
    """Whether a tile lies in one half of a seam, and where the other was not read there is room for it."""
    first, second = _sides(seam)
    in_first, in_second = _halves(seam, plain)
    return any(
        tiles_there and _has_room(seam, other, tiles)
        for tiles_there, other in ((in_first, second), (in_second, first))
    )


def _has_room(seam: Read, at: Floats, tiles: Sequence[Read]) -> bool:
    """Whether a tile could lie at a place, or does: no other lies across it."""
    there = seam.corners + (at - seam.middle)
    return not any(overlap(there, one.corners) > SHARED and not _lies_at(one, seam, at) for one in tiles)


def _most(group: Sequence[Read]) -> frozenset[int]:
    """The numbers of those of the readings that can lie together and explain most."""
    rivals, worth = [_rivals(one, group) for one in group], [_worth(one) for one in group]

    @cache  # along a line the same ends are left again and again
    def most(left: tuple[int, ...]) -> frozenset[int]:
        if not left:
            return frozenset()
        first, *rest = left
        with_it = most(tuple(k for k in rest if k not in rivals[first])) | {first}
        if not rivals[first].intersection(rest):
            return with_it
        return max(with_it, most(tuple(rest)), key=lambda lying: sum(worth[k] for k in lying))

    return most(tuple(range(len(group))))


def _worth(one: Read) -> float:
    """How much of what is seen it explains, and how likely."""
    return one.there * (0.5 + 0.5 * one.ranked[0][1]) * (_DOUBLE if _is_double(one) else 1.0)


def _rivals(one: Read, group: Sequence[Read]) -> set[int]:
    """The numbers of those that cannot lie where this does."""
    return {k for k, other in enumerate(group) if other is not one and lie_across(one, other)}


def _heaps(faced: Sequence[Read]) -> Iterator[list[Read]]:
    """Readings that share places, together with all that share places with those."""
    open_ = list(faced)
    while open_:
        heap = [open_.pop()]
        for one in heap:
            more = [other for other in open_ if lie_across(one, other)]
            heap += more
            open_ = [other for other in open_ if not any(other is taken for taken in more)]
        if 2 < len(heap) <= _MANY:
            yield heap


def _pairs(seam: Read, others: Iterable[Read]) -> Iterator[tuple[Read, Read]]:
    """Tiles to both sides that show on their near halves what this shows on its own."""
    here, there = _halves(seam, others)
    for one, other in product(here, there):
        if sorted(one.pips) != sorted(other.pips):  # a set has each tile once
            yield one, other


def _halves(seam: Read, others: Iterable[Read]) -> tuple[list[Read], list[Read]]:
    """The tiles that lie half in the first half of a seam, or in its second, and show there what it shows."""
    near = [one for one in others if one is not seam]
    first, second = (
        [one for one in near if _lies_at(one, seam, at) and _shows(one, seam, which)]
        for which, at in enumerate(_sides(seam))
    )
    return first, second


def _shows(one: Read, seam: Read, which: int) -> bool:
    """Whether the half of a tile that lies in a half of a seam shows the same pips."""
    along = float(one.along @ seam.along) > 0
    near = 1 - which if along else which
    due = seam.pips[which]
    return sum(p for value, p in one.ranked if value is not None and value["pips"][near] == due) >= _LIKELY


def _lies_at(one: Read, seam: Read, at: Floats) -> bool:
    """Whether a tile lies at a place, in one line with the seam."""
    if math.dist(one.middle, at) > _OFF * seam.length:
        return False
    a, b = one.along, seam.along
    across = abs(float(a[0] * b[1] - a[1] * b[0])) / float(np.linalg.norm(a) * np.linalg.norm(b))
    return across < math.sin(math.radians(_ASKEW_DEG))


def _sides(one: Read) -> tuple[Floats, Floats]:
    """The middles of two tiles that touch in its middle."""
    half = one.along / 2
    return np.asarray(one.middle - half), np.asarray(one.middle + half)


def _spot(one: Read, at: Floats) -> Spotted:
    """A tile as large as this and turned alike, as if the finder had seen it."""
    long, wide = (float(np.linalg.norm(side)) for side in (one.along, one.corners[3] - one.corners[0]))
    turned = math.degrees(math.atan2(one.along[1], one.along[0]))
    return Spotted.at("domino", at, long, wide, turned, one.spotted)


def _is_faced(one: Read) -> bool:
    return one.is_open and one.there >= _THERE


def _is_double(one: Read) -> bool:
    return len(set(one.pips)) == 1
