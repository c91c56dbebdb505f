"""Draws a table as patchworks of greys, for whoever judges what is made of readings, not the reading itself.

    sketcher = Sketcher(scene, take, weather)
    shot = sketcher.shot(index, tick)        # a frame, as from ``film.Studio``, in a small part of the time
    sketcher.seen_in(shot.picture)           # which pieces it shows, and how much of each

Each face of each piece is a patchwork that no other has. So a picture tells just what lies where, also one
that was put together of parts of many frames, and one in which a hand covers half of it. Hands, knocks, and
black, frozen and missing frames are as in a film; lamps, shadows, surfaces and makes are not.
"""

import hashlib
import json
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera import Camera
from simulation.bodies import place
from simulation.canvas import Array
from simulation.director import FilmTake
from simulation.film import BLACK, parts_of
from simulation.gestures import HandAt, Player
from simulation.makes import SoldierLook
from simulation.sensor import Picture
from simulation.trouble import Tick, Weather
from simulation.truth import seen_value
from simulation.virtual_scene import Piece, VirtualScene, stream

_GREYS: Final = np.arange(72, 249, 22, dtype=np.uint8)
"""What patches are painted with."""
_TABLE, _SKIN = 40, 160
"""The greys of the table and of hands."""
_GRAIN, _GRAIN_PX = 6.0, 4.0
"""How many greys the table's own pattern is strong (a standard deviation), and how coarse."""
_NOISE: Final = 6
"""By so many greys at most each pixel of each frame is brighter than it is."""
_ALIKE: Final = 9
"""A patch that is so many greys off is not seen: something else lies there."""
_LEAST: Final = 0.6
"""So much of a piece must be seen to be told: of one with other patches an eighth is alike by chance."""
_LEAST_OF_TILES: Final = 0.4
"""The same of a tile, on which a soldier stands, and walls beside him."""
_KEPT_S: Final = 120.0
"""So long a piece that lies no more as it did may still be seen in pictures of earlier frames."""
_SAME_MM: Final = 8.0
"""Pieces that look the same and lie so near to each other lie on one another."""
_SHIFT_PX: Final = 64
"""So far each frame's noise is shifted at most beside that of the one before."""
_FLAT: Final = ("domino", "coin", "die", "tile")
"""What is seen at its upper side; all else as if it were painted on the table."""
_PATCHES: Final = {"domino": (4, 8), "wall": (1, 6), "sheet": (5, 7)}
_OTHERS: Final = (4, 4)
"""Rows and columns of patches of any other kind."""


class Pictured(Protocol):
    """A frame as whoever watches the table sees it."""

    @property
    def index(self) -> int:
        """Its number."""

    @property
    def tick(self) -> Tick:
        """When it was taken."""

    @property
    def picture(self) -> Picture:
        """What it shows."""


@dataclass(frozen=True)
class Sketch:
    """A frame that was sketched."""

    index: int
    tick: Tick
    picture: Picture


@dataclass(frozen=True, eq=False)
class Sketched:
    """A piece as it lies and is drawn."""

    piece: Piece
    face: str
    """What tells its face from all others."""
    corners_px: Array
    """Those of its upper side, as ``Placed.top_corners`` has them."""
    cells_px: Array
    """The corners of its patches (patches × 4 × 2)."""
    middles: NDArray[np.int32]
    greys: NDArray[np.uint8]


