"""What is known of the lens that sees a match: as it was calibrated, or as its camera's entry says.

A camera on the ribbon cable says which sensor it has only once it films. So the lens is looked up once the
first picture has come.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from math import atan, degrees, radians, tan
from typing import Final

from calibration.camera import Lens
from calibration.camera_errors import BadProfileFile
from calibration.joint import LensKnowledge
from calibration.profiles import UNKNOWN_CAMERA, CameraProfile, camera_profile
from device.cameras.choosing import Size
from device.cameras.entries import entry_of, entry_of_usb
from device.cameras.naming import cameras, names_of, taken_for
from device.cameras.wanted import CameraSettings
from device.lenses import chosen_lens, lens_file, lens_of

UNSURE: Final = (
    "{camera} may be {other} in another socket, so no lens is used for it: put it back, or choose one on the "
    "owner's page."
)
_USB: Final = "webcam:"
_SAME_SHAPE = 0.02
"""So little do width over height of two pictures differ, as a share, that show the same."""
_SAME_LENS = 0.15
"""A calibrated lens whose field is wider or narrower than that of its sensor's entry by more than this share
is another module's, which hung there before."""


@dataclass(frozen=True)
class BoxLens(CameraProfile):
    """The lens of one of the box's cameras."""

    camera: str = ""
    """Which one, as ``--source`` takes it."""
    said: Callable[[], str] = str
    """What it has said of its sensor by now."""

    def knowledge(self, size_px: Size) -> LensKnowledge:
        """What is known of it for pictures of this size."""
        entry = _entry(self.said())
        own = _calibrated(self.camera)
        if own is not None and own.lens is not None and _fits(own.lens, entry, size_px):
            return LensKnowledge(own.lens.scaled_to(size_px))
        if entry is None and self.camera.startswith(_USB):
            entry = entry_of_usb(self.camera.removeprefix(_USB))
        return UNKNOWN_CAMERA.knowledge(size_px) if entry is None else _in_shape(entry, size_px)


def box_lens(camera: str, said: Callable[[], str]) -> BoxLens:
    """The lens of a camera."""
    return BoxLens(UNKNOWN_CAMERA.title, UNKNOWN_CAMERA.horizontal_deg, camera=camera, said=said)


def lens_of_usual(of: CameraSettings, said: Callable[[], str]) -> CameraProfile:
    """The lens of the usual camera: the one that its owner has chosen, else what is known of it.

    Raises BadProfileFile where the chosen one is gone or broken.
    """
    return chosen_lens(of.lens) if of.lens else box_lens(usual_camera(of), said)


def usual_camera(of: CameraSettings) -> str:
    """The camera that is taken where nobody chooses one; empty where there is none."""
    return next((one.name for one in cameras(of) if one.usual), "")


def doubt_about(camera: str) -> str:
    """Why a camera is read without a lens though one is kept that may be its own; nothing where none may."""
    if _calibrated(camera) is not None:
        return ""
    other = next((one for one in taken_for(camera) if _kept(one) is not None), None)
    return "" if other is None else UNSURE.format(other=other, camera=camera)


def _entry(sensor: str) -> CameraProfile | None:
    """The entry of a sensor that is sold with its lens."""
    found = entry_of(sensor)
    return found if found is not None and not found.swaps_lens and found.sizes_px else None


def _calibrated(camera: str) -> CameraProfile | None:
    """What was calibrated for it, by whichever of its names."""
    return next((found for name in names_of(camera) if (found := _kept(name)) is not None), None)


def _kept(name: str) -> CameraProfile | None:
    path = lens_file(lens_of(name))
    if path is None or not path.exists():
        return None
    try:
        return camera_profile(path)
    except (BadProfileFile, OSError):
        return None  # the sensor's own entry does


def _fits(lens: Lens, entry: CameraProfile | None, size_px: Size) -> bool:
    """Whether it is the lens of these pictures, as far as can be told."""
    (wide, high), (now_wide, now_high) = lens.size_px, size_px
    if abs(wide * now_high / (high * now_wide) - 1) > _SAME_SHAPE:
        return False
    return entry is None or abs(lens.horizontal_deg / entry.horizontal_deg - 1) <= _SAME_LENS


def _in_shape(entry: CameraProfile, size_px: Size) -> LensKnowledge:
    """What an entry says of pictures that are cut to a shape, or turned by a quarter."""
    wide, high = size_px
    full = entry.sizes_px[0][0] / entry.sizes_px[0][1]
    turned = (wide < high) is (full > 1)
    across, along = (high, wide) if turned else (wide, high)
    share = min(1.0, across / along / full)
    horizontal_deg = degrees(2 * atan(share * tan(radians(entry.horizontal_deg) / 2)))
    known = replace(entry, horizontal_deg=horizontal_deg).knowledge((across, along))
    lens = known.lens
    if turned:
        lens = replace(lens, size_px=size_px, focal_px=lens.focal_px[::-1], centre_px=lens.centre_px[::-1])
    return replace(known, lens=lens)
