"""Profiles of cameras and piece sets: shipped as data, and learned or written by the user as TOML."""

import re
from dataclasses import dataclass, field
from difflib import get_close_matches
from importlib import resources
from math import inf, isfinite
from pathlib import Path
from typing import Literal, TypeVar

from calibration import toml
from calibration.camera import Lens
from calibration.camera_errors import BadProfileFile
from calibration.joint import LensKnowledge

Rgb = tuple[int, int, int]
Shape = Literal["rectangle", "disc"]
Focus = Literal["auto", "screw", "fixed"]
Shutter = Literal["rolling", "global"]
T = TypeVar("T")

_USB = re.compile("[0-9a-f]{4}:[0-9a-f]{4}")
_SAME_SHAPE = 0.02
"""So little do width over height of two full-field modes differ, as a share; what differs more is cropped."""


@dataclass(frozen=True)
class CameraProfile:
    """What is known of a camera: its field of view from the data sheet, or its calibrated lens."""

    title: str
    horizontal_deg: float
    """From the left edge of the picture to the right."""
    focal_share: float = 0.03
    """Standard deviation of the focal length, as a share of it, from one camera of this kind to the next."""
    centre_share: float = 0.01
    """Standard deviation of the optical centre as a share of the picture's width."""
    bend: tuple[float, float] = (0.0, 0.0)
    """The distortion to expect: k1 and k2."""
    bend_spread: tuple[float, float] = (0.08, 0.05)
    lens: Lens | None = None
    """The lens as calibrated; it holds for pictures of its size alone."""
    rms_px: float = 0.0
    """How well the calibrated lens explains the pictures it was made from."""
    vertical_deg: float | None = None
    """From the upper edge to the lower one, as the data sheet has it."""
    sensor: str | None = None
    """What libcamera calls the sensor; several lenses may share one."""
    usb: tuple[str, ...] = ()
    """What USB cameras of this kind say of themselves: maker and model, as usb.ids lists them."""
    sizes_px: tuple[tuple[int, int], ...] = ()
    """The modes that see the whole field, the largest first."""
    focus: Focus | None = None
    """Whether it focuses by itself, by a screw or ring, or not at all."""
    nearest_mm: float | None = None
    """What is nearer than this to the lens is never sharp."""
    shutter: Shutter | None = None
    swaps_lens: bool = False
    """Whether lenses are screwed onto this sensor, so that it says nothing of the one before it."""

    def __post_init__(self) -> None:
        if not 10 <= self.horizontal_deg <= 150:
            raise ValueError("horizontal_deg should be between 10 and 150")
        if self.vertical_deg is not None and not 5 <= self.vertical_deg <= 150:
            raise ValueError("vertical_deg should be between 5 and 150")
        if not all(map(_USB.fullmatch, self.usb)):
            raise ValueError("usb should name makers and models, each by four hexadecimal digits: 046d:082d")
        if self.nearest_mm is not None and self.nearest_mm <= 0:
            raise ValueError("nearest_mm should be larger than 0")
        self._check_sizes()
        self._check_lens()
        if self.focal_share <= 0 or self.centre_share <= 0 or min(self.bend_spread) <= 0:
            raise ValueError("focal_share, centre_share and bend_spread should be larger than 0")

    def _check_lens(self) -> None:
        lens = self.lens
        if lens is None:
            return
        if min(lens.size_px) <= 0:
            raise ValueError("lens.size_px should be larger than 0")
        if not all(0 < focal < inf for focal in lens.focal_px):
            raise ValueError("lens.focal_px should be larger than 0")
        if not all(map(isfinite, (*lens.centre_px, *lens.distortion))):
            raise ValueError("lens.centre_px and lens.distortion should be numbers")
        if not 10 <= lens.horizontal_deg <= 150:
            raise ValueError("lens should see between 10 and 150 degrees")

    def _check_sizes(self) -> None:
        sizes = self.sizes_px
        if any(min(size) <= 0 for size in sizes):
            raise ValueError("sizes_px should be larger than 0")
        if list(sizes) != sorted(set(sizes), reverse=True):
            raise ValueError("sizes_px should give each size once, the largest first")
        shapes = [width / height for width, height in sizes]
        if shapes and max(shapes) > min(shapes) * (1 + _SAME_SHAPE):
            raise ValueError(
                "sizes_px should all have one shape: a mode of another shape sees less than the whole"
            )

    def knowledge(self, size_px: tuple[int, int]) -> LensKnowledge:
        """What is known of the lens for pictures of this size."""
        if self.lens is not None:
            return LensKnowledge(self.lens)
        plain = Lens.from_field_of_view(size_px, self.horizontal_deg)
        k1, k2 = self.bend
        lens = Lens(size_px, plain.focal_px, plain.centre_px, (k1, k2, 0.0, 0.0, 0.0))
        return LensKnowledge(lens, self.focal_share, self.centre_share, self.bend_spread)


