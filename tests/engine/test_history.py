"""The folded game: entries, corrections, undo, stands, and late rulings."""

from dataclasses import replace

import pytest

from engine import BadNotation, BadProfile, CannotStand, ImpossibleFact, State
from engine.history import History
from engine.record import Happening, Record, read, write

pytestmark = pytest.mark.usefixtures("toy_game")


def played(*lines: str) -> History:
    """A toy game in which these lines were typed."""
    history = History.begin("toy")
    for line in lines:
        history = history.fact(line) if line.startswith("see") else history.move(line)
    return history


def test_a_legal_move_is_played_and_an_illegal_one_is_recorded_but_not_played() -> None:
    """A refused move stays in the record with its ruling and leaves the state as it was."""
    history = played("see 4", "1: +3", "see 2", "2: +5")
    assert [step.verdict for step in history.steps] == ["seen", "legal TOY-1", "seen", "illegal TOY-1"]
    assert history.scores.totals == (3, 0)
    assert history.entries[3].ruling is not None
    assert history.entries[3].ruling["nearest"] == ["2: +2", "2: +1"]


def test_a_refused_move_can_be_let_stand() -> None:
    """An illegal move that the players let stand counts, is marked, and keeps its ruling."""
    history = played("see 2", "1: +5").stand("we like it")
    assert history.scores.totals == (5, 0)
    assert history.steps[-1].verdict == "illegal TOY-1, stands"
    assert history.entries[-1].why == "we like it"
    with pytest.raises(CannotStand):
        history.stand()
    with pytest.raises(CannotStand):
        played("see 2", "1: +51").stand()
    with pytest.raises(CannotStand):
        History.begin("toy").stand()


def test_nothing_is_added_by_what_cannot_be() -> None:
    """An unreadable or impossible line raises one sentence and leaves the history as it was."""
    history = played("see 2")
    with pytest.raises(ImpossibleFact, match="OBS-TOY-1"):
        history.fact("see 3")
    with pytest.raises(BadNotation, match="'1: \\+3'"):
        history.move("plus three")
    assert len(history.entries) == 1


def test_a_correction_judges_everything_after_it_anew() -> None:
    """Changing an early entry re-judges and re-scores all later ones and lists what changed."""
    before = played("see 4", "1: +3", "see 5", "2: +4")
    after = before.correct(3, Happening("fact", "see 2"))
    assert [step.verdict for step in after.steps] == ["seen", "legal TOY-1", "seen", "illegal TOY-1"]
    assert after.scores.totals == (3, 0)
    assert [change.entry for change in after.changes_since(before)] == [3, 4]
    assert "illegal TOY-1" in str(after.changes_since(before)[1])
    assert len(after.entries) == 5


def test_what_a_correction_changed_is_no_disagreement_with_the_record() -> None:
    """A ruling that was right when it was written is not held against the record after a correction."""
    history = played("see 4", "1: +3", "see 5", "2: +4").correct(3, Happening("fact", "see 2"))
    assert history.steps[-1].verdict == "illegal TOY-1"
    assert not list(history.disagreements())


def test_a_later_entry_that_became_impossible_is_kept_and_named() -> None:
    """What no longer fits after a correction is not dropped but shown as impossible."""
    history = played("see 4", "1: +3", "see 5").correct(2, None)
    assert history.steps[-1].verdict == "impossible"
    assert "OBS-TOY-1" in history.steps[-1].problem
    assert history.state == played("see 4").state


def test_undo_takes_back_the_last_entry_and_can_be_undone() -> None:
    """Undo is a correction: nothing is erased, and undoing it brings the entry back."""
    history = played("see 4", "1: +3")
    undone = history.undo()
    assert undone.state == played("see 4").state
    assert len(undone.entries) == 3
    again = undone.correct(3, None)
    assert again.state == history.state
    assert undone.undo().state == History.begin("toy").state
    with pytest.raises(BadNotation, match="nothing to undo"):
        History.begin("toy").undo()


