"""What the rules want nowhere yet is rarer: walls on a base, and men on the board before any may be there."""

from itertools import product

import pytest

from engine import Layout
from engine.matching import Follower, Nothing, Ruled, Verdict
from engine.scene import Guess, Scene, Sighting
from simulation.whole_game import WholeGame
from tests.engine.matching.doubtful_table import Table

LIKE_ONE = 0.9988
"""A joint between two stones of a floor looked like a wall by 800 to 1."""
SURELY = 0.999
"""A wall that is put there and is seen so surely is told."""


class BaseLaid:
    """A base that has just been laid, with the borders between its tiles across which a wall might stand."""

    WHAT = " base "

    def __init__(self, seed: int) -> None:
        whole = WholeGame.begin("dominoes-of-war", seed=seed)
        while (deed := whole.next()) is not None and self.WHAT not in deed.event.text:
            whole.do(deed)
        assert deed is not None
        self.text, self.player = deed.event.text, deed.event.player
        self.table = Table(seed)
        bare = whole.layout
        self.follower = Follower(whole.book, (whole.seen,)).at(self.table.scene(bare))
        whole.do(deed)
        self.book, self.state, self.after = whole.book, whole.seen, whole.layout
        fresh = _tiles(self.after) - _tiles(bare)
        self.borders = [
            (x, y + 0.5) for (x, y), other in product(sorted(fresh), fresh) if other == (x, y + 1)
        ]

    def see(self, presence: float, walls: int) -> Verdict:
        """What is made of the table on which so many of the borders look like walls."""
        scene = self.table.scene(self.after)
        more = [
            Sighting("wall", "board", x, y, 0.0, "edge", presence=presence) for x, y in self.borders[:walls]
        ]
        assert len(more) == walls
        return self.follower.see(Scene((*scene.sightings, *more), by=self.player, visits=1))


def _tiles(layout: Layout) -> set[tuple[float, float]]:
    """Where tiles lie on the table."""
    return {
        (spot.x, spot.y)
        for spot in layout.spots
        if spot.kind == "domino" and spot.region == "board" and spot.x is not None and spot.y is not None
    }


@pytest.mark.parametrize("seed", [1, 2, 3])
@pytest.mark.parametrize("walls", [0, 1, 2])
def test_a_base_is_no_wall(walls: int, seed: int) -> None:
    """However its gaps look: nobody is accused, and nobody asked."""
    laid = BaseLaid(seed)
    verdict = laid.see(LIKE_ONE, walls)
    assert isinstance(verdict, Ruled), verdict
    assert not verdict.refused
    assert [one.text for one in verdict.happened] == [laid.text]


@pytest.mark.parametrize(("presence", "told"), [(LIKE_ONE / 2, False), (SURELY, True), (1.0, True)])
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_wall_that_is_surely_seen_on_a_base_is_told(seed: int, presence: float, told: bool) -> None:
    """Who puts one where none may stand, when the base is known, has not gone unseen."""
    laid = BaseLaid(seed)
    laid.follower = Follower(laid.book, (laid.state,)).at(laid.table.scene(laid.after))
    assert isinstance(laid.see(presence, 1), Nothing) is not told


class WallPut(BaseLaid):
    """The first wall, which stands on the field, while all men are in their pools."""

    WHAT = " wall "

    def see_men(self, presence: float, men: int) -> Verdict:
        """What is made of the table on which so many tiles look like men of the second player."""
        scene = self.table.scene(self.after)
        guesses = (Guess({"type": "shotgunner", "army": None}, 0.9),)
        more = (
            Sighting("soldier", "board", x, 6.0, 0.0, "up", guesses, presence=presence, owner=2)
            for x in (3.0, 5.0)[:men]
        )
        return self.follower.see(Scene((*scene.sightings, *more), by=self.player, visits=1))


@pytest.mark.parametrize("men", [0, 1, 2])
def test_a_wall_is_told_though_tiles_look_like_men(men: int) -> None:
    """Nobody is on the board yet."""
    put = WallPut(1)
    verdict = put.see_men(LIKE_ONE, men)
    assert isinstance(verdict, Ruled), verdict
    assert [one.text for one in verdict.happened] == [put.text]


def test_a_man_who_surely_stands_there_too_early_is_told() -> None:
    """With the wall alone the table is not explained."""
    assert not isinstance(WallPut(1).see_men(1.0, 1), Ruled)
