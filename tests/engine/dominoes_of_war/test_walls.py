"""A wall that seems to have moved while no rule allows it has rather been misread."""

from dataclasses import replace

import pytest

from engine import rulebook
from engine.dominoes_of_war.model import WarState
from engine.dominoes_of_war.walls import as_they_stood, elsewhere
from engine.matching import Follower, Nothing, Ruled, Verdict
from engine.scene import Scene, Sighting
from tests.engine.dominoes_of_war.scene import BOOK, after, bare, table
from tests.engine.matching.doubtful_table import Table

TROOPS = "1:general@d4 1:grunt@a8 2:kamikaze@e4 2:grunt@f5 2:sniper@(10,5)>n"
WALLS = "a3/b3 f5/f6 g3/h3 g5/g6"
SHOT = "1: shoot d4 e4"
ELSEWHERE = Sighting("wall", "board", 7.48, 5.02, 90.0, "edge", presence=0.99)
"""A wall between g5 and h5."""


def at_g3(one: Sighting) -> bool:
    """Whether this is the wall between g3 and h3."""
    return one.kind == "wall" and round(one.x or 0, 0) in (7, 8) and round(one.y or 0) == 3


def moved(scene: Scene, *, left: float = 0.0, to: Sighting = ELSEWHERE) -> Scene:
    """The scene with the wall between g3 and h3 elsewhere, and so much of it left where it stood."""
    kept = [replace(one, presence=left) if at_g3(one) else one for one in scene.sightings]
    return replace(scene, sightings=(*(one for one in kept if one.presence), to))


def seen(state: WarState, *lines: str, left: float = 0.0, walls: bool = True) -> Verdict:
    """What is made of the table after these moves, on which that wall seems to have moved."""
    laid = Table(3)
    before = Follower(rulebook("dominoes-of-war"), (state,)).at(laid.scene(BOOK.layout(state), by=1))
    scene = laid.scene(BOOK.layout(after(state, *lines)), by=1, visits=1)
    return before.see(moved(scene, left=left) if walls else scene)


@pytest.fixture
def state() -> WarState:
    """A field on which no tile is closed, and four walls."""
    return bare(table(TROOPS, walls=WALLS))


@pytest.mark.parametrize("left", [0.0, 0.02, 0.4])
def test_nobody_is_accused_of_moving_a_wall(state: WarState, left: float) -> None:
    """It was misread now, or when the game began; what was done besides is told, and so is that."""
    verdict = seen(state, left=left)
    assert isinstance(verdict, Nothing), verdict
    assert verdict.remark == "A wall looks as if it stood on g5/h5; it counts as standing on g3/h3."
    verdict = seen(state, SHOT, left=left)
    assert isinstance(verdict, Ruled), verdict
    assert [one.text for one in verdict.happened] == [SHOT]


def test_a_wall_that_was_blown_up_is_gone_whatever_looks_like_one() -> None:
    """Whether it still stands nobody can say, where another place looks like a wall: the kamikaze tells."""
    state = bare(table("1:general@a1 1:kamikaze@g3 2:grunt@f8", walls=WALLS))
    blown = next(one for one in BOOK.legal_moves(state) if BOOK.format(one) == "1: blow g3 g3/h3")
    verdict = seen(state, BOOK.format(blown))
    assert isinstance(verdict, Ruled), verdict
    assert [one.text for one in verdict.happened] == [BOOK.format(blown)]


def test_after_a_tile_of_twenty_a_wall_is_moved() -> None:
    """Whether the tile was known before, or lies open since."""
    state = table(TROOPS, walls=WALLS)
    march = ("1: move d4 d5", "see d5 9-11")
    there = "1: rewall g3/h3 g5/h5"
    verdict = seen(after(state, *march), there, walls=False)
    assert isinstance(verdict, Ruled), verdict
    assert [one.text for one in verdict.happened] == [there]
    verdict = seen(after(state, march[0]), march[1], there, walls=False)
    assert isinstance(verdict, Ruled), verdict
    assert [one.text for one in verdict.happened] == [march[1], there]


def test_after_a_tile_that_was_perhaps_of_twenty_a_wall_is_moved() -> None:
    """It was told as a 9-10, with the doubt that it was a 9-11: the wall tells that it was."""
    begun = table(TROOPS, walls=WALLS)
    told, really = ("1: move d4 d5", "see d5 9-10"), ("1: move d4 d5", "see d5 9-11")
    states, laid = tuple(after(begun, *told[:steps]) for steps in range(3)), Table(3)
    doubts = ((), really[1:])
    before = Follower(rulebook("dominoes-of-war"), states, told, doubts=doubts)
    before = before.at(laid.scene(BOOK.layout(states[-1]), by=1))
    there = "1: rewall g3/h3 g5/h5"
    scene = laid.scene(BOOK.layout(after(begun, *really, there)), by=1, visits=1)
    verdict = before.see(scene)
    assert isinstance(verdict, Ruled), verdict
    assert [one.text for one in verdict.revised] == ["see d5 9-11"]
    assert [one.text for one in verdict.happened] == [there]


def test_while_walls_are_stood_up_or_all_stand_nothing_is_taken_for_another(state: WarState) -> None:
    """Nor is a faint one spoken of."""
    scene = Table(3).scene(BOOK.layout(state))
    assert as_they_stood(state, scene) == scene
    assert elsewhere(state, scene) == ""
    building = state._replace(phase="walls")
    assert as_they_stood(building, moved(scene)) == moved(scene)
    assert elsewhere(building, moved(scene)) == ""
    more = replace(scene, sightings=(*scene.sightings, ELSEWHERE))
    assert as_they_stood(state, more).sightings == more.sightings
    assert elsewhere(state, more) == ""
    faint = replace(ELSEWHERE, presence=0.7)
    assert elsewhere(state, moved(scene, to=faint)) == ""
