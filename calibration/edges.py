"""Marker edges to a few hundredths of a pixel: every border between black and white of a marker is measured.

A marker's four corners alone are biased: light bleeds over edges, so that black squares look smaller in a
bright picture and larger in a dark one, by more than a table of 80 cm can bear. Measuring the inner borders
too, where white cells lie in black, tells the bleeding from the size.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from calibration.aruco import MARKER_CELLS, Grey, cells
from calibration.camera import Camera, Floats
from calibration.mats import MarkerPlace

_SPACING_CELLS = 0.4
_STEP_PX = 0.5
"""About; a profile has whole steps from end to end."""
_REACH_CELLS = 0.45
_REACH_PX = (1.5, 6.0)
_ASIDE_PX, _RESPONSE = 0.3, (0.4, 1.1)
_LEAST_CONTRAST = 0.012
_USUAL_CONTRAST = 0.4
"""The share of a marker's usual contrast that an edge must have to be believed."""

# Cameras encode light roughly so; what is left of the true curve ends up in the bleeding, which is measured.
_LIGHT = np.where(
    np.arange(256) / 255 <= 0.04045,
    np.arange(256) / 255 / 12.92,
    ((np.arange(256) / 255 + 0.055) / 1.055) ** 2.4,
).astype(np.float32)


Profile: TypeAlias = tuple[NDArray[np.intp], NDArray[np.float32], NDArray[np.float32]]


@dataclass(frozen=True)
class EdgePlan:
    """Where to look for the edges of some markers in pictures of one camera; made once, used every frame."""

    places: tuple[MarkerPlace, ...]
    marker: NDArray[np.intp]
    """For each edge point, the index of its marker in ``places``."""
    table_mm: Floats
    own_mm: Floats
    """The edge points in the frame of their marker."""
    at_px: Floats
    normal_px: Floats
    """Unit vectors from black to white in the picture."""
    reach_px: float
    profile_index: Profile
    """Flat pixel index of each profile sample, and its fractions in x and y."""
    inside: NDArray[np.bool_]
    size_px: tuple[int, int]
    response: Floats
    """For each marker how far a measured edge moves when the edge itself moves by a pixel: less than one
    where blur is nearly as wide as a cell. See `with_response`."""


@dataclass(frozen=True)
class Edges:
    """What one picture says about an edge plan: how far each edge lies from where it was expected."""

    plan: EdgePlan
    offset_px: Floats
    """Along the normal; 0 where not ``good``."""
    good: NDArray[np.bool_]

    @property
    def seen_px(self) -> Floats:
        """The edge points as measured."""
        return np.asarray(self.plan.at_px + self.offset_px[:, None] * self.plan.normal_px)

    def share_good(self) -> Floats:
        """For each marker the share of its edges that can be seen."""
        count = len(self.plan.places)
        total = np.bincount(self.plan.marker, minlength=count)
        good = np.bincount(self.plan.marker, weights=self.good, minlength=count)
        return np.asarray(good / np.maximum(total, 1))


@lru_cache(maxsize=64)
def ideal_edges(number: int) -> tuple[Floats, Floats]:
    """Points on the edges of marker ``number`` and their normals from black to white.

    Both are n×2 in its own frame (x right, y to its top), the points in cells from its middle.
    """
    white = np.ones((MARKER_CELLS + 2, MARKER_CELLS + 2), dtype=bool)
    white[1:-1, 1:-1] = cells(number)
    # What lies right of a vertical border less what lies left of it; then the same for lying borders, by
    # looking at the marker turned on its side.
    upright, upright_signs = _border_points(white)
    lying, lying_signs = _border_points(white.T)
    points = np.concatenate([upright, lying[:, ::-1]])
    normals = np.zeros_like(points)
    normals[: len(upright), 0] = upright_signs
    normals[len(upright) :, 1] = lying_signs
    half = MARKER_CELLS / 2 + 1
    return (points - half) * (1.0, -1.0), normals * (1.0, -1.0)


def _border_points(white: NDArray[np.bool_]) -> tuple[Floats, Floats]:
    """Points (x, y in cells, y downwards) on the upright borders, and +1 where white lies to the right.

    Blur rounds corners off, so points keep half a cell away from the ends of a straight border.
    """
    change = white[:, 1:].astype(int) - white[:, :-1].astype(int)
    points: list[tuple[float, float]] = []
    signs: list[float] = []
    for column in range(change.shape[1]):
        row = 0
        while row < change.shape[0]:
            end = row
            while end < change.shape[0] and change[end, column] == change[row, column]:
                end += 1
            if change[row, column]:
                count = 1 + round((end - row - 1) / _SPACING_CELLS)
                points += [(column + 1.0, float(y)) for y in np.linspace(row + 0.5, end - 0.5, count)]
                signs += [float(change[row, column])] * count
            row = end
    return np.array(points), np.array(signs)


