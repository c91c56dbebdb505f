"""Readings made from the truth of the virtual table, without a picture and without a network."""

import math
import random
from collections.abc import Iterable
from typing import Any

import numpy as np

from calibration.camera import Camera
from calibration.mats import loose_markers
from calibration.table_finder import Table
from engine import rulebook
from engine.layout import Layout
from simulation.bodies import place
from simulation.setting import TableSetting
from simulation.truth import seen_value
from simulation.virtual_scene import Piece
from vision.pieces.patches import rectangle
from vision.pieces.piece_read import Read

SIZE = (1280, 960)


def table_of(setting: TableSetting, tilt_deg: float = 8.0) -> Table:
    """The table of a setting under a camera, known exactly."""
    return Table(setting.camera(SIZE, tilt_deg), loose_markers(setting.plan.size_mm), 0.0)


def layout_after(game: str, plies: int, seed: int = 3) -> Layout:
    """What the table should look like after some random plies."""
    book, moves = rulebook(game), random.Random(seed)
    state = book.start(None, moves)
    for _ in range(plies):
        if book.pending(state) is not None:
            state = book.observe(state, book.sample(state, moves))
        elif options := list(book.legal_moves(state)):
            state = book.play(state, moves.choice(options))
    return book.layout(state)


def read_of(piece: Piece, camera: Camera, sure: float = 0.999) -> Read:
    """A perfect reading of a piece."""
    top = place(piece).top_corners()
    corners = camera.to_pixels(top)
    middle = top.mean(axis=0)
    turn = math.radians(piece.angle_deg)
    ahead = camera.to_pixels(np.array([middle, middle + np.array([math.cos(turn), math.sin(turn), 0.0])]))
    dx, dy = ahead[1] - ahead[0]
    kind, face = ("domino", "edge") if piece.kind == "wall" else (piece.kind, piece.face)
    value = seen_value(piece)
    owner = piece.owner if kind == "soldier" else None
    return Read(kind, face, ((value, 1.0),), sure, corners, math.degrees(math.atan2(-dy, dx)) % 360, owner)


def reads_of(pieces: Iterable[Piece], camera: Camera) -> list[Read]:
    """Perfect readings of all pieces that a reader knows."""
    return [read_of(piece, camera) for piece in pieces if piece.kind not in ("sheet", "marker", "distractor")]


def domino(pips: tuple[int, int] = (3, 5), at: tuple[float, float] = (200.0, 150.0), **more: Any) -> Read:
    """A domino of 80×40 px that was read face up."""
    settings = {"length": 80.0, "angle": 0.0, "there": 0.999, "p": 0.999, "face": "up"} | more
    corners = rectangle(*at, settings["length"], settings["length"] / 2, -settings["angle"])
    value = {"pips": list(pips)} if settings["face"] == "up" else None
    other = {"pips": [pips[0], (pips[1] + 1) % 7]}
    ranked = ((value, settings["p"]), (other, 1 - settings["p"]))
    return Read("domino", settings["face"], ranked, settings["there"], corners, settings["angle"])


def square(
    kind: str, value: dict[str, Any] | None, at: tuple[float, float], side: float = 24.0, **more: Any
) -> Read:
    """A coin, die, pawn, soldier or tile that was read."""
    settings = {"there": 0.999, "p": 0.999, "face": "up", "angle": 0.0, "owner": None} | more
    corners = rectangle(*at, side, side, -settings["angle"])
    return Read(
        kind, settings["face"], ((value, settings["p"]),), settings["there"], corners, settings["angle"],
        settings["owner"],
    )  # fmt: skip


COIN = {"suit": "suns", "value": None}
DIE = {"set": "pips", "suit": None, "face": "5", "crosses": None}
