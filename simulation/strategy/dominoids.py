"""A player of Dominoids who eats whenever he can and goes where he can eat next.

The game is over when three suits are eaten. So a table is worth most that has few of these coins left, and
whose Dominoids reach the next ones with the dice that will probably lie there. A whole turn is thought
through: both dice in either order, and what the coins that are turned up may show.
"""

import random
from collections.abc import Iterator
from typing import Final

from engine.dominoids.board import BESIDE, MASK, NEAR_MASK, POOL, SLIDES, SQUARES, TURNS, first
from engine.dominoids.book import DominoidsBook
from engine.dominoids.model import (
    ACT,
    CONSEQUENCE,
    DICE,
    DOMINOES,
    OVER,
    REFILL,
    UNKNOWN,
    VALUES,
    Agree,
    AnyMove,
    Attack,
    Birth,
    DominoidsState,
    Eat,
    TakeDice,
    TurnedCoin,
)

_FOURTH: Final = 0.2
"""What a coin of the suit with most coins left is worth, as a share of a coin that the end needs."""
_SOON: Final = 0.75
"""What a coin is worth that can surely be eaten with the next die, as a share of one eaten now."""
_LATER: Final = 0.62
"""By what each further move on the way to a coin makes it worth less."""
_FAR: Final = 0.12
"""What a coin is worth that nothing reaches in two moves, were it right beside an end."""
_CHANGE: Final = 0.12
"""What each further change of the table costs, in coins: a long game is no fun to watch."""
_BEAM: Final = 5
"""How many first actions are thought through to the end of the turn, for each choice of dice."""
_CHILDREN: Final = 6
"""How many places for a child are tried while thinking ahead."""
_WHIM: Final = 0.01
"""How much a player's whim decides between moves that are worth the same, in coins."""


def decide(book: DominoidsBook, state: DominoidsState, rng: random.Random) -> AnyMove:
    """The move that leaves most to be hoped for."""
    moves = [move for move in book.legal_moves(state) if not isinstance(move, Agree)]
    if len(moves) == 1:
        return moves[0]
    worth = {move: _worth(book, state, move) + rng.random() * _WHIM for move in moves}
    return max(moves, key=worth.__getitem__)


def _worth(book: DominoidsBook, state: DominoidsState, move: AnyMove) -> float:
    after = book.apply(state, move)
    if isinstance(move, TakeDice):
        return _best_actions(book, after)
    return _settled(book, after, deep=True)


def _best_actions(book: DominoidsBook, state: DominoidsState) -> float:
    """What the dice that are left of a turn can bring."""
    tried: list[tuple[float, AnyMove, DominoidsState]] = []
    for move in book.legal_moves(state):
        after = book.apply(state, move)
        tried.append((_settled(book, after, deep=False) - _CHANGE * _shows(state, after), move, after))
    tried.sort(key=lambda one: -one[0])
    if (state.chosen & ~state.used).bit_count() < 2:
        return tried[0][0]
    beam = _beam(tried)
    return max(_settled(book, after, deep=True) - _CHANGE * _shows(state, after) for after in beam)


def _beam(tried: list[tuple[float, AnyMove, DominoidsState]]) -> list[DominoidsState]:
    """The most promising first actions, some with each die."""
    counts: dict[int, int] = {}
    kept: list[DominoidsState] = []
    for _, _, after in tried:
        if counts.setdefault(after.used, 0) < _BEAM:
            counts[after.used] += 1
            kept.append(after)
    return kept


def _shows(before: DominoidsState, after: DominoidsState) -> bool:
    """Whether anything on the board has moved."""
    return (before.dominoes, before.pawns, before.coins) != (after.dominoes, after.pawns, after.coins)


def _settled(book: DominoidsBook, state: DominoidsState, *, deep: bool) -> float:
    """What a table is worth once coins are turned up and the slide has had its consequence.

    ``deep``: what the second die can still bring is counted too.
    """
    if state.turning:
        return sum(chance * _settled(book, then, deep=deep) for chance, then in _turned(book, state))
    if state.stage == CONSEQUENCE:
        return max(_settled(book, then, deep=deep) for then in _consequences(book, state))
    if deep and state.stage == ACT:
        return _best_actions(book, state)
    return value(state)


