"""What is wanted of the camera: the ``[camera]`` table of the settings, also as text for its process."""

import json
import re
from dataclasses import asdict, dataclass
from typing import Literal

from device.cameras.usb_names import NAME

Lamps = Literal["50 Hz", "60 Hz", "locked"]
_MOST_PX, _LEAST_PX = 8192, 320
_LEAST_WATCH_PX = 64
_SOURCE = re.compile(rf"auto|picamera|webcam:(?:{NAME.pattern})")
LENS_NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,39}")
"""What a lens may be called; a name is never a way to another folder."""
_SHAPE_SHARE = 0.02
"""So far may two pictures' shapes lie apart that show the same: sizes are rounded to whole bytes."""


@dataclass(frozen=True)
class CameraSettings:
    """What the owner has set; all that is left out is chosen by the camera that is there."""

    source: str = "auto"
    """Which camera, where there are several: picamera or webcam:NAME; auto: the Pi's own before others."""
    size: tuple[int, int] | None = None
    """The large picture's width and height."""
    watch_size: tuple[int, int] | None = None
    """The width and height of the picture that is watched all the time."""
    fps: float = 10.0
    """Pictures a second that are watched."""
    focus: float | None = None
    """The lens position in dioptres (1 / metres); left out, it is found on the mat and kept."""
    exposure: Lamps = "50 Hz"
    """How often the mains change, as exposures last whole flashes of lamps; or locked as it begins."""
    rotate: int = 0
    """By how many degrees the picture is turned, clockwise."""
    flip: bool = False
    """Whether the picture is mirrored from left to right, as where the camera looks into a mirror."""
    lens: str = ""
    """The name of its lens: one that was calibrated and is kept, or a shipped one; empty: none is known."""

    def __post_init__(self) -> None:
        if not _SOURCE.fullmatch(self.source):
            raise ValueError(f"source should be auto, picamera or webcam:NAME, not {self.source!r}")
        for name in ("size", "watch_size"):
            _check_size(name, getattr(self, name), _LEAST_PX if name == "size" else _LEAST_WATCH_PX)
        if self.lens and not LENS_NAME.fullmatch(self.lens):
            raise ValueError(f"lens should be a name in small letters, digits and dashes, not {self.lens!r}")
        if not 1 <= self.fps <= 60:
            raise ValueError(f"fps should be between 1 and 60, not {self.fps:g}")
        if self.focus is not None and not 0 <= self.focus <= 32:
            raise ValueError(f"focus should be between 0 (far) and 32 dioptres, not {self.focus:g}")
        if self.rotate not in (0, 90, 180, 270):
            raise ValueError(f"rotate should be 0, 90, 180 or 270, not {self.rotate}")
        if self.size and self.watch_size:
            (wide, high), (watch_wide, watch_high) = self.size, self.watch_size
            if watch_wide > wide or watch_high > high:
                raise ValueError("watch_size should not be larger than size")
            if abs(wide * watch_high / (high * watch_wide) - 1) > _SHAPE_SHARE:
                raise ValueError("watch_size should have the shape of size: both show the same")

    @property
    def mains_hz(self) -> int | None:
        """How often the mains change in a second; None where the exposure is not ours to choose."""
        return None if self.exposure == "locked" else int(self.exposure.split()[0])

    def to_json(self) -> str:
        """As text for the process that films."""
        return json.dumps(asdict(self))

    @classmethod
    def from_json(cls, text: str) -> "CameraSettings":
        """The same again."""
        plain = json.loads(text)
        for name in ("size", "watch_size"):
            plain[name] = None if plain[name] is None else tuple(plain[name])
        return cls(**plain)


def _check_size(name: str, size: tuple[int, int] | None, least: int) -> None:
    if size is None:
        return
    if not all(least <= side <= _MOST_PX and side % 2 == 0 for side in size):
        raise ValueError(
            f"{name} should be a width and a height, both even and between {least} and {_MOST_PX}, "
            f"not {size[0]}×{size[1]}"
        )
