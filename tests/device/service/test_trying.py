"""A test move: what is read, and what a person would say has changed since the look before."""

from collections.abc import Iterator, Sequence

import cv2
import numpy as np
import pytest

from device.service.trying import NOTHING, STILL, Lies, Trying, changes
from tests.vision.pieces.test_looks import read
from vision.pieces.read import Read
from vision.pieces.reading import Reading

ONE, TWO = Lies("domino 3-5", 0.2, 0.2), Lies("die 4", 0.6, 0.3)
AGAIN = Lies("domino 3-5", 0.7, 0.4)


@pytest.mark.parametrize(
    ("before", "now", "told"),
    [
        (None, [], [NOTHING]),
        (None, [ONE], []),
        ([ONE, TWO], [TWO, ONE], [STILL]),
        ([ONE], [Lies("domino 3-5", 0.207, 0.2)], [STILL]),
        ([ONE, TWO], [AGAIN, TWO], ["domino 3-5 has moved."]),
        ([ONE], [ONE, TWO], ["die 4 has come."]),
        ([ONE, TWO], [ONE], ["die 4 is gone."]),
        ([ONE], [ONE, AGAIN], ["domino 3-5 has come."]),
        ([ONE, AGAIN], [ONE], ["domino 3-5 is gone."]),
        ([TWO], [Lies("die 6", 0.6, 0.3)], ["die 6 has come.", "die 4 is gone."]),
    ],
)
def test_what_has_changed_is_said(
    before: Sequence[Lies] | None, now: Sequence[Lies], told: list[str]
) -> None:
    """What lies where it lay is left out; of two that look alike the one nearby is the same."""
    assert changes(before, now) == told


def test_each_look_is_held_against_the_one_before() -> None:
    """The picture shows what was read; beginning anew forgets; without a picture nothing is told."""
    picture = np.full((300, 2000, 3), 90, np.uint8)
    pictures = iter([picture, picture, None, picture, picture])
    found: Iterator[list[Read]] = iter([[read(80, 80)], [read(900, 80)], [read(80, 80)], [read(80, 80)]])
    trying = Trying(lambda: next(pictures), lambda _seen: Reading((2000, 300), tuple(next(found)), {}))
    first = trying.look()
    assert first is not None
    assert first.to_json() == {"pieces": ["coin moons?"], "changed": []}
    shown = cv2.imdecode(np.frombuffer(first.jpeg, np.uint8), cv2.IMREAD_COLOR)
    assert shown is not None
    assert shown.shape == (144, 960, 3)
    assert shown.std() > 1
    second = trying.look()
    assert second is not None
    assert second.changed == ("coin moons? has moved.",)
    assert trying.look() is None
    third = trying.look(anew=True)
    assert third is not None
    assert third.changed == ()
    fourth = trying.look()
    assert fourth is not None
    assert fourth.changed == (STILL,)
