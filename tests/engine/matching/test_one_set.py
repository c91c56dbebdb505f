"""A domino of the opening that looks like another is the one that is seen nowhere else."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from engine.dominoids.one_set import of_one_set
from engine.history import History
from engine.matching import Follower, Incomplete, Ruled, Verdict
from engine.scene import Guess, Scene, Sighting
from tests.engine.matching.table import Table
from tests.engine.matching.test_hands import OPENING

SHARES = (([2, 1], 0.974), ([3, 1], 0.022))
"""What the 2-3 on c3 and d3 was once read as."""


def opening(arm: str, shares: Sequence[tuple[list[int], float]], lost: str = "") -> Verdict:
    """What is made of an opening of which one domino reads so; one may not be seen at all."""
    history = History.begin("dominoids")
    for line in (OPENING[0].replace("5@c3-5@d3", arm), *OPENING[1:]):
        history = history.fact(line)
    scene = Table(3).scene(history.book.layout(history.state), lost=frozenset((lost,)), visits=0)
    pieces = tuple(_read(one, shares) for one in scene.sightings)
    return Follower.of(History.begin("dominoids")).see(replace(scene, sightings=pieces))


def _read(one: Sighting, shares: Sequence[tuple[list[int], float]]) -> Sighting:
    """The domino of the first arm, lying from left to right, as it is read."""
    if one.kind != "domino" or one.region != "board" or (one.y or 0) > 3.3:
        return one
    return replace(one, angle=0.0, guesses=tuple(Guess({"pips": pips}, share) for pips, share in shares))


@pytest.mark.parametrize(("arm", "shares"), [("2@c3-3@d3", SHARES), ("3@c3-2@d3", [([1, 2], 0.98)])])
def test_what_lies_in_the_pool_for_all_to_see_lies_nowhere_else(
    arm: str, shares: Sequence[tuple[list[int], float]]
) -> None:
    """The end that was read rightly says how it lies."""
    verdict = opening(arm, shares)
    assert isinstance(verdict, Ruled), verdict
    assert verdict.happened[0].text == f"see arms@b3 {arm}"


def test_of_two_that_are_seen_nowhere_nobody_knows_which_it_is() -> None:
    """Nor is anything made of a reading that has neither end right."""
    assert isinstance(opening("2@c3-3@d3", SHARES, "domino 5-5"), Incomplete)
    assert isinstance(opening("2@c3-3@d3", [([4, 4], 0.98)]), Incomplete)


def test_a_table_of_other_things_stays_as_it_is() -> None:
    """Closed dominoes, and what could not be read."""
    other = Scene((Sighting("domino", "pool", face="down"), Sighting("domino", "pool"), Sighting("die", "")))
    assert of_one_set(other) == other
