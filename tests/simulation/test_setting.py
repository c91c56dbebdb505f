"""A game's table in millimetres: every spot of a layout has its piece, which stays until it is moved."""

import itertools
import random
from dataclasses import replace

import numpy as np
import pytest

from calibration import aruco
from calibration.plan import plan_of
from engine import rulebook
from engine.layout import Layout, Spot
from simulation.arrange import overlapping
from simulation.setting import TableSetting
from simulation.stage import Stage
from simulation.virtual_scene import Lamp, Surface, VirtualScene


def played(game: str, plies: int, seed: int = 3) -> list[Layout]:
    """The layouts of a random game."""
    rng, book = random.Random(seed), rulebook(game)
    state = book.start(None, rng)
    found = [book.layout(state)]
    for _ in range(plies):
        if book.pending(state) is not None:
            state = book.observe(state, book.sample(state, rng))
        elif moves := list(book.legal_moves(state)):
            state = book.play(state, rng.choice(moves))
        found.append(book.layout(state))
    return found


@pytest.mark.parametrize("game", ["dominoids", "draw-game", "kingdomino-duel"])
def test_every_spot_has_its_piece_and_pieces_stay_until_moved(game: str) -> None:
    """Through a game each spot is on the table near its place, and untouched pieces do not stir."""
    setting = TableSetting(game, seed=4)
    before: dict[str, tuple[Spot, float, float]] = {}
    for layout in played(game, 40):
        pieces = {piece.name: piece for piece in setting.pieces(layout)}
        spots = layout.by_name()
        assert spots.keys() <= pieces.keys()
        for name, spot in spots.items():
            piece = pieces[name]
            x, y, _ = setting.where(spot)
            assert np.hypot(piece.x_mm - x, piece.y_mm - y) < 7
            if name in before and before[name][0] == spot:
                assert (piece.x_mm, piece.y_mm) == before[name][1:]
        before = {name: (spot, pieces[name].x_mm, pieces[name].y_mm) for name, spot in spots.items()}


def test_pieces_of_one_region_do_not_lie_on_each_other() -> None:
    """A pool of face-up dominoes is laid out apart."""
    layout = played("dominoids", 0)[0]
    setting = TableSetting("dominoids")
    pool = [p for p in setting.pieces(layout) if p.name in {s.name for s in layout.in_region("pool")}]
    assert len(pool) == 11
    boxes = [(p.x_mm, p.y_mm, p.angle_deg, 40.0, 18.0) for p in pool]
    assert not any(overlapping(a, b) for a, b in itertools.combinations(boxes, 2))


def test_pieces_on_the_board_stand_on_its_tiles() -> None:
    """On a piecepack board pieces are as high as its tiles; soldiers stand on the dominoes of the field."""
    layout = played("dominoids", 0)[0]
    setting = TableSetting("dominoids")
    heights = {piece.name: piece.z_mm for piece in setting.pieces(layout)}
    assert heights["pawn suns"] == setting.props.piecepack.tile_thick_mm
    war = TableSetting("dominoes-of-war", off_mm=0.3)
    spots = (
        Spot("tile c3", "domino", "down", None, "board", 3, 3, 0),
        Spot("grunt", "soldier", "up", {"type": "grunt"}, "board", 3, 3, 90, owner=2),
        Spot("sniper", "soldier", "up", {"type": "sniper"}, "board", 5, 3, 90, owner=1),
    )
    heights = {piece.name: piece.z_mm for piece in war.pieces(Layout(spots))}
    assert heights == {"tile c3": 0, "grunt": war.props.domino.thickness_mm, "sniper": 0}


@pytest.mark.parametrize("game", ["dominoids", "dominoes-of-war"])
def test_the_camera_sees_all_markers_of_the_table(game: str) -> None:
    """A frame of an empty table holds the four markers, where the plan has put them."""
    setting = TableSetting(game)
    lamp = Lamp((-500.0, 400.0, 1200.0), (1, 0.95, 0.9), 0.7, 80)
    surface = Surface("cloth", (0.1, 0.2, 0.1), (0.1, 0.2, 0.1))
    camera = setting.camera((960, 720))
    stage = Stage(VirtualScene(setting.fixed(), surface, (lamp,), camera, seed=1))
    picture = stage.frame(()).picture
    found = dict(aruco.detect(picture[:, :, 1].copy()))
    assert set(found) == {0, 1, 2, 3}
    wide, deep = plan_of(game).size_mm
    middle = camera.to_pixels([(-wide / 2 + 23, deep / 2 - 23)], 0.25)[0]
    assert np.hypot(*(found[0].mean(axis=0) - middle)) < 0.5


def test_put_down_again_a_piece_lies_a_little_differently() -> None:
    """The same move twice does not end on the same spot to the tenth of a millimetre."""
    setting = TableSetting("draw-game")
    spot = Spot("3-4", "domino", "up", {"pips": [3, 4]}, "board", 2.0, 0.0, 0.0)
    first = setting.pieces(Layout((spot,)))[0]
    setting.pieces(Layout((replace(spot, x=4.0),)))
    again = setting.pieces(Layout((spot,)))[0]
    assert first.x_mm != again.x_mm
    assert abs(first.x_mm - again.x_mm) < 6
