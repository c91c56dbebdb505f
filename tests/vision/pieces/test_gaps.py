"""Walls and the gaps between tiles: what a place looks like beside all others of its sort."""

import numpy as np
import pytest

from vision.pieces.domino_reading import FACES, PIPS, DominoReading
from vision.pieces.field_places import Probe
from vision.pieces.gaps import Halfways, as_wall, at_most
from vision.pieces.mat import TOP_MM

WALLS = 4
SHADED = [0.00003, 0.00012, 0.00012, 0.00033, 0.0004, 0.00042, 0.0006, 0.0012, 0.0028]
"""How little like nothing gaps look beside shaded tiles, as it was read in a blurred picture."""


def spot(x: float, *, on_ends: bool) -> Probe:
    """A border; a wall on the ends of two tiles stands higher."""
    return Probe(x, 1.0, 0.0, 10.0, TOP_MM["wall"] + on_ends * TOP_MM["domino"])


def looks(nothing: float) -> DominoReading:
    """What is read where it looks so much like nothing, and else like a wall."""
    faces = np.zeros(len(FACES))
    faces[FACES.index("edge")], faces[FACES.index("none")] = 1 - nothing, nothing
    pips = np.full(PIPS, 1 / PIPS)
    return DominoReading(faces, pips, pips, np.zeros((4, 2)))


def table(between: list[float], on_ends: list[float]) -> list[tuple[Probe, DominoReading]]:
    """The places of a field as they look."""
    sides = [(spot(k, on_ends=False), looks(one)) for k, one in enumerate(between)]
    return [*sides, *((spot(k, on_ends=True), looks(one)) for k, one in enumerate(on_ends))]


@pytest.mark.parametrize("standing", range(WALLS + 1))
def test_where_gaps_look_like_gaps_each_place_tells_by_itself(standing: int) -> None:
    """However many walls stand between the tiles and at their ends."""
    walls = [1e-5] * standing, [0.006] * (WALLS - standing)
    each = table([*walls[0], *[0.03] * 50], [*walls[1], *[0.7] * 50])
    halfways = Halfways().surer(each, WALLS)
    assert halfways == Halfways()
    assert [halfways.wall(*one) for one in each] == [as_wall(*one) for one in each]


def test_of_gaps_that_look_like_walls_there_are_more_than_a_game_has() -> None:
    """A wall is told from them as it is clearer than they are; at the tiles' ends nothing changes."""
    each = table([1e-6, *SHADED, *[0.02] * 40], [1e-6, 1e-6, 0.0063, *[0.7] * 50])
    assert min(as_wall(*one) for one in each[:8]) > 0.9, "looked at alone they are walls"
    halfways = Halfways().surer(each, WALLS)
    told = [halfways.wall(*one) for one in each]
    between, on_ends = told[: len(SHADED) + 41], told[len(SHADED) + 41 :]
    assert between[0] > 0.95
    assert max(between[4:]) <= 0.5
    assert [one > 0.9 for one in on_ends] == [True] * 3 + [False] * 50
    assert on_ends == [as_wall(*one) for one in each[len(between) :]]
    four = sorted(told, reverse=True)[:WALLS]
    assert {four[0], *four} == {told[0], *on_ends[:3]}


def test_where_nobody_knows_how_many_walls_there_are_or_all_places_may_have_one() -> None:
    """Then no place is known to be a gap."""
    each = table(SHADED[:3], SHADED[:4])
    assert Halfways().surer(each, 0) == Halfways()
    assert Halfways().surer(each, WALLS) == Halfways()
    assert Halfways().surer(table(SHADED[:5], []), WALLS).between == pytest.approx(0.0004)


def test_of_more_places_than_there_are_walls_the_likeliest_are_believed() -> None:
    """In deep shade six places looked like walls, each by itself; four walls there are."""
    looked = [1.0, 1.0, 0.9999, 0.995, 0.97, 0.94, 0.3]
    told = at_most(WALLS, looked)
    assert sum(told) == pytest.approx(WALLS, abs=0.01)
    assert min(told[:3]) > 0.99
    assert 0.7 < told[3] < 0.9
    assert 0.1 < told[4] < 0.2
    assert told[6] < 0.01
    assert sorted(told, reverse=True) == told


def test_while_no_more_places_look_like_walls_than_there_are_each_tells_by_itself() -> None:
    """A fifth place that hardly looks like one takes little from the four."""
    assert at_most(WALLS, [0.99, 0.6, 0.3]) == pytest.approx([0.99, 0.6, 0.3])
    assert at_most(WALLS, [0.9999] * 4 + [0.06])[:4] == pytest.approx([0.9999] * 4, abs=1e-3)
    assert at_most(WALLS, []) == []
