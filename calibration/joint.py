"""Camera, lens and markers solved together, from the edges that one or more pictures show.

Nothing about the layout is taken for granted but that the markers lie on one plane and are squares of a
known size. What the pictures cannot tell about the lens comes from what is known of it beforehand.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from calibration.camera import Floats, Lens, Pose, rotation_matrix
from calibration.mats import MarkerPlace
from calibration.solve import Problem, Solved, fit

_TURN, _SHIFT_MM, _SHARE, _BEND = 1e-6, 1e-3, 1e-6, 1e-6


@dataclass(frozen=True)
class LensKnowledge:
    """A lens and how far the truth may be from it (standard deviations); all 0 for a calibrated lens."""

    lens: Lens
    focal_share: float = 0.0
    """Of the focal length."""
    centre_share: float = 0.0
    """Of the picture's width."""
    bend: tuple[float, float] = (0.0, 0.0)
    """Of the distortion's k1 and k2."""

    @property
    def is_settled(self) -> bool:
        """Whether nothing is left to find out."""
        return self.focal_share == 0


@dataclass(frozen=True)
class EdgeView:
    """Edge points of markers measured in one picture."""

    pose: Pose
    marker: NDArray[np.intp]
    """For each point the index of its marker."""
    own_mm: Floats
    seen_px: Floats
    normal_px: Floats


@dataclass(frozen=True)
class Solution:
    """Lens, poses (one a view) and marker places that explain all views."""

    lens: Lens
    poses: tuple[Pose, ...]
    places: tuple[MarkerPlace, ...]
    rms_px: float
    trusted: Floats
    """For each marker the share of its points that agree."""
    focal_doubt: float
    """Standard deviation of the focal length that is left, as a share of it."""


def solve_jointly(views: Sequence[EdgeView], places: Sequence[MarkerPlace], known: LensKnowledge) -> Solution:
    """Lens, poses and places from the views, starting at the poses of the views and at ``places``."""
    system = _System(tuple(views), tuple(places), known)
    found = fit(system.problem(), np.zeros(system.size))
    lens, poses, solved = system.unpack(found.unknowns)
    return Solution(
        lens=lens,
        poses=poses,
        places=solved,
        rms_px=found.rms_px,
        trusted=system.share_trusted(found),
        focal_doubt=0.0 if known.is_settled else float(np.sqrt(found.covariance[0, 0])),
    )


