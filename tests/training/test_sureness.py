"""The limits from which on nobody is asked: above them errors are too few to count."""

import pytest

pytest.importorskip("cv2", reason="OpenCV is not here")

from training.sureness import SORTS, limit  # OpenCV may be missing
from vision.pieces.sureness import limits


def test_above_the_limit_lies_no_error() -> None:
    """The surest error was believed by 0.97: the limit asks for half its doubt."""
    told = [(0.999, True)] * 900 + [(0.97, False)] + [(0.95, True)] * 99
    assert limit(told) == pytest.approx(0.985)


def test_without_an_error_the_limit_is_low_but_never_a_guess() -> None:
    """Many readings without an error allow a low limit, a few allow none lower than is usual."""
    assert limit([(0.9, True)] * 5000) == pytest.approx(0.9)
    assert limit([(0.9, True)] * 20) == pytest.approx(0.985)
    assert limit([]) == pytest.approx(0.985)


def test_one_error_in_thousands_does_not_decide() -> None:
    """A mislabelled piece among ten thousand is not the measure of all others."""
    told = [(0.9999, False)] * 2 + [(0.999, True)] * 9998
    assert limit(told) == pytest.approx(0.9)
    assert limit([(0.9999, False)] * 40 + [(0.999, True)] * 9960) == pytest.approx(0.999)


def test_every_sort_has_its_limit() -> None:
    """Those that ship are complete and within reason."""
    assert set(limits()) == set(SORTS)
    assert all(0.9 <= least <= 0.999 for least in limits().values())
