"""The mounting guide as a drawing: the table from the side and from above, dimensioned, as lines and words.

The drawing is plain data, so that the page shows it as SVG, paper has it as PDF, and both are the same.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from html import escape
from typing import TypeAlias

from calibration.mats import mat_markers
from calibration.mounting import AtHeight, MountGuide
from calibration.plan import Region, TablePlan

WIDE, HIGH = 1000.0, 760.0
"""The drawing's size in its own units."""

_INK, _SOFT, _BLUE, _GREEN, _WOOD, _RED, _WHITE = (
    "#1d2733", "#5b6b7b", "#1f6fb2", "#2e8b57", "#a9794a", "#b3261e", "#ffffff",
)  # fmt: skip
_FIELD, _REGION = "#dcebf7", "#eef1f4"
_SIDE_X, _TABLE_Y = 290.0, 545.0
_TOP_X, _TOP_Y = 750.0, 335.0
_MOST_WIDE, _MOST_HIGH = 370.0, 400.0
_BAND_X, _DIMENSION_X = 92.0, 52.0
_HIGHEST_Y = 112.0
_LETTER_SHARE = 0.54
"""How wide a letter is beside its size, on the whole."""

Spot: TypeAlias = tuple[float, float]


@dataclass(frozen=True)
class DrawnLine:
    """A line through points."""

    points: tuple[Spot, ...]
    colour: str = _INK
    width: float = 1.2
    dashed: bool = False


@dataclass(frozen=True)
class DrawnArea:
    """A filled outline, with or without a rim."""

    points: tuple[Spot, ...]
    fill: str
    rim: str = ""
    dashed: bool = False


@dataclass(frozen=True)
class DrawnWords:
    """A line of text; ``at`` is its foot in the middle, at its start (-1) or its end (1)."""

    at: Spot
    words: str
    size: float = 13.0
    colour: str = _INK
    side: int = 0
    upwards: bool = False
    bold: bool = False


Shape: TypeAlias = DrawnLine | DrawnArea | DrawnWords


@dataclass(frozen=True)
class Drafting:
    """What is drawn, and how many units a millimetre takes."""

    plan: TablePlan
    found: MountGuide
    at: AtHeight
    marker_mm: float

    @property
    def scale(self) -> float:
        """Both views have one scale, so that they can be compared."""
        wide = max(self.at.field_mm[0], self.found.mat_mm[0])
        return min(_MOST_WIDE / wide, _MOST_HIGH / self.at.height_mm)

    def across(self, mm: float) -> float:
        """Units of a length."""
        return mm * self.scale


def mount_shapes(plan: TablePlan, found: MountGuide, at: AtHeight, marker_mm: float) -> tuple[Shape, ...]:
    """The whole drawing for a height, in the order in which it is laid on."""
    draft = Drafting(plan, found, at, marker_mm)
    return (
        DrawnArea(((0, 0), (WIDE, 0), (WIDE, HIGH), (0, HIGH)), _WHITE),
        *_headings(draft),
        *_from_the_side(draft),
        *_heights(draft),
        *_from_above(draft),
        *_pixel_table(draft),
    )


def mount_svg(plan: TablePlan, found: MountGuide, at: AtHeight, marker_mm: float) -> str:
    """The drawing as the text of an SVG file, which a page can hold as it is."""
    shapes = mount_shapes(plan, found, at, marker_mm)
    title = escape(f"Where the camera hangs: {_titled(found.game)}, {found.camera}")
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDE:g} {HIGH:g}" role="img" '
        'font-family="Helvetica, Arial, sans-serif">'
    )
    return "\n".join((head, f"<title>{title}</title>", *map(_as_svg, shapes), "</svg>\n"))


