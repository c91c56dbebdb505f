"""Patches: what is cut out of a picture lies where it should, however large and however turned it was."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.pieces.patches import (
    DOMINO_CORNERS,
    DOMINO_SIZE,
    SMALL_CORNERS,
    SMALL_SIZE,
    carried,
    cut,
    inverse,
    rectangle,
)

ROWS, COLUMNS = 480, 640
places = st.tuples(st.floats(150, 480), st.floats(150, 330))
lengths, angles = st.floats(20, 300), st.floats(-180, 180)


def slopes() -> np.ndarray:
    """A picture whose blue tells the column and whose green tells the row."""
    y, x = np.mgrid[0:ROWS, 0:COLUMNS].astype(np.float64)
    return np.stack([x * 255 / COLUMNS, y * 255 / ROWS, 0 * x], axis=2).round().astype(np.uint8)


SLOPES = slopes()


@given(places, lengths, angles)
def test_a_rectangle_has_its_sides_and_its_turn(at: tuple[float, float], length: float, angle: float) -> None:
    """The first side is the longer one and points along the angle, as pixels turn."""
    corners = rectangle(*at, length, length / 2, angle)
    along, across = corners[1] - corners[0], corners[3] - corners[0]
    assert np.allclose(corners.mean(axis=0), at)
    assert np.linalg.norm(along) == pytest.approx(length)
    assert np.linalg.norm(across) == pytest.approx(length / 2)
    assert along @ across == pytest.approx(0, abs=1e-6 * length**2)
    turn = np.radians(angle)
    assert np.allclose(along / length, (np.cos(turn), np.sin(turn)))
    # Clockwise in the picture, as the truth of the virtual table has it.
    assert along[0] * across[1] - along[1] * across[0] > 0


@given(places, st.floats(25, 600), angles)
def test_a_patch_shows_what_lies_at_the_corners(at: tuple[float, float], length: float, angle: float) -> None:
    """Every pixel of a patch has the colour of its place in the picture, even where it shrank a lot."""
    corners = rectangle(*at, length, length / 2, angle)
    flat, matrix = cut(SLOPES, corners, DOMINO_CORNERS, DOMINO_SIZE)
    assert flat.shape == (DOMINO_SIZE[1], DOMINO_SIZE[0], 3)
    assert np.allclose(carried(corners, matrix), DOMINO_CORNERS, atol=1e-3)
    assert np.allclose(carried(DOMINO_CORNERS, inverse(matrix)), corners, atol=1e-3)
    points = np.array([(x, y) for x in range(14, 116, 10) for y in range(12, 62, 8)], dtype=float)
    there = carried(points, inverse(matrix))
    inside = ((there > 4) & (there < (COLUMNS - 5, ROWS - 5))).all(axis=1)
    shown = flat[points[inside, 1].astype(int), points[inside, 0].astype(int), :2].astype(float)
    assert np.allclose(shown, there[inside] * (255 / COLUMNS, 255 / ROWS), atol=2.5)


def test_a_large_piece_is_averaged_and_makes_no_pattern() -> None:
    """A fine chequer of 2 px comes out grey in a patch four times smaller, not as stripes or spots."""
    fine = np.kron(np.indices((240, 320)).sum(axis=0) % 2, np.ones((2, 2))).astype(np.uint8) * 255
    picture = np.ascontiguousarray(np.repeat(fine[:, :, None], 3, axis=2))
    flat, _ = cut(picture, rectangle(320, 240, 400, 200, 0), SMALL_CORNERS, SMALL_SIZE)
    assert float(flat[14:50, 14:50].std()) < 16
    assert abs(float(flat[14:50, 14:50].mean()) - 127) < 4


def test_pieces_at_the_rim_are_cut_without_a_fuss() -> None:
    """A piece half outside the picture goes on as the rim does."""
    for at in ((0.0, 0.0), (COLUMNS - 1.0, 10.0), (-30.0, 200.0), (300.0, ROWS + 40.0)):
        for length in (30, 200, 800):
            flat, _ = cut(SLOPES, rectangle(*at, length, length / 2, 20), DOMINO_CORNERS, DOMINO_SIZE)
            assert flat.shape == (72, 128, 3)