def _turned(book: DominoidsBook, state: DominoidsState) -> Iterator[tuple[float, DominoidsState]]:
    """What the next coin may show: that it can be eaten, or that it cannot, and how likely that is."""
    square = first(state.turning)
    coin = state.coin_at(square)
    assert coin is not None
    unseen = state.unseen(coin.suit)
    pips = _pips_beside(state, square)
    for part in ([one for one in unseen if one <= pips], [one for one in unseen if one > pips]):
        if part:
            fact = TurnedCoin(SQUARES[square], part[len(part) // 2])
            yield len(part) / len(unseen), book.observe(state, fact)


def _pips_beside(state: DominoidsState, square: int) -> int:
    lie = state.dominoes[state.mover]
    return DOMINOES[state.mover][0 if square in BESIDE[lie >> 6] else 1]


def _consequences(book: DominoidsBook, state: DominoidsState) -> list[DominoidsState]:
    """What may follow a slide: the meals where there are any, else some of all that may be done."""
    moves = book.legal_moves(state)
    meals = [move for move in moves if isinstance(move, Eat)]
    if not meals:
        births = [move for move in moves if isinstance(move, Birth)]
        step = max(1, len(births) // _CHILDREN)
        meals = [move for move in moves if not isinstance(move, Birth)] + births[::step]
    return [book.apply(state, move) for move in meals]


# — what a table is worth —


def value(state: DominoidsState) -> float:
    """What a table is worth: the coins that the end still needs, less those that can be had soon."""
    left = [6 - ((state.eaten[0] | state.eaten[1]) >> 6 * suit & 63).bit_count() for suit in range(4)]
    weights = _weights(left)
    needed = sum(weight * many for weight, many in zip(weights, left, strict=True))
    if state.stage == OVER:
        return 0.0
    return _SOON * _within_reach(state, weights) - needed


def _weights(left: list[int]) -> list[float]:
    """How much a coin of each suit counts: those of the suit with most coins left need not be eaten."""
    weights = [1.0] * 4
    most = max(left)
    last = [suit for suit in range(4) if left[suit] == most]
    for suit in last:
        weights[suit] = 1 - (1 - _FOURTH) / len(last)
    return [weight if many else 0.0 for weight, many in zip(weights, left, strict=True)]


def _within_reach(state: DominoidsState, weights: list[float]) -> float:
    targets = _targets(state, weights)
    best = [0.0] * 4
    odds = _odds(state)
    coins = sum(1 << square for square in targets)
    free = ~state.occupied
    for number, lie in enumerate(state.dominoes):
        if lie != POOL:
            _from_here(DOMINOES[number], lie, ~free & ~MASK[lie], coins, targets, odds, best)
    for suit in range(4):
        if not best[suit]:
            best[suit] = _from_afar(state, targets, suit)
    return sum(weight * chance for weight, chance in zip(weights, best, strict=True))


Chances = tuple[int, tuple[float, ...]]
"""A suit, and how likely its coin can be eaten by an end with 0 to 5 pips."""


def _targets(state: DominoidsState, weights: list[float]) -> dict[int, Chances]:
    """Where coins lie, or can come to lie when the turn is over."""
    found: dict[int, Chances] = {}
    lacking = set(range(4))
    for square, suit, shown in state.coins:
        lacking.discard(suit)
        if weights[suit]:
            values = state.unseen(suit) if shown == UNKNOWN else (shown,)
            found[square] = suit, _chances(values)
    occupied = state.occupied
    for suit in lacking:
        values = state.unseen(suit)
        if weights[suit] and values:
            for square in BESIDE[state.pawns[suit]]:
                if not occupied >> square & 1:
                    found.setdefault(square, (suit, _chances(values)))
    return found


def _chances(values: tuple[int, ...]) -> tuple[float, ...]:
    return tuple(sum(one <= pips for one in values) / len(values) for pips in VALUES)


def _odds(state: DominoidsState) -> tuple[float, ...]:
    """How likely there is a die for an end with 0 to 5 pips: those that lie there count, others are rolled."""
    spent = state.chosen if state.stage != ACT else state.used
    kept = [face for die, face in enumerate(state.faces) if not spent >> die & 1]
    rolled = 4 - len(kept)
    return tuple(
        1.0 if any(face > max(pips, 1) for face in kept) else 1 - (1 - (5 - max(pips, 1)) / 6) ** rolled
        for pips in VALUES
    )


def _from_here(
    domino: tuple[int, int],
    lie: int,
    occupied: int,
    coins: int,
    targets: dict[int, Chances],
    odds: tuple[float, ...],
    best: list[float],
) -> None:
    """Betters what can be hoped for with what one Dominoid can eat in one or two moves."""
    for pips, slid, turned in _moves(domino, lie, occupied):
        chance = odds[pips]
        if slid != POOL and NEAR_MASK[slid] & coins:
            _meals(domino, slid, chance, targets, best)
        for then in (slid, *turned):
            if then == POOL:
                continue
            for again, slid_again, _ in _moves(domino, then, occupied):
                if slid_again != POOL and NEAR_MASK[slid_again] & coins:
                    _meals(domino, slid_again, chance * odds[again] * _LATER, targets, best)


def _moves(domino: tuple[int, int], lie: int, occupied: int) -> Iterator[tuple[int, int, list[int]]]:
    """For each end that may lead: its pips, where it slides to (or POOL), and where it turns to."""
    for lead, pips in enumerate(domino):
        if pips == 5:
            continue
        slid = POOL
        path = SLIDES[lie][lead]
        for entered, then in path[:pips]:
            if occupied & entered:
                break
            slid = then
        else:
            if len(path) < pips:
                slid = POOL
        yield pips, slid, [then for swept, then in TURNS[lie][lead] if not occupied & swept]


def _meals(
    domino: tuple[int, int], lie: int, chance: float, targets: dict[int, Chances], best: list[float]
) -> None:
    for pips, end in zip(domino, (lie >> 6, lie & 63), strict=True):
        for square in BESIDE[end]:
            if square in targets:
                suit, chances = targets[square]
                best[suit] = max(best[suit], chance * chances[pips])


def _from_afar(state: DominoidsState, targets: dict[int, Chances], suit: int) -> float:
    """What a coin is worth that is further away: the nearer an end that can eat it, the more."""
    most = 0.0
    for square, (its, chances) in targets.items():
        if its == suit:
            x, y = SQUARES[square]
            for number, lie in enumerate(state.dominoes):
                if lie != POOL:
                    for pips, end in zip(DOMINOES[number], (lie >> 6, lie & 63), strict=True):
                        away = abs(SQUARES[end].x - x) + abs(SQUARES[end].y - y)
                        most = max(most, chances[pips] / (1 + away))
    return _FAR * 2 * most
