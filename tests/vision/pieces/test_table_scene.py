"""Scenes: a perfect reading of a game's table says what the layout of that game says."""

import math
from dataclasses import replace

import numpy as np
import pytest

from engine import GAMES
from engine.layout import Spot
from engine.scene import Scene, Sighting
from simulation.setting import TableSetting
from simulation.virtual_scene import Piece
from tests.vision.pieces.made import COIN, SIZE, layout_after, read_of, reads_of, square, table_of
from vision.photos.picture_reading import agreed
from vision.pieces import mat
from vision.pieces.reading import Readout
from vision.pieces.table_scene import hidden_parts, scene_of

TILT = 6.0


def on_table(setting: TableSetting, pieces: list[Piece], seed: int = 0) -> tuple[Readout, Scene]:
    """The perfect reading of these pieces, and its scene."""
    table = table_of(setting, TILT)
    order = np.random.default_rng(seed).permutation(len(pieces))
    reads = reads_of([pieces[k] for k in order], table.camera)
    places = mat.standing(reads, table)
    renamed = [mat.renamed(one, place) for one, place in zip(reads, places, strict=True)]
    reading = Readout(SIZE, tuple(renamed), {}, table, tuple(places))
    return reading, scene_of(reading, setting.plan)


def spots_and_pieces(setting: TableSetting, plies: int) -> list[tuple[Spot, Piece]]:
    """What lies in its region by name, without sheets and what lies on others of its kind."""
    layout = layout_after(setting.game, plies)
    spots = layout.by_name()
    return [
        (spots[piece.name], piece)
        for piece in setting.pieces(layout)
        if piece.name in spots
        and piece.kind != "sheet"
        and setting.plan.regions[spots[piece.name].region].holds(piece.x_mm, piece.y_mm, margin_mm=-3)
        and not (piece.kind == "domino" and piece.z_mm > 7)
    ]


@pytest.mark.parametrize("plies", [0, 9, 30])
@pytest.mark.parametrize("game", GAMES)
def test_a_perfect_reading_says_what_the_layout_says(game: str, plies: int) -> None:
    """Kind, region, board units, angle, face, value and owner of every piece of all four games."""
    setting = TableSetting(game, 7)
    pairs = spots_and_pieces(setting, plies)
    _, scene = on_table(setting, [piece for _, piece in pairs])
    assert len(scene.sightings) == len(pairs)
    for spot, piece in pairs:
        one = min(scene.sightings, key=lambda s: _away(s, spot, piece, setting))
        assert (one.kind, one.region) == (spot.kind, spot.region), spot
        assert _away(one, spot, piece, setting) < 3.0, spot
        assert one.face == piece.face
        if spot.x is not None and spot.y is not None and setting.plan.regions[spot.region].unit_mm:
            assert (one.x, one.y) == (pytest.approx(spot.x, abs=0.16), pytest.approx(spot.y, abs=0.16))
        if spot.angle is not None:
            assert one.angle is not None
            assert abs((one.angle - spot.angle + 180) % 360 - 180) < 6
        if spot.kind == "soldier":
            assert one.owner == spot.owner
        _same_value(one, spot)


def _away(one: Sighting, spot: Spot, piece: Piece, setting: TableSetting) -> float:
    """How far a sighting lies from a piece in millimetres; kinds are not mixed up."""
    assert one.x is not None
    assert one.y is not None
    if one.kind != spot.kind:
        return 1e6
    if not one.region:
        return math.hypot(one.x - piece.x_mm, one.y - piece.y_mm)
    region = setting.plan.regions[one.region]
    x, y = (
        region.place_mm(one.x, one.y)
        if region.unit_mm
        else (one.x + region.centre_mm[0], one.y + region.centre_mm[1])
    )
    return math.hypot(x - piece.x_mm, y - piece.y_mm)


