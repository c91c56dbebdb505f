"""A die of the Duel that was read wrong and without a doubt: what it shows once it was taken tells."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from engine.errors import ImpossibleFact
from engine.history import History
from engine.kingdomino_duel.edition import Face
from engine.kingdomino_duel.kingdom import Kingdom
from engine.kingdomino_duel.lying import renumbered, shown_otherwise
from engine.kingdomino_duel.model import Die, DuelState, Roll
from engine.matching import Follower, Question, Ruled, Verdict
from engine.matching.guide import guide_for
from engine.matching.step_line import text_of
from engine.scene import Scene, Sighting
from tests.engine.matching.test_dice_matched import BOOK, die, lying
from tests.engine.matching.test_drawn import scene

LAY = (("dice-1", -12.0, 8.0), ("dice-2", -15.0, 8.0), ("dice-1", 14.0, 7.0), ("dice-2", 11.0, 7.0))
WRONG = "see roll d q s d1"
"""The quarters have two crosses, which were not seen; in the order of the dice it is d s q2 d1 then."""


def game() -> Follower:
    """Player 2 has taken the stripe, which is die 3 of what was read."""
    history = History.begin("kingdomino-duel", setup={"a": 2}).fact(WRONG).move("2: take 3")
    lies = [
        die("d", -37.0, 46.0),
        die("q", 12.0, 44.0),
        die("d1", 36.0, 48.0),
        die("s", -14.0, 8.0, "dice-2"),
    ]
    return Follower.of(history).at(Scene(tuple(lies)))


def taken(*faces: str) -> Scene:
    """All four dice with the players, as they show then."""
    each = zip(faces, LAY, strict=True)
    return Scene(tuple(die(face, x, y, region) for face, (region, x, y) in each), visits=1, by=1)


def asked(verdict: Verdict) -> Ruled:
    """The only answer that is offered."""
    assert isinstance(verdict, Question)
    assert verdict.sentence.endswith("Was it misread, or was it turned?")
    (choice,) = verdict.choices
    assert isinstance(choice.outcome, Ruled)
    return choice.outcome


def test_what_was_read_for_sure_and_shows_otherwise_now_is_asked_about() -> None:
    """Nothing else explains the table; and the dice that were taken have other numbers then."""
    answer = asked(game().see(taken("d", "s", "q2", "d1")))
    assert [one.text for one in answer.revised] == ["see roll d s q2 d1", "2: take 2"]
    assert [one.text for one in answer.happened] == ["1: take 1+3"]


def test_what_follows_answers_the_question() -> None:
    """The drawing with two crosses goes with it."""
    follower = game()
    verdict = follower.see(taken("d", "s", "q2", "d1"))
    scene = taken("d", "s", "q2", "d1")
    again = follower.asking(verdict).see(replace(scene, visits=2)) if isinstance(verdict, Question) else None
    assert isinstance(again, Ruled)
    assert [one.text for one in again.happened] == ["1: take 1+3"]


@pytest.mark.parametrize(
    "faces",
    [("d", "s", "b", "q"), ("d", "s", "q2"), ("d", "s", "s2", "d1")],
    ids=["two are otherwise", "one is not in view", "no die shows that"],
)
def test_what_no_roll_explains_is_not_asked_about(faces: Sequence[str]) -> None:
    """Dice that were exchanged, or lie elsewhere, or show what no die of theirs can."""
    each = zip(faces, LAY, strict=False)
    scene = Scene(tuple(die(face, x, y, region) for face, (region, x, y) in each), visits=1, by=1)
    verdict = game().see(scene)
    assert not (isinstance(verdict, Question) and "misread" in verdict.sentence)


def test_what_another_roll_does_not_explain_either_is_not_asked_about() -> None:
    """Three dice lie with player 1."""
    scene = taken("d", "s", "q2", "d1")
    moved = tuple(replace(one, region="dice-1") if one.x == 11.0 else one for one in scene.sightings)
    verdict = game().see(replace(scene, sightings=moved))
    assert not (isinstance(verdict, Question) and "misread" in verdict.sentence)


def test_an_unclear_die_tells_nothing() -> None:
    """Nor one that cannot be read at all."""
    roll = BOOK.parse_fact(WRONG)
    assert isinstance(roll, Roll)
    dice = lying("d s q2 d1")
    assert shown_otherwise(roll.faces, dice) is not None
    unclear = [replace(one, guesses=(replace(one.guesses[0], probability=0.6),)) for one in dice]
    assert shown_otherwise(roll.faces, unclear) is None
    assert shown_otherwise(roll.faces, [Sighting("die", "dice")] * 4) is None


def test_after_another_roll_an_older_one_is_not_read_again() -> None:
    """The dice show the later one."""
    guide, roll = guide_for(BOOK), BOOK.parse_fact(WRONG)
    state, scene = BOOK.start(setup={"a": 1}), Scene(tuple(lying("d s q2 d1")))
    assert [*guide.rereadings(state, roll, (), scene, sure=False)]
    assert not [*guide.rereadings(state, roll, (roll,), scene, sure=False)]
    assert not [*guide.rereadings(state, BOOK.parse_fact("see oldest 1"), (), scene, sure=False)]


def test_dice_are_known_again_by_what_they_show_and_who_has_them() -> None:
    """Of equal ones the first; what shows otherwise is what is left."""
    then = [Die(Face(0, 0), Face(0, 0)), Die(Face(4, 0), Face(4, 0)), Die(Face(2, 0), Face(2, 0), 2)]
    now = [then[0], then[2], Die(Face(4, 2), Face(4, 2))]
    assert renumbered(then, now) == {1: 1, 2: 3, 3: 2}
    assert renumbered(then, []) == {}


def test_moves_name_the_same_dice_after_another_roll() -> None:
    """Also of one's own dice; what names none is as it was."""
    follower = game()
    book, guide = follower.book, guide_for(follower.book)
    then = follower.state
    now = BOOK.observe(BOOK.start(setup={"a": 2}), BOOK.parse_fact("see roll d s q2 d1"))
    now = BOOK.play(now, BOOK.parse("2: take 2"))
    for before, after in (("1: take 1+2", "1: take 1+3"), ("2: castle 3", "2: castle 2"), ("2: P1", "2: P1")):
        assert [text_of(book, one) for one in guide.again(then, now, book.parse(before))] == [after]


