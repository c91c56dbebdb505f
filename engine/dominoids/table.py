"""What the table looks like, and what a move changes on it."""

from collections.abc import Iterator
from functools import lru_cache

from engine.belonging import Belongings
from engine.dominoids.board import CARRIED, LINE_MASK, POOL, SQUARES, ends, lying, middle
from engine.dominoids.model import (
    DOMINOES,
    FACES,
    NOWHERE,
    NULL,
    SUITS,
    UNKNOWN,
    AnyMove,
    Attack,
    Birth,
    Bud,
    DominoidsState,
    Done,
    Eat,
    Idle,
    Laid,
    MoveDominoid,
    Pass,
    PlaceCoin,
    Shift,
    TakeDice,
    laid_on,
)
from engine.layout import Kind, Layout, Spot
from engine.nearness import Footprint, Where

BOARD = "board"
POOL_REGION = "pool"
OLD, NEW, CHOSEN = "old-dice", "new-dice", "chosen-dice"
BELONGINGS = Belongings(
    kinds={
        BOARD: frozenset(("domino", "pawn", "coin", "tile")),
        POOL_REGION: frozenset(("domino",)),
        **dict.fromkeys((OLD, NEW, CHOSEN), frozenset[Kind](("die",))),
        **dict.fromkeys(
            (*(f"stack-{suit}" for suit in SUITS), "hand-1", "hand-2"), frozenset[Kind](("coin",))
        ),
    },
    single=frozenset((BOARD,)),
    unique=frozenset(("pawn",)),
    most={"pawn": len(SUITS), "die": len(SUITS), "domino": len(DOMINOES)},
    pips=frozenset(pips for domino in DOMINOES for pips in (domino.low, domino.high)),
    faces=frozenset(("up",)),
    dice="piecepack",
)
"""Fifteen dominoes without blanks, all of them open, and half a piecepack."""


def stack_region(suit: int) -> str:
    """Where a suit's stack stands."""
    return f"stack-{SUITS[suit]}"


def player_region(player: int) -> str:
    """Where a player lays the coins collected."""
    return f"hand-{player}"


def layout(state: DominoidsState) -> Layout:
    """Every piece in its place, with what of it can be seen."""
    spots = (*_dominoes(state), *_pawns(state), *_coins(state), *_collected(state), *_dice(state))
    stacks = {stack_region(suit): state.stack(suit) for suit in range(4)}
    return Layout(spots, {region: count for region, count in stacks.items() if count})


def _dominoes(state: DominoidsState) -> Iterator[Spot]:
    return (_domino(number, lie) for number, lie in enumerate(state.dominoes))


@lru_cache(maxsize=4096)
def _domino(number: int, lie: int) -> Spot:
    """One domino where it lies: the many layouts that a search keeps share it."""
    domino = DOMINOES[number]
    value = {"pips": [domino.low, domino.high]}
    if lie == POOL:
        return Spot(f"domino {domino}", "domino", "up", value, POOL_REGION)
    where = _where(laid_on(number, lie))
    return Spot(f"domino {domino}", "domino", "up", value, BOARD, where.x, where.y, where.angle)


def _pawns(state: DominoidsState) -> Iterator[Spot]:
    return (_pawn(suit, at) for suit, at in zip(SUITS, state.pawns, strict=True) if at != NOWHERE)


@lru_cache(maxsize=1024)
def _pawn(suit: str, square: int) -> Spot:
    return Spot(f"pawn {suit}", "pawn", "up", {"suit": suit}, BOARD, *_centre(square))


def _coins(state: DominoidsState) -> Iterator[Spot]:
    """A coin shows its suit or its value, never both."""
    for index, (square, suit, value) in enumerate(state.coins):
        yield _coin(_coin_name(state, index), square, suit, value)


@lru_cache(maxsize=4096)
def _coin(name: str, square: int, suit: int, value: int) -> Spot:
    if value == UNKNOWN:
        return Spot(name, "coin", "down", {"suit": SUITS[suit], "value": None}, BOARD, *_centre(square))
    return Spot(name, "coin", "up", {"suit": None, "value": value}, BOARD, *_centre(square))