class Sketcher:
    """Draws one frame after another of what is done at a table."""

    def __init__(self, scene: VirtualScene, take: FilmTake, weather: Weather) -> None:
        self.scene, self.take, self.weather = scene, take, weather
        self.camera = scene.camera
        self.moved_s = -math.inf
        """When the camera was knocked last."""
        self._player = Player(take.reel)
        self._lying: dict[tuple[Any, ...], tuple[float, Sketched]] = {}
        """All that lay on the table in the last minutes, with when it was drawn last."""
        self._last: tuple[float, Picture] | None = None
        wide, high = scene.camera.lens.size_px
        rng = stream(scene.seed, "sketch noise")
        self._noise = rng.integers(0, _NOISE + 1, (high + _SHIFT_PX, wide + _SHIFT_PX, 3), dtype=np.uint8)
        self._rng = rng
        # A table that is all of one grey looks like a frame that has lost its data.
        soft = cv2.GaussianBlur(rng.normal(0, 1, (high, wide)).astype(np.float32), (0, 0), _GRAIN_PX)
        self._table = (
            np.asarray(_TABLE + _GRAIN * soft / soft.std(), dtype=np.float32).clip(5, 65).astype(np.uint8)
        )

    def shot(self, index: int, tick: Tick) -> Sketch:
        """The frame of a tick, which shows no earlier time than the last one did."""
        if self._last is None or tick.shows > self._last[0]:
            self._last = tick.shows, self._drawn(tick.shows)
        picture = self._last[1]
        return Sketch(index, tick, np.full_like(picture, BLACK) if tick.black else picture)

    def seen_in(self, picture: Picture) -> list[tuple[Sketched, float]]:
        """The pieces that a picture shows, with the share of each that is seen, those on top first."""
        grey = picture[:, :, 1].astype(np.int16) - _NOISE // 2
        found: list[tuple[Sketched, float]] = []
        for _, one in reversed(self._lying.values()):
            share = _share(one, grey)
            if share >= (_LEAST_OF_TILES if one.piece.kind == "domino" else _LEAST):
                found.append((one, share))
        # Of one sheet all states look much alike: the newest counts of those that look most like it.
        found.sort(key=lambda each: (-each[0].piece.z_mm, -each[1]))
        kept: list[tuple[Sketched, float]] = []
        for one, share in found:
            if not any(_is_told_by(one, other) for other, _ in kept):
                kept.append((one, share))
        return kept

    def _drawn(self, t: float) -> Picture:
        pose = self.weather.pose(t)
        if pose != self.camera.pose:
            self.camera = Camera(self.camera.lens, pose)
            self.moved_s = t
            self._lying.clear()
        pieces = self._player.at(t).values()
        flat = self._table.copy()
        for piece in sorted(pieces, key=lambda one: one.z_mm):
            one = self._sketched(piece, t)
            for cell, value in zip(one.cells_px, one.greys, strict=True):
                cv2.fillConvexPoly(flat, cell, int(value))
        for hand in self.take.reel.hands_at(t):
            self._draw_hand(flat, hand)
        gains = self.weather.gains(t)
        gain = self.weather.exposure(t) * (sum(gains) / len(gains) if gains else 1.0)
        picture = cv2.merge([flat, flat, flat])
        if gain != 1.0:
            picture = cv2.convertScaleAbs(picture, alpha=gain)
        x, y = (int(v) for v in self._rng.integers(0, _SHIFT_PX, 2))
        rows, columns = flat.shape
        return np.asarray(cv2.add(picture, self._noise[y : y + rows, x : x + columns]), dtype=np.uint8)

    def _sketched(self, piece: Piece, t: float) -> Sketched:
        """The piece as it is drawn; it is remembered unless it is being moved."""
        shows = json.dumps(piece.value, sort_keys=True)
        lies = (piece.x_mm, piece.y_mm, piece.z_mm, piece.angle_deg, piece.tilt_deg)
        key = (piece.name, piece.kind, piece.face, shows, *lies)
        known = self._lying.get(key)
        one = _sketch(piece, self.camera) if known is None else known[1]
        if piece.name not in self._player.moving:
            self._lying.pop(key, None)
            self._lying[key] = t, one
        if len(self._lying) > 1000:
            self._lying = {key: kept for key, kept in self._lying.items() if t - kept[0] < _KEPT_S}
        return one

    def _draw_hand(self, flat: NDArray[np.uint8], hand: HandAt) -> None:
        eye = self.camera.pose.eye_mm
        for part in parts_of(self.take, hand):
            # The upper arm lies behind the camera at times, and outside of its picture always.
            seen = part.points[:, 2] < 0.8 * eye[2]
            points = self.camera.to_pixels(part.points)
            depth = np.maximum(eye[2] - part.points[:, 2], 1.0)
            wide = part.radii * self.camera.lens.focal_px[0] / depth
            for k in range(len(points) - 1):
                if seen[k] and seen[k + 1] and np.isfinite(points[k : k + 2]).all():
                    ends = [tuple(int(v) for v in point.clip(-4000, 4000)) for point in points[k : k + 2]]
                    cv2.line(flat, ends[0], ends[1], _SKIN, max(1, int(wide[k] + wide[k + 1])))


