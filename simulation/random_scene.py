"""Wide random scenes: photographs of pieces on any table, and tables of the four games under a fixed camera.

    scene = photograph(seed)                   # any kind; photograph(seed, "dominoes") for one of KINDS
    scene = game_table("dominoids", seed)      # a position from a random game, over printed markers
    shot = simulation.picture.shoot(scene)

The same seed always gives the same scene; tables, lamps, makes, places and noise have streams of their own.
"""

import math
import random
from collections.abc import Callable
from dataclasses import replace

import numpy as np

from calibration.camera import Camera, Lens, Pose
from calibration.soldier_marks import TYPES
from engine import rulebook
from engine.plain import Json
from simulation import arrange, things
from simulation.faces import RANKS, SUIT_ORDER
from simulation.makers import DUEL_DICE, body_of
from simulation.makes import DieLook, DominoLook, DuelLook, PiecepackLook, SheetLook, ThingLook
from simulation.random_light import balanced, random_light, random_sensor, random_surface
from simulation.random_looks import (
    Rng,
    any_colour,
    near,
    pick,
    random_die,
    random_domino,
    random_duel,
    random_piecepack,
    random_soldiers,
    random_thing,
)
from simulation.setting import Props, TableSetting
from simulation.virtual_scene import Lamp, Piece, VirtualScene, stream

_SMALLEST_PX = 46
_OBLIQUE_DEG, _STEEP_DEG = 35, 60
_HIGHEST_LOOK_DEG = 80
_SIZES = ((1280, 960), (1280, 960), (1280, 720), (960, 1280), (1024, 1024))


# --- photographs -------------------------------------------------------------------------------------


def photograph(seed: int, kind: str | None = None, size_px: tuple[int, int] | None = None) -> VirtualScene:
    """A photograph of pieces on some table, without markers; ``kind`` is one of ``KINDS``."""
    rng = stream(seed, "photograph")
    kind = kind or str(pick(rng, tuple(KINDS), (6, 2, 2, 1.2, 1.2, 0)))
    pieces = KINDS[kind](stream(seed, "pieces", kind))
    pieces += _clutter(stream(seed, "clutter"), pieces)
    turn = float(rng.uniform(0, 360)) if rng.random() < 0.7 else 0.0
    pieces = [_turned(piece, turn) for piece in pieces]
    size = size_px or pick(rng, _SIZES)
    steepest = _STEEP_DEG if kind == "every-die" else _OBLIQUE_DEG
    camera = aimed(stream(seed, "camera"), [p for p in pieces if p.kind != "distractor"], size, steepest)
    lamps, surroundings = random_light(stream(seed, "light"))
    if rng.random() < 0.06:
        lamps = (*lamps, _flashlight(camera))
    surface = random_surface(stream(seed, "surface"))
    if rng.random() < 0.12:
        surface = replace(surface, edges_mm=_edges(rng, pieces))
    sensor = random_sensor(stream(seed, "sensor make"))
    scene = VirtualScene(tuple(pieces), surface, lamps, camera, surroundings, sensor, seed, metric=False)
    return balanced(stream(seed, "automatic"), scene)


def _turned(piece: Piece, angle_deg: float) -> Piece:
    c, s = math.cos(math.radians(angle_deg)), math.sin(math.radians(angle_deg))
    x, y = c * piece.x_mm - s * piece.y_mm, s * piece.x_mm + c * piece.y_mm
    return replace(piece, x_mm=x, y_mm=y, angle_deg=piece.angle_deg + angle_deg)


def aimed(rng: Rng, pieces: list[Piece], size: tuple[int, int], steepest_deg: float = _OBLIQUE_DEG) -> Camera:
    """A camera held over the pieces so that they fill a part of the picture."""
    points = np.array([(p.x_mm, p.y_mm) for p in pieces])
    middle = (points.max(axis=0) + points.min(axis=0)) / 2
    reach = float(np.hypot(*(points - middle).T).max()) + 30
    view = float(rng.uniform(42, 74))
    share = float(rng.choice([0.5, 0.7, 0.9, 1.15], p=[0.25, 0.3, 0.3, 0.15]))
    lens = Lens.from_field_of_view(size, view if size[0] >= size[1] else view * 0.8)
    k1 = float(rng.normal(-0.02, 0.04))
    lens = replace(lens, distortion=(float(np.clip(k1, -0.14, 0.08)), 0.0, 0.0, 0.0, 0.0))
    largest = max(_length(piece) for piece in pieces)
    height = max(130.0, reach * lens.focal_px[0] / (share * min(size) / 2))
    height = min(height, largest * lens.focal_px[0] / _SMALLEST_PX)
    corner = math.degrees(math.atan(math.hypot(*size) / 2 / lens.focal_px[0]))
    # What the camera sees ends well below the horizon.
    tilt = min(float(rng.beta(1.1, 2.2) * steepest_deg), _HIGHEST_LOOK_DEG - corner)
    pose = Pose.above(height, tilt_deg=tilt, turn_deg=float(rng.normal(0, 6)))
    off = rng.normal(0, 0.12, 2) * reach
    return Camera(lens, moved(pose, float(middle[0] + off[0]), float(middle[1] + off[1])))


