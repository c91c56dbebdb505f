"""What is told between hands: what is allowed at once, a refused move or a taking back once it is sure."""

from dataclasses import replace
from itertools import count

import pytest

from device.journal.ruling_pictures import Outline
from device.live import left_behind
from device.live.left_behind import LeftBehind
from device.live.ports import Seen
from engine.history import History
from engine.matching import (
    Choice,
    Follower,
    Happened,
    Nothing,
    OutOfStep,
    Question,
    Revision,
    Ruled,
    TakeBack,
    Verdict,
)
from engine.scene import Scene
from tests.engine.matching.test_lines import BONEYARD, _tile

FIRST, WRONG, NEXT = (_tile(*at, 0.0, 0.0) for at in (([2, 5], 0.0), ([1, 4], 2.0), ([4, 6], 4.0)))
HANDS = [{"tiles": [], "hidden": 11}, {"tiles": [], "hidden": 11}]
SEEN = Seen(Scene(()), ())
CLOCK = count(1.0, 1.0)
"""Each look comes a second after the one before it."""


class Left:
    """What was left behind, look after look."""

    def __init__(self) -> None:
        self.value = LeftBehind()

    def tells(self, verdict: Verdict, seen: Seen, at_s: float, *, clear: bool) -> bool:
        """Whether it is told; what it was before is a value, and tells the same again."""
        before = self.value
        self.value, tells = before.tells(verdict, seen, at_s, clear=clear)
        assert before.tells(verdict, seen, at_s, clear=clear) == (self.value, tells)
        return tells

    def forget(self) -> None:
        """Table and record agree."""
        self.value = self.value.forget()

    def free(self) -> None:
        """The table is free."""
        self.value = self.value.free()

    def asked(self, seen: Seen, question: Question, *, agreed: bool) -> None:
        """Players were asked."""
        self.value = self.value.asked(seen, question, agreed=agreed)

    def gone_on_from(self, verdict: Verdict, follower: Follower, scene: Scene) -> Verdict:
        """What explains the table."""
        return self.value.gone_on_from(verdict, follower, scene)


def game(*lines: str) -> Follower:
    """A Draw Game of which the first tile lies."""
    history = History.begin("draw-game", setup={"down": 1, "hands": [*HANDS]}).move("1: down 2-5")
    for line in lines:
        history = history.move(line)
    return Follower.of(history).at(Scene((FIRST, *BONEYARD)))


def refused(follower: Follower) -> Ruled:
    """A 1-4 at the 5."""
    verdict = follower.see(Scene((FIRST, WRONG, *BONEYARD), by=2, visits=1))
    assert isinstance(verdict, Ruled)
    assert verdict.refused
    return verdict


def back(*, more: bool = False, steps: int = 1) -> TakeBack:
    """The last move was taken back."""
    return TakeBack(steps, game().state, "The last move was taken back.", more=more)


def test_what_is_allowed_is_told_at_once_though_more_may_be_hidden() -> None:
    """Whose it is, is known."""
    verdict = game().see(Scene((FIRST, _tile([5, 6], 2.0, 0.0, 0.0), *BONEYARD), by=2, visits=1))
    assert Left().tells(verdict, SEEN, next(CLOCK), clear=False)


@pytest.mark.parametrize("clear", [True, False])
def test_a_refused_move_is_told_once_it_was_seen_twice(*, clear: bool) -> None:
    """It may be half of what somebody is at, and what is hidden may have made it allowed."""
    left, verdict = Left(), refused(game())
    assert not left.tells(verdict, SEEN, next(CLOCK), clear=clear)
    assert left.tells(replace(verdict, margin=9.0), SEEN, next(CLOCK), clear=clear) is clear


def test_a_refused_move_must_lie_there_for_a_while() -> None:
    """Whoever let go of a tile may be back in a moment to lay it elsewhere."""
    left, verdict = Left(), refused(game())
    each = [(at_s, replace(verdict, margin=at_s)) for at_s in (7.0, 7.2, 7.4, 7.6)]
    told = [left.tells(one, SEEN, at_s, clear=True) for at_s, one in each]
    assert told == [False, False, False, True]


