"""Finding the table: from a picture with markers to a metric view, and what a view without metric can say."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from calibration import aruco
from calibration.aruco import Corners, Grey
from calibration.camera import Camera, Floats, Lens, Pose
from calibration.camera_errors import (
    MarkersOutOfOrder,
    MirroredPicture,
    NoMarkers,
    ResolutionChanged,
    SameMarkerTwice,
    TooFewMarkers,
    UnclearTable,
)
from calibration.edges import Edges, measure, plan_edges, with_response
from calibration.joint import EdgeView, LensKnowledge, Solution, solve_jointly
from calibration.mats import CORNER_IDS, MARKER_MM, MarkerPlace
from calibration.solve import Problem, fit

_LEAST_EDGES = 0.3
_WORST_RMS_PX = 1.5
_LEAST_TRUSTED = 0.5
_MOST_ROUNDS = 12
_SETTLED_PX = 0.02


@dataclass(frozen=True)
class Table:
    """A table whose millimetres are known: the camera over it, and where its markers lie."""

    camera: Camera
    markers: tuple[MarkerPlace, ...]
    rms_px: float
    """How far the marker edges lie from where this table says they are."""
    trusted: tuple[int, ...] = ()
    """The markers most of whose edges agree with the others."""
    focal_doubt: float = 0.0
    """How uncertain the focal length still is, as a share of it: it matters for raised pieces alone."""

    def marker(self, number: int) -> MarkerPlace:
        """The place of marker ``number``."""
        return next(place for place in self.markers if place.number == number)

    @property
    def outline_mm(self) -> Floats:
        """The corners (4×2) of the smallest upright rectangle around the markers, counter-clockwise."""
        corners = np.concatenate([place.corners_mm for place in self.markers])
        (left, bottom), (right, top) = corners.min(axis=0), corners.max(axis=0)
        return np.array([(left, bottom), (right, bottom), (right, top), (left, top)])

    def in_pictures_of(self, size_px: tuple[int, int]) -> "Table":
        """The same table in pictures that show the same at another size."""
        lens = self.camera.lens
        if lens.size_px == size_px:
            return self
        larger = replace(self.camera, lens=lens.scaled_to(size_px))
        return replace(self, camera=larger, rms_px=self.rms_px * size_px[0] / lens.size_px[0])

    def doubt_mm(self, point_mm: tuple[float, float], height_mm: float) -> float:
        """How far off a point at this height may be because the focal length is uncertain (one sigma)."""
        eye = self.camera.pose.eye_mm
        away = math.hypot(point_mm[0] - eye[0], point_mm[1] - eye[1])
        return float(self.focal_doubt * away * height_mm / max(eye[2] - height_mm, 1.0))


def find_markers(grey: Grey) -> dict[int, Corners]:
    """The markers in a picture; raises what is wrong with it where no table can be found in it."""
    found = look_twice(grey, CORNER_IDS)
    if len(found) < 2 and len(aruco.detect(np.ascontiguousarray(grey[:, ::-1]))) > max(1, len(found)):
        raise MirroredPicture
    if not found:
        raise NoMarkers
    markers: dict[int, Corners] = {}
    for number, corners in found:
        if number in markers:
            raise SameMarkerTwice(number)
        markers[number] = corners
    return markers


def look_twice(grey: Grey, wanted: Iterable[int]) -> list[tuple[int, Corners]]:
    """The markers found, with a second and larger look where some but not all of ``wanted`` are."""
    found = aruco.detect(grey)
    numbers = {number for number, _ in found}
    if not numbers or numbers.issuperset(wanted):
        return found
    large = cv2.resize(grey, None, fx=2, fy=2, interpolation=cv2.INTER_CUBIC)
    crisp = cv2.addWeighted(large, 2.5, cv2.GaussianBlur(large, (0, 0), 2.2), -1.5, 0)
    again = aruco.detect(np.asarray(crisp, dtype=np.uint8))
    return found + [(n, (corners + 0.5) / 2 - 0.5) for n, corners in again if n not in numbers]


def find_table(pictures: Sequence[Grey], lens: LensKnowledge, *, side_mm: float = MARKER_MM) -> Table:
    """The table in one or more pictures taken by a camera and of markers that did not move between them."""
    for picture in pictures:
        check_size(picture, lens.lens)
    seen = find_markers(pictures[0])
    for picture in pictures[1:]:
        if all(number in seen for number in CORNER_IDS):
            break
        # Noise hides a small marker in one picture and not in the next.
        seen = {**find_markers(picture), **seen}
    check_corner_order(seen)
    table = _first_guess(seen, lens.lens, side_mm)
    for _ in range(_MOST_ROUNDS):
        # An edge is measured the better, the closer to it one looks.
        plan = with_response(pictures[0], plan_edges(table.camera, table.markers))
        edges = average([measure(picture, plan) for picture in pictures])
        before, table = table, refine([(table.camera.pose, edges)], table, lens)[0]
        if table.rms_px > 4 * _WORST_RMS_PX or _drift_px(before, table) < _SETTLED_PX:
            break
    odd = tuple(place.number for place in table.markers if place.number not in table.trusted)
    if odd or table.rms_px > _WORST_RMS_PX:
        raise UnclearTable(odd)
    return settle_frame(table)


def refine(shots: Sequence[tuple[Pose, Edges]], table: Table, lens: LensKnowledge) -> tuple[Table, ...]:
    """The table as the shots' edges say it is: one lens, one set of marker places, a pose for each shot."""
    views = [_view(pose, edges) for pose, edges in shots]
    solution = solve_jointly(views, table.markers, lens)
    return tuple(_as_table(solution, pose) for pose in solution.poses)


