"""The bones of a hand: how it looks in each pose, and where its arm comes from.

A hand stands in its own frame: the wrist at the origin, x towards the fingers, y to the thumb's side, z up
from the palm to its back. ``reach`` puts it on the table so that what it does its work with (the tips that
hold, the finger that points) is where the work is.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from simulation.canvas import Array

Triple: TypeAlias = tuple[float, float, float]


@dataclass(frozen=True)
class HandPose:
    """The bends of a hand in degrees: per finger at knuckle, middle and end joint."""

    index: Triple
    middle: Triple
    ring: Triple
    little: Triple
    thumb: Triple
    """How far the thumb stands off, how far it dips, and how far its end bends inwards."""
    spread: float
    """How far the fingers are spread."""
    dip: float
    """How far the palm leans down towards the fingers."""
    work: Triple
    """How much the tips of thumb, index and middle finger count for where the work is done."""
    low: float = 0.0
    """How far the fingertips are above the work's own height."""

    def towards(self, other: "HandPose", share: float) -> "HandPose":
        """The pose part of the way to another."""
        if share <= 0 or self is other:
            return self
        if share >= 1:
            return other
        return HandPose(
            _mixed(self.index, other.index, share),
            _mixed(self.middle, other.middle, share),
            _mixed(self.ring, other.ring, share),
            _mixed(self.little, other.little, share),
            _mixed(self.thumb, other.thumb, share),
            self.spread + share * (other.spread - self.spread),
            self.dip + share * (other.dip - self.dip),
            _mixed(self.work, other.work, share),
            self.low + share * (other.low - self.low),
        )


def _mixed(a: Triple, b: Triple, share: float) -> Triple:
    return (a[0] + share * (b[0] - a[0]), a[1] + share * (b[1] - a[1]), a[2] + share * (b[2] - a[2]))


POSES: Mapping[str, HandPose] = {
    "open": HandPose(
        (16, 18, 10), (14, 16, 9), (16, 18, 10), (20, 20, 12), (26, 14, 12), 7, 6, (0.3, 0.5, 0.2)
    ),
    "ready": HandPose(
        (30, 34, 16), (28, 36, 18), (30, 40, 20), (34, 42, 22), (4, 32, 16), 4, 16, (0.5, 0.5, 0)
    ),
    "pinch": HandPose(
        (32, 40, 22), (36, 46, 26), (40, 54, 30), (42, 56, 32), (-6, 36, 24), 2, 20, (0.5, 0.5, 0)
    ),
    "point": HandPose((18, 8, 4), (66, 84, 40), (70, 86, 42), (70, 84, 42), (-4, 30, 44), 2, 16, (0, 1, 0)),
    "press": HandPose(
        (30, 16, 4), (28, 16, 4), (34, 26, 10), (40, 34, 14), (18, 20, 14), 4, 10, (0, 0.5, 0.5)
    ),
    "flat": HandPose((4, 5, 3), (3, 5, 3), (4, 6, 3), (6, 8, 4), (28, 8, 8), 9, 2, (0, 0.5, 0.5), 3.0),
    "fist": HandPose(
        (62, 86, 44), (66, 88, 46), (68, 88, 46), (68, 86, 44), (-4, 34, 48), 0, 4, (0.2, 0.4, 0.4)
    ),
    "write": HandPose(
        (24, 30, 12), (40, 46, 26), (54, 66, 34), (58, 72, 36), (-2, 30, 12), 1, 16, (0.5, 0.5, 0)
    ),
}
"""What hands do over a table."""

_FINGERS: Mapping[str, tuple[tuple[float, float], Triple, tuple[float, ...], float]] = {
    # knuckle (x, y), lengths, radii at the four joints, share of the spread
    "index": ((88, 26), (43, 26, 20), (10.2, 9.0, 8.0, 6.6), 1.0),
    "middle": ((91, 5), (47, 30, 21), (10.4, 9.2, 8.1, 6.7), 0.15),
    "ring": ((86, -15), (43, 28, 20), (9.8, 8.6, 7.6, 6.3), -0.75),
    "little": ((76, -33), (33, 20, 18), (8.8, 7.6, 6.7, 5.6), -1.7),
}
_THUMB = ((20.0, 26.0), (46.0, 33.0, 26.0), (15.0, 11.4, 10.2, 7.6))


@dataclass(frozen=True)
class BoneChain:
    """A chain of bones: points (n×3) with radii, what it is, and how it may melt into its neighbours."""

    name: str
    points: Array
    radii: Array
    melt_mm: float = 2.0


def hand_parts(pose: HandPose) -> list[BoneChain]:
    """The hand in its own frame, from the wrist on; a right hand, its thumb on the side of y."""
    parts = [_palm(), *_ridges()]
    for name in ("little", "ring", "middle", "index"):
        parts.append(_finger(name, getattr(pose, name), pose.spread))
    thumb = _thumb(pose.thumb)
    parts += [_web(thumb), thumb]
    turned = _about_y(pose.dip)
    return [BoneChain(p.name, p.points @ turned.T, p.radii, p.melt_mm) for p in parts]


def _about_y(deg: float) -> Array:
    c, s = math.cos(math.radians(deg)), math.sin(math.radians(deg))
    return np.array([[c, 0, s], [0, 1, 0], [-s, 0, c]])


def _palm() -> BoneChain:
    points = [(-4, 0, 0), (18, 2, 1), (44, 3, 2), (64, 4, 2)]
    return BoneChain("palm", np.array(points, dtype=float), np.array([24.0, 26.0, 33.0, 33.0]), 8.0)