@pytest.mark.parametrize(
    "before",
    [Nothing(), back(), Ruled((), 9.0), Question("", ())],
    ids=["nothing", "back", "another", "question"],
)
def test_what_was_otherwise_between_counts_anew(before: Verdict) -> None:
    """Twice, one after the other."""
    left, verdict = Left(), refused(game())
    left.tells(verdict, SEEN, next(CLOCK), clear=True)
    assert not left.tells(before, SEEN, next(CLOCK), clear=True)
    assert not left.tells(replace(verdict, margin=9.0), SEEN, next(CLOCK), clear=True)


def test_a_free_table_is_looked_at_by_itself() -> None:
    """What was seen before it does not count."""
    left, verdict = Left(), refused(game())
    left.tells(verdict, SEEN, next(CLOCK), clear=True)
    left.free()
    assert not left.tells(replace(verdict, margin=9.0), SEEN, next(CLOCK), clear=True)


@pytest.mark.parametrize(
    ("first", "second", "told"),
    [
        (back(), back(), True),
        (back(), back(steps=2), False),
        (back(), back(more=True), False),
        (back(more=True), back(), False),
    ],
)
def test_a_taking_back_is_told_once_it_was_seen_twice(
    first: TakeBack, second: TakeBack, *, told: bool
) -> None:
    """And nothing else was done with it."""
    left = Left()
    assert not left.tells(first, SEEN, next(CLOCK), clear=True)
    assert left.tells(second, SEEN, next(CLOCK), clear=True) is told


def test_a_refusal_that_needs_another_past_waits_for_the_free_table() -> None:
    """However often it is seen between hands."""
    left, verdict = Left(), refused(game())
    for margin in (9.0, 8.0, 7.0):
        other = replace(verdict, margin=margin, revised=(Revision(1, "1: down 3-5"),))
        assert not left.tells(other, SEEN, next(CLOCK), clear=True)


def test_what_others_have_gone_on_from_is_told_then() -> None:
    """The next tile goes with the refused one, and with nothing else."""
    left, follower = Left(), game()
    verdict = refused(follower)
    assert not left.tells(verdict, SEEN, next(CLOCK), clear=True)
    scene = Scene((FIRST, WRONG, NEXT, *BONEYARD), visits=2)
    now = follower.see(scene)
    assert isinstance(now, OutOfStep)
    stood = left.gone_on_from(now, follower, scene)
    assert stood is verdict
    assert left.tells(stood, SEEN, next(CLOCK), clear=True)
    left.forget()
    assert left.gone_on_from(now, follower, scene) is now


def test_what_was_left_explains_more_than_others_that_are_refused_as_well() -> None:
    """Nobody is accused of what needs a piece that was nowhere seen; what is allowed is asked about."""
    left, follower = Left(), game()
    verdict = refused(follower)
    left.tells(verdict, SEEN, next(CLOCK), clear=True)
    scene = Scene((FIRST, WRONG, NEXT, *BONEYARD), visits=2)
    other = replace(verdict, happened=(replace(verdict.happened[0], text="2: 1-3 by 1 at east"),))
    allowed = follower.see(Scene((FIRST, _tile([5, 6], 2.0, 0.0, 0.0), *BONEYARD), by=2, visits=1))
    accusing = Question("", (Choice("", other), Choice("", other)))
    mixed = Question("", (Choice("", other), Choice("", allowed)))
    assert left.gone_on_from(accusing, follower, scene) is verdict
    assert left.gone_on_from(other, follower, scene) is verdict
    assert left.gone_on_from(mixed, follower, scene) is mixed
    assert left.gone_on_from(allowed, follower, scene) is allowed
    same = replace(verdict, margin=1.0)
    assert left.gone_on_from(same, follower, scene) is same


def test_what_is_hidden_while_it_lies_there_is_not_remembered() -> None:
    """Then nobody is accused of it later."""
    left, follower = Left(), game()
    left.tells(refused(follower), SEEN, next(CLOCK), clear=False)
    scene = Scene((FIRST, WRONG, NEXT, *BONEYARD), visits=2)
    assert isinstance(left.gone_on_from(follower.see(scene), follower, scene), OutOfStep)


