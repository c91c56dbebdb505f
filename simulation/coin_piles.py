"""Tables with piles of coins under a fixed camera over printed markers, to learn how high piles can be read.

    scene = pile_table(seed)          # five piles of two to six coins and as many that lie alone

These are asked for by name only: no other scene of any seed knows of them.
"""

from dataclasses import replace

from engine.plain import Json
from simulation.faces import SUIT_ORDER
from simulation.makes import PiecepackLook
from simulation.random_light import balanced, random_light, random_sensor, random_surface
from simulation.random_looks import Rng, random_piecepack
from simulation.setting import TableSetting
from simulation.virtual_scene import Piece, VirtualScene, stream

HEIGHTS = (1, 1, 1, 1, 1, 2, 3, 4, 5, 6)
"""How many coins lie on each other in each pile of a table."""
STEEPEST_DEG = 30.0
_OFF_MM = 0.4
"""How far a coin lies from the middle of its pile (a standard deviation in each direction)."""
_ROOM_MM, _MARGIN_MM = 34.0, 75.0
"""What a pile takes so that none hides another's side, and what the markers take along the rim."""


def pile_table(
    seed: int, size_px: tuple[int, int] = (1280, 960), tilt_deg: float | None = None
) -> VirtualScene:
    """Coins of one make, alone and in piles, strewn over a table of the size that Dominoids has."""
    rng = stream(seed, "pile table")
    setting = TableSetting("dominoids", seed)
    markers = tuple(piece for piece in setting.fixed() if piece.kind != "tile")
    look = random_piecepack(stream(seed, "props"))
    tilt = float(rng.uniform(0, STEEPEST_DEG)) if tilt_deg is None else tilt_deg
    lamps, surroundings = random_light(stream(seed, "light"))
    sensor = replace(random_sensor(stream(seed, "sensor make"), poor=0.1), motion_px=(0.0, 0.0), metering=0.0)
    surface = random_surface(stream(seed, "surface"))
    pieces = (*markers, *_piles(rng, look, setting.plan.size_mm))
    scene = VirtualScene(pieces, surface, lamps, setting.camera(size_px, tilt), surroundings, sensor, seed)
    return balanced(stream(seed, "automatic"), scene)


def _piles(rng: Rng, look: PiecepackLook, size_mm: tuple[float, float]) -> list[Piece]:
    """All coins of a table, each named after its pile and its place in it."""
    reach = [(side - _MARGIN_MM) / 2 for side in size_mm]
    places: list[tuple[float, float]] = []
    while len(places) < len(HEIGHTS):
        x, y = (float(rng.uniform(-far, far)) for far in reach)
        if all(max(abs(x - a), abs(y - b)) > _ROOM_MM for a, b in places):
            places.append((x, y))
    return [
        _coin(rng, look, f"pile {pile} coin {k}", place, k * look.coin_thick_mm)
        for pile, (place, count) in enumerate(zip(places, HEIGHTS, strict=True))
        for k in range(count)
    ]


def _coin(rng: Rng, look: PiecepackLook, name: str, place: tuple[float, float], z_mm: float) -> Piece:
    x, y = (float(rng.normal(middle, _OFF_MM)) for middle in place)
    value: dict[str, Json] = {"suit": SUIT_ORDER[int(rng.integers(4))], "value": int(rng.integers(6))}
    face = "down" if rng.random() < 0.5 else "up"
    turn, wear = float(rng.uniform(0, 360)), int(rng.integers(1 << 20))
    return Piece(name, "coin", look, x, y, turn, z_mm, face, value, wear)
