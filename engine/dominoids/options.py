"""What can be done: with a number die, with an ace, after a slide, and when coins are replaced.

Everything here is in numbers (see ``board``), because it is asked at every step of a game. The judge, which
is asked about one move, explains the same rules in sentences.
"""

from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

from engine.dominoids.board import (
    BESIDE,
    CARRIED,
    DIRECTIONS,
    LINE_MASK,
    MASK,
    NEAR_MASK,
    POOL,
    SLIDES,
    TIDY,
    TURNS,
    Direction,
    ends,
    lie,
    tile_line,
)
from engine.dominoids.model import ACE, DOMINOES, UNKNOWN, DominoidsState

Place = tuple[int, int]
"""A domino's number and its lie."""


def led_by(pips: int, lead: int, lie_: int, occupied: int) -> list[int]:
    """The lies that an end with so many pips can lead to: the slide, if there is one, and the turns."""
    reached = POOL
    path = SLIDES[lie_][lead]
    for entered, then in path[:pips]:
        if occupied & entered:
            break
        reached = then
    else:
        if len(path) < pips:
            reached = POOL
    found = [] if reached == POOL else [reached]
    for swept, then in TURNS[lie_][lead]:
        if not occupied & swept:
            found.append(then)
    return found


def number_moves(state: DominoidsState, face: int, occupied: int) -> list[Place]:
    """Every slide and turn that a die showing ``face`` allows."""
    found: list[Place] = []
    for number, lie_ in enumerate(state.dominoes):
        if lie_ == POOL:
            continue
        low, high = DOMINOES[number]
        then = led_by(low, 0, lie_, occupied) if low < face else []
        if high < face:
            then += led_by(high, 1, lie_, occupied)
        found += [(number, TIDY[one] if low == high else one) for one in then]
    return found


def can_move(state: DominoidsState, face: int, occupied: int) -> bool:
    """Whether a die showing ``face`` can move any Dominoid."""
    for number, lie_ in enumerate(state.dominoes):
        if lie_ != POOL:
            for lead, pips in enumerate(DOMINOES[number]):
                if pips < face and led_by(pips, lead, lie_, occupied):
                    return True
    return False


@lru_cache(maxsize=1024)
def _heirs(pool: tuple[int, ...]) -> tuple[tuple[tuple[int, bool], ...], ...]:
    """For each number of pips, the pool's dominoes that have it, and whether as their low end."""
    return tuple(
        tuple((number, DOMINOES[number].low == pips) for number in pool if pips in DOMINOES[number])
        for pips in range(6)
    )


def births(state: DominoidsState, parents: Iterable[int], occupied: int) -> list[Place]:
    """Every child that these parents can have: a number of the child beside the same number of a parent."""
    heirs = _heirs(state.pool)
    touching = {
        (pips, near)
        for parent in parents
        for pips, end in zip(DOMINOES[parent], ends(state.dominoes[parent]), strict=True)
        if heirs[pips]
        for near in BESIDE[end]
        if not occupied >> near & 1
    }
    found: set[Place] = set()
    for pips, near in touching:
        for far in BESIDE[near]:
            if not occupied >> far & 1:
                low_first, high_first = near << 6 | far, far << 6 | near
                for number, by_low in heirs[pips]:
                    found.add((number, low_first if by_low else high_first))
    return sorted({_tidy(place) for place in found})


def _tidy(place: Place) -> Place:
    return (place[0], TIDY[place[1]]) if DOMINOES[place[0]].is_double else place


def buds(state: DominoidsState, occupied: int) -> list[Place]:
    """Every child that any one Dominoid on the board can bud."""
    return births(state, (number for number, lie_ in enumerate(state.dominoes) if lie_ != POOL), occupied)


def straddling(state: DominoidsState, direction: Direction, line: int) -> list[int]:
    """The Dominoids that lie over the border of a tile row or column."""
    mask = LINE_MASK[direction, line]
    return [
        number
        for number, lie_ in enumerate(state.dominoes)
        if MASK[lie_] & mask and MASK[lie_] & mask != MASK[lie_]
    ]


