"""The mat way: places in millimetres from where pieces show in the picture."""

import math
from dataclasses import replace

import numpy as np
import pytest

from calibration.mats import loose_markers
from calibration.table_finder import Table
from engine import GAMES
from engine.layout import Spot
from simulation.bodies import place
from simulation.setting import TableSetting
from simulation.virtual_scene import Piece
from tests.vision.pieces.made import SIZE, domino, layout_after, reads_of, table_of
from vision.pieces import mat
from vision.pieces.patches import rectangle

USUAL_MM = 2.5
"""A piece may be some millimetres higher or lower than the usual one, which moves it in a slanting view."""


def pieces_of(game: str, plies: int) -> tuple[TableSetting, list[Piece]]:
    """What lies on a game's table, without what no reader knows and what lies under other pieces."""
    setting = TableSetting(game, 5)
    found = [*setting.fixed(markers=False), *setting.pieces(layout_after(game, plies))]
    wide, deep = setting.plan.size_mm
    return setting, [
        one
        for one in found
        if one.kind != "sheet"
        and not one.name.startswith("stack")
        and abs(one.x_mm) < wide / 2
        and abs(one.y_mm) < deep / 2
    ]


@pytest.mark.parametrize("tilt", [0.0, 14.0])
@pytest.mark.parametrize("game", GAMES)
def test_places_come_back_from_where_pieces_show(game: str, tilt: float) -> None:
    """Of all pieces of a game: the place within 2.5 mm, on tiles and dominoes too, the angle within 1.5°."""
    setting, pieces = pieces_of(game, 16)
    table = table_of(setting, tilt)
    low = [one for one in pieces if not _lies_on_its_like(one)]
    reads = reads_of(low, table.camera)
    assert len(reads) >= 4
    for piece, at in zip(low, mat.standing(reads, table), strict=True):
        assert math.hypot(at.x_mm - piece.x_mm, at.y_mm - piece.y_mm) < USUAL_MM, piece.name
        assert abs((at.angle_deg - piece.angle_deg + 180) % 360 - 180) < 1.5, piece.name


def _lies_on_its_like(piece: Piece) -> bool:
    """Tiles in a stack: how high it is cannot be seen."""
    return piece.kind == "domino" and piece.z_mm > 7


@pytest.mark.parametrize("game", GAMES)
def test_every_piece_has_a_size_that_it_can_have(game: str) -> None:
    """Nothing real is dropped for its size, and nothing twice as large stays."""
    setting, pieces = pieces_of(game, 16)
    table = table_of(setting)
    reads = reads_of(pieces, table.camera)
    assert len(mat.of_a_size(reads, table)) == len(reads)
    large = table.camera.mm_per_px()
    kept = mat.of_a_size(
        [domino(length=48 / large), domino(length=100 / large), domino(length=20 / large)], table
    )
    assert [one.length for one in kept] == [pytest.approx(48 / large)]


def test_the_white_rim_of_a_marker_is_no_wall() -> None:
    """It lies flat on the table, and a wall seen there would stand beside it; elsewhere a wall is one."""
    table = table_of(TableSetting("dominoes-of-war", 2), 14.0)
    strip = np.array([(-24.0, 26.0), (24.0, 26.0), (24.0, 18.0), (-24.0, 18.0)])
    rims = [place.to_table(strip) for place in table.markers]
    inside = [rim - 0.5 * rim.mean(axis=0) for rim in rims]
    for strips, many in ((rims, 0), (inside, len(rims))):
        seen = [table.camera.to_pixels(one) for one in strips]
        edges = [replace(domino(), face="edge", ranked=((None, 1.0),), corners=one) for one in seen]
        assert len(mat.of_a_size(edges, table)) == many


