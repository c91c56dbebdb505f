"""Where the field of dominoes on a table really lies, and what can lie on its places and between them."""

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import product

import numpy as np

from calibration.plan import Region, TablePlan
from calibration.table_finder import Table
from vision.pieces import domino_reading
from vision.pieces.domino_reading import DominoReading
from vision.pieces.finder import USUAL_MM, WIDE_SHARE
from vision.pieces.lattice import Lattice, fit_lattice
from vision.pieces.mat import TOP_MM, OnTable
from vision.pieces.memory import Memory, remembered
from vision.pieces.patches import Floats, Picture
from vision.pieces.reading import Readout

LONG_MM, WIDE_MM, THICK_MM = USUAL_MM["domino"], WIDE_SHARE * USUAL_MM["domino"], TOP_MM["domino"]
_LEAST_SHARE = 0.5
"""With fewer tiles than this share of the field nobody can say where the field lies."""
_WORST_MM = 4.0
NEAR = 0.3
"""So near, in places, a tile lies on its place."""
_NEAR_PX = 4.0
"""Where the table lies is known better with each frame, by a pixel at the most; a knock moves more."""

Place = tuple[int, int]


@dataclass(frozen=True)
class Field:
    """Where the lattice of a table really lies."""

    table: Table
    region: Region
    within: Region
    lattice: Lattice

    def place_of(self, at: OnTable) -> tuple[float, float]:
        """The place of a table point, fractions and all."""
        return self.region.place_at(*self.lattice.straightened(at.x_mm, at.y_mm, self.within.centre_mm))

    def mm_of(self, x: float, y: float) -> tuple[float, float]:
        """The table point of a place."""
        return self.lattice.laid(*self.region.place_mm(x, y), self.within.centre_mm)

    def corners(self, spot: "Probe") -> Floats:
        """Where the upper side of something shows that lies or stands on a spot."""
        turn = math.radians(spot.angle_deg + self.lattice.turn_deg)
        along = np.array([math.cos(turn), math.sin(turn)]) * LONG_MM / 2
        across = np.array([-math.sin(turn), math.cos(turn)]) * spot.wide_mm / 2
        middle = np.array(self.mm_of(spot.x, spot.y))
        around = [middle - along + across, middle + along + across, middle + along - across,
                  middle - along - across]  # fmt: skip
        return self.table.camera.to_pixels(np.array(around), spot.top_mm)

    def is_on_board(self, at: OnTable) -> bool:
        """Whether a table point is one of the field or of the places around it."""
        return self.region.holds(*self.region.place_mm(*self.place_of(at)))

    @cached_property
    def own(self) -> frozenset[Place]:
        """The field's own places."""
        columns, rows = self.within.squares or (0, 0)
        return frozenset(product(range(1, columns + 1), range(1, rows + 1)))

    def is_inside(self, place: Place) -> bool:
        """Whether a place is one of the field's own."""
        return place in self.own

    def turn_at(self, place: Place) -> float:
        """How a tile lies there: those of the field upright, those beside it across."""
        return 90.0 if self.is_inside(place) else 0.0


@dataclass(frozen=True)
class Probe:
    """A place, or the middle between two, where something is looked for."""

    x: float
    y: float
    angle_deg: float
    wide_mm: float
    top_mm: float


@dataclass(frozen=True)
class ProbeSeen:
    """A place of the field in one picture: the same one while it shows nearly where it did."""

    probe: Probe
    near_px: tuple[int, int]
    corners: Floats = field(compare=False)

    @property
    def length(self) -> float:
        """How long what is looked for shows there."""
        return float(np.linalg.norm(self.corners[1] - self.corners[0]))


def read_at(
    picture: Picture,
    where: Field,
    probes: Sequence[Probe],
    memory: Memory | None,
    reader: str = domino_reading.READER,
) -> list[DominoReading]:
    """What a reader of dominoes sees at these places, or saw there before if they look as they did."""
    corners = [where.corners(one) for one in probes]
    spots = [
        ProbeSeen(one, (round(float(px[0, 0]) / _NEAR_PX), round(float(px[0, 1]) / _NEAR_PX)), px)
        for one, px in zip(probes, corners, strict=True)
    ]

    def look(new: Sequence[ProbeSeen]) -> list[DominoReading]:
        return domino_reading.read(picture, [one.corners for one in new], quick=True, reader=reader)

    return remembered(memory, ("field", reader), spots, look)


def field_of(reading: Readout, plan: TablePlan) -> Field | None:
    """The lattice through the tiles that were found, if they are enough of a field."""
    board, within = plan.regions.get("board"), plan.regions.get("field")
    if reading.table is None or board is None or within is None or not within.squares or not board.unit_mm:
        return None
    across, dominoes = within.squares[0], reading.places_of("domino")
    found = [place for place in dominoes if within.holds(place.x_mm, place.y_mm)]
    on_it = [place for place in found if off_lattice(board.place_at(place.x_mm, place.y_mm)) < NEAR]
    for tiles in (on_it, found):
        if len(tiles) < _LEAST_SHARE * across * within.squares[1]:
            continue
        lattice = fit_lattice(tiles, within.centre_mm, across, board.unit_mm[0])
        if lattice is not None and lattice.off_mm < _WORST_MM:
            return Field(reading.table, board, within, lattice)
    return None


def off_lattice(at: tuple[float, float]) -> float:
    """How far a point lies from the nearest place, in places."""
    return math.hypot(at[0] - round(at[0]), at[1] - round(at[1]))


def borders_between(field: Field, tiles: Iterable[Place]) -> Iterator[Probe]:
    """The sides that two tiles share: a wall across their ends stands on them, others on the table."""
    known = set(tiles)
    for x, y in sorted(known):
        for other in ((x + 1, y), (x, y + 1)):
            if other not in known:
                continue
            to_the_right = other[0] > x
            ends = all((field.turn_at(one) == 0.0) == to_the_right for one in ((x, y), other))
            top = TOP_MM["wall"] + (TOP_MM["domino"] if ends else 0.0)
            yield Probe((x + other[0]) / 2, (y + other[1]) / 2, 90.0 if to_the_right else 0.0, THICK_MM, top)
