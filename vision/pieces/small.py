"""Reading small pieces: coins, dice, pawns, soldiers and tile backs, each looked at twice."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any, TypeAlias

import numpy as np

from calibration.soldier_marks import TYPES
from vision.pieces.finder import Spotted
from vision.pieces.networks import answers, shares
from vision.pieces.patches import SMALL_CORNERS, SMALL_SIZE, Floats, Picture, cut, rectangle
from vision.pieces.piece_read import AT_ONCE

Value: TypeAlias = dict[str, Any]
"""What a piece shows."""
Square: TypeAlias = tuple[float, float, float, float]
"""Where a piece is taken to lie: its middle, its side and its turn."""
Choices: TypeAlias = Mapping[str, Floats]
"""The probabilities of every question's choices."""
CHOICES: dict[str, tuple[str, ...]] = {
    "kind": ("coin", "die", "pawn", "soldier", "tile", "none"),
    "side": ("value", "suit"),
    "suit": ("suns", "moons", "crowns", "arms"),
    "rank": ("null", "ace", "2", "3", "4", "5"),
    "set": ("pips", "piecepack", "kingdomino-duel"),
    "pips": ("1", "2", "3", "4", "5", "6"),
    "coat": ("dot", "two-dots", "stripe", "two-stripes", "quarters", "black", "joker"),
    "crosses": ("0", "1", "2"),
    "type": TYPES,
    "owner": ("0", "1"),
}
"""What is chosen from what; the network's outputs lie in this order, then the numbers."""
NUMBERS = 8
"""Offset x and y and log of size, as shares of the size; cosine and sine of four times a square's turn, and
of where a soldier faces; and how much of the piece is seen."""
_ENDS = np.cumsum([0, *map(len, CHOICES.values())])
_TURNS = 4
_MOST_OFF = _MOST_GROWTH = 0.5
"""So far, in sides and as a logarithm, a square is moved and sized at most."""
_WELL = 0.12
"""A patch by which a square is moved or sized by no more than this lay well."""


@dataclass(frozen=True)
class SmallReading:
    """What one patch shows: the probabilities of every question's choices, and its place and turn."""

    choices: Choices
    x: float
    y: float
    side: float
    angle_deg: float
    """As pixels turn: of a square's sides, or of where a soldier faces."""
    visible: float = 1.0
    """The share of it that nothing covers, as far as the network can tell."""
    flat: float = 1.0
    """How likely it is that it lies flat on the table: dice lean, and stand on others."""
    counted: int | None = None
    """How many pips its face has, counted without a network and rather clearly."""

    def share(self, kind: str) -> float:
        """How likely it is of a kind."""
        return float(self.choices["kind"][CHOICES["kind"].index(kind)])

    @property
    def corners(self) -> Floats:
        """The square around it."""
        return rectangle(self.x, self.y, self.side, self.side, self.angle_deg)


