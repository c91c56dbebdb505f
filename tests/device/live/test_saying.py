"""What is looked at a second time before anything is said of it."""

from dataclasses import replace

import pytest

from device.live.saying import is_plain, needs_another_look, surely_done
from engine.matching import Happened, Incomplete, Nothing, OutOfStep, Ruled, Verdict
from engine.matching.outcome import Difference
from tests.device.match.match_bench import FACTS, ILLEGAL, LEGAL, game, ruled

AMISS = (Difference("The 3-3 should lie in the pool and is not seen there.", "pool", ""),)


@pytest.mark.parametrize(("verdict", "again"), [
    (Incomplete("The opening must be set up.", differences=AMISS), True),
    (Incomplete("The dice must be rolled."), False),
    (OutOfStep(AMISS), True),
    (Nothing(), False),
])  # fmt: skip
def test_where_something_is_amiss_a_second_look_may_mend_it(verdict: Verdict, *, again: bool) -> None:
    """An opening that one look misread would else wait for the next hand; what is to come may wait."""
    assert needs_another_look(verdict, None) is again


def test_what_was_read_in_doubt_after_a_move_is_left_for_later() -> None:
    """The move is sure, and what a tile shows that was turned with it may be seen better then."""
    base = game(*FACTS)
    move = ruled(base, LEGAL[0])
    sure, doubted = (
        Happened("fact", "see roll d d d d", None, alike=alike) for alike in ((), ("see roll d",))
    )
    both = replace(move, happened=(*move.happened, sure, doubted))
    left = surely_done(both)
    assert left == replace(move, happened=(*move.happened, sure), more=True)
    assert is_plain(left)
    assert not is_plain(both)
    assert needs_another_look(left, base)


def test_nothing_is_left_for_later_of_what_came_before_a_move_or_of_a_refused_one() -> None:
    """A move hangs on what was read before it."""
    base = game(*FACTS)
    doubted = Happened("fact", "see first 1", None, alike=("see first 2",))
    move, refused = ruled(base, LEGAL[0]), ruled(base, ILLEGAL)
    for verdict in (
        move,
        replace(move, happened=(doubted, *move.happened)),
        replace(move, happened=(doubted,)),
        refused,
        Ruled((), 9.0),
        Nothing(),
    ):
        assert surely_done(verdict) is verdict
