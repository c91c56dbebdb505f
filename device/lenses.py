"""The lenses that people have calibrated: a camera's profile each, kept beside the matches."""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from calibration.errors import BadProfileFile
from calibration.profiles import UNKNOWN_CAMERA, CameraProfile, camera_names, camera_profile
from device.cameras.wanted import LENS_NAME
from device.places import lenses_folder

ENDING: Final = ".toml"
MISSING: Final = (
    "The lens “{name}” is not kept here any more: choose another one on the owner's page, or none."
)
BROKEN: Final = "The lens “{name}” cannot be used: {why}. Calibrate it anew, or choose another one."
_MOST: Final = 40
"""Lenses that are offered; nobody has as many cameras."""


def lens_file(name: str) -> Path | None:
    """Where the lens of this name is kept, or would be; None where nothing may be called so."""
    return lenses_folder() / f"{name}{ENDING}" if LENS_NAME.fullmatch(name) else None


def lens_of(camera: str) -> str:
    """What the lens that was calibrated for a camera is called: that of webcam:2 is webcam-2."""
    return camera.replace(":", "-")


def lens_names() -> Sequence[str]:
    """What may be chosen: people's own lenses, and then the cameras that are known by their data sheet."""
    own = sorted(path.stem for path in lenses_folder().glob(f"*{ENDING}") if LENS_NAME.fullmatch(path.stem))
    return tuple(dict.fromkeys((*own[:_MOST], *camera_names())))


def chosen_lens(name: str) -> CameraProfile:
    """The profile of the lens that is called so, of one that nothing is known of where none is chosen.

    Raises BadProfileFile in a sentence for the players.
    """
    if not name:
        return UNKNOWN_CAMERA
    path = lens_file(name)
    own = path is not None and path.exists()
    if not own and name not in camera_names():
        raise BadProfileFile(MISSING.format(name=name))
    try:
        return camera_profile(path if own and path is not None else name)
    except BadProfileFile as wrong:
        raise BadProfileFile(BROKEN.format(name=name, why=str(wrong).rstrip("."))) from wrong


def unlike(camera: CameraProfile, size: tuple[int, int]) -> str:
    """What is wrong where a lens was calibrated for pictures of another size than this, or nothing."""
    lens = camera.lens
    if lens is None or tuple(lens.size_px) == size:
        return ""
    (wide, high), (now_wide, now_high) = lens.size_px, size
    return (
        f"The camera's profile is for pictures of {wide}×{high}, and these are {now_wide}×{now_high}: "
        "calibrate the lens with pictures of this size, or choose none."
    )
