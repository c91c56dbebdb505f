"""Markers of another size than is supposed: the pieces tell, and makers' ordinary sizes tell nothing."""

from dataclasses import replace

import numpy as np
import pytest

from calibration.camera import Camera, Pose
from calibration.mats import loose_markers
from calibration.table_finder import Table
from engine import rulebook
from engine.matching.guide import guide_for
from simulation.makes import DuelLook, PiecepackLook
from simulation.setting import TableSetting
from simulation.virtual_scene import Piece
from tests.tables_of_size import picture
from tests.vision.pieces.made import layout_after, read_of, reads_of, table_of
from vision.photos.picture_reading import read_picture
from vision.pieces import mat
from vision.pieces.expecting import Expecting
from vision.pieces.marker_size import OtherSize, told_by
from vision.pieces.piece_read import Read

DOMINOES_MM = (40.0, 44.0, 48.0, 50.8, 57.0)
"""From travel sets to the largest in the shops."""


def supposed(setting: TableSetting, printed_mm: float) -> Table:
    """A setting's table as it is reckoned by whoever takes markers printed at a size for 32 mm."""
    camera = table_of(setting).camera
    share = 32.0 / printed_mm
    shift = tuple(share * np.asarray(camera.pose.shift_mm))
    pose = Pose.from_matrix(camera.pose.matrix, np.asarray(shift))
    size = (setting.plan.size_mm[0] * share, setting.plan.size_mm[1] * share)
    return Table(Camera(camera.lens, pose), loose_markers(size), 0.0)


def lying(game: str, plies: int, domino_mm: float = 0.0) -> tuple[TableSetting, list[Piece]]:
    """What lies on a game's table; dominoes of another length where one is given."""
    setting = TableSetting(game, 5)
    if domino_mm:
        share = domino_mm / setting.props.domino.length_mm
        look = replace(
            setting.props.domino, length_mm=domino_mm, width_mm=setting.props.domino.width_mm * share
        )
        setting.props = replace(setting.props, domino=look)
    pieces = [*setting.fixed(markers=False), *setting.pieces(layout_after(game, plies))]
    return setting, [one for one in pieces if one.kind != "sheet"]


def told(game: str, printed_mm: float, plies: int = 16, domino_mm: float = 0.0) -> OtherSize | None:
    """What the pieces of a game's table say, read without a fault."""
    setting, pieces = lying(game, plies, domino_mm)
    return told_by(reads_of(pieces, table_of(setting).camera), supposed(setting, printed_mm))


@pytest.mark.parametrize("printed_mm", [20.0, 25.0, 45.0, 64.0])
@pytest.mark.parametrize("game", ["draw-game", "dominoids", "dominoes-of-war"])
def test_the_size_is_told_to_a_few_percent(game: str, printed_mm: float) -> None:
    """Dominoes and tiles of the usual sizes name it within 5 %, and how many times they look wrong."""
    other = told(game, printed_mm)
    assert other is not None
    assert other.marker_mm == pytest.approx(printed_mm, rel=0.05)
    assert other.share == pytest.approx(32 / printed_mm, rel=0.05)
    assert other.pieces >= 5
    assert f"--marker-mm {other.marker_mm:g}" in other.sentence


@pytest.mark.parametrize("printed_mm", [20.0, 60.0])
def test_four_dice_tell_only_what_no_die_can_be(printed_mm: float) -> None:
    """Dice are made in many sizes: a third too small may be a maker's own, half as large is none's."""
    other = told("kingdomino-duel", printed_mm, 3)
    assert other is not None
    assert other.words == "dice"
    assert other.marker_mm == pytest.approx(printed_mm, rel=0.15)
    assert told("kingdomino-duel", 38.0, 3) is None


@pytest.mark.parametrize("domino_mm", DOMINOES_MM)
def test_ordinary_dominoes_are_no_reason_to_doubt_the_markers(domino_mm: float) -> None:
    """All sizes that are sold, between markers of 32 mm."""
    assert told("draw-game", 32.0, 16, domino_mm) is None


@pytest.mark.parametrize("game", ["draw-game", "dominoids", "dominoes-of-war", "kingdomino-duel"])
def test_a_table_as_it_should_be_says_nothing(game: str) -> None:
    """Of every game."""
    assert told(game, 32.0) is None


def test_ordinary_makers_of_small_pieces_say_nothing() -> None:
    """Coins, tiles and dice of the smallest and the largest makes."""
    for pack, dice in (
        (PiecepackLook(tile_mm=48, coin_mm=17.5), 14.0),
        (PiecepackLook(tile_mm=52, coin_mm=21), 20.0),
    ):
        setting = TableSetting("dominoids", 5)
        camera = table_of(setting).camera
        coins = [Piece(f"c{k}", "coin", pack, 30.0 * k, 0, face="up", value={"suit": None, "value": 1 + k})
                 for k in range(5)]  # fmt: skip
        tiles = [Piece(f"t{k}", "tile", pack, 60.0 * (k - 3), 90, face="down") for k in range(7)]
        duel = [Piece(f"d{k}", "die", DuelLook(size_mm=dice), 40.0 * k, -90,
                      value={"set": "kingdomino-duel", "suit": None, "face": "dot", "crosses": 0})
                for k in range(4)]  # fmt: skip
        for pieces in (coins + tiles, duel):
            assert told_by([read_of(one, camera) for one in pieces], table_of(setting)) is None


