"""Fields of Dominoes of War late in a game: many tiles are turned up, and men stand on most of them.

    scene = manned_field(seed)

Random games seldom come that far. These are asked for by name only: no other scene of any seed knows of them.
"""

from dataclasses import replace
from itertools import combinations_with_replacement
from typing import Final

from calibration.soldier_marks import TYPES
from engine.plain import Json
from simulation.makes import SoldierLook
from simulation.random_looks import Rng
from simulation.random_scene import game_table, random_props
from simulation.setting import TableSetting
from simulation.virtual_scene import Piece, VirtualScene, stream

OPEN: Final = 0.5
"""Share of the tiles of field and bases that lie face up."""
MANNED: Final = 0.8
"""Share of all those tiles with a man on them."""
OFF_MM: Final = 2.0
"""How far a man stands from the middle of his tile (a standard deviation in each direction)."""
_AROUND_DEG: Final = 6.0
_PIPS: Final = 13
_GAME: Final = "dominoes-of-war"


def manned_field(seed: int, size_px: tuple[int, int] = (1280, 960)) -> VirtualScene:
    """A table of the game with its tiles turned up and men put on them."""
    rng = stream(seed, "manned field")
    scene = game_table(_GAME, seed, size_px, plies=0)
    values = list(combinations_with_replacement(range(_PIPS), 2))
    rng.shuffle(values)
    look = TableSetting(_GAME, seed, random_props(stream(seed, "props"))).props.soldier
    pieces: list[Piece] = []
    for piece in scene.pieces:
        on_table = piece.kind == "domino" and piece.name.startswith("tile")
        up = on_table and bool(values) and bool(rng.random() < OPEN)
        pieces.append(replace(piece, face="up", value={"pips": [*values.pop()]}) if up else piece)
        if on_table and rng.random() < MANNED:
            pieces.append(_man(rng, look, piece))
    return replace(scene, pieces=tuple(pieces))


def _man(rng: Rng, look: SoldierLook, tile: Piece) -> Piece:
    """A man somewhere about the middle of a tile."""
    x, y = (float(rng.normal(middle, OFF_MM)) for middle in (tile.x_mm, tile.y_mm))
    angle = 90.0 * int(rng.integers(4)) + float(rng.normal(0, _AROUND_DEG))
    value: dict[str, Json] = {"army": "army", "type": TYPES[int(rng.integers(len(TYPES)))]}
    name, height = f"soldier on {tile.name}", tile.look.thickness_mm
    return Piece(name, "soldier", look, x, y, angle, height, value=value, owner=int(rng.integers(2)))
