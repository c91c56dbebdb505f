"""A stand-in for picamera2 with its call signatures, and with troubles that real ones have.

The environment's ``STAND_IN`` names a folder. Each camera that is opened takes the first line of its file
``plan`` away and does as it says: ``hang``, ``black``, ``freeze``, ``tear``, ``size`` or ``vanish`` after ten
frames, ``absent`` from the start, or ``fine``. What was called is written down in ``calls``.
"""

# ruff: noqa: ARG002, B006 — the signatures are those of picamera2
import json
import os
import time
from pathlib import Path

import numpy as np

_FOLDER = Path(os.environ["STAND_IN"])
_TROUBLE_AFTER = 10


def _call(name, what=None):
    with (_FOLDER / "calls").open("a", encoding="utf-8") as file:
        file.write(json.dumps([name, what]) + "\n")


def _next_line():
    path = _FOLDER / "plan"
    lines = path.read_text(encoding="utf-8").split()
    path.write_text("\n".join(lines[1:]), encoding="utf-8")
    return lines[0] if lines else "fine"


class Picamera2:
    """A camera over a table on which a number grows."""

    _plan = None

    @staticmethod
    def global_camera_info():
        """The cameras that are connected."""
        Picamera2._plan = _next_line()
        return [] if Picamera2._plan == "absent" else [{"Model": "imx708", "Num": 0}]

    def __init__(self, camera_num=0, verbose_console=None, tuning=None, allocator=None):
        self.frames, self.plan, self.size, self.fps = 0, Picamera2._plan, None, 10.0
        self.rng = np.random.default_rng(camera_num)

    def create_video_configuration(
        self, main={}, lores=None, raw=None, transform=None, colour_space=None, buffer_count=6, controls={},
        display="main", encode="main", queue=True, sensor={}, use_case="video",
    ):  # fmt: skip
        """What to film."""
        return {"main": main, "controls": controls, "buffer_count": buffer_count}

    def configure(self, camera_config="preview"):
        """Film so."""
        assert camera_config["main"]["format"] == "RGB888"
        self.size, self.fps = camera_config["main"]["size"], camera_config["controls"]["FrameRate"]

    def start(self, config=None, show_preview=False):
        """Begin."""
        _call("start")

    def set_controls(self, controls):
        """Set exposure and the like."""
        _call("set_controls", controls)

    def capture_arrays(self, names=["main"], wait=None, signal_function=None):
        """The next frames and their metadata; waits without limit, as the real one does."""
        time.sleep(1 / self.fps)
        self.frames += 1
        metadata = {"ExposureTime": 9000, "AnalogueGain": 1.5, "ColourGains": [1.8, 1.4], "Lux": 300}
        return [self._picture() for _ in names], metadata

    def stop(self):
        """Waits for ever where the camera hangs."""
        _call("stop")
        time.sleep(3600)

    def close(self):
        """As stop."""
        _call("close")
        time.sleep(3600)

    def _picture(self):
        width, height = self.size
        picture = self.rng.integers(60, 200, (height, width, 3)).astype(np.uint8)
        if self.frames <= _TROUBLE_AFTER:
            return picture
        if self.plan == "hang":
            time.sleep(3600)
        if self.plan == "vanish":
            raise RuntimeError("Camera frontend has timed out!")
        if self.plan == "black":
            picture[:] = 0
        if self.plan == "freeze":
            picture = np.full_like(picture, 77)
        if self.plan == "tear":
            picture[height // 2 :] = (0, 128, 0)
        if self.plan == "size":
            picture = picture[: height // 2, : width // 2]
        return picture
