"""From markers found anew: the camera's pose over a known table, or a marker's place under a known camera."""

from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import Any

import cv2
import numpy as np

from calibration.aruco import Corners, Grey
from calibration.camera import Camera, Floats, Pose, rotation_matrix
from calibration.edges import measure, plan_edges
from calibration.mats import MarkerPlace
from calibration.solve import Problem, fit
from calibration.table_finder import Table, look_twice

_ROUGH_PX = 2.0
_POSE_STEPS = np.array([1e-6] * 3 + [1e-3] * 3)
_PLACE_STEPS = np.array([1e-3, 1e-3, 1e-6])
_LEAST_SHARE = 0.7
_WORST_RMS_PX = 0.6
_SIZE_SHARE = 0.1


@dataclass(frozen=True)
class Located:
    """A search of the whole picture for a known table."""

    corners: dict[int, Corners]
    """Markers of the table that were found."""
    pose: Pose | None
    """The camera's pose, where enough markers agree on one."""

    @property
    def seen(self) -> tuple[int, ...]:
        """The numbers of the markers found."""
        return tuple(sorted(self.corners))

    def away_from(self, table: Table, limit_px: float) -> tuple[int, ...]:
        """The markers that were found, but clearly not where ``table`` has them."""
        expected = {p.number: table.camera.to_pixels(p.corners_mm) for p in table.markers}
        rough = limit_px + _ROUGH_PX
        return tuple(n for n in self.seen if np.abs(self.corners[n] - expected[n]).max() > rough)


def locate(grey: Grey, table: Table, ignored: Collection[int] = ()) -> Located:
    """Search a picture for the markers of ``table``, and fit the pose to them if there are at least two."""
    known = {place.number: place for place in table.markers if place.number not in ignored}
    found = look_twice(grey, known)
    numbers = [number for number, _ in found]
    corners = {n: c for n, c in found if n in known and numbers.count(n) == 1}
    if len(corners) < 2:
        return Located(corners, None)
    points = np.concatenate([known[n].corners_mm for n in corners])
    pose = _fit_pose(table.camera, points, np.concatenate(list(corners.values())))
    return Located(corners, pose)


def place_marker(
    grey: Grey, camera: Camera, number: int, corners: Corners, side_mm: float
) -> MarkerPlace | None:
    """Where a marker lies under a known camera; None where it does not lie flat or is no marker."""
    flat = camera.to_mm(corners)
    sides = np.linalg.norm(flat - np.roll(flat, -1, axis=0), axis=1)
    if not np.all(np.abs(sides / side_mm - 1) < _SIZE_SHARE):
        return None
    across = flat[1] - flat[0] + flat[2] - flat[3]
    x, y = flat.mean(axis=0)
    turn = float(np.degrees(np.arctan2(across[1], across[0])))
    place = MarkerPlace(number, (float(x), float(y)), turn, side_mm)
    for _ in range(2):
        edges = measure(grey, plan_edges(camera, (place,)))
        if edges.good.mean() < _LEAST_SHARE:
            return None
        own, seen, normal = edges.plan.own_mm, edges.seen_px, edges.plan.normal_px
        start = place

        def off(x: Floats, own: Floats = own, start: MarkerPlace = start) -> Floats:
            at = camera.to_pixels(_shifted(start, x).to_table(own))
            return np.asarray(np.sum((at - seen) * normal, axis=1)[edges.good])  # noqa: B023 - called at once

        groups = np.zeros(int(edges.good.sum()), dtype=np.intp)
        found = fit(Problem(off, _PLACE_STEPS, groups=groups), np.zeros(3), most_steps=10)
        place = _shifted(start, found.unknowns)
    return place if found.rms_px < _WORST_RMS_PX else None


def _fit_pose(camera: Camera, points_mm: Floats, seen_px: Floats) -> Pose | None:
    """The pose that puts table points where they are seen, a marker's worth of them possibly wrong.

    It is looked for near the pose that is held; a camera that was turned far has one of its own.
    """
    pose, agreeing = _fitted(camera, camera.pose, points_mm, seen_px)
    if agreeing < len(points_mm) // 4 and (far := _far_pose(camera, points_mm, seen_px)) is not None:
        other, agreeing_there = _fitted(camera, far, points_mm, seen_px)
        if agreeing_there > agreeing:
            pose, agreeing = other, agreeing_there
    return pose if agreeing >= 2 else None


def _fitted(camera: Camera, start: Pose, points_mm: Floats, seen_px: Floats) -> tuple[Pose, int]:
    """The best pose near another one, and how many markers agree on it."""
    matrix, shift = start.matrix, np.asarray(start.shift_mm)

    def posed(x: Floats) -> Pose:
        return Pose.from_matrix(rotation_matrix(x[:3]) @ matrix, shift + x[3:])

    def off(x: Floats) -> Floats:
        return (Camera(camera.lens, posed(x)).to_pixels(points_mm) - seen_px).ravel()

    found = fit(Problem(off, _POSE_STEPS, noise_px=_ROUGH_PX), np.zeros(6))
    agrees = found.weights.reshape(-1, 8).min(axis=1) > 0.2
    return posed(found.unknowns), int(agrees.sum())


def _far_pose(camera: Camera, points_mm: Floats, seen_px: Floats) -> Pose | None:
    """Roughly where a camera is that sees points of the table so, wherever it was before."""
    rays = camera.lens.to_rays(seen_px)
    if not np.isfinite(rays).all():
        return None
    flat: Any = np.column_stack([points_mm, np.zeros(len(points_mm))])
    try:
        there, turn, shift = cv2.solvePnP(flat, rays, np.eye(3), None, flags=cv2.SOLVEPNP_IPPE)
    except cv2.error:
        return None
    if not there:
        return None
    (rx, ry, rz), (tx, ty, tz) = np.ravel(turn), np.ravel(shift)
    return Pose((float(rx), float(ry), float(rz)), (float(tx), float(ty), float(tz)))


def _shifted(place: MarkerPlace, x: Floats) -> MarkerPlace:
    return replace(
        place,
        centre_mm=(place.centre_mm[0] + float(x[0]), place.centre_mm[1] + float(x[1])),
        angle_deg=place.angle_deg + float(np.degrees(x[2])),
    )
