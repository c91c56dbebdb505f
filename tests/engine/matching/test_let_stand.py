"""A refused move that players were asked about and let stand: told once what followed shows it."""

from dataclasses import replace

import pytest

from engine.errors import CannotStand
from engine.history import History
from engine.matching import Choice, Follower, OutOfStep, Question, Revision, Ruled, TakeBack
from engine.matching.search import Search
from engine.matching.since_asked import SinceAsked
from engine.scene import Guess, Hands, Scene, Sighting
from tests.engine.matching.test_lines import BONEYARD, _tile

FIRST = _tile([5, 2], 0.0, 0.0, 180.0)
REFUSED, ALLOWED = "2: 1-4 by 1 at east", "2: 4-5 by 5 at east"
DOUBTED = Sighting(
    "domino", "board", 2.0, 0.0, 0.0, guesses=(Guess({"pips": [1, 4]}, 0.5), Guess({"pips": [5, 4]}, 0.48))
)
CLEARLY = _tile([1, 4], 2.0, 0.0, 0.0)
ALLOWED_LIES = _tile([5, 4], 2.0, 0.0, 0.0)
NEXT = _tile([4, 6], 4.0, 0.0, 0.0)


def asked() -> tuple[Follower, Question]:
    """A follower who has asked what a tile is, and the question."""
    hands = [{"tiles": [], "hidden": 11}, {"tiles": [], "hidden": 11}]
    history = History.begin("draw-game", setup={"down": 1, "hands": hands}).move("1: down 2-5")
    follower = Follower.of(history).at(Scene((FIRST, *BONEYARD)))
    question = follower.see(Scene((FIRST, DOUBTED, *BONEYARD), by=2, visits=1))
    assert isinstance(question, Question)
    assert {choice.text for choice in question.choices} == {ALLOWED, f"{REFUSED} (illegal)"}
    return follower.asking(question), question


@pytest.mark.parametrize("lately", [None, Hands(1, 1)])
def test_a_refused_move_that_was_played_on_from_is_told(lately: Hands | None) -> None:
    """It is what the question was about; the tile at its other end goes with that, and with nothing else."""
    follower, _ = asked()
    verdict = follower.see(Scene((FIRST, CLEARLY, NEXT, *BONEYARD), visits=2, lately=lately))
    assert isinstance(verdict, Ruled)
    assert verdict.refused
    assert [one.text for one in verdict.happened] == [REFUSED]


def test_once_it_is_known_to_stand_what_followed_is_ruled() -> None:
    """The record takes it up as a refused move that stands, and the next tile after it."""
    follower, _ = asked()
    told = Follower.of(
        History.begin("draw-game", setup={"down": 1, "hands": [{"tiles": [], "hidden": 11}] * 2})
        .move("1: down 2-5")
        .move(REFUSED)
        .stand("the players played on")
    )
    verdict = replace(told, places=follower.places).see(Scene((FIRST, CLEARLY, NEXT, *BONEYARD), visits=2))
    assert isinstance(verdict, Ruled)
    assert [one.text for one in verdict.happened] == ["1: 4-6 by 4 at east"]


def test_what_does_not_go_with_it_either_is_out_of_step() -> None:
    """Neither answer is followed by a tile that touches nothing it may."""
    follower, _ = asked()
    wrong = _tile([3, 6], 4.0, 0.0, 0.0)
    assert isinstance(follower.see(Scene((FIRST, CLEARLY, wrong, *BONEYARD), visits=2)), OutOfStep)


