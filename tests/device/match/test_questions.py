"""What is asked, what answers it, and what an answer does not answer."""

from dataclasses import replace

import pytest

from device.match.phase import Phase
from device.match.signals import Kind, Told, saw
from device.match.view import view
from engine.matching import Nothing, Revision, Ruled
from tests.device.match.bench import BUTTON, DIFFERENT, ILLEGAL, LEGAL, SHOWN, asked, playing, ruled


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
    """Nobody pressed anything: the next move shows which it was, and that is written and shown."""
    bench = playing()
    bench.see(asked(bench.game, LEGAL[1]))
    assert not view(bench.match)["answered"]
    bench.see(ruled(bench.game, LEGAL[1]))
    assert bench.notes() == ["asked", "settled"]
    assert str(view(bench.match)["answered"]).startswith("What followed has answered the question: 2: take")
    bench.wait(1.0)
    assert bench.texts()[-1] == LEGAL[1]
    bench.see(asked(bench.game, LEGAL[2]))
    assert not view(bench.match)["answered"]
    bench.see(Nothing())
    assert view(bench.match)["answered"] == "The table is as the record says: what was asked is settled."


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
