"""Turns a piece into a body: its form, how its surface is painted, and where its top face is."""

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeAlias

import numpy as np

from simulation.canvas import Array, Texture
from simulation.makes import Colour, Stuff
from simulation.shapes import Outline, Shape
from simulation.virtual_scene import Piece

Painter: TypeAlias = Callable[[float], Texture]
"""Paints a face at a density (pixels a millimetre)."""


@dataclass(frozen=True)
class Skin:
    """The paint of a body: pictures on some of its sides, plain stuff on the rest.

    ``faces`` may hold ``+z``, ``+x``, ``-x``, ``+y`` and ``-y``; pictures on the sides stand upright as seen
    from outside. ``parts`` colours the forms of a ``Group`` one by one instead.
    """

    stuff: Stuff
    faces: dict[str, Painter] = field(default_factory=dict)
    parts: tuple[Stuff, ...] = ()
    split_mm: float = 0.0
    below: Colour | None = None
    """The colour under the height ``split_mm``, for bodies with two layers."""
    face_from: float = 0.55
    """How far up a surface must look to belong to the picture on top (the cosine)."""
    face_above_mm: float = -1.0
    """The picture on top is only on what is higher than this."""


@dataclass(frozen=True)
class Body:
    """A form with its paint; ``corners`` (4×2) are those of the top face at ``face_mm``, in truth's order."""

    shape: Shape
    skin: Skin
    corners: Array
    face_mm: float


@dataclass(frozen=True)
class PlacedBody:
    """A body where it lies. Everything the renderer draws is one of these, hands included."""

    name: str
    body: Body
    x_mm: float
    y_mm: float
    z_mm: float = 0.0
    angle_deg: float = 0.0
    tilt_deg: float = 0.0

    @property
    def matrix(self) -> Array:
        """The 3×3 turn from the body's frame to the table's."""
        a, t = math.radians(self.angle_deg), math.radians(self.tilt_deg)
        turn = np.array([[math.cos(a), -math.sin(a), 0], [math.sin(a), math.cos(a), 0], [0, 0, 1]])
        lean = np.array([[math.cos(t), 0, -math.sin(t)], [0, 1, 0], [math.sin(t), 0, math.cos(t)]])
        return np.asarray(turn @ lean)

    @property
    def origin(self) -> Array:
        """Where the body's own origin is on the table; a leaning body rests on its lower edge."""
        lift = abs(math.sin(math.radians(self.tilt_deg))) * float(np.abs(self.body.corners[:, 0]).max())
        return np.array([self.x_mm, self.y_mm, self.z_mm + lift])

    @property
    def top_mm(self) -> float:
        """The height of the highest point (a little more for a leaning body)."""
        lean = abs(math.sin(math.radians(self.tilt_deg))) * self.body.shape.reach_mm
        return float(self.origin[2]) + self.body.shape.top_mm + lean

    def on_table(self, local: Array) -> Array:
        """Points (n×3) of the body's frame in the table's."""
        return np.asarray(np.asarray(local) @ self.matrix.T + self.origin)

    def top_corners(self) -> Array:
        """The top face's corners (4×3) on the table."""
        corners = np.concatenate([self.body.corners, np.full((4, 1), self.body.face_mm)], axis=1)
        return self.on_table(corners)

    def outlines(self) -> list[Outline]:
        """The layers of its shadow on the table."""
        found: list[Outline] = []
        origin, turn = self.origin, self.matrix[:2, :2].T
        for points, low, high in self.body.shape.outlines():
            found.append((points @ turn + origin[:2], low + origin[2], high + origin[2]))
        return found


def square_corners(x_mm: float, y_mm: float) -> Array:
    """Corners of a face, clockwise from its upper left seen from above."""
    return np.array([[-x_mm, y_mm], [x_mm, y_mm], [x_mm, -y_mm], [-x_mm, -y_mm]]) / 2


def place(piece: Piece) -> PlacedBody:
    """The body of a piece where the piece lies."""
    from simulation.makers import body_of  # the makers build bodies and so need this module first

    return PlacedBody(
        piece.name, body_of(piece), piece.x_mm, piece.y_mm, piece.z_mm, piece.angle_deg, piece.tilt_deg
    )
