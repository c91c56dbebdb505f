"""Trouble that a camera over a table meets: light, knocks, and frames that are black, frozen or missing.

Everything is decided before the first frame is drawn, from a seed of its own: ``plan`` lists what goes wrong
and when, and ``Weather`` tells how light, camera and frames are at any time.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from calibration.camera import Camera, Pose
from calibration.glance import moved_pose
from engine.plain import JsonObject
from simulation.canvas import Array
from simulation.hand_shadows import CELL_PX
from simulation.virtual_scene import Lamp, stream

KINDS: Mapping[str, str] = {
    "lamp": "a lamp goes off and on again",
    "shadow": "the shadow of somebody who walks past",
    "exposure": "the camera hunts for its exposure",
    "bump": "the camera is knocked and stays where it is then",
    "drop": "single frames are missing",
    "freeze": "the same frame comes again and again",
    "black": "frames are black",
    "unplug": "the camera delivers nothing for some seconds",
    "hurry": "players do not wait for one another",
}
"""The kinds of trouble, each in words."""

_EVERY_S = {"lamp": 14.0, "shadow": 11.0, "exposure": 13.0, "bump": 25.0, "drop": 3.0, "freeze": 17.0,
            "black": 19.0, "unplug": 30.0}  # fmt: skip
_LONG_S = {"lamp": (1.5, 5.0), "shadow": (1.5, 4.0), "exposure": (1.2, 3.0), "bump": (0.0, 0.0),
           "drop": (0.05, 0.4), "freeze": (0.5, 2.5), "black": (0.2, 1.5), "unplug": (1.5, 6.0)}  # fmt: skip


@dataclass(frozen=True)
class Trouble:
    """One thing that goes wrong, in table time. ``number`` tells it apart from others."""

    kind: str
    start: float
    end: float
    number: int
    strength: float = 1.0
    pose: Pose | None = None
    """Where the camera is after a bump."""

    def to_json(self) -> JsonObject:
        """What the truth says of it beside its frames."""
        data: JsonObject = {"kind": self.kind, "what": KINDS[self.kind]}
        if self.pose is not None:
            data["rotation"] = list(self.pose.rotation)
            data["shift_mm"] = list(self.pose.shift_mm)
        if self.kind in ("unplug", "drop"):
            data["gap_s"] = round(self.end - self.start, 3)
        return data


def plan(kinds: Sequence[str], seconds: float, camera: Camera, seed: int) -> list[Trouble]:
    """What goes wrong in a film of so many seconds; every kind that was asked for comes at least once."""
    found: list[Trouble] = []
    for kind in dict.fromkeys(kinds):
        if kind not in _EVERY_S:
            continue
        rng = stream(seed, "trouble", kind)
        times = [float(rng.uniform(0.15, 0.6)) * seconds]
        while times[-1] < seconds:
            times.append(times[-1] + float(rng.exponential(_EVERY_S[kind])) + 2 * _LONG_S[kind][1] + 0.5)
        for t in times[:-1]:
            long = float(rng.uniform(*_LONG_S[kind]))
            if t + long < seconds:
                found.append(Trouble(kind, t, t + long, len(found), float(rng.uniform(0.6, 1.0))))
    return _bumped(sorted(found, key=lambda one: (one.start, one.number)), camera, seed)


def _bumped(found: list[Trouble], camera: Camera, seed: int) -> list[Trouble]:
    """The list with the camera's pose after each bump, which starts where the one before left it."""
    rng = stream(seed, "bumps")
    pose, done = camera.pose, []
    for one in found:
        if one.kind != "bump":
            done.append(one)
            continue
        turns, steps = rng.normal(0, 0.005, 3), rng.normal(0, 3.0, 3)
        pose = moved_pose(pose, np.concatenate([turns, steps]))
        done.append(replace(one, pose=pose))
    return done


@dataclass(frozen=True)
class Weather:
    """How light, camera and frames are at any time."""

    troubles: Sequence[Trouble]
    lamps: Sequence[Lamp]
    camera: Camera
    seed: int

    def on(self, kind: str, t: float) -> Trouble | None:
        """The trouble of a kind that is going on."""
        return next((one for one in self.troubles if one.kind == kind and one.start <= t < one.end), None)

    def gains(self, t: float) -> tuple[float, ...] | None:
        """How bright the room and each lamp are, or None for as usual."""
        lamp = self.on("lamp", t)
        if lamp is None or not self.lamps:
            return None
        which = int(stream(self.seed, "which lamp", str(lamp.number)).integers(len(self.lamps)))
        left = 1 - lamp.strength * min(1.0, (t - lamp.start) / 0.12, (lamp.end - t) / 0.12)
        # Part of every lamp's light comes back from the walls.
        room = 1 - 0.35 * (1 - left) / len(self.lamps)
        return (round(room, 3), *(round(left, 3) if k == which else 1.0 for k in range(len(self.lamps))))

    def exposure(self, t: float) -> float:
        """How much brighter than usual the camera makes the picture."""
        hunt = self.on("exposure", t)
        if hunt is None:
            return 1.0
        u = (t - hunt.start) / (hunt.end - hunt.start)
        return round(1 + 0.45 * hunt.strength * math.sin(2 * math.pi * 1.5 * u) * math.sin(math.pi * u), 3)

    def veil(self, t: float) -> tuple[int, Array] | None:
        """A passing shadow: the lamp's index and its map, or None."""
        shadow = self.on("shadow", t)
        if shadow is None or not self.lamps:
            return None
        rng = stream(self.seed, "shadow", str(shadow.number))
        which = max(range(len(self.lamps)), key=lambda k: self.lamps[k].power)
        columns, rows = (-(-side // CELL_PX) for side in self.camera.lens.size_px)
        angle = float(rng.uniform(0, 2 * math.pi))
        x, y = np.meshgrid(np.linspace(-1, 1, columns), np.linspace(-0.75, 0.75, rows))
        along = x * math.cos(angle) + y * math.sin(angle)
        u = (t - shadow.start) / (shadow.end - shadow.start)
        wide, soft = float(rng.uniform(0.25, 0.6)), float(rng.uniform(0.05, 0.4))
        middle = -2.2 + 4.4 * u
        edge = np.clip((wide - np.abs(along - middle)) / soft + 0.5, 0, 1)
        return which, (1 - 0.75 * shadow.strength * edge).astype(np.float32)

    def pose(self, t: float) -> Pose:
        """Where the camera is."""
        bumps = [one for one in self.troubles if one.kind == "bump" and one.start <= t]
        pose = bumps[-1].pose if bumps else None
        return pose if pose is not None else self.camera.pose


@dataclass(frozen=True)
class Tick:
    """One frame that the camera delivers: its time on the table, and whether it is black or an old one."""

    t: float
    shows: float
    """The time of the table that it shows; earlier than ``t`` where the camera has frozen."""
    black: bool = False


def ticks(seconds: float, fps: float, weather: Weather) -> list[Tick]:
    """All frames of a film, in order."""
    found: list[Tick] = []
    for k in range(max(1, math.ceil(seconds * fps))):
        t = k / fps
        if weather.on("unplug", t) or weather.on("drop", t):
            continue
        frozen = weather.on("freeze", t)
        shows = t
        if frozen is not None:
            earlier = [tick for tick in found if tick.t < frozen.start and not tick.black]
            shows = earlier[-1].shows if earlier else t
        found.append(Tick(t, shows, weather.on("black", t) is not None))
    return found