def test_a_roll_that_cannot_be_is_no_past(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever a guide thinks of."""
    follower = game()

    def observe(_state: object, _fact: object) -> None:
        raise ImpossibleFact("OBS", "No.")

    monkeypatch.setattr(type(follower.book), "observe", lambda _book, state, fact: observe(state, fact))
    assert not [*follower.reread(taken("d", "s", "q2", "d1"), sure=True)]


@pytest.mark.parametrize("doubts", [(), ("see roll d b s d1",)], ids=["sure", "doubted"])
def test_only_a_doubted_roll_is_read_again_without_asking(doubts: tuple[str, ...]) -> None:
    """Players may be asked about either."""
    follower, seen = replace(game(), doubts=(doubts, ())), taken("d", "s", "q2", "d1")
    assert [*follower.reread(seen, sure=True)]
    assert bool([*follower.reread(seen)]) is bool(doubts)


def drawn(quarters: str, dot: str = "d1", *, doubts: tuple[str, ...] = ()) -> Verdict:
    """What is told of what player 1 draws beside the castle, whose dice were read as quarters and a dot."""
    history = History.begin("kingdomino-duel", setup={"a": 1}).fact(WRONG).move("1: take 2")
    follower = Follower.of(history.move("2: take 1+3"))
    state = follower.state
    assert isinstance(state, DuelState)
    if doubts:
        follower = replace(follower, doubts=(doubts, (), ()))
    marks = {"r3c3": {quarters: 0.9999}, "r3c2": {dot: 0.9999}}
    return follower.at(scene(state, Kingdom(), {}, 0.99995)).see(scene(state, Kingdom(), marks, 0.99995))


@pytest.mark.parametrize("doubts", [(), ("see roll d q b d1",)], ids=["sure", "in doubt about another"])
def test_crosses_that_were_overlooked_in_a_roll_are_no_accusation(doubts: tuple[str, ...]) -> None:
    """Whoever draws them has seen them: a die that was read for sure may have been misread all the same."""
    verdict = drawn("q2", doubts=doubts)
    assert isinstance(verdict, Question)
    accused, allowed = (choice.outcome for choice in verdict.choices)
    assert isinstance(accused, Ruled)
    assert accused.refused
    assert isinstance(allowed, Ruled)
    assert not allowed.refused
    assert allowed.revised[0].text == "see roll d s q2 d1"


@pytest.mark.parametrize(
    ("quarters", "dot"), [("b0", "d1"), ("q1", "d1"), ("q2", "d0")],
    ids=["another coat", "crosses that no die has", "two coats at once"],
)  # fmt: skip
def test_what_no_overlooked_cross_explains_is_refused(quarters: str, dot: str) -> None:
    """Coats are not overlooked; and two dice are not misread in one roll."""
    verdict = drawn(quarters, dot)
    assert isinstance(verdict, Ruled)
    assert verdict.refused


def test_after_another_roll_no_drawing_tells_of_an_older_one() -> None:
    """Nor of anything else that was seen."""
    guide, roll = guide_for(BOOK), BOOK.parse_fact(WRONG)
    state = BOOK.start(setup={"a": 1})
    assert isinstance(state, DuelState)
    seen = scene(state, Kingdom(), {"r3c3": {"q2": 0.9999}})
    assert [*guide.rereadings(state, roll, (), seen, sure=True)]
    assert not [*guide.rereadings(state, roll, (roll,), seen, sure=True)]
    assert not [*guide.rereadings(state, BOOK.parse_fact("see oldest 1"), (), seen, sure=True)]