def _same_value(one: Sighting, spot: Spot) -> None:
    """What the spot shows to a camera, the sighting says."""
    if spot.value is None or spot.face == "edge" or (spot.kind == "domino" and spot.face != "up"):
        return
    assert one.value is not None or spot.kind == "die"
    if spot.kind == "coin":
        key = "suit" if spot.face == "down" else "value"
        assert (one.value or {})[key] == spot.value[key]
    elif spot.kind in ("domino", "pawn"):
        assert one.value == {**spot.value}


def test_a_coin_says_with_each_guess_which_side_is_up() -> None:
    """A suit means value down, a value means value up, whatever the likeliest guess is."""
    setting = TableSetting("dominoids", 1)
    table = table_of(setting)
    coin = square("coin", COIN, (640, 480), 24, face="down")
    both = type(coin)(**{**coin.__dict__, "ranked": ((COIN, 0.6), ({"suit": None, "value": 3}, 0.4))})
    reading = agreed(SIZE, [both], None, table)
    (one,) = scene_of(reading, setting.plan).sightings
    assert [guess.face for guess in one.guesses] == ["down", "up"]
    assert [guess.probability for guess in one.guesses] == [p for _, p in reading.pieces[0].ranked]
    assert one.presence == pytest.approx(reading.pieces[0].there)
    assert Scene.from_json(scene_of(reading, setting.plan).to_json()).sightings == (one,)


def test_what_lies_in_no_region_is_told_in_millimetres_from_the_middle() -> None:
    """A piece off the board is still where it was."""
    setting = TableSetting("dominoids", 1)
    piece = Piece("die", "die", setting.props.piecepack, -236.0, 130.0, 12.0,
                  value={"set": "piecepack", "suit": "suns", "face": "3", "crosses": None})  # fmt: skip
    _, scene = on_table(setting, [piece])
    (one,) = scene.sightings
    assert one.region == ""
    assert (one.x, one.y) == (pytest.approx(-236, abs=2.5), pytest.approx(130, abs=2.5))


@pytest.mark.parametrize(
    ("y", "region"),
    [(-195.0, "pool-1"), (-250.0, "pool-1"), (-15.0, "pool-1"), (15.0, "spares"), (-280.0, "")],
)
def test_what_finds_no_room_in_a_region_belongs_to_the_nearest(y: float, region: str) -> None:
    """A pool holds a dozen soldiers, and an army has more; what lies farther off belongs to none."""
    setting = TableSetting("dominoes-of-war", 1)
    piece = Piece("tile", "domino", setting.props.domino, -327.0, y, 90.0, face="down")
    _, scene = on_table(setting, [piece])
    assert [one.region for one in scene.sightings] == [region]


def test_a_domino_that_may_lie_the_other_way_up_says_so() -> None:
    """It is there for sure; how it lies is a guess, the likeliest first."""
    setting = TableSetting("dominoes-of-war", 1)
    tile = Piece("tile", "domino", setting.props.domino, 20.0, 30.0, 90.0, face="down")
    table = table_of(setting)
    back = replace(read_of(tile, table.camera), there=0.6, turned=0.2)
    up = replace(back, face="up", ranked=(({"pips": [1, 2]}, 0.9),), there=0.2, turned=0.6)
    for one, face, shown in ((back, "down", [None, None]), (up, "up", [None, {"pips": [1, 2]}])):
        seen = Readout(SIZE, (one,), {}, table, tuple(mat.standing([one], table)))
        (sighting,) = scene_of(seen, setting.plan).sightings
        assert sighting.face == face
        assert sighting.presence == pytest.approx(0.8)
        assert [guess.value for guess in sighting.guesses] == shown
        assert sighting.guesses[0].face == (None if face == "down" else "down")
        closed = sum(g.probability for g in sighting.guesses if (g.face or face) == "down")
        assert closed == pytest.approx(0.75)


