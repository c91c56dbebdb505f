"""Several looks at still pieces: the vote of the log-probabilities."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.vision.pieces.made import COIN, domino, square
from vision.pieces.read import Read
from vision.pieces.voting import voted


def test_one_look_is_what_it_is() -> None:
    """Nothing is changed where there is nobody to vote."""
    look = [domino(), square("coin", COIN, (400, 300))]
    assert voted([look]) == look


def test_looks_that_agree_stay_sure() -> None:
    """Three looks of the same piece give the same value, about as sure, and one piece."""
    (one,) = voted([[domino(at=(200 + 0.4 * k, 150))] for k in range(3)])
    assert one.value == {"pips": [3, 5]}
    assert one.confidence > 0.985
    assert tuple(one.middle) == pytest.approx((200.4, 150))


def test_two_outvote_one_and_it_is_asked() -> None:
    """One look that surely reads something else loses, and the doubt shows."""
    for order in range(3):
        looks = [[domino((3, 5))], [domino((3, 5))], [domino((3, 6))]]
        (one,) = voted(looks[order:] + looks[:order])
        assert one.value == {"pips": [3, 5]}
        assert one.confidence < 0.985


def test_a_wrong_look_that_was_unsure_takes_no_certainty_away() -> None:
    """A glare in one frame that half hides a pip is forgotten."""
    (one,) = voted([[domino((3, 5))], [domino((3, 5))], [domino((3, 4), p=0.5)]])
    assert one.value == {"pips": [3, 5]}
    assert one.confidence > 0.95


def test_what_only_one_look_saw_is_gone_and_what_most_saw_stays_unsure() -> None:
    """A phantom does not outlive the vote; a piece missed once does, but it is asked."""
    coin = square("coin", COIN, (400, 300))
    assert voted([[coin], [], []]) == []
    (one,) = voted([[coin], [coin], []])
    assert 0.5 < one.confidence < 0.985


def test_the_face_is_voted_with_the_value() -> None:
    """Two looks that see a back and one that reads pips make a domino that lies face down."""
    back = domino(face="down")
    (one,) = voted([[domino()], [back], [back]])
    assert (one.face, one.value) == ("down", None)


def test_neighbours_are_not_mixed_up() -> None:
    """Touching tiles in different orders keep their own values."""
    row = [domino((0, k), (200, 100 + 41 * k)) for k in range(5)]
    found = voted([row, row[::-1], [*row[2:], *row[:2]]])
    assert sorted((round(float(one.middle[1])), one.value["pips"][1]) for one in found if one.value) == [
        (100 + 41 * k, k) for k in range(5)
    ]


@given(st.lists(st.tuples(st.floats(0.5, 1), st.floats(0.5, 1), st.integers(4, 6)), min_size=1, max_size=5))
def test_probabilities_stay_probabilities(said: list[tuple[float, float, int]]) -> None:
    """Whatever the looks say: shares from 0 to 1, the likeliest first; the order of looks is nothing."""
    looks: list[list[Read]] = [[domino((2, b), there=there, p=p)] for there, p, b in said]
    found, back = voted(looks), voted(looks[::-1])
    assert len(found) == len(back) <= 1
    for one, other in zip(found, back, strict=True):
        shares = [p for _, p in one.ranked]
        assert shares == sorted(shares, reverse=True)
        assert sum(shares) <= 1 + 1e-9
        assert 0 < one.there <= 1
        assert one.confidence == pytest.approx(other.confidence)


def test_a_tile_keeps_what_else_it_may_be() -> None:
    """Alternatives of the looks are alternatives of the vote."""
    ranked = (({"pips": [3, 5]}, 0.7), ({"pips": [3, 4]}, 0.3))
    (one,) = voted([[replace(domino(), ranked=ranked)]] * 3)
    assert [value for value, _ in one.ranked] == [{"pips": [3, 5]}, {"pips": [3, 4]}]
    assert one.ranked[0][1] == pytest.approx(0.7, abs=0.02)
