"""What `pipwatch run` prints besides the rulings."""

import json
from dataclasses import replace

import pytest

from device.cli.terminal_words import step_json, step_lines
from device.cli.told_rulings import Telling, correction
from device.match.match import Match
from device.match.phase import Phase
from engine.history import History
from engine.record import Happening


def test_what_could_not_be_done_is_told_once_at_the_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    """Whoever presses a key of which nothing comes reads why; a program that reads along does not."""
    for as_json in (False, True):
        telling = Telling(as_json=as_json)
        pressed = Match(phase=Phase.WATCHING, notice="Nothing is asked.")
        for match in (pressed, replace(pressed, version=1), replace(pressed, notice=""), pressed):
            telling.tell(match, 0.0)
        assert capsys.readouterr().out.count("Nothing is asked.") == (0 if as_json else 2)


def test_a_question_that_was_answered_by_what_followed_is_told_once(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Programs read it as a line with words, people as a sentence."""
    for as_json in (False, True):
        telling = Telling(as_json=as_json)
        settled = Match(phase=Phase.RULED, answered="It was the ace.")
        for match in (settled, replace(settled, version=1)):
            telling.tell(match, 1.25)
        out = capsys.readouterr().out
        assert out.count("It was the ace.") == 1
        if as_json:
            told = json.loads(out)
            assert (told["words"], told["at_s"]) == ("It was the ace.", 1.25)


def test_what_else_it_may_have_been_is_told_with_each_entry() -> None:
    """In words and as JSON; what was certain says nothing of the kind, and a correction says what it was."""
    history = History.begin("dominoids", seed=3).move("1: dice suns moons", ("1: dice suns arms",))
    assert step_json(history.steps[0])["alike"] == ["1: dice suns arms"]
    assert list(step_lines(history.steps[0]))[-1].strip() == "? or it was 1: dice suns arms"
    history = history.correct(1, Happening("move", "1: dice suns arms"), "told by what followed")
    assert "alike" not in step_json(history.steps[0])
    told = "! entry 1 corrected: 1: dice suns arms (told by what followed)"
    assert correction(history.entries[-1]) == told
    assert correction(history.correct(1, None).entries[-1]) == "! entry 1 taken back"


def test_a_sentence_that_still_holds_is_said_once(capsys: pytest.CaptureFixture[str]) -> None:
    """Hands come and go and the table is as it was; said again it is only where all was well meanwhile."""
    asking = Match(phase=Phase.OUT_OF_STEP, words="They disagree.", places=("c7 lacks its pawn.",))
    hands, looking = Match(phase=Phase.HANDS), Match(phase=Phase.SETTLING)
    watching = Match(phase=Phase.WATCHING)
    telling = Telling(as_json=False)
    for match in (asking, hands, looking, asking, replace(asking, places=("c8 lacks its pawn.",))):
        telling.tell(match, 0.0)
    out = capsys.readouterr().out
    assert (out.count("disagree"), out.count("c7"), out.count("c8")) == (2, 1, 1)
    for match in (asking, looking, asking, watching, asking):
        telling.tell(match, 0.0)
    assert capsys.readouterr().out.count("c7") == 2


def test_a_sentence_is_said_again_once_something_was_recorded(capsys: pytest.CaptureFixture[str]) -> None:
    """Whoever reads along knows that it was looked at since."""
    telling, game = Telling(as_json=True), History.begin("dominoids", seed=3)
    for known in (game, game.move("1: dice suns moons")):
        telling.tell(Match(phase=Phase.OUT_OF_STEP, words="They disagree.", game=known), 0.0)
    assert capsys.readouterr().out.count("They disagree.") == 2
