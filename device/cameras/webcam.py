"""Run as a program: a USB camera through OpenCV, its automatics off once it has warmed up."""

import getpass
import os
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from device.cameras.frames import Frame, Picture
from device.cameras.lifeline import deliver
from device.cameras.upright import upright
from device.cameras.wanted import CameraSettings

SIZE_PX = (1280, 960)
"""As large as the readers need: to decode larger ones all the time would keep a small board busy."""
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


def _unopened(node: Path) -> str:
    """Why a camera cannot be opened, and what to do about it."""
    if not node.exists():
        return f"there is no camera at {node}: plug it in"
    if not os.access(node, os.R_OK | os.W_OK):
        return f"{node} may not be opened: sudo usermod -aG video {getpass.getuser()}, then log in anew"
    return f"{node} gives no pictures: it is another program's, or no camera"


def main() -> int:
    """The camera's number, what is wanted of it and seconds of warm-up are the arguments."""
    number, wanted, warm_up_s = int(sys.argv[1]), CameraSettings.from_json(sys.argv[2]), float(sys.argv[3])
    size = wanted.watch_size or wanted.size or SIZE_PX
    import cv2

    capture = cv2.VideoCapture(number, cv2.CAP_V4L2)
    if not capture.isOpened():
        print(_unopened(Path(f"/dev/video{number}")), file=sys.stderr)
        return 1
    shown = pictures(capture, size, wanted.fps, warm_up_s)
    return deliver(lambda _requests: (Frame(upright(one, wanted)) for one in shown))


if __name__ == "__main__":
    sys.exit(main())
