"""A day's pictures: all while there is plenty, then only what may be doubted, and never more than a day's."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from device.journal.events import Draft, Picture, Role
from device.keeping.allowance import DAY_S, Allowance, fresh, spent

DAY = 1000
ROLES: tuple[Role, ...] = ("frame", "before", "after")
PLAIN = {"n": 4, "move": "1: take 4", "ruling": {"status": "legal"}}
REFUSED = {"n": 4, "move": "1: take 4", "ruling": {"status": "illegal"}}


def draft(body: object, kind: str = "entry", size: int = 10) -> Draft:
    """An event with three pictures."""
    pictures = tuple(Picture(role, bytes(size)) for role in ROLES)
    return Draft(kind, body, pictures)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("left", "plain", "refused"),
    [
        (1000, "frame before after", "frame before after"),
        (500, "frame before after", "frame before after"),
        (499, "before after", "frame before after"),
        (250, "before after", "frame before after"),
        (249, "", "frame before after"),
        (100, "", "frame before after"),
        (99, "", "before after"),
        (19, "", ""),
    ],
)
def test_what_nobody_doubts_stays_away_first(left: int, plain: str, refused: str) -> None:
    """A refusal, a question, a correction and a beginning keep their pictures longer than an allowed move."""
    allowance = Allowance(left, 0.0, DAY)
    for wanted, told in (
        (plain, draft(PLAIN)),
        (plain, draft({"n": 4, "fact": "see oldest 1"})),
        (refused, draft(REFUSED)),
        (refused, draft({"n": 4, "correct": 1, "with": None})),
        (refused, draft(PLAIN | {"alike": ["1: take 5"]})),
        (refused, draft({"what": "asked"}, "note")),
        (refused, draft({"game": "x"}, "begin")),
    ):
        kept, after = allowance.kept(told)
        assert " ".join(one.role for one in kept) == wanted
        assert after.left == left - 10 * len(kept)


@given(st.integers(0, 2**32), st.floats(0, 2 * DAY_S))
def test_no_span_of_time_gets_more_than_what_was_left_and_what_came_back(seed: int, span_s: float) -> None:
    """Whatever comes and when: the pictures of a span are no more than a day's and the share of that span."""
    rng, allowance, size = Random(seed), fresh(0, 0.0, DAY), 0
    for now in sorted(rng.uniform(0, span_s) for _ in range(200)):
        kept, allowance = allowance.later(now).kept(
            draft(rng.choice((PLAIN, REFUSED)), size=rng.randint(1, 90))
        )
        size += sum(len(one.jpeg) for one in kept)
    assert size <= DAY * (1 + span_s / DAY_S) + 1e-6


def test_a_clock_that_stands_or_goes_back_gives_nothing() -> None:
    """Only time that has passed brings pictures back."""
    assert Allowance(5, 100.0, DAY).later(100.0).left == 5
    assert Allowance(5, 100.0, DAY).later(50.0).left == 5
    assert Allowance(5, 100.0, DAY).later(100.0 + DAY_S).left == DAY


def test_what_was_spent_today_counts_after_a_restart() -> None:
    """A box that starts again and again does not get a new day each time."""
    assert spent([(0.0, 7), (50.0, 5), (DAY_S + 40, 3)], DAY_S + 45) == 8
    assert fresh(300, 0.0, DAY).left == 700
    assert fresh(3000, 0.0, DAY).left == 0