def _as_svg(shape: Shape) -> str:
    if isinstance(shape, DrawnWords):
        x, y = shape.at
        turn = f' transform="rotate(-90 {x:.1f} {y:.1f})"' if shape.upwards else ""
        anchor = {-1: "start", 0: "middle", 1: "end"}[shape.side]
        weight = ' font-weight="bold"' if shape.bold else ""
        return (
            f'<text x="{x:.1f}" y="{y:.1f}" font-size="{shape.size:g}" fill="{shape.colour}" '
            f'text-anchor="{anchor}"{weight}{turn}>{escape(shape.words)}</text>'
        )
    points = " ".join(f"{x:.1f},{y:.1f}" for x, y in shape.points)
    dashes = ' stroke-dasharray="6 4"' if shape.dashed else ""
    if isinstance(shape, DrawnLine):
        return (
            f'<polyline points="{points}" fill="none" stroke="{shape.colour}" '
            f'stroke-width="{shape.width:g}"{dashes}/>'
        )
    rim = f' stroke="{shape.rim}" stroke-width="1.4"' if shape.rim else ""
    return f'<polygon points="{points}" fill="{shape.fill}"{rim}{dashes}/>'


def _titled(game: str) -> str:
    return game.replace("-", " ").capitalize()


def _headings(draft: Drafting) -> Iterator[Shape]:
    found, at = draft.found, draft.at
    yield DrawnWords((40, 38), f"{_titled(found.game)}: {found.camera}", 22, side=-1, bold=True)
    if at.remarks or not found.fits:
        told = (at.remarks or found.remarks)[0]
        words, colour = f"At {at.height_mm:g} mm: {told}", _RED
    else:
        words = (
            f"Hang the lens {at.height_mm:g} mm above the table, above the middle of the mat, looking "
            f"straight down. {found.lowest_mm:.0f} to {found.highest_mm:.0f} mm will do."
        )
        colour = _INK
    size = min(15.0, (WIDE - 60) / (_LETTER_SHARE * len(words)))
    yield DrawnWords((40, 64), words, size, colour, -1)
    yield DrawnWords((_SIDE_X, 98), "From the side", 15, _SOFT, bold=True)
    yield DrawnWords((_TOP_X, 98), "From above, as the camera sees it", 15, _SOFT, bold=True)


def _from_the_side(draft: Drafting) -> Iterator[Shape]:
    at, half = draft.at, draft.across(draft.at.field_mm[0]) / 2
    mat, lens_y = draft.across(draft.found.mat_mm[0]) / 2, _TABLE_Y - draft.across(at.height_mm)
    x, y, post = _SIDE_X, _TABLE_Y, _SIDE_X + _MOST_WIDE / 2 + 22
    yield DrawnArea(((x, lens_y), (x - half, y), (x + half, y)), _FIELD)
    for end in (x - half, x + half):
        yield DrawnLine(((x, lens_y), (end, y)), _BLUE, 1.2, dashed=True)
    yield DrawnLine(((x, lens_y), (x, y)), _SOFT, 0.8, dashed=True)
    yield DrawnLine(((post, y), (post, lens_y - 14), (x + 15, lens_y - 14)), _SOFT, 5)
    yield DrawnWords((post - 6, lens_y - 24), "boom, arm or shelf", 12, _SOFT, 1)
    yield _box(x - 16, lens_y - 22, 32, 16, _INK)
    yield DrawnArea(((x - 6, lens_y - 6), (x + 6, lens_y - 6), (x + 8, lens_y), (x - 8, lens_y)), _INK)
    yield DrawnWords((x - 24, lens_y - 9), "camera", 12, side=1)
    yield _box(x - _MOST_WIDE / 2 - 25, y, _MOST_WIDE + 60, 9, _WOOD)
    for leg in (x - _MOST_WIDE / 2 - 10, x + _MOST_WIDE / 2 + 12):
        yield _box(leg, y + 9, 9, 16, _WOOD)
    yield _box(x - mat, y - 3, 2 * mat, 4, _GREEN)
    for share in (-0.6, -0.25, 0.15, 0.55):
        yield _box(x + share * mat - 5, y - 7, 10, 4, _SOFT)
    yield from _dimension((x - mat, y + 42), (x + mat, y + 42), f"mat {draft.found.mat_mm[0]:.0f} mm", _GREEN)
    words = f"the picture shows {at.field_mm[0]:.0f} mm"
    yield from _dimension((x - half, y + 66), (x + half, y + 66), words, _BLUE)