class _System:
    """How the unknowns are laid out in one vector: lens (5, unless settled), poses (6 each), places (3 each).

    All are changes against the start, so that the start is zero.
    """

    def __init__(
        self, views: tuple[EdgeView, ...], places: tuple[MarkerPlace, ...], known: LensKnowledge
    ) -> None:
        self.views, self.places, self.known = views, places, known
        self.lens_size = 0 if known.is_settled else 5
        self.pose_end = self.lens_size + 6 * len(views)
        self.size = self.pose_end + 3 * len(places)
        self.start = [(view.pose.matrix, np.asarray(view.pose.shift_mm)) for view in views]
        self.middle = np.array([place.centre_mm for place in places])
        self.angle = np.radians([place.angle_deg for place in places])
        self.groups = np.concatenate([view.marker + i * len(places) for i, view in enumerate(views)])

    def problem(self) -> Problem:
        lens_steps = [_SHARE, _SHARE, _SHARE, _BEND, _BEND][: self.lens_size]
        pose_steps = [_TURN] * 3 + [_SHIFT_MM] * 3
        steps = lens_steps + pose_steps * len(self.views) + [_SHIFT_MM, _SHIFT_MM, _TURN] * len(self.places)
        return Problem(
            measured=self.residuals,
            steps=np.array(steps),
            expected=None if self.known.is_settled else self.expected,
            groups=self.groups,
            slopes=self.slopes,
        )

    def lens(self, x: Floats) -> Lens:
        lens = self.known.lens
        if not self.lens_size:
            return lens
        (fx, fy), (cx, cy), width = lens.focal_px, lens.centre_px, lens.size_px[0]
        k1, k2, p1, p2, k3 = lens.distortion
        scale = float(np.exp(x[0]))
        return replace(
            lens,
            focal_px=(fx * scale, fy * scale),
            centre_px=(cx + float(x[1]) * width, cy + float(x[2]) * width),
            distortion=(k1 + float(x[3]), k2 + float(x[4]), p1, p2, k3),
        )

    def expected(self, x: Floats) -> Floats:
        known = self.known
        spread = np.array([known.focal_share, known.centre_share, known.centre_share, *known.bend])
        return np.asarray(x[:5] / spread)

    def residuals(self, x: Floats) -> Floats:
        return self.missed(x, self.rays(x, self.on_table(x)))

    def on_table(self, x: Floats) -> list[Floats]:
        """Where the points of each view lie; only the places of markers move them."""
        moves = x[self.pose_end :].reshape(-1, 3)
        middle, angle = self.middle + moves[:, :2], self.angle + moves[:, 2]
        c, s = np.cos(angle), np.sin(angle)
        tables = []
        for view in self.views:
            own, marker = view.own_mm, view.marker
            table = np.empty((len(own), 2))
            table[:, 0] = own[:, 0] * c[marker] - own[:, 1] * s[marker] + middle[marker, 0]
            table[:, 1] = own[:, 0] * s[marker] + own[:, 1] * c[marker] + middle[marker, 1]
            tables.append(table)
        return tables

    def rays(self, x: Floats, tables: Sequence[Floats]) -> list[Floats]:
        """The rays on which the points of each view are seen; only places and poses move them."""
        rays = []
        for index, table in enumerate(tables):
            matrix, shift = self.placed(x, index)
            seen = table @ matrix[:, :2].T + shift
            rays.append(seen[:, :2] / np.where(seen[:, 2:] > 1.0, seen[:, 2:], np.nan))
        return rays

    def missed(self, x: Floats, rays: Sequence[Floats]) -> Floats:
        """How far rays are seen from the edges that belong to them."""
        lens = self.lens(x)
        parts = []
        for view, ray in zip(self.views, rays, strict=True):
            off = (lens.to_pixels(ray) - view.seen_px) * view.normal_px
            parts.append(off[:, 0] + off[:, 1])
        return np.concatenate(parts)

    def slopes(self, x: Floats, here: Floats) -> Floats:
        """A point depends on one pose and one place alone, so all poses, and all places, move at once."""
        tables = self.on_table(x)
        rays = self.rays(x, tables)
        slopes = np.zeros((len(here), self.size))
        rows = np.arange(len(here))
        view_of = np.repeat(np.arange(len(self.views)), [len(view.marker) for view in self.views])
        marker_of = self.groups % len(self.places)
        parts = (
            (np.zeros(len(here), dtype=np.intp), 0, [_SHARE, _SHARE, _SHARE, _BEND, _BEND][: self.lens_size]),
            (self.lens_size + 6 * view_of, 6, [_TURN] * 3 + [_SHIFT_MM] * 3),
            (self.pose_end + 3 * marker_of, 3, [_SHIFT_MM, _SHIFT_MM, _TURN]),
        )
        for first, every, steps in parts:
            start = int(first.min())
            for k, step in enumerate(steps):
                moved = x.copy()
                end = start + k + 1 if every == 0 else (self.pose_end if every == 6 else self.size)
                moved[start + k : end : every or 1] += step
                there = rays  # a lens alone moves none
                if every:
                    there = self.rays(moved, tables if every == 6 else self.on_table(moved))
                slopes[rows, first + k] = (self.missed(moved, there) - here) / step
        return slopes

    def placed(self, x: Floats, index: int) -> tuple[Floats, Floats]:
        move = x[self.lens_size + 6 * index : self.lens_size + 6 * index + 6]
        matrix, shift = self.start[index]
        return np.asarray(rotation_matrix(move[:3]) @ matrix), np.asarray(shift + move[3:])

    def unpack(self, x: Floats) -> tuple[Lens, tuple[Pose, ...], tuple[MarkerPlace, ...]]:
        poses = tuple(Pose.from_matrix(*self.placed(x, i)) for i in range(len(self.views)))
        moves = x[self.pose_end :].reshape(-1, 3)
        places = tuple(
            replace(
                place,
                centre_mm=(place.centre_mm[0] + float(move[0]), place.centre_mm[1] + float(move[1])),
                angle_deg=place.angle_deg + float(np.degrees(move[2])),
            )
            for place, move in zip(self.places, moves, strict=True)
        )
        return self.lens(x), poses, places

    def share_trusted(self, found: Solved) -> Floats:
        marker = self.groups % len(self.places)
        total = np.bincount(marker, minlength=len(self.places))
        good = np.bincount(marker, weights=found.weights > 0.5, minlength=len(self.places))
        return np.asarray(good / np.maximum(total, 1))
