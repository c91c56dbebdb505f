"""Three ways of looking: what each knows, and that none claims more."""

import numpy as np
import pytest

from benchmarks.marker_frames import FrameLook, Scenery, draw
from calibration import aruco
from calibration.camera import Camera, Lens, Pose
from calibration.camera_errors import BadCorners
from calibration.mats import MarkerPlace, loose_markers
from calibration.table_finder import Table
from calibration.table_view import FreeView, MetricView, PlaneView

LENS = Lens((1280, 720), (1000.0, 1000.0), (640.0, 355.0), (-0.06, 0.02, 0.0, 0.0, 0.0))
CAMERA = Camera(LENS, Pose.above(900, tilt_deg=18, turn_deg=5))
MARKERS = loose_markers((620, 420))
CORNERS = ((200.0, 100.0), (1000.0, 120.0), (1150.0, 650.0), (60.0, 600.0))


@pytest.mark.parametrize("height_mm", [0.0, 25.0])
def test_a_rectified_view_is_true_to_scale_at_its_height(height_mm: float) -> None:
    """Markers on a plane at a height lie in the rectified view where they should, to a third of a pixel."""
    raised = Camera(
        LENS,
        Pose.from_matrix(CAMERA.pose.matrix, CAMERA.pose.matrix @ (0, 0, height_mm) + CAMERA.pose.shift_mm),
    )
    grey = draw(raised, Scenery(MARKERS), FrameLook(), np.random.default_rng(0))
    view = MetricView(Table(CAMERA, MARKERS, 0.0))
    flat = view.rectified(grey, (-330.0, -230.0, 330.0, 230.0), 2.0, height_mm)
    assert flat.shape == (920, 1320)
    found = dict(aruco.detect(flat))
    assert sorted(found) == [0, 1, 2, 3]
    for number, corners in found.items():
        middle = np.array(MARKERS[number].centre_mm)
        assert np.abs(corners.mean(axis=0) - ((middle * (1, -1) + (330, 230)) * 2 - 0.5)).max() < 0.35


def test_what_the_picture_does_not_show_is_black() -> None:
    """A box beyond the picture's edge is black there."""
    view = MetricView(Table(CAMERA, MARKERS, 0.0))
    flat = view.rectified(np.full((720, 1280), 200, dtype=np.uint8), (2000.0, 0.0, 2100.0, 100.0), 1.0)
    assert flat.max() == 0


def test_four_corners_give_a_plane() -> None:
    """The corners given are the corners of the plane, there and back; its size is known only if told."""
    plain, sized = PlaneView(CORNERS), PlaneView(CORNERS, (600.0, 400.0))
    assert np.allclose(plain.to_plane(CORNERS), [(0, 1), (1, 1), (1, 0), (0, 0)], atol=1e-6)
    assert np.allclose(sized.to_plane(CORNERS), [(0, 400), (600, 400), (600, 0), (0, 0)], atol=1e-3)
    assert np.allclose(sized.to_pixels(sized.to_plane([(500.0, 300.0)])), [(500.0, 300.0)], atol=1e-3)
    assert sized.is_sized
    assert not plain.is_sized


def test_a_plane_is_seen_from_above() -> None:
    """The rectified plane of a picture with one bright far left corner is bright in its upper left."""
    picture = np.zeros((720, 1280), dtype=np.uint8)
    picture[95:180, 195:330] = 255
    flat = PlaneView(CORNERS).rectified(picture, (300, 200))
    assert flat.shape == (200, 300)
    assert flat[5, 5] == 255
    assert flat[-5:, -5:].max() == 0


@pytest.mark.parametrize(
    ("corners", "sentence"),
    [
        (CORNERS[::-1], "anticlockwise"),
        ((CORNERS[0], CORNERS[2], CORNERS[1], CORNERS[3]), "do not span"),
        (((0.0, 0.0), (5.0, 0.0), (10.0, 0.0), (0.0, 10.0)), "do not span"),
        (CORNERS[:3], "four corners"),
        (((0.0, 0.0), (float("nan"), 0.0), (10.0, 10.0), (0.0, 10.0)), "four corners"),
    ],
)
def test_corners_that_are_no_table_are_refused(corners: tuple, sentence: str) -> None:
    """Each way to get the corners wrong has its own sentence."""
    with pytest.raises(BadCorners, match=sentence):
        PlaneView(corners)


def test_a_plane_without_extent_is_refused() -> None:
    """A size of nothing is no size."""
    with pytest.raises(BadCorners, match="larger than 0"):
        PlaneView(CORNERS, (600.0, 0.0))


def test_a_free_photo_knows_no_place() -> None:
    """The type of a free photo has no way to millimetres at all."""
    free = FreeView((640, 480))
    assert not hasattr(free, "to_mm")
    assert not hasattr(PlaneView(CORNERS), "to_mm")
    assert hasattr(MetricView(Table(CAMERA, (MarkerPlace(0, (0.0, 0.0)),), 0.0)), "to_mm")
