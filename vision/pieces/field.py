"""A field of dominoes, one on each place of a lattice: what lies there is looked for where it must lie.

Once most tiles of the field are found, every place of the lattice is known to a millimetre or two. A tile
that the finder missed, one below a soldier, and a wall between two tiles are then read on the very spot; a
plank that would lie across two tiles is nothing but the dark gap between them, or a wall.
"""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from dataclasses import field as dataclass_field

import cv2
import numpy as np

from calibration.camera import Camera
from calibration.plan import Region, TablePlan
from calibration.table import Table
from vision.pieces import dominoes, mat
from vision.pieces.dominoes import FACES, DominoReading
from vision.pieces.finder import Spotted
from vision.pieces.lattice import Lattice, fit_lattice
from vision.pieces.mat import TOP_MM, OnTable
from vision.pieces.patches import DOMINO_CORNERS, DOMINO_SIZE, Floats, Picture, cut
from vision.pieces.reading import Reading, read_small
from vision.pieces.sureness import sure
from vision.pieces.tidy import Read

_HEAD_MM, _ASTRAY = 18.0, 0.4
_LONG_MM, _WIDE_MM, _THICK_MM = 48.0, 24.0, TOP_MM["domino"]
_LEAST_SHARE = 0.5
"""With fewer tiles than this share of the field nobody can say where the field lies."""
_WORST_MM = 4.0
_NEAR, _ALIKE_DEG = 0.3, 25.0
"""So near, in places, and so little turned, a tile lies on its place."""
_LEAST_TILE, _LEAST_WALL = 0.3, 0.05
_BODY = 0.6
"""So near to the line from a soldier's foot to his head, in shares of the head, there is but his body."""
_STEEP = 1.5
_HALFWAY, _HALFWAY_ON_ENDS = 0.008, 0.11
"""How doubtful a place between two tiles looks that is as likely a wall as a gap: of 896 on simulated tables
30 of 32 with a wall lie below 0.01, and all gaps above 0.018 (0.5 at the tiles' ends, which lie too near to
each other to look like a wall)."""
_LOOK_SIZE = (32, 18)
_ALIKE = 0.8
"""So alike, as a correlation, a spot looks that nobody has touched: 0.93 or more on simulated tables in most
places, noisy ones apart, and 0.67 at most where a wall has come or gone."""

Place = tuple[int, int]


@dataclass(frozen=True)
class _Field:
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

    def corners(self, spot: "_Spot") -> Floats:
        """Where the upper side of something shows that lies or stands on a spot."""
        turn = math.radians(spot.angle_deg + self.lattice.turn_deg)
        along = np.array([math.cos(turn), math.sin(turn)]) * _LONG_MM / 2
        across = np.array([-math.sin(turn), math.cos(turn)]) * spot.wide_mm / 2
        middle = np.array(self.mm_of(spot.x, spot.y))
        around = [middle - along + across, middle + along + across, middle + along - across,
                  middle - along - across]  # fmt: skip
        return self.table.camera.to_pixels(np.array(around), spot.top_mm)

    def is_inside(self, place: Place) -> bool:
        """Whether a place is one of the field's own."""
        columns, rows = self.within.squares or (0, 0)
        return 1 <= place[0] <= columns and 1 <= place[1] <= rows

    def turn_at(self, place: Place) -> float:
        """How a tile lies there: those of the field upright, those beside it across."""
        return 90.0 if self.is_inside(place) else 0.0


@dataclass(frozen=True)
class _Spot:
    """A place, or the middle between two, where something is looked for."""

    x: float
    y: float
    angle_deg: float
    wide_mm: float
    top_mm: float