def average(shots: Sequence[Edges]) -> Edges:
    """The mean of several measurements of the same edges while nothing moved."""
    if len(shots) == 1:
        return shots[0]
    good = np.array([edges.good for edges in shots])
    times = good.sum(axis=0)
    offset = np.array([edges.offset_px for edges in shots]).sum(axis=0) / np.maximum(times, 1)
    return Edges(shots[0].plan, offset, times * 2 > len(shots))


def settle_frame(table: Table) -> Table:
    """The same table in its own frame: the middle of the corner markers, x from left to right."""
    corners = corner_middles({place.number: np.asarray(place.centre_mm) for place in table.markers})
    middle = corners.mean(axis=0)
    right = (corners[1] - corners[0]) + (corners[2] - corners[3])
    return _reframed(table, middle, math.atan2(right[1], right[0]), (0.0, 0.0))


def keep_frame(table: Table, like: Table) -> Table:
    """The same table in the frame of ``like``, of which it is a better measurement.

    The frame must not follow the corner markers once play has begun: one of them may have been moved.
    """
    known = {place.number: place for place in like.markers}
    shared = [place for place in table.markers if place.number in known]
    here = np.concatenate([place.corners_mm for place in shared])
    there = np.concatenate([known[place.number].corners_mm for place in shared])
    middle, goal = here.mean(axis=0), there.mean(axis=0)
    (ax, ay), (bx, by) = (here - middle).T, (there - goal).T
    turn = -math.atan2(float(ax @ by - ay @ bx), float(ax @ bx + ay @ by))
    return _reframed(table, middle, turn, (float(goal[0]), float(goal[1])))


def _reframed(table: Table, middle: Floats, turn: float, goal: tuple[float, float]) -> Table:
    """The table in a frame turned by ``turn``, in which ``middle`` comes to lie at ``goal``."""
    c, s = math.cos(turn), math.sin(turn)
    to_new = np.array([[c, s], [-s, c]])
    start = middle - to_new.T @ np.asarray(goal)
    places = tuple(_moved(place, to_new, start, turn) for place in table.markers)
    old = table.camera.pose
    from_new = np.array([[c, -s, 0], [s, c, 0], [0, 0, 1.0]])
    matrix = old.matrix @ from_new
    shift = old.matrix @ np.array([*start, 0.0]) + np.asarray(old.shift_mm)
    camera = Camera(table.camera.lens, Pose.from_matrix(matrix, shift))
    return replace(table, camera=camera, markers=places)


def corner_middles(middles: Mapping[int, Floats]) -> Floats:
    """The middles of the corner markers 0 to 3; one that is missing completes the parallelogram."""
    missing = [number for number in CORNER_IDS if number not in middles]
    if len(missing) > 1:
        raise TooFewMarkers(middles)
    known = dict(middles)
    for number in missing:
        before, after, across = ((number + step) % 4 for step in (3, 1, 2))
        known[number] = middles[before] + middles[after] - middles[across]
    return np.array([known[number] for number in CORNER_IDS])


def check_corner_order(seen: Mapping[int, Corners]) -> None:
    """Raise MarkersOutOfOrder unless the corner markers lie clockwise in the picture."""
    middles = corner_middles({number: corners.mean(axis=0) for number, corners in seen.items()})
    around = middles - middles.mean(axis=0)
    bearing = np.arctan2(around[:, 1], around[:, 0])
    order = [int(i) for i in np.argsort((bearing - bearing[0]) % (2 * math.pi))]
    if order != list(CORNER_IDS):
        raise MarkersOutOfOrder(order)


