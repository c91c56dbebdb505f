"""Random well-formed moves and facts: any at all, and legal ones with one thing changed."""

from dataclasses import replace
from random import Random

from engine.dominoids.board import DIRECTIONS, LIES, SQUARES
from engine.dominoids.model import (
    DOMINOES,
    Agree,
    AnyFact,
    AnyMove,
    Arm,
    Attack,
    Birth,
    Bud,
    DominoidsState,
    Done,
    Eat,
    FirstPlayer,
    Idle,
    Laid,
    MoveDominoid,
    Pass,
    PlaceCoin,
    Roll,
    Shift,
    TakeDice,
    TurnedCoin,
    laid,
    laid_on,
)
from engine.squares import Square


def any_laid(rng: Random, state: DominoidsState) -> Laid:
    """A domino anywhere on the board, now and then over the edge, rather often where it could have gone."""
    number = rng.randrange(15)
    on_board = [at for at, lie in enumerate(state.dominoes) if lie >= 0]
    if on_board and rng.random() < 0.7:
        number = rng.choice(on_board)
        where = laid_on(number, state.dominoes[number])
        return nudged(rng, where)
    if rng.random() < 0.2:
        x, y = rng.choice(((0, rng.randint(1, 8)), (8, rng.randint(1, 8)), (9, rng.randint(1, 8))))
        return _tidy(DOMINOES[number], Square(x, y), Square(x + 1, y))
    return laid_on(number, rng.choice(LIES)) if not DOMINOES[number].is_double else _tidy_on(number, rng)


def _tidy(domino: tuple[int, int], low: Square, high: Square) -> Laid:
    return laid(domino[0], low, domino[1], high)


def _tidy_on(number: int, rng: Random) -> Laid:
    where = laid_on(number, rng.choice(LIES))
    return _tidy(where.domino, where.low, where.high)


def nudged(rng: Random, where: Laid) -> Laid:
    """The same domino a bit further, turned, or both."""
    dx, dy = where.high.x - where.low.x, where.high.y - where.low.y
    way = rng.randrange(4)
    if way == 0:
        far = rng.randint(-5, 5)
        return _tidy(where.domino, where.low.step(far * dx, far * dy), where.high.step(far * dx, far * dy))
    if way == 1:
        tx, ty = rng.choice(((-dy, dx), (dy, -dx), (-dx, -dy)))
        return _tidy(where.domino, where.low, where.low.step(tx, ty))
    if way == 2:
        tx, ty = rng.choice(((-dy, dx), (dy, -dx), (dx, dy)))
        return _tidy(where.domino, where.high.step(tx, ty), where.high)
    step = rng.choice(((1, 0), (0, 1), (-1, 0), (0, -1)))
    tx, ty = rng.choice(((dx, dy), (-dy, dx), (dy, -dx)))
    start = where.low.step(*step)
    return _tidy(where.domino, start, start.step(tx, ty))


def any_move(rng: Random, state: DominoidsState) -> AnyMove:
    """A well-formed move of any kind, legal or not."""
    player, die = rng.choice((None, state.player, state.player, 3 - state.player)), rng.randrange(4)
    kind = rng.randrange(12)
    if kind == 0:
        return TakeDice(player, tuple(rng.choices(range(4), k=rng.choice((1, 2, 2, 2, 3, 4)))))
    if kind in (1, 2, 3):
        return MoveDominoid(player, die, any_laid(rng, state))
    if kind == 4:
        return Bud(player, die, any_laid(rng, state))
    if kind == 5:
        return Shift(player, die, rng.choice(DIRECTIONS), rng.randint(1, 4))
    if kind == 6:
        coins = [SQUARES[coin.square] for coin in state.coins]
        return Eat(player, rng.choice(coins if coins and rng.random() < 0.8 else SQUARES))
    if kind == 7:
        return Attack(player, rng.choice(DOMINOES))
    if kind == 8:
        return Birth(player, any_laid(rng, state))
    if kind == 9:
        pawn = SQUARES[state.pawns[die]]
        near = [at for at in pawn.beside() if at in SQUARES]
        return PlaceCoin(player, die, rng.choice(near if rng.random() < 0.7 else SQUARES))
    return rng.choice((Pass(player, die), Idle(player), Done(player), Agree(player)))


def mutated(rng: Random, state: DominoidsState, move: AnyMove) -> AnyMove:
    """A legal move with one thing changed."""
    if rng.random() < 0.1:
        return replace(move, player=3 - (move.player or state.player))
    match move:
        case TakeDice():
            return TakeDice(move.player, (move.dice[0], rng.randrange(4)))
        case MoveDominoid():
            if rng.random() < 0.3:
                return replace(move, die=rng.randrange(4))
            return replace(move, to=nudged(rng, move.to))
        case Bud() | Birth():
            if rng.random() < 0.5:
                return replace(move, child=nudged(rng, move.child))
            other = DOMINOES[rng.randrange(15)]
            return replace(move, child=_tidy(other, move.child.low, move.child.high))
        case Shift():
            changed = rng.choice(({"line": rng.randint(1, 4)}, {"direction": rng.choice(DIRECTIONS)}))
            return Shift(
                move.player,
                move.die,
                changed.get("direction", move.direction),
                changed.get("line", move.line),
            )
        case Eat():
            return replace(move, square=rng.choice(SQUARES))
        case Attack():
            return replace(move, victim=rng.choice(DOMINOES))
        case PlaceCoin():
            return replace(move, square=rng.choice(SQUARES))
        case _:
            return any_move(rng, state)


def any_fact(rng: Random, state: DominoidsState) -> AnyFact:
    """A fact of any kind, possible or not; values one past what exists are among them."""
    kind = rng.randrange(4)
    if kind == 0:
        dice = [die for die in range(4) if state.chosen >> die & 1 and rng.random() < 0.9] or [0, 1, 2, 3]
        return Roll(tuple((die, rng.randrange(7)) for die in dice))
    if kind == 1:
        coins = [SQUARES[coin.square] for coin in state.coins] or [SQUARES[0]]
        return TurnedCoin(rng.choice(coins), rng.randrange(7))
    if kind == 2:
        return FirstPlayer(rng.randrange(4))
    return Arm(rng.randrange(4), rng.choice(SQUARES), any_laid(rng, state))