@dataclass
class Gaps:
    """What was read between tiles, so that a place that looks as before need not be read again."""

    camera: Camera | None = None
    known: dict[tuple[float, float], tuple[Floats, DominoReading]] = dataclass_field(default_factory=dict)

    def read(self, picture: Picture, field: _Field, spots: Sequence[_Spot]) -> list[DominoReading]:
        """The readings of these spots."""
        if self.camera != field.table.camera:
            self.camera, self.known = field.table.camera, {}
        corners = [field.corners(spot) for spot in spots]
        looks = [_look(picture, one) for one in corners]
        old = [self.known.get((spot.x, spot.y)) for spot in spots]
        new = [k for k, spot in enumerate(spots) if not _as_before(spot, old[k], looks[k])]
        each = dominoes.read(picture, [corners[k] for k in new], quick=True)
        for k, one in zip(new, each, strict=True):
            self.known[spots[k].x, spots[k].y] = looks[k], one
        return [self.known[spot.x, spot.y][1] for spot in spots]


def _look(picture: Picture, corners: Floats) -> Floats:
    """How a spot looks, as brightness that no lamp changes: middle 0, spread 1, and some noise away."""
    flat, _ = cut(picture, corners, DOMINO_CORNERS, DOMINO_SIZE)
    grey = cv2.resize(cv2.cvtColor(flat, cv2.COLOR_BGR2GRAY), _LOOK_SIZE, interpolation=cv2.INTER_AREA)
    values = grey.astype(np.float64).ravel()
    return np.asarray((values - values.mean()) / max(float(values.std()), 1.0))


def _as_before(spot: _Spot, was: tuple[Floats, DominoReading] | None, look: Floats) -> bool:
    """Whether a spot looks as it did when it was read, and left no doubt then."""
    if was is None or _LEAST_WALL < _as_wall(spot, was[1]) < 1 - _LEAST_WALL:
        return False
    return float(was[0] @ look) / look.size > _ALIKE


def on_field(picture: Picture, reading: Reading, plan: TablePlan, gaps: Gaps | None = None) -> Reading:
    """The reading after every place of the field was looked at; as it was where no field is seen.

    ``gaps`` remembers what was read between tiles from one reading of a table to the next.
    """
    field = _field_of(reading, plan)
    if field is None:
        return reading
    pairs = list(zip(reading.pieces, reading.places, strict=True))
    tiles = {place: k for k, place in _tiles(field, pairs)}
    men = _men(field, pairs)
    columns, rows = field.within.squares or (0, 0)
    wanted = {(x, y) for x in range(1, columns + 1) for y in range(1, rows + 1)} | men.keys()
    spots = [_tile_spot(field, place) for place in sorted(wanted - tiles.keys())]
    borders = list(_borders(field, wanted | tiles.keys()))
    seen = dominoes.read(picture, [field.corners(spot) for spot in spots], quick=True)
    found = [(spot, one) for spot, one in zip(spots, seen, strict=True) if _is_tile(one)]
    pairs += [_tile(field, spot, one) for spot, one in found]
    tiles |= {(int(spot.x), int(spot.y)): k for k, (spot, _) in enumerate(found, len(pairs) - len(found))}
    better = _men_again(picture, field, pairs, tiles, men)
    pairs += better.values()
    # who is not seen on the very spot is nobody; nor is anybody where no tile lies, unless he is sure
    men = {place: k for place, k in men.items() if sure(pairs[k][0]) and place not in better}
    on_tiles = {*men.values(), *range(len(pairs) - len(better), len(pairs))}
    bodies = _bodies(field, pairs)
    lying = set(tiles.values())
    kept = [
        (_as_man(one) if k in on_tiles else one, at)
        for k, (one, at) in enumerate(pairs)
        if k in on_tiles or (k not in bodies and _stays(field, one, at, is_tile=k in lying))
    ]
    walls = zip(borders, (gaps or Gaps()).read(picture, field, borders), strict=True)
    kept += [_wall(field, spot, one) for spot, one in walls if _as_wall(spot, one) > _LEAST_WALL]
    pieces, places = zip(*kept, strict=True)
    return replace(reading, pieces=tuple(pieces), places=tuple(places))


