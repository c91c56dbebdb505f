"""How high a camera hangs over a game's table, and what one gets there: computed with the camera model.

A guide answers from data alone: the table plan, what the game's pieces need to be read, and the data sheet of
the camera. It is careful where a data sheet may be wrong: to see all, it takes the lens for narrower than
told, and to see enough, for wider.
"""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import numpy as np

from calibration.camera import Camera, Floats, Lens, Pose
from calibration.camera_errors import ImpossibleMounting
from calibration.marker_side import MARKER_MM, MOST_MARKER_MM
from calibration.plan import TablePlan
from calibration.profiles import CameraProfile, camera_names, camera_profile
from calibration.reading_needs import MARKER_LEAST_PX, TALLEST_MM, Legible, legibles

USUAL_PX = (1920, 1080)
"""The picture of a camera of which no size is known."""
WATCH_PX = 1280
"""How wide the picture is that is watched between looks: the films of docs/accuracy-geometry.md have it."""
RIM_SHARE = 0.03
"""So much of the picture is left free along each edge: a mat is never laid down to the millimetre."""
FOCAL_DOUBTS = 1.0
"""So many standard deviations a camera may differ from its data sheet; the rim makes up for another."""
AIM_DEG = 4.0
"""So exactly a camera is aimed straight down by hand and eye; the advised height leaves room for it."""
CEILING_MM = 1600.0
"""From a table of 0.75 m to where something can hang in a room of 2.4 m."""
HIGHEST_MM = 20_000.0
"""No height above this is looked at."""

_CLEAR_MM = 50.0
"""Nearer to the tallest piece no lens hangs."""
_NAMED = 4
"""So many other cameras are named where one does not fit."""
_STEP_MM = 10.0
"""Advised heights are multiples of this: nobody hangs a camera to the millimetre."""
_EXACT_MM = 0.25
_STEEPEST_DEG = 40.0
_WAYS_DEG = tuple(range(0, 360, 45))
_SAME_SHAPE = 0.02


@dataclass(frozen=True)
class Pixels:
    """What a thing gets at some height."""

    name: str
    size_mm: float
    full_px: float
    """In the picture that is read."""
    watch_px: float
    """In the smaller picture that is watched."""
    least_px: float

    @property
    def enough(self) -> bool:
        """Whether it can be read."""
        return self.full_px >= self.least_px


@dataclass(frozen=True)
class AtHeight:
    """What one gets at one height."""

    height_mm: float
    """From the table to the lens."""
    field_mm: tuple[float, float]
    """How much of the table the picture shows, along the mat's width and depth."""
    px_a_mm: float
    pixels: tuple[Pixels, ...]
    sees_all: bool
    """Whether mat, markers and pieces are in the picture with some room, whatever the data sheet says."""
    sharp: bool | None
    """Whether the lens can be sharp there; None where nobody says."""
    lean_deg: float
    """So far off straight down it may look, from above the middle."""
    aside_mm: float
    """So far from above the middle it may hang, looking straight down."""
    remarks: tuple[str, ...]
    """What is wrong at this height, a sentence each; none: it is good there."""


@dataclass(frozen=True)
class MountGuide:
    """Where a camera hangs over a game's table."""

    game: str
    camera: str
    """The camera's title."""
    size_px: tuple[int, int]
    watch_px: tuple[int, int]
    turned: bool
    """Whether the long side of the picture goes along the short side of the mat."""
    mat_mm: tuple[float, float]
    lowest_mm: float
    lowest_why: str
    highest_mm: float
    highest_why: str
    best: AtHeight
    """At the height that is advised; where none fits, at the lowest."""
    remarks: tuple[str, ...]

    @property
    def fits(self) -> bool:
        """Whether there is a height at which all is seen and read, under a usual ceiling."""
        return self.lowest_mm <= min(self.highest_mm, CEILING_MM)


