"""A closer look at dice: the whole cube at twice the pixels, its upper face upright in the middle.

A die shows more than one face as soon as it is seen aslant. The reader of small pieces finds it and says how
it is turned; here a network that was shown nothing but cubes, and what is taken for them, says what lies on
top, and whether the die lies flat at all.
"""

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import TypeAlias

import numpy as np

from vision.pieces.networks import answers, shares
from vision.pieces.patches import Floats, Picture, cut, framed, rectangle
from vision.pieces.small import CHOICES, SmallReading, chosen

Square: TypeAlias = tuple[float, float, float, float]
"""Where an upper face is taken to lie: its middle, its side and its turn."""
DIE_SIZE = (80, 80)
DIE_CORNERS = framed(DIE_SIZE, (20, 20))
"""Where the upper face lies in its patch."""
QUESTIONS: dict[str, tuple[str, ...]] = {
    "there": ("die", "none"),
    "lies": ("flat", "leaning", "on a die"),
    **{name: CHOICES[name] for name in ("set", "pips", "rank", "suit", "coat", "crosses")},
}
"""What is chosen from what; the network's outputs lie in this order, then the numbers."""
NUMBERS = 6
"""Offset x and y and log of size, as shares of the size; cosine and sine of four times the turn; and how much
of it is seen."""
_ENDS = np.cumsum([0, *map(len, QUESTIONS.values())])
PERHAPS = 0.15
"""What is at least so likely a die is looked at closely."""
_QUARTERS = 4
_FIRST_COUNTS, _LEAST = 0.4, 1e-6
_MOST_OFF = _MOST_GROWTH = 0.35
_STEPS, _STILL = 2, 0.03
"""So often a square is moved at most; one that moves by less, as a share of its side, is not moved again."""
_WHITE, _BURNT_OUT, _MOST_LOST = 243, (0.5, 0.9), 0.6
"""So bright is a pixel whose light may have been cut off; from the first share of them on an empty face is
doubted, from the second on as much as it ever is."""
FLAT = 0.5
"""What is less likely to lie flat leans, or stands on another."""


def perhaps(seen: Sequence[SmallReading]) -> list[int]:
    """Which of these may be dice, as each looks by itself."""
    return [k for k, one in enumerate(seen) if one.share("die") > PERHAPS]


def looked_at(
    picture: Picture, seen: Sequence[SmallReading], maybe: Sequence[int] | None = None
) -> list[SmallReading]:
    """Readings of small pieces after those that may be dice were looked at closely."""
    out = list(seen)
    maybe = perhaps(seen) if maybe is None else maybe
    if not maybe:
        return out
    squares = [(seen[k].x, seen[k].y, seen[k].side, seen[k].angle_deg) for k in maybe]
    squares = _settled(picture, squares)
    # The same from all four sides: which way up a face is seen must not matter, and the mean errs less.
    rounds = [_look(picture, [(*s[:3], s[3] + 90.0 * k) for s in squares]) for k in range(_QUARTERS)]
    for n, k in enumerate(maybe):
        read = _reading(seen[k], squares[n], [rows[n] for rows in rounds])
        out[k] = _with_lost_ink(read, _burnt_out(picture, squares[n]))
    return out


def _settled(picture: Picture, squares: Sequence[Square]) -> list[Square]:
    """The squares where the network wants them; what it moves far is asked about again from there."""
    out, moving = list(squares), list(range(len(squares)))
    for _ in range(_STEPS):
        if not moving:
            break
        looks = _look(picture, [out[k] for k in moving])
        before = [out[k] for k in moving]
        for k, row in zip(moving, looks, strict=True):
            out[k] = _better(out[k], row)
        moving = [k for k, square in zip(moving, before, strict=True) if _far(square, out[k])]
    return out


def _far(one: Square, other: Square) -> bool:
    """Whether a square was moved or sized by so much that it may not be where it will be yet."""
    away = math.hypot(one[0] - other[0], one[1] - other[1])
    return away > _STILL * other[2] or abs(math.log(one[2] / other[2])) > _STILL


def _look(picture: Picture, squares: Sequence[Square]) -> Floats:
    cuts = [cut(picture, rectangle(x, y, s, s, turn), DIE_CORNERS, DIE_SIZE)[0] for x, y, s, turn in squares]
    return answers("die_reader", cuts)


def _better(square: Square, row: Floats) -> Square:
    """The square moved, sized and turned as the network says."""
    x, y, side, turn = square
    dx, dy, growth, cosine, sine = row[-NUMBERS:-1]
    c, s = math.cos(math.radians(turn)), math.sin(math.radians(turn))
    dx, dy = (side * float(np.clip(d, -_MOST_OFF, _MOST_OFF)) for d in (dx, dy))
    return (
        x + c * dx - s * dy,
        y + s * dx + c * dy,
        side * math.exp(float(np.clip(growth, -_MOST_GROWTH, _MOST_GROWTH))),
        turn + math.degrees(math.atan2(sine, cosine)) / 4,
    )


def _reading(one: SmallReading, square: Square, rows: Sequence[Floats]) -> SmallReading:
    mean = np.mean(rows, axis=0)
    said = {name: shares(mean[None, _ENDS[k] : _ENDS[k + 1]])[0] for k, name in enumerate(QUESTIONS)}
    kinds = _with_die(one.choices["kind"], float(said.pop("there")[0]))
    visible = float(np.clip(mean[-1], 0.0, 1.0))
    flat = float(said.pop("lies")[0])
    said = {name: _both(one.choices[name], shown) for name, shown in said.items()}
    better = replace(one, choices={**one.choices, **said, "kind": kinds}, flat=flat)
    if chosen(better, "kind")[0] != "die":
        return better  # how a die would lie there says nothing of a man or a coin
    x, y, side, turn = square
    return replace(better, x=x, y=y, side=side, angle_deg=turn, visible=visible)


def _burnt_out(picture: Picture, square: Square) -> float:
    """How much of a face is so bright that the picture may have lost its ink."""
    x, y, side, turn = square
    face, _ = cut(picture, rectangle(x, y, side, side, turn), DIE_CORNERS, DIE_SIZE)
    low, high = int(DIE_CORNERS[0, 0]), int(DIE_CORNERS[2, 0])
    return float((face[low:high, low:high].min(axis=2) >= _WHITE).mean())


def _with_lost_ink(one: SmallReading, bright: float) -> SmallReading:
    """The reading of a face that looks empty, doubted as far as its ink may be lost in too much light."""
    least, most = _BURNT_OUT
    lost = _MOST_LOST * min(1.0, max(0.0, (bright - least) / (most - least)))
    ranks = np.array(one.choices["rank"])
    empty = CHOICES["rank"].index("null")
    gone = lost * ranks[empty]
    ranks += gone / (len(ranks) - 1)
    ranks[empty] -= gone + gone / (len(ranks) - 1)
    return replace(one, choices={**one.choices, "rank": ranks})


def _both(first: Floats, closer: Floats) -> Floats:
    """What two readers say together: the closer one counts for more."""
    said = np.maximum(first, _LEAST) ** _FIRST_COUNTS * np.maximum(closer, _LEAST)
    return np.asarray(said / said.sum())


def _with_die(kinds: Floats, die: float) -> Floats:
    """The shares of the kinds after it was said how likely a die is there; the rest share what is left."""
    number = CHOICES["kind"].index("die")
    rest = np.array(kinds)
    rest[number] = 0.0
    out = rest * (1 - die) / max(1e-9, float(rest.sum()))
    out[number] = die
    return np.asarray(out)
