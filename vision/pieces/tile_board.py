"""The board that sixteen tiles make, found by its rim: where four tiles meet it looks like a tile as well.

What the readers take for tiles leaves open by how many half tiles the board is pushed; its rim, where it ends
on all four sides, does not. Where a board is found it has all its tiles, the covered ones too.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from calibration.table_finder import Table
from vision.pieces.lattice import TILE_MM
from vision.pieces.mat import TOP_MM, corners_mm
from vision.pieces.patches import Floats, Picture
from vision.pieces.piece_read import Read

_ACROSS = 4
_LEAST_TILES = 8
_NEAR_MM, _TURNED_DEG = 7.0, 12.0
_RIM_MM = (4.0, 9.0)
"""How far inside and outside the rim colours are compared: beyond the tiles' walls, within their edges."""
_A_SIDE = 14
_ENDS, _ENDS_CLEARLY = 5.0, 14.0
"""How much the colours on both sides of a rim differ (CIE Lab), on the side where they differ least."""
_MORE = 0.05
_A_TILE = 0.7
"""What a tile that lies as the board wants it is worth beside that difference."""
_MOST_TILES, _MOST_BOARDS, _PROMISING = 100, 500, 5
_NUDGES_MM, _TURNS_DEG = (-4.0, -2.0, 0.0, 2.0, 4.0), (-1.0, 0.0, 1.0)
_SAME = 0.25
_FILLED = 0.97
_STRAY = 0.6
"""What is taken for a tile beside a board is believed less: a piecepack seldom has tiles to spare."""


@dataclass(frozen=True)
class Board:
    """Sixteen tiles in a square: its middle and its turn on the table."""

    x_mm: float
    y_mm: float
    turn_deg: float

    def middles(self) -> Floats:
        """Where the middles of its tiles lie (16×2 mm)."""
        return np.asarray(_on_boards(_MIDDLES, [self])[0])

    def squares(self) -> Floats:
        """The corners of its tiles (16×4×2 mm)."""
        half = TILE_MM / 2
        corner = np.array([(-half, -half), (half, -half), (half, half), (-half, half)])
        turned = corner @ _turn(self.turn_deg).T
        return np.asarray(self.middles()[:, None] + turned[None])


def completed(picture: Picture, pieces: Sequence[Read], table: Table) -> list[Read]:
    """The readings with all tiles of the board, if there is one, and without those that lie across them."""
    tiles = _once_each([one for one in pieces if one.kind == "tile"])
    if len(tiles) < _LEAST_TILES:
        return list(pieces)
    others = [one for one in pieces if one.kind != "tile"]
    if len(tiles) > _MOST_TILES:  # a chequered cloth
        return [*others, *(replace(one, there=one.there * _STRAY) for one in tiles)]
    seen = corners_mm(tiles, table)
    board = _found(picture, seen, table)
    if board is None:
        return [*others, *tiles]
    return [*others, *_its_tiles(board, tiles, seen, table), *_strays(board, tiles, seen)]


def _once_each(tiles: Sequence[Read]) -> list[Read]:
    """Without what shows the same tile again."""
    kept: list[Read] = []
    for one in sorted(tiles, key=lambda tile: -tile.there):
        if not any(math.dist(one.middle, other.middle) < _SAME * other.length for other in kept):
            kept.append(one)
    return kept


# --- where it lies -----------------------------------------------------------------------------------


def _found(picture: Picture, seen: Floats, table: Table) -> Board | None:
    """The board that these tiles (n×4×2 mm) belong to, if there is one whose rim is seen."""
    middles = seen.mean(axis=1)
    side = seen[:, 1] - seen[:, 0]
    turns = np.degrees(np.arctan2(side[:, 1], side[:, 0]))
    whole = np.exp(4j * np.radians(turns)).sum()
    turn = math.degrees(math.atan2(whole.imag, whole.real)) / 4
    straight = np.abs((turns - turn + 45) % 90 - 45) < _TURNED_DEG
    boards = _boards(middles[straight], turn)
    if not boards:
        return None
    lab = np.asarray(cv2.blur(cv2.cvtColor(picture, cv2.COLOR_BGR2Lab), (3, 3)), dtype=np.uint8)
    for rank in (_PROMISING, 1):
        best = np.argsort(-_worth(boards, middles, lab, table))[:rank]
        boards = [near for k in best for near in _nudged(boards[k])]
    best_of_all = boards[int(_worth(boards, middles, lab, table).argmax())]
    return best_of_all if float(_ending([best_of_all], lab, table)[0]) > _ENDS else None


def _boards(middles: Floats, turn_deg: float) -> list[Board]:
    """The boards that could lie under most of these tiles, pushed by half tiles in each direction too."""
    if len(middles) < _LEAST_TILES:
        return []
    points = middles @ _turn(turn_deg)
    low, high = points.min(axis=0), points.max(axis=0)
    phases: list[Floats] = []
    for point in points:
        phase = np.mod(point, TILE_MM / 2)
        if not any(np.abs(_around(phase - other, TILE_MM / 2)).max() < _NEAR_MM / 2 for other in phases):
            phases.append(phase)
    found: list[tuple[int, Board]] = []
    reach = (_ACROSS - 1) / 2 * TILE_MM
    for phase in phases:
        steps = [
            np.arange(
                math.floor((low[axis] - reach - phase[axis]) / (TILE_MM / 2)),
                math.ceil((high[axis] + reach - phase[axis]) / (TILE_MM / 2)) + 1,
            )
            * (TILE_MM / 2) + phase[axis]
            for axis in (0, 1)
        ]  # fmt: skip
        grid = np.stack(np.meshgrid(*steps, indexing="ij"), axis=-1).reshape(-1, 2)
        under = (np.abs(points[None] - grid[:, None]).max(axis=2) < 1.75 * TILE_MM).sum(axis=1)
        middles_mm = grid @ _turn(turn_deg).T
        found += [
            (int(under[k]), Board(float(middles_mm[k, 0]), float(middles_mm[k, 1]), turn_deg))
            for k in np.flatnonzero(under >= _LEAST_TILES)
        ]
    found.sort(key=lambda one: -one[0])
    return [board for _, board in found[:_MOST_BOARDS]]


