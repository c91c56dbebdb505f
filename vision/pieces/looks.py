"""Looks that a user taught: a few of their own pieces, each with its name, and new ones named after them.

A look is kept as the small picture that it was learned from, with the colour of the light taken off, so that
a file of looks stays good when the description below changes. A piece is described by its colours on rings
around its middle, held against a look in every turn, and by all that the reader of small pieces says to it,
right or wrong: a symbol that it never saw is taken for the same wrong things again. Names come with
probabilities that were measured on simulated makes (training.measure_looks).
"""

import base64
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from calibration import toml
from calibration.camera_errors import BadProfileFile
from calibration.soldier_marks import TYPES
from vision.pieces.networks import answers
from vision.pieces.patches import SMALL_CORNERS, SMALL_SIZE, Floats, Picture, cut
from vision.pieces.piece_read import Read
from vision.pieces.small import NUMBERS

SUITS = ("suns", "moons", "crowns", "arms")
RANKS = ("null", "ace", "2", "3", "4", "5")
NAMES: dict[str, tuple[str, ...]] = {"coin": (*SUITS, *RANKS), "pawn": SUITS, "soldier": TYPES}
"""What pieces of each kind can be called."""
_TURNS, _RINGS, _REACH_PX = 48, 10, 22.0
_DARK = 12.0
_LIGHT_POWER = 6


@dataclass(frozen=True)
class Description:
    """What is compared: colours on rings (turns×rings×3), and the network's numbers."""

    rings: Floats
    numbers: Floats


@dataclass(frozen=True)
class Worth:
    """How descriptions of a kind are compared: rings that count, weight of brightness and colour, and how
    fast belief falls with distance."""

    rings: int
    bright: float
    colour: float
    steep: float
    relative: bool = False
    """Whether colours are taken relative to the piece's body."""


_WORTH = {
    "coin": Worth(7, 1.0, 1.0, 3.0, True),
    "pawn": Worth(6, 0.4, 1.5, 5.0),
    "soldier": Worth(10, 1.0, 0.7, 0.3),
}
_RINGS_FLOOR, _NUMBERS_FLOOR = 0.01, 0.05


@dataclass(frozen=True)
class LearnedLook:
    """One learned piece: its kind, its name, and its picture (PNG, 64×64, as base64)."""

    kind: str
    name: str
    picture: str

    def __post_init__(self) -> None:
        if self.name not in NAMES.get(self.kind, ()):
            raise ValueError(sentence(self.kind, self.name))
        decoded(self.picture)

    @property
    def patch(self) -> Picture:
        """The small picture."""
        return decoded(self.picture)


@dataclass(frozen=True)
class Looks:
    """What one user's pieces look like."""

    title: str
    looks: tuple[LearnedLook, ...] = ()

    def of(self, kind: str) -> tuple[LearnedLook, ...]:
        """Those of a kind."""
        return tuple(one for one in self.looks if one.kind == kind)


def sentence(kind: str, name: str) -> str:
    """Why a name does not do."""
    if kind not in NAMES:
        return f"there is no kind {kind!r} to learn; known are {', '.join(NAMES)}"
    return f"a {kind} cannot be called {name!r}; names are {', '.join(NAMES[kind])}"


def decoded(picture: str) -> Picture:
    """The picture in a text; ValueError where there is none of the right size."""
    try:
        packed = np.frombuffer(base64.b64decode(picture, validate=True), np.uint8)
    except ValueError as error:
        raise ValueError("a look's picture is not base64") from error
    found = cv2.imdecode(packed, cv2.IMREAD_COLOR) if len(packed) else None
    if found is None or found.shape != (SMALL_SIZE[1], SMALL_SIZE[0], 3):
        raise ValueError(f"a look's picture should be a PNG of {SMALL_SIZE[0]}×{SMALL_SIZE[1]} pixels")
    return np.asarray(found, dtype=np.uint8)


def look_of(kind: str, name: str, patch: Picture) -> LearnedLook:
    """A patch as a look."""
    packed = cv2.imencode(".png", patch)[1].tobytes()
    return LearnedLook(kind, name, base64.b64encode(packed).decode("ascii"))


def load(path: Path) -> Looks:
    """The looks in a file; BadProfileFile with one sentence where it holds none."""
    found = toml.read(path, Looks)
    if not found.looks:
        raise BadProfileFile(f"{path.name} holds no looks")
    return found


# --- patches and what they are like ------------------------------------------------------------------


def light_of(picture: Picture) -> Floats:
    """The colour of the light in a picture, judged by its brightest parts; its mean is 1."""
    small = cv2.resize(picture, (64, 48), interpolation=cv2.INTER_AREA).reshape(-1, 3) / 255.0
    light = (small**_LIGHT_POWER).mean(axis=0) ** (1 / _LIGHT_POWER) + 1e-3
    return np.asarray(light / light.mean())


def cut_out(picture: Picture, corners: Floats, light: Floats | None = None) -> Picture:
    """The patch of a piece with these corners of the square around it, as if the light were white."""
    flat, _ = cut(picture, corners, SMALL_CORNERS, SMALL_SIZE)
    white = flat / (light_of(picture) if light is None else light)
    return np.asarray(np.clip(white, 0, 255), dtype=np.uint8)


