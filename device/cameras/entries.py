"""The shipped entry of the camera module that is connected, found by its sensor's name."""

from typing import Any

from calibration.errors import BadProfileFile
from calibration.profiles import camera_names, camera_profile


def entry_of(sensor: str) -> Any | None:
    """The entry for a sensor as libcamera names it, or None where none is shipped.

    The version that sees infrared has the same lens.
    """
    sensor = sensor.removesuffix("_noir")
    for name in camera_names() if sensor else ():
        try:
            entry = camera_profile(name)
        except BadProfileFile:
            continue
        if getattr(entry, "sensor", None) == sensor:
            return entry
    return None
