"""Other ways to the same table: of moves that were seen together nobody can tell the order."""

from collections.abc import Iterator, Sequence
from itertools import chain, permutations, takewhile
from typing import Final

from engine.book import Fact, Move, State
from engine.matching.guide import Guide, at_rest, essence
from engine.matching.step_line import state_after

MOST: Final = 5
"""Of so many moves in a row at most the order is changed about."""


def other_orders(guide: Guide, state: State, steps: Sequence[Move | Fact]) -> list[list[Move]]:
    """For each step, what may have been done in its place if moves in a row were made in another order.

    Or if one of them was another, of which nothing is seen any more after those that followed.
    """
    others: list[list[Move]] = [[] for _ in steps]
    first = 0
    while first < len(steps):
        run = _run(steps[first:])
        if 2 <= len(run) <= MOST:
            for order in chain(_orders(guide, state, run), _with_stand_ins(guide, state, run)):
                for number, did in enumerate(order):
                    if did != run[number] and did not in others[first + number]:
                        others[first + number].append(did)
        for step in run or steps[first : first + 1]:
            state = state_after(guide.book, state, step) or state
            first += 1
    return others


def _run(steps: Sequence[Move | Fact]) -> list[Move]:
    """The moves up to the next fact."""
    return [did for did in takewhile(lambda one: isinstance(one, Move), steps) if isinstance(did, Move)]


def _orders(guide: Guide, state: State, run: Sequence[Move]) -> Iterator[Sequence[Move]]:
    """The other orders of these moves that are allowed and end in the same."""
    end = _end(guide, state, run)
    for order in permutations(run):
        if list(order) != list(run) and _end(guide, state, order) == end:
            yield order


def _with_stand_ins(guide: Guide, state: State, run: Sequence[Move]) -> Iterator[Sequence[Move]]:
    """The same with another move in the place of one, where that is allowed and ends in the same."""
    end = _end(guide, state, run)
    for number, move in enumerate(run):
        for other in guide.stand_ins(state, move):
            way = [*run[:number], other, *run[number + 1 :]]
            if other != move and _end(guide, state, way) == end:
                yield way
        state = guide.book.apply(state, move)


def _end(guide: Guide, state: State, moves: Sequence[Move]) -> object:
    """What comes of the moves, as far as it matters; None where one of them is not allowed.

    What nobody sees and must come between two of them is taken to have been done.
    """
    for move in moves:
        if not guide.book.judge(state, move).allowed:
            state = at_rest(guide, state)
        if not guide.book.judge(state, move).allowed:
            return None
        state = guide.book.apply(state, move)
    return essence(guide, state), guide.layout(state, {})