def described(patches: Sequence[Picture], kind: str) -> list[Description]:
    """What patches of one kind are like."""
    if not patches:
        return []
    turned = [np.rot90(one, k) for one in patches for k in range(4)]
    said = answers("small_reader", [np.ascontiguousarray(one) for one in turned])[:, :-NUMBERS]
    numbers = said.reshape(len(patches), 4, -1).mean(axis=1)
    return [Description(_rings(one, _WORTH[kind]), row) for one, row in zip(patches, numbers, strict=True)]


def _rings(patch: Picture, worth: Worth) -> Floats:
    soft = np.log((cv2.GaussianBlur(patch, (0, 0), 1.2).astype(np.float32) + _DARK) / 255)
    middle = ((SMALL_SIZE[0] - 1) / 2, (SMALL_SIZE[1] - 1) / 2)
    rings = cv2.warpPolar(soft, (_RINGS, _TURNS), middle, _REACH_PX, cv2.INTER_LINEAR)[:, : worth.rings]
    if worth.relative:
        rings = rings - np.median(rings.reshape(-1, 3), axis=0)
    c = worth.colour
    apart = np.array([[1 / 3, c, -c / 2], [1 / 3, -c / 2, -c / 2], [1 / 3, -c / 2, c]])
    apart[:, 0] *= worth.bright
    weight = np.sqrt(np.arange(worth.rings) + 0.5)[None, :, None]
    return np.asarray((rings @ apart) * weight / np.sqrt((weight**2).sum() * _TURNS))


def apart(one: Description, other: Description, spread: Floats) -> float:
    """How unlike two pieces are, in the turn in which they are most alike (a logarithm)."""
    a, b = np.fft.rfft(one.rings, axis=0), np.fft.rfft(other.rings, axis=0)
    alike = np.fft.irfft((a * np.conj(b)).sum(axis=(1, 2)), _TURNS).max()
    off = max(0.0, float((one.rings**2).sum() + (other.rings**2).sum() - 2 * alike))
    numbers = float((((one.numbers - other.numbers) / spread) ** 2).mean())
    return math.log(off + _RINGS_FLOOR) + math.log(numbers + _NUMBERS_FLOOR)


# --- learned and named -------------------------------------------------------------------------------


@dataclass(frozen=True)
class Known:
    """The descriptions of one kind that a user taught."""

    kind: str
    names: tuple[str, ...]
    each: tuple[Description, ...]
    spread: Floats


def learned(kind: str, taught: Iterable[tuple[Picture, str]]) -> Known:
    """What patches with names teach."""
    pairs = list(taught)
    each = described([patch for patch, _ in pairs], kind)
    spread = np.std([one.numbers for one in each], axis=0) + 0.3
    return Known(kind, tuple(name for _, name in pairs), tuple(each), np.asarray(spread))


@lru_cache(maxsize=16)
def known(looks: Looks, kind: str) -> Known | None:
    """What a user's looks of a kind teach; nothing where there are fewer than two names."""
    mine = looks.of(kind)
    if len({one.name for one in mine}) < 2:
        return None
    return learned(kind, [(one.patch, one.name) for one in mine])


def named(patch: Picture, taught: Known) -> list[tuple[str, float]]:
    """What a piece may be called, the likeliest first."""
    (what,) = described([patch], taught.kind)
    near: dict[str, float] = {}
    for name, other in zip(taught.names, taught.each, strict=True):
        near[name] = min(near.get(name, math.inf), apart(what, other, taught.spread))
    steep, least = _WORTH[taught.kind].steep, min(near.values())
    share = {name: math.exp(-steep * (away - least)) for name, away in near.items()}
    total = sum(share.values())
    return sorted(((name, s / total) for name, s in share.items()), key=lambda pair: -pair[1])


def value_of(kind: str, name: str) -> dict[str, Any]:
    """A name as the value that a reading tells."""
    if kind == "soldier":
        return {"army": None, "type": name, "facing_deg": None}
    if kind == "coin" and name in RANKS:
        return {"suit": None, "value": RANKS.index(name)}
    return {"suit": name, "value": None} if kind == "coin" else {"suit": name}


# --- in readings -------------------------------------------------------------------------------------


def line_by_line(pieces: Sequence[Read]) -> list[Read]:
    """Pieces in the order in which people read: lines from above, each from the left."""
    left = sorted(pieces, key=lambda one: float(one.middle[1]))
    out: list[Read] = []
    while left:
        reach = float(left[0].middle[1]) + 0.6 * left[0].length
        line = [one for one in left if float(one.middle[1]) <= reach]
        out += sorted(line, key=lambda one: float(one.middle[0]))
        left = [one for one in left if float(one.middle[1]) > reach]
    return out


def renamed(picture: Picture, pieces: Sequence[Read], looks: Looks) -> list[Read]:
    """Readings of a picture with the kinds that were taught named after the looks."""
    light, out = light_of(picture), list(pieces)
    for k, one in enumerate(pieces):
        taught = known(looks, one.kind) if one.kind in NAMES else None
        if taught is None or not _taught_side(one, taught):
            continue
        ranked = named(cut_out(picture, one.corners, light), taught)
        facing = (one.value or {}).get("facing_deg")
        values = [(value_of(one.kind, name), p) for name, p in ranked]
        if facing is not None:
            values = [({**value, "facing_deg": facing}, p) for value, p in values]
        out[k] = replace(one, ranked=tuple(values))
    return out


def _taught_side(one: Read, taught: Known) -> bool:
    """Whether the side of a coin that lies up was taught; other kinds have one side."""
    if one.kind != "coin":
        return True
    shows_suit = (one.value or {}).get("suit") is not None
    return any((name in SUITS) == shows_suit for name in taught.names)
