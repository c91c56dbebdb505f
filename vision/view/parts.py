"""The parts of a frame that differ, one by one: arms and hands, moved pieces, shadows."""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from calibration import colour_planes
from vision.view.compare import Contrast, Mask
from vision.view.look import Box, Polygon
from vision.view.shrink import Light

_SPECK_PX = 8
_SHARP_PX, _SHARP_LINE = 3, 0.3
_ARM_SHARP_PX = 24
_LIMB_PX = 9
"""An arm is wider than this where it comes in: 40 mm are 13 pixels of a table that is a metre wide."""
_HAND_SHARE = 0.012
_ROUND_PX = 1.5
_GHOST = 0.5
_ALIKE = 0.75
_PATCH_PX, _TEXTURED, _UNLIKE = 15, 0.06, 0.4
"""Within a patch of this size with so much texture, what is no more alike than this is something else."""
_SMOOTH, _SOFT = 0.04, 0.2
"""A shadow's change is as even as this, and sharp in no more of it; an arm has edges all along."""
_JOIN_PX, _REACH_PX = 7, 8
_LEAST_SHARE = 0.006
"""What is told from its surroundings in another light is seen in part only: so much of it is an arm."""


@dataclass(frozen=True)
class Thing:
    """A connected part of a frame that differs from the view."""

    left: int
    upper: int
    wide: int
    high: int
    area: int
    sharp: int
    at_rim: bool
    """Whether it reaches the rim of what is watched, as an arm does."""
    mask: Mask
    """Its own pixels (255), in its bounding box."""

    @property
    def part(self) -> tuple[slice, slice]:
        """The box around it, as rows and columns."""
        return np.s_[self.upper : self.upper + self.high, self.left : self.left + self.wide]

    @property
    def is_thing(self) -> bool:
        """Whether it has edges as things have; else it is light or shadow."""
        return self.sharp >= _SHARP_PX and self.sharp >= _SHARP_LINE * 4 * float(np.sqrt(self.area))

    @property
    def is_arm(self) -> bool:
        """Whether it comes in over the rim."""
        return self.at_rim and self.sharp >= _ARM_SHARP_PX

    def is_large(self, watched: int) -> bool:
        """Whether it is larger than any piece of a game."""
        return self.area > _HAND_SHARE * watched and self.is_thing


def things(difference: Contrast, watched: Mask) -> list[Thing]:
    """All parts that differ, the largest first; ``watched`` is 255 where the table is."""
    mask = cv2.bitwise_and(cv2.morphologyEx(difference.differs, cv2.MORPH_OPEN, np.ones((2, 2))), watched)
    count, labels, stats, _ = cv2.connectedComponentsWithStats(mask)
    sharp = cv2.bitwise_and(difference.sharp, mask)
    found = []
    for k in range(1, count):
        x, y, w, h, area = (int(v) for v in stats[k])
        if area < _SPECK_PX:
            continue
        part = np.s_[y : y + h, x : x + w]
        own = np.asarray((labels[part] == k) * np.uint8(255))
        edge = int(cv2.countNonZero(cv2.bitwise_and(own, sharp[part])))
        found.append(Thing(x, y, w, h, area, edge, _at_rim((x, y, w, h), own, watched), own))
    return sorted(found, key=lambda thing: -thing.area)


def _at_rim(box: tuple[int, int, int, int], own: Mask, watched: Mask) -> bool:
    """Whether some pixels lie at the rim of the picture or of what is watched."""
    x, y, w, h = box
    rows, columns = watched.shape
    if x == 0 or y == 0 or x + w == columns or y + h == rows:
        return True
    around = watched[y - 1 : y + h + 1, x - 1 : x + w + 1]
    if cv2.countNonZero(around) == around.size:
        return False
    grown = cv2.dilate(cv2.copyMakeBorder(own, 1, 1, 1, 1, cv2.BORDER_CONSTANT, value=[0]), np.ones((3, 3)))
    return bool(((grown > 0) & (around == 0)).any())


def is_limb(thing: Thing, watched: Mask) -> bool:
    """Whether something as wide as an arm comes in over the rim, and not only a shadow of pieces."""
    outside = cv2.bitwise_not(watched)
    whole = outside.copy()
    part = thing.part
    whole[part] = cv2.bitwise_or(whole[part], thing.mask)
    # What lies outside belongs to an arm that comes from there; so does all beyond the picture.
    wide = cv2.morphologyEx(whole, cv2.MORPH_OPEN, np.ones((_LIMB_PX, _LIMB_PX), np.uint8))
    limb = np.zeros_like(whole)
    limb[part] = cv2.bitwise_and(wide[part], thing.mask)
    beside = cv2.bitwise_and(cv2.dilate(limb, np.ones((3, 3), np.uint8)), outside)
    return bool(limb[[0, -1]].any() or limb[:, [0, -1]].any() or beside.any())


def is_relit(thing: Thing, frame: Light, view: Light) -> bool:
    """Whether what lay there before is still seen there, only in another light: a thing would cover it."""
    now, then = (texture(logs[thing.part])[thing.mask > 0] for logs in (frame, view))
    alike = float(now @ then) / max(float(np.linalg.norm(now) * np.linalg.norm(then)), 1e-6)
    return alike > _ALIKE


