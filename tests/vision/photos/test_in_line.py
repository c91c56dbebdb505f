"""Where an open domino ends another may begin: the places are looked at, and what is clear there is read."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from tests.vision.pieces.made import domino
from vision.photos.in_line import gone_on, lying_there, making_room
from vision.photos.picture_reading import read_picture
from vision.pieces import finder
from vision.pieces.each import PieceReader
from vision.pieces.patches import Floats, Picture, body_colour, rectangle
from vision.pieces.piece_read import Read

LENGTH = domino().length
MISSING = (100 + 2 * LENGTH, 100.0)
CROSSWISE = (100 + 2.75 * LENGTH, 100.0)


def painted(corners: list[Floats]) -> Picture:
    """Ivory rectangles on green."""
    picture = np.full((300, 500, 3), (70, 110, 40), np.uint8)
    for one in corners:
        cv2.fillConvexPoly(picture, np.round(one).astype(np.int32), (205, 225, 235), cv2.LINE_AA)
    return picture


@pytest.fixture
def line() -> tuple[Picture, list[Read]]:
    """Four in a line and a double across its end, of which the third in the line was not found."""
    lying = [domino((2, k), (100 + k * LENGTH, 100.0), p=1.0, there=1.0) for k in (0, 1)]
    end = domino((5, 5), CROSSWISE, p=1.0, there=1.0)
    end = replace(end, corners=rectangle(*CROSSWISE, LENGTH, LENGTH / 2, 90.0))
    far = domino((4, 4), (150.0, 220.0), p=1.0, there=1.0)
    all_ = [*lying, end, far]
    picture = painted([*(one.corners for one in all_), domino(at=MISSING).corners])
    return picture, [replace(one, colour=body_colour(picture, one.corners)) for one in all_]


def test_the_free_place_between_two_is_looked_at(line: tuple[Picture, list[Read]]) -> None:
    """And nothing that is cloth, that is taken or that leaves the picture."""
    picture, pieces = line
    spots = gone_on(picture, pieces)
    assert tuple(round(v) for v in MISSING) in [(round(one.x), round(one.y)) for one in spots]
    assert all(abs(one.x - MISSING[0]) < LENGTH / 2 and one.y == MISSING[1] for one in spots)
    assert gone_on(painted([one.corners for one in pieces]), pieces) == []
    assert gone_on(picture, pieces[:2]) == []
    whole = np.full((300, 500, 3), (205, 225, 235), np.uint8)
    assert all((one.corners >= 0).all() for one in gone_on(whole, pieces))


def test_what_is_clear_and_of_the_same_size_lies_there(line: tuple[Picture, list[Read]]) -> None:
    """What is doubtful, larger or elsewhere does not; nor do two in one place."""
    picture, pieces = line
    spots = gone_on(picture, pieces)
    found = domino((1, 5), MISSING, p=1.0, there=0.99)
    assert lying_there(pieces, spots, [found]) == [found]
    assert lying_there(pieces, spots, [replace(found, there=0.6)]) == []
    assert lying_there(pieces, spots, [replace(found, there=0.95), found]) == [found]
    assert lying_there(pieces, spots, [domino((1, 5), (300.0, 220.0), p=1.0, there=1.0)]) == []
    large = replace(found, corners=rectangle(*MISSING, 1.4 * LENGTH, 0.7 * LENGTH, 0.0))
    assert lying_there(pieces, spots, [large]) == []


def test_what_seemed_to_lie_across_two_of_a_line_makes_room() -> None:
    """Two small tiles look like a large one; one of their own size is not driven out."""
    found = domino((1, 5), MISSING, p=1.0, there=1.0)
    across = replace(found, corners=rectangle(MISSING[0], MISSING[1], 2 * LENGTH, LENGTH, 0.0))
    same = domino((1, 4), MISSING, p=0.8)
    assert making_room([across, same], [found]) == [same, found]


def test_a_photo_is_read_with_the_line_gone_on(
    line: tuple[Picture, list[Read]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The reading has the tile that the finder did not see, and two of a line that were missed in a row."""
    picture, pieces = line
    found = domino((1, 5), MISSING, p=1.0, there=1.0)

    def look(_: PieceReader, spots: list[object]) -> list[Read]:
        return [found] if spots else []

    monkeypatch.setattr(finder, "find", lambda *_: [])
    monkeypatch.setattr(PieceReader, "every", lambda *_: pieces)
    monkeypatch.setattr(PieceReader, "dominoes", look)
    values = [one.value["pips"] for one in read_picture(picture).pieces if one.value]
    assert [1, 5] in values
    assert len(values) == 5
