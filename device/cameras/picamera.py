"""Run as a program: the Raspberry Pi's camera, exposure and white balance locked after its warm-up."""

import sys
import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from device.cameras.frames import Picture
from device.cameras.lifeline import deliver


def pictures(
    camera: Any, size: tuple[int, int], fps: float, warm_up_s: float,
    clock: Callable[[], float] = time.monotonic,
) -> Iterator[Picture]:  # fmt: skip
    """The frames of a ``Picamera2``; those of the warm-up are not given."""
    # What libcamera calls RGB888 is blue first in memory, as OpenCV wants it.
    main = {"size": size, "format": "RGB888"}
    wanted = camera.create_video_configuration(main=main, controls={"FrameRate": fps}, buffer_count=4)
    camera.configure(wanted)
    camera.start()
    warm_s = clock() + warm_up_s
    metadata: dict[str, Any] = {}
    while clock() < warm_s:
        _, metadata = camera.capture_arrays(["main"])
    camera.set_controls(locked(metadata))
    while True:
        arrays, _ = camera.capture_arrays(["main"])
        yield np.asarray(arrays[0][:, :, :3], dtype=np.uint8)


def locked(metadata: dict[str, Any]) -> dict[str, Any]:
    """The controls that hold exposure and white balance where the warm-up brought them.

    Switching the automatics off is not enough: without gains of its own the white balance jumps.
    """
    held: dict[str, Any] = {"AeEnable": False, "AwbEnable": False}
    for name in ("ExposureTime", "AnalogueGain", "ColourGains"):
        if name in metadata:
            held[name] = metadata[name]
    return held


def main() -> int:
    """Width, height, frames a second and seconds of warm-up are the arguments."""
    width, height = (int(word) for word in sys.argv[1:3])
    fps, warm_up_s = (float(word) for word in sys.argv[3:5])
    try:
        from picamera2 import Picamera2
    except ImportError as error:
        print(f"picamera2 cannot be loaded ({error}): sudo apt install python3-picamera2", file=sys.stderr)
        return 1
    if not Picamera2.global_camera_info():
        words = "no camera is connected: check the ribbon cable, then rpicam-hello --list-cameras"
        print(words, file=sys.stderr)
        return 1
    try:
        camera = Picamera2()
    except Exception as error:  # libcamera raises what it likes
        print(f"the camera cannot be opened: {error}", file=sys.stderr)
        return 1
    return deliver(pictures(camera, (width, height), fps, warm_up_s))


if __name__ == "__main__":
    sys.exit(main())