def test_redo_walks_back_what_undo_took() -> None:
    """Undo twice, redo twice: the game is as it was. What is said in between ends that."""
    assert played().undone is None
    history = played("see 4", "1: +3", "see 5")
    assert history.undone is None
    with pytest.raises(BadNotation, match="nothing to redo"):
        history.redo()
    twice = history.undo().undo()
    assert twice.undone is not None
    assert twice.undone.correct == 2
    once = twice.redo()
    assert once.state == played("see 4", "1: +3").state
    both = once.redo()
    assert both.state == history.state
    assert both.undone is None
    assert both.undo().redo().state == history.state
    assert twice.move("1: +2").undone is None
    assert [entry.n for entry in both.counting] == [1, 2, 3]


def test_a_stand_can_be_taken_back_but_not_turned_into_something_else() -> None:
    """Taking back a stand makes the move refused again."""
    history = played("see 2", "1: +5").stand()
    assert history.undo().scores.totals == (0, 0)
    assert history.correct(3, None).scores.totals == (0, 0)
    with pytest.raises(BadNotation, match="only be taken back"):
        history.correct(3, Happening("move", "+1"))


def test_a_missed_entry_can_be_put_in_before_a_later_one() -> None:
    """An inserted entry is judged in its place, and what follows it anew."""
    history = played("see 4", "1: +3", "1: +1")
    assert history.steps[-1].verdict == "illegal TOY-2"
    mended = history.insert(3, Happening("fact", "see 6")).insert(3, Happening("move", "2: +6"))
    assert [step.happened.text for step in mended.steps] == ["see 4", "1: +3", "see 6", "2: +6", "1: +1"]
    assert mended.scores.totals == (3, 6)
    assert mended.undo().scores.totals == (3, 0)


def test_a_correction_can_itself_be_corrected() -> None:
    """A second thought about a correction takes the place of the first."""
    history = played("see 4", "1: +3").correct(2, Happening("move", "1: +2"))
    assert history.scores.totals == (2, 0)
    assert history.correct(3, Happening("move", "1: +1")).scores.totals == (1, 0)
    assert history.correct(3, None).scores.totals == (3, 0)
    assert history.correct(2, Happening("move", "1: +4")).scores.totals == (4, 0)


def test_a_correction_of_a_correction_of_a_correction_holds() -> None:
    """However often a correction is corrected, the last word counts; taken back, the one before does."""
    history = played("see 4", "1: +3").correct(2, Happening("move", "1: +2"))
    history = history.correct(3, Happening("move", "1: +1")).correct(4, Happening("move", "1: +4"))
    assert [step.happened.text for step in history.steps] == ["see 4", "1: +4"]
    assert history.correct(4, None).scores.totals == (2, 0)
    assert history.correct(3, None).scores.totals == (3, 0)
    totals = []
    for _ in range(5):
        history = history.undo()
        totals.append(history.scores.totals[0])
    assert totals == [1, 2, 3, 0, 0]
    assert history.steps == ()


def test_an_insertion_before_a_word_about_an_entry_goes_to_that_entrys_place() -> None:
    """What is inserted before a correction or a stand is not lost: it comes before what these speak of."""
    corrected = played("see 4", "1: +3").correct(2, Happening("move", "1: +2"))
    inserted = corrected.insert(3, Happening("move", "2: +1"))
    assert [step.happened.text for step in inserted.steps] == ["see 4", "2: +1", "1: +2"]
    stood = played("see 2", "1: +5").stand().insert(3, Happening("move", "2: +1"))
    assert [step.verdict for step in stood.steps] == ["seen", "illegal TOY-2", "illegal TOY-1, stands"]


@pytest.mark.parametrize("mended", [Happening("move", "2: +4"), None])
def test_an_insertion_keeps_what_was_inserted_before_it(mended: Happening | None) -> None:
    """Correcting an inserted entry, or taking it back, leaves the entries inserted before it alone."""
    history = (
        played("see 4", "1: +3").insert(2, Happening("move", "2: +1")).insert(3, Happening("move", "2: +2"))
    )
    after = history.correct(3, mended)
    texts = [step.happened.text for step in after.steps]
    assert texts == ["see 4", "2: +2", *([mended.text] if mended else []), "1: +3"]


