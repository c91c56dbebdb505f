"""Cameras over tables as people might set them up, drawn at random from a seed, with the truth about them."""

from dataclasses import dataclass, replace

import cv2
import numpy as np

from benchmarks.marker_frames import FlatBlock, FrameLook
from calibration.aruco import Grey
from calibration.camera import Camera, Floats, Lens, Pose
from calibration.glance import moved_pose
from calibration.mats import MarkerPlace, loose_markers
from calibration.table_finder import Table, settle_frame

TABLE_MM = (800.0, 600.0)
TILE_MM = (48.0, 24.0)
_MARGIN_PX = 14
_APART_MM = 72.0
_LEAST_SIDE_POINTS = 6


@dataclass(frozen=True)
class Rig:
    """A camera in its place over four loose markers, and how its pictures look."""

    camera: Camera
    markers: tuple[MarkerPlace, ...]
    look: FrameLook

    @property
    def truth(self) -> Table:
        """The table as an all-knowing calibration would give it."""
        return settle_frame(Table(self.camera, self.markers, 0.0))


def random_rig(rng: np.random.Generator, size_px: tuple[int, int] = (1920, 1080)) -> Rig:
    """A camera tilted by 0 to 25 degrees that sees the whole table, over papers laid down by hand."""
    lens = random_lens(rng, size_px)
    markers = tuple(
        replace(
            place,
            centre_mm=(place.centre_mm[0] + rng.uniform(-6, 6), place.centre_mm[1] + rng.uniform(-6, 6)),
            angle_deg=float(rng.uniform(-12, 12)),
        )
        for place in loose_markers((TABLE_MM[0] - 12, TABLE_MM[1] - 12))
    )
    look = FrameLook(
        exposure=rng.uniform(0.45, 0.95),
        blur_px=rng.uniform(0.5, 1.2),
        noise=rng.uniform(0.004, 0.015),
        gamma=rng.uniform(1.8, 2.6),
        slope=(rng.uniform(-0.25, 0.25), rng.uniform(-0.25, 0.25)),
        table_light=rng.uniform(0.08, 0.4),
        ink_light=rng.uniform(0.02, 0.07),
    )
    pose = Pose.above(
        1.0, tilt_deg=rng.uniform(0, 25), towards_deg=rng.uniform(0, 360), turn_deg=rng.uniform(-8, 8)
    )
    return Rig(Camera(lens, _far_enough(lens, pose)), markers, look)


def random_lens(rng: np.random.Generator, size_px: tuple[int, int]) -> Lens:
    """A lens of an unknown maker: 58 to 74 degrees wide, off centre, slightly bent."""
    plain = Lens.from_field_of_view(size_px, rng.uniform(58, 74))
    cx, cy = plain.centre_px
    off = 0.006 * size_px[0]
    bent = (rng.normal(0, 0.05), rng.normal(0, 0.03), rng.normal(0, 4e-4), rng.normal(0, 4e-4), 0.0)
    return replace(plain, centre_px=(cx + rng.normal(0, off), cy + rng.normal(0, off)), distortion=bent)


def hand_held(rig: Rig, rng: np.random.Generator) -> Camera:
    """The same camera held by hand over the same markers, aslant, all of them in the picture."""
    lens = rig.camera.lens
    pose = Pose.above(
        1.0, tilt_deg=rng.uniform(15, 32), towards_deg=rng.uniform(0, 360), turn_deg=rng.uniform(-15, 15)
    )
    return Camera(lens, _far_enough(lens, pose))


def at_board(lens: Lens, rng: np.random.Generator) -> Camera:
    """The camera seen from a lens board that somebody holds before it."""
    pose = Pose.above(
        rng.uniform(280, 460),
        tilt_deg=rng.uniform(0, 35),
        towards_deg=rng.uniform(0, 360),
        turn_deg=rng.uniform(-20, 20),
    )
    x, y, z = *rng.uniform(-0.45, 0.45, 2), pose.shift_mm[2]
    wide, high = lens.size_px[0] / lens.focal_px[0], lens.size_px[1] / lens.focal_px[1]
    return Camera(lens, replace(pose, shift_mm=(float(x * z * wide), float(y * z * high), z)))


