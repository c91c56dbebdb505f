"""Recorded tables: a video file, or a folder of images. Every frame comes once, in its own time."""

from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np

from device.live.ports import Away, Picture, Shot

FRAMES_A_SECOND = 10.0
"""Where the recording does not say."""
IMAGES = (".png", ".jpg", ".jpeg")


class RecordingError(OSError):
    """A recording that cannot be played; the message is the sentence for the user."""


class Recording:
    """The frames of a recording."""

    recorded = True

    def __init__(self, frames: Iterator[Picture], fps: float) -> None:
        self._frames, self._fps = frames, fps
        self._number = 0

    def next(self, _timeout_s: float) -> Shot | Away | None:
        """The next frame; None at the end."""
        picture = next(self._frames, None)
        if picture is None:
            return None
        self._number += 1
        return Shot(self._number - 1, (self._number - 1) / self._fps, picture)

    def close(self) -> None:
        """Let go of the file."""
        self._frames = iter(())


def video(path: Path) -> Recording:
    """The frames of a video file."""
    if not path.is_file():
        raise RecordingError(f"There is no video {str(path)!r}.")
    capture = cv2.VideoCapture(str(path))
    if not capture.isOpened():
        raise RecordingError(f"{path.name} is no video that this OpenCV can read.")
    fps = capture.get(cv2.CAP_PROP_FPS)
    return Recording(_frames(capture), fps if 1 <= fps <= 240 else FRAMES_A_SECOND)


def images(folder: Path) -> Recording:
    """The images of a folder, in the order of their names."""
    found = sorted(path for path in folder.glob("*") if path.suffix.lower() in IMAGES)
    if not found:
        raise RecordingError(f"There are no images (PNG or JPEG) in {str(folder)!r}.")
    return Recording((_image(path) for path in found), FRAMES_A_SECOND)


def _frames(capture: cv2.VideoCapture) -> Iterator[Picture]:
    try:
        while True:
            more, picture = capture.read()
            if not more:
                return
            yield np.asarray(picture, dtype=np.uint8)
    finally:
        capture.release()


def _image(path: Path) -> Picture:
    picture = cv2.imread(str(path), cv2.IMREAD_COLOR)
    if picture is None:
        raise RecordingError(f"{path.name} cannot be read as an image.")
    return np.asarray(picture, dtype=np.uint8)