def test_a_stand_follows_its_move_through_corrections_and_falls_with_it() -> None:
    """A stand belongs to what happened in that place, however worded; without the move it is nothing."""
    history = played("see 2", "1: +5").correct(2, Happening("move", "1: +4")).stand()
    assert history.correct(3, Happening("move", "1: +3")).scores.totals == (3, 0)
    assert history.correct(3, None).steps[-1].verdict == "illegal TOY-1"
    gone = played("see 2", "1: +5").stand().correct(2, None)
    assert gone.undo().steps == ()


def test_a_correction_must_name_an_entry_that_is_there_and_be_readable() -> None:
    """A correction of nothing, or into nonsense, is refused in one sentence."""
    history = played("see 4")
    with pytest.raises(BadNotation, match="no entry 9"):
        history.correct(9, None)
    with pytest.raises(BadNotation, match="no entry 0"):
        history.insert(0, Happening("move", "+1"))
    with pytest.raises(BadNotation, match="is no fact"):
        history.correct(1, Happening("fact", "see it"))


def test_late_rulings_are_told_once_when_they_come_out() -> None:
    """A bluff is unverifiable when made and told by the very step that proves it."""
    history = played("see 4", "1: +0", "see 6", "2: +1", "see 1")
    assert history.steps[1].verdict == "unverifiable TOY-1"
    assert [len(step.late) for step in history.steps] == [0, 0, 1, 0, 0]
    assert history.steps[2].late[0].to_json()["turn"] == 1


def test_steps_before_a_correction_are_not_judged_again() -> None:
    """Only what follows a correction is folded anew, so that a correction costs what it must."""
    before = played("see 4", "1: +3", "see 5", "2: +4")
    after = before.correct(4, Happening("move", "2: +5"))
    assert all(new is old for new, old in zip(after.steps[:3], before.steps[:3], strict=True))


def test_the_outcome_and_the_state_follow_the_record() -> None:
    """The end of a game is found again from its entries alone, under the profile of the header."""
    history = History.begin("toy", "short", seed=3)
    assert history.header.seed == 3
    assert history.header.settings == {"goal": 5}
    history = history.fact("see 6").move("1: +6")
    assert history.outcome is not None
    assert history.outcome.winner == 1
    assert history.outcome.to_json()["rule"] == "TOY-1"
    assert State.from_json(history.state.to_json()) == history.state
    assert history.step_of(2) is history.steps[1]
    assert history.step_of(7) is None


def test_a_record_keeps_the_readings_under_which_it_was_played() -> None:
    """Old games are judged by the settings in their header, whatever the defaults have become since."""
    history = History.begin("toy")
    header = replace(history.header, settings={"goal": 7})
    again = History.of(Record(header, ()))
    assert str(again.book.profile) == "default+goal=7"
    with pytest.raises(BadProfile, match="goal cannot be"):
        History.of(Record(replace(header, settings={"goal": [7]}), ()))


def test_a_table_that_somebody_sets_goes_on_from_there_and_can_be_taken_back() -> None:
    """The entries before stay; what follows is judged from the table that was set; undo leads back."""
    before = played("see 4", "1: +3")
    there = before.state._replace(total=5, roll=2)  # type: ignore[attr-defined]
    after = before.put(there, "the table as it is", "nobody saw why").move("2: +2")
    assert [step.verdict for step in after.steps] == ["seen", "legal TOY-1", "set", "legal TOY-1"]
    assert after.state.total == 7  # type: ignore[attr-defined]
    assert after.entries[2].why == "nobody saw why"
    again = History.of(read(write(after.header, after.entries)))
    assert (again.entries, again.state) == (after.entries, after.state)
    assert after.undo().undo().state == before.state
    assert after.correct(1, Happening("fact", "see 5")).state == after.state


def test_a_table_that_cannot_be_is_kept_and_named() -> None:
    """A record may say anything; a correction may set a table as well, and nothing follows from a bad one."""
    before = played("see 4", "1: +3")
    bad = before.correct(2, Happening("set", "so", state={"version": 7}))
    assert bad.steps[-1].verdict == "impossible"
    assert "version 1" in bad.steps[-1].problem
    assert before.correct(2, Happening("set", "so")).steps[-1].problem