def test_what_may_be_a_book_says_nothing_unless_the_game_has_dominoes() -> None:
    """Closed dominoes alone are plain rectangles; where a game is played with dominoes they are those."""
    setting, pieces = lying("draw-game", 0)
    closed = [one for one in pieces if one.face == "down"]
    reads = reads_of(closed, table_of(setting).camera)
    table = supposed(setting, 45.0)
    assert told_by(reads, table) is None
    book = rulebook("draw-game")
    game = Expecting(guide_for(book).belongings, setting.plan, table)
    other = told_by(reads, table, game)
    assert other is not None
    assert other.marker_mm == pytest.approx(45, rel=0.05)
    duel = Expecting(guide_for(rulebook("kingdomino-duel")).belongings, setting.plan, table)
    assert told_by(reads, table, duel) is None


def test_the_pattern_of_a_cloth_says_nothing() -> None:
    """Its squares look like hundreds of tiles, all of one size; or like some, with no open domino near."""
    setting, pieces = lying("dominoes-of-war", 16)
    table = table_of(setting)
    reads = reads_of([one for one in pieces if one.kind in ("domino", "soldier")], table.camera)
    look = PiecepackLook(tile_mm=36.0)
    cloth = [
        Piece(f"s{k}", "tile", look, 36.0 * (k % 20 - 10), 36.0 * (k // 20 - 7), face="down")
        for k in range(280)
    ]
    squares = reads_of(cloth, table.camera)
    some = [one for one in reads if one.face == "up"]
    game = Expecting(guide_for(rulebook("dominoes-of-war")).belongings, setting.plan, table)
    for seen in (squares, squares[:40]):
        assert told_by([*some, *seen], table, game) is None
    shown = [one for one in lying("draw-game", 16)[1] if one.face == "up"]
    assert told_by([*reads_of(shown, table.camera), *squares], table) is None


def scattered(reads: list[Read], sizes: list[float]) -> list[Read]:
    """The same readings, each so many times as large."""
    return [
        replace(one, corners=one.middle + size * (one.corners - one.middle))
        for one, size in zip(reads, sizes, strict=False)
    ]


def test_pieces_that_do_not_agree_say_nothing() -> None:
    """Three dominoes of three sizes are no dominoes; two are too few; doubtful ones do not count."""
    setting, pieces = lying("draw-game", 16)
    shown = [one for one in pieces if one.face == "up"]
    reads = reads_of(shown, table_of(setting).camera)
    table = table_of(setting)
    assert told_by(scattered(reads, [0.6, 0.6, 0.6, 0.6]), table) is not None
    assert told_by(scattered(reads, [0.4, 0.5, 0.6, 0.75]), table) is None
    assert told_by(scattered(reads, [0.6, 0.6]), table) is None
    assert told_by([replace(one, there=0.7) for one in scattered(reads, [0.6] * 4)], table) is None
    assert told_by([], table) is None


def test_pieces_that_contradict_each_other_name_no_size() -> None:
    """Dominoes far too small among tiles of the right size: the markers are not to blame."""
    setting, pieces = lying("dominoids", 6)
    camera = table_of(setting).camera
    tiles = reads_of([one for one in pieces if one.kind == "tile"], camera)
    dominoes = reads_of([one for one in pieces if one.kind == "domino" and one.face == "up"], camera)
    small = scattered(dominoes, [0.5] * len(dominoes))
    assert told_by(small, table_of(setting)) is not None
    assert told_by(tiles + small, table_of(setting)) is None


def test_no_size_is_named_that_no_marker_has() -> None:
    """Pieces ten times too small are not pieces."""
    assert told("draw-game", 320.0) is None


@pytest.mark.parametrize(("printed_mm", "seed"), [(45.0, 2), (25.0, 3)])
def test_a_photo_is_read_right_with_the_size_and_told_without_it(printed_mm: float, seed: int) -> None:
    """The pieces are measured before they are dropped; with their true size nothing is said."""
    shown = picture("draw-game", seed, printed_mm)
    supposing, knowing = read_picture(shown), read_picture(shown, marker_mm=printed_mm)
    assert supposing.other_size is not None
    assert supposing.other_size.marker_mm == pytest.approx(printed_mm, rel=0.04)
    assert supposing.other_size.words == "dominoes"
    assert knowing.other_size is None
    assert knowing.table is not None
    opened = [one for one in knowing.pieces if one.kind == "domino" and one.face == "up"]
    assert len(opened) >= 10
    assert float(np.median(mat.longest_mm(opened, knowing.table))) == pytest.approx(48, rel=0.03)
