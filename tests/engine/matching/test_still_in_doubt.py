"""What players were asked about stays in doubt until it is clear: nobody is accused of what hangs on it."""

from dataclasses import replace

import pytest

from engine.history import History
from engine.layout import Spot
from engine.matching import Follower, Question, Ruled
from engine.matching.evidence import Lay, instead_of
from engine.scene import Guess, Hands, Scene, Sighting
from tests.engine.matching.test_lines import BONEYARD, _tile

HANDS = [{"tiles": [], "hidden": 11}, {"tiles": [], "hidden": 11}]
BEGUN = History.begin("draw-game", setup={"down": 1, "hands": [*HANDS]}).move("1: down 1-6")
FIRST = _tile([1, 6], 0.0, 0.0, 0.0)


def shows(*guesses: tuple[list[int], float], x: float = 2.0) -> Sighting:
    """A tile at the east end with what it may be, its half at the line first."""
    told = tuple(Guess({"pips": pips}, share) for pips, share in guesses)
    return replace(_tile(guesses[0][0], x, 0.0, 0.0), guesses=told)


def asked_about() -> Follower:
    """Players were asked which of two tiles lies at the 6, and then of one beyond it that is gone again."""
    follower = Follower.of(BEGUN).at(Scene((FIRST, *BONEYARD)))
    faint = shows(([6, 4], 0.52), ([6, 2], 0.22), ([6, 5], 0.18))
    first = follower.see(Scene((FIRST, faint, *BONEYARD), by=2, visits=1))
    assert isinstance(first, Question)
    follower = follower.asking(first)
    beyond = shows(([0, 2], 0.66), ([1, 2], 0.2), ([2, 2], 0.08), x=4.0)
    second = follower.see(Scene((FIRST, faint, beyond, *BONEYARD), visits=2, came=2, lately=Hands(1, 1)))
    assert isinstance(second, Question)
    return follower.asking(second)


@pytest.mark.parametrize(("other", "doubted"), [(0.024, True), (0.002, False)])
def test_what_was_asked_stays_a_doubt_unless_it_is_clear_now(other: float, doubted: bool) -> None:
    """A later look that reads it well may be wrong; one that reads it beyond doubt settles it."""
    now = shows(([6, 2], 0.97 - other), ([6, 4], other))
    verdict = asked_about().see(Scene((FIRST, now, *BONEYARD), visits=3, came=2, lately=Hands(1, 1)))
    assert isinstance(verdict, Ruled)
    (one,) = verdict.happened
    assert one.text == "2: 2-6 by 6 at east"
    assert ("2: 4-6 by 6 at east" in one.alike) is doubted


def test_without_a_question_a_tile_is_what_it_is_read_as() -> None:
    """Only what was asked about is kept beside what is told."""
    now = shows(([6, 2], 0.946), ([6, 4], 0.024))
    verdict = (
        Follower.of(BEGUN).at(Scene((FIRST, *BONEYARD))).see(Scene((FIRST, now, *BONEYARD), by=2, visits=1))
    )
    assert isinstance(verdict, Ruled)
    assert verdict.happened[0].alike == ()


def test_nobody_is_accused_of_a_tile_at_an_end_that_was_in_doubt() -> None:
    """Not even where the tile at that end now looks like a third one: it still lies where it was laid."""
    history = BEGUN.move("2: 2-6 by 6 at east", ("2: 4-6 by 6 at east",))
    lay = shows(([6, 2], 0.95))
    follower = Follower.of(history).at(Scene((FIRST, lay, *BONEYARD)))
    double = replace(_tile([4, 4], 3.5, 0.0, 90.0))
    verdict = follower.see(
        Scene((FIRST, shows(([6, 0], 0.8), ([6, 2], 0.15)), double, *BONEYARD), by=1, visits=1)
    )
    assert isinstance(verdict, Question), verdict
    texts = [choice.text for choice in verdict.choices]
    assert any("illegal" in text for text in texts)
    assert any("4-6" in text and "illegal" not in text for text in texts)


@pytest.mark.parametrize(("now", "angle"), [([4, 6], 30.0), ([3, 5], 30.0), ([1, 2], 210.0), ([2, 6], 30.0)])
def test_a_tile_taken_for_another_lies_where_that_lay(now: list[int], angle: float) -> None:
    """The half that both have stays on its side; where they share none, nothing tells which way."""
    was = Spot("2-6", "domino", "up", {"pips": [2, 6]}, "board")
    then = Spot("-".join(map(str, now)), "domino", "up", {"pips": [*now]}, "board")
    assert instead_of(was, then, Lay("board", 1.0, 2.0, 30.0)) == Lay("board", 1.0, 2.0, angle)
    assert instead_of(was, replace(then, value=None), Lay("board", 1.0, 2.0, 30.0)).angle == 30.0
