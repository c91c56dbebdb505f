"""What one frame says about a known table: did the camera move, did a marker move, or can nobody tell?

Only the edges of the markers are looked at, around where they should be. A camera's move shifts all markers
as one pose can explain; a marker's move shifts that marker alone.
"""

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calibration.aruco import Grey
from calibration.camera import Camera, Floats, Pose, rotation_matrix
from calibration.edges import EdgePlan, Edges, measure, plan_edges
from calibration.solve import remove_offsets, robust_weights
from calibration.table_finder import Table

_TURN, _SHIFT_MM = 1e-5, 1e-2
_NOISE_PX = 0.15
_LEAST_NOISE_PX = 0.05
_LEAST_SHARE = 0.4
_AGREES_PX, _AT_REST_PX = 0.3, 0.2
_LIMIT_PX, _LIMIT_MM = 2.0, 1.0


@dataclass(frozen=True)
class Anchor:
    """A pose to measure frames against, with all that can be computed beforehand."""

    table: Table
    plan: EdgePlan
    slopes: Floats
    """How each edge offset grows with the six parts of a camera move (three turns, three shifts)."""
    outline_slopes: Floats
    """How the corners of the table move in the picture (4×2×6)."""
    limit_px: float
    """A bump that must be noticed: 2 px or 1 mm, whichever is less."""

    @property
    def notice_px(self) -> float:
        """Where a move is called one: half of what must be noticed."""
        return self.limit_px / 2


@dataclass(frozen=True)
class Glance:
    """One frame against an anchor."""

    seen: tuple[int, ...]
    """Markers of which enough can be seen."""
    odd: tuple[int, ...]
    """Seen markers that disagree with what the others say."""
    at_rest: tuple[int, ...]
    """Seen markers that are just where they were."""
    explained: bool
    """Whether the seen markers that are not odd agree on one pose of the camera."""
    move: Floats
    """The camera's move against the anchor: three turns (rad), three shifts (mm)."""
    shift_px: float
    """The furthest that this move shifts a corner of the table in the picture."""
    doubt_px: float
    """How uncertain that is (three sigma), with the markers that were seen."""
    edges: Edges

    @property
    def agreeing(self) -> tuple[int, ...]:
        """The markers that speak for the move."""
        return tuple(number for number in self.seen if number not in self.odd)


def anchor(table: Table) -> Anchor:
    """Prepare to glance at frames of a known table."""
    plan = plan_edges(table.camera, table.markers)
    outline = table.outline_mm
    corners_px = table.camera.to_pixels(outline)
    slopes = np.empty((len(plan.marker), 6))
    outline_slopes = np.empty((4, 2, 6))
    for k in range(6):
        step = np.zeros(6)
        step[k] = _TURN if k < 3 else _SHIFT_MM
        moved = Camera(table.camera.lens, moved_pose(table.camera.pose, step))
        drift = (moved.to_pixels(plan.table_mm) - plan.at_px) / step[k]
        slopes[:, k] = np.sum(drift * plan.normal_px, axis=1)
        outline_slopes[:, :, k] = (moved.to_pixels(outline) - corners_px) / step[k]
    limit_px = min(_LIMIT_PX, _LIMIT_MM / table.camera.mm_per_px())
    return Anchor(table, plan, slopes, outline_slopes, limit_px)


def moved_pose(pose: Pose, move: Floats) -> Pose:
    """``pose`` after a small move: three turns in radians, then three shifts in mm."""
    return Pose.from_matrix(rotation_matrix(move[:3]) @ pose.matrix, np.asarray(pose.shift_mm) + move[3:])


def shift_px(anchored: Anchor, move: Floats) -> float:
    """The furthest that a move shifts a corner of the table in the picture."""
    return float(np.linalg.norm(anchored.outline_slopes @ move, axis=1).max())


def glance(grey: Grey, anchored: Anchor, *, rest: Floats, ignored: Collection[int] = ()) -> Glance:
    """Compare a frame with an anchor.

    ``rest`` is the move at which the camera is known to rest; ``ignored`` are markers not to be asked.
    """
    edges = measure(grey, anchored.plan)
    share = edges.share_good()
    numbers = [place.number for place in anchored.plan.places]
    asked = [i for i, n in enumerate(numbers) if share[i] >= _LEAST_SHARE and n not in ignored]
    case = _Case(anchored, edges, rest)
    verdict = case.judge(asked)
    return Glance(
        seen=tuple(numbers[i] for i in asked),
        odd=tuple(numbers[i] for i in verdict.odd),
        at_rest=tuple(numbers[i] for i in verdict.at_rest),
        explained=verdict.explained,
        move=verdict.fit.move,
        shift_px=shift_px(anchored, verdict.fit.move - rest),
        doubt_px=verdict.fit.doubt_px,
        edges=edges,
    )