def torn(state: DominoidsState, direction: Direction, line: int) -> list[int]:
    """The Dominoids in a tile row or column whose halves this shift would carry to opposite ends."""
    carried = CARRIED[direction, line]
    mask = LINE_MASK[direction, line]
    return [
        number
        for number, lie_ in enumerate(state.dominoes)
        if lie_ != POOL
        and MASK[lie_] & mask == MASK[lie_]
        and lie(carried[lie_ >> 6], carried[lie_ & 63]) not in TIDY
    ]


def shifts(state: DominoidsState, suit: int) -> list[tuple[Direction, int]]:
    """Every shift that the ace of this suit allows."""
    found = ((direction, tile_line(direction, state.pawns[suit])) for direction in DIRECTIONS)
    return [shift for shift in found if not straddling(state, *shift) and not torn(state, *shift)]


class Prey(NamedTuple):
    """What the Dominoid that slid has beside it that it can eat, attack or breed with."""

    coins: tuple[int, ...]
    """The squares of the coins that are small enough, or not looked at yet."""
    victims: tuple[int, ...]
    partners: tuple[int, ...]


NO_PREY = Prey((), (), ())


def contacts(state: DominoidsState, mover: int, other: int) -> list[tuple[int, int, int, int]]:
    """Where the two Dominoids touch: pips and square of the mover's end, pips and square of the other's."""
    found: list[tuple[int, int, int, int]] = []
    mine, theirs = state.dominoes[mover], state.dominoes[other]
    for pips, end in zip(DOMINOES[mover], (mine >> 6, mine & 63), strict=True):
        for their_pips, their_end in zip(DOMINOES[other], (theirs >> 6, theirs & 63), strict=True):
            if their_end in BESIDE[end]:
                found.append((pips, end, their_pips, their_end))
    return found


def beside_pips(state: DominoidsState, mover: int, square: int) -> int | None:
    """The pips of the mover's end beside a square; a square is never beside both ends."""
    lie_ = state.dominoes[mover]
    if square in BESIDE[lie_ >> 6]:
        return DOMINOES[mover].low
    if square in BESIDE[lie_ & 63]:
        return DOMINOES[mover].high
    return None


def prey(state: DominoidsState) -> Prey:
    """What the Dominoid that slid can do now, one of these things."""
    mover = state.mover
    near = NEAR_MASK[state.dominoes[mover]]
    coins: list[int] = []
    for square, _, value in state.coins:
        if near >> square & 1:
            pips = beside_pips(state, mover, square)
            if value == UNKNOWN or (pips is not None and value <= pips):
                coins.append(square)
    victims: list[int] = []
    partners: list[int] = []
    for other, lie_ in enumerate(state.dominoes):
        if MASK[lie_] & near:
            touching = contacts(state, mover, other)
            if any(theirs < mine for mine, _, theirs, _ in touching):
                victims.append(other)
            if any(theirs == mine for mine, _, theirs, _ in touching):
                partners.append(other)
    return Prey(tuple(coins), tuple(victims), tuple(partners))


def children(state: DominoidsState, partners: tuple[int, ...]) -> list[Place]:
    """Every child that the Dominoid that slid can have with one of these partners."""
    return births(state, (state.mover, *partners), state.occupied) if partners else []


def hidden_beside(state: DominoidsState, lie_: int) -> int:
    """The coins beside a Dominoid in this lie that are value down, as a mask."""
    near = NEAR_MASK[lie_]
    return sum(1 << square for square, _, value in state.coins if value == UNKNOWN and near >> square & 1)


def refills(state: DominoidsState) -> list[tuple[int, int]]:
    """Every suit that lacks a coin and can have one now, with every square it can go to."""
    present = {suit for _, suit, _ in state.coins}
    lacking = [suit for suit in range(4) if suit not in present and state.stack(suit)]
    if not lacking:
        return []
    occupied = state.occupied
    return [
        (suit, square)
        for suit in lacking
        for square in BESIDE[state.pawns[suit]]
        if not occupied >> square & 1
    ]


def dice_pairs(state: DominoidsState) -> list[tuple[int, int]]:
    """The pairs of dice that may be chosen: at least one of them is in the old box."""
    return [
        (one, two)
        for one in range(4)
        for two in range(one + 1, 4)
        if not (state.new >> one & 1 and state.new >> two & 1)
    ]


def is_number(face: int) -> bool:
    """Whether a face moves Dominoids."""
    return face > ACE
