"""Measuring how many tables are taken up as they are set up."""

import json

import pytest

from training.game_playing import Sitting
from training.measure_setups import main, refusal


def test_a_table_is_taken_up_or_it_is_told_what_it_lacks(capsys: pytest.CaptureFixture[str]) -> None:
    """A line for each that is not, and how many are."""
    assert refusal(Sitting("draw-game", 7)) == ""
    assert main(["--n", "1", "--seed", "11"]) == 0  # most backs look like the wood that they lie on
    *refused, figures = capsys.readouterr().out.splitlines()
    assert all(one.startswith("draw-game 11: ") for one in refused)
    taken = json.loads(figures)["taken_up"]
    assert (taken["hits"], taken["n"]) == (1 - len(refused), 1)
