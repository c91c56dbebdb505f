"""The lenses that people have calibrated: a camera's profile each, kept beside the matches."""

import re
import zlib
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from calibration import toml
from calibration.camera_errors import BadProfileFile
from calibration.profiles import UNKNOWN_CAMERA, CameraProfile, camera_names, camera_profile
from device.cameras.wanted import LENS_NAME
from device.files import write_safely
from device.folders import lenses_folder

ENDING: Final = ".toml"
MISSING: Final = (
    "The lens “{name}” is not kept here any more: choose another one on the owner's page, or none."
)
BROKEN: Final = "The lens “{name}” cannot be used: {why}. Calibrate it anew, or choose another one."
NO_NAME: Final = (
    "A lens is called by small letters, digits and dashes, 40 of them at most, a letter or digit first."
)
NO_LENS: Final = "This is no file of a lens: {error}."
TOO_LARGE: Final = "A lens is a file of {kilobytes} kB at most: choose what `pipwatch calibrate` wrote."
KEPT: Final = "A lens of the name “{name}” is kept already: choose another name, or have it replaced."
TOO_MANY: Final = "There are {number} lenses, and no more are kept: have one of them replaced."
MOST_BYTES: Final = 20_000
"""Of a lens: what `pipwatch calibrate` writes has some 500."""
_LONGEST_CAMERA: Final = 30
"""So many letters of a camera's name are left in that of its lens."""
_MOST: Final = 40
"""Lenses that are offered; nobody has as many cameras."""


def lens_file(name: str) -> Path | None:
    """Where the lens of this name is kept, or would be; None where nothing may be called so."""
    return lenses_folder() / f"{name}{ENDING}" if LENS_NAME.fullmatch(name) else None


def lens_of(camera: str) -> str:
    """What the lens that was calibrated for a camera is called: that of webcam:046d:0825 is webcam-046d-0825.

    What no lens may be called so far, as it is too long or has other letters, a sum at its end tells apart.
    """
    plain = camera.replace(":", "-")
    if LENS_NAME.fullmatch(plain):
        return plain
    small = re.sub(r"[^a-z0-9]+", "-", plain.lower())[:_LONGEST_CAMERA]
    return f"{small}-{zlib.crc32(camera.encode()):08x}"


def own_lenses() -> Sequence[str]:
    """What the lenses are called that people have calibrated."""
    own = sorted(path.stem for path in lenses_folder().glob(f"*{ENDING}") if LENS_NAME.fullmatch(path.stem))
    return own[:_MOST]


def lens_names() -> Sequence[str]:
    """What may be chosen: people's own lenses, and then the cameras that are known by their data sheet."""
    return tuple(dict.fromkeys((*own_lenses(), *camera_names())))


def add_lens(name: str, text: str, *, replaces: bool = False) -> None:
    """Keep a lens that was calibrated elsewhere, by what its file says.

    Raises BadProfileFile in a sentence, and OSError; nothing is written then.
    """
    path = lens_file(name)
    if path is None:
        raise BadProfileFile(NO_NAME)
    data = text.encode(errors="surrogatepass")
    if len(data) > MOST_BYTES:
        raise BadProfileFile(TOO_LARGE.format(kilobytes=MOST_BYTES // 1000))
    # What a browser makes of bytes that are no text, and what no text in UTF-8 can hold.
    if "\ufffd" in text or data != text.encode(errors="replace"):
        raise BadProfileFile(NO_LENS.format(error="it is not UTF-8 text"))
    try:
        toml.parse(text, CameraProfile, path.name)
    except BadProfileFile as wrong:
        raise BadProfileFile(NO_LENS.format(error=str(wrong).rstrip("."))) from wrong
    if path.exists() and not replaces:
        raise BadProfileFile(KEPT.format(name=name))
    if not path.exists() and len(own_lenses()) >= _MOST:
        raise BadProfileFile(TOO_MANY.format(number=_MOST))
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    write_safely(path, data)


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
