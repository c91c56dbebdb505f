"""No camera fault ends a match, whatever state it is in, and people are told in time."""

from itertools import product
from pathlib import Path

import pytest

from tests.device.camera_faults import FAULTS, MOVED, STATES, tried
from tests.device.match.bench import FACTS, LEGAL
from tests.device.moved_camera import begins

TOLD_S, BACK_S = 7.5, 15.0
"""So long at most until people are told, and until the table is followed again."""
FELT_S = 1.0
"""So long at most until the markers of a camera that was moved are no longer trusted."""
QUICK = [("hang", "asking"), ("tear", "watching"), ("turn 90", "watching"), ("shift", "asking")]
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
    if fault not in ("nudge", "dim", *MOVED) and state not in ("paused", "lobby"):
        assert outcome.words
    if fault in MOVED and state != "lobby":
        assert outcome.felt_s is not None
        assert outcome.felt_s < FELT_S


@pytest.mark.parametrize("fault", ["turn 90", "turn 180"])
def test_a_camera_turned_between_two_matches_is_no_fault_of_the_next(tmp_path: Path, fault: str) -> None:
    """It begins, and its first move counts: the markers say where the table lies now."""
    assert begins(tmp_path, fault) == [*FACTS, LEGAL[0]]
