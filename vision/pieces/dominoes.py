"""Reading dominoes: each one laid flat, looked at twice, and judged by a small network both ways round."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from vision.pieces.networks import answers, shares
from vision.pieces.patches import DOMINO_CORNERS, DOMINO_SIZE, Floats, Picture, carried, cut, inverse

FACES = ("up", "down", "edge", "none")
PIPS = 13
OFFSET_PX = 26.0
"""The network tells corners as shares of half a domino's width."""


@dataclass(frozen=True)
class DominoReading:
    """What one patch shows: probabilities of the faces and of both halves' pips, and the exact corners."""

    faces: Floats
    first: Floats
    second: Floats
    corners: Floats
    """In the picture; the first half lies at the first and the last of them."""


def read(picture: Picture, rough: Sequence[Floats]) -> list[DominoReading]:
    """The readings of dominoes whose corners (4×2) are roughly known."""
    corners = list(rough)
    if not corners:
        return []
    first, matrices = _look(picture, corners)
    corners = [
        carried(DOMINO_CORNERS + _off(row), inverse(m)) for row, m in zip(first, matrices, strict=True)
    ]
    n = len(corners)
    both, matrices = _look(picture, corners + [np.roll(c, 2, axis=0) for c in corners])
    # The mean of both ways round errs less than either, and neither half is better off.
    logits = (both[:n] + _turned(both[n:])) / 2
    faces = shares(logits[:, :4])
    halves = [shares(logits[:, 4 + k * PIPS : 4 + (k + 1) * PIPS]) for k in range(2)]
    exact = [
        carried(DOMINO_CORNERS + _off(row), inverse(m)) for row, m in zip(logits, matrices[:n], strict=True)
    ]
    return [DominoReading(faces[k], halves[0][k], halves[1][k], exact[k]) for k in range(n)]


def _look(picture: Picture, corners: Sequence[Floats]) -> tuple[Floats, list[Floats]]:
    cuts = [cut(picture, one, DOMINO_CORNERS, DOMINO_SIZE) for one in corners]
    return answers("domino_reader", [flat for flat, _ in cuts]), [matrix for _, matrix in cuts]


def _off(row: Floats) -> Floats:
    return np.asarray(np.clip(row[-8:].reshape(4, 2) * OFFSET_PX, -40, 40))


def _turned(rows: Floats) -> Floats:
    """What was said of patches turned by half a turn, as if they had not been."""
    off = rows[:, -8:].reshape(-1, 4, 2)
    return np.column_stack(
        [
            rows[:, :4],
            rows[:, 4 + PIPS : 4 + 2 * PIPS],
            rows[:, 4 : 4 + PIPS],
            -np.roll(off, 2, axis=1).reshape(-1, 8),
        ]
    )