def bumped(camera: Camera, outline_mm: Floats, far_px: float, rng: np.random.Generator) -> Camera:
    """The camera after a bump that shifts the table's picture by ``far_px`` where it shifts most."""
    move = rng.normal(size=6) * np.array([1e-3, 1e-3, 1e-3, 1.0, 1.0, 1.0]) * rng.choice([0.2, 1.0], 6)
    before = camera.to_pixels(outline_mm)
    for _ in range(4):
        after = Camera(camera.lens, moved_pose(camera.pose, move)).to_pixels(outline_mm)
        move = move * (far_px / np.linalg.norm(after - before, axis=1).max())
    return Camera(camera.lens, moved_pose(camera.pose, move))


def scattered_tiles(
    rng: np.random.Generator, count: int, avoid: tuple[MarkerPlace, ...]
) -> tuple[FlatBlock, ...]:
    """Tiles all over the table, 0 to 30 mm up, none over a marker or hiding another."""
    spots = [np.asarray(place.centre_mm) for place in avoid]
    tiles: list[FlatBlock] = []
    for _ in range(count * 200):
        if len(tiles) == count:
            break
        spot = rng.uniform(-0.5, 0.5, 2) * (np.array(TABLE_MM) - 30)
        if all(np.linalg.norm(spot - other) > _APART_MM for other in spots):
            spots.append(spot)
            place = (float(spot[0]), float(spot[1]))
            tiles.append(FlatBlock(place, TILE_MM, rng.uniform(-90, 90), rng.uniform(0, 30)))
    return tuple(tiles)


def corners_in_picture(grey: Grey, camera: Camera, tile: FlatBlock) -> Floats | None:
    """The corners of a light tile's top face as the picture shows them (4×2), sides fitted as lines.

    The true camera is used only to cut out the part of the picture in which the tile lies.
    """
    expected = camera.to_pixels(tile.corners_mm, tile.height_mm)
    x0, y0 = np.floor(expected.min(axis=0)).astype(int) - 6
    x1, y1 = np.ceil(expected.max(axis=0)).astype(int) + 7
    if x0 < 0 or y0 < 0 or x1 > grey.shape[1] or y1 > grey.shape[0]:
        return None
    cut = grey[y0:y1, x0:x1]
    mask = cv2.threshold(cut, 0, 255, cv2.THRESH_BINARY + cv2.THRESH_OTSU)[1]
    outlines, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    points = max(outlines, key=cv2.contourArea).reshape(-1, 2).astype(np.float64)
    rough = cv2.boxPoints(cv2.minAreaRect(points.astype(np.float32))).astype(np.float64)
    lines = [_side(points, rough[i], rough[(i + 1) % 4]) for i in range(4)]
    if any(line is None for line in lines):
        return None
    found = np.array([np.cross(lines[i - 1], lines[i]) for i in range(4)])
    corners = found[:, :2] / found[:, 2:] + np.array([x0, y0])
    order = [int(np.argmin(np.linalg.norm(corners - e, axis=1))) for e in expected]
    return corners[order] if len(set(order)) == 4 else None


def _side(points: Floats, start: Floats, end: Floats) -> Floats | None:
    """The homogeneous line through the outline points that belong to a side, its ends left out."""
    along = (end - start) / np.linalg.norm(end - start)
    away = np.abs((points - start) @ np.array([-along[1], along[0]]))
    share = (points - start) @ along / np.linalg.norm(end - start)
    mine = points[(away < 2.5) & (share > 0.12) & (share < 0.88)]
    if len(mine) < _LEAST_SIDE_POINTS:
        return None
    middle = mine.mean(axis=0)
    direction = np.linalg.svd(mine - middle)[2][0]
    normal = np.array([-direction[1], direction[0]])
    return np.array([*normal, -normal @ middle])


def _far_enough(lens: Lens, pose: Pose) -> Pose:
    """The nearest pose along the camera's axis from which the whole table fits into the picture."""
    w, d = TABLE_MM[0] / 2, TABLE_MM[1] / 2
    corners = np.array([(-w, -d, h) for h in (0, 30)] + [(w, -d, h) for h in (0, 30)])
    corners = np.concatenate([corners, corners * [1, -1, 1]])
    limit = np.array(lens.size_px) - 1 - _MARGIN_PX
    for far in range(500, 2600, 10):
        placed = replace(pose, shift_mm=(0.0, 0.0, float(far)))
        at = Camera(lens, placed).to_pixels(corners)
        if np.isfinite(at).all() and (at > _MARGIN_PX).all() and (at < limit).all():
            return placed
    raise ValueError("no distance shows the whole table")
