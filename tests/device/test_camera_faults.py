"""No camera fault ends a match, whatever state it is in, and people are told in time."""

from itertools import product
from pathlib import Path
from threading import enumerate as threads

import pytest

from tests.device.camera_faults import BEGIN, DOCUMENT, END, FAULTS, IN_A_MATCH, MOVED, STATES, cell, tried
from tests.device.match.match_bench import FACTS, LEGAL
from tests.device.moved_camera import begins

TABLE = DOCUMENT.read_text(encoding="utf-8").partition(BEGIN)[2].partition(END)[0].strip().splitlines()
HEAD, _, *ROWS = [line.strip("| ").split(" | ") for line in TABLE]
TOLD = {row[0]: dict(zip(HEAD[1:], row[1:], strict=True)) for row in ROWS}
"""The table of the document."""
TOLD_S, BLUR_TOLD_S, BACK_S, START_BACK_S = 5.05, 5.5, 15.0, 30.0
"""So long at most until people are told, later where a lens is sent back first, three times; and until the
table is followed again, also by a camera that starts: its process is given 20 s for its first picture."""
MENDED = ("nudge", "dim", "vanish", "size", "blur", *MOVED)
"""With these no three seconds pass without a picture, however long lens or process take to be well."""
NEAR_S = 0.35
"""So near are the document's figures: a few frames."""
FELT_S = 1.0
"""So long at most until the markers of a camera that was moved are no longer trusted."""
QUICK = [("hang", "asking"), ("tear", "watching"), ("turn 90", "watching"), ("shift", "asking"),
         ("hang", "starting"), ("pulled", "between"), ("black", "doctor"), ("tear", "aiming")]  # fmt: skip
EACH = [
    pytest.param(fault, state, marks=[] if (fault, state) in QUICK else [pytest.mark.long, pytest.mark.plain])
    for fault, state in product(FAULTS, STATES)
]


def seconds(words: str) -> list[float]:
    """The figures of a cell; -1 where nobody had to be told."""
    return [float(one.replace("–", "-1")) for one in words.split(" / ")]


@pytest.mark.timeout(300)
@pytest.mark.parametrize(("fault", "state"), EACH)
def test_a_fault_is_told_and_the_match_goes_on(fault: str, state: str) -> None:
    """What counted still does, and so does the next move; what passes sooner need not be told.

    Nobody films on when it is over.
    """
    before = threads()
    outcome = tried(fault, state)
    for one in threads():
        if one not in before:
            one.join(5.0)
            assert not one.is_alive(), one
    if TOLD[fault][state] != "not measured":
        for found, most in zip(seconds(cell(outcome)), seconds(TOLD[fault][state]), strict=True):
            assert (found < 0) == (most < 0)
            assert found <= most + NEAR_S
    assert outcome.goes_on
    assert outcome.noticed_s is None or outcome.noticed_s < (BLUR_TOLD_S if fault == "blur" else TOLD_S)
    assert outcome.back_s < (START_BACK_S if state in ("starting", "doctor") else BACK_S)
    if fault not in MENDED and state in ("watching", "hands", "asking", "illegal"):
        assert outcome.words
    if fault in MOVED and state in IN_A_MATCH:
        assert outcome.felt_s is not None
        assert outcome.felt_s < FELT_S


@pytest.mark.parametrize("fault", ["turn 90", "turn 180"])
def test_a_camera_turned_between_two_matches_is_no_fault_of_the_next(tmp_path: Path, fault: str) -> None:
    """It begins, and its first move counts: the markers say where the table lies now."""
    assert begins(tmp_path, fault) == [*FACTS, LEGAL[0]]


def test_the_document_has_every_fault_in_every_state() -> None:
    """In the order of the trials: `python -m tests.device.camera_faults --write` makes the table."""
    assert ["fault", *STATES] == HEAD
    assert tuple(TOLD) == FAULTS
