"""A player of Dominoids who eats whenever he can and goes where he can eat next.

The game is over when three suits are eaten. So a table is worth most that has few of these coins left, and
whose Dominoids reach the next ones with the dice that will probably lie there. A whole turn is thought
through: both dice in either order, and what the coins that are turned up may show.
"""

import random
from collections.abc import Iterator
from functools import cache, lru_cache, reduce
from operator import or_
from typing import Final, NamedTuple

from engine.dominoids.board import BESIDE, MASK, NEAR_MASK, NUMBER_OF, POOL, SLIDES, SQUARES, TURNS, first
from engine.dominoids.book import DominoidsBook
from engine.dominoids.model import (
    ACT,
    CONSEQUENCE,
    DOMINOES,
    OVER,
    UNKNOWN,
    VALUES,
    Agree,
    AnyMove,
    Birth,
    DominoidsState,
    Eat,
    TakeDice,
    TurnedCoin,
)

_FOURTH: Final = 0.2
"""What a coin of the suit with most coins left is worth, as a share of a coin that the end needs."""
_END: Final = 10.0
"""What the end is worth: more than any table from which it could be reached."""
_FIVE: Final = 1.0
"""How much more it takes to eat the coin of value 5 of a suit: only ends that cannot lead eat it."""
_FOUR: Final = 0.3
"""The same for the coin of value 4."""
_KIN: Final = 0.2
"""What each Dominoid costs that is missing or too many."""
_FAMILY: Final = 4
"""How many are best on the board: fewer cannot be everywhere, more stand in each other's way."""
_SOON: Final = 0.75
"""What a coin is worth that can surely be eaten with the next die, as a share of one eaten now."""
_LATER: Final = 0.62
"""By what each further move on the way to a coin makes it worth less."""
_DEPTH: Final = 3
"""How many moves of a Dominoid are looked ahead."""
_FAR: Final = 0.12
"""What a coin is worth that nothing reaches in two moves, were it right beside an end."""
_CROWD: Final = 0.4
"""What a way to a coin is worth on which Dominoids lie: they may go away."""
_SHUT: Final = 0.8
"""What it costs if there is no room beside a coin for an end that eats it: it takes a shift to make some."""
_CHANGE: Final = 0.05
"""What each further change of the table costs, in coins: a long game is no fun to watch."""
_BEAM: Final = 5
"""How many first actions are thought through to the end of the turn, for each choice of dice."""
_TRIED: Final = 24
"""How many moves are thought through to the end of the turn, once the dice are chosen."""
_CHILDREN: Final = 6
"""How many places for a child are tried while thinking ahead."""
_WHIM: Final = 0.002
"""How much a player's whim decides, in coins a turn: the longer a game lasts, the more is tried."""


def decide(book: DominoidsBook, state: DominoidsState, rng: random.Random) -> AnyMove:
    """The move that leaves most to be hoped for."""
    moves = [move for move in book.legal_moves(state) if not isinstance(move, Agree)]
    if len(moves) == 1:
        return moves[0]
    whim = {move: rng.random() * _WHIM * state.turn for move in moves}
    if not isinstance(moves[0], TakeDice):
        at_once = {move: _worth(book, state, move, deep=False) + whim[move] for move in moves}
        moves = sorted(moves, key=lambda move: -at_once[move])[:_TRIED]
    return max(moves, key=lambda move: _worth(book, state, move, deep=True) + whim[move])


