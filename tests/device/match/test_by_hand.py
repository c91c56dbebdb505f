"""What people tell by hand, at any time and about any entry."""

from dataclasses import replace

import pytest

from device.match.match_view import view
from device.match.phase import Phase
from device.match.signals import Kind
from engine.matching import Nothing, TakeBack
from tests.device.match.match_bench import FACTS, LEGAL, Bench, playing


def test_a_typed_move_counts_at_once_and_the_table_may_follow() -> None:
    """Until the table shows it, a table as before is no take-back."""
    bench = playing()
    bench.tell(Kind.TYPED, LEGAL[1])
    assert bench.texts()[-1] == LEGAL[1]
    bench.see(TakeBack(1, bench.game.steps[-2].state, "As before.")).wait(5)
    assert bench.phase is Phase.OUT_OF_STEP
    assert bench.texts()[-1] == LEGAL[1]
    assert bench.see(Nothing()).phase is Phase.WATCHING


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        (Kind.CONFIRM, "nothing to confirm"), (Kind.CHOOSE, "Nothing is asked"), (Kind.MISREAD, "no refusal"),
        (Kind.PUT_BACK, "no refused move"), (Kind.LET_STAND, "no refused move"),
    ],
)  # fmt: skip
def test_a_press_of_which_nothing_can_come_is_answered(kind: Kind, words: str) -> None:
    """Whoever presses a button that does nothing now is told so, and nothing changes."""
    bench = playing()
    before = bench.match
    assert words in bench.tell(kind).match.notice
    assert replace(bench.match, notice="") == before


def test_what_cannot_be_understood_is_answered_and_changes_nothing() -> None:
    """A typed line that is no move leaves the match as it is, with a sentence."""
    bench = playing()
    before = bench.match
    bench.tell(Kind.TYPED, "hello")
    assert "is no move" in bench.match.notice
    assert bench.game == before.game
    assert bench.phase is before.phase


def test_each_line_that_is_typed_is_answered_by_its_number() -> None:
    """A page knows which line was heard, and what was wrong with it, whatever else is told meanwhile."""
    bench = playing()
    lines = {"hello": "is no move", "help": "", "stand": "no refused move", "as it is": "", LEGAL[1]: ""}
    for number, (line, wrong) in enumerate(lines.items(), 1):
        told = view(bench.tell(Kind.TYPED, line).match)["typed"]
        assert told["number"] == number
        assert wrong in told["wrong"]
        assert bool(wrong) is bool(told["wrong"])
        bench.tell(Kind.CHOOSE, number=9)
        assert view(bench.match)["typed"] == told


def test_any_entry_can_be_corrected_at_any_time() -> None:
    """A correction of an earlier entry is worked through, in whatever phase the match is."""
    for kind in (Kind.TIME, Kind.PAUSE, Kind.LOST, Kind.HAND):
        bench = Bench(*FACTS, *LEGAL[:2])
        bench.tell(kind).tell(Kind.TYPED, "correct 3: 1: take 3")
        assert bench.game.entries[-1].correct == 3
        assert bench.texts()[2] == "1: take 3"


def test_a_game_can_begin_by_hand() -> None:
    """With no camera at all, the first typed line begins the game."""
    bench = Bench()
    bench.tell(Kind.LOST, "There is no camera.").tell(Kind.TYPED, FACTS[0])
    assert bench.phase is Phase.CAMERA_LOST
    assert bench.texts() == [FACTS[0]]
    assert [draft.kind for draft in bench.written] == ["begin", "entry"]
