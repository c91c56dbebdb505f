"""A stand-in for a USB camera: ``cv2.VideoCapture`` as V4L2 has it, with troubles that real ones have.

The environment's ``STAND_IN`` names a folder. Each camera that is opened takes the first line of its file
``plan`` away and does as it says after some pictures: ``hang``, ``vanish``, ``freeze``, ``black``, ``tear``
(pictures that end in the middle), ``rubbish`` (bytes that are no picture), ``size``, ``late``, or ``fine``.
``absent`` cannot be opened, ``unpacked`` knows no MJPEG, ``pulled`` is gone once there is a file ``gone``.
Where there is a file ``scene.png`` it is filmed. The number of each is written to the file ``opened``; a
folder ``class`` is what the system says of its cameras.

Run as a program it is ``device.cameras.webcam`` with this camera in place of OpenCV's.
"""

import os
import sys
import time
from pathlib import Path

import cv2
import numpy as np

TROUBLE_AFTER = 8
_MJPEG = cv2.VideoWriter.fourcc(*"MJPG")
_YUYV = cv2.VideoWriter.fourcc(*"YUYV")
_SIZES = {_MJPEG: ((1920, 1080), (1280, 720), (640, 480)), _YUYV: ((640, 480), (320, 240))}
_AT_BEGIN = 2
"""So many pictures are packed beforehand, and sent in turn: packing takes longer than a frame."""


class VideoCapture:
    """A camera over a table with fine print."""

    def __init__(self, index=0, _api=None):
        folder = self._folder = Path(os.environ["STAND_IN"])
        with (folder / "opened").open("a", encoding="utf-8") as opened:
            opened.write(f"{index}\n")
        lines = (folder / "plan").read_text(encoding="utf-8").split()
        (folder / "plan").write_text("\n".join(lines[1:]), encoding="utf-8")
        self.plan = lines[0] if lines else "fine"
        self.known = {cv2.CAP_PROP_FOURCC: _YUYV, cv2.CAP_PROP_CONVERT_RGB: 1, cv2.CAP_PROP_EXPOSURE: 157.0,
                      cv2.CAP_PROP_FRAME_WIDTH: 640, cv2.CAP_PROP_FRAME_HEIGHT: 480}  # fmt: skip
        self.frames = 0
        self._packed = {}
        path = folder / "scene.png"
        self._scene = cv2.imread(str(path)) if path.exists() else None
        self._rng = np.random.default_rng(3)

    def isOpened(self):
        """Whether it is there."""
        return self.plan != "absent"

    def set(self, name, value):
        """Set a property; of sizes the driver takes the nearest that it has."""
        if name == cv2.CAP_PROP_FOURCC and self.plan == "unpacked":
            return False
        self.known[name] = value
        sizes = _SIZES[int(self.known[cv2.CAP_PROP_FOURCC])]
        wide, high = (self.known[one] for one in (cv2.CAP_PROP_FRAME_WIDTH, cv2.CAP_PROP_FRAME_HEIGHT))
        if name == cv2.CAP_PROP_FRAME_HEIGHT:
            best = min(sizes, key=lambda size: abs(size[0] * size[1] - wide * high))
            self.known[cv2.CAP_PROP_FRAME_WIDTH], self.known[cv2.CAP_PROP_FRAME_HEIGHT] = best
        return True

    def get(self, name):
        """A property, or what OpenCV gives for one that the camera lacks."""
        return float(self.known.get(name, -1.0))

    def read(self):
        """The next picture: unpacked, or a row of bytes as the camera sent them."""
        time.sleep(1 / min(60.0, max(1.0, self.get(cv2.CAP_PROP_FPS))))
        self.frames += 1
        trouble = self.plan if self.frames > TROUBLE_AFTER else ""
        if trouble == "hang":
            time.sleep(3600)
        if trouble == "late":
            time.sleep(1.0)
        if trouble == "vanish" or (self.plan == "pulled" and (self._folder / "gone").exists()):
            return False, None
        size = (1280, 720) if trouble == "size" else (int(self.known[3]), int(self.known[4]))
        data = self._bytes(size, "black" if trouble == "black" else "")
        if self.get(cv2.CAP_PROP_CONVERT_RGB):
            return True, cv2.imdecode(data, cv2.IMREAD_COLOR)
        if trouble == "tear":
            data = data[: len(data) // 2]
        if trouble == "rubbish":
            data = self._rng.integers(0, 255, 4000).astype(np.uint8)
        # OpenCV's row is as long as the driver's buffer: what is behind the picture is anything.
        return True, np.concatenate([data, np.zeros(999, np.uint8)])[None]

    def _bytes(self, size, how):
        turn = 0 if self.plan == "freeze" and self.frames > TROUBLE_AFTER else self.frames % _AT_BEGIN
        if (size, how, turn) not in self._packed:
            wide, high = size
            picture = self._rng.integers(60, 200, (high // 8, wide // 8, 3)).astype(np.uint8)
            picture = cv2.resize(picture, size, interpolation=cv2.INTER_NEAREST)
            if self._scene is not None:
                picture = cv2.resize(self._scene, size, interpolation=cv2.INTER_AREA)
                picture = np.clip(picture + self._rng.normal(0, 1.5, picture.shape), 0, 255).astype(np.uint8)
            if how == "black":
                picture[:] = self._rng.integers(0, 2)
                picture[0, turn] = 9
            self._packed[size, how, turn] = cv2.imencode(".jpg", picture)[1]
        return self._packed[size, how, turn]


if __name__ == "__main__":
    cv2.VideoCapture = VideoCapture
    from device.cameras import usb_names

    told = Path(os.environ["STAND_IN"]) / "class"
    usb_names.NODES = told if told.exists() else usb_names.NODES
    from device.cameras.webcam import main

    sys.exit(main())