def _length(piece: Piece) -> float:
    """The length of a domino, or what its maker would have given one beside this piece."""
    return piece.look.length_mm if isinstance(piece.look, DominoLook) else 40.0


def moved(pose: Pose, x_mm: float, y_mm: float) -> Pose:
    """The pose of the same camera carried over another point of the table."""
    shift = np.asarray(pose.shift_mm) - pose.matrix @ np.array([x_mm, y_mm, 0.0])
    return Pose.from_matrix(pose.matrix, shift)


def _flashlight(camera: Camera) -> Lamp:
    x, y, z = (float(v) for v in camera.pose.eye_mm)
    return Lamp((x + 12, y + 8, z), (1.0, 0.98, 0.94), 0.5, 5.0)


def _edges(rng: Rng, pieces: list[Piece]) -> tuple[float, float, float, float]:
    points = np.array([(p.x_mm, p.y_mm) for p in pieces])
    gaps = rng.uniform(35, 260, 4)
    (x0, y0), (x1, y1) = points.min(axis=0) - gaps[:2], points.max(axis=0) + gaps[2:]
    return (float(x0), float(y0), float(x1), float(y1))


def _clutter(rng: Rng, pieces: list[Piece]) -> list[Piece]:
    """Things that happen to lie about, on the table and not on pieces."""
    if rng.random() < 0.45:
        return []
    taken = [_box(piece, 4.0) for piece in pieces]
    points = np.array([(p.x_mm, p.y_mm) for p in pieces])
    low, high = points.min(axis=0) - 90, points.max(axis=0) + 90
    found = []
    for k in range(int(rng.integers(1, 7))):
        look = _random_paper(rng) if rng.random() < 0.15 else random_thing(rng)
        wear = int(rng.integers(1 << 20))
        for _ in range(12):
            x, y = (float(v) for v in rng.uniform(low, high))
            angle = float(rng.uniform(0, 360))
            thing = Piece(f"thing {k}", "distractor", look, x, y, angle, wear_seed=wear)
            box = _box(thing, 40.0 if isinstance(look, ThingLook) and look.thing == "cup" else 6.0)
            if not any(arrange.overlapping(box, other) for other in taken):
                taken.append(box)
                found.append(thing)
                break
    return found


def _random_paper(rng: Rng) -> SheetLook:
    style = pick(rng, ("notes", "lines", "photo", "blank"))
    wide, high = (float(v) for v in rng.uniform(60, 180, 2))
    return SheetLook(wide, high, (0.78, 0.77, 0.73), (0.1, 0.1, 0.1), style)


def _box(piece: Piece, margin_mm: float) -> arrange.Box:
    """The rectangle of table that a piece takes, with a margin."""
    wide, high = np.ptp(body_of(piece).corners, axis=0) + margin_mm
    return (piece.x_mm, piece.y_mm, piece.angle_deg, float(wide), float(high))


def _numbers(rng: Rng, highest: int, count: int) -> list[tuple[int, int]]:
    """Some tiles of a set, each once, either way round."""
    tiles = [(a, b) for a in range(highest + 1) for b in range(a, highest + 1)]
    chosen = [tiles[int(k)] for k in rng.permutation(len(tiles))[:count]]
    return [t if rng.random() < 0.5 else (t[1], t[0]) for t in chosen]


