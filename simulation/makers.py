"""Makes the body of every kind of piece."""

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import lru_cache, partial
from typing import Any

from engine.plain import Json
from simulation import faces, soldiers, things
from simulation.bodies import Body, Painter, Skin, square_corners
from simulation.makes import (
    DieLook,
    DominoLook,
    DuelLook,
    PiecepackLook,
    SheetLook,
    SoldierLook,
    Stuff,
    ThingLook,
)
from simulation.shapes import Block, Turned
from simulation.sheets import sheet_face
from simulation.virtual_scene import Piece, stream

Value = Mapping[str, Json]


def body_of(piece: Piece) -> Body:
    """The body of a piece (the same object for equal pieces)."""
    return _made(piece.kind, piece.look, piece.face, json.dumps(piece.value, sort_keys=True), piece.owner,
                 piece.wear_seed)  # fmt: skip


@lru_cache(maxsize=600)
def _made(kind: str, look: Any, face: str, value_text: str, owner: int, seed: int) -> Body:
    value: Value = json.loads(value_text) or {}
    if isinstance(look, DominoLook):
        return _domino(look, face if kind == "domino" else "edge", value, seed)
    if isinstance(look, DieLook):
        return _pip_die(look, value, seed)
    if isinstance(look, DuelLook):
        return _duel_die(look, value, seed)
    if isinstance(look, PiecepackLook):
        return _PIECEPACK[kind](look, face, value, seed)
    if isinstance(look, SoldierLook):
        return soldiers.soldier(look, str(value.get("type", "grunt")), owner)
    if isinstance(look, SheetLook):
        return _sheet(look, value_text, seed)
    if isinstance(look, ThingLook):
        return things.THINGS[look.thing](look, seed)
    raise TypeError(f"no maker for a {kind} that looks like {look!r}")


def _pips(value: Value) -> tuple[int, int]:
    pips = value.get("pips") or [0, 0]
    a, b = pips  # type: ignore[misc]  # the contract: two whole numbers
    return int(a), int(b)  # type: ignore[arg-type]


def _domino(look: DominoLook, face: str, value: Value, seed: int) -> Body:
    long, wide, thick = look.length_mm, look.width_mm, look.thickness_mm
    front: Painter = partial(faces.domino_face, look, _pips(value), seed)
    back: Painter = partial(faces.domino_back, look, seed)
    behind = look.back or look.stuff.colour
    if face == "edge":
        shape = Block(long, thick, wide, look.edge_mm, look.edge_mm)
        skin = Skin(look.stuff, {"+y": back, "-y": front})
        return Body(shape, skin, square_corners(long, thick), wide)
    shape = Block(long, wide, thick, look.corner_mm, look.edge_mm)
    if face == "up":
        skin = Skin(look.stuff, {"+z": front}, split_mm=thick / 2, below=look.back)
    else:
        under = look.stuff.colour if look.back else None
        skin = Skin(replace(look.stuff, colour=behind), {"+z": back}, split_mm=thick / 2, below=under)
    return Body(shape, skin, square_corners(long, wide), thick)


# --- piecepack ---------------------------------------------------------------------------------------


def _tile(look: PiecepackLook, _face: str, _value: Value, seed: int) -> Body:
    side, thick = look.tile_mm, look.tile_thick_mm
    skin = Skin(look.stuff, {"+z": partial(faces.tile_back, look, seed)})
    return Body(Block(side, side, thick, 1.5, 0.4), skin, square_corners(side, side), thick)


def _coin(look: PiecepackLook, face: str, value: Value, seed: int) -> Body:
    radius, thick = look.coin_mm / 2, look.coin_thick_mm
    suit, number = value.get("suit"), value.get("value")
    shown = str(suit) if face == "down" else None
    painter = partial(faces.coin_face, look, shown, int(number) if isinstance(number, int) else 0, seed)
    edge = 0.5
    profile = ((0, 0), (radius, 0), (radius, thick - edge), (radius - edge, thick), (0, thick))
    return Body(
        Turned(profile), Skin(look.stuff, {"+z": painter}), square_corners(2 * radius, 2 * radius), thick
    )


_PAWNS = {  # radius and height as shares of the base's radius and the whole height
    "ball": ((0, 0), (1, 0), (1, 0.1), (0.75, 0.2), (0.42, 0.58), (0.62, 0.68), (0.66, 0.8), (0.5, 0.93),
             (0.2, 1), (0, 1)),
    "cone": ((0, 0), (1, 0), (1, 0.06), (0.38, 0.75), (0.5, 0.8), (0.5, 0.92), (0.25, 1), (0, 1)),
    "saucer": ((0, 0), (1, 0), (1, 0.2), (0.35, 0.28), (0.3, 0.6), (0.8, 0.72), (0.75, 0.82),
               (0.3, 1), (0, 1)),
}  # fmt: skip