def _worth(boards: Sequence[Board], middles: Floats, lab: Picture, table: Table) -> Floats:
    """How well each board explains what is seen: by its rim, and by the tiles read in their places."""
    places = _on_boards(_MIDDLES, boards)
    away = np.sqrt(((places[:, :, None] - middles[None, None]) ** 2).sum(axis=3).min(axis=2))
    filled = np.maximum(0.0, 1 - (away / _NEAR_MM) ** 2).sum(axis=1)
    ending = _ending(boards, lab, table)
    return np.asarray(np.minimum(ending, _ENDS_CLEARLY) + _MORE * ending + _A_TILE * filled)


def _ending(boards: Sequence[Board], lab: Picture, table: Table) -> Floats:
    """How clearly each board ends at its rim, on the side where it ends least clearly."""
    points = _on_boards(_RIMS.reshape(-1, 2), boards)
    pixels = table.camera.to_pixels(points.reshape(-1, 2), np.full(points.size // 2, TOP_MM["tile"]))
    at = np.rint(pixels).astype(int).clip(0, (lab.shape[1] - 1, lab.shape[0] - 1))
    colours = lab[at[:, 1], at[:, 0]].astype(float)
    inside, outside = np.moveaxis(colours.reshape(len(boards), *_RIMS.shape[:-1], 3), 1, 0)
    return np.asarray(np.median(np.linalg.norm(inside - outside, axis=3), axis=2).min(axis=1))


def _on_boards(points: Floats, boards: Sequence[Board]) -> Floats:
    """Points of a board (n×2 mm) where they lie on each of these (m×n×2 mm)."""
    turns = np.stack([_turn(board.turn_deg) for board in boards])
    places = np.array([(board.x_mm, board.y_mm) for board in boards])
    return np.asarray(np.einsum("pq,bxq->bpx", points, turns) + places[:, None])


def _nudged(board: Board) -> list[Board]:
    """The board, moved and turned a little in every way."""
    return [
        Board(board.x_mm + dx, board.y_mm + dy, board.turn_deg + turn)
        for dx in _NUDGES_MM
        for dy in _NUDGES_MM
        for turn in _TURNS_DEG
    ]


# --- what it has -------------------------------------------------------------------------------------


def _its_tiles(board: Board, tiles: Sequence[Read], seen: Floats, table: Table) -> list[Read]:
    """The sixteen tiles: as they were read where they lie in their squares, else as the board tells."""
    middles = seen.mean(axis=1)
    heights = np.full(4, TOP_MM["tile"])
    out = []
    for middle, square in zip(board.middles(), board.squares(), strict=True):
        away = np.linalg.norm(middles - middle, axis=1)
        nearest = int(away.argmin())
        if away[nearest] < _NEAR_MM:
            out.append(replace(tiles[nearest], there=max(tiles[nearest].there, _FILLED)))
        else:
            corners = table.camera.to_pixels(square, heights)
            out.append(Read("tile", "down", ((None, 1.0),), _FILLED, corners, -board.turn_deg % 90))
    return out


def _strays(board: Board, tiles: Sequence[Read], seen: Floats) -> list[Read]:
    """What is taken for a tile where the board does not lie."""
    away = np.abs((seen.mean(axis=1) - (board.x_mm, board.y_mm)) @ _turn(board.turn_deg)).max(axis=1)
    beyond = away > (_ACROSS + 1) / 2 * TILE_MM - _NEAR_MM
    return [replace(one, there=one.there * _STRAY) for one, far in zip(tiles, beyond, strict=True) if far]


def _turn(degrees: float) -> Floats:
    c, s = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    return np.array([[c, -s], [s, c]])


def _around(values: Floats, turn: float) -> Floats:
    """Values as distances to the nearest multiple of a turn."""
    return np.asarray((values + turn / 2) % turn - turn / 2)


def _rims() -> Floats:
    """Points along the four sides of a board in its place, inside and outside (2×4×n×2 mm)."""
    half = _ACROSS * TILE_MM / 2
    along = np.linspace(-0.92, 0.92, _A_SIDE) * half
    lines = [np.column_stack([along, np.full(_A_SIDE, -half - off)]) for off in (-_RIM_MM[0], _RIM_MM[1])]
    return np.stack([[line @ _turn(quarter).T for quarter in (0.0, 90.0, 180.0, 270.0)] for line in lines])


_RIMS = _rims()
_STEPS_MM = (np.arange(_ACROSS) - (_ACROSS - 1) / 2) * TILE_MM
_MIDDLES = np.stack(np.meshgrid(_STEPS_MM, _STEPS_MM), axis=-1).reshape(-1, 2)
