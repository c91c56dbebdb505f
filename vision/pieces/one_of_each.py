"""A piecepack has one pawn and one die of each suit: what one of them is, the others are not."""

import math
from collections.abc import Collection, Sequence
from dataclasses import replace
from itertools import permutations

import numpy as np

from vision.pieces.patches import Floats
from vision.pieces.small import CHOICES, SmallReading, chosen

SUITS = len(CHOICES["suit"])
_ONE_SET = 0.98
"""How likely it is that four or fewer of a kind are of one set."""
_OF_A_GAME = 0.9999
"""The same where a game is played that has just one piecepack."""
_ONE_PLACE = 0.5
"""So near, in shares of its side, a reading is of the same piece."""


def suits_shared_out(
    seen: Sequence[SmallReading],
    of_a_game: Collection[int] | None = None,
    beside: Sequence[Floats] = (),
) -> list[SmallReading]:
    """Readings of one picture, each suit given once to the pawns and once to the dice.

    What was found twice in one place, as two kinds, is one piece, and as such it counts once. ``of_a_game``
    are those that lie where a game that is played with one piecepack has its pieces: only these are shared
    among then, and they surely are of one set. Their dice stay as they are: who follows a game gives each
    suit to one die, whatever they say, and what was shared out between two would count twice. ``beside`` is
    what other pawns of the table, which are not looked at here, say of their suits.
    """
    out = list(seen)
    one_set, groups = _ONE_SET, {"pawn": _pawns(seen), "die": _dice(seen)}
    if of_a_game is not None:
        one_set, groups = _OF_A_GAME, {"pawn": [k for k in groups["pawn"] if k in of_a_game]}
    for kind, group in groups.items():
        alike = _in_each_place(seen, group, CHOICES["kind"].index(kind))
        if of_a_game is not None:  # what is one too many is none of them
            alike = alike[:SUITS]
        others = beside if kind == "pawn" and len(alike) + len(beside) <= SUITS else ()
        if alike and 2 <= len(alike) + len(others) <= SUITS:
            said = [*(seen[first].choices["suit"] for first, *_ in alike), *others]
            shared = shares_of_each(np.stack(said), one_set)[: len(alike)]
            for same, suit in zip(alike, shared, strict=True):
                for k in same:
                    out[k] = replace(out[k], choices={**out[k].choices, "suit": suit})
    return out


def _in_each_place(seen: Sequence[SmallReading], group: Sequence[int], kind: int) -> list[list[int]]:
    """The readings of each place, the one that surest is of the kind first."""
    places: list[list[int]] = []
    for k in sorted(group, key=lambda k: -seen[k].choices["kind"][kind]):
        near = (same for same in places if _apart(seen[same[0]], seen[k]) < _ONE_PLACE * seen[same[0]].side)
        if (same := next(near, None)) is None:
            places.append([k])
        else:
            same.append(k)
    return places


def _apart(one: SmallReading, other: SmallReading) -> float:
    return math.dist((one.x, one.y), (other.x, other.y))


def shares_of_each(said: Floats, one_set: float = _ONE_SET) -> Floats:
    """The probabilities (piece × suit) after it was heard that most likely no suit comes twice."""
    pieces = range(len(said))
    total, apart = 0.0, np.zeros_like(said)
    for way in permutations(range(SUITS), len(said)):
        weight = float(np.prod([said[k, way[k]] for k in pieces]))
        total += weight
        apart[pieces, way] += weight
    # Without the rule every way of giving out the suits is as likely as the pieces say themselves; the more
    # ways the rule forbids, the less of a coincidence it is that the pieces keep it.
    allowed = len(list(permutations(range(SUITS), len(said)))) / SUITS ** len(said)
    together = one_set * total / allowed
    mixed = together / (together + 1 - one_set)
    return np.asarray(mixed * apart / max(total, 1e-12) + (1 - mixed) * said)


def _pawns(seen: Sequence[SmallReading]) -> list[int]:
    return [k for k, one in enumerate(seen) if chosen(one, "kind")[0] == "pawn"]


def _dice(seen: Sequence[SmallReading]) -> list[int]:
    """The dice of a piecepack that show their suit; a null shows none."""
    return [
        k
        for k, one in enumerate(seen)
        if chosen(one, "kind")[0] == "die"
        and chosen(one, "set")[0] == "piecepack"
        and chosen(one, "rank")[0] != "null"
    ]