@dataclass(frozen=True)
class Hanging:
    """A table under a camera whose height is not chosen yet."""

    plan: TablePlan
    lens: Lens
    doubt: float
    """How far the focal length may be off, as a share."""
    nearest_mm: float
    """0 where it is not known."""
    marker_mm: float
    turned: bool = False

    @property
    def watch_px(self) -> tuple[int, int]:
        """The size of the picture that is watched."""
        wide, high = self.lens.size_px
        shrink = min(1.0, WATCH_PX / wide)
        return round(wide * shrink), round(high * shrink / 2) * 2

    @property
    def watch_share(self) -> float:
        """How much smaller the picture is that is watched."""
        return self.watch_px[0] / self.lens.size_px[0]

    @property
    def legibles(self) -> tuple[Legible, ...]:
        """What has to be read on this table."""
        return legibles(self.plan.game, self.marker_mm)

    @property
    def tallest_mm(self) -> float:
        """How high the pieces of the game reach."""
        return TALLEST_MM[self.plan.game]

    def camera(
        self,
        height_mm: float,
        *,
        share: float = 1.0,
        lean: tuple[float, float] = (0.0, 0.0),
        aside: tuple[float, float] = (0.0, 0.0),
    ) -> Camera:
        """The camera at a height over the middle, its focal length ``share`` times that of the data sheet.

        ``lean`` says by how many degrees it looks off straight down, and towards where, from the same place.
        """
        fx, fy = self.lens.focal_px
        lens = replace(self.lens, focal_px=(fx * share, fy * share))
        turn = 90.0 if self.turned else 0.0
        matrix = Pose.above(1.0, tilt_deg=lean[0], towards_deg=lean[1], turn_deg=turn).matrix
        return Camera(lens, Pose.from_matrix(matrix, -matrix @ np.array([*aside, height_mm])))

    def sees_all(self, camera: Camera) -> bool:
        """Whether the whole mat and the tops of the tallest pieces in its regions are well in the picture."""
        return _in_picture(camera, self._outermost())

    def aslant_deg(self, camera: Camera, legible: Legible) -> float:
        """How far off straight above the camera sees such a piece where it sees it most aslant."""
        corners = self._corners(legible.regions)
        if not len(corners):
            return 0.0
        eye = camera.pose.eye_mm
        away = float(np.linalg.norm(corners - eye[:2], axis=1).max())
        return math.degrees(math.atan2(away, eye[2] - legible.top_mm))

    def _outermost(self) -> Floats:
        x, y = self.plan.size_mm[0] / 2, self.plan.size_mm[1] / 2
        flat = [(a, b, 0.0) for a in (-x, x) for b in (-y, y)]
        tall = [(a, b, self.tallest_mm) for a, b in self._corners(tuple(self.plan.regions))]
        return np.array([*flat, *tall])

    def _corners(self, names: tuple[str, ...]) -> Floats:
        found = []
        for name in names:
            if name in self.plan.regions:
                left, bottom, right, top = self.plan.regions[name].bounds_mm
                found += [(x, y) for x in (left, right) for y in (bottom, top)]
        return np.array(found, dtype=np.float64).reshape(-1, 2)


def guide(
    plan: TablePlan,
    profile: CameraProfile,
    size_px: tuple[int, int] | None = None,
    *,
    marker_mm: float = MARKER_MM,
) -> MountGuide:
    """Where this camera hangs over this table, and if it cannot, which of the known ones could."""
    hung = hanging(plan, profile, size_px, marker_mm=marker_mm)
    (lowest, why_low), (highest, why_high) = _lowest(hung), _highest(hung)
    found = MountGuide(
        game=plan.game,
        camera=profile.title,
        size_px=hung.lens.size_px,
        watch_px=hung.watch_px,
        turned=hung.turned,
        mat_mm=plan.size_mm,
        lowest_mm=lowest,
        lowest_why=why_low,
        highest_mm=highest,
        highest_why=why_high,
        best=at_height(hung, _best(hung, lowest, highest)),
        remarks=(),
    )
    return found if found.fits else replace(found, remarks=tuple(_misfit(found, hung, profile)))


