"""The counter beside the network: agreement raises belief, disagreement makes a person be asked."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from vision.pieces import agreement
from vision.pieces.agreement import Trust, joined
from vision.pieces.pips import PipCount

SURE = 0.985
TRUST = st.builds(Trust, st.floats(0, 1.6), st.floats(-2, 4))
SAID = st.lists(st.floats(1e-6, 1), min_size=13, max_size=13).map(lambda p: np.array(p) / sum(p))
COUNT = st.builds(PipCount, st.integers(0, 12), st.floats(0, 1))


@given(SAID, COUNT, TRUST)
def test_what_is_joined_is_a_probability(said: np.ndarray, count: PipCount, trust: Trust) -> None:
    """It sums to one, and the counted number never loses by being counted."""
    both = joined(said, count, trust)
    assert abs(both.sum() - 1) < 1e-9
    alone = joined(said, PipCount(count.likeliest, 0.0), Trust(trust.counter, -1e6))
    assert both[count.likeliest] >= alone[count.likeliest] - 1e-12


@given(SAID, COUNT, TRUST)
def test_the_order_of_what_was_not_counted_stays(said: np.ndarray, count: PipCount, trust: Trust) -> None:
    """Numbers that the counter did not name keep their order among themselves."""
    both = joined(said, count, trust)
    rest = [k for k in range(13) if k != count.likeliest]
    assert sorted(rest, key=lambda k: -said[k])[:3] == sorted(rest, key=lambda k: (-both[k], -said[k]))[:3]


def test_a_count_that_is_not_sure_changes_little() -> None:
    """What was measured gives an unsure count next to no weight, and a sure one much."""
    for kind in ("domino", "die"):
        trust = agreement.trust(kind)
        assert agreement.push(PipCount(3, 0.05), trust) <= agreement.push(PipCount(3, 0.999), trust)
        assert agreement.push(PipCount(3, 0.999), trust) > 2


def test_agreement_raises_and_disagreement_asks() -> None:
    """A reading at the limit of sureness becomes sure with a like count, and unsure with another."""
    said = np.full(13, 0.02 / 12)
    said[4] = 0.98
    trust = agreement.trust("domino")
    assert joined(said, PipCount(4, 0.99), trust)[4] > SURE
    assert joined(said, PipCount(5, 0.99), trust).max() < SURE


def test_a_blank_is_no_second_opinion() -> None:
    """Where glare or an edge hides the pips, both see none: that neither raises nor lowers."""
    said = np.full(13, 0.02 / 12)
    said[0] = 0.98
    joint = joined(said, PipCount(0, 0.999), agreement.trust("domino"))
    assert np.allclose(joint, said / said.sum())


def test_a_count_that_a_die_cannot_show_is_left_out() -> None:
    """A blank upper side is no face of a die."""
    said = np.full(6, 1 / 6)
    assert np.allclose(joined(said, PipCount(0, 0.999), agreement.trust("die"), first=1), said)