def hiding(thing: Thing, frame: Light, view: Light, watched: Mask) -> list[Thing]:
    """What lies over the table in a stretch that is mostly only relit: the arms in it, not the whole stretch.

    Where light has changed everywhere, a whole picture differs; an arm is where what lay there is not seen.
    """
    now, then = (texture(logs[thing.part]) for logs in (frame, view))
    both, mine, other = (_around(pair) for pair in (now * then, now * now, then * then))
    unlike = (both < _UNLIKE * np.sqrt(mine * other)) & (np.maximum(mine, other) > _TEXTURED**2)
    mask = np.zeros(watched.shape, dtype=np.uint8)
    mask[thing.part] = np.where(unlike, thing.mask, 0)
    joined = cv2.morphologyEx(mask, cv2.MORPH_CLOSE, np.ones((_JOIN_PX, _JOIN_PX), np.uint8))
    wide_only = cv2.morphologyEx(joined, cv2.MORPH_OPEN, np.ones((_PATCH_PX, _PATCH_PX), np.uint8))
    reach = cv2.dilate(wide_only, np.ones((2 * _REACH_PX + 1, 2 * _REACH_PX + 1), np.uint8))
    count, labels, stats, _ = cv2.connectedComponentsWithStats(cv2.bitwise_and(reach, watched))
    least = _LEAST_SHARE * cv2.countNonZero(watched)
    found = []
    for k in range(1, count):
        left, upper, wide, high, _ = (int(v) for v in stats[k])
        box = np.s_[upper : upper + high, left : left + wide]
        own = np.asarray((labels[box] == k) * np.uint8(255))
        area = int(cv2.countNonZero(cv2.bitwise_and(own, wide_only[box])))
        if area >= least and _at_rim((left, upper, wide, high), own, watched):
            found.append(Thing(left, upper, wide, high, area, area, True, own))
    return found


def _around(values: Light) -> Light:
    return np.asarray(cv2.blur(values, (_PATCH_PX, _PATCH_PX)), dtype=np.float32)


def texture(logs: Light, around_px: int = 9) -> Light:
    """What light hardly changes: the logarithm against its surroundings."""
    grey = colour_planes.mean(logs)
    return np.asarray(grey - cv2.blur(grey, (around_px, around_px)), dtype=np.float32)


def was_shaded(thing: Thing, frame: Light, view: Light) -> bool:
    """Whether a shadow lay there in the view, of somebody who waited beside the table, and is gone.

    All there is brighter, and hardly anything has an edge that the view has not.
    """
    own, change = thing.mask > 0, np.asarray(frame[thing.part] - view[thing.part], dtype=np.float32)
    brighter = float(change[own].mean()) > 0
    smooth = float(np.abs(texture(change)[own]).mean()) < _SMOOTH
    return brighter and smooth and thing.sharp < _SOFT * thing.area


def has_left(thing: Thing, frame: Light, view: Light) -> bool:
    """Whether the thing was there in the view and is gone: then the view has its outline, not the frame."""
    own = np.zeros(frame.shape[:2], dtype=np.uint8)
    own[thing.part] = thing.mask
    rim = cv2.subtract(cv2.dilate(own, np.ones((3, 3))), cv2.erode(own, np.ones((3, 3)))) > 0
    now, then = (_steepness(logs)[rim].mean() for logs in (frame, view))
    return bool(now < _GHOST * then)


def _steepness(logs: Light) -> Light:
    grey = colour_planes.mean(logs)
    return np.asarray(cv2.magnitude(cv2.Sobel(grey, cv2.CV_32F, 1, 0), cv2.Sobel(grey, cv2.CV_32F, 0, 1)))


def outlines(
    found: Sequence[Thing], shape: tuple[int, int], scale: tuple[float, float]
) -> tuple[Polygon, ...]:
    """The outlines of things, a little widened, in pixels of the camera's picture."""
    if not found:
        return ()
    mask = np.zeros(shape, dtype=np.uint8)
    for thing in found:
        cv2.max(mask[thing.part], thing.mask, dst=mask[thing.part])
    grown = cv2.dilate(mask, np.ones((3, 3)))
    contours, _ = cv2.findContours(grown, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    shapes = [cv2.approxPolyDP(contour, _ROUND_PX, True).reshape(-1, 2) for contour in contours]
    return tuple(
        tuple((round((x + 0.5) * scale[0]), round((y + 0.5) * scale[1])) for x, y in points.tolist())
        for points in shapes
        if len(points) >= 3
    )


def boxes(found: Sequence[Thing], scale: tuple[float, float], margin: int = 1) -> tuple[Box, ...]:
    """The boxes around things in pixels of the camera's picture; those that touch become one."""
    done: list[Box] = []
    for part in found:
        left, upper = part.left - margin, part.upper - margin
        box = (left, upper, left + part.wide + 2 * margin, upper + part.high + 2 * margin)
        while (near := next((one for one in done if _touch(one, box)), None)) is not None:
            done.remove(near)
            box = (min(near[0], box[0]), min(near[1], box[1]), max(near[2], box[2]), max(near[3], box[3]))
        done.append(box)
    sx, sy = scale
    return tuple(
        (max(0, round(a * sx)), max(0, round(b * sy)), round(c * sx), round(d * sy))
        for a, b, c, d in sorted(done)
    )


def _touch(a: Box, b: Box) -> bool:
    return a[0] <= b[2] and b[0] <= a[2] and a[1] <= b[3] and b[1] <= a[3]