def check_size(grey: Grey, lens: Lens) -> None:
    """Raise ResolutionChanged unless the picture has the size that the lens is for."""
    size = (grey.shape[1], grey.shape[0])
    if size != lens.size_px:
        raise ResolutionChanged(size, lens.size_px)


def _drift_px(before: Table, after: Table) -> float:
    """How far the markers' corners moved in the picture from one table to the next."""
    ways = [
        table.camera.to_pixels([place.corners_mm for place in table.markers]) for table in (before, after)
    ]
    return float(np.abs(ways[1] - ways[0]).max())


def _view(pose: Pose, edges: Edges) -> EdgeView:
    plan = edges.plan
    enough = edges.share_good() >= _LEAST_EDGES
    keep = edges.good & enough[plan.marker]
    return EdgeView(pose, plan.marker[keep], plan.own_mm[keep], edges.seen_px[keep], plan.normal_px[keep])


def _as_table(solution: Solution, pose: Pose) -> Table:
    camera = Camera(solution.lens, pose)
    agreeing = zip(solution.places, solution.trusted, strict=True)
    trusted = tuple(place.number for place, share in agreeing if share >= _LEAST_TRUSTED)
    return Table(camera, solution.places, solution.rms_px, trusted, solution.focal_doubt)


def _moved(place: MarkerPlace, to_new: Floats, middle: Floats, turn: float) -> MarkerPlace:
    x, y = to_new @ (np.asarray(place.centre_mm) - middle)
    return replace(place, centre_mm=(float(x), float(y)), angle_deg=place.angle_deg - math.degrees(turn))


def _first_guess(seen: Mapping[int, Corners], lens: Lens, side_mm: float) -> Table:
    """A table from corners alone: the plane on which all markers are squares of the right size."""
    numbers = sorted(seen)
    rays = np.array([lens.to_rays(seen[number]) for number in numbers])
    plane = _plane_of_squares(rays, side_mm)
    normal, points = _on_plane(rays, plane)
    origin = points.mean(axis=(0, 1))
    along = points[:, 1].mean(axis=0) - points[:, 0].mean(axis=0)
    x_axis = along - normal * (normal @ along)
    x_axis /= np.linalg.norm(x_axis)
    up = -normal
    matrix = np.stack([x_axis, np.cross(up, x_axis), up], axis=1)
    own = (points - origin) @ matrix
    places = tuple(
        MarkerPlace(number, (float(x), float(y)), _heading_deg(corners), side_mm)
        for number, corners, (x, y) in zip(numbers, own, own[..., :2].mean(axis=1), strict=True)
    )
    return settle_frame(Table(Camera(lens, Pose.from_matrix(matrix, origin)), places, float("inf")))


def _heading_deg(corners: Floats) -> float:
    across = corners[1] - corners[0] + corners[2] - corners[3]
    return math.degrees(math.atan2(across[1], across[0]))


def _on_plane(rays: Floats, plane: Floats) -> tuple[Floats, Floats]:
    """The unit normal of a plane (two slopes and the log of its distance) and where the rays meet it."""
    normal = np.array([plane[0], plane[1], 1.0])
    normal /= np.linalg.norm(normal)
    towards = np.concatenate([rays, np.ones((*rays.shape[:-1], 1))], axis=-1)
    fall = np.maximum(towards @ normal, 1e-3)
    return normal, towards * (math.exp(float(plane[2])) / fall)[..., None]


def _plane_of_squares(rays: Floats, side_mm: float) -> Floats:
    pairs = [(0, 1, 1.0), (1, 2, 1.0), (2, 3, 1.0), (3, 0, 1.0), (0, 2, math.sqrt(2)), (1, 3, math.sqrt(2))]
    spread = float(np.mean(np.linalg.norm(rays[:, 1] - rays[:, 0], axis=1)))
    far = math.log(side_mm / spread)

    def off(plane: Floats) -> Floats:
        points = _on_plane(rays, plane)[1]
        lengths = [np.linalg.norm(points[:, a] - points[:, b], axis=1) / side_mm - k for a, b, k in pairs]
        return np.concatenate(lengths) * 100

    problem = Problem(measured=off, steps=np.full(3, 1e-6), noise_px=1.0)
    starts = [(0.0, 0.0), (0.4, 0.0), (-0.4, 0.0), (0.0, 0.4), (0.0, -0.4)]
    fits = [fit(problem, np.array([a, b, far]), most_steps=15) for a, b in starts]
    return min(fits, key=lambda f: float(np.sum(f.residuals_px**2))).unknowns
