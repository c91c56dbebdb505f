"""Take-backs that the table shows, undo, and what was challenged."""

import pytest

from device.match.acts import taken_up
from device.match.acts.steps import TAKEN
from device.match.match import Match
from device.match.phase import Phase
from device.match.signals import Kind, SetUp
from device.match.transitions import offered
from engine.history import History
from engine.matching import Nothing, TakeBack
from tests.device.match.match_bench import (
    DIFFERENT,
    FACTS,
    LEGAL,
    UNFINISHED,
    Bench,
    asked,
    game,
    playing,
    ruled,
)


def test_a_table_as_before_takes_the_last_moves_back() -> None:
    """The steps that the table no longer shows are taken back, each an entry of its own."""
    bench = Bench(*FACTS, *LEGAL[:2])
    bench.see(TakeBack(2, bench.game.steps[1].state, "Two moves were taken back.")).wait(1.0)
    assert bench.texts() == list(FACTS)
    assert [entry.correct for entry in bench.game.entries[-2:]] == [4, 3]


def test_undo_takes_back_the_last_move_and_waits_for_the_table() -> None:
    """A move undone by button still lies there; it is not taken for a new one until it was put back."""
    bench = Bench(*FACTS, *LEGAL[:2])
    bench.tell(Kind.UNDO)
    assert LEGAL[1] not in bench.texts()
    bench.see(ruled(bench.game, LEGAL[1])).wait(5)
    assert bench.phase is Phase.OUT_OF_STEP
    assert LEGAL[1] in bench.match.words
    assert bench.see(Nothing()).phase is Phase.WATCHING
    assert bench.see(ruled(bench.game, LEGAL[1])).wait(1.0).phase is Phase.WATCHING
    assert bench.texts()[-1] == LEGAL[1]


def test_undo_walks_back_to_the_beginning() -> None:
    """Undo after undo takes the moves back, then the facts they began with; with nothing left, it says so."""
    bench = Bench(*FACTS, *LEGAL[:2])
    for left in (3, 2, 1, 0):
        assert len(bench.tell(Kind.UNDO).texts()) == left
    assert "nothing to undo" in bench.tell(Kind.UNDO).match.notice
    assert Kind.UNDO not in offered(Bench().match)


REACHED = {
    "watching": lambda bench: bench,
    "hands": lambda bench: bench.tell(Kind.HAND),
    "settling": lambda bench: bench.tell(Kind.HAND).tell(Kind.FREE),
    "unfinished": lambda bench: bench.see(UNFINISHED),
    "asking": lambda bench: bench.see(asked(bench.game, "1: take 2")),
    "illegal": lambda bench: bench.see(ruled(bench.game, "2: take 2")),
    "out of step": lambda bench: bench.see(DIFFERENT),
    "paused": lambda bench: bench.tell(Kind.PAUSE),
    "camera lost": lambda bench: bench.tell(Kind.LOST, "unplugged"),
}


@pytest.mark.parametrize("phase", REACHED)
def test_all_since_an_entry_is_taken_back_from_every_phase(phase: str) -> None:
    """Also what a table was taken for, that lies between."""
    bench = Bench(*FACTS, LEGAL[0], calm_s=5.0)
    bench.both(Kind.AS_IT_IS).give(SetUp(bench.game.put(bench.game.state, TAKEN))).tell(Kind.TYPED, LEGAL[1])
    REACHED[phase](bench)
    assert str(bench.phase) == phase or phase == "watching"
    bench.tell(Kind.TYPED, "back to 2")
    assert bench.texts() == list(FACTS)
    assert bench.game.entries[-1].why == "back to entry 2"


def test_a_game_that_is_over_is_taken_back() -> None:
    """The end was a misreading: the game goes on from before it."""
    over = History.begin("dominoids", seed=3)
    over = over.move("1: agree").move("2: agree")
    bench = Bench()
    bench.match = taken_up(Match(blank=History.begin("dominoids")), over)
    assert bench.phase is Phase.FINISHED
    bench.tell(Kind.TYPED, "back to 1")
    assert bench.phase is Phase.SETTLING
    assert bench.game.outcome is None
    assert bench.tell(Kind.TYPED, "back to 0").texts() == []


@pytest.mark.parametrize(
    ("line", "words"), [("back to 9", "no way back to it"), ("back to 3", "Nothing was done")]
)
def test_there_is_no_way_back_to_what_was_not(line: str, words: str) -> None:
    """A sentence, and nothing changes."""
    bench = playing()
    before = bench.game
    assert words in bench.tell(Kind.TYPED, line).match.notice
    assert bench.game == before


def test_a_piece_is_set_by_a_typed_line() -> None:
    """It is an entry, waits for the table to show it, and undo leads back."""
    bench = playing()
    before = bench.texts()
    bench.tell(Kind.TYPED, "put die 2 2")
    assert bench.texts() == [*before, "by hand: put die 2 2"]
    assert bench.phase is Phase.SETTLING
    assert bench.tell(Kind.UNDO).texts() == before


def test_an_undo_is_still_known_after_a_restart() -> None:
    """The withdrawn move that still lies on the table is not taken for a new one by the next process."""
    bench = Bench(*FACTS, *LEGAL[:2])
    bench.tell(Kind.UNDO)
    bench.match = taken_up(Match(blank=game()), bench.game)
    assert bench.phase is Phase.SETTLING
    assert bench.see(ruled(bench.game, LEGAL[1])).phase is Phase.OUT_OF_STEP


def test_a_challenged_move_is_not_proposed_again() -> None:
    """Challenged before it counts, it waits for the table or for words."""
    bench = playing()
    bench.see(ruled(bench.game, LEGAL[1])).tell(Kind.UNDO)
    assert bench.phase is Phase.OUT_OF_STEP
    assert bench.see(ruled(bench.game, LEGAL[1])).wait(5).phase is Phase.OUT_OF_STEP
    assert bench.notes() == ["challenged"]
    bench.tell(Kind.TYPED, "2: take 1+2")
    assert bench.texts()[-1] == "2: take 1+2"


def test_a_challenged_take_back_is_not_proposed_again() -> None:
    """The same holds for a take-back that nobody made."""
    bench = Bench(*FACTS, *LEGAL[:2])
    back = TakeBack(1, bench.game.steps[2].state, "A move was taken back.")
    bench.see(back).tell(Kind.UNDO).see(back).wait(5)
    assert bench.phase is Phase.OUT_OF_STEP
    assert bench.texts()[-1] == LEGAL[1]