@dataclass(frozen=True)
class PieceLook:
    """How one kind of piece of a set looks from above."""

    shape: Shape
    size_mm: tuple[float, float]
    """Length and width, the length not smaller; a disc's diameter twice."""
    height_mm: float
    """From the table to the top face."""
    body_rgb: Rgb
    mark_rgb: tuple[Rgb, ...] = ()
    """The colours of pips or emblems."""
    pip_counts: tuple[int, ...] = ()
    """The values a half or a face can have."""

    def __post_init__(self) -> None:
        if min(*self.size_mm, self.height_mm) <= 0:
            raise ValueError("size_mm and height_mm should be larger than 0")
        if self.size_mm[0] < self.size_mm[1]:
            raise ValueError("size_mm should give the length first, then the width")
        for colour in (self.body_rgb, *self.mark_rgb):
            if not all(0 <= part <= 255 for part in colour):
                raise ValueError("colours should be red, green and blue from 0 to 255")


@dataclass(frozen=True)
class PieceSet:
    """The pieces of one set, by kind (domino, coin, pawn, die, tile, …)."""

    title: str
    pieces: dict[str, PieceLook] = field(default_factory=dict)


UNKNOWN_CAMERA = CameraProfile(
    title="a camera that nothing is known of", horizontal_deg=66.0, focal_share=0.1, centre_share=0.01
)
"""Where no profile fits: most webcams and phone cameras see 58 to 74 degrees."""


def camera_names() -> tuple[str, ...]:
    """The shipped camera profiles."""
    return _names("cameras")


def set_names() -> tuple[str, ...]:
    """The shipped piece sets."""
    return _names("sets")


def camera_profile(name_or_file: str | Path) -> CameraProfile:
    """A shipped camera profile by its name, or a user's own by its file."""
    return _load(name_or_file, "cameras", CameraProfile)


def piece_set(name_or_file: str | Path) -> PieceSet:
    """A shipped piece set by its name, or a user's own by its file."""
    return _load(name_or_file, "sets", PieceSet)


def _names(folder: str) -> tuple[str, ...]:
    files = (resources.files("calibration") / folder).iterdir()
    return tuple(sorted(file.name.removesuffix(".toml") for file in files if file.name.endswith(".toml")))


def _load(name_or_file: str | Path, folder: str, shape: type[T]) -> T:
    if Path(name_or_file).suffix == ".toml":
        return toml.read(Path(name_or_file), shape)
    name, known = str(name_or_file), _names(folder)
    if name not in known:
        close = get_close_matches(name, known, n=1)
        hint = f" Did you mean {close[0]!r}?" if close else ""
        raise BadProfileFile(
            f"there is no shipped profile {name!r} (a file of your own ends in .toml); "
            f"known are: {', '.join(known)}.{hint}"
        )
    source = resources.files("calibration") / folder / f"{name}.toml"
    return toml.parse(source.read_text(encoding="utf-8"), shape, f"{name}.toml")
