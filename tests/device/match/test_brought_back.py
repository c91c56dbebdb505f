"""What both had agreed to, and was taken back, counts again only if both agree again."""

import json
from collections.abc import Callable

import pytest

from device.match.acts.steps import TAKEN
from device.match.match_view import view
from device.match.phase import Phase
from device.match.signals import Kind, SetUp
from device.match.transitions import offered
from engine.matching import Nothing
from tests.device.match.match_bench import DIFFERENT, LEGAL, Bench, playing, refusing, ruled


def let_stand() -> Bench:
    """A refused move that both let stand, and that undo has taken that from."""
    bench = refusing().both(Kind.LET_STAND)
    assert bench.game.steps[-1].stands
    return bench.tell(Kind.UNDO)


def taken() -> Bench:
    """A table that both took as it is, and that undo has taken that from."""
    bench = playing().see(DIFFERENT).both(Kind.AS_IT_IS)
    bench.give(SetUp(bench.game.put(bench.game.first, TAKEN)))
    assert bench.texts()[-1] == TAKEN
    return bench.tell(Kind.UNDO)


def counts(bench: Bench) -> bool:
    """Whether what both had agreed to counts."""
    last = bench.game.steps[-1]
    return last.stands or last.happened.text == TAKEN


WAYS = (let_stand, taken)


@pytest.mark.parametrize("way", WAYS)
def test_redo_asks_both_and_one_of_them_is_not_enough(way: Callable[[], Bench]) -> None:
    """Typed in nobody's name it only asks; each then says so with their button, or on the page."""
    bench = way()
    before = bench.game
    bench.tell(Kind.TYPED, "redo")
    assert (bench.game, bench.match.notice) == (before, "Both must agree: each presses their own button.")
    told = json.loads(json.dumps(view(bench.match)))
    assert (told["wish"], told["agreed"]) == ("bring back", [])
    assert {"bring back", "withdraw", "confirm"} <= set(told["offers"])
    bench.tell(Kind.BRING_BACK, number=1).tell(Kind.BRING_BACK, number=1).tell(Kind.CONFIRM)
    assert bench.game == before
    bench.tell(Kind.CONFIRM, number=2)
    assert counts(bench)
    assert bench.match.both == (None, frozenset())


@pytest.mark.parametrize("way", WAYS)
def test_both_may_type_it_and_another_line_means_the_same(way: Callable[[], Bench]) -> None:
    """Each in their own name; taking the taking back back is nothing else than redo."""
    bench = way().tell(Kind.TYPED, "1: redo")
    assert (bench.match.agreed, counts(bench)) == ({1}, False)
    assert counts(bench.tell(Kind.TYPED, "2: redo"))
    bench = way()
    line = f"take back {len(bench.game.entries)}"
    bench.tell(Kind.TYPED, line)
    assert not counts(bench)
    assert counts(bench.tell(Kind.TYPED, f"1: {line}").tell(Kind.TYPED, f"2: {line}"))


@pytest.mark.parametrize("way", WAYS)
def test_a_word_for_it_can_be_taken_back(way: Callable[[], Bench]) -> None:
    """And ends with whatever changes the game; another line is another thing to agree to."""
    bench = way().tell(Kind.TYPED, "1: redo").tell(Kind.WITHDRAW, number=1)
    assert (bench.match.wish, Kind.BRING_BACK in offered(bench.match)) == (None, False)
    assert not counts(bench.tell(Kind.TYPED, "2: redo"))
    bench = way().tell(Kind.TYPED, "1: redo").tell(Kind.TYPED, f"2: take back {len(way().game.entries)}")
    assert (bench.match.agreed, counts(bench)) == ({2}, False)
    bench = way().tell(Kind.TYPED, "1: redo").tell(Kind.TYPED, LEGAL[1])
    assert (bench.match.wish, bench.match.bringing) == (None, "")
    assert (
        bench.tell(Kind.BRING_BACK, number=2).match.notice == "Nothing is asked that would be brought back."
    )


def test_a_hand_on_its_way_to_a_button_ends_nothing() -> None:
    """The table is as the record says meanwhile: what was taken back need not lie there."""
    bench = let_stand().tell(Kind.TYPED, "1: redo").see(Nothing())
    assert bench.match.both == (Kind.BRING_BACK, frozenset({1}))
    assert counts(bench.tell(Kind.CONFIRM, number=2))


def test_in_a_break_and_without_a_camera_too() -> None:
    """It needs no picture: what is brought back is in the record."""
    for kind, phase in ((Kind.PAUSE, Phase.PAUSED), (Kind.LOST, Phase.CAMERA_LOST)):
        bench = let_stand().tell(kind, "away").tell(Kind.TYPED, "redo")
        assert bench.phase is phase
        assert counts(bench.tell(Kind.CONFIRM, number=1).tell(Kind.CONFIRM, number=2))


def test_what_one_may_do_alone_needs_no_second_word_to_be_done_again() -> None:
    """A move that was undone, a correction, a piece set by hand: one press or one line."""
    bench = playing()
    bench.see(ruled(bench.game, LEGAL[1])).wait(1.0).tell(Kind.UNDO).tell(Kind.TYPED, "redo")
    assert (bench.texts()[-1], bench.match.wish) == (LEGAL[1], None)
    bench = playing().tell(Kind.TYPED, "put turn 2").tell(Kind.UNDO).tell(Kind.TYPED, "2: redo")
    assert bench.game.steps[-1].happened.kind == "set"
    assert bench.match.wish is None


def test_a_move_that_waits_is_confirmed_and_not_what_was_taken_back() -> None:
    """A screen that shows a move means it; what was agreed to before it is off."""
    bench = let_stand().tell(Kind.TYPED, "1: redo")
    bench.see(ruled(bench.game, LEGAL[1]))
    assert (bench.phase, bench.match.wish) == (Phase.RULED, None)
