"""What stands on a sheet beside its coats: those that were put right by hand, and marks that mean nothing.

A coat is struck out and drawn anew in what room is left, or drawn over one that was drawn too lightly to
count. Pens rest on paper, and people draw and reckon between shields.
"""

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from engine.kingdomino_duel.edition import COATS
from simulation.drawn_coats import CoatBox, draw_coat
from simulation.pen_strokes import Points, SheetDrawing

_MOST_PUT_RIGHT = 5
_NARROW = 0.03
"""A pen narrower than this, as a part of a square's side, can strike out."""
_ROOM = 0.52
"""So much of a shield is left beside what was struck out in the rest of it."""
_LIGHT = ("dot", "two-dots", "stripe", "two-stripes")
"""What is drawn over should not look like what was meant."""


def put_right(rng: np.random.Generator, coats: Sequence[str | None], pen_width: float) -> dict[int, str]:
    """Which of these squares are put right, and how: struck out, or drawn over."""
    chosen = rng.permutation(len(coats))[: int(rng.integers(1, _MOST_PUT_RIGHT + 1))]
    # What a wide pen strikes out, or what is struck out beside an area, looks like a half black shield.
    return {
        int(k): "struck" if pen_width < _NARROW and coats[k] in _LIGHT and rng.random() < 0.6 else "over"
        for k in chosen
        if coats[k] is not None
    }


def first_try(light: SheetDrawing, coat: str, box: CoatBox) -> None:
    """A coat drawn too lightly, where another will be drawn over it."""
    # Under a black shield any coat is gone; under others a second stripe or dot would count.
    below = COATS if coat == "black" else ("dot", "stripe") if coat == "quarters" else ("dot",)
    draw_coat(light, _another(light, coat, below), box)


def struck(work: SheetDrawing, coat: str, box: CoatBox) -> CoatBox:
    """Another coat drawn in a part of the box and struck out; what is given back is the room that is left."""
    rng = work.rng
    along_y = rng.random() < 0.7
    first = 1 if rng.random() < 0.5 else -1
    wrong, left = (_part(box, along_y=along_y, side=side, share=share)
                   for side, share in ((first, 1 - _ROOM - 0.08), (-first, _ROOM)))  # fmt: skip
    draw_coat(work, _another(work, coat, _LIGHT), wrong)
    _strike(work, wrong)
    return left


def _another(work: SheetDrawing, coat: str, among: tuple[str, ...]) -> str:
    others = [one for one in among if one != coat] or ["dot" if coat != "dot" else "stripe"]
    return str(work.rng.choice(others))


def _part(box: CoatBox, *, along_y: bool, side: int, share: float) -> CoatBox:
    """A part of a box at one of its ends."""
    if along_y:
        return replace(box, y=box.y + side * (1 - share) / 2 * box.height, height=share * box.height)
    return replace(box, x=box.x + side * (1 - share) / 2 * box.width, width=share * box.width)


def _strike(work: SheetDrawing, box: CoatBox) -> None:
    """Strokes to and fro across what was wrong, or a few apart."""
    rng = work.rng
    turn = float(rng.normal(0, 0.12) + (0.0 if box.width > box.height else math.pi / 2))
    along, across = np.array([math.cos(turn), math.sin(turn)]), np.array([-math.sin(turn), math.cos(turn)])
    reach, wide = 0.52 * max(box.width, box.height), 0.42 * box.least
    count = int(rng.integers(4, 9))
    middle = np.array([box.x, box.y])
    ends: list[Points] = []
    for k, level in enumerate(np.linspace(-wide, wide, count) + rng.normal(0, 0.1 * wide, count)):
        pair = [middle + across * level + side * along * reach * rng.uniform(0.85, 1.1) for side in (-1, 1)]
        ends += pair[:: 1 if k % 2 else -1]
    if rng.random() < 0.75:
        work.line(np.array(ends))
        return
    for k in range(0, len(ends), 2):
        work.line(np.array(ends[k : k + 2]))


def specks(work: SheetDrawing, places: Points, pitch: float) -> None:
    """Where a pen rested or slipped, at some of these corners of squares: dots and hairs."""
    rng = work.rng
    for _ in range(int(rng.integers(1, 9))):
        spot = places[int(rng.integers(len(places)))] + rng.normal(0, 0.06, 2) * pitch
        if rng.random() < 0.6:
            turns = np.linspace(0, 2 * math.pi, 8, endpoint=False)
            ring = np.stack([np.cos(turns), np.sin(turns)], axis=1) * max(0.5 * work.width, 0.012 * pitch)
            work.area(np.asarray(spot + ring))
        else:
            way = float(rng.uniform(0, 2 * math.pi))
            reach = float(rng.uniform(0.03, 0.16)) * pitch
            work.line([spot, spot + reach * np.array([math.cos(way), math.sin(way)])], width=0.6 * work.width)


def small_drawings(work: SheetDrawing, places: Points, pitch: float) -> None:
    """Waves, sums and little faces between the squares."""
    rng = work.rng
    for _ in range(int(rng.integers(1, 7))):
        x, y = places[int(rng.integers(len(places)))] + rng.normal(0, 0.05, 2) * pitch
        size = float(rng.uniform(0.1, 0.26)) * pitch
        if rng.random() < 0.5:
            work.doodle(float(x), float(y), size)
            continue
        turns = np.linspace(0, 2 * math.pi, 10, endpoint=False)
        work.line(
            np.stack([x + 0.4 * size * np.cos(turns), y + 0.4 * size * np.sin(turns)], axis=1), closed=True
        )
        if rng.random() < 0.6:
            for side in (-1, 1):
                work.line([(x + side * 0.14 * size, y - 0.1 * size), (x + side * 0.14 * size, y)])