@dataclass(frozen=True)
class _MoveFit:
    move: Floats
    doubt_px: float
    left_px: Floats
    """For each marker by how much it is still shifted after the move."""

    def explains(self, asked: Sequence[int]) -> bool:
        return len(asked) > 0 and bool((self.left_px[list(asked)] < _AGREES_PX).all())


@dataclass(frozen=True)
class _Verdict:
    fit: _MoveFit
    odd: tuple[int, ...]
    explained: bool
    at_rest: tuple[int, ...]


class _Case:
    """One frame's edges, with the questions that are asked of them."""

    def __init__(self, anchored: Anchor, edges: Edges, rest: Floats) -> None:
        self.anchored, self.edges, self.rest = anchored, edges, rest

    def judge(self, asked: Sequence[int]) -> _Verdict:
        """One explanation for all; else the odd markers left out, provided that the choice is clear."""
        away_px = self.shifts(self.rest)
        at_rest = tuple(i for i in asked if away_px[i] < _AT_REST_PX)
        away = tuple(i for i in asked if i not in at_rest)
        if len(at_rest) >= 3:
            # Three markers hold the camera; whatever the others do, they do it themselves.
            return _Verdict(self.fit(at_rest), away, True, at_rest)
        everybody = self.fit(asked)
        if everybody.explains(asked):
            # Two markers at rest and one away can be a tilt about the line through the two, or that marker's
            # own move: nobody can tell from three.
            moved = shift_px(self.anchored, everybody.move - self.rest) >= self.anchored.notice_px
            unclear = moved and len(at_rest) == 2 and len(away) == 1
            return _Verdict(everybody, (), not unclear, at_rest)
        if len(at_rest) == 2 and len(away) == 1:
            return _Verdict(self.fit(at_rest), away, True, at_rest)
        if len(asked) >= 4:
            for left_out in asked:
                others = [i for i in asked if i != left_out]
                without = self.fit(others)
                if without.explains(others):
                    return _Verdict(without, (left_out,), True, at_rest)
        return _Verdict(everybody, (), False, at_rest)

    def fit(self, asked: Sequence[int]) -> _MoveFit:
        """The camera's move that the edges of some markers speak for, outliers weighed down."""
        plan, slopes = self.anchored.plan, self.anchored.slopes
        use = self.edges.good & np.isin(plan.marker, asked)
        marker, slope, offset = plan.marker[use], slopes[use], self.edges.offset_px[use]
        scale = np.array([1e-3] * 3 + [1.0] * 3)
        move: Floats = np.zeros(6)
        weights: Floats = np.ones(len(offset))
        left = offset
        normal: Floats = np.eye(6)
        for spread in (1.0, 0.5, _NOISE_PX, _NOISE_PX):
            centred = remove_offsets(slope, weights, marker) * scale
            normal = np.asarray(centred.T @ (weights[:, None] * centred) + 1e-9 * np.eye(6))
            move = np.asarray(np.linalg.solve(normal, centred.T @ (weights * offset)) * scale)
            left = remove_offsets(offset - slope @ move, weights, marker)
            weights = robust_weights(left, spread)
        noise = math.sqrt(float(np.sum(weights * left**2) / max(float(weights.sum()), 1.0)))
        spread_move = np.linalg.inv(normal) * np.outer(scale, scale) * max(1.2 * noise, _LEAST_NOISE_PX) ** 2
        drift = self.anchored.outline_slopes.reshape(8, 6)
        doubt = math.sqrt(float(np.max(np.einsum("ij,jk,ik->i", drift, spread_move, drift))))
        return _MoveFit(move, 3 * doubt, self.shifts(move))

    def shifts(self, move: Floats) -> Floats:
        """For each marker by how many pixels it is off if the camera moved so."""
        plan = self.anchored.plan
        left = self.edges.offset_px - self.anchored.slopes @ move
        return np.array([self._own_shift(left, plan.marker == i) for i in range(len(plan.places))])

    def _own_shift(self, left: Floats, mine: NDArray[np.bool_]) -> float:
        use = mine & self.edges.good
        if use.sum() < 8:
            return math.inf
        normal = self.anchored.plan.normal_px[use]
        # The third unknown is the marker's bleeding, which looks the same on every edge.
        design = np.column_stack([normal, np.ones(len(normal))])
        weights: Floats = np.ones(len(normal))
        found: Floats = np.zeros(3)
        for spread in (0.5, _NOISE_PX):
            heavy = weights[:, None] * design
            found = np.asarray(np.linalg.solve(design.T @ heavy + 1e-9 * np.eye(3), heavy.T @ left[use]))
            weights = robust_weights(left[use] - design @ found, spread)
        return float(math.hypot(found[0], found[1]))
