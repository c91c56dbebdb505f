"""The table plan of a game: its named regions in millimetres around the middle of the table.

A plan belongs to the table, not to the camera: it says where the board, the dice boxes, the pool and the
players' sides are. The four shipped plans are data files; a user's own plan is a file of the same form.
"""

import math
from dataclasses import dataclass, replace
from importlib import resources
from pathlib import Path

from calibration import toml
from engine import GAMES, UnknownGame


@dataclass(frozen=True)
class Region:
    """A rectangle of the table with a name, parallel to the table's edges."""

    centre_mm: tuple[float, float]
    size_mm: tuple[float, float]
    title: str = ""
    """What is printed on the mat."""
    unit_mm: tuple[float, float] | None = None
    """How far apart two neighbouring places are, where the region has places (board units)."""
    origin_mm: tuple[float, float] | None = None
    """Where the place (0, 0) in board units lies; on a chequered board, one place left of and below a1."""
    squares: tuple[int, int] | None = None
    """Columns and rows to draw as a grid around the places from (1, 1) on."""
    spill_mm: float = 0.0
    """So far beyond it a piece in no region still belongs to it: a full pool has no room for all."""

    def __post_init__(self) -> None:
        if min(self.size_mm) <= 0:
            raise ValueError("size_mm should be larger than nothing")
        if (self.unit_mm is None) != (self.origin_mm is None):
            raise ValueError("unit_mm and origin_mm belong together")
        if self.squares and not self.unit_mm:
            raise ValueError("squares need unit_mm and origin_mm")

    @property
    def bounds_mm(self) -> tuple[float, float, float, float]:
        """Left, bottom, right, top."""
        (x, y), (w, h) = self.centre_mm, self.size_mm
        return (x - w / 2, y - h / 2, x + w / 2, y + h / 2)

    def holds(self, x_mm: float, y_mm: float, *, margin_mm: float = 0.0) -> bool:
        """Whether a point lies in the region, or at most ``margin_mm`` outside it."""
        left, bottom, right, top = self.bounds_mm
        inside_x = left - margin_mm <= x_mm <= right + margin_mm
        return inside_x and bottom - margin_mm <= y_mm <= top + margin_mm

    def off_mm(self, x_mm: float, y_mm: float) -> float:
        """How far a point lies from the region; 0 inside."""
        (x, y), (w, h) = self.centre_mm, self.size_mm
        return math.hypot(max(0.0, abs(x_mm - x) - w / 2), max(0.0, abs(y_mm - y) - h / 2))

    def place_mm(self, x: float, y: float) -> tuple[float, float]:
        """Where the board place (x, y) lies; raises ValueError where the region has no places."""
        (ox, oy), (ux, uy) = self._lattice()
        return (ox + x * ux, oy + y * uy)

    def place_at(self, x_mm: float, y_mm: float) -> tuple[float, float]:
        """The board place (fractions and all) of a table point."""
        (ox, oy), (ux, uy) = self._lattice()
        return ((x_mm - ox) / ux, (y_mm - oy) / uy)

    def _lattice(self) -> tuple[tuple[float, float], tuple[float, float]]:
        if self.unit_mm is None or self.origin_mm is None:
            raise ValueError("this region has no board places")
        return self.origin_mm, self.unit_mm


@dataclass(frozen=True)
class TablePlan:
    """The regions of one game's table."""

    game: str
    size_mm: tuple[float, float]
    regions: dict[str, Region]

    def __post_init__(self) -> None:
        width, depth = self.size_mm
        for name, region in self.regions.items():
            left, bottom, right, top = region.bounds_mm
            if min(left + width / 2, bottom + depth / 2, width / 2 - right, depth / 2 - top) < -1e-6:
                raise ValueError(f"the region {name!r} sticks out of the table of {width:g}×{depth:g} mm")

    def scaled(self, scale: float) -> "TablePlan":
        """The plan as a mat of it lies there that was printed at this scale.

        Places that are printed as squares grow with the paper. A lattice that nobody printed is that of the
        pieces laid there, which stay as large as they are.
        """
        if scale == 1.0:
            return self
        printed = {(one.unit_mm, one.origin_mm) for one in self.regions.values() if one.squares}
        regions = {
            name: _scaled(one, scale, squares=(one.unit_mm, one.origin_mm) in printed)
            for name, one in self.regions.items()
        }
        return TablePlan(self.game, _times(self.size_mm, scale), regions)

    def regions_at(self, x_mm: float, y_mm: float) -> tuple[str, ...]:
        """The names of the regions that hold a point, the smallest region first."""
        held = [name for name, region in self.regions.items() if region.holds(x_mm, y_mm)]
        return tuple(sorted(held, key=lambda n: self.regions[n].size_mm[0] * self.regions[n].size_mm[1]))

    def spilled_from(self, x_mm: float, y_mm: float) -> str:
        """The nearest of the regions that a piece outside of all may belong to; none: empty."""
        off = {name: region.off_mm(x_mm, y_mm) for name, region in self.regions.items()}
        near = [name for name, region in self.regions.items() if off[name] < region.spill_mm]
        return min(near, key=off.__getitem__, default="")


def _scaled(region: Region, scale: float, *, squares: bool) -> Region:
    """A region of a mat that was printed at this scale, its lattice too where it is printed as squares."""
    unit, origin = region.unit_mm, region.origin_mm
    return replace(
        region,
        centre_mm=_times(region.centre_mm, scale),
        size_mm=_times(region.size_mm, scale),
        unit_mm=_times(unit, scale) if unit and squares else unit,
        origin_mm=_times(origin, scale) if origin else None,
        spill_mm=region.spill_mm * scale,
    )


def _times(pair: tuple[float, float], scale: float) -> tuple[float, float]:
    return pair[0] * scale, pair[1] * scale


def plan_of(game: str) -> TablePlan:
    """The shipped plan of ``game``."""
    if game not in GAMES:
        raise UnknownGame(f"There is no game {game!r}; known are: {', '.join(GAMES)}")
    source = resources.files("calibration") / "plans" / f"{game}.toml"
    return toml.parse(source.read_text(encoding="utf-8"), TablePlan, f"{game}.toml")


def read_plan(path: Path) -> TablePlan:
    """A user's own plan."""
    return toml.read(path, TablePlan)