def test_what_does_not_go_with_it_stays_out_of_step() -> None:
    """Nor is anything else than a table out of step explained by it."""
    left, follower = Left(), game()
    left.tells(refused(follower), SEEN, next(CLOCK), clear=True)
    scene = Scene((FIRST, WRONG, _tile([3, 6], 4.0, 0.0, 0.0), *BONEYARD), visits=2)
    assert isinstance(left.gone_on_from(follower.see(scene), follower, scene), OutOfStep)
    nothing = Nothing()
    assert left.gone_on_from(nothing, follower, scene) is nothing


def test_a_reading_that_misses_what_was_seen_before_counts_for_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """What lay there a moment ago does not vanish."""
    left, verdict = Left(), refused(game())
    left.tells(verdict, SEEN, next(CLOCK), clear=True)
    monkeypatch.setattr(left_behind, "loses", lambda _now, _earlier, _bare: True)
    assert not left.tells(replace(verdict, margin=9.0), SEEN, next(CLOCK), clear=True)


def test_what_was_asked_about_does_not_vanish_between_hands(monkeypatch: pytest.MonkeyPatch) -> None:
    """A reading without it tells nothing."""
    left, verdict = (
        Left(),
        game().see(Scene((FIRST, _tile([5, 6], 2.0, 0.0, 0.0), *BONEYARD), by=2, visits=1)),
    )
    shown = replace(SEEN)
    left.asked(shown, Question("", ()), agreed=True)
    monkeypatch.setattr(left_behind, "loses", lambda _now, earlier, _bare: earlier is shown)
    assert not left.tells(verdict, SEEN, next(CLOCK), clear=True)
    left.free()
    assert left.tells(verdict, SEEN, next(CLOCK), clear=True)


@pytest.mark.parametrize("agreed", [True, False])
def test_before_table_and_record_have_agreed_nothing_vanishes_that_was_asked_about(*, agreed: bool) -> None:
    """The first tile of a game lies there, though a gleam hides it from one look between hands."""
    outline = ((10, 10), (20, 10), (20, 15), (10, 15))
    lies = Seen(Scene((replace(FIRST, ref="0"),)), (Outline(outline, "2-5"),))
    told = game().see(Scene((FIRST, _tile([5, 6], 2.0, 0.0, 0.0), *BONEYARD), by=2, visits=1))
    for seen, tells in ((SEEN, agreed), (lies, True)):
        left = Left()
        left.asked(lies, Question("", ()), agreed=agreed)
        assert left.tells(told, seen, next(CLOCK), clear=True) is tells


@pytest.mark.parametrize(
    ("answers", "told"),
    [((3, 3), True), ((3, 4), True), ((2, 3), False), ((2,), False), ((), False)],
)
def test_much_that_is_in_doubt_is_asked_about_at_once_and_followed_on(
    answers: tuple[int, ...], *, told: bool
) -> None:
    """Less than that waits until the table is free: it may be half of what somebody is at."""
    question = Question("What was it?", tuple(Choice("", answer(moves)) for moves in answers))
    assert Left().tells(question, SEEN, next(CLOCK), clear=True) is told
    assert not Left().tells(question, SEEN, next(CLOCK), clear=False)


def test_between_hands_nobody_is_asked_where_somebody_is_likeliest_accused() -> None:
    """Nor where something was perhaps taken back, or nothing done at all."""
    accused = answer(3, refused(game()).happened[-1])
    for each in ((accused, answer(3)), (answer(3), Nothing()), (answer(3), back())):
        question = Question("What was it?", tuple(Choice("", one) for one in each))
        assert not Left().tells(question, SEEN, next(CLOCK), clear=True)
    question = Question("What was it?", (Choice("", answer(3)), Choice("", accused)))
    assert Left().tells(question, SEEN, next(CLOCK), clear=True)


def answer(moves: int, *last: Happened) -> Ruled:
    """So many moves, and then perhaps another."""
    verdict = game().see(Scene((FIRST, _tile([5, 6], 2.0, 0.0, 0.0), *BONEYARD), by=2, visits=1))
    assert isinstance(verdict, Ruled)
    return Ruled((*verdict.happened * moves, *last), 0.0)
