"""A stand-in for picamera2 with its call signatures, and with troubles that real ones have.

The environment's ``STAND_IN`` names a folder. Each camera that is opened takes the first line of its file
``plan`` away and does as it says: ``hang``, ``black``, ``freeze``, ``tear``, ``size``, ``late``, ``vanish``,
``nudge`` (the lens leaves its place once) or ``blur`` (again and again) after some pictures, ``absent`` from
the start, or ``fine``. What was called is written down in ``calls``.

Rows of its planes are padded, as a Raspberry Pi's are; lens and exposure obey two frames late, or as many as
the file ``late-frames`` says. Where there is a file ``scene.png`` it is that which the camera looks at, not
fine print. It is sharp at 2.5 dioptres, or where the file ``sharp-at`` says. What the automatics come to may
be in a file ``automatic`` (JSON).
"""

# ruff: noqa: ARG002, B006 — the signatures are those of picamera2
import json
import os
import time
from pathlib import Path

import cv2
import numpy as np

_FOLDER = Path(os.environ["STAND_IN"])
_TROUBLE_AFTER = 40
"""So many pictures are watched until then; the sweep of the lens and the first exposure take some twenty."""
_ROW_BYTES = 64
_SHARP_AT = 2.5
_DEEP = 0.25
"""A scene is sharp so far from there, too, in dioptres; beyond it is softer by so many pixels a dioptre:"""
_SOFT_PX = 3.0
_LATE_FRAMES = 2
_GRAINS = 4
"""So many times a scene is drawn, each with a noise of its own."""


def _call(name, what=None):
    with (_FOLDER / "calls").open("a", encoding="utf-8") as file:
        file.write(json.dumps([name, what]) + "\n")


def _told(name, otherwise):
    path = _FOLDER / name
    return json.loads(path.read_text(encoding="utf-8")) if path.exists() else otherwise


def _next_line():
    path = _FOLDER / "plan"
    lines = path.read_text(encoding="utf-8").split()
    path.write_text("\n".join(lines[1:]), encoding="utf-8")
    return lines[0] if lines else "fine"


class CompletedRequest:
    """One frame of all streams; it holds a buffer until it is released."""

    def __init__(self, camera):
        self._camera, self._number = camera, camera.frames

    def get_metadata(self):
        """How it was taken."""
        return dict(self._camera.metadata)

    def make_array(self, name):
        """The plane of a stream as it lies in memory."""
        return self._camera.planes(name)

    def release(self):
        """Give the buffer back."""
        self._camera.held -= 1


