"""Tiles seen across two others are told from those that lie there."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from vision.pieces.lattice import TILE_MM, out_of_step


@given(
    st.floats(0, 360),
    st.integers(0, 2**32 - 1),
    st.integers(6, 16),
    st.integers(0, 5),
)
def test_only_what_lies_across_others_is_out_of_step(turn: float, seed: int, there: int, across: int) -> None:
    """A board of four by four, turned and shifted, some tiles not found, some seen half a step further."""
    rng = np.random.default_rng(seed)
    squares = np.array([(x, y) for x in range(4) for y in range(4)], dtype=float)
    # A board's corners are always among what is found: without them nothing tells one lattice from the other.
    corners = [0, 3, 12, 15]
    others = [k for k in range(16) if k not in corners]
    real = squares[corners + list(rng.permutation(others)[: there - 4])]
    halves = np.array([(x + 0.5, y + 0.5) for x in range(3) for y in range(3)])
    wrong = halves[rng.permutation(9)[: min(across, there - 3)]]
    c, s = np.cos(np.radians(turn)), np.sin(np.radians(turn))
    points = (np.concatenate([real, wrong]) * TILE_MM) @ np.array([[c, s], [-s, c]]) + rng.uniform(
        -300, 300, 2
    )
    points += rng.normal(0, 0.5, points.shape)
    turns = turn + 90.0 * rng.integers(0, 4, len(points)) + rng.normal(0, 1, len(points))
    odd = out_of_step(points, turns)
    assert not odd & set(range(len(real)))
    full = {k for k in range(len(real), len(points)) if _crosses(points, k, len(real))}
    assert full <= odd


def _crosses(points: np.ndarray, k: int, real: int) -> bool:
    """Whether a wrong tile really lies over one that was found."""
    return bool(np.linalg.norm(points[:real] - points[k], axis=1).min() < 0.75 * TILE_MM)


def test_a_few_tiles_are_let_be() -> None:
    """Three tiles make no lattice."""
    assert out_of_step(np.array([[0.0, 0], [25, 25], [60, 3]]), np.zeros(3)) == set()