def test_a_soldier_stands_as_high_as_what_is_under_him() -> None:
    """In a slanting view the same spot of the picture is another place when it lies 10 mm higher."""
    setting = TableSetting("dominoes-of-war", 2)
    table = table_of(setting, 20.0)
    tile = Piece("tile", "domino", setting.props.domino, 120.0, -90.0, 90.0, face="down")
    on_it = Piece(
        "a", "soldier", setting.props.soldier, 122.0, -88.0, 180.0, setting.props.domino.thickness_mm,
        value={"army": "a", "type": "grunt"},
    )  # fmt: skip
    reads = reads_of([tile, on_it], table.camera)
    alone, both = mat.standing(reads[1:], table)[0], mat.standing(reads, table)[1]

    def off(at: mat.OnTable) -> float:
        return math.hypot(at.x_mm - 122.0, at.y_mm + 88.0)

    assert off(both) < USUAL_MM
    assert off(alone) > off(both) + 1.0
    assert both.angle_deg == pytest.approx(180, abs=1)


def test_nothing_gives_nothing() -> None:
    """An empty table has no places."""
    table = table_of(TableSetting("draw-game"))
    assert mat.standing([], table) == []
    assert mat.of_a_size([], table) == []


def test_a_picture_without_markers_has_no_table() -> None:
    """No table is made up: not of noise, and not of a lone rectangle."""
    rng = np.random.default_rng(4)
    picture = rng.integers(0, 255, (SIZE[1] // 2, SIZE[0] // 2, 3)).astype(np.uint8)
    assert mat.table_in(picture) is None
    picture[:] = 200
    for x, y in np.round(rectangle(200, 200, 120, 60, 10)).astype(int):
        picture[y - 10 : y + 10, x - 10 : x + 10] = 0
    assert mat.table_in(picture) is None


@pytest.mark.parametrize("columns", [1280, 2560, 3840])
def test_the_finder_sees_a_millimetre_of_any_table_as_large(columns: int) -> None:
    """However many pixels a camera has; one that has few is not blown up."""
    camera = TableSetting("dominoids").camera((columns, columns * 3 // 4))
    table = Table(camera, loose_markers((576, 392)), 0.0)
    assert mat.scale_for(table) / camera.mm_per_px() == pytest.approx(1.3)
    few = Table(TableSetting("dominoids").camera((320, 240)), loose_markers((576, 392)), 0.0)
    assert mat.scale_for(few) == 1.0


@pytest.mark.parametrize("kind", ["domino", "wall", "coin", "pawn", "soldier", "tile"])
def test_the_visible_side_is_as_high_as_that_of_usual_pieces(kind: str) -> None:
    """The heights that places are measured at are those of the pieces of the virtual table."""
    props = TableSetting("dominoes-of-war", 2).props
    look = props.look_of(Spot("one", kind, "up", {"set": "piecepack"}, ""))  # type: ignore[arg-type]  # a kind
    value = {"pips": [1, 2], "suit": "suns", "value": 1, "type": "grunt"}
    face = {"wall": "edge", "tile": "down"}.get(kind, "up")
    piece = Piece("one", kind, look, 0, 0, 0, face=face, value=value)
    top = float(place(piece).top_corners()[:, 2].mean())
    assert mat.TOP_MM[kind] == pytest.approx(top, abs=2.5)


@pytest.mark.parametrize("shape", [(1, 4000), (4000, 1), (2, 9000), (1, 1)])
def test_a_picture_as_thin_as_a_line_shows_no_table(shape: tuple[int, int]) -> None:
    """It is shrunk to no less than a pixel."""
    assert mat.table_in(np.full((*shape, 3), 128, np.uint8)) is None


def test_a_coin_on_others_lies_farther_in_than_it_seems() -> None:
    """Told how high it lies it is where it is; the others stay where they are."""
    setting = TableSetting("dominoids", 5)
    table = table_of(setting, 14.0)
    look = setting.props.piecepack
    value = {"suit": "suns", "value": 3}
    coins = [
        Piece("low", "coin", look, 60.0, 80.0, face="down", value=value),
        Piece("high", "coin", look, 180.0, 80.0, z_mm=13.0, face="down", value=value),
    ]
    reads = reads_of(coins, table.camera)
    low, high = mat.standing(reads, table)
    assert math.hypot(high.x_mm - 180.0, high.y_mm - 80.0) > 4.0
    same, known = mat.standing(reads, table, [0.0, 13.0])
    assert same == low
    assert math.hypot(known.x_mm - 180.0, known.y_mm - 80.0) < 0.5
