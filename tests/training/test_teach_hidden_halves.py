"""What hidden halves are taught from: things over dominoes and beside them, and what is said of each half."""

from typing import Any

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

pytest.importorskip("torch", reason="torch is not here: nothing is taught")

from training import laid_over  # torch may be missing
from training.examples import Target
from training.laid_over import around, laid, seen_of, untouched
from training.teach_hidden_halves import (
    HIDDEN,
    OPEN,
    UNTOLD,
    as_seen,
    at_a_rim,
    draw,
    natural_truths,
    read_wrong,
    truths,
    turned,
)
from vision.pieces.domino_reading import PIPS, DominoReading
from vision.pieces.patches import Floats, rectangle

CORNERS = rectangle(160.0, 120.0, 100.0, 50.0, 30.0)
WANT = Target("domino", CORNERS, 1.0, {"kind": "domino", "face": "up", "value": {"pips": [2, 5]}})


def ground() -> Any:
    """A picture with a pale rectangle where the domino lies."""
    picture = np.full((240, 320, 3), 70, np.uint8)
    cv2.fillPoly(picture, [np.round(CORNERS).astype(np.int32)], (210, 220, 220))
    return picture


def reading(pips: tuple[int, int], corners: Floats = CORNERS, face: int = 0) -> DominoReading:
    """What a reader says that is sure."""
    first, second = np.eye(PIPS)[list(pips)]
    return DominoReading(np.eye(4)[face], first, second, corners)


def test_as_much_of_each_half_is_seen_as_no_thing_covers() -> None:
    """Halves are told apart, whichever way the domino lies."""
    mask = np.zeros((240, 320), np.float32)
    first = np.array([CORNERS[0], CORNERS[:2].mean(axis=0), CORNERS[2:].mean(axis=0), CORNERS[3]])
    cv2.fillPoly(mask, [np.round(first).astype(np.int32)], 1.0)
    assert seen_of(mask, CORNERS) == pytest.approx((0, 1), abs=0.05)
    assert seen_of(mask, np.roll(CORNERS, 2, axis=0)) == pytest.approx((1, 0), abs=0.05)


def test_what_is_drawn_is_where_it_is_said_to_be() -> None:
    """Of forty pictures some have a thing over the domino, some beside it, and some nothing."""
    some = [laid(ground(), WANT, [WANT], np.random.default_rng(seed)) for seed in range(40)]
    plain = untouched(ground(), WANT)
    over = [one for one in some if min(one.seen) < 0.9]
    assert 10 < len(over) < 35
    changed = [np.abs(one.picture.astype(float) - plain.picture).max(axis=2) > 2 for one in over]
    # what shows the ground itself is not seen on the ground
    assert np.mean([each[one.mask > 0.9].mean() > 0.5 for each, one in zip(changed, over, strict=True)]) > 0.7
    beside = [one for one in some if one.mask.max() > 0.5 and min(one.seen) > 0.99]
    assert beside
    assert any(one.mask.max() == 0 and (one.picture == plain.picture).all() for one in some)


def test_a_large_domino_is_drawn_smaller_and_its_corners_with_it() -> None:
    """Its pale body lies where the corners say."""
    picture = cv2.resize(ground(), None, fx=4, fy=4)
    part, corners = around(picture, (CORNERS + 0.5) * 4 - 0.5)
    assert np.linalg.norm(corners[1] - corners[0]) == pytest.approx(laid_over._LONGEST_PX, rel=0.02)
    mask = np.zeros(part.shape[:2], np.uint8)
    cv2.fillPoly(mask, [np.round(corners).astype(np.int32)], 1)
    assert (part[cv2.erode(mask, np.ones((5, 5), np.uint8)) > 0] > 200).all()
    assert (part[cv2.dilate(mask, np.ones((5, 5), np.uint8)) == 0] < 75).all()


