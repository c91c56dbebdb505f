"""Tiles of Dominoes of War that a look overlooks: they are there still, and the game goes on."""

from dataclasses import replace

import pytest

from engine.dominoes_of_war.model import WarState
from engine.matching import Follower, Nothing, OutOfStep, Ruled, Verdict
from engine.scene import Scene, Sighting
from tests.engine.dominoes_of_war.scene import BOOK, bare
from tests.engine.dominoes_of_war.scene import table as war_table
from tests.engine.matching.table import Table

MEN = "1:general@b2 1:grunt@d4 2:general@h8"
MOVE = "1: move d4 d5"
TILES = [spot.name for spot in BOOK.layout(bare(war_table(MEN))).spots if spot.kind == "domino"]


def seen(lost: frozenset[str], *, line: str = "", aside: str = "") -> Verdict:
    """What is made of a table on which these tiles were overlooked, and one was pushed aside."""
    before = bare(war_table(MEN))
    table = Table(3, skew=0.0)
    follower = Follower(BOOK, (before,)).at(table.scene(BOOK.layout(before)))
    after = BOOK.play(before, BOOK.parse(line)) if line else before
    assert isinstance(after, WarState)
    scene = table.scene(BOOK.layout(after), lost=lost, by=1, visits=1)
    return follower.see(_pushed(scene, aside) if aside else scene)


def _pushed(scene: Scene, name: str) -> Scene:
    spot = next(one for one in BOOK.layout(bare(war_table(MEN))).spots if one.name == name)
    return replace(scene, sightings=tuple(_aside(one, spot.x, spot.y) for one in scene.sightings))


def _aside(one: Sighting, x: float | None, y: float | None) -> Sighting:
    at = one.kind == "domino" and (round(one.x or 0), round(one.y or 0)) == (x, y)
    return replace(one, x=(one.x or 0.0) - 0.7) if at else one


@pytest.mark.parametrize("tiles", [TILES[:1], TILES[-2:], [TILES[0], TILES[40]]])
def test_a_move_is_told_though_a_tile_or_two_were_overlooked(tiles: list[str]) -> None:
    """Nobody takes tiles away, so that nothing else need explain it."""
    assert isinstance(seen(frozenset(tiles)), Nothing)
    verdict = seen(frozenset(tiles), line=MOVE)
    assert isinstance(verdict, Ruled), verdict
    assert [one.text for one in verdict.happened] == [MOVE]


def test_a_table_without_many_of_its_tiles_is_none_of_the_game() -> None:
    """What is overlooked is a tile or two."""
    assert not isinstance(seen(frozenset(TILES[:6])), Nothing | Ruled)


def test_a_tile_that_was_pushed_aside_is_told() -> None:
    """It is seen elsewhere, and was not overlooked."""
    assert isinstance(seen(frozenset(), aside=TILES[-1]), OutOfStep)
