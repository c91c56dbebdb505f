"""The maps on a game's table, read again and again while they are drawn on, as sightings for the referee.

A map is looked for in its player's region of the table, and where it was found it is expected again: only one
that was moved is looked for anew. What each square may hold is told with how likely that is, and nothing is
decided here: the referee knows what stood there before and which dice were taken. What he tells in turn is
which squares are empty once table and record agree: they show their own print.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

import cv2
import numpy as np

from calibration.plan import Region, TablePlan
from calibration.table_finder import Table
from engine.kingdomino_duel.edition import COATS
from engine.layout import Layout
from engine.plain import Json, JsonObject, items, obj
from engine.scene import Guess, Sighting
from vision.pieces.memory import Memory
from vision.sheet_cells import CASTLE_INDEX, COLUMNS, PITCH_PX, ROWS, Floats, Picture, cells_of
from vision.sheet_finder import Candidate, FoundSheet, find_sheets, turned
from vision.sheet_print import KnownPrint
from vision.sheet_reader import SheetReader, SheetReading, sheet_reader
from vision.sheet_tries import SheetTries, Tries

REGIONS = ("sheet-1", "sheet-2")
_AROUND_MM = 25.0
"""How far a sheet may stick out of its region."""
_STILL_CASTLE = 0.5
"""As surely as this the castle must be seen in the middle of a map that was expected there."""
_FEW, _LEAST_ALIKE = 20, 0.6
"""Of a map that lies where it lay, all but this share (in percent) of its squares look at least so alike."""
_CLEAR_CASTLE, _TURNED_DEG = 0.9, (-8, -6, -4, -2, 0, 2, 4, 6, 8)
"""A map whose boxes nobody sees is looked for in its place, turned so far; its castle must be clear."""
_MOST_SLANT, _MOST_TAPER = 4.0, 1.06
"""A map is a rectangle: its corners may be off a right angle by so many degrees, its sides differ so much."""
_MOST_OFF = 0.1
"""In squares; the one map of 24 whose lines had been mistaken was off by 0.3 (training.measure_maps)."""
_MOST_OTHERS, _LEAST = 6, 1e-3
_HIDDEN_SHARE = 0.01

_Looked: TypeAlias = tuple[Memory | None, str]
"""Which memory says whether a region looks as it did, and the region: it knows only of what it has seen."""


@dataclass(frozen=True)
class SeenMap:
    """A map on the table: what was read, and its corners in the picture."""

    region: str
    reading: SheetReading

    @property
    def outline(self) -> Floats:
        """Its four corners (px), clockwise."""
        return np.asarray(self.reading.corners[[0, 0, -1, -1], [0, -1, -1, 0]])

    def sighting(self) -> Sighting:
        """The map in the words of the referee."""
        value: JsonObject = {
            "map": cells_json(self.reading),
            "roof": self.reading.roof > 0.5,
            "roof_confidence": round(self.reading.roof, 5),
        }
        return Sighting("sheet", self.region, guesses=(Guess(value, 1.0),), ref=self.region)


class SheetWatch:
    """Reads the maps on one game's table."""

    def __init__(self, plan: TablePlan, reader: SheetReader | None = None) -> None:
        self.plan = plan
        """The plan as it lies there: a mat that was printed larger or smaller has it so."""
        self._reader = reader
        self._regions = {name: plan.regions[name] for name in REGIONS if name in plan.regions}
        self._last: dict[str, Candidate] = {}
        self._size = (0, 0)
        """The size of the picture that was read last."""
        self._flats: dict[str, Picture] = {}
        """The maps as they were read last, from straight above."""
        self._read: dict[_Looked, SeenMap] = {}
        """What the last look at each region gave."""
        self._tries = {name: SheetTries() for name in self._regions}
        self._print: dict[str, KnownPrint] = {}
        """What is printed on the squares of maps that lie where they lay."""

    def agreed(self, maps: Iterable[SeenMap], empty: Mapping[str, Collection[int]]) -> None:
        """Table and record agree that these squares of the maps that were seen so are empty."""
        for one in maps:
            bare = empty.get(one.region)
            if bare and self._is_last(one):
                known = self._print.get(one.region)
                shown = one.reading.shown
                self._print[one.region] = (
                    KnownPrint.of(shown, bare) if known is None else known.with_more(shown, bare)
                )

    def _is_last(self, one: SeenMap) -> bool:
        """Whether a map has not been found anew since it was read so: its squares are numbered as then."""
        flat = self._flats.get(one.region)
        return flat is not None and _alike(one.reading.flat, flat)

    def read(
        self,
        picture: Picture,
        table: Table,
        hidden_px: Sequence[Floats] = (),
        memory: Memory | None = None,
    ) -> list[SeenMap]:
        """The maps that lie in their regions; one under a hand is not read at all.

        What was read stays while ``memory`` says that a region looks as it did.
        """
        self._in_pictures_of((picture.shape[1], picture.shape[0]))
        found = []
        for name, region in self._regions.items():
            left, upper, right, lower = box = _box(region, table, picture)
            looked = memory, name
            if right - left < 40 or lower - upper < 40 or _is_hidden(hidden_px, box):
                self._read.pop(looked, None)
                continue
            if memory is not None and memory.is_as_before(box) and looked in self._read:
                found.append(self._read[looked])
                continue
            self._read.pop(looked, None)
            view = PartView(picture[upper:lower, left:right], (left, upper), table)
            reading = self._seen(name, view, _places(region, table, (left, upper)))
            if reading is not None:
                self._read[looked] = SeenMap(name, reading)
                found.append(self._read[looked])
        return found

    def _in_pictures_of(self, size: tuple[int, int]) -> None:
        """A camera's large picture may be read after its small one: maps lie where they lay."""
        if size == self._size:
            return
        if all(self._size):
            share = np.array(size, dtype=np.float64) / self._size
            self._last = {
                name: replace(one, corners=(one.corners + 0.5) * share - 0.5)
                for name, one in self._last.items()
            }
            self._read = {}
            self._tries = {name: SheetTries() for name in self._regions}
        self._size = size

    def _seen(self, name: str, view: "PartView", places: Sequence[Floats]) -> SheetReading | None:
        """The map in a part of the picture, where it lay or wherever it lies now; corners in the whole."""
        reader, part = self._reader or sheet_reader(), view.part
        shift = np.array(view.start, dtype=np.float64)
        reading = None
        if name in self._last:
            last = self._last[name]
            way = Candidate(last.corners - shift, last.ours, last.support)
            if _alike(cells_of(part, way.corners).flat, self._flats[name]):
                # Which end of a sheet without marks is up may have been told wrong while it was blank.
                known = self._print.get(name)
                ways = (way,) if way.ours or known is not None else (way, turned(way))
                reading = _surest(reader, part, (FoundSheet(ways),), known)
                if reading is not None and known is not None and _is_off(reading.corners, way.corners):
                    # Its squares were not where they were thought to be: nor was their print.
                    del self._print[name]
                    reading = _surest(reader, part, (FoundSheet((way, turned(way))),))
        if reading is None or reading.castle < _STILL_CASTLE:
            self._print.pop(name, None)
            found = view.lying(find_sheets(part, patient=False).maps)
            reading = _surer(reading, _surest(reader, part, found))
        if reading is None or reading.castle < _STILL_CASTLE:
            tries = self._tries[name].due(part, view.start, places)
            reading = _surer(reading, _hardly_seen(reader, part, map(view.tried, tries)))
        if reading is not None and reading.castle >= _STILL_CASTLE:
            self._tries[name].found()
        if reading is None:
            self._last.pop(name, None)
            return None
        moved = replace(reading, corners=reading.corners + shift)
        self._last[name], self._flats[name] = Candidate(moved.corners, moved.ours, 0), reading.flat
        return moved