def _field_of(reading: Reading, plan: TablePlan) -> _Field | None:
    """The lattice through the tiles that were found, if they are enough of a field."""
    board, within = plan.regions.get("board"), plan.regions.get("field")
    if reading.table is None or board is None or within is None or not within.squares or not board.unit_mm:
        return None
    across = within.squares[0]
    found = [
        place
        for one, place in zip(reading.pieces, reading.places, strict=True)
        if one.kind == "domino" and within.holds(place.x_mm, place.y_mm)
    ]
    on_it = [place for place in found if _off_lattice(board.place_at(place.x_mm, place.y_mm)) < _NEAR]
    for tiles in (on_it, found):
        if len(tiles) < _LEAST_SHARE * across * within.squares[1]:
            continue
        lattice = fit_lattice(tiles, within.centre_mm, across, board.unit_mm[0])
        if lattice is not None and lattice.off_mm < _WORST_MM:
            return _Field(reading.table, board, within, lattice)
    return None


def _off_lattice(at: tuple[float, float]) -> float:
    return math.hypot(at[0] - round(at[0]), at[1] - round(at[1]))


# — what was found —


def _tiles(field: _Field, pairs: Sequence[tuple[Read, OnTable]]) -> Iterator[tuple[int, Place]]:
    """The dominoes that lie on places as tiles do, the doubtful first."""
    for k, (one, at) in sorted(enumerate(pairs), key=lambda pair: pair[1][0].there):
        x, y = field.place_of(at)
        place = round(x), round(y)
        off = abs((at.angle_deg - field.lattice.turn_deg - field.turn_at(place) + 90) % 180 - 90)
        on_board = field.region.holds(*field.region.place_mm(x, y))
        lies = one.kind == "domino" and on_board and _off_lattice((x, y)) < _NEAR and off < _ALIKE_DEG
        if lies:
            yield k, place


def _men(field: _Field, pairs: Sequence[tuple[Read, OnTable]]) -> dict[Place, int]:
    """The soldier on each place: of several the surest, the others are his body or a pattern of the tile."""
    men: dict[Place, int] = {}
    for k, (one, at) in sorted(enumerate(pairs), key=lambda pair: pair[1][0].confidence):
        x, y = field.place_of(at)
        if one.kind == "soldier" and field.region.holds(*field.region.place_mm(x, y)):
            men[round(x), round(y)] = k
    return men


def _men_again(
    picture: Picture,
    field: _Field,
    pairs: Sequence[tuple[Read, OnTable]],
    tiles: Mapping[Place, int],
    men: Mapping[Place, int],
) -> dict[Place, tuple[Read, OnTable]]:
    """The men on tiles where one was doubted, and on those beside the field where none was found.

    The finder takes a body for the head at times, and the head is then read askew.
    """
    doubted = {place for place, k in men.items() if not sure(pairs[k][0])}
    due = sorted(
        tiles.keys() & doubted | {one for one in tiles.keys() - men.keys() if not field.is_inside(one)}
    )
    px_a_mm = 1 / field.table.camera.mm_per_px()
    height = TOP_MM["soldier"] + TOP_MM["domino"]
    heads = [field.table.camera.to_pixels(np.array([field.mm_of(*place)]), height)[0] for place in due]
    long = _HEAD_MM * px_a_mm
    spots = [Spotted("soldier", float(x), float(y), long, long, 0.0, 1.0) for x, y in heads]
    seen = [one for one in read_small(picture, spots, quick=True) if one.kind == "soldier"]
    below = [pairs[k][0] for k in tiles.values()]
    places = mat.standing([*below, *seen], field.table)[len(below) :]
    found: dict[Place, tuple[Read, OnTable]] = {}
    for one, at in zip(seen, places, strict=True):
        x, y = field.place_of(at)
        place = round(x), round(y)
        if place in due and _off_lattice((x, y)) < _ASTRAY:
            found[place] = mat.renamed(one, at), at
    return found


def _as_man(one: Read) -> Read:
    """A soldier on the board; what looks like one of no certain type is no certain soldier either."""
    return one if sure(one) else replace(one, there=one.confidence)


def _bodies(field: _Field, pairs: Sequence[tuple[Read, OnTable]]) -> set[int]:
    """What looks like a soldier and is the lower part of a surer one."""
    camera = field.table.camera
    men = [(k, one, at) for k, (one, at) in enumerate(pairs) if one.kind == "soldier"]
    found = set()
    for _, one, at in men:
        if not sure(one):
            continue
        foot = camera.to_pixels(np.array([(at.x_mm, at.y_mm)]), 0.0)[0]
        for k, other, _ in men:
            if not sure(other) and _from_line(other.middle, foot, one.middle) < _BODY * one.length:
                found.add(k)
    return found


