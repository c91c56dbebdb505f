"""The camera model: there and back, in agreement with OpenCV's own."""

import cv2
import numpy as np
import pytest

from calibration.camera import Camera, Lens, Pose, rotation_matrix, rotation_vector

PLAIN = Lens.from_field_of_view((1920, 1080), 62.0)
BENT = Lens(PLAIN.size_px, PLAIN.focal_px, PLAIN.centre_px, (0.15, -0.4, 0.001, -0.0005, 0.2))


@pytest.mark.parametrize("lens", [PLAIN, BENT], ids=["plain", "bent"])
@pytest.mark.parametrize(("tilt_deg", "towards_deg"), [(0, 90), (20, 90), (25, 10), (15, 200)])
def test_pixels_and_millimetres_are_inverse_at_every_height(
    lens: Lens, tilt_deg: float, towards_deg: float
) -> None:
    """A table point survives the way to a pixel and back at its own height, to 1e-6 mm."""
    camera = Camera(lens, Pose.above(800, tilt_deg=tilt_deg, towards_deg=towards_deg, turn_deg=3))
    points = np.random.default_rng(1).uniform(-300, 300, (200, 2))
    heights = np.random.default_rng(2).uniform(0, 60, 200)
    back = camera.to_mm(camera.to_pixels(points, heights), heights)
    assert np.abs(back - points).max() < 1e-6


def test_the_model_is_opencvs() -> None:
    """Projection agrees with OpenCV's to a millionth of a pixel, distortion included."""
    camera = Camera(BENT, Pose.above(750, tilt_deg=17, towards_deg=70))
    points = np.random.default_rng(3).uniform((-300, -250, 0), (300, 250, 40), (100, 3))
    (fx, fy), (cx, cy) = BENT.focal_px, BENT.centre_px
    matrix = np.array([[fx, 0, cx], [0, fy, cy], [0, 0, 1]])
    theirs, _ = cv2.projectPoints(
        points,
        np.array(camera.pose.rotation),
        np.array(camera.pose.shift_mm),
        matrix,
        np.array(BENT.distortion),
    )
    assert np.abs(theirs[:, 0] - camera.to_pixels(points)).max() < 1e-6


def test_an_upright_camera_shows_the_far_side_on_top() -> None:
    """Away from the first player is up in the picture, his right hand side is right."""
    camera = Camera(PLAIN, Pose.above(800, tilt_deg=20))
    middle, far, right = camera.to_pixels([(0, 0), (0, 100), (100, 0)])
    assert far[1] < middle[1] - 50
    assert right[0] > middle[0] + 50
    assert camera.pose.eye_mm[1] < 0
    assert camera.pose.tilt_deg == pytest.approx(20)


def test_a_pixel_past_the_horizon_has_no_place_on_the_table() -> None:
    """What looks above the horizon becomes NaN instead of a point behind the camera."""
    camera = Camera(PLAIN, Pose.above(800, tilt_deg=85))
    assert np.isnan(camera.to_mm([(960, 0)])).all()
    assert np.isfinite(camera.to_mm([(960, 1079)])).all()


def test_a_resized_picture_has_a_resized_lens() -> None:
    """Halving the picture halves all pixel places about the corner of the first pixel."""
    whole = Camera(BENT, Pose.above(800))
    half = Camera(BENT.scaled_to((960, 540)), whole.pose)
    points = [(-250.0, 120.0), (200.0, -90.0)]
    assert np.allclose((whole.to_pixels(points) + 0.5) / 2 - 0.5, half.to_pixels(points))


def test_rotation_vectors_survive_the_matrix_even_near_half_a_turn() -> None:
    """Every rotation comes back from its matrix, small ones and half turns included."""
    rng = np.random.default_rng(4)
    for angle in (0.0, 1e-9, 1e-3, 1.0, 3.0, np.pi - 1e-9, np.pi):
        axis = rng.normal(size=3)
        matrix = rotation_matrix(axis / np.linalg.norm(axis) * angle)
        assert np.allclose(rotation_matrix(rotation_vector(matrix)), matrix, atol=1e-8)
        assert np.allclose(matrix @ matrix.T, np.eye(3))


def test_scale_is_millimetres_per_pixel() -> None:
    """Straight above, a pixel spans distance over focal length, and less on top of a raised piece."""
    camera = Camera(PLAIN, Pose.above(800))
    assert camera.mm_per_px() == pytest.approx(800 / PLAIN.focal_px[0], rel=1e-6)
    assert camera.mm_per_px((0, 0), 30) == pytest.approx(770 / PLAIN.focal_px[0], rel=1e-6)
