"""A table that players were asked about is seen once more, and nobody has answered or gone on."""

from dataclasses import replace

import pytest

from engine.history import History
from engine.matching import Follower, Question
from engine.scene import Guess, Hands, Scene, Sighting
from tests.engine.matching.test_lines import BONEYARD, _tile

HANDS = [{"tiles": [], "hidden": 11}, {"tiles": [], "hidden": 11}]
BEGUN = History.begin("draw-game", setup={"down": 1, "hands": [*HANDS]}).move("1: down 2-5")
FIRST = _tile([2, 5], 0.0, 0.0, 0.0)


def unclear(x: float, first: list[int], second: list[int], *, more: float = 0.6) -> Sighting:
    """A tile that is rather the first of two."""
    guesses = (Guess({"pips": first}, more), Guess({"pips": second}, 0.95 - more))
    return replace(_tile(first, x, 0.0, 0.0), guesses=guesses)


WRONG = (unclear(2.0, [3, 6], [5, 6]),)
"""The 3-6 does not go to the 5, the 5-6 does."""
EITHER = (unclear(2.0, [5, 6], [5, 4]), _tile([4, 1], 4.0, 0.0, 0.0))
"""The 1-4 goes to the 4 of the one, and not to the 6 of the other."""
NEXT = (_tile([5, 6], 2.0, 0.0, 0.0), unclear(4.0, [3, 4], [6, 4]))
"""What goes on from the 6 is rather not a 4-6."""


@pytest.mark.parametrize("lately", [None, Hands(None, 0), Hands(1, 1), Hands(2, 1), Hands(None, 2)])
@pytest.mark.parametrize(
    ("tiles", "by", "visits"),
    [(WRONG, 1, 1), (WRONG, 2, 1), (EITHER, 1, 2), (EITHER, None, 1), (NEXT, 2, 2), (NEXT, None, 1)],
)
def test_the_same_table_asks_the_same_again(
    tiles: tuple[Sighting, ...], by: int | None, visits: int, lately: Hands | None
) -> None:
    """What is not allowed has not become another move by being seen again, whoever has been there since."""
    follower = Follower.of(BEGUN).at(Scene((FIRST, *BONEYARD)))
    scene = Scene((FIRST, *tiles, *BONEYARD), by=by, visits=visits)
    asked = follower.see(scene)
    assert isinstance(asked, Question)
    assert any("illegal" in choice.text for choice in asked.choices)
    again = follower.asking(asked).see(replace(scene, lately=lately))
    assert isinstance(again, Question), again
    assert {choice.text for choice in again.choices} == {choice.text for choice in asked.choices}
