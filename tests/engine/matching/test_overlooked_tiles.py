"""Tiles of Dominoes of War that a look overlooks: they are there still, and the game goes on."""

from dataclasses import replace

import pytest

from engine.dominoes_of_war.model import WarState
from engine.layout import Layout
from engine.matching import Follower, Incomplete, Nothing, OutOfStep, Ruled, Verdict
from engine.scene import Scene, Sighting
from simulation.whole_game import WholeGame
from tests.engine.dominoes_of_war.scene import BOOK, bare
from tests.engine.dominoes_of_war.scene import table as war_table
from tests.engine.matching.doubtful_table import Table

MEN = "1:general@b2 1:grunt@d4 2:general@h8"
MOVE = "1: move d4 d5"
BEFORE = bare(war_table(MEN))
TILES = [spot.name for spot in BOOK.layout(BEFORE).spots if spot.kind == "domino"]
ELSEWHERE = ("", "spares", "discard", "pool-1")


def seen(lost: list[str], *more: Sighting, line: str = "", aside: str = "") -> Verdict:
    """What is made of a table on which these tiles are not seen, and one was pushed aside."""
    table = Table(3, skew=0.0)
    follower = Follower(BOOK, (BEFORE,)).at(table.scene(BOOK.layout(BEFORE)))
    after = BOOK.play(BEFORE, BOOK.parse(line)) if line else BEFORE
    assert isinstance(after, WarState)
    scene = table.scene(BOOK.layout(after), lost=frozenset(lost), by=1, visits=1)
    scene = replace(scene, sightings=(*scene.sightings, *more))
    return follower.see(_pushed(scene, aside) if aside else scene)


def _pushed(scene: Scene, name: str) -> Scene:
    spot = next(one for one in BOOK.layout(BEFORE).spots if one.name == name)
    return replace(scene, sightings=tuple(_aside(one, spot.x, spot.y) for one in scene.sightings))


def _aside(one: Sighting, x: float | None, y: float | None) -> Sighting:
    at = one.kind == "domino" and (round(one.x or 0), round(one.y or 0)) == (x, y)
    return replace(one, x=(one.x or 0.0) - 0.7) if at else one


@pytest.mark.parametrize("tiles", [TILES[:1], TILES[-2:], [TILES[0], TILES[40]]])
def test_a_move_is_told_though_a_tile_or_two_were_overlooked(tiles: list[str]) -> None:
    """Nobody takes tiles away, so that nothing else need explain it."""
    assert isinstance(seen(tiles), Nothing)
    verdict = seen(tiles, line=MOVE)
    assert isinstance(verdict, Ruled), verdict
    assert [one.text for one in verdict.happened] == [MOVE]


def test_a_table_without_three_of_its_tiles_is_none_of_the_game() -> None:
    """What is overlooked is a tile or two."""
    assert not isinstance(seen(TILES[:3]), Nothing | Ruled)


def test_a_tile_that_was_pushed_aside_is_told() -> None:
    """It is seen elsewhere on the board, and was not overlooked."""
    assert isinstance(seen([], aside=TILES[-1]), OutOfStep)


@pytest.mark.parametrize("region", ELSEWHERE)
def test_a_tile_that_lies_beside_the_board_was_not_overlooked(region: str) -> None:
    """Wherever it was put, with its back up or its face."""
    closed = BOOK.layout(BEFORE).hidden.get(region, 0)
    heap = [Sighting("domino", region, 9.0 * k, 30.0, 0.0, "down") for k in range(1, closed + 1)]
    verdict = seen(TILES[-1:], Sighting("domino", region, 0.0, 0.0, 0.0, "down"), *heap)
    assert not isinstance(verdict, Nothing | Ruled), verdict


def test_the_tile_that_is_to_be_turned_up_is_held_and_not_overlooked() -> None:
    """Who has entered its place lifts it, and has only begun."""
    state = war_table(MEN)
    state = BOOK.play(state, BOOK.parse(MOVE))
    assert isinstance(state, WarState)
    assert state.phase == "tile"
    table = Table(3, skew=0.0)
    follower = Follower(BOOK, (state,)).at(table.scene(BOOK.layout(state)))
    layout = BOOK.layout(state)
    held = next(one.name for one in layout.spots if (one.kind, one.x, one.y) == ("domino", 4, 5))
    verdict = follower.see(table.scene(layout, lost=frozenset((held,)), by=1, visits=1))
    assert isinstance(verdict, Incomplete), verdict


def test_tiles_of_a_base_that_are_taken_up_again_are_not_overlooked() -> None:
    """As long as bases are laid, a tile that is gone is in somebody's hand."""
    whole = WholeGame.begin("dominoes-of-war", seed=1)
    while (deed := whole.next()) is not None:
        whole.do(deed)
        if " base " in deed.event.text:
            break
    state = whole.seen
    assert isinstance(state, WarState)
    assert state.phase == "bases"
    table, layout = Table(1), whole.layout
    follower = Follower(whole.book, (state,)).at(table.scene(layout))
    laid = [name for name in _tiles(layout) if name not in _tiles(BOOK.layout(BEFORE))] or _tiles(layout)
    verdict = follower.see(table.scene(layout, lost=frozenset(laid[-2:]), by=1, visits=1))
    assert not isinstance(verdict, Nothing), verdict


def _tiles(layout: Layout) -> list[str]:
    return [spot.name for spot in layout.spots if spot.kind == "domino" and spot.region == "board"]
