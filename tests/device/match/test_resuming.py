"""A match that is taken up again is as it was left: paused, or with its question open."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from device.journal.game import game_in
from device.journal.store import Journal
from device.match.match import Manners, Match
from device.match.phase import Phase
from device.match.resuming import resumed
from device.match.signals import Kind, saw
from engine.matching import Nothing, TakeBack
from tests.device.match.match_bench import DIFFERENT, FACTS, ILLEGAL, LEGAL, SHOWN, Bench, asked, game, ruled


def again(bench: Bench, path: Path) -> Bench:
    """The bench after the power went and came again: all that it knows is in its journal."""
    with Journal(path / "a.match") as journal:
        journal.append(bench.written)
    with Journal(path / "a.match") as journal:
        known = game_in(journal.events)
        assert known is not None
        fresh = Bench()
        fresh.match = resumed(Match(manners=Manners(calm_s=1.0), blank=game()), known, journal.events)
    return fresh


def begun(lines: Sequence[str] = FACTS) -> Bench:
    """A match that has begun."""
    return Bench(*lines)


def test_a_pause_outlasts_a_restart(tmp_path: Path) -> None:
    """Whoever pulls the plug in a break comes back to a break; and after it play goes on."""
    bench = again(begun().tell(Kind.PAUSE), tmp_path)
    assert bench.phase is Phase.PAUSED
    assert bench.tell(Kind.PAUSE).phase is Phase.SETTLING
    bench.see(ruled(bench.game, LEGAL[0])).wait(2)
    assert bench.texts() == [*FACTS, LEGAL[0]]


def test_a_pause_that_is_over_stays_over(tmp_path: Path) -> None:
    """The last word counts."""
    assert again(begun().tell(Kind.PAUSE).tell(Kind.PAUSE), tmp_path).phase is Phase.SETTLING


@pytest.mark.parametrize("answer", [0, 1, 2])
def test_an_open_question_is_asked_again_and_can_be_answered(tmp_path: Path, answer: int) -> None:
    """Without another look at the table: the answers lead where they led."""
    left = begun()
    left.see(asked(left.game, LEGAL[0], "1: take 2"))
    bench = again(left, tmp_path)
    assert bench.phase is Phase.ASKING
    assert bench.match.words == left.match.words
    assert bench.match.options == left.match.options
    bench.tell(Kind.CHOOSE, number=answer)
    assert bench.texts() == [*FACTS, *([LEGAL[0]], ["1: take 2"], [])[answer]]


def test_what_was_misread_is_asked_again_with_its_corrections(tmp_path: Path) -> None:
    """The question about a refusal leads to corrected games, and what was misread stays withdrawn."""
    left = begun((*FACTS, LEGAL[0]))
    left.see(ruled(left.game, ILLEGAL)).wait(2).tell(Kind.MISREAD)
    assert left.phase is Phase.ASKING
    bench = again(left, tmp_path)
    assert bench.match.options == left.match.options
    assert ILLEGAL in bench.match.withdrawn
    bench.tell(Kind.CHOOSE, number=len(bench.match.options) - 1)
    assert bench.texts() == [*FACTS, LEGAL[0]]


def test_a_question_that_is_answered_is_not_asked_again(tmp_path: Path) -> None:
    """Nor one after which anything else was written."""
    left = begun()
    left.see(asked(left.game, LEGAL[0], "1: take 2")).tell(Kind.CHOOSE, number=0)
    assert again(left, tmp_path).phase is Phase.SETTLING


def test_a_question_that_was_denied_is_not_asked_again_of_the_same_table(tmp_path: Path) -> None:
    """None of these: neither the journal nor the first look asks again; once a hand was there, it may be."""
    left = begun()
    question = asked(left.game, LEGAL[0], "1: take 2")
    left.see(question).tell(Kind.UNDO)
    for bench, view in ((left, 0), (again(left, tmp_path), 1)):
        assert bench.phase is Phase.OUT_OF_STEP
        assert "None of these" in bench.match.words
        bench.give(saw(question, bench.match.version, view=view))
        assert bench.phase is Phase.OUT_OF_STEP
        assert bench.see(question).phase is Phase.ASKING


def test_a_question_answered_with_nothing_is_not_asked_again_of_the_same_table(tmp_path: Path) -> None:
    """That nothing was moved was said; the first look after a restart shows no more than that look did."""
    left = begun()
    question = asked(left.game, LEGAL[0])
    left.see(question).tell(Kind.CHOOSE, number=1)
    bench = again(left, tmp_path)
    bench.give(saw(question, bench.match.version, view=1))
    assert bench.phase is Phase.WATCHING
    assert bench.see(question).phase is Phase.ASKING


@pytest.mark.parametrize("text", [LEGAL[1], ILLEGAL])
def test_what_was_challenged_is_not_believed_again_after_a_restart(tmp_path: Path, text: str) -> None:
    """Nor is it asked what else it may have been: that it is still on the table is said."""
    left = begun((*FACTS, LEGAL[0]))
    left.see(ruled(left.game, text)).tell(Kind.UNDO)
    if left.phase is Phase.ASKING:
        left.tell(Kind.UNDO)
    told = left.match.words
    bench = again(left, tmp_path)
    assert bench.phase is Phase.OUT_OF_STEP
    assert bench.match.words == told
    for one in (left, bench):
        one.see(ruled(one.game, text)).wait(5.0)
        assert one.match.words == f"Taken back and still on the table: {text}"
        assert one.texts() == [*FACTS, LEGAL[0]]


def test_a_question_that_the_table_has_settled_is_settled_by_the_next_look(tmp_path: Path) -> None:
    """It comes back where nothing was written since, and goes as soon as the table is seen to agree."""
    left = begun()
    left.see(asked(left.game, LEGAL[0], "1: take 2")).see(DIFFERENT)
    bench = again(left, tmp_path)
    assert bench.phase is Phase.ASKING
    assert bench.see(Nothing()).phase is Phase.WATCHING
    assert bench.see(DIFFERENT).phase is Phase.OUT_OF_STEP


def test_a_question_that_was_settled_does_not_come_back(tmp_path: Path) -> None:
    """The table was put back, or what followed has answered it: either is written."""
    for number, seen in enumerate((Nothing(), ruled(begun().game, LEGAL[0]))):
        left = begun()
        left.see(asked(left.game, LEGAL[0], "1: take 2")).see(seen).wait(1.0)
        assert left.notes()[-1] == "settled"
        (tmp_path / str(number)).mkdir()
        assert again(left, tmp_path / str(number)).phase is Phase.SETTLING


def test_a_question_within_a_pause_waits_for_its_end(tmp_path: Path) -> None:
    """The players are away: nothing is asked."""
    left = begun()
    left.see(asked(left.game, LEGAL[0], "1: take 2")).tell(Kind.PAUSE)
    assert again(left, tmp_path).phase is Phase.PAUSED


def test_a_move_told_by_hand_is_not_taken_back_by_the_camera_after_a_restart(tmp_path: Path) -> None:
    """The table may not show yet what people told; what was seen lay there, and can be taken back."""
    for told in (True, False):
        (tmp_path / str(told)).mkdir()
        bench = begun()
        if told:
            bench.tell(Kind.TYPED, LEGAL[0])
        else:
            bench.see(ruled(bench.game, LEGAL[0]), pictures=(SHOWN,)).wait(2)
        bench = again(bench, tmp_path / str(told))
        bench.see(TakeBack(1, bench.game.steps[-2].state, "As before.")).wait(2)
        assert (LEGAL[0] in bench.texts()) is told
        assert (bench.phase is Phase.OUT_OF_STEP) is told
