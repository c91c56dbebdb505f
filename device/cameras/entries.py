"""The shipped entry of the camera that is connected, found by its sensor's name or its USB model."""

from collections.abc import Iterator

from calibration.camera_errors import BadProfileFile
from calibration.profiles import CameraProfile, camera_names, camera_profile


def entry_of(sensor: str) -> CameraProfile | None:
    """The entry for a sensor as libcamera names it, or None where none is shipped.

    The version that sees infrared has the same lens.
    """
    sensor = sensor.removesuffix("_noir")
    return next((entry for entry in _entries() if sensor and entry.sensor == sensor), None)


def entry_of_usb(name: str) -> CameraProfile | None:
    """The entry for a USB camera of this name, which begins with its maker and model."""
    model = ":".join(name.partition("@")[0].split(":")[:2])
    return next((entry for entry in _entries() if model in entry.usb), None)


def _entries() -> Iterator[CameraProfile]:
    for name in camera_names():
        try:
            yield camera_profile(name)
        except BadProfileFile:
            continue
