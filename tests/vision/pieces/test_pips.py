"""The pip counter: every pattern in any colours and light, and silence where nothing is clear."""

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from simulation.faces import pip_places
from vision.pieces import pips
from vision.pieces.patches import Picture, rectangle

SIDE = 60
"""Pixels of half a domino in the drawings below."""
COLOURS = {
    "black on ivory": ((205, 228, 236), (20, 20, 20)),
    "white on black": ((25, 25, 25), (235, 235, 235)),
    "red on white": ((240, 240, 240), (40, 40, 200)),
    "yellow on red": ((30, 30, 170), (60, 210, 230)),
    "green on grey of the same brightness": ((130, 130, 130), (120, 165, 60)),
}


def domino(
    count: tuple[int, int], body: tuple[int, ...], ink: tuple[int, ...], variant: int = 0, bar: bool = True
) -> Picture:
    """A domino drawn flat, 120×60 on a table of another colour, with a margin of 30."""
    big = 4
    picture = np.full(((SIDE + 60) * big, (2 * SIDE + 60) * big, 3), (60, 110, 90), np.uint8)
    cv2.rectangle(picture, (30 * big, 30 * big), ((30 + 2 * SIDE) * big, (30 + SIDE) * big), body, -1)
    if bar:
        x = (30 + SIDE) * big
        cv2.line(picture, (x, 36 * big), (x, (24 + SIDE) * big), ink, 2 * big)
    for k, number in enumerate(count):
        sign = 1 if k else -1
        middle = 30 + SIDE + sign * SIDE / 2
        for a, c in pip_places(number, variant):
            at = ((middle + sign * a * 0.58 * SIDE / 2) * big, (30 + SIDE / 2 + c * 0.58 * SIDE / 2) * big)
            radius = (4.2 if number >= 7 else 5.4) * big
            cv2.circle(picture, (round(at[0]), round(at[1])), round(radius), ink, -1)
    small = cv2.resize(picture, None, fx=1 / big, fy=1 / big, interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.GaussianBlur(small, (0, 0), 0.8), dtype=np.uint8)


CORNERS = rectangle(30 + SIDE, 30 + SIDE / 2, 2 * SIDE, SIDE, 0) - 0.5


@pytest.mark.parametrize("name", COLOURS)
@pytest.mark.parametrize("variant", range(4))
def test_every_count_is_counted_in_every_pattern_that_makers_draw(name: str, variant: int) -> None:
    """Wherever the counter speaks it is right, and of such clear drawings it speaks nearly always."""
    silent = 0
    for first in range(13):
        second = (first * 5 + 3) % 13
        ((a, b),) = pips.count_halves(domino((first, second), *COLOURS[name], variant), [CORNERS])
        assert (a.likeliest, b.likeliest) == (first, second)
        silent += (a.count is None) + (b.count is None)
    assert silent <= 3


def test_the_first_half_is_the_one_nearer_to_the_first_corner() -> None:
    """Turning the corners by half a turn swaps the counts."""
    picture = domino((2, 5), *COLOURS["black on ivory"])
    there, back = pips.count_halves(picture, [CORNERS, np.roll(CORNERS, 2, axis=0)])
    assert [one.count for one in there] == [2, 5]
    assert [one.count for one in back] == [5, 2]


@settings(max_examples=25, deadline=None)
@given(
    slope=st.floats(-0.4, 0.4),
    shade=st.floats(0.35, 1.0),
    off=st.tuples(st.floats(-1.5, 1.5), st.floats(-1.5, 1.5)),
    seed=st.integers(0, 1000),
)
def test_light_that_slopes_noise_and_corners_a_little_off_fool_nobody(
    slope: float, shade: float, off: tuple[float, float], seed: int
) -> None:
    """What is spoken stays right under uneven light, noise, and corners that are off by 2 % of a length."""
    rng = np.random.default_rng(seed)
    count = (int(rng.integers(13)), int(rng.integers(13)))
    picture = domino(count, *COLOURS["black on ivory"]).astype(np.float64)
    ramp = 1 + slope * np.linspace(-1, 1, picture.shape[1])[None, :, None]
    lit = np.clip(picture * shade * ramp + rng.normal(0, 4, picture.shape), 0, 255).astype(np.uint8)
    (found,) = pips.count_halves(lit, [CORNERS + off])
    for one, truth in zip(found, count, strict=True):
        assert one.count in (None, truth)


def test_where_nothing_can_be_seen_nothing_is_said() -> None:
    """A picture of noise, and one blurred past recognition, get no count other than a blank."""
    rng = np.random.default_rng(3)
    noise = rng.integers(0, 255, (120, 180, 3)).astype(np.uint8)
    blurred = cv2.GaussianBlur(domino((6, 6), *COLOURS["black on ivory"]), (0, 0), 14)
    for picture in (noise, blurred):
        (found,) = pips.count_halves(np.asarray(picture, dtype=np.uint8), [CORNERS])
        assert all(one.count in (None, 0) for one in found)


@pytest.mark.parametrize("face", range(1, 7))
@pytest.mark.parametrize("turned", [False, True])
def test_a_die_is_counted_whichever_way_it_lies(face: int, turned: bool) -> None:
    """The faces of a die, by a quarter turn or not."""
    picture = domino((face, 0), *COLOURS["white on black"], bar=False)
    square = rectangle(30 + SIDE / 2, 30 + SIDE / 2, SIDE, SIDE, 90.0 if turned else 0.0) - 0.5
    (found,) = pips.count_faces(picture, [square])
    assert found.likeliest == face
    assert found.count in (None, face)


def test_nothing_to_count_is_no_error() -> None:
    """No pieces, no counts."""
    assert pips.count_halves(np.zeros((9, 9, 3), np.uint8), []) == []
    assert pips.count_faces(np.zeros((9, 9, 3), np.uint8), []) == []