def _ridges() -> list[BoneChain]:
    """The bones of the palm, which end in the knuckles."""
    found = []
    for name, (knuckle, _, radii, _) in _FINGERS.items():
        x, y = knuckle
        start = (12.0, 0.38 * y, 6.0)
        bone = np.array([start, (0.55 * x, 0.72 * y, 7.0), (x, y, 5.0 if name != "little" else 3.0)])
        found.append(BoneChain(f"{name} bone", bone, np.array([15.0, 14.0, radii[0] + 1.4]), 7.0))
    edge = np.array([(8.0, -20.0, -4.0), (42.0, -31.0, -4.0), (72.0, -34.0, 1.0)])
    found.append(BoneChain("edge", edge, np.array([15.0, 14.0, 10.0]), 7.0))
    return found


def _finger(name: str, bends: Triple, spread: float) -> BoneChain:
    (x, y), lengths, radii, share = _FINGERS[name]
    yaw = math.radians(share * spread)
    at = np.array([x, y, 5.0 if name != "little" else 3.0])
    points, pitch = [at], 0.0
    for length, bend in zip(lengths, bends, strict=True):
        pitch += math.radians(bend)
        way = (math.cos(pitch) * math.cos(yaw), math.cos(pitch) * math.sin(yaw), -math.sin(pitch))
        at = at + length * np.array(way)
        points.append(at)
    return BoneChain(name, np.array(points), np.array(radii), 2.5)


def _thumb(angles: Triple) -> BoneChain:
    off, dip, bend = (math.radians(a) for a in angles)
    (x, y), lengths, radii = _THUMB
    at = np.array([x, y, -4.0])
    points = [at]
    ways = [(0.6 * off + 0.38, 0.35 * dip), (off, dip), (off - bend, dip + 0.25 * bend)]
    for length, (yaw, pitch) in zip(lengths, ways, strict=True):
        at = at + length * np.array([math.cos(pitch) * math.cos(yaw), math.cos(pitch) * math.sin(yaw),
                                     -math.sin(pitch)])  # fmt: skip
        points.append(at)
    return BoneChain("thumb", np.array(points), np.array(radii), 4.0)


def _web(thumb: BoneChain) -> BoneChain:
    """The fold of skin between thumb and palm."""
    ends = np.array([(46.0, 16.0, 0.0), 0.35 * thumb.points[0] + 0.65 * thumb.points[1] + (4, -2, 0)])
    return BoneChain("web", ends, np.array([17.0, 11.0]), 7.0)


def working_point(pose: HandPose, parts: list[BoneChain]) -> Array:
    """Where in the hand's frame the work is done: under the tips that do it."""
    tips = {part.name: (part.points[-1], float(part.radii[-1])) for part in parts}
    found = np.zeros(3)
    total = sum(pose.work)
    for name, weight in zip(("thumb", "index", "middle"), pose.work, strict=True):
        point, radius = tips[name]
        found += weight / total * (point - np.array([0, 0, 0.8 * radius]))
    found[2] -= pose.low
    return found


def reach(
    pose: HandPose, at: Array, shoulder: Array, *, twist_deg: float = 0.0, left: bool = False
) -> list[BoneChain]:
    """The hand and its forearm on the table, doing its work at a point (x, y, z)."""
    parts = hand_parts(pose)
    if left:
        parts = [BoneChain(p.name, p.points * (1, -1, 1), p.radii, p.melt_mm) for p in parts]
    work = working_point(pose, parts)
    way = at[:2] - shoulder[:2]
    heading = math.atan2(way[1], way[0]) + math.radians(twist_deg)
    c, s = math.cos(heading), math.sin(heading)
    turn = np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]])
    wrist = at - turn @ work
    placed = [BoneChain(p.name, p.points @ turn.T + wrist, p.radii, p.melt_mm) for p in parts]
    return [*_forearm(wrist, heading, shoulder), *placed]


FOREARM_MM = 270.0


def _forearm(wrist: Array, heading: float, shoulder: Array) -> list[BoneChain]:
    """The forearm: it leaves the hand in the hand's own direction and bends towards the shoulder."""
    way = shoulder - wrist
    far = max(float(np.linalg.norm(way)), 1.0)
    back = -np.array([math.cos(heading), math.sin(heading), -0.12])
    elbow = wrist + FOREARM_MM * (0.25 * back + 0.75 * way / far)
    points = [wrist + 6 * -back, wrist + 22 * back, wrist + 0.45 * (elbow - wrist), elbow]
    arm = BoneChain("forearm", np.array(points), np.array([23.0, 24.0, 33.0, 40.0]), 8.0)
    upper = BoneChain("upper arm", np.array([elbow, shoulder]), np.array([43.0, 60.0]), 8.0)
    return [upper, arm]


def pencil(at: Array, shoulder: Array, *, left: bool = False) -> BoneChain:
    """A pencil in the hand: its tip where the hand works, its end in the air over the thumb's side."""
    way = shoulder[:2] - at[:2]
    way = way / max(float(np.linalg.norm(way)), 1e-6)
    side = np.array([way[1], -way[0]]) * (-1 if left else 1)
    end = at + np.array([*(78 * way + 62 * side), 88.0])
    first = at + 0.12 * (end - at)
    return BoneChain("pencil", np.array([at, first, end]), np.array([0.5, 3.4, 3.6]), 0.3)
