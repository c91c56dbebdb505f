"""The pinhole camera over the table: lens, pose, and the way between pixels and millimetres at any height.

The table frame is right-handed: its origin lies in the middle of the table, x grows to the right and y away
from the first player, z up towards the camera, all in millimetres. A pixel's centre has whole coordinates.
Numpy alone is used here, so that every version of OpenCV gives the same table.
"""

import math
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats: TypeAlias = NDArray[np.float64]

_NEWTON_STEPS = 12
_FAR_ENOUGH = 1e-9


@dataclass(frozen=True)
class Lens:
    """What a camera does to a ray, for pictures of one size: focal lengths, centre and Brown's distortion."""

    size_px: tuple[int, int]
    focal_px: tuple[float, float]
    centre_px: tuple[float, float]
    distortion: tuple[float, float, float, float, float] = (0.0, 0.0, 0.0, 0.0, 0.0)
    """k1, k2, p1, p2, k3 in OpenCV's order."""

    @classmethod
    def from_field_of_view(cls, size_px: tuple[int, int], horizontal_deg: float) -> "Lens":
        """A lens without distortion that sees ``horizontal_deg`` from the left edge to the right."""
        width, height = size_px
        focal = width / 2 / math.tan(math.radians(horizontal_deg) / 2)
        return cls(size_px, (focal, focal), ((width - 1) / 2, (height - 1) / 2))

    @property
    def horizontal_deg(self) -> float:
        """The field of view from the left edge to the right, distortion left aside."""
        return math.degrees(2 * math.atan(self.size_px[0] / 2 / self.focal_px[0]))

    def scaled_to(self, size_px: tuple[int, int]) -> "Lens":
        """The same lens for pictures that were resized to ``size_px`` (not cropped)."""
        sx, sy = size_px[0] / self.size_px[0], size_px[1] / self.size_px[1]
        cx, cy = self.centre_px
        return replace(
            self,
            size_px=size_px,
            focal_px=(self.focal_px[0] * sx, self.focal_px[1] * sy),
            centre_px=((cx + 0.5) * sx - 0.5, (cy + 0.5) * sy - 0.5),
        )

    def to_pixels(self, rays: ArrayLike) -> Floats:
        """Where rays (x/z, y/z; n×2) meet the sensor."""
        ray = np.asarray(rays, dtype=np.float64)
        return np.asarray(_distorted(ray, self.distortion) * self.focal_px + self.centre_px)

    def to_rays(self, pixels: ArrayLike) -> Floats:
        """The rays (x/z, y/z; n×2) that pixels see; NaN where the distortion has no inverse."""
        target = (np.asarray(pixels, dtype=np.float64) - self.centre_px) / self.focal_px
        if not any(self.distortion):
            return target
        ray = target.copy()
        for _ in range(_NEWTON_STEPS):
            step = _newton_step(ray, _distorted(ray, self.distortion) - target, self.distortion)
            ray = ray - step
            if not np.any(np.abs(step) > _FAR_ENOUGH):
                break
        missed = np.abs(_distorted(ray, self.distortion) - target).max(axis=-1, keepdims=True) > 1e-6
        return np.where(missed, np.nan, ray)


@dataclass(frozen=True)
class Pose:
    """Where the camera is: it sees a table point p at R·p + t in its own frame (x right, y down, z ahead)."""

    rotation: tuple[float, float, float]
    """Rodrigues vector: the axis times the angle in radians."""
    shift_mm: tuple[float, float, float]

    @classmethod
    def from_matrix(cls, matrix: ArrayLike, shift_mm: ArrayLike) -> "Pose":
        """The pose with this 3×3 rotation matrix and shift."""
        x, y, z = rotation_vector(np.asarray(matrix, dtype=np.float64))
        tx, ty, tz = np.asarray(shift_mm, dtype=np.float64).reshape(3)
        return cls((float(x), float(y), float(z)), (float(tx), float(ty), float(tz)))

    @classmethod
    def above(
        cls, height_mm: float, *, tilt_deg: float = 0.0, towards_deg: float = 90.0, turn_deg: float = 0.0
    ) -> "Pose":
        """A camera that looks at the table's middle from ``height_mm`` away.

        ``tilt_deg`` leans it away from the vertical, so that it stands on the side opposite to
        ``towards_deg`` (90: it looks away from the first player, who sees the picture upright);
        ``turn_deg`` turns the picture.
        """
        down = np.diag([1.0, -1.0, -1.0])
        lean, way, turn = (math.radians(a) for a in (tilt_deg, towards_deg, turn_deg))
        axis = np.array([-math.sin(way), math.cos(way), 0.0])
        matrix = rotation_matrix((0, 0, turn)) @ down @ rotation_matrix(axis * lean)
        return cls.from_matrix(matrix, (0.0, 0.0, height_mm))

    @cached_property
    def matrix(self) -> Floats:
        """The 3×3 rotation matrix R."""
        return rotation_matrix(self.rotation)

    @property
    def eye_mm(self) -> Floats:
        """Where the camera stands, in the table's frame."""
        return np.asarray(-self.matrix.T @ np.asarray(self.shift_mm))

    @property
    def tilt_deg(self) -> float:
        """The angle between the camera's axis and straight down."""
        return math.degrees(math.acos(min(1.0, max(-1.0, -float(self.matrix[2, 2])))))


