"""What lies there and cannot be read, and moves at which another player's hand was seen: never silently."""

from dataclasses import replace

import pytest

from engine.history import History
from engine.matching import Follower, OutOfStep, Question, Ruled, Verdict
from engine.scene import Scene, Sighting
from tests.engine.matching.test_lines import BONEYARD, _tile

FIRST = _tile([5, 2], 0.0, 0.0, 180.0)
UNREAD = Sighting("domino", "board", 2.0, 0.0, 3.0, presence=0.99)
AT_THE_FIVE = {"5-0", "5-1", "5-3", "5-4", "6-5"}


def _game(*lines: str) -> Follower:
    hands = [{"tiles": [], "hidden": 11}, {"tiles": [], "hidden": 11}]
    history = History.begin("draw-game", setup={"down": 1, "hands": hands})
    for line in lines:
        history = history.move(line)
    return Follower.of(history).at(Scene((FIRST, *BONEYARD)))


def _laid(text: str) -> str:
    """The tile of a move, its higher end first."""
    return "-".join(sorted(text.split()[1].split("-"), reverse=True))


def _texts(verdict: Verdict) -> list[list[str]]:
    """What each answer of a question says that happened."""
    assert isinstance(verdict, Question)
    told = [choice.outcome for choice in verdict.choices]
    return [[step.text for step in one.happened] for one in told if isinstance(one, Ruled)]


def test_a_tile_that_cannot_be_read_is_asked_about_with_what_it_may_be() -> None:
    """It touches the 5, so that it has one; which it is nobody can tell, and that it lies there is said."""
    follower = _game("1: down 2-5")
    verdict = follower.see(Scene((FIRST, UNREAD, *BONEYARD), by=2, visits=1))
    told = _texts(verdict)
    assert len(told) == len(verdict.choices) > 1  # type: ignore[union-attr]  # a question, as was just seen
    assert all(len(one) == 1 and one[0].endswith("by 5 at east") for one in told)
    assert {_laid(one[0]) for one in told} == AT_THE_FIVE | {"5-5"}
    assert "cannot be read" in verdict.sentence  # type: ignore[union-attr]
    assert "on the board" in verdict.sentence  # type: ignore[union-attr]


def test_nothing_that_follows_is_ruled_while_it_is_open() -> None:
    """The next move is that of the player whose turn it is then, and it becomes part of the question."""
    follower = _game("1: down 2-5")
    asked = follower.see(Scene((FIRST, UNREAD, *BONEYARD), by=2, visits=1))
    assert isinstance(asked, Question)
    then = _tile([2, 4], -2.0, 0.0, 180.0)
    for known in (follower, follower.asking(asked)):
        verdict = known.see(Scene((FIRST, UNREAD, then, *BONEYARD), visits=2))
        followed = [one for one in _texts(verdict) if one[0].startswith("2: ") and "by 5" in one[0]]
        assert followed
        assert all(one[1:] == ["1: 2-4 by 2 at west"] for one in followed)


def test_a_clear_reading_answers_it() -> None:
    """Once the light is better, the tile is ruled on as it is read."""
    follower = _game("1: down 2-5")
    asked = follower.see(Scene((FIRST, UNREAD, *BONEYARD), by=2, visits=1))
    assert isinstance(asked, Question)
    clear = _tile([5, 6], 2.0, 0.0, 0.0)
    verdict = follower.asking(asked).see(Scene((FIRST, clear, *BONEYARD), by=2, visits=1))
    assert isinstance(verdict, Ruled)
    assert [one.text for one in verdict.happened] == ["2: 5-6 by 5 at east"]


@pytest.mark.parametrize(
    "lying", [replace(UNREAD, y=5.0), replace(UNREAD, face="edge", kind="wall"), replace(UNREAD, x=None)]
)
def test_where_no_tile_can_be_told_nothing_is_ruled(lying: Sighting) -> None:
    """One that touches nothing, stands on its edge or lies nobody knows where is no move."""
    verdict = _game("1: down 2-5").see(Scene((FIRST, lying, *BONEYARD), by=2, visits=1))
    assert not isinstance(verdict, Ruled)
    if lying.kind == "domino" and lying.x is not None:
        assert isinstance(verdict, OutOfStep)
        assert "A tile that cannot be read lies" in verdict.sentence


def test_a_move_by_the_other_hand_is_asked_about() -> None:
    """Player 2 is to move, and only player 1's hand was seen: was a move missed?"""
    follower = _game("1: down 2-5")
    laid = _tile([5, 6], 2.0, 0.0, 0.0)
    for who, kind in ((2, Ruled), (None, Ruled), (1, Question)):
        assert isinstance(follower.see(Scene((FIRST, laid, *BONEYARD), by=who, visits=1)), kind)
    verdict = follower.see(Scene((FIRST, laid, *BONEYARD), by=1, visits=1))
    assert _texts(verdict) == [["2: 5-6 by 5 at east"]]
    assert "missed" in verdict.sentence  # type: ignore[union-attr]


def test_what_follows_by_the_right_hand_settles_it() -> None:
    """Where the next hand is again that of the record's turn, both moves are written down."""
    follower = _game("1: down 2-5")
    laid, then = _tile([5, 6], 2.0, 0.0, 0.0), _tile([2, 4], -2.0, 0.0, 180.0)
    asked = follower.see(Scene((FIRST, laid, *BONEYARD), by=1, visits=1))
    assert isinstance(asked, Question)
    scene = Scene((FIRST, replace(laid, by=2), replace(then, by=1), *BONEYARD), visits=2)
    verdict = follower.asking(asked).see(scene)
    assert isinstance(verdict, Ruled)
    assert [one.text for one in verdict.happened] == ["2: 5-6 by 5 at east", "1: 2-4 by 2 at west"]