def test_of_two_refused_moves_nobody_says_which_stood(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where both explain what followed, table and record disagree."""
    follower, question = asked()
    both = replace(follower, accused=follower.accused * 2)
    scene = Scene((FIRST, CLEARLY, NEXT, *BONEYARD), visits=2)
    assert isinstance(both.see(scene), OutOfStep)
    later = Choice("another", replace(follower.accused[0], revised=(Revision(1, "1: down 3-5"),)))
    other = follower.asking(Question(question.sentence, (*question.choices, later)))
    assert isinstance(other.see(scene), Ruled)  # that needs another past, and is not followed
    monkeypatch.setattr(SinceAsked, "_is_gone_on_from", lambda *_: False)
    assert isinstance(follower.see(scene), OutOfStep)


def test_who_may_have_taken_something_back_is_not_accused() -> None:
    """That was an answer, too."""
    follower, question = asked()
    back = Choice("taken back", TakeBack(1, follower.states[0], "The last move was taken back."))
    other = follower.asking(Question(question.sentence, (*question.choices, back)))
    verdict = other.see(Scene((FIRST, CLEARLY, NEXT, *BONEYARD), visits=2))
    assert not isinstance(verdict, Ruled)


def test_what_cannot_stand_is_not_gone_on_from(monkeypatch: pytest.MonkeyPatch) -> None:
    """Some refused moves leave no table from which a game could go on."""

    def cannot(*_: object) -> None:
        raise CannotStand("It cannot stand.")

    follower, _ = asked()
    monkeypatch.setattr(type(follower.book), "let_stand", cannot)
    assert isinstance(follower.see(Scene((FIRST, CLEARLY, NEXT, *BONEYARD), visits=2)), OutOfStep)


def test_nobody_is_accused_while_what_is_allowed_was_not_tried_to_the_end(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A search that was cut short may have missed the legal moves that explain the table."""
    follower, _ = asked()
    scene = Scene((FIRST, CLEARLY, NEXT, *BONEYARD), visits=2, lately=Hands(1, 1))
    monkeypatch.setattr(Search, "spent", property(lambda search: search.scene.visits == 2))
    assert isinstance(follower.see(scene), OutOfStep)


def test_a_refused_move_after_one_whose_hand_was_not_seen_is_asked_about() -> None:
    """The camera was away while player 1 laid his tile: else nothing that follows could ever be told."""
    hands = [{"tiles": [], "hidden": 11}, {"tiles": [], "hidden": 11}]
    history = History.begin("draw-game", setup={"down": 1, "hands": hands}).move("1: down 2-5")
    follower = Follower.of(history.move("2: 4-5 by 5 at east")).at(Scene((FIRST, ALLOWED_LIES, *BONEYARD)))
    unseen, wrong = _tile([4, 1], 4.0, 0.0, 0.0), _tile([2, 1], 6.0, 0.0, 0.0)
    scene = Scene((FIRST, ALLOWED_LIES, unseen, wrong, *BONEYARD), by=2, visits=2)
    verdict = follower.see(scene)
    assert isinstance(verdict, Question)
    assert [choice.text for choice in verdict.choices] == [
        "1: 1-4 by 4 at east, then 2: 1-2 by 2 at east (illegal)"
    ]
    # Of whom nobody saw a hand at all nobody is accused, nor asked.
    assert isinstance(follower.see(replace(scene, by=1)), OutOfStep)
    further = replace(scene, sightings=(*scene.sightings, _tile([6, 3], 8.0, 0.0, 0.0)), by=1, visits=3)
    told = follower.asking(verdict).see(further)
    assert isinstance(told, OutOfStep)  # the 3-6 does not go with it
    gone_on = replace(scene, sightings=(*scene.sightings, _tile([1, 6], 8.0, 0.0, 0.0)), by=None, visits=3)
    told = follower.asking(verdict).see(gone_on)
    assert isinstance(told, Ruled)
    assert [one.text for one in told.happened] == ["1: 1-4 by 4 at east", "2: 1-2 by 2 at east"]


@pytest.mark.parametrize(("at", "same"), [((2.2, 0.1), True), ((-7.0, 5.0), False)])
def test_an_answer_is_not_given_by_a_tile_that_lies_elsewhere(at: tuple[float, float], *, same: bool) -> None:
    """What was asked about is not seen for a moment, and another tile looks like one of the answers."""
    follower, _ = asked()
    other = _tile([5, 4], *at, 0.0)
    verdict = follower.see(Scene((FIRST, other, *BONEYARD), visits=2, lately=Hands(1, 1)))
    assert (isinstance(verdict, Ruled) and verdict.happened[0].text == ALLOWED) is same