def hanging(
    plan: TablePlan,
    profile: CameraProfile,
    size_px: tuple[int, int] | None = None,
    *,
    marker_mm: float = MARKER_MM,
) -> Hanging:
    """A table under a camera, the picture turned the way that lets it hang lower."""
    most = _most_px(profile)
    if size_px is not None and profile.sizes_px and (size_px[0] > most[0] or size_px[1] > most[1]):
        raise ImpossibleMounting(f"{profile.title} gives {_times(most)} at most, not {_times(size_px)}")
    lens, doubt = _lens(profile, size_px or most)
    upright = Hanging(plan, lens, doubt, profile.nearest_mm or 0.0, marker_mm)
    turned = replace(upright, turned=True)
    return turned if _field_mm(turned) < _field_mm(upright) - 1 else upright


def at_height(hung: Hanging, height_mm: float) -> AtHeight:
    """What one gets at this height; raises ImpossibleMounting where no camera hangs."""
    least = hung.tallest_mm + _CLEAR_MM
    if not least <= height_mm <= HIGHEST_MM:
        raise ImpossibleMounting(
            f"a camera over this game hangs {least:g} to {HIGHEST_MM:g} mm above the table, not {height_mm:g}"
        )
    camera, narrow = hung.camera(height_mm), _narrow(hung)
    pixels = tuple(_pixels(hung, camera, one) for one in hung.legibles)
    sees_all = hung.sees_all(hung.camera(height_mm, share=narrow))
    return AtHeight(
        height_mm=height_mm,
        field_mm=_field(camera),
        px_a_mm=1 / camera.mm_per_px(),
        pixels=pixels,
        sees_all=sees_all,
        sharp=height_mm - hung.tallest_mm >= hung.nearest_mm if hung.nearest_mm else None,
        lean_deg=_most(lambda deg: _still_good(hung, height_mm, lean_deg=deg), _STEEPEST_DEG),
        aside_mm=_most(lambda mm: _still_good(hung, height_mm, aside_mm=mm), height_mm),
        remarks=tuple(_wrong(hung, camera, sees_all, pixels)),
    )


def _most_px(profile: CameraProfile) -> tuple[int, int]:
    """The largest picture of the whole field."""
    if profile.sizes_px:
        return profile.sizes_px[0]
    return profile.lens.size_px if profile.lens is not None else USUAL_PX


def _lens(profile: CameraProfile, size_px: tuple[int, int]) -> tuple[Lens, float]:
    """The lens for a picture of this size, and how far its focal length may be off.

    A picture of another shape than the sensor is a part of what the sensor sees. Where a data sheet's two
    angles do not belong to one focal length the longer one counts, which sees less.
    """
    known = profile.knowledge((profile.sizes_px or (size_px,))[0])
    lens = known.lens
    if profile.lens is None and profile.vertical_deg is not None:
        from_height = lens.size_px[1] / 2 / math.tan(math.radians(profile.vertical_deg) / 2)
        focal = max(lens.focal_px[0], from_height)
        lens = replace(lens, focal_px=(focal, focal))
    shares = [lens.size_px[k] / size_px[k] for k in (0, 1)]
    if max(shares) <= min(shares) * (1 + _SAME_SHAPE):
        return lens.scaled_to(size_px), known.focal_share
    focal = lens.focal_px[0] / min(shares)
    middle = ((size_px[0] - 1) / 2, (size_px[1] - 1) / 2)
    return replace(lens, size_px=size_px, focal_px=(focal, focal), centre_px=middle), known.focal_share


def _in_picture(camera: Camera, points_mm: Floats) -> bool:
    lens = camera.lens
    seen = camera.to_pixels(points_mm)
    rim = RIM_SHARE * np.asarray(lens.size_px)
    if not np.all((seen >= rim - 0.5) & (seen <= np.asarray(lens.size_px) - 0.5 - rim)):
        return False
    # A bent lens folds far rays back into the picture in the formula alone: such a ray does not come back.
    towards = points_mm @ camera.pose.matrix.T + np.asarray(camera.pose.shift_mm)
    return bool(np.allclose(lens.to_rays(seen), towards[:, :2] / towards[:, 2:], atol=1e-4))


