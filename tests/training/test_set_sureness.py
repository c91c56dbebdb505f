"""The limits from which on nobody is asked: above them errors are too few to count."""

import pytest

pytest.importorskip("cv2", reason="OpenCV is not here")

from training.set_sureness import JudgedReading, limit
from training.teach_company import NEVER  # OpenCV may be missing
from vision.pieces.company import AS_READ
from vision.pieces.sureness import SORTS, limits


def told(right: int, *wrong: float, p: float = 0.999) -> list[JudgedReading]:
    """So many right readings, and wrong ones of these confidences."""
    return [JudgedReading(p, True)] * right + [JudgedReading(one, False) for one in wrong]


def test_above_the_limit_lies_no_error() -> None:
    """The surest error was believed by 0.97: the limit asks for half its doubt."""
    assert limit(told(1999, 0.97, 0.8)) == pytest.approx(0.985)


def test_without_an_error_the_limit_is_low_but_never_a_guess() -> None:
    """Many readings without an error allow a low limit, a few allow none so low."""
    assert limit(told(5000)) == pytest.approx(0.9)
    assert limit(told(20)) == pytest.approx(0.95)
    assert limit([]) == pytest.approx(0.95)


def test_one_error_in_thousands_does_not_decide() -> None:
    """A mislabelled piece among ten thousand is not the measure of all others."""
    assert limit(told(9998, 0.9999, 0.9999)) == pytest.approx(0.9)
    assert limit(told(9960, *[0.9999] * 40)) == pytest.approx(0.999)


def test_where_things_are_seen_that_are_not_there_the_usual_limit_holds() -> None:
    """One in a hundred is too many, one in a thousand is not; errors may ask for more still."""
    ghost = JudgedReading(0.993, False, phantom=True)
    assert limit([*told(1980), *[ghost] * 20]) == pytest.approx(0.985)
    assert limit([*told(1998), *[ghost] * 2]) == pytest.approx(0.9)
    assert limit([*told(1979, 0.99), *[ghost] * 20]) == pytest.approx(0.995)


@pytest.mark.parametrize("name", ["sureness", "company"])
def test_every_sort_has_its_limit(name: str) -> None:
    """Those that ship are complete and within reason; in company walls alone are always asked about."""
    as_read, asked = (set(AS_READ), {"wall"}) if name == "company" else (set(), set())
    told = limits(name)
    assert set(told) == set(SORTS) - as_read
    assert {sort for sort, least in told.items() if least == NEVER} == asked
    assert all(0.9 <= least <= 0.999 for sort, least in told.items() if sort not in asked)