def _pawn(look: PiecepackLook, _face: str, value: Value, _seed: int) -> Body:
    r, h = look.pawn_mm / 2, look.pawn_tall_mm
    colour = look.suits[faces.SUIT_ORDER.index(str(value.get("suit", "suns")))]
    profile = tuple((share * r, rise * h) for share, rise in _PAWNS[look.pawn])
    return Body(Turned(profile), Skin(Stuff(colour, 0.6)), square_corners(2 * r, 2 * r), 0.8 * h)


def _piecepack_die(look: PiecepackLook, _face: str, value: Value, seed: int) -> Body:
    suit, shown = str(value.get("suit") or "suns"), str(value.get("face", "null"))
    rest = [rank for rank in faces.RANKS if rank != shown]
    stream(seed, "die sides").shuffle(rest)
    paint = [partial(faces.piecepack_die_face, look, suit, rank, seed) for rank in (shown, *rest)]
    return _cube(look.die_mm, look.die_edge_mm, 0.0, look.die_stuff, paint)


_PIECEPACK: dict[str, Callable[[PiecepackLook, str, Value, int], Body]] = {
    "tile": _tile, "coin": _coin, "pawn": _pawn, "die": _piecepack_die,
}  # fmt: skip


# --- dice --------------------------------------------------------------------------------------------


def _cube(side: float, edge: float, ball: float, stuff: Stuff, paint: list[Any]) -> Body:
    shape = Block(side, side, side, edge, edge, ball)
    skin = Skin(stuff, dict(zip(("+z", "+x", "+y", "-x", "-y"), paint, strict=False)), face_from=0.7)
    return Body(shape, skin, square_corners(side, side), side)


def _pip_die(look: DieLook, value: Value, seed: int) -> Body:
    top = int(str(value.get("face", "1")))
    ring = [k for k in (1, 2, 6, 5) if k not in (top, 7 - top)] + [3, 4]
    ring = [k for k in ring if k not in (top, 7 - top)]
    a, b = ring[0], next(k for k in ring if k not in (ring[0], 7 - ring[0]))
    if stream(seed, "die sides").random() < 0.5:
        a, b = b, 7 - a
    paint = [partial(faces.pip_face, look, k, seed) for k in (top, a, b, 7 - a, 7 - b)]
    return _cube(look.size_mm, look.edge_mm, look.round_mm, look.stuff, paint)


DUEL_DICE: tuple[tuple[tuple[str, int], ...], ...] = (
    (("joker", 0), ("dot", 0), ("dot", 0), ("stripe", 0), ("two-dots", 1), ("two-stripes", 1)),
    (("dot", 0), ("stripe", 0), ("two-dots", 1), ("two-stripes", 1), ("quarters", 0), ("black", 0)),
    (("dot", 0), ("stripe", 0), ("two-dots", 0), ("two-stripes", 0), ("quarters", 2), ("black", 2)),
    (("joker", 0), ("dot", 1), ("stripe", 0), ("stripe", 1), ("two-dots", 0), ("two-stripes", 0)),
)
"""The six faces (coat, crosses) of each die, as one edition has them."""


def _duel_die(look: DuelLook, value: Value, seed: int) -> Body:
    crosses = value.get("crosses")
    shown = (str(value.get("face", "joker")), crosses if isinstance(crosses, int) else 0)
    homes = [die for die in DUEL_DICE if shown in die] or [DUEL_DICE[0]]
    rng = stream(seed, "die sides")
    rest = list(homes[int(rng.integers(len(homes)))])
    if shown in rest:
        rest.remove(shown)
    order = [rest[int(k)] for k in rng.permutation(len(rest))]
    paint = [partial(faces.duel_face, look, coat, n, seed) for coat, n in (shown, *order)]
    return _cube(look.size_mm, look.edge_mm, look.round_mm, look.stuff, paint)


def _sheet(look: SheetLook, value_text: str, seed: int) -> Body:
    wide, high = look.width_mm, look.height_mm
    skin = Skin(Stuff(look.paper, 0.08), {"+z": partial(sheet_face, look, value_text, seed)}, face_from=-1.0)
    return Body(Block(wide, high, 0.25), skin, square_corners(wide, high), 0.25)