def read(picture: Picture, spotted: Sequence[Spotted], *, quick: bool = False) -> list[SmallReading]:
    """The readings of small pieces whose places are roughly known.

    A ``quick`` reader leaves it at the first look where that leaves no doubt.
    """
    if not spotted:
        return []
    squares = [(one.x, one.y, one.length, 0.0) for one in spotted]
    rows = _look(picture, squares)
    squares = [_better(square, row) for square, row in zip(squares, rows, strict=True)]
    out = [_reading(square, [row]) for square, row in zip(squares, rows, strict=True)]
    again = [k for k, row in enumerate(rows) if not (quick and _is_clear(out[k], row))]
    # Two more looks from two sides: the mean of both errs less. What they leave open is seen from all four.
    seen: dict[int, list[Floats]] = {k: [] for k in again}
    for turns in (range(_TURNS // 2), range(_TURNS // 2, _TURNS)):
        for k, looks in zip(again, _turned(picture, [squares[k] for k in again], turns), strict=True):
            seen[k] += looks
            out[k] = _reading(squares[k], seen[k])
        again = [k for k in again if _shown(out[k]) < AT_ONCE]
    return out


def _turned(picture: Picture, squares: Sequence[Square], turns: Sequence[int]) -> list[list[Floats]]:
    """What is said of each square from these sides."""
    looks = [_look(picture, [(*one[:3], 90.0 * turn) for one in squares]) for turn in turns if squares]
    return [[look[k] for look in looks] for k in range(len(squares))]


def _is_clear(one: SmallReading, row: Floats) -> bool:
    """Whether a first look leaves no doubt: a sure answer from a patch that lay well."""
    return _shown(one) >= AT_ONCE and float(np.abs(row[-NUMBERS : -NUMBERS + 3]).max()) <= _WELL


def _shown(one: SmallReading) -> float:
    """How sure it is what lies there, and what that shows."""
    kind, there = chosen(one, "kind")
    return there if kind == "none" else there * ranked(one, kind)[0][1]


def _look(picture: Picture, squares: Sequence[Square]) -> Floats:
    cuts = [
        cut(picture, rectangle(x, y, s, s, turn), SMALL_CORNERS, SMALL_SIZE)[0] for x, y, s, turn in squares
    ]
    return answers("small_reader", cuts)


def _better(square: Square, row: Floats) -> Square:
    """The square, moved and sized as the network says."""
    x, y, side, turn = square
    dx, dy, growth = row[-NUMBERS : -NUMBERS + 3]
    return (
        x + side * float(np.clip(dx, -_MOST_OFF, _MOST_OFF)),
        y + side * float(np.clip(dy, -_MOST_OFF, _MOST_OFF)),
        side * math.exp(float(np.clip(growth, -_MOST_GROWTH, _MOST_GROWTH))),
        turn,
    )


def _reading(square: Square, rows: Sequence[Floats]) -> SmallReading:
    mean = np.mean(rows, axis=0)
    choices = {name: shares(mean[None, _ENDS[k] : _ENDS[k + 1]])[0] for k, name in enumerate(CHOICES)}
    kind = CHOICES["kind"][int(np.argmax(choices["kind"]))]
    visible = float(np.clip(mean[-1], 0.0, 1.0))
    return SmallReading(choices, *square[:3], _angle(rows, kind), visible)


def _angle(rows: Sequence[Floats], kind: str) -> float:
    """The turn in the picture; the rows saw it from 0°, 90° … further round."""
    fold, at = (1, -3) if kind == "soldier" else (4, -5)
    total = 0j
    for k, row in enumerate(rows):
        cosine, sine = (float(v) for v in row[at : at + 2])
        total += complex(cosine, sine) * complex(
            math.cos(fold * k * math.pi / 2), math.sin(fold * k * math.pi / 2)
        )
    return math.degrees(math.atan2(total.imag, total.real)) / fold


def chosen(reading: SmallReading, question: str) -> tuple[str, float]:
    """The likeliest choice of a question, and its probability."""
    p = reading.choices[question]
    best = int(np.argmax(p))
    return CHOICES[question][best], float(p[best])


def ranked(reading: SmallReading, kind: str) -> list[tuple[Value | None, float]]:
    """What a piece of this kind may show, the likeliest first."""
    told = _SHOWN[kind](reading.choices) if kind in _SHOWN else [(None, 1.0)]
    return sorted(told, key=lambda pair: -pair[1])


def _of_coins(value: Choices) -> Iterator[tuple[Value, float]]:
    shows_value, shows_suit = value["side"]
    yield from (({"suit": None, "value": k}, float(shows_value * p)) for k, p in enumerate(value["rank"]))
    yield from (({"suit": s, "value": None}, float(shows_suit * p)) for s, p in _each("suit", value))


def _of_pawns(value: Choices) -> Iterator[tuple[Value, float]]:
    yield from (({"suit": s}, p) for s, p in _each("suit", value))


def _of_dice(value: Choices) -> Iterator[tuple[Value, float]]:
    of_set = dict(_each("set", value))
    for face, p in _each("pips", value):
        yield {"set": "pips", "suit": None, "face": face, "crosses": None}, of_set["pips"] * p
    for face, p in _each("rank", value):
        for suit, q in [(None, 1.0)] if face == "null" else _each("suit", value):
            shown: Value = {"set": "piecepack", "suit": suit, "face": face, "crosses": None}
            yield shown, of_set["piecepack"] * p * q
    for (coat, p), (crosses, q) in product(_each("coat", value), _each("crosses", value)):
        shown = {"set": "kingdomino-duel", "suit": None, "face": coat, "crosses": int(crosses)}
        yield shown, of_set["kingdomino-duel"] * p * q


def _of_soldiers(value: Choices) -> Iterator[tuple[Value, float]]:
    yield from (({"army": None, "type": t, "facing_deg": None}, p) for t, p in _each("type", value))


_SHOWN = {"coin": _of_coins, "pawn": _of_pawns, "die": _of_dice, "soldier": _of_soldiers}


def _each(question: str, value: Choices) -> list[tuple[str, float]]:
    return [(name, float(p)) for name, p in zip(CHOICES[question], value[question], strict=True)]