@given(st.tuples(st.floats(0, 1), st.floats(0, 1)), st.tuples(st.booleans(), st.booleans()))
def test_hidden_is_what_is_hardly_seen_or_wrong_under_a_thing(
    seen: tuple[float, float], wrong: tuple[bool, bool]
) -> None:
    """Nothing that was read wrong is called open, and nothing wholly seen is called hidden."""
    for part, bad, said in zip(seen, wrong, truths(seen, wrong), strict=True):
        assert said in (OPEN, HIDDEN, UNTOLD)
        if part < 0.5:
            assert said == HIDDEN
        if bad:
            assert said != OPEN
        elif part > 0.9:
            assert said == OPEN
    assert (truths((1.0, 1.0), (True, True)) == UNTOLD).all()


def test_of_what_a_pictures_own_things_hide_only_the_reading_tells() -> None:
    """Wrong is hidden, right is open where little is hidden, and else nothing is said."""
    assert natural_truths(0.5, (True, False)).tolist() == [HIDDEN, UNTOLD]
    assert natural_truths(0.8, (False, False)).tolist() == [OPEN, OPEN]
    assert natural_truths(0.5, (False, False)).tolist() == [UNTOLD, UNTOLD]
    assert natural_truths(0.9, (True, True)).tolist() == [UNTOLD, UNTOLD]


def test_a_half_is_wrong_whichever_way_round_it_was_read() -> None:
    """The order is that of the truth; another face and another place are wrong altogether."""
    back = np.roll(CORNERS, 2, axis=0)
    assert read_wrong(reading((2, 5)), WANT, CORNERS) == [False, False]
    assert read_wrong(reading((5, 2), back), WANT, CORNERS) == [False, False]
    assert read_wrong(reading((5, 0), back), WANT, CORNERS) == [True, False]
    assert read_wrong(reading((2, 5), face=1), WANT, CORNERS) == [True, True]
    assert read_wrong(reading((2, 5), CORNERS + 50), WANT, CORNERS) == [True, True]
    assert turned(back, CORNERS)
    assert not turned(CORNERS, CORNERS)


def test_the_finder_may_see_only_what_is_left() -> None:
    """Corners are those of the domino, or of the part that nothing covers, never of the cover."""
    mask = np.zeros((240, 320), np.float32)
    far = np.array([CORNERS[:2].mean(axis=0), CORNERS[1], CORNERS[2], CORNERS[2:].mean(axis=0)])
    cv2.fillPoly(mask, [np.round(far).astype(np.int32)], 1.0)
    middles = [as_seen(CORNERS, mask, np.random.default_rng(k)).mean(axis=0) for k in range(30)]
    from_middle = [float(np.linalg.norm(one - CORNERS.mean(axis=0))) for one in middles]
    assert min(from_middle) < 8
    assert 18 < max(from_middle) < 35
    near = CORNERS[[0, 3]].mean(axis=0)
    for one, away in zip(middles, from_middle, strict=True):
        if away > 15:
            assert np.linalg.norm(one - near) < 35


def test_patches_have_their_truths_beside_them() -> None:
    """Each says something of at least one half, and a picture without dominoes teaches nothing."""
    rng = np.random.default_rng(3)
    drawn = draw(ground(), [WANT], rng)
    assert all(patch.shape == (72, 104, 3) and said.max() > UNTOLD for patch, said in drawn)
    assert draw(ground(), [], rng) == []


def test_beyond_the_rim_of_a_picture_its_last_pixels_go_on() -> None:
    """The domino itself stays, but for a corner; what is smeared is the same along one direction."""
    patch = np.random.default_rng(2).integers(0, 255, (72, 104, 3)).astype(np.uint8)
    inner = np.s_[26:46, 28:76]
    for seed in range(12):
        spoilt = at_a_rim(patch, np.random.default_rng(seed))
        assert spoilt.shape == patch.shape
        assert (spoilt == patch).all(axis=2).mean() > 0.5
        assert (spoilt[inner] == patch[inner]).all(axis=2).mean() > 0.95
    changed = [(at_a_rim(patch, np.random.default_rng(seed)) != patch).any() for seed in range(12)]
    assert all(changed)
