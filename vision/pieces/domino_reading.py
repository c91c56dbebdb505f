"""Reading dominoes: each one laid flat, looked at twice, and judged by a small network both ways round."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from vision.pieces.networks import answers, shares
from vision.pieces.patches import DOMINO_CORNERS, DOMINO_SIZE, Floats, Picture, carried, cut, inverse
from vision.pieces.piece_read import AT_ONCE, TOLD, Ranked

FACES = ("up", "down", "edge", "none")
PIPS = 13
NUMBERS = 9
"""What the network says last: the offsets of the four corners, and how much of the domino is seen."""
READER, MANNED = "domino_reader", "manned_reader"
"""The networks: one for all dominoes, and one for tiles on which a man is known to stand."""
OFFSET_PX = 26.0
"""Corners are told as shares of half a domino's width."""
_WELL_PX = 6.0
"""A patch that lay well has its corners no farther off than this."""


@dataclass(frozen=True)
class DominoReading:
    """What one patch shows: probabilities of the faces and of both halves' pips, and the exact corners."""

    faces: Floats
    first: Floats
    second: Floats
    corners: Floats
    """In the picture; the first half lies at the first and the last of them."""
    visible: float = 1.0
    """The share of it that nothing covers, as far as the network can tell."""

    def share(self, face: str) -> float:
        """How likely it lies so."""
        return float(self.faces[FACES.index(face)])


def ranked(one: DominoReading) -> Ranked:
    """What an open one shows, the likeliest first."""
    both = np.outer(one.first, one.second)
    best = (divmod(int(k), PIPS) for k in np.argsort(-both, axis=None)[:TOLD])
    return tuple(({"pips": [a, b]}, float(both[a, b])) for a, b in best)


def read(
    picture: Picture, rough: Sequence[Floats], *, quick: bool = False, reader: str = READER
) -> list[DominoReading]:
    """The readings of dominoes whose corners (4×2) are roughly known.

    A ``quick`` reader leaves it at the first look where that leaves no doubt.
    """
    corners = list(rough)
    if not corners:
        return []
    first, matrices = _look(picture, corners, reader)
    out = [_reading(row, m) for row, m in zip(first, matrices, strict=True)]
    again = [k for k, row in enumerate(first) if not (quick and _is_clear(out[k], row))]
    if not again:
        return out
    corners = [out[k].corners for k in again]
    n = len(corners)
    both, matrices = _look(picture, corners + [np.roll(c, 2, axis=0) for c in corners], reader)
    # The mean of both ways round errs less than either, and neither half is better off.
    for k, row, m in zip(again, (both[:n] + _turned(both[n:])) / 2, matrices[:n], strict=True):
        out[k] = _reading(row, m)
    return out


def _reading(row: Floats, matrix: Floats) -> DominoReading:
    """What the network's numbers say of the patch that the matrix cut."""
    faces, first, second = (shares(part[None])[0] for part in np.split(row[:-NUMBERS], (4, 4 + PIPS)))
    off = np.clip(row[-NUMBERS:-1].reshape(4, 2) * OFFSET_PX, -40, 40)
    corners = carried(DOMINO_CORNERS + off, inverse(matrix))
    return DominoReading(faces, first, second, corners, float(np.clip(row[-1], 0.0, 1.0)))


def _is_clear(one: DominoReading, row: Floats) -> bool:
    """Whether a first look leaves no doubt: a sure answer from a patch that lay well."""
    up = float(one.faces[0])
    shown = up * float(one.first.max() * one.second.max()) if up > 0.5 else float(one.faces[1:3].max())
    return shown >= AT_ONCE and float(np.abs(row[-NUMBERS:-1]).max()) * OFFSET_PX <= _WELL_PX


def _look(picture: Picture, corners: Sequence[Floats], reader: str) -> tuple[Floats, list[Floats]]:
    cuts = [cut(picture, one, DOMINO_CORNERS, DOMINO_SIZE) for one in corners]
    return answers(reader, [flat for flat, _ in cuts]), [matrix for _, matrix in cuts]


def _turned(rows: Floats) -> Floats:
    """What was said of patches turned by half a turn, as if they had not been."""
    faces, first, second, numbers = np.split(rows, (4, 4 + PIPS, 4 + 2 * PIPS), axis=1)
    off = -np.roll(numbers[:, :-1].reshape(-1, 4, 2), 2, axis=1).reshape(-1, 8)
    return np.column_stack([faces, second, first, off, numbers[:, -1:]])
