"""What is asked, what answers it, and what an answer does not answer."""

from dataclasses import replace

import pytest

from device.match.match_view import view
from device.match.phase import Phase
from device.match.shown import Box
from device.match.signals import Kind, Told, saw
from engine.history import History
from engine.matching import Nothing, Revision, Ruled, Verdict
from tests.device.match.match_bench import (
    BUTTON,
    DIFFERENT,
    FACTS,
    ILLEGAL,
    LEGAL,
    SHOWN,
    UNFINISHED,
    asked,
    playing,
    ruled,
)


class Placed:
    """A picture in which each game is at a place of its own: as far right as its last words are long."""

    def place(self, before: History, after: History) -> Box | None:
        """Where what differs lies."""
        if before.steps == after.steps:
            return None
        wide = 10 * len(after.steps[-1].happened.text)
        return wide, 0, wide + 5, 5

    def cut(self, box: Box) -> bytes:
        """The words of a box."""
        return str(box).encode()


def test_each_answer_has_its_place_in_the_picture_that_was_read() -> None:
    """What was not done is where the others are; out of step each missed move has one, too."""
    bench = playing()
    question = asked(bench.game, LEGAL[1], "2: take 1")
    bench.give(saw(question, bench.match.version, shown=Placed()))
    crops = [option.crop for option in bench.match.options]
    assert [crop.box for crop in crops if crop] == [(110, 0, 115, 5), (90, 0, 95, 5), (90, 0, 115, 5)]
    bench = playing()
    missed = replace(DIFFERENT, choices=asked(bench.game, LEGAL[1]).choices[:1])
    bench.give(saw(missed, bench.match.version, shown=Placed()))
    assert [option.crop.jpeg for option in bench.match.options if option.crop] == [b"(110, 0, 115, 5)"]
    assert view(bench.match)["pictures"][0]["seen"]  # type: ignore[index, call-overload]


def test_a_question_without_pictures_has_no_places() -> None:
    """Without a camera, and after a restart, until the table is read again: then it is the same question."""
    bench = playing()
    question = asked(bench.game, LEGAL[1])
    bench.see(question)
    assert all(option.crop is None for option in bench.match.options)
    bench.give(saw(question, bench.match.version, shown=Placed(), pictures=(SHOWN,)))
    assert all(option.crop for option in bench.match.options)
    assert (bench.phase, bench.match.asked, bench.notes().count("asked")) == (Phase.ASKING, (SHOWN,), 1)


def test_what_was_misread_is_shown_by_where_it_lies() -> None:
    """Each of the moves that it may have been by its own place, and nothing by that of the refused one."""
    bench = playing()
    bench.give(saw(ruled(bench.game, ILLEGAL), bench.match.version, shown=Placed())).tell(Kind.MISREAD)
    boxes = [option.crop.box for option in bench.match.options if option.crop]
    assert len(boxes) == len(bench.match.options) > 1
    assert boxes[-1] == (10 * len(ILLEGAL), 0, 10 * len(ILLEGAL) + 5, 5)


def test_a_question_is_asked_once_and_answered_by_a_choice() -> None:
    """The chosen move counts at once; the journal holds the question and the answer."""
    bench = playing()
    moves = [bench.game.book.format(move) for move in bench.game.book.legal_moves(bench.game.state)[:2]]
    bench.see(asked(bench.game, *moves)).see(asked(bench.game, *moves))
    assert bench.phase is Phase.ASKING
    assert view(bench.match)["choices"] == [*moves, "nothing"]
    bench.tell(Kind.CHOOSE, number=7)
    assert bench.match.notice == "There is no choice 8."
    bench.tell(Kind.CHOOSE, number=1)
    assert bench.texts()[-1] == moves[1]
    assert bench.notes() == ["asked", "answered"]


def test_a_question_answered_with_nothing_is_not_asked_again_by_the_same_table() -> None:
    """As long as nobody touches it, the same question is settled."""
    bench = playing()
    bench.see(asked(bench.game, LEGAL[1])).tell(Kind.CHOOSE, number=1)
    assert bench.phase is Phase.WATCHING
    assert (
        bench.tell(Kind.FREE).give(saw(asked(bench.game, LEGAL[1]), bench.match.version)).phase
        is Phase.WATCHING
    )
    bench.tell(Kind.TYPED, LEGAL[1])
    other = bench.game.book.format(bench.game.book.legal_moves(bench.game.state)[0])
    assert bench.see(asked(bench.game, other)).phase is Phase.ASKING