def _domino_pieces(rng: Rng) -> list[Piece]:
    """Dominoes: strewn, in a hand, in a tight block, in a chain, or a few seen from close by."""
    look = random_domino(rng)
    highest = int(pick(rng, (6, 9, 12), (5, 2, 2)))
    way = pick(rng, ("close", "strewn", "hand", "block", "chain"), (2, 3, 2, 2, 3))
    size = (look.length_mm, look.width_mm)
    gap = float(rng.choice([0.0, 0.15, 0.6, 2.0, 5.0]))
    if way == "chain":
        laid = arrange.chain(rng, _numbers(rng, highest, 55), size, gap)[: int(rng.integers(3, 26))]
        slack = float(rng.choice([0.0, 0.4, 1.5]))
        return [_domino(rng, look, n, _loose(rng, place, slack)) for n, place in laid]
    if way in ("hand", "block"):
        count = int(rng.integers(2, 22))
        columns = count if way == "hand" and count < 9 else int(rng.integers(2, 8))
        places: list[arrange.Place | None] = list(
            arrange.rows(
                rng, count, size, columns=columns, gap_mm=gap, off=float(rng.choice([0.1, 0.5, 1.5]))
            )
        )
    else:
        count = int(rng.integers(1, 4)) if way == "close" else int(rng.integers(4, 24))
        places = arrange.strewn(rng, [size] * count, float(rng.uniform(1.7, 6)))
    numbers = _numbers(rng, highest, len(places))
    found = [_domino(rng, look, n, p) for n, p in zip(numbers, places, strict=True) if p is not None]
    if rng.random() < 0.12:
        found += _on_edge(rng, look, found)
    return found


def _loose(rng: Rng, place: arrange.Place, slack: float) -> arrange.Place:
    x, y, angle = place
    dx, dy, turn = (float(v) for v in rng.normal(0, slack, 3))
    return (x + 0.5 * abs(dx), y + 0.3 * dy, angle + turn)


def _domino(rng: Rng, look: DominoLook, pips: tuple[int, int], place: arrange.Place) -> Piece:
    number = int(rng.integers(1 << 30))
    face = "down" if rng.random() < 0.08 else "up"
    return Piece(
        f"domino {pips[0]}-{pips[1]} {number}",
        "domino",
        look,
        *place,
        face=face,
        value={"pips": [pips[0], pips[1]]},
        wear_seed=number % (1 << 20),
    )


def _on_edge(rng: Rng, look: DominoLook, others: list[Piece]) -> list[Piece]:
    low = min(p.y_mm for p in others) - 45
    return [
        Piece(
            f"edge {k}",
            "domino",
            look,
            float(rng.uniform(-60, 60)),
            low - 22 * k,
            float(rng.uniform(0, 360)),
            face="edge",
            value={"pips": [int(rng.integers(7)), int(rng.integers(7))]},
            wear_seed=k,
        )
        for k in range(int(rng.integers(1, 4)))
    ]


def _die_pieces(rng: Rng) -> list[Piece]:
    """Ordinary dice of one or two makes, strewn, now and then one that leans."""
    looks = [random_die(rng) for _ in range(int(rng.integers(1, 3)))]
    count = int(rng.choice([1, 2, 3, 5, 6, 9, 14, 24]))
    chosen = [pick(rng, looks) for _ in range(count)]
    places = arrange.strewn(
        rng, [(look.size_mm, look.size_mm) for look in chosen], float(rng.uniform(2, 14)), 0.3
    )
    found = _tray(rng, [place for place in places if place is not None]) if rng.random() < 0.3 else []
    floor_mm = things.FLOOR_MM if found else 0.0
    for k, (look, place) in enumerate(zip(chosen, places, strict=True)):
        if place is not None:
            shown = str(int(rng.integers(1, 7)))
            value: dict[str, Json] = {"set": "pips", "suit": None, "face": shown, "crosses": None}
            tilt = float(rng.uniform(4, 16)) if rng.random() < 0.02 else 0.0
            wear = int(rng.integers(1 << 20))
            die = Piece(f"die {k}", "die", look, *place, floor_mm, value=value, wear_seed=wear, tilt_deg=tilt)
            found.append(die)
    return found


def _tray(rng: Rng, places: list[arrange.Place]) -> list[Piece]:
    """A bowl or a tray that holds all of these places."""
    reach = max(math.hypot(x, y) for x, y, _ in places) + 16
    name = str(pick(rng, ("bowl", "tray")))
    wood = near(rng, pick(rng, ((0.5, 0.33, 0.16), (0.25, 0.13, 0.06), (0.6, 0.5, 0.36), (0.03, 0.03, 0.03))))
    look = ThingLook(name, reach / 100, wood, any_colour(rng, 0.9, (0.05, 0.6)), 0.35)
    return [
        Piece(
            "tray", "distractor", look, 0.0, 0.0, float(rng.uniform(0, 360)), wear_seed=int(rng.integers(99))
        )
    ]


