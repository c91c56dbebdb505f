"""The lenses that people have calibrated: a camera's profile each, kept beside the matches."""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from calibration.errors import BadProfileFile
from calibration.profiles import UNKNOWN_CAMERA, CameraProfile, camera_names, camera_profile
from device.places import lenses_folder

ENDING: Final = ".toml"
MISSING: Final = (
    "The lens “{name}” is not kept here any more: choose another one on the owner's page, or none."
)
BROKEN: Final = "The lens “{name}” cannot be used: {why}. Calibrate it anew, or choose another one."
NAME: Final = re.compile(r"[a-z0-9][a-z0-9-]{0,39}")
"""What a lens may be called; a name is never a way to another folder."""
_MOST: Final = 40
"""Lenses that are offered; nobody has as many cameras."""


def file_of_lens(name: str) -> Path | None:
    """Where a lens of this name is kept, or would be."""
    return lenses_folder() / f"{name}{ENDING}" if NAME.fullmatch(name) else None


def lens_names() -> Sequence[str]:
    """What may be chosen: people's own lenses, and then the cameras that are known by their data sheet."""
    own = sorted(path.stem for path in lenses_folder().glob(f"*{ENDING}") if NAME.fullmatch(path.stem))
    return tuple(dict.fromkeys((*own[:_MOST], *camera_names())))


def chosen_lens(name: str) -> CameraProfile:
    """The profile of the lens that is called so, of one that nothing is known of where none is chosen.

    Raises BadProfileFile in a sentence for the players.
    """
    if not name:
        return UNKNOWN_CAMERA
    path = file_of_lens(name)
    own = path is not None and path.exists()
    if not own and name not in camera_names():
        raise BadProfileFile(MISSING.format(name=name))
    try:
        return camera_profile(path if own and path is not None else name)
    except BadProfileFile as wrong:
        raise BadProfileFile(BROKEN.format(name=name, why=str(wrong).rstrip("."))) from wrong
