"""What becomes of a refused move: put back, let stand, or misread."""

from dataclasses import replace

import pytest

from device.journal.case import cases
from device.journal.events import Event
from device.live.told_already import lies_still
from device.match.acts.steps import TAKEN
from device.match.match import Manners
from device.match.phase import Phase
from device.match.signals import Kind, SetUp, saw
from engine.matching import Nothing
from engine.record import Record
from tests.device.match.match_bench import BUTTON, ILLEGAL, LEGAL, SHOWN, playing, refusing, ruled


def test_a_refused_move_is_shown_at_once_and_counts_after_the_calm() -> None:
    """The refusal is red from the first; it is written when it has lain still, and only once."""
    bench = playing()
    bench.see(ruled(bench.game, ILLEGAL))
    assert bench.phase is Phase.ILLEGAL
    assert "Player 2 is B" in bench.match.words
    assert ILLEGAL not in bench.texts()
    bench.wait(1.0)
    assert bench.texts()[-1] == ILLEGAL
    bench.see(ruled(bench.game, ILLEGAL)).wait(1.0)
    assert bench.phase is Phase.ILLEGAL
    assert bench.texts().count(ILLEGAL) == 1


def test_a_refused_move_put_back_leaves_the_way_free() -> None:
    """When the table is as before, the game goes on; the try stays in the record, and another is another."""
    bench = refusing().tell(Kind.PUT_BACK)
    assert bench.match.words == "Put it back as it was."
    assert bench.see(Nothing()).phase is Phase.WATCHING
    bench.see(ruled(bench.game, ILLEGAL)).wait(1.0)
    assert bench.texts().count(ILLEGAL) == 2
    assert bench.see(ruled(bench.game, LEGAL[1])).wait(1.0).phase is Phase.WATCHING


@pytest.mark.parametrize("how", ["dashboard", "both confirm", "played on"])
def test_players_may_let_a_refused_move_stand(how: str) -> None:
    """On the dashboard, by both confirming, or by playing on from it: the one who did not make it."""
    bench = refusing()
    entry = len(bench.game.entries)
    assert bench.match.stood is not None
    if how == "dashboard":
        bench.both(Kind.LET_STAND)
    elif how == "both confirm":
        assert not bench.tell(Kind.CONFIRM, number=1).tell(Kind.CONFIRM, number=1).game.steps[-1].stands
        bench.tell(Kind.CONFIRM, number=2)
    else:
        stood = bench.match.stood
        legal = [stood.book.format(move) for move in stood.book.legal_moves(stood.state)]
        move = next(one for one in legal if one.startswith("2: "))
        bench.see(ruled(stood, move), stood=True).wait(1.0)
        assert bench.texts()[-1] == move
    step_of = bench.game.step_of(entry)
    assert step_of is not None
    assert step_of.stands
    assert not bench.match.refused


@pytest.mark.parametrize("manners", [BUTTON, None])
def test_two_presses_let_a_refused_move_stand_however_moves_are_confirmed(manners: Manners | None) -> None:
    """Both players press once, whether the refusal counts by itself or by the first of these presses."""
    bench = playing(manners)
    bench.see(ruled(bench.game, ILLEGAL)).tell(Kind.CONFIRM, number=1)
    assert not bench.game.steps[-1].stands
    bench.tell(Kind.CONFIRM, number=2)
    assert bench.game.steps[-1].stands
    assert not bench.match.refused


def test_a_misread_refusal_is_corrected_by_choosing_what_it_was() -> None:
    """The refusal is withdrawn at once, and then the move is what the players say; the record keeps all."""
    bench = refusing()
    version = bench.match.version
    bench.tell(Kind.MISREAD)
    assert ILLEGAL not in bench.texts()
    assert not bench.match.refused
    assert bench.match.version > version
    assert bench.phase is Phase.ASKING
    words = [option.words for option in bench.match.options]
    assert words[-1] == "nothing happened"
    assert LEGAL[1] in words
    bench.tell(Kind.CHOOSE, number=words.index(LEGAL[1]))
    assert bench.texts()[-1] == LEGAL[1]
    assert ILLEGAL not in bench.texts()
    assert bench.game.entries[-2].correct == bench.game.entries[-3].n
    assert bench.phase is Phase.SETTLING
    assert bench.notes()[-2:] == ["asked", "answered"]