def _worth(book: DominoidsBook, state: DominoidsState, move: AnyMove, *, deep: bool) -> float:
    after = book.apply(state, move)
    if isinstance(move, TakeDice):
        return _best_actions(book, after)
    return _settled(book, after, deep=deep)


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
    tried: list[AnyMove] = [move for move in moves if isinstance(move, Eat)]
    if not tried:
        births = [move for move in moves if isinstance(move, Birth)]
        tried = [move for move in moves if not isinstance(move, Birth)]
        tried += births[:: max(1, len(births) // _CHILDREN)]
    return [book.apply(state, move) for move in tried]


# — what a table is worth —


def value(state: DominoidsState) -> float:
    """What a table is worth: less, the more is still to be done for the three nearest suits."""
    if state.stage == OVER:
        return _END
    eaten = state.eaten[0] | state.eaten[1]
    hopes = _hopes(state)
    efforts: list[float] = []
    for suit, hope in enumerate(hopes):
        gone = eaten >> 6 * suit & 63
        left = 6 - gone.bit_count()
        hard = (not gone & 32) * _FIVE + (not gone & 16) * _FOUR
        efforts.append(left + hard - _SOON * hope if left else 0.0)
    family = sum(lie != POOL for lie in state.dominoes)
    return (1 - _FOURTH) * max(efforts) - sum(efforts) - _KIN * abs(family - _FAMILY)


def _hopes(state: DominoidsState) -> list[float]:
    """How likely a coin of each suit can be eaten with the next dice; less where it takes more moves."""
    targets = _targets(state)
    odds = _odds(state)
    coins = sum(1 << square for square in targets)
    hopes = [[0.0] * 6 for _ in range(4)]
    occupied, fixed = state.occupied, _fixed(state)
    for number, lie in enumerate(state.dominoes):
        if lie != POOL:
            zone = _zone(number, lie)
            for near, slid, lead, moves in _slides_of(number, lie, occupied & ~MASK[lie] & zone):
                if near & coins:
                    _meals(number, slid, lead, _LATER ** (moves - 1), targets, hopes)
            for near, slid, lead, moves in _slides_of(number, lie, fixed & zone):
                if near & coins:
                    _meals(number, slid, lead, _CROWD * _LATER ** (moves - 1), targets, hopes)
    return [
        (_hope(hopes[suit], odds) or _from_afar(state, targets, suit)) - _SHUT * _shut(targets, fixed, suit)
        for suit in range(4)
    ]


def _fixed(state: DominoidsState) -> int:
    """The squares of pawns and coins, as a mask: what only a meal or a shift takes away."""
    mask = 0
    for pawn in state.pawns:
        mask |= 1 << pawn
    for coin in state.coins:
        mask |= 1 << coin.square
    return mask


def _hope(by_pips: list[float], odds: tuple[float, ...]) -> float:
    """How likely a coin is eaten, from how likely that is with an end of 0 to 5 pips, given a die for it.

    A die for an end is one for all ends with fewer pips, so each end counts for what it betters.
    """
    hope = best = 0.0
    for pips, chance in enumerate(by_pips):
        if chance > best:
            hope += (chance - best) * odds[pips]
            best = chance
    return hope


Chances = tuple[int, tuple[float, ...]]
"""A suit, and how likely its coin can be eaten by an end with 0 to 5 pips."""


def _targets(state: DominoidsState) -> dict[int, Chances]:
    """Where coins lie, or can come to lie when the turn is over."""
    found: dict[int, Chances] = {}
    lacking = set(range(4))
    for square, suit, shown in state.coins:
        lacking.discard(suit)
        values = state.unseen(suit) if shown == UNKNOWN else (shown,)
        found[square] = suit, _chances(values)
    occupied = state.occupied
    for suit in lacking:
        values = state.unseen(suit)
        if values:
            for square in BESIDE[state.pawns[suit]]:
                if not occupied >> square & 1:
                    found.setdefault(square, (suit, _chances(values)))
    return found


@lru_cache(maxsize=256)
def _chances(values: tuple[int, ...]) -> tuple[float, ...]:
    return tuple(sum(one <= pips for one in values) / len(values) for pips in VALUES)


def _odds(state: DominoidsState) -> tuple[float, ...]:
    """How likely there is a die for an end with 0 to 5 pips: those that lie there, or are rolled."""
    spent = state.chosen if state.stage != ACT else state.used
    kept = [face for die, face in enumerate(state.faces) if not spent >> die & 1]
    rolled = 4 - len(kept)
    return tuple(
        1.0 if any(face > max(pips, 1) for face in kept) else 1 - (1 - (5 - max(pips, 1)) / 6) ** rolled
        for pips in VALUES
    )


class Slide(NamedTuple):
    """A lie to which a Dominoid can slide, though perhaps other moves come first."""

    near: int
    """The squares beside it then, as a mask."""
    lie: int
    lead: int
    """The highest end that has to lead on the way."""
    moves: int
    """How many moves it takes."""


@lru_cache(maxsize=1 << 16)
def _slides_of(number: int, lie: int, occupied: int) -> tuple[Slide, ...]:
    """The slides that a Dominoid can come to; ``occupied`` need hold only what lies in its zone."""
    found: dict[int, Slide] = {}
    seen = {lie}
    edge = [(lie, 0)]
    for moves in range(1, _DEPTH + 1):
        ahead: list[tuple[int, int]] = []
        for here, lead in edge:
            for pips, slid, turned in _moves(number, here, occupied):
                worst = max(lead, pips)
                if slid != POOL and (
                    slid not in found or (worst < found[slid].lead and moves == found[slid].moves)
                ):
                    found[slid] = Slide(NEAR_MASK[slid], slid, worst, moves)
                for then in (slid, *turned):
                    if then != POOL and then not in seen:
                        seen.add(then)
                        ahead.append((then, worst))
        edge = ahead
    return tuple(found.values())


@cache
def _zone(number: int, lie: int) -> int:
    """The squares that matter for where a Dominoid can come to."""
    mask = 0
    seen = edge = {lie}
    for _ in range(_DEPTH):
        ahead: set[int] = set()
        for here in edge:
            for lead, pips in enumerate(DOMINOES[number]):
                if pips < 5:
                    steps = (*SLIDES[here][lead][:pips], *TURNS[here][lead])
                    mask |= reduce(or_, (squares for squares, _ in steps), 0)
                    ahead |= {then for _, then in steps}
        edge = ahead - seen
        seen = seen | edge
    return mask


def _moves(number: int, lie: int, occupied: int) -> Iterator[tuple[int, int, list[int]]]:
    """For each end that may lead: its pips, where it slides to (or POOL), and where it turns to."""
    for lead, pips in enumerate(DOMINOES[number]):
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
    number: int, lie: int, lead: int, chance: float, targets: dict[int, Chances], hopes: list[list[float]]
) -> None:
    """Betters what can be hoped for with an end that leads, by what a Dominoid can eat that lies here."""
    for pips, end in zip(DOMINOES[number], (lie >> 6, lie & 63), strict=True):
        for square in BESIDE[end]:
            if square in targets:
                suit, chances = targets[square]
                hopes[suit][lead] = max(hopes[suit][lead], chance * chances[pips])


def _from_afar(state: DominoidsState, targets: dict[int, Chances], suit: int) -> float:
    """What a coin is worth that is further away: the nearer an end that can eat it, the more."""
    most = 0.0
    ends = [
        (pips, end)
        for number, lie in enumerate(state.dominoes)
        if lie != POOL
        for pips, end in zip(DOMINOES[number], (lie >> 6, lie & 63), strict=True)
    ]
    for square, (its, chances) in targets.items():
        if its == suit:
            apart = _APART[square]
            most = max(most, *(chances[pips] / (1 + apart[end]) for pips, end in ends))
    return _FAR * 2 * most


def _shut(targets: dict[int, Chances], fixed: int, suit: int) -> float:
    """How likely no Dominoid finds room beside a suit's coin to eat it."""
    shut = 1.0
    for square, (its, chances) in targets.items():
        if its == suit:
            if _open_to(square, fixed, leading=False):
                return 0.0
            if _open_to(square, fixed, leading=True):
                shut = min(shut, 1 - chances[4])
    return shut


_APART: Final = [[abs(a.x - b.x) + abs(a.y - b.y) for b in SQUARES] for a in SQUARES]
"""How many steps lie between two squares."""


def _ways_in(square: int) -> tuple[tuple[int, int], ...]:
    """For a coin on a square: what must be free for a Dominoid to pass it, or to come to it head first.

    The first of each pair is the mask of three squares in a line beside the coin, on which the end that
    follows comes to lie; the second that of two squares, on which an end comes to lie that leads.
    """
    at = SQUARES[square]
    found: list[tuple[int, int]] = []
    for near in BESIDE[square]:
        dx, dy = SQUARES[near].x - at.x, SQUARES[near].y - at.y
        sides = [NUMBER_OF.get(SQUARES[near].step(way * dy, way * dx)) for way in (1, -1)]
        ahead = NUMBER_OF.get(SQUARES[near].step(dx, dy))
        passing = -1 if None in sides else 1 << near | sum(1 << one for one in sides if one is not None)
        found += [(passing, 1 << near | 1 << one) for one in (*sides, ahead) if one is not None]
    return tuple(found)


_WAYS_IN: Final = [_ways_in(square) for square in range(64)]


@lru_cache(maxsize=1 << 16)
def _open_to(square: int, fixed: int, *, leading: bool) -> bool:
    """Whether a slide can bring an end beside a coin, what stands fast on the board being in the way."""
    if leading:
        return any(not head & fixed for _, head in _WAYS_IN[square])
    return any(passing > 0 and not passing & fixed for passing, _ in _WAYS_IN[square])
