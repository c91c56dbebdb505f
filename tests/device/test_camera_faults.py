"""No camera fault ends a match, whatever state it is in, and people are told in time."""

from itertools import product

import pytest

from tests.device.camera_faults import FAULTS, STATES, tried

TOLD_S, BACK_S = 7.5, 15.0
"""So long at most until people are told, and until the table is followed again."""
QUICK = [("hang", "asking"), ("tear", "watching")]
EACH = [
    pytest.param(fault, state, marks=[] if (fault, state) in QUICK else [pytest.mark.long])
    for fault, state in product(FAULTS, STATES)
]


@pytest.mark.timeout(300)
@pytest.mark.parametrize(("fault", "state"), EACH)
def test_a_fault_is_told_and_the_match_goes_on(fault: str, state: str) -> None:
    """What counted still does, and so does the next move; what passes sooner need not be told."""
    outcome = tried(fault, state)
    assert outcome.goes_on
    assert outcome.noticed_s is None or outcome.noticed_s < TOLD_S
    assert outcome.back_s < BACK_S
    if fault not in ("nudge", "dim") and state not in ("paused", "lobby"):
        assert outcome.words