@dataclass(frozen=True)
class Camera:
    """A lens in its place: maps table points to pixels, and pixels back to the table at a known height."""

    lens: Lens
    pose: Pose

    def to_pixels(self, points_mm: ArrayLike, height_mm: ArrayLike = 0.0) -> Floats:
        """The pixels (n×2) of table points (n×2, or n×3 where the height is part of the point).

        Points behind the camera become NaN.
        """
        points = np.asarray(points_mm, dtype=np.float64)
        if points.shape[-1] == 2:
            heights = np.broadcast_to(np.asarray(height_mm, dtype=np.float64), points.shape[:-1])
            points = np.concatenate([points, heights[..., None]], axis=-1)
        seen = points @ self.pose.matrix.T + np.asarray(self.pose.shift_mm)
        depth = np.where(seen[..., 2:] > 1e-6, seen[..., 2:], np.nan)
        return self.lens.to_pixels(seen[..., :2] / depth)

    def to_mm(self, pixels: ArrayLike, height_mm: ArrayLike = 0.0) -> Floats:
        """The table points (n×2) that pixels show if what they show lies ``height_mm`` above the table.

        ``height_mm`` is one height or one for each pixel. Pixels that look past the horizon become NaN.
        """
        rays = self.lens.to_rays(pixels)
        towards = np.concatenate([rays, np.ones((*rays.shape[:-1], 1))], axis=-1) @ self.pose.matrix
        eye = self.pose.eye_mm
        drop = np.asarray(height_mm, dtype=np.float64) - eye[2]
        fall = np.where(towards[..., 2] < -_FAR_ENOUGH, towards[..., 2], np.nan)
        return np.asarray(eye[:2] + towards[..., :2] * (drop / fall)[..., None])

    def mm_per_px(self, point_mm: tuple[float, float] = (0.0, 0.0), height_mm: float = 0.0) -> float:
        """How many millimetres a pixel spans around a table point (the root of the area it covers)."""
        x, y = point_mm
        across = self.to_pixels([(x - 0.5, y), (x + 0.5, y), (x, y - 0.5), (x, y + 0.5)], height_mm)
        (ax, ay), (bx, by) = across[1] - across[0], across[3] - across[2]
        return 1 / math.sqrt(abs(float(ax * by - ay * bx)))


def rotation_matrix(vector: ArrayLike) -> Floats:
    """The 3×3 matrix of a Rodrigues vector."""
    x, y, z = np.asarray(vector, dtype=np.float64)
    angle = math.sqrt(x * x + y * y + z * z)
    cross = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    # The series for small angles keeps the formula exact where dividing by the angle would not be.
    small = angle < 1e-6
    a = 1 - angle * angle / 6 if small else math.sin(angle) / angle
    b = 0.5 - angle * angle / 24 if small else (1 - math.cos(angle)) / (angle * angle)
    return np.asarray(np.eye(3) + a * cross + b * (cross @ cross))


def rotation_vector(matrix: Floats) -> Floats:
    """The Rodrigues vector of a 3×3 rotation matrix."""
    # Through the quaternion, whose largest part is never small: a camera that looks straight down is turned
    # by half a turn, just where the usual formula breaks down.
    m = matrix
    trace = float(np.trace(m))
    squares = np.array([trace, m[0, 0], m[1, 1], m[2, 2]])
    largest = int(np.argmax(squares))
    if largest == 0:
        quaternion = np.array([1 + trace, m[2, 1] - m[1, 2], m[0, 2] - m[2, 0], m[1, 0] - m[0, 1]])
    else:
        i = largest - 1
        j, k = (i + 1) % 3, (i + 2) % 3
        quaternion = np.zeros(4)
        quaternion[0] = m[k, j] - m[j, k]
        quaternion[1 + i] = 1 + 2 * m[i, i] - trace
        quaternion[1 + j] = m[j, i] + m[i, j]
        quaternion[1 + k] = m[k, i] + m[i, k]
    quaternion /= np.linalg.norm(quaternion)
    if quaternion[0] < 0:
        quaternion = -quaternion
    sine = float(np.linalg.norm(quaternion[1:]))
    if sine < 1e-12:
        return np.asarray(2 * quaternion[1:])
    return np.asarray(quaternion[1:] / sine * 2 * math.atan2(sine, float(quaternion[0])))


def _distorted(ray: Floats, distortion: tuple[float, float, float, float, float]) -> Floats:
    k1, k2, p1, p2, k3 = distortion
    x, y = ray[..., 0], ray[..., 1]
    r2 = x * x + y * y
    radial = 1 + r2 * (k1 + r2 * (k2 + r2 * k3))
    bent = np.empty_like(ray)
    bent[..., 0] = x * radial + 2 * p1 * x * y + p2 * (r2 + 2 * x * x)
    bent[..., 1] = y * radial + p1 * (r2 + 2 * y * y) + 2 * p2 * x * y
    return bent


def _newton_step(ray: Floats, miss: Floats, distortion: tuple[float, float, float, float, float]) -> Floats:
    """The step that would bring ``ray`` home if the distortion were linear around it."""
    k1, k2, p1, p2, k3 = distortion
    x, y = ray[..., 0], ray[..., 1]
    r2 = x * x + y * y
    radial = 1 + r2 * (k1 + r2 * (k2 + r2 * k3))
    slope = 2 * (k1 + r2 * (2 * k2 + r2 * 3 * k3))
    xx = radial + x * x * slope + 2 * p1 * y + 6 * p2 * x
    yy = radial + y * y * slope + 6 * p1 * y + 2 * p2 * x
    xy = x * y * slope + 2 * p1 * x + 2 * p2 * y
    scale = xx * yy - xy * xy
    scale = np.where(np.abs(scale) < 1e-9, 1e-9, scale)
    u, v = miss[..., 0], miss[..., 1]
    return np.stack([(yy * u - xy * v) / scale, (xx * v - xy * u) / scale], axis=-1)
