"""Where two tiles touch there is no third: a double that lies half on both is none."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

pytest.importorskip("cv2", reason="OpenCV is not here")

from simulation.makes import DOMINOES  # OpenCV may be missing
from simulation.picture import shoot
from simulation.random_scene import game_table
from simulation.virtual_scene import Piece
from tests.vision.pieces.made import domino, square
from vision.photos.picture_reading import read_picture
from vision.pieces.piece_read import Read
from vision.pieces.seams import beside, explaining, without_seams

LONG = 80.0
Line = list[tuple[int, int]]


@st.composite
def lines(draw: st.DrawFn) -> Line:
    """A line of play: each tile once, and touching halves with the same pips."""
    end, line, used = draw(st.integers(0, 6)), Line(), set[frozenset[int]]()
    for other in draw(st.lists(st.integers(0, 6), min_size=2, max_size=7)):
        if frozenset((end, other)) not in used:
            used.add(frozenset((end, other)))
            line.append((end, other))
            end = other
    return line


def at(k: float, pips: tuple[int, int], **more: float) -> Read:
    """A tile so many lengths from the beginning of a row."""
    return domino(pips, (100 + LONG * k, 300.0), **more)


def tiles_of(line: Line) -> list[Read]:
    """The tiles of a line, end to end."""
    return [at(k, pips) for k, pips in enumerate(line)]


def seams_of(line: Line, there: float = 1.0) -> list[Read]:
    """What seems to lie across the seams of a line."""
    return [at(k + 0.5, (pips[1], pips[1]), there=there) for k, pips in enumerate(line[:-1])]


def shown(pieces: list[Read]) -> list[tuple[float, tuple[int, ...]]]:
    """Where each lies, and what it shows."""
    return sorted((float(one.middle[0]), tuple((one.value or {}).get("pips", ()))) for one in pieces)


@given(lines(), st.floats(0.6, 1.0), st.integers(0, 1 << 16))
def test_of_a_line_the_tiles_stay_and_no_seam(line: Line, there: float, turned: int) -> None:
    """However clear the seams are, however the tiles are turned, and wherever doubles lie in the line."""
    tiles = [
        replace(one, corners=np.roll(one.corners, 2, axis=0), ranked=((_flipped(one), 1.0),))
        if turned >> k & 1
        else one
        for k, one in enumerate(tiles_of(line))
    ]
    kept = without_seams([*seams_of(line, there), *tiles])
    assert shown(kept) == shown(tiles)


def _flipped(one: Read) -> dict[str, list[int]]:
    assert one.value is not None
    return {"pips": list(one.value["pips"][::-1])}


@given(lines())
def test_what_is_read_without_seams_stays_as_it_is(line: Line) -> None:
    """Doubles that lie lengthwise between tiles are tiles."""
    tiles = tiles_of(line)
    assert without_seams(tiles) == tiles


def test_a_double_across_the_line_stays() -> None:
    """It touches both of its neighbours with a side, and no half of it belongs to them."""
    across = domino((4, 4), (100 + LONG * 0.75, 300.0), angle=90.0)
    pieces = [at(0, (2, 4)), across, at(1.5, (4, 6))]
    assert without_seams(pieces) == pieces


def test_a_double_is_no_seam_of_tiles_that_show_otherwise() -> None:
    """Whose halves are not those that it shows."""
    pieces = [at(0.5, (3, 3)), at(0, (1, 4), there=0.9), at(1, (4, 2), there=0.9)]
    assert pieces[0] in without_seams(pieces)


def test_nothing_but_open_dominoes_can_be_a_seam_or_make_one() -> None:
    """Closed tiles lie in rows without pips, and a die is no tile."""
    closed = [at(k / 2, (0, 0), face="down") for k in range(5)]
    die = square("die", {"set": "pips", "pips": 3}, (140.0, 300.0))
    assert without_seams([*closed, die]) == [*closed, die]
    assert beside([*closed, die]) == []


def test_of_a_seam_of_which_one_tile_was_read_that_tile_stays() -> None:
    """One tile in four is a double, and every seam looks like one."""
    tiles = [at(0, (1, 2)), at(1, (2, 5), there=0.9)]
    assert without_seams([at(0.5, (2, 2)), at(1.5, (5, 5)), *tiles]) == tiles


def test_beside_a_double_tiles_are_looked_for_where_none_was_read() -> None:
    """As large as it is, and half a length to either side."""
    assert beside([at(0, (2, 5))]) == []
    first, second = beside([at(1, (5, 5))])
    assert (first.x, first.y, first.length) == pytest.approx((100 + LONG / 2, 300.0, LONG))
    assert (second.x, second.y, second.width) == pytest.approx((100 + 1.5 * LONG, 300.0, LONG / 2))
    [other] = beside([at(1, (5, 5)), at(0.5, (2, 5))])
    assert other == second


def test_what_is_found_there_counts_only_if_it_makes_a_seam() -> None:
    """On both sides lies a tile that shows what the double shows: else one may only seem to be there."""
    double, left, right = at(1, (5, 5)), at(0.5, (2, 5)), at(1.5, (5, 1))
    assert explaining([double], [left, right]) == [left, right]
    assert explaining([double, left], [right]) == [right]
    assert explaining([double], [left]) == []
    assert explaining([double], [left, at(1.5, (4, 1))]) == []
    assert explaining([double], [left, at(1.5, (5, 1), there=0.6, p=0.6)]) == []
    assert explaining([double], [left, at(1.5, (5, 2))]) == []  # a set has each tile once


def test_a_line_of_black_tiles_without_bars_is_read_tile_by_tile() -> None:
    """In a picture in which the seams are seen no better than the middles of the tiles."""
    line = [(2, 6), (6, 4), (4, 4), (4, 1), (1, 3)]
    look = replace(DOMINOES["black"], bar="none", pin="none")
    scene = game_table("draw-game", 7, plies=0)
    laid = [
        Piece(
            f"{a}-{b}", "domino", look, 48.3 * k - 97, 0.4 * (k % 2), 0.0, face="up", value={"pips": [a, b]}
        )
        for k, (a, b) in enumerate(line)
    ]
    fixed = [one for one in scene.pieces if one.kind != "domino"]
    picture = shoot(replace(scene, pieces=(*fixed, *laid))).picture
    reading = read_picture(picture, "double-six")
    found = [tuple(one.value["pips"]) for one in reading.pieces if one.kind == "domino" and one.value]
    assert found == line


@pytest.mark.parametrize("there", [0.9, 1.0])
def test_a_double_that_ends_a_line_stays_though_bare_ground_beyond_it_looks_like_half_a_tile(
    there: float,
) -> None:
    """Its other half touches a tile: no third has room there that the half could belong to."""
    double, beyond = at(1.0, (2, 2), there=0.9), at(1.5, (2, 0), there=there)
    kept = without_seams([at(0.0, (1, 2)), at(0.5, (2, 2)), double, beyond])
    assert any(one is double for one in kept)


def test_of_a_very_long_line_the_tiles_stay_and_no_seam() -> None:
    """Three rounds through all pips and a double in one row, each seam as clear as the tiles."""
    line = [(0, 0), *((step * k % 7, step * (k + 1) % 7) for step in (1, 2, 3) for k in range(7))]
    assert shown(without_seams([*seams_of(line), *tiles_of(line)])) == shown(tiles_of(line))