@pytest.mark.parametrize(
    "between", ["a hand", "another view", "another verdict", "a black picture", "a pause"]
)
def test_an_answer_does_not_silence_the_real_move_that_comes_after_it(between: str) -> None:
    """Nothing had happened; then somebody moves so that the same question is asked, and it is asked."""
    bench = playing()
    bench.see(asked(bench.game, LEGAL[1])).tell(Kind.CHOOSE, number=1)
    if between == "a hand":
        bench.tell(Kind.HAND).tell(Kind.FREE)
    elif between == "another verdict":
        bench.give(saw(DIFFERENT, bench.match.version))
    elif between == "a black picture":
        bench.tell(Kind.BLIND, "The picture is black.").tell(Kind.FREE)
    else:
        bench.tell(Kind.PAUSE).tell(Kind.PAUSE)
    view = int(between == "another view")
    again = saw(asked(bench.game, LEGAL[1]), bench.match.version, view=view)
    assert bench.give(again).phase is Phase.ASKING


def test_an_answer_keeps_the_pictures_of_its_question() -> None:
    """What was decided by people can be looked at like any other move, also after a refusal was misread."""
    bench = playing()
    bench.see(asked(bench.game, LEGAL[1]), pictures=(SHOWN,)).tell(Kind.CHOOSE, number=0)
    assert bench.written[-1].pictures == (SHOWN,)
    bench = playing()
    bench.see(ruled(bench.game, ILLEGAL), pictures=(SHOWN,)).tell(Kind.MISREAD).tell(Kind.CHOOSE, number=0)
    assert bench.written[-1].kind == "entry"
    assert bench.written[-1].pictures == (SHOWN,)


def test_an_answer_to_another_question_than_the_one_on_the_screen_changes_nothing() -> None:
    """The question changes while a finger is on its way: that is told, and no move is made."""
    bench = playing()
    bench.see(asked(bench.game, LEGAL[1]))
    key = str(view(bench.match)["key"])
    bench.see(asked(bench.game, "2: take 1+2"))
    before = bench.game
    bench.give(Told(Kind.CHOOSE, number=0, key=key))
    assert bench.game == before
    assert bench.phase is Phase.ASKING
    assert "no longer what is asked" in bench.match.notice
    bench.give(Told(Kind.CHOOSE, number=0, key=str(view(bench.match)["key"])))
    assert bench.texts()[-1] == "2: take 1+2"


def test_a_confirmation_of_another_move_than_the_one_on_the_screen_changes_nothing() -> None:
    """Confirmed is what was shown and nothing in its place; a button at the table shows nothing."""
    bench = playing(BUTTON)
    bench.see(ruled(bench.game, LEGAL[1]))
    key = bench.match.key
    bench.see(ruled(bench.game, "2: take 1+2")).give(Told(Kind.CONFIRM, number=2, key=key))
    assert bench.phase is Phase.RULED
    assert "no longer what is asked" in bench.match.notice
    assert bench.tell(Kind.CONFIRM, number=2).texts()[-1] == "2: take 1+2"


def test_the_name_of_a_refusal_stays_the_same_when_it_comes_to_count() -> None:
    """Who presses just when the calm is over has pressed for what was shown."""
    bench = playing()
    key = bench.see(ruled(bench.game, ILLEGAL)).match.key
    assert bench.wait(1.0).match.key == key


def test_what_follows_answers_a_question_and_says_so() -> None:
    """Nobody pressed anything: the next move shows which it was, and that is written when it counts."""
    bench = playing()
    bench.see(asked(bench.game, LEGAL[1]))
    assert not view(bench.match)["answered"]
    bench.see(ruled(bench.game, LEGAL[1]))
    assert bench.notes() == ["asked"]
    bench.wait(1.0)
    assert bench.notes() == ["asked", "settled"]
    assert str(view(bench.match)["answered"]).startswith("What followed has answered the question: 2: take")
    assert bench.texts()[-1] == LEGAL[1]
    bench.see(asked(bench.game, LEGAL[2]))
    assert not view(bench.match)["answered"]
    bench.see(Nothing())
    assert view(bench.match)["answered"] == "The table is as the record says: what was asked is settled."