def _every_die(rng: Rng) -> list[Piece]:
    """Dice of all kinds, nearly each of its own make, strewn close; some lean, touch or stand on others."""
    makes = [_one_die(rng) for _ in range(int(rng.integers(4, 25)))]
    sizes = [(side, side) for _, _, side in makes]
    gap = float(rng.choice([0.05, 0.5, 3.0]))
    places = arrange.strewn(rng, sizes, float(rng.uniform(1.6, 8)), gap)
    laid = [(make, place) for make, place in zip(makes, places, strict=True) if place is not None]
    found = _tray(rng, [place for _, place in laid]) if rng.random() < 0.3 else []
    floor_mm = things.FLOOR_MM if found else 0.0
    for k, ((look, value, side), place) in enumerate(laid):
        tilt = float(rng.uniform(6, 45)) if rng.random() < 0.07 else 0.0
        wear = int(rng.integers(1 << 20))
        name = f"{'leaning ' if tilt else ''}die {k}"
        found.append(Piece(name, "die", look, *place, floor_mm, value=value, wear_seed=wear, tilt_deg=tilt))
        if rng.random() < 0.07 and not tilt:
            upper, shown, upper_side = _one_die(rng)
            x, y = (float(v) for v in np.array(place[:2]) + rng.normal(0, 0.12 * side, 2))
            turn, height = float(rng.uniform(0, 360)), floor_mm + side
            if upper_side < 1.5 * side:
                found.append(
                    Piece(f"upper die {k}", "die", upper, x, y, turn, height, value=shown, wear_seed=wear)
                )
    return found


def _one_die(rng: Rng) -> tuple[DieLook | PiecepackLook | DuelLook, dict[str, Json], float]:
    """A die of any kind: its look, what it shows, and its side."""
    kind = str(pick(rng, ("pips", "piecepack", "kingdomino-duel"), (2, 1, 1)))
    value: dict[str, Json] = {"set": kind, "suit": None, "face": None, "crosses": None}
    if kind == "pips":
        look = random_die(rng)
        return look, {**value, "face": str(int(rng.integers(1, 7)))}, look.size_mm
    if kind == "piecepack":
        pack = random_piecepack(rng)
        suit, rank = SUIT_ORDER[int(rng.integers(4))], RANKS[int(rng.integers(6))]
        return pack, {**value, "suit": suit, "face": rank}, pack.die_mm
    duel = random_duel(rng)
    coat, crosses = pick(rng, tuple(face for die in DUEL_DICE for face in die))
    return duel, {**value, "face": coat, "crosses": crosses}, duel.size_mm


def _piecepack_pieces(rng: Rng) -> list[Piece]:
    """Coins of both sides, pawns, dice and tile backs."""
    look = random_piecepack(rng)
    kinds = [
        str(k)
        for k in rng.choice(
            ["coin", "die", "pawn", "tile"], int(rng.integers(3, 20)), p=[0.5, 0.25, 0.15, 0.1]
        )
    ]
    sizes = {"coin": look.coin_mm, "die": look.die_mm, "pawn": look.pawn_mm, "tile": look.tile_mm}
    places = arrange.strewn(rng, [(sizes[k], sizes[k]) for k in kinds], float(rng.uniform(2, 8)))
    found = []
    for k, (kind, place) in enumerate(zip(kinds, places, strict=True)):
        if place is None:
            continue
        suit = SUIT_ORDER[int(rng.integers(4))]
        values: dict[str, dict[str, Json]] = {
            "coin": {"suit": suit, "value": int(rng.integers(6))},
            "pawn": {"suit": suit},
            "tile": {},
            "die": {"set": "piecepack", "suit": suit, "face": RANKS[int(rng.integers(6))], "crosses": None},
        }
        face = "down" if kind == "tile" or (kind == "coin" and rng.random() < 0.5) else "up"
        found.append(
            Piece(
                f"{kind} {k}",
                kind,
                look,
                *place,
                face=face,
                value=values[kind] or None,
                wear_seed=int(rng.integers(1 << 20)),
            )
        )
    return found


def _duel_pieces(rng: Rng) -> list[Piece]:
    """Coat-of-arms dice, most often four, sometimes beside a filled-in map."""
    look = random_duel(rng)
    count = int(rng.choice([1, 2, 4, 4, 4, 8]))
    places = arrange.strewn(rng, [(look.size_mm, look.size_mm)] * count, float(rng.uniform(2, 12)), 0.3)
    found = []
    for k, place in enumerate(places):
        if place is None:
            continue
        coat, crosses = DUEL_DICE[k % 4][int(rng.integers(6))]
        value: dict[str, Json] = {"set": "kingdomino-duel", "suit": None, "face": coat, "crosses": crosses}
        found.append(
            Piece(f"die {k}", "die", look, *place, value=value, wear_seed=int(rng.integers(1 << 20)))
        )
    if rng.random() < 0.2:
        sheet = SheetLook(138, 100, (0.72, 0.68, 0.58), (0.3, 0.2, 0.12), "duel-map")
        found.append(
            Piece(
                "map", "sheet", sheet, 150, 0, float(rng.normal(0, 5)), wear_seed=int(rng.integers(1 << 20))
            )
        )
    return found