@dataclass(frozen=True, eq=False)
class PartView:
    """The part of a picture in which a map may lie, where it begins, and the table it shows."""

    part: Picture
    start: tuple[int, int]
    table: Table

    def lying(self, sheets: Iterable[FoundSheet]) -> list[FoundSheet]:
        """These sheets with those ways only in which paper can lie there: as a rectangle."""
        kept = (FoundSheet(tuple(filter(self._is_flat, sheet.candidates))) for sheet in sheets)
        return [sheet for sheet in kept if sheet.candidates]

    def tried(self, tries: Tries) -> Tries:
        """The same of ways that are tried."""
        return replace(tries, sheets=tuple(self.lying(tries.sheets)))

    def _is_flat(self, way: Candidate) -> bool:
        """Whether the corners of a map span a rectangle on the table: what is numbered aslant is none."""
        outline = way.corners[[0, 0, -1, -1], [0, -1, -1, 0]] + np.array(self.start, dtype=np.float64)
        corners = self.table.camera.to_mm(outline)
        sides = np.roll(corners, -1, axis=0) - corners
        long = np.linalg.norm(sides, axis=1)
        if not np.isfinite(long).all() or long.min() <= 0:
            return False
        ways = sides / long[:, None]
        slant = np.abs((ways * np.roll(ways, -1, axis=0)).sum(axis=1)).max()
        taper = max(max(a, b) / min(a, b) for a, b in ((long[0], long[2]), (long[1], long[3])))
        return bool(slant < np.sin(np.radians(_MOST_SLANT)) and taper < _MOST_TAPER)


