"""Maps against the rules: each is wrong in the way its kind says, and what is told is counted rightly."""

from itertools import islice

import numpy as np
import pytest

from engine.kingdomino_duel.kingdom import Kingdom
from training.measure_sheets import games
from training.measure_unlawful import KINDS, broken, summed, told_of
from vision.sheet_decoder import as_told

MAPS = [kingdom for kingdom, _ in islice(games(5), 12)]


def spoiled(kind: str) -> list[tuple[Kingdom, Kingdom]]:
    """Some maps, and what became of them."""
    return [(one, KINDS[kind](one, np.random.default_rng(n))) for n, one in enumerate(MAPS)]


@pytest.mark.parametrize(
    ("kind", "rule"), [("astray", "KDD-3a"), ("apart", "KDD-3a"), ("few", "KDD-3"), ("crosses", "KDD-3f")]
)
def test_each_kind_breaks_its_rule(kind: str, rule: str) -> None:
    """Whatever the map was before."""
    for _, wrong in spoiled(kind):
        assert rule in broken(wrong, roof=False)


def test_what_was_forgotten_is_one_square() -> None:
    """And all the others are as they were."""
    for lawful, wrong in spoiled("forgotten"):
        assert len(list(lawful.marks())) - len(list(wrong.marks())) == 1
        assert set(wrong.marks()) <= set(lawful.marks())


def test_a_map_hardly_begun_hangs_together() -> None:
    """Three squares, the first beside the castle."""
    for _, wrong in spoiled("few"):
        assert len(list(wrong.marks())) == 3
        assert broken(wrong, roof=False) == {"KDD-3"}


def test_what_is_told_as_it_is_counts_as_right() -> None:
    """All squares, and the rule that is broken."""
    _, wrong = spoiled("few")[0]
    told = told_of("few", as_told(wrong, roof=False), (wrong, False), ours=True)
    assert told.faults_right
    assert not told.faults_silent
    assert (told.squares.wrong_squares, told.squares.invented) == (0, 0)


def test_what_is_made_lawful_in_silence_is_counted() -> None:
    """A square that nobody drew, the fault gone with it, and no doubt anywhere."""
    lawful, wrong = spoiled("forgotten")[0]
    told = told_of("forgotten", as_told(lawful, roof=False), (wrong, False), ours=True)
    figures = summed([told])
    assert not told.faults_right
    assert told.faults_silent
    assert figures["broken rules passed over in silence"] == 1
    assert (figures["wrong without a doubt"], figures["blank read as coat"]) == (1, 1)


def test_a_map_that_is_not_found_is_no_map_told_rightly() -> None:
    """It counts among the sheets alone."""
    _, wrong = spoiled("few")[0]
    figures = summed([told_of("few", None, (wrong, False), ours=True)])
    assert (figures["sheets"], figures["found"], figures["rules named rightly"]) == (1, 0, 0)