def _soldier_pieces(rng: Rng) -> list[Piece]:
    """Soldiers on face-down dominoes or on the bare table, with or without marks on their heads."""
    look = random_soldiers(rng, bool(rng.random() < 0.5))
    tiles = random_domino(rng)
    field = rng.random() < 0.6
    found: list[Piece] = []
    columns, lines = int(rng.integers(2, 6)), int(rng.integers(2, 5))
    for k in range(columns * lines):
        x, y = 50.0 * (k % columns - (columns - 1) / 2), 50.0 * (k // columns - (lines - 1) / 2)
        if field:
            up = rng.random() < 0.15
            pips: dict[str, Json] = {"pips": [int(rng.integers(13)), int(rng.integers(13))]}
            found.append(
                Piece(
                    f"tile {k}",
                    "domino",
                    tiles,
                    x,
                    y,
                    float(rng.normal(0, 2)),
                    face="up" if up else "down",
                    value=pips,
                    wear_seed=k,
                )
            )
        if rng.random() < 0.45:
            dx, dy, turn = (float(v) for v in rng.normal(0, 1, 3) * (1.5, 1.5, 8))
            value: dict[str, Json] = {"army": "army", "type": str(pick(rng, TYPES))}
            angle = 90.0 * int(rng.integers(4)) + turn
            height = tiles.thickness_mm if field else 0.0
            found.append(
                Piece(
                    f"soldier {k}",
                    "soldier",
                    look,
                    x + dx,
                    y + dy,
                    angle,
                    height,
                    value=value,
                    owner=int(rng.integers(2)),
                )
            )
    if not any(p.kind == "soldier" for p in found):
        found.append(
            Piece(
                "soldier",
                "soldier",
                look,
                0,
                0,
                90,
                tiles.thickness_mm if field else 0,
                value={"army": "army", "type": "grunt"},
            )
        )
    return found


KINDS: dict[str, Callable[[Rng], list[Piece]]] = {
    "dominoes": _domino_pieces,
    "dice": _die_pieces,
    "piecepack": _piecepack_pieces,
    "duel": _duel_pieces,
    "soldiers": _soldier_pieces,
    "every-die": _every_die,
}


# --- tables of the four games ------------------------------------------------------------------------


def game_table(
    game: str, seed: int, size_px: tuple[int, int] = (1280, 960), plies: int | None = None
) -> VirtualScene:
    """A position from a random game as a fixed camera over printed markers would see it."""
    rng = stream(seed, "game table", game)
    setting = TableSetting(game, seed, random_props(stream(seed, "props")))
    book, moves = rulebook(game), random.Random(seed)
    state = book.start(None, moves)
    for _ in range(int(rng.integers(0, 60)) if plies is None else plies):
        if book.pending(state) is not None:
            state = book.observe(state, book.sample(state, moves))
        elif options := list(book.legal_moves(state)):
            state = book.play(state, moves.choice(options))
        else:
            break
    pieces = setting.pieces(book.layout(state))
    camera = setting.camera(size_px, tilt_deg=float(rng.uniform(0, 22)))
    lamps, surroundings = random_light(stream(seed, "light"))
    surface = random_surface(stream(seed, "surface"))
    sensor = random_sensor(stream(seed, "sensor make"), poor=0.1)
    sensor = replace(
        sensor, motion_px=(0.0, 0.0), metering=0.0, exposure=float(np.clip(sensor.exposure, 0.6, 1.5))
    )
    scene = VirtualScene((*setting.fixed(), *pieces), surface, lamps, camera, surroundings, sensor, seed)
    return balanced(stream(seed, "automatic"), scene)


def random_props(rng: Rng) -> Props:
    """Random makes for a table."""
    paper = any_colour(rng, 0.25, (0.6, 0.8))
    sheet = SheetLook(138, 100, paper, (0.3, 0.2, 0.12), "duel-map")
    return Props(
        random_domino(rng), random_piecepack(rng), random_duel(rng), random_soldiers(rng, True), sheet
    )