def _coin_name(state: DominoidsState, index: int) -> str:
    """``coin suns``; where a suit has several on the board, ``coin suns 2`` for the second."""
    suit = state.coins[index].suit
    same = [other.suit for other in state.coins[: index + 1]].count(suit)
    return f"coin {SUITS[suit]}" + (f" {same}" if same > 1 else "")


def _collected(state: DominoidsState) -> Iterator[Spot]:
    for player in (1, 2):
        for suit, suit_name in enumerate(SUITS):
            for value in state.collected(player, suit):
                yield _collected_coin(player, suit_name, value)


@lru_cache(maxsize=128)
def _collected_coin(player: int, suit: str, value: int) -> Spot:
    shown = {"suit": None, "value": value}
    return Spot(f"coin {suit} of value {value}", "coin", "up", shown, player_region(player), owner=player)


def _dice(state: DominoidsState) -> Iterator[Spot]:
    """A blank face is empty, so that nobody can see from above which suit's die it is."""
    for die, (suit, face) in enumerate(zip(SUITS, state.faces, strict=True)):
        if face != UNKNOWN:
            region = CHOSEN if state.chosen >> die & 1 else NEW if state.new >> die & 1 else OLD
            yield _die(suit, face, region)


@lru_cache(maxsize=128)
def _die(suit: str, face: int, region: str) -> Spot:
    value = {"set": "piecepack", "suit": None if face == NULL else suit, "face": FACES[face]}
    return Spot(f"die {suit}", "die", "up", value, region)


def _centre(square: int) -> tuple[float, float]:
    x, y = SQUARES[square]
    return float(x), float(y)


def _where(laid: Laid) -> Where:
    low, high = laid.low, laid.high
    return Where((low.x + high.x) / 2, (low.y + high.y) / 2, lying(low, high))


def footprint(state: DominoidsState, move: AnyMove) -> Footprint:
    """Every piece that a move touches and where it is then; what is only said is an entry too."""
    match move:
        case MoveDominoid() | Bud():
            laid = move.to if isinstance(move, MoveDominoid) else move.child
            return {_used(move.die): "used", f"domino {laid.domino}": _where(laid)}
        case Birth():
            return {f"domino {move.child.domino}": _where(move.child)}
        case Attack():
            return {f"domino {move.victim}": POOL_REGION}
        case Shift():
            return {_used(move.die): "used", **dict(_carried(state, move))}
        case Pass():
            return {_used(move.die): "used", "pass": "said"}
        case Eat():
            return {_eaten(state, move): player_region(move.player or state.player)}
        case PlaceCoin():
            return {f"coin {SUITS[move.suit]}": Where(float(move.square.x), float(move.square.y))}
        case TakeDice():
            return {_used(die): CHOSEN for die in move.dice}
        case Idle() | Done():
            return {"none" if isinstance(move, Idle) else "done": "said"}
        case _:
            return {f"agree {move.player or state.player}": "said"}


def _used(die: int) -> str:
    return f"die {SUITS[die]}"


def _eaten(state: DominoidsState, move: Eat) -> str:
    """The name of the coin on the square, also where there is none."""
    for index, coin in enumerate(state.coins):
        if SQUARES[coin.square] == move.square:
            return _coin_name(state, index)
    return f"coin on {move.square}"


def _carried(state: DominoidsState, move: Shift) -> Iterator[tuple[str, Where]]:
    """Where a shift carries each piece."""
    line, carried = LINE_MASK[move.direction, move.line], CARRIED[move.direction, move.line]
    for number, lie in enumerate(state.dominoes):
        if lie != POOL and line >> (lie >> 6) & 1:
            low, high = ends(lie)
            x, y = middle(carried[low] << 6 | carried[high])
            yield f"domino {DOMINOES[number]}", Where(x, y, lying(SQUARES[low], SQUARES[high]))
    for suit, pawn in zip(SUITS, state.pawns, strict=True):
        if pawn != NOWHERE and line >> pawn & 1:
            yield f"pawn {suit}", Where(*_centre(carried[pawn]))
    for index, coin in enumerate(state.coins):
        if line >> coin.square & 1:
            yield _coin_name(state, index), Where(*_centre(carried[coin.square]))
