"""How people lay pieces out: strewn, in rows, in tight blocks, in chains. Places are x, y and angle."""

import math
from collections.abc import Sequence
from typing import TypeAlias

import numpy as np

Place: TypeAlias = tuple[float, float, float]
Box: TypeAlias = tuple[float, float, float, float, float]
"""Middle x and y, angle, length and width."""


def strewn(
    rng: np.random.Generator, sizes: Sequence[tuple[float, float]], room: float, gap_mm: float = 1.0
) -> list[Place | None]:
    """Random places without overlap for pieces of these sizes (None where none was found).

    ``room`` is how much larger the field is than the pieces: 1.5 is a heap side by side, 6 is wide apart.
    """
    area = sum(a * b for a, b in sizes)
    wide = math.sqrt(area * room * 1.35)
    deep = area * room / wide
    placed: list[Box] = []
    found: list[Place | None] = []
    for length, width in sizes:
        place = None
        for _ in range(60):
            box = (float(rng.uniform(-wide, wide)) / 2, float(rng.uniform(-deep, deep)) / 2,
                   float(rng.uniform(0, 360)), length + gap_mm, width + gap_mm)  # fmt: skip
            if not any(overlapping(box, other) for other in placed):
                placed.append(box)
                place = box[:3]
                break
        found.append(place)
    return found


def rows(
    rng: np.random.Generator,
    count: int,
    size: tuple[float, float],
    *,
    columns: int,
    gap_mm: float,
    off: float,
) -> list[Place]:
    """A block of pieces that stand upright side by side; ``off`` is how carelessly."""
    length, width = size
    found = []
    lines = math.ceil(count / columns)
    for k in range(count):
        row, column = divmod(k, columns)
        x = (column - (columns - 1) / 2) * (width + gap_mm) + float(
            rng.normal(0, 0.25 * off * max(gap_mm, 0.4))
        )
        y = ((lines - 1) / 2 - row) * (length + gap_mm) + float(rng.normal(0, 0.8 * off))
        found.append((x, y, 90.0 + 180.0 * int(rng.integers(2)) + float(rng.normal(0, 0.6 * off))))
    return found


def chain(
    rng: np.random.Generator, numbers: Sequence[tuple[int, int]], size: tuple[float, float], gap_mm: float
) -> list[tuple[tuple[int, int], Place]]:
    """A line of play: matching ends side by side, doubles crosswise, with corners where it pleases."""
    length, width = size
    left = list(numbers)
    first = left.pop(0)
    heading = 0.0
    found: list[tuple[tuple[int, int], Place]] = [(first, (0.0, 0.0, 0.0))]
    boxes: list[Box] = [(0.0, 0.0, 0.0, length, width)]
    at, end, straight = (length / 2 + gap_mm, 0.0), first[1], 1
    while True:
        fitting = next((t for t in left if end in t), None)
        if fitting is None:
            return found
        double = fitting[0] == fitting[1]
        turn = 0.0
        if straight >= 2 and not double and rng.random() < 0.22:
            turn = 90.0 if rng.random() < 0.5 else -90.0
        middle, angle, ahead = _next(at, heading, turn, (length, width, gap_mm), double)
        box = (*middle, angle, length - 1.0, width - 1.0)
        if any(overlapping(box, other) for other in boxes[:-1]):
            return found
        left.remove(fitting)
        pips = fitting if fitting[0] == end else (fitting[1], fitting[0])
        found.append((pips, (*middle, angle)))
        boxes.append(box)
        at, heading = ahead, heading + turn
        straight = 0 if turn or double else straight + 1
        end = pips[1]


def _next(
    at: tuple[float, float], heading: float, turn: float, size: tuple[float, float, float], double: bool
) -> tuple[tuple[float, float], float, tuple[float, float]]:
    """The middle and angle of the next tile of a chain, and where the one after it starts."""
    length, width, gap = size
    h = math.radians(heading)
    if turn:
        # A corner: the tile lies along the side of the last half.
        n = math.radians(heading + turn)
        back = width / 2 + gap
        foot = (at[0] - back * math.cos(h), at[1] - back * math.sin(h))
        reach = width / 2 + gap
        start = (foot[0] + reach * math.cos(n), foot[1] + reach * math.sin(n))
        h = n
    else:
        start = at
    along = width if double else length
    middle = (start[0] + along / 2 * math.cos(h), start[1] + along / 2 * math.sin(h))
    ahead = (start[0] + (along + gap) * math.cos(h), start[1] + (along + gap) * math.sin(h))
    return middle, heading + turn + (90.0 if double else 0.0), ahead


def overlapping(a: Box, b: Box) -> bool:
    """Whether two turned rectangles share any point."""
    if math.hypot(a[0] - b[0], a[1] - b[1]) > (math.hypot(a[3], a[4]) + math.hypot(b[3], b[4])) / 2:
        return False
    corners = [_corners(box) for box in (a, b)]
    for _, _, angle, _, _ in (a, b):
        for turn in (0, 90):
            c, s = math.cos(math.radians(angle + turn)), math.sin(math.radians(angle + turn))
            spans = [[x * c + y * s for x, y in points] for points in corners]
            if max(spans[0]) <= min(spans[1]) or max(spans[1]) <= min(spans[0]):
                return False
    return True


def _corners(box: Box) -> list[tuple[float, float]]:
    x, y, angle, length, width = box
    c, s = math.cos(math.radians(angle)), math.sin(math.radians(angle))
    signs = ((-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5))
    return [(x + u * length * c - v * width * s, y + u * length * s + v * width * c) for u, v in signs]
