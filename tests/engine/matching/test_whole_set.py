"""A domino of the opening that looks like another is the one that is seen nowhere else."""

from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.dominoids.whole_set import of_one_set
from engine.history import History
from engine.matching import Follower, Ruled, Verdict, set_up
from engine.scene import Guess, Scene, Sighting
from tests.engine.matching.doubtful_table import Table
from tests.engine.matching.test_hands_matched import OPENING

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


def test_of_two_that_are_seen_nowhere_it_is_the_one_of_which_an_end_was_read() -> None:
    """Where neither has one nobody knows which it is."""
    verdict = opening("2@c3-3@d3", SHARES, "domino 5-5")
    assert isinstance(verdict, Ruled)
    assert verdict.happened[0].text == "see arms@b3 2@c3-3@d3"
    assert not isinstance(opening("2@c3-3@d3", [([4, 4], 0.98)], "domino 5-5"), Ruled)


def test_a_half_that_cannot_be_read_is_known_by_all_the_others() -> None:
    """A 1-1 in the gleam of a lamp, while one of the pool is seen nowhere, too; that is said."""
    gleam = [([1, 1], 0.006), ([1, 5], 0.36), ([1, 2], 0.25), ([1, 0], 0.15)]
    history = History.begin("dominoids")
    for line in (OPENING[0].replace("5@c3-5@d3", "1@c3-1@d3"), *OPENING[1:]):
        history = history.fact(line)
    layout = history.book.layout(history.state)
    lost = next(spot.name for spot in layout.in_region("pool") if spot.value == {"pips": [2, 3]})
    scene = Table(3).scene(layout, lost=frozenset((lost,)), visits=0)
    scene = replace(scene, sightings=tuple(_read(one, gleam) for one in scene.sightings))
    follower = Follower.of(History.begin("dominoids"))
    found, shows = set_up(follower, scene), follower.see(scene)
    assert isinstance(shows, Ruled)
    assert shows.happened[0].text == "see arms@b3 1@c3-1@d3"
    assert found.supposed == ("Not seen for sure, and taken as it seems: the 1-1 on c3 and d3.",)


@given(st.lists(st.lists(st.tuples(*[st.integers(1, 5)] * 2, st.floats(0, 1)), max_size=4), max_size=20))
def test_whatever_is_read_each_piece_stays_one_domino(read: list[list[tuple[int, int, float]]]) -> None:
    """The shares of a piece are never more than a whole, and nothing is lost or added."""
    pieces = tuple(
        Sighting("domino", "pool", guesses=tuple(Guess({"pips": [a, b]}, share) for a, b, share in each))
        for each in read
    )
    told = of_one_set(Scene(pieces)).sightings
    assert len(told) == len(pieces)
    for one, before in zip(told, pieces, strict=True):
        assert one == before or sum(guess.probability for guess in one.guesses) <= 1 + 1e-6


def test_a_table_of_other_things_stays_as_it_is() -> None:
    """Closed dominoes, and what could not be read."""
    other = Scene((Sighting("domino", "pool", face="down"), Sighting("domino", "pool"), Sighting("die", "")))
    assert of_one_set(other) == other
