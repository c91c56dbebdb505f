"""What is followed from look to look: a move that was told came first, though nobody has confirmed it."""

from dataclasses import replace
from types import SimpleNamespace
from typing import Any, cast

import pytest

from device.live.attended import Attended
from device.live.followed import Followed
from engine.matching import Choice, Follower, Question, Revision, Ruled
from tests.engine.matching.test_clutter import AGREED, HISTORY, NEXT, table

SEEN = table(NEXT, visits=1, by=1)


def followed_on(verdict: Ruled) -> tuple[Ruled, ...]:
    """What is followed on like an answer once this was told."""
    read = cast("Any", SimpleNamespace(seen=SimpleNamespace(scene=SEEN)))
    before = Attended()
    now, attended = Followed(follower=AGREED).told(verdict, read, before, stood=False)
    assert isinstance(now.follower, Follower)
    assert (attended is before) == (not now.follower.open), "who comes from now on is counted by itself"
    return now.follower.open


def told() -> Ruled:
    """The move that lies there."""
    verdict = AGREED.see(SEEN)
    assert isinstance(verdict, Ruled)
    return verdict


def test_a_move_that_was_told_and_waits_is_followed_on_like_an_answer() -> None:
    """It is clear, and all that lies there."""
    assert followed_on(told()) == (told(),)


@pytest.mark.parametrize("also", ["more", "revised", "alike"])
def test_what_is_told_in_part_or_in_doubt_is_not(also: str) -> None:
    """Of two dice another may have done it, the rest is told next, or the record is corrected by it first."""
    one, happened = told(), told().happened
    other = {
        "more": replace(one, more=True),
        "revised": replace(one, revised=(Revision(1, "2: 5-6 by 6 at east"),)),
        "alike": replace(one, happened=(replace(happened[0], alike=("1: 1-6 by 6 at south",)),)),
    }[also]
    assert followed_on(other) == ()


def test_once_it_counts_nothing_is_open() -> None:
    """The next look begins with the record again."""
    waiting = AGREED.asking(Question("", (Choice("", told()),)), SEEN)
    assert waiting.open == (told(),)
    assert waiting.after(HISTORY.move("1: 1-6 by 6 at east"), SEEN).open == ()
