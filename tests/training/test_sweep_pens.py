"""Sweeps of one property of a pen: the same maps throughout, one thing changed, each value told."""

import json

import cv2
import numpy as np
import pytest

from engine.kingdomino_duel.edition import COATS
from simulation.coat_strokes import DrawingWays
from simulation.filled_sheet import OUR_FORM, SQUARE_PX, printed_form
from training import sweep_pens
from training.sweep_pens import BASE, MOST, SWEEPS, PenSetting, main, maps_with, photo_of


@pytest.fixture
def few_games(monkeypatch: pytest.MonkeyPatch) -> None:
    """Search few maps, so that a test is quick."""
    monkeypatch.setattr(sweep_pens, "_LOOKED_AT", 4)


def test_the_maps_have_enough_squares_of_the_coat(monkeypatch: pytest.MonkeyPatch) -> None:
    """Maps are taken, the richest first, until there are enough squares; the same seed takes the same."""
    monkeypatch.setattr(sweep_pens, "_LOOKED_AT", 16)
    maps = maps_with(("stripe", "two-stripes"), 5)
    numbers = (COATS.index("stripe"), COATS.index("two-stripes"))
    counts = [sum(mark.coat in numbers for mark in one.marks()) for one in maps]
    assert sum(counts) >= MOST > sum(counts[:-1])
    assert counts == sorted(counts, reverse=True)
    assert [one.rows for one in maps] == [one.rows for one in maps_with(("stripe", "two-stripes"), 5)]


@pytest.mark.parametrize("name", SWEEPS)
def test_each_value_of_a_sweep_is_a_setting_of_its_own(name: str) -> None:
    """No two values give the same setting; the first and the last leave ink on a coat that counts."""
    sweep = SWEEPS[name]
    settings: list[PenSetting] = [sweep.change(BASE, value) for value in sweep.values]
    assert all(one != other for k, one in enumerate(settings) for other in settings[:k])
    cells = (((sweep.coats[0], 1), *[None] * 6), *[(None,) * 7] * 4)
    printed = printed_form(OUR_FORM)[0]
    for one in (settings[0], settings[-1]):
        rng = np.random.default_rng(1)
        paper = sweep_pens.sheet_by_ways(OUR_FORM, cells, rng, (one.nib, one.wrist), one.ways)
        (x, y) = (paper.corners[0, 0] + SQUARE_PX / 2).astype(int)
        part = (slice(y - 36, y + 37), slice(x - 36, x + 37))
        assert (printed[part] - paper.image[part]).max() > 0.05


def test_nothing_but_the_property_changes(few_games: None) -> None:  # noqa: ARG001
    """Two photos of one map at two slants differ in the striped squares and nowhere else."""
    kingdom = maps_with(("stripe",), 5, 1)[0]
    turned = [SWEEPS["slant-one"].change(BASE, slant) for slant in (30.0, 120.0)]
    jpegs = [photo_of(kingdom, setting, np.random.default_rng(1)) for setting in turned]
    one, other = (cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_GRAYSCALE) for jpeg in jpegs)
    changed = (cv2.absdiff(one, other) > 40).mean()
    assert 0 < changed < 0.02
    assert turned[0].ways.dot == turned[1].ways.dot == DrawingWays().dot


def test_the_command_tells_each_value(capsys: pytest.CaptureFixture[str], few_games: None) -> None:  # noqa: ARG001
    """One line a value: how many squares, how many wrong, and how many of these without a doubt."""
    assert main(["--what", "slant", "--values", "45", "--n", "1"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["slant"] == 45
    assert told["squares"] == 1
    assert told["wrong and undoubted"] <= told["wrong"] <= 1
    assert main(["--what", "list"]) == 0
    assert len(capsys.readouterr().out.splitlines()) == len(SWEEPS)


def test_a_value_that_fits_not_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    """A word where a number belongs, and a style that nobody draws, get one sentence."""
    assert main(["--what", "slant", "--values", "steep"]) == 2
    assert main(["--what", "black-style", "--values", "plaid"]) == 2
    assert capsys.readouterr().err.count("should be like") == 2
