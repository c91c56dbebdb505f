"""A place that looks as it did holds what it held, whatever the light, and only then."""

import cv2
import numpy as np
import pytest

from vision.pieces.unchanged import looks_as_before, nothing_came

BOX = (40, 40, 70, 70)


def table(*, pawn: bool = True, light: float = 1.0, seed: int = 1, noise: float = 2.0) -> np.ndarray:
    """A wooden table with a pawn on it, or without."""
    grain = np.random.default_rng(7).normal(0.0, 9.0, (120, 120))
    picture = (
        np.full((120, 120, 3), (90.0, 130.0, 160.0)) + cv2.GaussianBlur(grain, (0, 0), 2.0)[..., None] * 4
    )
    if pawn:
        cv2.circle(picture, (55, 58), 10, (20.0, 170.0, 200.0), -1, cv2.LINE_AA)
        cv2.circle(picture, (55, 46), 6, (30.0, 190.0, 220.0), -1, cv2.LINE_AA)
    seen = picture * light + np.random.default_rng(seed).normal(0.0, noise, picture.shape)
    return np.clip(seen, 0, 255).astype(np.uint8)


@pytest.mark.parametrize("light", [0.6, 0.9, 1.0, 1.15])
def test_what_lies_still_looks_alike_in_any_light(light: float) -> None:
    """Noise is not the same in two pictures, and a lamp may have come on."""
    assert looks_as_before(table(light=light, seed=2), table(), BOX)


@pytest.mark.parametrize("light", [0.6, 1.0, 1.15])
def test_what_was_taken_away_or_put_down_does_not(light: float) -> None:
    """Though pawn and wood are of like brightness."""
    assert not looks_as_before(table(pawn=False, light=light, seed=2), table(), BOX)
    assert not looks_as_before(table(light=light, seed=2), table(pawn=False), BOX)


def test_what_was_moved_a_little_does_not() -> None:
    """Six pixels are a finger's nudge."""
    moved = np.roll(table(seed=2), 6, axis=1)
    assert not looks_as_before(moved, table(), BOX)


def test_what_comes_to_lie_beside_it_changes_nothing() -> None:
    """A domino laid against a coin takes up a corner of the box around it, and no part of the coin."""
    beside = table(seed=2)
    cv2.rectangle(beside, (35, 69), (100, 110), (225, 235, 235), -1)
    cv2.rectangle(beside, (68, 35), (110, 110), (225, 235, 235), -1)
    assert looks_as_before(beside, table(), BOX)


def test_where_nothing_is_to_be_seen_nothing_is_said() -> None:
    """A plain patch looks like any other; so does one outside the picture, or of another camera."""
    plain = np.full((120, 120, 3), 128, np.uint8)
    assert not looks_as_before(plain, plain, BOX)
    assert not looks_as_before(table(), table(), (200, 200, 220, 220))
    assert not looks_as_before(table(), table()[:100], BOX)


@pytest.mark.parametrize("light", [0.9, 1.0, 1.15])
def test_a_place_at_which_something_was_and_is_no_more_is_told(light: float) -> None:
    """The wood is as it was; what lies there hides it, and so does what was put down where another lay."""
    wood = table(pawn=False)
    assert nothing_came(table(pawn=False, light=light, seed=2), wood, BOX)
    assert not nothing_came(table(light=light, seed=2), wood, BOX)
    assert not nothing_came(table(pawn=False, light=light, seed=2), table(), BOX)


def test_a_plain_cloth_on_which_nothing_is_to_be_seen_holds_nothing() -> None:
    """Whatever lay there would be seen, unless that is outside the picture or in another camera's."""
    plain = np.full((120, 120, 3), 128, np.uint8)
    laid = cv2.circle(plain.copy(), (55, 55), 10, (20, 170, 200), -1)
    assert nothing_came(plain, plain, BOX)
    assert not nothing_came(laid, plain, BOX)
    assert not nothing_came(plain, laid, BOX)
    assert not nothing_came(plain, plain, (200, 200, 220, 220))
    assert not nothing_came(plain, plain[:100], BOX)