def test_a_refusal_challenged_before_it_counts_was_never_in_the_record() -> None:
    """Who says at once that it was misread is asked, and nothing was written about a refused move."""
    bench = playing()
    bench.see(ruled(bench.game, ILLEGAL)).tell(Kind.UNDO)
    assert bench.phase is Phase.ASKING
    assert ILLEGAL not in str(bench.written[:-1])
    bench.tell(Kind.UNDO)
    assert bench.phase is Phase.OUT_OF_STEP
    assert "None of these" in bench.match.words


def test_a_misread_refusal_is_not_repeated_as_what_else_it_may_have_been() -> None:
    """Of two readings that are both refused now one is likelier and now the other; both were misread."""
    bench = playing()
    first = ruled(bench.game, ILLEGAL)
    doubted = replace(first, happened=(replace(first.happened[0], alike=("1: take 2",)),))
    other = replace(first, happened=(replace(first.happened[0], text="1: take 2", alike=(ILLEGAL,)),))
    bench.see(doubted).tell(Kind.UNDO).tell(Kind.UNDO)
    assert bench.see(other).phase is Phase.OUT_OF_STEP
    assert bench.match.words == f"Taken back and still on the table: {ILLEGAL}"


@pytest.mark.parametrize("counted", [True, False])
def test_who_was_accused_wrongly_is_not_accused_again_by_the_same_table(*, counted: bool) -> None:
    """One press: nothing stands against them, the answers stay, and they are told how to go on."""
    bench = refusing() if counted else playing()
    accusation = ruled(bench.game, ILLEGAL)
    if not counted:
        bench.see(accusation)
    bench.tell(Kind.MISREAD).give(saw(ruled(bench.game, ILLEGAL), bench.match.version))
    assert bench.phase is Phase.ASKING
    assert bench.match.options
    assert ILLEGAL in bench.match.places[0]
    assert "take the table as it is" in bench.match.places[1]
    assert not bench.game.steps[-1].ruling or bench.game.steps[-1].ruling.allowed
    asked = next(draft for draft in reversed(bench.written) if draft.body.get("what") == "asked")
    assert asked.body["misread"] == ILLEGAL
    nothing = [option.words for option in bench.match.options].index("nothing happened")
    bench.tell(Kind.CHOOSE, number=nothing)
    assert ILLEGAL not in bench.texts()
    assert bench.see(ruled(bench.game, LEGAL[1])).wait(1.0).texts()[-1] == LEGAL[1]


@pytest.mark.parametrize("counted", [True, False])
def test_a_wrong_accusation_and_a_table_taken_as_it_is_become_cases(*, counted: bool) -> None:
    """What was denied with the pictures of the refusal, and the table that nothing explained."""
    bench = playing()
    bench.see(ruled(bench.game, ILLEGAL), pictures=(SHOWN,))
    if counted:
        bench.wait(1.0)
    bench.tell(Kind.MISREAD).both(Kind.AS_IT_IS)
    bench.give(SetUp(bench.game.put(bench.game.first, TAKEN, "Nobody knows more.")))
    events = [
        Event(n, draft.kind, 0, draft.body, {one.role: one.digest for one in draft.pictures}, "")
        for n, draft in enumerate(bench.written, 1)
    ]
    found = [*cases(events, Record(bench.game.header, bench.game.entries))]
    assert [case.told["kind"] for case in found] == ["correction"] * counted + ["accusation", "taken"]
    accused, taken = found[-2:]
    assert accused.told["was"] == {"move": ILLEGAL}
    assert accused.event.pictures
    assert taken.told["is"] == {"set": TAKEN, "state": bench.game.first.to_json()}


def test_a_refused_move_that_reads_a_little_otherwise_is_the_same() -> None:
    """What it may have been as well was written with it: that it lies there still is nothing new."""
    bench = playing()
    first = ruled(bench.game, ILLEGAL)
    other = replace(first.happened[0], text="1: take 2", alike=())
    doubted = replace(first, happened=(replace(first.happened[0], alike=("1: take 2",)),))
    bench.see(doubted).wait(1.0)
    entries = bench.texts()
    bench.see(replace(first, happened=(other,))).wait(5.0)
    assert bench.phase is Phase.ILLEGAL
    assert bench.texts() == entries
    assert lies_still(replace(first, happened=(other,)), bench.game)
