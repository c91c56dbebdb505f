"""Run as a program: a USB camera through OpenCV, its automatics off once it has warmed up."""

import sys
import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from device.cameras.frames import Picture
from device.cameras.lifeline import deliver

_MANUAL = 1
"""What V4L2 calls exposure by hand."""
_MOST_FAILURES = 10


class Unplugged(OSError):
    """The camera no longer answers; the message is the sentence for the user."""


def pictures(
    capture: Any, size: tuple[int, int], fps: float, warm_up_s: float,
    clock: Callable[[], float] = time.monotonic,
) -> Iterator[Picture]:  # fmt: skip
    """The frames of a ``cv2.VideoCapture``; those of the warm-up are not given."""
    import cv2

    capture.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))
    capture.set(cv2.CAP_PROP_FRAME_WIDTH, size[0])
    capture.set(cv2.CAP_PROP_FRAME_HEIGHT, size[1])
    capture.set(cv2.CAP_PROP_FPS, fps)
    warm_s, locked, failures = clock() + warm_up_s, False, 0
    while True:
        got, picture = capture.read()
        if not got or picture is None:
            failures += 1
            if failures >= _MOST_FAILURES:
                raise Unplugged("the camera no longer answers: is it unplugged?")
            continue
        failures = 0
        if clock() < warm_s:
            continue
        if not locked:
            locked = True
            _lock(capture)
        yield np.asarray(picture, dtype=np.uint8)


def _lock(capture: Any) -> None:
    """Hold exposure and white balance where the warm-up brought them.

    Switching the automatics off is not enough: a driver then goes back to values of its own.
    """
    import cv2

    reached = {name: capture.get(name) for name in (cv2.CAP_PROP_EXPOSURE, cv2.CAP_PROP_WB_TEMPERATURE)}
    capture.set(cv2.CAP_PROP_AUTO_WB, 0)
    capture.set(cv2.CAP_PROP_AUTO_EXPOSURE, _MANUAL)
    capture.set(cv2.CAP_PROP_AUTOFOCUS, 0)
    for name, value in reached.items():
        if value > 0:  # a camera that has none says 0 or -1
            capture.set(name, value)


def main() -> int:
    """The camera's number, width, height, frames a second and seconds of warm-up are the arguments."""
    number, width, height = (int(word) for word in sys.argv[1:4])
    fps, warm_up_s = (float(word) for word in sys.argv[4:6])
    import cv2

    capture = cv2.VideoCapture(number, cv2.CAP_V4L2)
    if not capture.isOpened():
        print(f"there is no camera at /dev/video{number}", file=sys.stderr)
        return 1
    return deliver(pictures(capture, (width, height), fps, warm_up_s))


if __name__ == "__main__":
    sys.exit(main())