def test_a_domino_that_rather_lies_closed_says_what_it_would_show() -> None:
    """Half covered by a soldier an open tile looks closed, and what is done next hangs on its pips."""
    setting = TableSetting("dominoes-of-war", 1)
    tile = Piece("tile", "domino", setting.props.domino, 20.0, 30.0, 90.0, face="down")
    table = table_of(setting)
    shown: tuple[tuple[dict[str, list[int]] | None, float], ...]
    shown = (({"pips": [0, 12]}, 0.7), ({"pips": [0, 10]}, 0.2), (None, 0.09), ({"pips": [0, 6]}, 1e-5))
    back = replace(read_of(tile, table.camera), there=0.9, turned=0.1, beneath=shown)
    seen = Readout(SIZE, (back,), {}, table, tuple(mat.standing([back], table)))
    (sighting,) = scene_of(seen, setting.plan).sightings
    told = [(one.value, one.face, pytest.approx(one.probability)) for one in sighting.guesses]
    assert told == [
        (None, None, 0.9),
        ({"pips": [0, 12]}, "up", 0.07),
        ({"pips": [0, 10]}, "up", 0.02),
    ]


def test_a_pushed_board_keeps_its_squares() -> None:
    """The lattice of tile backs, 5 mm and 2° off, carries the pieces on it along."""
    setting = TableSetting("dominoids", 1, off_mm=0.0)
    turn, shift = math.radians(2.0), (5.0, -3.0)
    tiles = [piece for piece in setting.fixed(markers=False) if piece.kind == "tile"]
    x, y = setting.plan.regions["board"].place_mm(6, 2)
    look = setting.props.piecepack
    pawn = Piece("pawn suns", "pawn", look, x, y, 0.0, look.tile_thick_mm, value={"suit": "suns"})
    pushed = [
        Piece(one.name, one.kind, one.look,
              one.x_mm * math.cos(turn) - one.y_mm * math.sin(turn) + shift[0],
              one.x_mm * math.sin(turn) + one.y_mm * math.cos(turn) + shift[1],
              one.angle_deg + 2.0, one.z_mm, one.face, one.value, one.wear_seed)
        for one in (*tiles, pawn)
    ]  # fmt: skip
    _, scene = on_table(setting, pushed)
    (one,) = scene.sightings
    assert (one.x, one.y) == (pytest.approx(6, abs=0.1), pytest.approx(2, abs=0.1))


def test_hands_hide_the_parts_of_regions_under_them() -> None:
    """An outline over the board is told in board units: hidden is never empty."""
    setting = TableSetting("dominoids", 1)
    table = table_of(setting)
    board = setting.plan.regions["board"]
    corners = [board.place_mm(x, y) for x, y in ((2.5, 2.5), (4.5, 2.5), (4.5, 4.5), (2.5, 4.5))]
    scene = Scene((), hidden_parts(table, setting.plan, [table.camera.to_pixels(corners)]))
    assert scene.is_hidden("board", 3, 4)
    assert not scene.is_hidden("board", 6, 6)
    assert not scene.is_hidden("pool")


def test_a_scene_needs_a_table() -> None:
    """Without millimetres there are no regions."""
    setting = TableSetting("draw-game", 1)
    piece = Piece("a", "domino", setting.props.domino, 0, 0, value={"pips": [1, 2]})
    reading = agreed(SIZE, [read_of(piece, table_of(setting).camera)])
    with pytest.raises(ValueError, match="markers"):
        scene_of(reading, setting.plan)


@pytest.mark.parametrize(
    ("y", "face", "told"), [(-204.0, "up", True), (-204.0, "down", False), (0.0, "up", False)]
)
def test_an_open_domino_in_a_hand_is_told_in_board_units_too(y: float, face: str, told: bool) -> None:
    """A line may have run there; what lies on the board, or closed, needs no second place."""
    setting = TableSetting("draw-game", 1)
    piece = Piece("tile", "domino", setting.props.domino, -82.0, y, 90.0, face=face)
    _, scene = on_table(setting, [piece])
    (sighting,) = scene.sightings
    assert sighting.region == ("hand-1" if y else "board")
    assert sighting.on_board == (pytest.approx((-0.5, -8.5), abs=0.1) if told else None)
