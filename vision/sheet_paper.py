"""The last resort for a map whose boxes run into each other: its paper, and the lines that cross it evenly.

The paper's four corners take the view out of the picture; on the straightened paper the lines between squares
stand at even steps, which shows even where no single box can be outlined. Where the paper is hardly of
another colour than the table, the place where it must lie does as well, looked at a little turned, too.
"""

from collections.abc import Iterable, Iterator
from itertools import product

import cv2
import numpy as np

from calibration import colour_planes
from vision.sheet_bend import mesh, through
from vision.sheet_cells import COLUMNS, ROWS, Floats, Picture, Values

_LONG_PX = 720
_LEAST_PART = 0.08
"""Less of the picture than this is no sheet."""
_MOST_PART, _LEAST_CONTRAST = 0.97, 12.0
_LEAST_COMB = 0.6
"""How far the lines of a comb must stand out, in standard deviations of their profile."""
_KEPT = 2
_BLURS_PX = (1.5, 5.0)
"""Squares share their lines, or each has its own and there is a gap between: seen softly they are one."""
_RIM = 0.015
"""So much of a paper at each side shows its edge."""


def maps_on_papers(image: Picture, *, hued: bool = False) -> tuple[tuple[Floats, ...], ...]:
    """For each paper in a picture the ways in which a map may lie on it: corners of squares (6×8×2 px)."""
    papers: list[tuple[Floats, list[Floats]]] = []
    for quad in _hued_papers(image) if hued else _papers(image):
        middle = (float(quad[:, 0].mean()), float(quad[:, 1].mean()))
        # Two outlines around the same middle are two looks at one paper.
        same = [ways for outline, ways in papers if cv2.pointPolygonTest(outline, middle, False) >= 0]
        if not same:
            papers.append((quad.astype(np.float32), []))
            same = [papers[-1][1]]
        same[0].extend(_ways(image, quad))
    return tuple(tuple(ways) for _, ways in papers if ways)


def maps_in_places(image: Picture, quads: Iterable[Floats], most: int) -> tuple[Floats, ...]:
    """The likeliest ways in which a map may lie in places of four corners, clockwise, one way up each."""
    found = [one for quad in quads for one in _scored(image, quad)]
    return tuple(corners for _, corners in sorted(found, key=lambda one: -one[0])[:most])


def _papers(image: Picture) -> Iterator[Floats]:
    """Outlines of four corners of what is bright, or unlike the table, clockwise, the largest first."""
    lab, away = _unlike_rim(image)
    return _outlined(image, (lab[..., 0], colour_planes.length(away * (0.6, 1.3, 1.3))))


def _hued_papers(image: Picture) -> Iterator[Floats]:
    """The same of what is of another hue than the table.

    A lamp that makes half of a table as bright as the paper, and grain, change its hue but little.
    """
    _, away = _unlike_rim(image)
    return _outlined(image, (colour_planes.length(away[..., 1:] * 1.3),))


def _unlike_rim(image: Picture) -> tuple[Values, Values]:
    """A picture's light and hues, without its grain, and how far they are from those at its rim."""
    calm = cv2.GaussianBlur(image, (0, 0), max(1.0, max(image.shape) / 400))
    lab = cv2.cvtColor(calm, cv2.COLOR_BGR2LAB).astype(np.float32)
    rim = np.concatenate([lab[:4].reshape(-1, 3), lab[-4:].reshape(-1, 3), lab[:, :4].reshape(-1, 3)])
    return lab, lab - np.median(rim, axis=0)


