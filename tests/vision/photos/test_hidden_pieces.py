"""What a picture does not show, as `pipwatch read --json` tells it."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from calibration.camera import Camera, Lens, Pose
from calibration.mats import loose_markers
from calibration.table_finder import Table
from tests.vision.pieces.made import SIZE, domino
from vision.photos import hidden
from vision.photos.picture_reading import PhotoReadout, agreed
from vision.photos.told import as_json

LENS = Lens.from_field_of_view(SIZE, 60.0)
PLACES = loose_markers((500.0, 360.0))


def table(height_mm: float, tilt_deg: float = 0.0) -> Table:
    """A table of 500×360 mm under a camera so high."""
    return Table(Camera(LENS, Pose.above(height_mm, tilt_deg=tilt_deg)), PLACES, 0.1)


@pytest.mark.parametrize("tilt", [0.0, 12.0])
def test_of_a_table_that_is_seen_whole_nothing_is_cut_off(tilt: float) -> None:
    """However the camera looks."""
    assert hidden.cut_off(table(700, tilt), SIZE) == []


@pytest.mark.parametrize("tilt", [0.0, 10.0])
def test_what_lies_beyond_the_picture_is_told_once(tilt: float) -> None:
    """The parts lie outside the picture and make up what of the table the picture lacks."""
    low = table(330, tilt)
    parts = hidden.cut_off(low, SIZE)
    assert parts
    wide, high = SIZE
    for part in parts:
        x, y = part.mean(axis=0)
        assert not (0 < x < wide and 0 < y < high)
    whole = low.camera.to_pixels(low.outline_mm, np.zeros(4)).astype(np.float32)
    frame = np.array([(0, 0), (wide, 0), (wide, high), (0, high)], np.float32)
    lacking = cv2.contourArea(whole) - cv2.intersectConvexConvex(whole, frame)[0]
    told = sum(cv2.contourArea(part.astype(np.float32)) for part in parts)
    assert told == pytest.approx(lacking, rel=0.02)


def test_a_piece_that_something_covers_hides_a_part_of_its_place() -> None:
    """Its outline is told, with a table or without; one that lies open hides nothing."""
    covered = replace(domino((1, 2), (500, 300)), visible=0.5)
    reading = agreed(SIZE, [domino((3, 5), (200, 150)), covered])
    (outline,) = as_json(reading, "a.jpg")["hidden"]
    assert outline == [[460, 280], [540, 280], [540, 320], [460, 320]]
    whole = PhotoReadout(SIZE, (domino((3, 5), (200, 150)),), {}, table(700))
    assert as_json(whole, "a.jpg")["hidden"] == []
    low = PhotoReadout(SIZE, (covered,), {}, table(330))
    assert len(as_json(low, "a.jpg")["hidden"]) > 1
