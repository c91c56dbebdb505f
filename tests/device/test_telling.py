"""What `pipwatch run` prints besides the rulings."""

from dataclasses import replace

import pytest

from device.cli.telling import Telling
from device.match.match import Match
from device.match.phase import Phase


def test_what_could_not_be_done_is_told_once_at_the_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    """Whoever presses a key of which nothing comes reads why; a program that reads along does not."""
    for as_json in (False, True):
        telling = Telling(as_json=as_json)
        pressed = Match(phase=Phase.WATCHING, notice="Nothing is asked.")
        for match in (pressed, replace(pressed, version=1), replace(pressed, notice=""), pressed):
            telling.tell(match, 0.0)
        assert capsys.readouterr().out.count("Nothing is asked.") == (0 if as_json else 2)
