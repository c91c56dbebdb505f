"""What rules and dice say of a map: how much less likely it is than its squares alone would have it.

Costs are logarithms. What the rules forbid is only dear: powers explain much, and players make mistakes.
"""

import numpy as np

from engine.kingdomino_duel.edition import AS_PRINTED, JOKER
from engine.kingdomino_duel.kingdom import CASTLE, SQUARES, Kingdom, beside, each
from vision.sheet_cells import Floats

_COST_ODD, _COST_APART = 1.3, 3.0
"""What a first square without a partner, and a first group apart from the castle, cost: powers explain them,
rarely."""
_COST_NEXT = 1.0
"""What each further one of either costs. One square that was forgotten or drawn astray leaves several so, and
a map that somebody drew against the rules is not to be made lawful by squares that nobody sees."""
_BEYOND_WITH_ROOF = (0.0, 0.4, 2.5)
_BEYOND_PLAIN = (0.0, 2.0, 7.0)
"""What no, one and two crosses cost that no die explains, with the roof coloured and without."""
_SMALL_GROUP = 2
"""A group apart of so many squares is itself in doubt; of a larger one a square on the way is missing."""
_TAUGHT = (3 / 8, 2 / 8, 2 / 8, 1 / 8)
"""How often each number of crosses stands beside a coat on the sheets that the readers learned from."""


def _weights() -> Floats:
    """How much oftener than there the dice bring each number of crosses with each coat (6×4).

    Crosses that no face of a coat has are left as they are seen: what they cost is the law's.
    """
    faces = np.zeros((6, 4))
    for face in (face for die in AS_PRINTED.dice for face in die):
        if face.coat == JOKER:
            faces[:, 0] += 1 / 6
        else:
            faces[face.coat, face.crosses] += 1
    often = faces / faces.sum(axis=1, keepdims=True) / _TAUGHT
    return np.asarray(np.where(faces > 0, often, 1.0))


DICE = _weights()
_PRINTED = tuple(
    {0, *(face.crosses for die in AS_PRINTED.dice for face in die if face.coat == coat)} for coat in range(6)
)

_BEYOND = tuple(
    tuple(crosses - max(count for count in printed if count <= crosses) for crosses in range(16))
    for printed in _PRINTED
)
"""For each coat how many of so many crosses no die explains."""


def law(kingdom: Kingdom, roof: float) -> float:
    """What a map costs for what the rules hardly allow."""
    beyond = sum(
        _BEYOND[coat][kingdom.crosses >> 4 * square & 15]
        for coat, squares in enumerate(kingdom.coats)
        for square in each(squares)
    )
    table = _BEYOND_WITH_ROOF if roof > 0.5 else _BEYOND_PLAIN
    cost = table[min(beyond, 2)] + 3.0 * max(0, beyond - 2)
    return cost + _first(_COST_ODD, _odd_squares(kingdom)) + _first(_COST_APART, len(apart(kingdom)))


def _first(cost: float, count: int) -> float:
    return cost + _COST_NEXT * (count - 1) if count else 0.0


def apart(kingdom: Kingdom) -> list[int]:
    """The groups of squares that do not hang together with the castle, each as a set."""
    filled = sum(kingdom.coats)
    left = filled & ~_grown(filled & beside(1 << CASTLE), filled)
    groups = []
    while left:
        group = _grown(left & -left, filled)
        groups.append(group)
        left &= ~group
    return groups


def _grown(joined: int, filled: int) -> int:
    """All drawn squares that hang together with these."""
    grown = joined | beside(joined) & filled
    while grown != joined:
        joined, grown = grown, grown | beside(grown) & filled
    return joined


def blamed(kingdom: Kingdom, roof: float) -> frozenset[int]:
    """The squares by which a map is one that no game without powers leaves, as far as they can be named."""
    groups = apart(kingdom)
    found = {
        square
        for group in groups
        if group.bit_count() <= _SMALL_GROUP
        for square in SQUARES
        if group >> square & 1
    }
    beyond = [(square, kingdom.at(square)) for square in SQUARES if square != CASTLE]
    odd = {square for square, mark in beyond if mark is not None and mark.crosses not in _PRINTED[mark.coat]}
    if len(odd) > (roof > 0.5):
        found |= odd
    return frozenset(found)


def _odd_squares(kingdom: Kingdom) -> int:
    """How many squares are left over when as many dominoes as possible are laid on the drawn ones."""
    filled = sum(kingdom.coats)
    partner: dict[int, int] = {}

    def pair(square: int, tried: set[int]) -> bool:
        for other in (square + 1, square - 1, square + 8, square - 8):
            if other >= 0 and filled >> other & 1 and other not in tried:
                tried.add(other)
                if other not in partner or pair(partner[other], tried):
                    partner[other] = square
                    return True
        return False

    light = [square for square in SQUARES if filled >> square & 1 and (square // 8 + square % 8) % 2 == 0]
    laid = sum(pair(square, set()) for square in light)
    return filled.bit_count() - 2 * laid