def _heights(draft: Drafting) -> Iterator[Shape]:
    """The height to hang it at, and the band of heights that will do."""
    found, at = draft.found, draft.at
    lens_y = _TABLE_Y - draft.across(at.height_mm)
    yield DrawnLine(((_DIMENSION_X - 8, lens_y), (_SIDE_X - 22, lens_y)), _SOFT, 0.8, dashed=True)
    words = f"{at.height_mm:g} mm from the table to the lens"
    yield from _dimension((_DIMENSION_X, _TABLE_Y), (_DIMENSION_X, lens_y), words, _INK)
    if not found.fits:
        return
    ends = [max(_HIGHEST_Y, _TABLE_Y - draft.across(mm)) for mm in (found.lowest_mm, found.highest_mm)]
    yield _box(_BAND_X, ends[1], 9, ends[0] - ends[1], _GREEN)
    yield DrawnWords((_BAND_X + 14, ends[0] + 10), f"{found.lowest_mm:.0f} mm: lowest", 12, _GREEN, -1)
    top = max(ends[1] - 2, _HIGHEST_Y + 6)
    yield DrawnWords((_BAND_X + 14, top), f"{found.highest_mm:.0f} mm: highest", 12, _GREEN, -1)


def _from_above(draft: Drafting) -> Iterator[Shape]:
    at, x, y = draft.at, _TOP_X, _TOP_Y
    wide, deep = (draft.across(mm) for mm in at.field_mm)
    mat_wide, mat_deep = (draft.across(mm) for mm in draft.found.mat_mm)
    yield DrawnArea(_corners(x - wide / 2, y - deep / 2, wide, deep), _FIELD, _BLUE, dashed=True)
    yield DrawnArea(_corners(x - mat_wide / 2, y - mat_deep / 2, mat_wide, mat_deep), _WHITE, _GREEN)
    for region in draft.plan.regions.values():
        yield from _region(draft, region)
    for marker in mat_markers(draft.plan, side_mm=draft.marker_mm):
        side = draft.across(draft.marker_mm)
        left, upper = draft.across(marker.centre_mm[0]), draft.across(marker.centre_mm[1])
        yield _box(x + left - side / 2, y - upper - side / 2, side, side, _INK)
    yield from _cross(draft)
    edge = "right edge" if draft.found.turned else "upper edge"
    yield DrawnWords((x, y - deep / 2 - 8), f"{edge} of the picture", 12, _BLUE)
    yield DrawnWords((x, y - mat_deep / 2 - 7), "second player", 12, _SOFT)
    yield DrawnWords((x, y + mat_deep / 2 + 15), "first player sits here", 12, _INK)
    words = f"the picture shows {at.field_mm[0]:.0f} mm"
    yield from _dimension((x - wide / 2, y + deep / 2 + 22), (x + wide / 2, y + deep / 2 + 22), words, _BLUE)
    side = x + wide / 2 + 20
    yield from _dimension((side, y + deep / 2), (side, y - deep / 2), f"{at.field_mm[1]:.0f} mm", _BLUE)
    side = x - mat_wide / 2 - 10
    words = f"mat {draft.found.mat_mm[1]:.0f} mm"
    yield from _dimension((side, y + mat_deep / 2), (side, y - mat_deep / 2), words, _GREEN)
    yield from _tolerances(draft, max(y + deep / 2 + 70, 500.0))


def _region(draft: Drafting, region: Region) -> Iterator[Shape]:
    left, bottom, right, top = (draft.across(mm) for mm in region.bounds_mm)
    outline = _corners(_TOP_X + left, _TOP_Y - top, right - left, top - bottom)
    yield DrawnArea(outline, _REGION if region.title else "none", "#c3ccd5")
    if region.title and len(region.title) * 9 * _LETTER_SHARE < right - left:
        yield DrawnWords((_TOP_X + (left + right) / 2, _TOP_Y - top + 11), region.title, 9, _SOFT)


