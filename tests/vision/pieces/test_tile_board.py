"""A board of sixteen tiles is found by its rim, even where its tiles were seen half a step off."""

import math

import numpy as np
import pytest

pytest.importorskip("cv2", reason="OpenCV is not here")

import cv2  # it may be missing

from simulation.setting import TableSetting  # OpenCV may be missing
from tests.vision.pieces.made import SIZE, table_of
from vision.pieces import tile_board
from vision.pieces.lattice import TILE_MM
from vision.pieces.mat import TOP_MM
from vision.pieces.patches import Floats, Picture
from vision.pieces.piece_read import Read
from vision.pieces.tile_board import Board, completed

TABLE = table_of(TableSetting("dominoids"))
CLOTH, WOOD = (70, 110, 60), (150, 190, 215)


def picture_of(lies: Board | None) -> Picture:
    """A plain cloth with a plain board on it, a little noisy."""
    rng = np.random.default_rng(5)
    out = np.full((SIZE[1], SIZE[0], 3), CLOTH, np.uint8)
    if lies is not None:
        for square in lies.squares():
            corners = TABLE.camera.to_pixels(square, np.full(4, TOP_MM["tile"]))
            cv2.fillConvexPoly(out, np.round(corners).astype(np.int32), WOOD)
    return np.clip(out + rng.normal(0, 3, out.shape), 0, 255).astype(np.uint8)


def tile(middle: Floats, turn_deg: float, there: float = 0.99) -> Read:
    """A tile as read."""
    square = Board(float(middle[0]), float(middle[1]), turn_deg).squares()
    half = (square[5] - square[5].mean(axis=0)) + middle  # any of its tiles, laid there
    corners = TABLE.camera.to_pixels(half, np.full(4, TOP_MM["tile"]))
    return Read("tile", "down", ((None, 1.0),), there, corners, 0.0)


def middles_of(pieces: list[Read]) -> Floats:
    """Where tiles lie on the table."""
    return np.array(
        [
            TABLE.camera.to_mm(one.corners, np.full(4, TOP_MM["tile"])).mean(axis=0)
            for one in pieces
            if one.kind == "tile"
        ]
    )


def has_all(found: Floats, lies: Board) -> bool:
    """Whether every tile of the board is among these, and nothing else."""
    away = np.linalg.norm(lies.middles()[:, None] - found[None], axis=2)
    return len(found) == 16 and bool((away.min(axis=1) < 6.0).all())


@pytest.mark.parametrize("turn", [-20.0, 0.0, 3.0, 44.0])
@pytest.mark.parametrize("off", [(0.0, 0.0), (0.5, 0.0), (0.5, 0.5)])
def test_tiles_seen_half_a_step_off_do_not_move_the_board(turn: float, off: tuple[float, float]) -> None:
    """Nine tiles that all lie across others, or as they should: the rim says where the board lies."""
    lies = Board(12.0, -8.0, turn)
    c, s = math.cos(math.radians(turn)), math.sin(math.radians(turn))
    push = np.array([off[0] * c - off[1] * s, off[0] * s + off[1] * c]) * TILE_MM
    seen = [tile(middle + push, turn) for k, middle in enumerate(lies.middles()) if k % 4 < 3 and k < 12]
    assert has_all(middles_of(completed(picture_of(lies), seen, TABLE)), lies)


def test_a_tile_that_was_pushed_stays_where_it_was_read() -> None:
    """The board tells where tiles are that were not read; what was read near by is believed."""
    lies = Board(0.0, 0.0, 0.0)
    seen = [tile(middle, 0.0) for middle in lies.middles()[:10]]
    seen[4] = tile(lies.middles()[4] + (3.0, 2.0), 0.0)
    found = middles_of(completed(picture_of(lies), seen, TABLE))
    assert np.linalg.norm(found - (lies.middles()[4] + (3.0, 2.0)), axis=1).min() < 0.01


def test_where_no_board_ends_there_is_none() -> None:
    """Nine tiles in a row of nothing: no rim, no board; and four are no board at all."""
    lies = Board(0.0, 0.0, 0.0)
    seen = [tile(middle, 0.0) for middle in lies.middles()[:9]]
    assert len(completed(picture_of(None), seen, TABLE)) == 9
    assert completed(picture_of(lies), seen[:4], TABLE) == seen[:4]


def test_a_chequered_cloth_is_doubted() -> None:
    """Of a hundred tiles and more none is believed as before."""
    steps = np.arange(11) * TILE_MM
    seen = [tile(np.array([x - 280, y - 280]), 0.0) for x in steps for y in steps]
    assert max(one.there for one in completed(picture_of(None), seen, TABLE)) < 0.7


def test_of_many_tiles_no_more_boards_are_tried_than_can_be() -> None:
    """A cloth that is nearly chequered enough to be doubted must not stop the table."""
    rng = np.random.default_rng(1)
    middles = np.array([(45.0 * x, 45.0 * y) for x in range(11) for y in range(9)]) + rng.normal(
        0, 3, (99, 2)
    )
    assert 0 < len(tile_board._boards(middles, 0.0)) <= 500


def test_what_lies_beside_the_board_is_doubted_and_other_pieces_are_kept() -> None:
    """A seventeenth tile on the cloth is believed less; a coin stays what it is."""
    lies = Board(0.0, 0.0, 0.0)
    seen = [tile(middle, 0.0) for middle in lies.middles()]
    stray = tile(np.array([250.0, 0.0]), 0.0)
    coin = Read("coin", "up", ((None, 1.0),), 0.9, stray.corners + 90.0, 0.0)
    found = completed(picture_of(lies), [*seen, stray, coin], TABLE)
    assert coin in found
    away = [one for one in found if one.kind == "tile" and one.there < 0.7]
    assert len(away) == 1
    assert len(found) == 18


def test_a_tile_read_twice_is_one() -> None:
    """Two readings of the same tile count once."""
    one = tile(np.zeros(2), 0.0)
    assert len(tile_board._once_each([one, tile(np.array([2.0, 1.0]), 0.0, 0.9)])) == 1