def plan_edges(camera: Camera, places: Sequence[MarkerPlace], *, reach_px: float | None = None) -> EdgePlan:
    """Prepare to measure the edges of ``places`` in pictures of ``camera``.

    ``reach_px`` is how far off an edge may lie; by default as far as the size of a cell allows.
    """
    marker, own, table, ahead = [], [], [], []
    for index, place in enumerate(places):
        points, normals = ideal_edges(place.number)
        cell = place.side_mm / MARKER_CELLS
        own.append(points * cell)
        table.append(place.to_table(points * cell))
        ahead.append(place.to_table((points + 0.05 * normals) * cell))
        marker.append(np.full(len(points), index))
    table_mm, ahead_mm = np.concatenate(table), np.concatenate(ahead)
    at_px = camera.to_pixels(table_mm)
    towards = camera.to_pixels(ahead_mm) - at_px
    length = np.linalg.norm(towards, axis=1, keepdims=True)
    if reach_px is None:
        cell_px = float(np.nanmin(length)) / 0.05
        reach_px = min(max(_REACH_CELLS * cell_px, _REACH_PX[0]), _REACH_PX[1])
    normal_px = towards / np.maximum(length, 1e-9)
    profile, inside = _profiles(at_px, normal_px, reach_px, camera.lens.size_px)
    return EdgePlan(
        places=tuple(places),
        marker=np.concatenate(marker),
        table_mm=table_mm,
        own_mm=np.concatenate(own),
        at_px=at_px,
        normal_px=normal_px,
        reach_px=reach_px,
        profile_index=profile,
        inside=inside,
        size_px=camera.lens.size_px,
        response=np.ones(len(places)),
    )


def with_response(grey: Grey, plan: EdgePlan) -> EdgePlan:
    """The plan with its response in this picture: the edges are looked at from a little to either side."""
    plain = replace(plan, response=np.ones(len(plan.places)))
    sides = [measure(grey, _aside(plain, step)) for step in (-_ASIDE_PX, _ASIDE_PX)]
    both = sides[0].good & sides[1].good
    slope = (sides[0].offset_px - sides[1].offset_px) / (2 * _ASIDE_PX)
    seen = [slope[both & (plan.marker == index)] for index in range(len(plan.places))]
    response = [float(np.clip(np.median(s), *_RESPONSE)) if len(s) >= 8 else 1.0 for s in seen]
    return replace(plan, response=np.array(response))


def _aside(plan: EdgePlan, step_px: float) -> EdgePlan:
    at_px = plan.at_px + step_px * plan.normal_px
    profile, inside = _profiles(at_px, plan.normal_px, plan.reach_px, plan.size_px)
    return replace(plan, at_px=at_px, profile_index=profile, inside=inside)


def measure(grey: Grey, plan: EdgePlan) -> Edges:
    """Find every edge of the plan in the picture; edges that cannot be seen are not ``good``."""
    flat = np.ascontiguousarray(grey).reshape(-1)
    index, fx, fy = plan.profile_index
    width = plan.size_px[0]
    top = _LIGHT[flat[index]] * (1 - fx) + _LIGHT[flat[index + 1]] * fx
    bottom = _LIGHT[flat[index + width]] * (1 - fx) + _LIGHT[flat[index + width + 1]] * fx
    light = top * (1 - fy) + bottom * fy
    # The place of an ideal step with the same black, white and amount of light: blur does not move it.
    ends = max(2, light.shape[1] // 6)
    black, white = light[:, :ends].mean(axis=1), light[:, -ends:].mean(axis=1)
    contrast = white - black
    span = np.where(contrast > _LEAST_CONTRAST, contrast, 1.0)
    step_px = 2 * plan.reach_px / (light.shape[1] - 1)
    share = (light.sum(axis=1) - 0.5 * (light[:, 0] + light[:, -1])) * step_px
    offset = plan.reach_px - (share - 2 * plan.reach_px * black) / span
    usual = _usual_contrast(contrast, plan)
    good = plan.inside & (contrast > np.maximum(_USUAL_CONTRAST * usual, _LEAST_CONTRAST))
    good &= np.abs(offset) < 0.8 * plan.reach_px
    offset = offset / plan.response[plan.marker]
    return Edges(plan, np.where(good, offset, 0.0).astype(np.float64), good)


def _usual_contrast(contrast: NDArray[np.float32], plan: EdgePlan) -> NDArray[np.float32]:
    """For each edge the contrast that three in four edges of its marker fall short of."""
    usual = np.zeros(len(plan.places), dtype=np.float32)
    for index in range(len(plan.places)):
        usual[index] = np.percentile(contrast[plan.marker == index], 75)
    return usual[plan.marker]


def _profiles(
    at_px: Floats, normal_px: Floats, reach_px: float, size_px: tuple[int, int]
) -> tuple[Profile, NDArray[np.bool_]]:
    steps = round(reach_px / _STEP_PX)
    along = np.arange(-steps, steps + 1) * (reach_px / steps)
    x = at_px[:, :1] + normal_px[:, :1] * along
    y = at_px[:, 1:] + normal_px[:, 1:] * along
    width, height = size_px
    fits = (x >= 0) & (y >= 0) & (x < width - 1) & (y < height - 1)
    x, y = np.where(fits, x, 0.0), np.where(fits, y, 0.0)
    left, upper = np.floor(x).astype(np.intp), np.floor(y).astype(np.intp)
    fractions = (x - left).astype(np.float32), (y - upper).astype(np.float32)
    return (upper * width + left, *fractions), np.asarray(fits.all(axis=1))