def _field(camera: Camera) -> tuple[float, float]:
    wide, high = camera.lens.size_px
    middle_x, middle_y = camera.lens.centre_px
    ends = camera.to_mm([(-0.5, middle_y), (wide - 0.5, middle_y), (middle_x, -0.5), (middle_x, high - 0.5)])
    across, along = np.abs(ends[1] - ends[0]), np.abs(ends[3] - ends[2])
    return float(max(across[0], along[0])), float(max(across[1], along[1]))


def _pixels(hung: Hanging, camera: Camera, legible: Legible) -> Pixels:
    full = legible.size_mm / camera.mm_per_px(height_mm=legible.top_mm)
    return Pixels(legible.name, legible.size_mm, full, full * hung.watch_share, legible.least_px)


def _narrow(hung: Hanging) -> float:
    return 1 + FOCAL_DOUBTS * hung.doubt


def _wide(hung: Hanging) -> float:
    return 1 - FOCAL_DOUBTS * hung.doubt


def _field_mm(hung: Hanging, lean_deg: float = 0.0) -> float:
    """From which height on the whole mat is seen, with room to look a little off straight down."""

    def good(height_mm: float) -> bool:
        return _still_good(hung, height_mm, lean_deg=lean_deg, aslant=False)

    return _least(good, hung.tallest_mm + 1, HIGHEST_MM)


def _still_good(
    hung: Hanging, height_mm: float, *, lean_deg: float = 0.0, aside_mm: float = 0.0, aslant: bool = True
) -> bool:
    """Whether all is seen, and nothing too much aslant, however the camera is off by so much."""
    for way in _WAYS_DEG:
        x, y = (aside_mm * math.cos(math.radians(way)), aside_mm * math.sin(math.radians(way)))
        camera = hung.camera(height_mm, share=_narrow(hung), lean=(lean_deg, way), aside=(x, y))
        if not hung.sees_all(camera):
            return False
        if aslant and any(_too_aslant(hung, camera, one) for one in hung.legibles):
            return False
        if not lean_deg and not aside_mm:
            return True
    return True


def _too_aslant(hung: Hanging, camera: Camera, legible: Legible) -> bool:
    return legible.most_deg is not None and hung.aslant_deg(camera, legible) > legible.most_deg


def _lowest(hung: Hanging) -> tuple[float, str]:
    """The lowest height, and why none is lower."""
    limits = [(_field_mm(hung), "the mat and its pieces would not fit into the picture")]
    for one in hung.legibles:
        if one.most_deg is not None:
            limit = _height_for(hung, one, one.most_deg)
            limits.append((limit, f"the outermost {one.plural} would be seen too much from the side"))
    if hung.nearest_mm:
        limits.append((hung.nearest_mm + hung.tallest_mm, "the lens could not be sharp"))
    return max(limits)


def _highest(hung: Hanging) -> tuple[float, str]:
    """The highest height, and why none is higher."""
    limits = []
    for one in hung.legibles:
        focal = hung.lens.focal_px[0] * _wide(hung)
        limits.append((_height_at(focal, one), f"{one.plural} would have too few pixels"))
        if one.watched:
            words = f"{one.plural} would have too few pixels in the picture that is watched"
            limits.append((_height_at(focal * hung.watch_share, one), words))
    return min(limits)


def _height_at(focal_px: float, legible: Legible) -> float:
    return focal_px * legible.size_mm / legible.least_px + legible.top_mm


def _height_for(hung: Hanging, legible: Legible, deg: float) -> float:
    """From which height on such a piece is seen at most so much aslant, wherever it lies."""
    flat = replace(legible, top_mm=0.0)
    away = math.tan(math.radians(hung.aslant_deg(hung.camera(1.0), flat)))
    return away / math.tan(math.radians(deg)) + legible.top_mm


def _best(hung: Hanging, lowest: float, highest: float) -> float:
    """The height that is advised: room to aim by hand, and pieces well seen, as far as that can be had."""
    wishes = [_field_mm(hung, AIM_DEG)]
    wishes += [_height_for(hung, one, one.well_deg) for one in hung.legibles if one.well_deg is not None]
    wish = math.ceil(max(wishes) / _STEP_MM) * _STEP_MM
    most = math.floor(min(highest, max(CEILING_MM, lowest)) / _STEP_MM) * _STEP_MM
    least = math.ceil(lowest / _STEP_MM) * _STEP_MM
    return float(max(min(wish, most), least)) if least <= most else lowest