def _surest(
    reader: SheetReader, part: Picture, sheets: Iterable[FoundSheet], known: KnownPrint | None = None
) -> SheetReading | None:
    """The reading of the sheet whose castle is seen best."""
    seen = (reader.read(part, sheet, known) for sheet in sheets)
    read = (one for one in seen if isinstance(one, SheetReading))
    return max(read, key=lambda one: one.castle, default=None)


def _surer(one: SheetReading | None, other: SheetReading | None) -> SheetReading | None:
    """The reading whose castle is seen better."""
    return max(
        (each for each in (one, other) if each is not None), key=lambda each: each.castle, default=None
    )


def _hardly_seen(reader: SheetReader, part: Picture, ways: Iterable[Tries]) -> SheetReading | None:
    """The map whose print is hardly darker than its paper, or its paper hardly of another colour."""
    best = None
    for tries in ways:
        if tries.guessed:
            # Lines cross a table in many places: a castle must be clear, and then all squares count.
            told = (reader.read(part, sheet) for sheet in tries.sheets)
            clear = [one for one in told if isinstance(one, SheetReading) and one.castle >= _CLEAR_CASTLE]
            seen = max(clear, key=lambda one: float(one.coats.max(axis=1).mean()), default=None)
        else:
            seen = _surest(reader, part, tries.sheets)
        best = _surer(best, seen)
        if best is not None and best.castle >= _CLEAR_CASTLE:
            break
    return best


def _places(region: Region, table: Table, start: tuple[int, int]) -> list[Floats]:
    """A region's outline in its part of the picture, clockwise from its upper left, as it lies and turned."""
    left, bottom, right, top = region.bounds_mm
    middle = np.array(region.centre_mm)
    corners = np.array([(left, top), (right, top), (right, bottom), (left, bottom)]) - middle
    turns = [np.radians(degrees) for degrees in _TURNED_DEG]
    ways = [np.array([(np.cos(a), np.sin(a)), (-np.sin(a), np.cos(a))]) for a in turns]
    return [table.camera.to_pixels(corners @ way + middle) - start for way in ways]


def _is_off(corners: Floats, others: Floats) -> bool:
    """Whether the same squares lie elsewhere by more than a part of themselves."""
    side = float(np.linalg.norm(np.diff(corners, axis=1), axis=2).mean())
    return float(np.linalg.norm(corners - others, axis=2).mean()) > _MOST_OFF * side