def _from_line(point: Floats, start: Floats, end: Floats) -> float:
    """How far a point lies from a line from one point to another."""
    along = end - start
    share = float(np.clip((point - start) @ along / max(float(along @ along), 1e-9), 0.0, 1.0))
    return float(np.linalg.norm(point - start - share * along))


def _stays(field: _Field, one: Read, at: OnTable, *, is_tile: bool) -> bool:
    """Whether a find can be a part of the table; what lies beside the board does not matter here."""
    x, y = field.place_of(at)
    if is_tile or not field.region.holds(*field.region.place_mm(x, y)):
        return True
    if one.kind not in ("domino", "wall"):
        return one.kind != "soldier"  # those that are any were told by their places
    between = any(_off_lattice((x + dx, y + dy)) < _NEAR for dx, dy in ((0.5, 0), (0, 0.5), (0.5, 0.5)))
    return not between and (one.value is not None or sure(one))


# — what is looked for —


def _tile_spot(field: _Field, place: Place) -> _Spot:
    return _Spot(*place, field.turn_at(place), _WIDE_MM, TOP_MM["domino"])


def _borders(field: _Field, tiles: Iterable[Place]) -> Iterator[_Spot]:
    """The sides that two tiles share: a wall across their ends stands on them, others on the table."""
    known = set(tiles)
    for x, y in sorted(known):
        for other in ((x + 1, y), (x, y + 1)):
            if other not in known:
                continue
            to_the_right = other[0] > x
            ends = all((field.turn_at(one) == 0.0) == to_the_right for one in ((x, y), other))
            top = TOP_MM["wall"] + (TOP_MM["domino"] if ends else 0.0)
            yield _Spot((x + other[0]) / 2, (y + other[1]) / 2, 90.0 if to_the_right else 0.0, _THICK_MM, top)


def _is_tile(one: DominoReading) -> bool:
    return 1 - float(one.faces[FACES.index("none")]) > _LEAST_TILE


def _tile(field: _Field, spot: _Spot, one: DominoReading) -> tuple[Read, OnTable]:
    """What was read on a place, as a piece."""
    face = max(("up", "down"), key=lambda name: float(one.faces[FACES.index(name)]))
    return _piece(field, spot, one, "domino", face, 1 - float(one.faces[FACES.index("none")]))


def _as_wall(spot: _Spot, one: DominoReading) -> float:
    """The probability that a wall stands there: a gap looks like nothing at least a little."""
    nothing = max(float(one.faces[FACES.index("none")]), 1e-6)
    halfway = _HALFWAY_ON_ENDS if spot.top_mm > TOP_MM["wall"] else _HALFWAY
    return float(1 / (1 + (nothing / halfway) ** _STEEP))


def _wall(field: _Field, spot: _Spot, one: DominoReading) -> tuple[Read, OnTable]:
    return _piece(field, spot, one, "wall", "edge", _as_wall(spot, one))


def _piece(
    field: _Field, spot: _Spot, one: DominoReading, kind: str, face: str, there: float
) -> tuple[Read, OnTable]:
    corners = field.table.camera.to_mm(one.corners, spot.top_mm)
    x, y = corners.mean(axis=0)
    along = corners[1] - corners[0] + corners[2] - corners[3]
    turn = math.degrees(math.atan2(along[1], along[0])) % 360
    ranked: tuple[tuple[dict[str, list[int]] | None, float], ...] = ((None, 1.0),)
    if face == "up":
        ranked = tuple(_pips(one))
    read = Read(kind, face, ranked, there, one.corners, turn, visible=one.visible)
    return read, OnTable(float(x), float(y), turn)


def _pips(one: DominoReading) -> Iterator[tuple[dict[str, list[int]], float]]:
    both = np.outer(one.first, one.second)
    for k in np.argsort(-both, axis=None)[:4]:
        a, b = divmod(int(k), dominoes.PIPS)
        yield {"pips": [a, b]}, float(both[a, b])