class Picamera2:
    """A camera over a table with fine print, which moves a little in each frame."""

    _plan = None

    @staticmethod
    def global_camera_info():
        """The cameras that are connected."""
        Picamera2._plan = _next_line()
        return [] if Picamera2._plan == "absent" else [{"Model": "imx708", "Num": 0}]

    def __init__(self, camera_num=0, verbose_console=None, tuning=None, allocator=None):
        self.frames, self.plan, self.sizes, self.fps, self.held = 0, Picamera2._plan, {}, 10.0, 0
        self.buffers, self.watching = 0, 0
        self.rng = np.random.default_rng(camera_num)
        self.camera_properties = {"Model": "imx708", "PixelArraySize": (4608, 2592)}
        self.camera_controls = {
            "AeEnable": (False, True, True), "AwbEnable": (False, True, True), "AfMode": (0, 2, 0),
            "LensPosition": (0.0, 10.0, 1.0), "ExposureTime": (30, 200_000, 20_000),
            "AnalogueGain": (1.0, 16.0, 1.0), "ColourGains": (0.0, 32.0, None),
            "FrameDurationLimits": (16_000, 1_000_000, None),
        }  # fmt: skip
        self.metadata = {
            "ExposureTime": 9000, "AnalogueGain": 1.5, "ColourGains": (1.8, 1.4), "Lux": 300,
            "LensPosition": 1.0,
        }  # fmt: skip
        self.metadata |= _told("automatic", {})
        self._due, self._nudged, self._drawn = [], False, {}
        path = _FOLDER / "scene.png"
        self._scene = cv2.imread(str(path)) if path.exists() else None

    @property
    def sensor_modes(self):
        """What the sensor can do."""
        return [{"size": (4608, 2592), "crop_limits": (0, 0, 4608, 2592)}]

    def create_video_configuration(
        self, main={}, lores=None, raw={}, transform=None, colour_space=None, buffer_count=6, controls={},
        display="main", encode="main", queue=True, sensor={}, use_case="video",
    ):  # fmt: skip
        """What to film."""
        return {"main": main, "lores": lores, "raw": raw, "controls": controls, "buffer_count": buffer_count}

    def configure(self, camera_config="preview"):
        """Film so; without memory for it the real one raises."""
        assert camera_config["main"]["format"] == camera_config["lores"]["format"] == "YUV420"
        limit = _FOLDER / "most-bytes"
        wide, high = camera_config["main"]["size"]
        if limit.exists() and wide * high > int(limit.read_text()):
            raise RuntimeError("Unable to create buffers for stream")
        self.sizes = {name: tuple(camera_config[name]["size"]) for name in ("main", "lores")}
        self.fps, self.buffers = camera_config["controls"]["FrameRate"], camera_config["buffer_count"]
        self._config = camera_config
        _call("configure", [*self.sizes.values(), self.buffers])

    def camera_configuration(self):
        """As it films."""
        return self._config

    def start(self, config=None, show_preview=False):
        """Begin."""
        _call("start")

    def set_controls(self, controls):
        """Set exposure and the like; what this camera has not is refused, and all with it."""
        unknown = set(controls) - set(self.camera_controls)
        if unknown:
            raise RuntimeError(f"Control {unknown.pop()} is not advertised by libcamera")
        _call("set_controls", controls)
        self._due.append((self.frames + _told("late-frames", _LATE_FRAMES), controls))

    def capture_request(self, wait=None, signal_function=None):
        """The next frame; waits without limit, as the real one does."""
        time.sleep(1 / self.fps)
        self.frames += 1
        self.held += 1
        assert self.held <= self.buffers, "all buffers are held: the real one would wait for ever"
        for at, controls in self._due[:]:
            if self.frames >= at:
                self.metadata |= {name: controls[name] for name in self.metadata if name in controls}
                self._due.remove((at, controls))
        return CompletedRequest(self)

    def stop(self):
        """Waits for ever where the camera hangs."""
        _call("stop")
        time.sleep(3600)

    def close(self):
        """As stop."""
        _call("close")
        time.sleep(3600)

    def planes(self, name):
        """A stream's picture in YUV420, rows padded."""
        width, height = self.sizes[name]
        row = -(-width // _ROW_BYTES) * _ROW_BYTES
        if name == "lores":
            self.watching += 1
        troubled = self.watching > _TROUBLE_AFTER
        if self._scene is not None:
            plane = self._of_scene(name).copy()
            if troubled:
                plane[:height, :width] = self._troubled(plane[:height, :width].astype(float))
                plane[height:] = 128 if self.plan in ("black", "freeze") else plane[height:]
                if self.plan == "tear":
                    for colour in np.split(plane[height:].reshape(height, row // 2), 2):
                        colour[height // 4 :] = 128
                plane[0, 0] += self.frames % 3 if self.plan == "black" else 0  # a dark picture has noise
            return plane[:, : row // 2] if troubled and self.plan == "size" else plane
        light = self.metadata["ExposureTime"] * self.metadata["AnalogueGain"] / 13_500
        grain = self.rng.integers(0, 2, (height, width)) * 90.0
        off = abs(self.metadata["LensPosition"] - _SHARP_AT)
        if off > 0.05:
            grain = cv2.GaussianBlur(grain, (0, 0), 0.3 + off)
        grey = np.clip((80 + grain) * light, 16, 235)
        if troubled:
            grey = self._troubled(grey)
        plane = np.full((height * 3 // 2, row), 128, np.uint8)
        plane[:height] = 7  # padding is not nothing
        plane[:height, :width] = grey
        plane[height:] = 128
        return plane[:, : row // 2] if troubled and self.plan == "size" else plane

    def _of_scene(self, name):
        """The scene with noise, as sharp as the lens makes it; drawing takes longer than a frame."""
        off = abs(self.metadata["LensPosition"] - _told("sharp-at", _SHARP_AT)) - _DEEP
        light = self.metadata["ExposureTime"] * self.metadata["AnalogueGain"] / 13_500
        how = (max(0.0, round(off, 2)), round(light, 3))
        key = (name, how, self.frames % _GRAINS)
        if key not in self._drawn:
            self._drawn = {old: plane for old, plane in self._drawn.items() if old[1] == how}
            self._drawn[key] = self._draw(name, *how)
        return self._drawn[key]

    def _draw(self, name, off, light):
        """Planes of colour have rows of half the length of the others."""
        width, height = self.sizes[name]
        row = -(-width // _ROW_BYTES) * _ROW_BYTES
        shown = cv2.resize(self._scene, (width, height), interpolation=cv2.INTER_AREA)
        if off > 0:
            shown = cv2.GaussianBlur(shown, (0, 0), _SOFT_PX * off * width / 1280)
        lit = shown * light ** (1 / 2.2)
        noisy = np.clip(lit + self.rng.normal(0, 1.5, shown.shape), 0, 255).astype(np.uint8)
        flat = cv2.cvtColor(noisy, cv2.COLOR_BGR2YUV_I420).reshape(-1)
        plane = np.full((height * 3 // 2, row), 128, np.uint8)
        plane[:height, :width] = flat[: height * width].reshape(height, width)
        colours = plane[height:].reshape(height, row // 2)
        colours[:, : width // 2] = flat[height * width :].reshape(height, width // 2)
        return plane

    def _troubled(self, grey):
        if self.plan == "hang":
            time.sleep(3600)
        if self.plan == "vanish":
            raise RuntimeError("Camera frontend has timed out!")
        if self.plan in ("late", "slow"):
            time.sleep(1.0 if self.plan == "late" else 5.0)
        if self.plan == "black":
            grey[:] = 16
        if self.plan == "freeze":
            grey[:] = 77
        if self.plan == "tear":
            grey[grey.shape[0] // 2 :] = 99
        if self.plan == "blur" or (self.plan == "nudge" and not self._nudged):
            self._nudged = True
            self.metadata["LensPosition"] = 9.0
        return grey