def _share(one: Sketched, grey: NDArray[np.int16]) -> float:
    """What share of a piece's patches a picture shows."""
    rows, columns = grey.shape
    x, y = one.middles.T
    inside = (x >= 0) & (x < columns) & (y >= 0) & (y < rows)
    if not inside.any():
        return 0.0
    alike = np.abs(grey[y[inside], x[inside]] - one.greys[inside]) <= _ALIKE
    return float(alike.sum()) / len(one.greys)


def _is_told_by(one: Sketched, other: Sketched) -> bool:
    """Whether another is the same sheet, or lies on this one and looks the same."""
    mine, theirs = one.piece, other.piece
    if mine.kind == "sheet":
        return mine.name == theirs.name
    return one.face == other.face and math.dist((mine.x_mm, mine.y_mm), (theirs.x_mm, theirs.y_mm)) < _SAME_MM


def _sketch(piece: Piece, camera: Camera) -> Sketched:
    placed = place(piece)
    rim = np.concatenate([points for points, *_ in placed.body.shape.outlines()])
    half = np.abs(rim).max(axis=0)
    if isinstance(piece.look, SoldierLook):
        half = np.minimum(half, piece.look.base_mm / 2)  # what he holds out hides nothing here
    high = placed.body.face_mm if piece.kind in _FLAT else 0.0
    rows, columns = _PATCHES.get(piece.kind, _OTHERS)
    x, y = np.linspace(-half[0], half[0], columns + 1), np.linspace(half[1], -half[1], rows + 1)
    mesh = np.stack([*np.meshgrid(x, y), np.full((rows + 1, columns + 1), high)], axis=-1)
    pixels = camera.to_pixels(placed.on_table(mesh.reshape(-1, 3))).reshape(rows + 1, columns + 1, 2)
    cells = np.stack([pixels[:-1, :-1], pixels[:-1, 1:], pixels[1:, 1:], pixels[1:, :-1]], axis=2).reshape(
        -1, 4, 2
    )
    corners = np.array([pixels[0, 0], pixels[0, -1], pixels[-1, -1], pixels[-1, 0]])
    face, greys = _patchwork(piece, rows, columns)
    middles = np.round(cells.mean(axis=1)).astype(np.int32)
    return Sketched(piece, face, corners, np.round(cells).astype(np.int32), middles, greys)


def _patchwork(piece: Piece, rows: int, columns: int) -> tuple[str, NDArray[np.uint8]]:
    """What tells a face from all others, and the greys of its patches."""
    value = seen_value(piece)
    if piece.kind == "soldier" and value is not None:
        value["facing_deg"] = None
    told = [piece.kind, piece.face, piece.owner if piece.kind == "soldier" else 0]
    if piece.kind == "sheet":
        # Each square has a patch of its own: what is drawn shows there, and nowhere else.
        each = [[*told, piece.name, k, square] for k, square in enumerate(_squares(piece, rows * columns))]
    else:
        each = [[*told, k, value] for k in range(rows * columns)]
    face = json.dumps([*told, value], sort_keys=True)
    return face, np.array([_GREYS[_number(one) % len(_GREYS)] for one in each], dtype=np.uint8)


def _squares(piece: Piece, count: int) -> Sequence[Any]:
    value: Any = piece.value or {}
    if "map" in value:
        flat = [square for row in value["map"] for square in row]
        flat[count // 2] = value.get("roof")
        return flat
    lines = list(value.values()) if isinstance(value, dict) else []
    return [lines[k % len(lines)] if lines else None for k in range(count)]


def _number(told: Sequence[Any]) -> int:
    words = json.dumps(told, sort_keys=True).encode()
    return int.from_bytes(hashlib.blake2b(words, digest_size=4).digest())
