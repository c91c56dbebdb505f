"""Dice of one throw tell of each other what their ink is; too few, too small or too unlike ones do not."""

from collections.abc import Sequence

import cv2
import numpy as np
import pytest

from tests.vision.pieces.made import DIE, square
from vision.photos.one_make import with_makes_heard
from vision.pieces.piece_read import Read
from vision.pieces.sureness import sure

SIDE, GAP = 60, 110
BLUE, PALE, WHITE, IVORY, BLACK = (
    (150, 80, 20),
    (200, 170, 90),
    (245, 245, 245),
    (200, 225, 230),
    (30, 30, 30),
)
_AT = {
    1: ((0, 0),),
    2: ((-1, 1), (1, -1)),
    3: ((-1, 1), (0, 0), (1, -1)),
    4: ((-1, -1), (-1, 1), (1, -1), (1, 1)),
}
KNOWN = (2, 3, 4, 1, 4, 3)
Make = tuple[tuple[int, int, int], tuple[int, int, int], tuple[int, int, int]]
STIRRED: Make = (BLUE, PALE, WHITE)


def die(picture: np.ndarray, place: int, pips: int, make: Make, side: int) -> tuple[float, float]:
    """Draw a die of two stirred tones, and say where its middle is."""
    x, y = GAP // 2 + GAP * (place % 4), GAP // 2 + GAP * (place // 4)
    body, other, ink = make
    half = side // 2
    cv2.rectangle(picture, (x - half, y - half), (x + half, y + half), body, -1)
    dark = np.array([(x - half, y - half), (x + half, y - half), (x - half, y + half // (1 + place % 3))])
    cv2.fillPoly(picture, [dark], other)
    for dx, dy in _AT[pips]:
        at = (round(x + 0.27 * side * dx), round(y + 0.27 * side * dy))
        cv2.circle(picture, at, round(0.09 * side), ink, -1, cv2.LINE_AA)
    return float(x), float(y)


def throw(
    shown: int,
    read: int,
    p: float,
    *,
    known: Sequence[int] = KNOWN,
    make: Make = STIRRED,
    side: int = SIDE,
    there: float = 0.98,
) -> Read:
    """What is said in the end of a die that shows so much and was read so, among others read surely."""
    picture = np.full((3 * GAP, 4 * GAP, 3), (70, 110, 150), np.uint8)
    pieces = []
    for k, pips in enumerate(known):
        at = die(picture, k, pips, STIRRED, side)
        one = square("die", {**DIE, "face": str(pips)}, at, side, p=1.0, there=1.0)
        pieces.append(Read(**{**vars(one), "counted": pips}))
    at = die(picture, len(known), shown, make, side)
    faces = [str(read), *(str(k) for k in range(1, 7) if k != read)]
    ranked = tuple(({**DIE, "face": f}, p if k == 0 else (1 - p) / 5) for k, f in enumerate(faces))
    one = square("die", DIE, at, side, there=there)
    noise = np.random.default_rng(5).normal(0, 3, picture.shape)
    picture = np.clip(cv2.GaussianBlur(picture, (0, 0), 1.0) + noise, 0, 255).astype(np.uint8)
    return with_makes_heard(picture, [*pieces, Read(**{**vars(one), "ranked": ranked})])[-1]


@pytest.mark.parametrize("shown", [1, 2, 3, 4])
def test_a_die_in_doubt_is_believed_with_the_ink_of_its_make(shown: int) -> None:
    """Alone it would be asked about; its neighbours' pips and bodies settle it."""
    alone = throw(shown, shown, 0.8, known=())
    assert not sure(alone)
    heard = throw(shown, shown, 0.8)
    assert sure(heard)
    assert heard.value is not None
    assert heard.value["face"] == str(shown)
    assert heard.there > alone.there


def test_a_face_that_was_thought_possible_only_can_win() -> None:
    """Three were read where there are two, not surely."""
    heard = throw(2, 3, 0.8)
    assert sure(heard)
    assert heard.value is not None
    assert heard.value["face"] == "2"


def test_a_single_pip_says_less() -> None:
    """One blob is no pattern: what was rather clearly a 3 is asked about, and not told to be a 1."""
    assert not sure(throw(1, 3, 0.97))


def test_a_sure_reading_that_its_make_denies_is_asked_about() -> None:
    """Two opinions that both seem clear are one for a person."""
    assert sure(throw(2, 3, 0.9999, known=(), there=0.9999))
    assert not sure(throw(2, 3, 0.9999, there=0.9999))


@pytest.mark.parametrize("few", [0, 1, 3])
def test_too_few_of_a_make_say_nothing(few: int) -> None:
    """Of these no make can be learned."""
    heard = throw(2, 3, 0.8, known=KNOWN[:few])
    assert heard.counted is None
    assert heard.ranked[0][1] == 0.8


def test_dice_of_another_make_say_nothing() -> None:
    """A black pip on ivory is not told by white ones on blue."""
    heard = throw(2, 2, 0.8, make=(IVORY, IVORY, BLACK))
    assert heard.counted is None
    assert not sure(heard)


def test_dice_whose_pips_run_together_say_nothing() -> None:
    """Of three pips in a row two are seen on a face of 15 px."""
    heard = throw(2, 2, 0.8, side=15)
    assert heard.counted is None
    assert not sure(heard)


def test_an_even_picture_teaches_no_make() -> None:
    """Readings of nothing, all alike, have no ink that could be divided by."""
    pieces = []
    for k in range(6):
        one = square("die", {**DIE, "face": "2"}, (40.0 + 60 * k, 40.0), 40.0, p=1.0, there=1.0)
        pieces.append(Read(**{**vars(one), "counted": 2}))
    assert with_makes_heard(np.full((80, 400, 3), 90, np.uint8), pieces) == pieces


def test_a_face_without_pips_of_their_ink_says_nothing() -> None:
    """A bare face of the same make is the side that lost its pips in glare, or no die."""
    heard = throw(2, 2, 0.8, make=(BLUE, PALE, PALE))
    assert heard.counted is None
    assert not sure(heard)
