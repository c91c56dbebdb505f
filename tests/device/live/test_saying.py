"""What is looked at a second time before anything is said of it."""

import pytest

from device.live.saying import needs_another_look
from engine.matching import Incomplete, Nothing, OutOfStep, Verdict
from engine.matching.outcome import Difference

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
