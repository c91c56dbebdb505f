"""The board that sixteen tiles make: where its squares really lie, even where the tiles were pushed."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from vision.pieces.mat import OnTable
from vision.pieces.patches import Floats

TILE_MM = 50.8
"""The side of a tile: two inches."""
LEAST_TILES = 4
"""Fewer tiles do not say where a board lies."""
_NEAR_MM = 6.0
"""So near to its square a tile lies on it."""
_ROUNDS = 4
"""How often squares and tiles are matched anew."""


@dataclass(frozen=True)
class Lattice:
    """A turn and a shift: what a board that lies exactly in its place underwent to lie as it does."""

    turn_deg: float
    shift_mm: tuple[float, float]
    """Of the board's middle."""
    off_mm: float
    """How far the tiles lie from the lattice (root mean square)."""

    def straightened(self, x: float, y: float, middle: tuple[float, float]) -> tuple[float, float]:
        """Where a point of this board would lie on a board in its place."""
        turn = math.radians(-self.turn_deg)
        dx, dy = x - middle[0] - self.shift_mm[0], y - middle[1] - self.shift_mm[1]
        return (
            middle[0] + dx * math.cos(turn) - dy * math.sin(turn),
            middle[1] + dx * math.sin(turn) + dy * math.cos(turn),
        )

    def laid(self, x: float, y: float, middle: tuple[float, float]) -> tuple[float, float]:
        """Where a point of a board in its place lies on this one."""
        turn = math.radians(self.turn_deg)
        dx, dy = x - middle[0], y - middle[1]
        return (
            middle[0] + self.shift_mm[0] + dx * math.cos(turn) - dy * math.sin(turn),
            middle[1] + self.shift_mm[1] + dx * math.sin(turn) + dy * math.cos(turn),
        )


def fit_lattice(
    tiles: Sequence[OnTable], middle: tuple[float, float], across: int = 4, tile_mm: float = TILE_MM
) -> Lattice | None:
    """The lattice through these tiles, near ``across``² tiles around ``middle``; None for too few."""
    points = np.array([(t.x_mm, t.y_mm) for t in tiles]).reshape(-1, 2)
    steps = (np.arange(across) - (across - 1) / 2) * tile_mm
    places = np.array([(x, y) for y in steps for x in steps]) + middle
    turn, shift = np.eye(2), np.zeros(2)
    found: tuple[Floats, Floats] | None = None
    for _ in range(_ROUNDS):
        now = (places - middle) @ turn.T + middle + shift
        away = np.linalg.norm(points[:, None] - now[None], axis=2)
        # The first look allows a push of half a tile: whole tiles apart would be another square.
        reach = tile_mm / 2 if found is None else _NEAR_MM
        pairs = [(k, int(row.argmin())) for k, row in enumerate(away) if len(row) and row.min() < reach]
        if len({j for _, j in pairs}) < LEAST_TILES:
            return None
        seen, meant = points[[k for k, _ in pairs]], places[[j for _, j in pairs]]
        turn, shift = _moved(meant - middle, seen - middle)
        found = seen, (meant - middle) @ turn.T + middle + shift
    assert found is not None
    off = float(np.sqrt(((found[0] - found[1]) ** 2).sum(axis=1).mean()))
    return Lattice(math.degrees(math.atan2(turn[1, 0], turn[0, 0])), (float(shift[0]), float(shift[1])), off)


def _moved(before: Floats, after: Floats) -> tuple[Floats, Floats]:
    """The turn and the shift that carry points best to others."""
    a, b = before.mean(axis=0), after.mean(axis=0)
    p, q = before - a, after - b
    angle = math.atan2(float((p[:, 0] * q[:, 1] - p[:, 1] * q[:, 0]).sum()), float((p * q).sum()))
    turn = np.array([[math.cos(angle), -math.sin(angle)], [math.sin(angle), math.cos(angle)]])
    return turn, np.asarray(b - turn @ a)