def _wrong(hung: Hanging, camera: Camera, sees_all: bool, pixels: tuple[Pixels, ...]) -> Iterator[str]:
    height = float(camera.pose.eye_mm[2])
    if not sees_all:
        yield f"The mat may not fit into the picture: hang it at {_up(_field_mm(hung))} mm or higher."
    for one in hung.legibles:
        if one.most_deg is not None and _too_aslant(hung, camera, one):
            deg = hung.aslant_deg(camera, one)
            yield (
                f"The outermost {one.plural} are seen {deg:.0f}° from the side, and more than "
                f"{one.most_deg:g}° is too much: hang it higher."
            )
    if hung.nearest_mm and height - hung.tallest_mm < hung.nearest_mm:
        yield f"The lens is not sharp so near: it needs {_up(hung.nearest_mm + hung.tallest_mm)} mm."
    for px in pixels:
        if not px.enough:
            yield f"A {px.name} gets {px.full_px:.0f} pixels and needs {px.least_px:g}: hang it lower."
        elif px.name == "marker" and px.watch_px < MARKER_LEAST_PX:
            yield (
                f"A marker gets {px.watch_px:.0f} pixels in the picture that is watched and needs "
                f"{MARKER_LEAST_PX:g}: hang it lower."
            )


def _misfit(found: MountGuide, hung: Hanging, profile: CameraProfile) -> Iterator[str]:
    """Why the camera does not fit, and what would."""
    low, high = _up(found.lowest_mm), math.floor(found.highest_mm)
    if found.lowest_mm > found.highest_mm:
        yield (
            f"No height is right: lower than {low} mm {found.lowest_why}, "
            f"higher than {high} mm {found.highest_why}."
        )
        side = _watched_marker_mm(hung, found.lowest_mm)
        if hung.marker_mm < side <= MOST_MARKER_MM:
            yield f"Markers of {side} mm could be watched from there (--marker-mm {side})."
    else:
        yield (
            f"It would have to hang {low} mm above the table, higher than a usual room allows "
            f"({CEILING_MM:g} mm): a lens that sees more is better."
        )
    others = [name for name in camera_names() if _fits(hung, name)]
    same = [name for name in others if profile.sensor and camera_profile(name).sensor == profile.sensor]
    if same or others:
        alike = sorted(
            same or others, key=lambda name: abs(camera_profile(name).horizontal_deg - profile.horizontal_deg)
        )
        yield f"What fits: {', '.join(alike[:_NAMED])}."


def _watched_marker_mm(hung: Hanging, height_mm: float) -> int:
    """How large markers must be to be watched from this height, in whole millimetres."""
    focal = hung.lens.focal_px[0] * _wide(hung) * hung.watch_share
    return _up(MARKER_LEAST_PX * height_mm / focal)


def _fits(hung: Hanging, name: str) -> bool:
    other = hanging(hung.plan, camera_profile(name), marker_mm=hung.marker_mm)
    known = bool(camera_profile(name).sizes_px)
    return known and _lowest(other)[0] <= min(_highest(other)[0], CEILING_MM)


def _times(size_px: tuple[int, int]) -> str:
    return f"{size_px[0]}×{size_px[1]}"


def _up(mm: float) -> int:
    return math.ceil(mm)


def _least(good: Callable[[float], bool], low: float, high: float) -> float:
    """From where on ``good`` holds, if it holds from somewhere on."""
    while high - low > _EXACT_MM:
        middle = (low + high) / 2
        low, high = (low, middle) if good(middle) else (middle, high)
    return high


def _most(good: Callable[[float], bool], high: float) -> float:
    """Up to where ``good`` holds, beginning at 0; 0 where it does not hold there."""
    low = 0.0
    if not good(low):
        return 0.0
    while high - low > high / 500:
        middle = (low + high) / 2
        low, high = (middle, high) if good(middle) else (low, middle)
    return low