def _cross(draft: Drafting) -> Iterator[Shape]:
    """Where the camera hangs, and how far off it may."""
    x, y, radius = _TOP_X, _TOP_Y, max(draft.across(draft.at.aside_mm), 3.0)
    ring = [
        (x + radius * math.cos(math.radians(a)), y + radius * math.sin(math.radians(a)))
        for a in range(0, 361, 15)
    ]
    yield DrawnLine(tuple(ring), _RED, 1.4)
    yield DrawnLine(((x - 6, y), (x + 6, y)), _RED, 1.4)
    yield DrawnLine(((x, y - 6), (x, y + 6)), _RED, 1.4)


def _tolerances(draft: Drafting, y: float) -> Iterator[Shape]:
    at, found = draft.at, draft.found
    yield DrawnWords((570, y), "+", 16, _RED, -1, bold=True)
    yield DrawnWords((585, y), "the camera hangs above here and looks straight down;", 13, side=-1)
    if at.lean_deg > 0:
        words = f"it may be {at.aside_mm:.0f} mm off (the ring) or lean {at.lean_deg:.0f}°, or half of each"
    else:
        words = "there is no room for it to be off or to lean"
    yield DrawnWords((585, y + 18), words, 13, side=-1)
    way = "short" if found.turned else "long"
    words = f"long side of the picture along {way} side of the mat"
    yield DrawnWords((585, y + 36), words, 13, side=-1)
    yield _box(572, y + 45, 10, 10, _INK)
    yield DrawnWords((585, y + 54), "a printed marker: all of them must be in the picture", 13, side=-1)


def _pixel_table(draft: Drafting) -> Iterator[Shape]:
    found, y = draft.found, 660.0
    columns = (40.0, 190.0, 300.0, 610.0, 700.0)
    size, watched = ("×".join(map(str, pair)) for pair in (found.size_px, found.watch_px))
    heads = (
        "What is read",
        "its size",
        f"pixels in the picture ({size})",
        "it needs",
        f"watched ({watched})",
    )
    yield DrawnLine(((40, y + 6), (WIDE - 40, y + 6)), _SOFT, 0.8)
    for x, words in zip(columns, heads, strict=True):
        yield DrawnWords((x, y), words, 13, _SOFT, -1, bold=True)
    for row, px in enumerate(draft.at.pixels):
        cells = (
            px.name, f"{px.size_mm:.1f} mm", f"{px.full_px:.0f}", f"{px.least_px:.0f}", f"{px.watch_px:.0f}",
        )  # fmt: skip
        for x, words in zip(columns, cells, strict=True):
            colour = _INK if px.enough else _RED
            yield DrawnWords((x, y + 23 + 18 * row), words, 13, colour, -1)


def _dimension(start: Spot, end: Spot, words: str, colour: str) -> Iterator[Shape]:
    """A line with an arrow at both ends, and its length beside its middle."""
    (ax, ay), (bx, by) = start, end
    yield DrawnLine((start, end), colour, 1.2)
    upwards = abs(by - ay) > abs(bx - ax)
    for (x, y), way in ((start, 1 if (bx > ax or by > ay) else -1), (end, -1 if (bx > ax or by > ay) else 1)):
        near = (way * 7, 3) if not upwards else (3, way * 7)
        far = (way * 7, -3) if not upwards else (-3, way * 7)
        yield DrawnArea(((x, y), (x + near[0], y + near[1]), (x + far[0], y + far[1])), colour)
    middle = ((ax + bx) / 2, (ay + by) / 2)
    at = (middle[0] - 6, middle[1]) if upwards else (middle[0], middle[1] + 15)
    yield DrawnWords(at, words, 13, colour, upwards=upwards)


def _box(left: float, upper: float, wide: float, high: float, fill: str) -> DrawnArea:
    return DrawnArea(_corners(left, upper, wide, high), fill)


def _corners(left: float, upper: float, wide: float, high: float) -> tuple[Spot, ...]:
    right, lower = left + wide, upper + high
    return ((left, upper), (right, upper), (right, lower), (left, lower))