def _outlined(image: Picture, planes: Iterable[Values]) -> Iterator[Floats]:
    """Outlines of four corners of what stands out in these planes, clockwise, the largest first."""
    found: list[tuple[float, Floats]] = []
    for plane in planes:
        if np.ptp(plane) < _LEAST_CONTRAST:
            continue
        eight = np.clip(plane / max(1.0, float(plane.max())) * 255, 0, 255).astype(np.uint8)
        _, bright = cv2.threshold(eight, 0, 255, cv2.THRESH_BINARY + cv2.THRESH_OTSU)
        reach = max(3, max(image.shape[:2]) // 60) | 1
        whole = cv2.morphologyEx(np.asarray(bright), cv2.MORPH_CLOSE, np.ones((reach, reach), np.uint8))
        outlines, _ = cv2.findContours(whole, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
        for outline in outlines:
            hull = cv2.convexHull(outline)
            area = float(cv2.contourArea(hull))
            corners = cv2.approxPolyDP(hull, 0.03 * cv2.arcLength(hull, True), True)
            part = area / (image.shape[0] * image.shape[1])
            if len(corners) == 4 and _LEAST_PART < part < _MOST_PART:
                found.append((area, np.asarray(corners, dtype=np.float64).reshape(4, 2)))
    for _, quad in sorted(found, key=lambda one: -one[0])[:3]:
        way = quad[1] - quad[0], quad[2] - quad[1]
        yield quad if way[0][0] * way[1][1] - way[0][1] * way[1][0] > 0 else quad[::-1]


def _ways(image: Picture, quad: Floats) -> tuple[Floats, ...]:
    """The likeliest places of the map's lines on this paper, each both ways up."""
    ways: list[Floats] = []
    for _, corners in _scored(image, quad)[: _KEPT + 1]:
        ways += [corners, corners[::-1, ::-1].copy()]
    return tuple(ways)


def _scored(image: Picture, quad: Floats) -> list[tuple[float, Floats]]:
    """Places of the map's lines on this paper, with how well they stand out, the likeliest first."""
    sides = np.linalg.norm(quad - np.roll(quad, -1, axis=0), axis=1)
    wide, tall = float(sides[0] + sides[2]), float(sides[1] + sides[3])
    scale = _LONG_PX / max(wide, tall)
    size = (max(60, round(wide * scale)), max(60, round(tall * scale)))
    flat = np.array([(0, 0), (size[0], 0), size, (0, size[1])], dtype=np.float32)
    home = cv2.getPerspectiveTransform(flat, quad.astype(np.float32))
    grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    seen = cv2.warpPerspective(grey, home, size, flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP)
    profiles = _profiles(np.asarray(seen, dtype=np.uint8))
    found: list[tuple[float, Floats]] = []
    for blur, (columns, rows) in product(_BLURS_PX, ((COLUMNS, ROWS), (ROWS, COLUMNS))):
        across, down = (_stood_out(profile, blur) for profile in profiles)
        for (one, x, dx), (other, y, dy) in product(_combs(across, columns), _combs(down, rows)):
            # Squares are about as wide as high, on paper whose own shape is known but roughly.
            odd = abs(np.log(dx / dy))
            good = one + other - 2.0 * max(0.0, odd - 0.2)
            # A map that stands on its side has its rows running down the paper.
            squares = mesh() if columns == COLUMNS else np.stack([ROWS - mesh()[..., 1], mesh()[..., 0]], 2)
            corners = through(np.asarray(home, dtype=np.float64), squares * (dx, dy) + (x, y))
            found.append((good, corners))
    return sorted(found, key=lambda one: -one[0])


def _profiles(seen: Picture) -> tuple[Floats, Floats]:
    """How much of a dark upright line stands in each column, and of a level one in each row."""
    light = cv2.GaussianBlur(seen, (0, 0), 1.0).astype(np.float32)
    found = []
    for size in ((17, 1), (1, 17)):
        kernel = np.ones((size[1], size[0]), np.uint8)
        # Dark lines narrower than the kernel are what closing fills; long ones survive opening along them.
        dark = cv2.morphologyEx(light, cv2.MORPH_CLOSE, kernel) - light
        long = cv2.morphologyEx(dark, cv2.MORPH_OPEN, np.ones((size[0], size[1]), np.uint8))
        line = np.minimum(long, np.percentile(long, 98) + 1e-3)
        # The root: faint lines all along a paper are more than bold ink here and there.
        found.append(np.sqrt(line).mean(axis=0 if size[0] > 1 else 1))
    return found[0], found[1]


def _stood_out(profile: Floats, blur: float) -> Floats:
    """A profile in standard deviations of itself, without the paper's own edges."""
    rim = max(1, round(_RIM * len(profile)))
    inner = profile[rim:-rim]
    whole = np.concatenate([np.full(rim, inner.mean()), inner, np.full(rim, inner.mean())])
    soft = cv2.GaussianBlur(whole.reshape(1, -1), (0, 0), blur).ravel()
    return np.asarray((soft - soft.mean()) / (soft.std() + 1e-6))


def _between(profile: Floats, places: Floats) -> Floats:
    """What a profile comes to at places between its first and its last; ``np.interp`` searches for each."""
    before = places.astype(np.intp)
    return np.asarray((profile[before + 1] - profile[before]) * (places - before) + profile[before])


def _combs(profile: Floats, count: int) -> list[tuple[float, float, float]]:
    """The best even spacings of ``count`` squares in a profile: how good, where from, and the step."""
    length = len(profile)
    found = []
    for step in np.arange(0.42 * length / count, 0.99 * length / count, 0.5):
        starts = np.arange(0.0, length - 1 - step * count, 1.0)
        if not len(starts):
            continue
        lines = starts[:, None] + np.arange(count + 1) * step
        between = lines[:, :-1] + step / 2
        at, gaps = _between(profile, lines), _between(profile, between)
        # The weakest lines count most: a comb that is one square off misses a line at its end.
        good = 0.5 * at.mean(axis=1) + 0.5 * np.sort(at, axis=1)[:, :2].mean(axis=1) - 0.3 * gaps.mean(axis=1)
        best = int(good.argmax())
        if good[best] > _LEAST_COMB:
            found.append((float(good[best]), float(starts[best]), float(step)))
    kept: list[tuple[float, float, float]] = []
    for one in sorted(found, reverse=True):
        near = [k for k in kept if abs(k[1] - one[1]) + count * abs(k[2] - one[2]) < 0.5 * one[2]]
        if not near:
            kept.append(one)
        if len(kept) == _KEPT:
            break
    return kept
