"""Random moves of Kingdomino Duel that are well-formed but need not be legal, and random facts."""

from dataclasses import replace
from random import Random

from engine.kingdomino_duel.edition import AS_PRINTED, JOKER, Face
from engine.kingdomino_duel.kingdom import SQUARES, Mark
from engine.kingdomino_duel.model import (
    Castle,
    Cross,
    Declare,
    DieRef,
    Draw,
    DuelFact,
    DuelMove,
    DuelState,
    Name,
    Oldest,
    Roll,
    Take,
    Turn,
)

FACES = tuple(dict.fromkeys(face for die in AS_PRINTED.dice for face in die))


def random_move(rng: Random) -> DuelMove:
    """Any move that the notation can write."""
    player = rng.choice((1, 2, None))
    kind = rng.randrange(9)
    if kind == 0:
        return Take(player, tuple(_die(rng) for _ in range(rng.choice((1, 2)))), at_once=rng.random() < 0.3)
    if kind == 1:
        return Declare(player, rng.choice((1, 2)))
    if kind == 2:
        return Turn(player, _die(rng), rng.choice(FACES))
    if kind == 3:
        return Castle(player, _die(rng))
    if kind == 4:
        return Name(player, rng.randrange(6))
    if kind == 5:
        return Cross(player, rng.choice(SQUARES))
    return Draw(player, tuple(_mark(rng) for _ in range(rng.choice((0, 1, 2, 2, 2, 2, 3)))))


def mutated(state: DuelState, move: DuelMove, rng: Random) -> DuelMove:
    """The move with one thing about it changed: its player, a die, a coat, a cross or a square."""
    if rng.random() < 0.15:
        return replace(move, player=rng.choice((1, 2, None)))
    if isinstance(move, Take):
        dice = list(move.dice)
        dice[rng.randrange(len(dice))] = _die(rng)
        return replace(move, dice=tuple(dice), at_once=move.at_once != (rng.random() < 0.2))
    if isinstance(move, Draw) and move.marks:
        return replace(move, marks=_mutated_marks(list(move.marks), rng))
    if isinstance(move, Declare):
        return replace(move, power=3 - move.power)
    if isinstance(move, Turn):
        return replace(move, die=_die(rng)) if rng.random() < 0.5 else replace(move, face=rng.choice(FACES))
    if isinstance(move, Castle):
        return replace(move, die=_die(rng))
    if isinstance(move, Cross):
        return replace(move, square=rng.choice(SQUARES))
    symbols = [die.symbol for die in state.dice]
    squares = rng.sample(SQUARES, len(symbols))
    marks = [Mark(at, face.coat % 6, face.crosses) for at, face in zip(squares, symbols, strict=True)]
    return Draw(move.player, tuple(marks[:2]))


def _mutated_marks(marks: list[Mark], rng: Random) -> tuple[Mark, ...]:
    at = rng.randrange(len(marks))
    kind = rng.randrange(5)
    if kind == 0:
        del marks[at]
    elif kind == 1:
        marks[at] = marks[at]._replace(crosses=max(0, marks[at].crosses + rng.choice((-1, 1))))
    elif kind == 2:
        marks[at] = marks[at]._replace(coat=rng.randrange(6))
    elif kind == 3 and len(marks) == 2:
        marks = [marks[0]._replace(square=marks[1].square), marks[1]._replace(square=marks[0].square)]
    else:
        marks[at] = marks[at]._replace(square=rng.choice(SQUARES))
    return tuple(marks)


def random_fact(rng: Random) -> DuelFact:
    """Any fact that the notation can write."""
    if rng.random() < 0.2:
        return Oldest(rng.randrange(4))
    return Roll(tuple(rng.choice(FACES) for _ in range(rng.choice((1, 3, 4, 4, 4, 4, 5)))))


def _die(rng: Random) -> DieRef:
    return rng.choice((1, 2, 3, 4)) if rng.random() < 0.7 else rng.choice(FACES)


def _mark(rng: Random) -> Mark:
    face = rng.choice(FACES)
    coat = rng.randrange(6) if face.coat == JOKER else face.coat
    return Mark(rng.choice(SQUARES), *Face(coat, face.crosses))