@pytest.mark.parametrize("between", [UNFINISHED, DIFFERENT], ids=["unfinished", "out of step"])
def test_a_question_is_answered_by_what_follows_whatever_lies_between(between: Verdict) -> None:
    """A half-made move is seen first: the question was still asked, and is answered."""
    bench = playing()
    bench.see(asked(bench.game, LEGAL[1])).see(between).see(ruled(bench.game, LEGAL[1])).wait(1.0)
    assert bench.notes() == ["asked", "settled"]
    assert bench.written[-2].body["entries"] == 1


def test_what_answered_a_question_is_shown_until_the_next_play() -> None:
    """It is said once, of one move."""
    bench = playing()
    bench.see(asked(bench.game, LEGAL[1])).see(ruled(bench.game, LEGAL[1])).wait(1.0).see(Nothing())
    assert view(bench.match)["answered"]
    bench.see(ruled(bench.game, LEGAL[2])).wait(1.0)
    assert bench.texts()[-1] == LEGAL[2]
    assert not view(bench.match)["answered"]
    assert bench.notes() == ["asked", "settled"]


def test_what_was_challenged_has_answered_nothing() -> None:
    """It never counted."""
    bench = playing()
    bench.see(asked(bench.game, LEGAL[1])).see(ruled(bench.game, LEGAL[1])).tell(Kind.UNDO)
    assert not view(bench.match)["answered"]
    assert bench.notes() == ["asked", "challenged"]
    assert bench.match.denied == 1, "the eye is told"


def test_a_move_that_is_seen_does_not_answer_what_was_misread() -> None:
    """Another move was made since; what the refused one was nobody has said."""
    bench = playing()
    bench.see(ruled(bench.game, ILLEGAL)).tell(Kind.MISREAD).see(ruled(bench.game, LEGAL[1])).wait(1.0)
    assert bench.texts()[-1] == LEGAL[1]
    assert not view(bench.match)["answered"]
    assert bench.notes() == ["asked"]


def test_a_question_that_people_denied_is_answered_by_nothing() -> None:
    """None of these, or nothing was moved: the next move is another matter, and the eye is told."""
    for kind, number in ((Kind.UNDO, 0), (Kind.CHOOSE, 1)):
        bench = playing()
        bench.see(asked(bench.game, LEGAL[1])).tell(kind, number=number)
        assert bench.match.denied == 1
        bench.see(ruled(bench.game, "2: take 1+2")).wait(1.0)
        assert "settled" not in bench.notes()


def test_a_correction_that_was_challenged_is_not_recorded() -> None:
    """The camera reads the same again: it is told that this was taken back, and the record stays."""
    bench = playing()
    back, before = len(bench.game.steps) - 1, bench.texts()
    verdict = Ruled((), 9.0, revised=(Revision(back, "see roll D1 d D D2"),))
    bench.see(verdict).tell(Kind.UNDO)
    assert bench.written[-1].body["said"] == ["see roll D1 d D D2"]
    bench.see(verdict).wait(5.0)
    assert bench.phase is Phase.OUT_OF_STEP
    assert "Taken back and still on the table: see roll" in bench.match.words
    assert bench.texts() == before


def test_a_correction_keeps_what_it_corrects_as_what_it_may_have_been() -> None:
    """Without that nothing seen later could put it back."""
    bench = playing()
    back = len(bench.game.steps) - 1
    bench.see(Ruled((), 9.0, revised=(Revision(back, "see roll D1 d D D2", (FACTS[1],)),))).wait(1.0)
    assert bench.written[-1].body["with"] == {"fact": "see roll D1 d D D2", "alike": [FACTS[1]]}


def test_what_else_a_move_may_have_been_is_kept_and_shown() -> None:
    """The log of the match names it, and the journal has it."""
    bench = playing()
    seen = ruled(bench.game, LEGAL[1])
    bench.see(Ruled((replace(seen.happened[0], alike=("2: take 1+2",)),), 9.0)).wait(1.0)
    assert view(bench.match)["log"][-1]["alike"] == ["2: take 1+2"]  # type: ignore[index]
    assert bench.written[-1].body["alike"] == ["2: take 1+2"]


def test_a_step_that_was_read_wrong_is_corrected_by_what_follows() -> None:
    """A fact stays a fact; the correction says why it was made."""
    bench = playing()
    back = len(bench.game.steps) - 1
    other = "see roll D1 d D D2"
    bench.see(Ruled((), 9.0, revised=(Revision(back, other),))).wait(1.0)
    assert other in bench.texts()
    assert bench.written[-1].body["with"] == {"fact": other}
    assert bench.written[-1].body["why"] == "told by what followed"
