"""A scene of the virtual table in plain data: pieces, surface, lamps, camera, and what the sensor does.

Lengths are millimetres in the table's frame (see ``calibration.camera``), angles degrees counter-clockwise,
colours are linear red, green and blue between 0 and 1. A scene and a seed always give the same picture.
"""

import zlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

import numpy as np

from calibration.camera import Camera
from engine.plain import Json
from simulation.makes import Look

Colour: TypeAlias = tuple[float, float, float]


def stream(seed: int, *names: str) -> np.random.Generator:
    """The random numbers of one named part: other parts of the same seed never shift them."""
    return np.random.default_rng(np.random.SeedSequence([seed, *(zlib.crc32(n.encode()) for n in names)]))


@dataclass(frozen=True, slots=True)
class Piece:
    """One thing on the table.

    ``x_mm``, ``y_mm`` is the middle of its footprint and ``z_mm`` how high its underside is. ``angle_deg`` is
    0 where a domino's half ``pips[0]`` lies to the left of ``pips[1]``, a soldier faces along x, and a
    picture on top stands upright. ``value`` has the keys of ``pipwatch read --json``. ``tilt_deg`` leans the
    piece up on the side that ``angle_deg`` points to.
    """

    name: str
    kind: str
    look: Look
    x_mm: float
    y_mm: float
    angle_deg: float = 0.0
    z_mm: float = 0.0
    face: str = "up"
    value: Mapping[str, Json] | None = None
    wear_seed: int = 0
    tilt_deg: float = 0.0
    owner: int = 0
    """Which player's, where that shows (a soldier's colour)."""


@dataclass(frozen=True, slots=True)
class Lamp:
    """A source of light: a lamp near by or a window far off."""

    position_mm: tuple[float, float, float]
    colour: Colour
    power: float
    """How bright white paper in the table's middle looks under this lamp alone (1 is white)."""
    radius_mm: float
    """Half the width of what shines: small makes hard shadows."""


@dataclass(frozen=True, slots=True)
class Surroundings:
    """Light from all sides, and what glossy things mirror besides the lamps."""

    colour: Colour = (0.30, 0.30, 0.30)
    lean: tuple[float, float] = (0.0, 0.0)
    """How much more light comes from the side of x and of y, as a share over half a metre."""
    ceiling: float = 0.6
    """How bright the room overhead is when mirrored, compared with ``colour``."""


@dataclass(frozen=True, slots=True)
class Surface:
    """What the table is made of; ``material`` is one of ``simulation.surfaces.MATERIALS``."""

    material: str
    colour: Colour
    second: Colour
    scale: float = 1.0
    gloss: float = 0.1
    angle_deg: float = 0.0
    seed: int = 0
    edges_mm: tuple[float, float, float, float] | None = None
    """Where the table ends (left, near, right, far), or None where it fills the picture."""


@dataclass(frozen=True, slots=True)
class Sensor:
    """What becomes of the light between the lens and the file."""

    exposure: float = 1.0
    metering: float = 0.0
    """How far the camera chooses the exposure itself, by the brightest parts (0 not at all, 1 wholly)."""
    white_balance: Colour = (1.0, 1.0, 1.0)
    vignette: float = 0.15
    blur_px: float = 0.5
    motion_px: tuple[float, float] = (0.0, 0.0)
    shot_noise: float = 0.012
    read_noise: float = 0.004
    noise_grain_px: float = 0.5
    contrast: float = 0.15
    saturation: float = 1.0
    sharpening: float = 0.3
    fringe: float = 0.0
    """How much larger the red picture is than the blue one, in thousandths."""
    haze: float = 0.0
    jpeg_quality: int = 90


@dataclass(frozen=True, slots=True)
class VirtualScene:
    """Everything that makes one picture."""

    pieces: tuple[Piece, ...]
    surface: Surface
    lamps: tuple[Lamp, ...]
    camera: Camera
    surroundings: Surroundings = field(default_factory=Surroundings)
    sensor: Sensor = field(default_factory=Sensor)
    seed: int = 0
    metric: bool = True
    """Whether a reader of the picture could know millimetres (markers lie there)."""
