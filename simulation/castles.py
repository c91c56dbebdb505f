"""Castles that publishers might draw in the middle square: a roof to colour, walls, wings, a gate, a flag.

Twelve numbers from 0 to 1 make a castle. Lines are around the middle of the square, in squares, y downwards.
"""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

Line = NDArray[np.float64]


def roof(built: Sequence[float]) -> Line:
    """The outline of the roof: a gable, a dome, steps or an onion."""
    wide, foot, top = _frame(built)
    kind = int(built[0] * 4)
    if kind == 0:
        return np.array([(-wide, foot), (wide, foot), (0.0, top)])
    if kind == 1:
        turn = np.linspace(0, np.pi, 12)
        return np.stack([wide * np.cos(turn), foot + (top - foot) * np.sin(turn)], axis=1)
    if kind == 2:
        half, middle = wide / 2, (foot + top) / 2
        return np.array(
            [(-wide, foot), (wide, foot), (wide, middle), (half, middle), (half, top), (-half, top),
             (-half, middle), (-wide, middle)]
        )  # fmt: skip
    side = [(1.0, 0.0), (1.1, 0.3), (0.8, 0.6), (0.25, 0.8), (0.0, 1.0)]
    right = np.array([(wide * x, foot + (top - foot) * y) for x, y in side])
    return np.vstack([right, (right * (-1, 1))[::-1]])


def walls(built: Sequence[float]) -> Iterator[Line]:
    """All other lines of the castle."""
    wide, foot, top = _frame(built)
    half, ground = wide * (0.7 + 0.3 * built[4]), 0.3 + 0.12 * built[5]
    yield np.array([(-half, foot), (-half, ground), (half, ground), (half, foot)])
    gate, arch = 0.04 + 0.06 * built[6], ground - 0.1 - 0.12 * built[7]
    yield np.array(
        [(-gate, ground), (-gate, arch), (0.0, arch - gate * (built[7] > 0.5)), (gate, arch), (gate, ground)]
    )
    for side, height in ((-1, built[8]), (1, built[8] if built[9] < 0.7 else built[9])):
        if height > 0.25:
            yield _wing((half, ground, side), ground - height * (ground - foot) * 1.1, built[10])
    if built[11] > 0.6:
        yield np.array([(0.0, top), (0.0, top - 0.07), (0.09, top - 0.045), (0.0, top - 0.025)])
    elif built[11] > 0.35:
        x, y = half * 0.55, foot + 0.08
        for middle in (-x, x):
            yield np.array([(middle - 0.03, y), (middle + 0.03, y), (middle + 0.03, y + 0.07),
                            (middle - 0.03, y + 0.07), (middle - 0.03, y)])  # fmt: skip


def _frame(built: Sequence[float]) -> tuple[float, float, float]:
    """Half the roof's width, its foot and its top."""
    return 0.14 + 0.2 * built[1], -0.2 + 0.18 * built[2], -0.34 - 0.08 * built[3]


def _wing(place: tuple[float, float, int], top: float, kind: float) -> Line:
    """A tower beside the walls, with battlements, a gable or nothing on it."""
    half, ground, side = place
    out = min(half + 0.14, 0.44)
    third = (out - half) / 3
    heads: Any = [(half, top), (out, top)]
    if kind < 0.4:
        heads = [(half, top), (half + third, top), (half + third, top + 0.05), (out - third, top + 0.05),
                 (out - third, top), (out, top)]  # fmt: skip
    elif kind < 0.7:
        heads = [(half, top), ((half + out) / 2, top - 0.1), (out, top)]
    return np.array([(half, ground), *heads, (out, ground)]) * (side, 1)