def _alike(one: Picture, other: Picture) -> bool:
    """Whether two flat maps lie alike: nearly all squares look the same, whatever light falls on them."""
    lines = []
    for flat in (one, other):
        grey = cv2.GaussianBlur(cv2.cvtColor(flat, cv2.COLOR_BGR2GRAY).astype(np.float32), (0, 0), 1.5)
        lines.append(grey - cv2.GaussianBlur(grey, (0, 0), 10))
    alike = [
        cv2.matchTemplate(a, b, cv2.TM_CCOEFF_NORMED)[0, 0]
        for a, b in (
            (lines[0][y : y + PITCH_PX, x : x + PITCH_PX], lines[1][y : y + PITCH_PX, x : x + PITCH_PX])
            for y in range(0, ROWS * PITCH_PX, PITCH_PX)
            for x in range(0, COLUMNS * PITCH_PX, PITCH_PX)
        )
    ]
    return float(np.percentile(alike, _FEW)) > _LEAST_ALIKE


def cells_json(reading: SheetReading) -> list[Json]:
    """The squares in rows: what each holds most likely, how likely that is, and what else it may hold."""
    flat: list[Json] = [
        None if k == CASTLE_INDEX else _cell_json(reading.coats[k], reading.crosses[k])
        for k in range(ROWS * COLUMNS)
    ]
    return [flat[row * COLUMNS : (row + 1) * COLUMNS] for row in range(ROWS)]


def _cell_json(coats: Floats, crosses: Floats) -> JsonObject:
    ways: list[tuple[float, str | None, int]] = [(float(coats[0]), None, 0)]
    ways += [
        (float(coats[coat + 1]) * float(crosses[count]), name, count)
        for coat, name in enumerate(COATS)
        for count in range(len(crosses))
    ]
    ways.sort(key=lambda way: -way[0])
    first, *others = [way for k, way in enumerate(ways) if not k or (k <= _MOST_OTHERS and way[0] >= _LEAST)]
    return {**_way_json(*first), "alternatives": [_way_json(*way) for way in others]}


def _way_json(sure: float, coat: str | None, crosses: int) -> JsonObject:
    return {"coat": coat, "crosses": crosses, "confidence": round(sure, 5)}


def empty_squares(record: Layout) -> dict[str, frozenset[int]]:
    """The squares of each map in which nothing is drawn by the record, in reading order."""
    sheets = [spot for spot in record.spots if spot.region in REGIONS]
    return {sheet.region: _empty(squares_of(obj(sheet.value, "a map"))) for sheet in sheets}


def _empty(squares: Sequence[Json]) -> frozenset[int]:
    return frozenset(k for k, square in enumerate(squares) if square is None and k != CASTLE_INDEX)


def squares_of(value: Mapping[str, Json]) -> list[Json]:
    """The squares of a map in reading order."""
    return [square for row in items(value["map"], "rows") for square in items(row, "a row")]


def _box(region: Region, table: Table, picture: Picture) -> tuple[int, int, int, int]:
    """The part of the picture in which a region's sheet can lie."""
    left, bottom, right, top = region.bounds_mm
    corners = np.array([(left, bottom), (right, bottom), (right, top), (left, top)], dtype=np.float64)
    away = np.sign(corners - np.array(region.centre_mm)) * _AROUND_MM
    points = table.camera.to_pixels(corners + away)
    height, width = picture.shape[:2]
    low = np.clip(np.floor(np.nanmin(points, axis=0)), 0, (width, height))
    high = np.clip(np.ceil(np.nanmax(points, axis=0)), 0, (width, height))
    return int(low[0]), int(low[1]), int(high[0]), int(high[1])


def _is_hidden(outlines: Sequence[Floats], box: tuple[int, int, int, int]) -> bool:
    """Whether a noticeable part of a box is covered."""
    left, upper, right, lower = box
    covered = np.zeros((lower - upper, right - left), np.uint8)
    for outline in outlines:
        points = np.rint(np.asarray(outline, dtype=np.float64) - (left, upper)).astype(np.int32)
        cv2.fillPoly(covered, [points.reshape(-1, 1, 2)], 1)
    return float(covered.mean()) > _HIDDEN_SHARE
