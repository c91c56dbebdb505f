"""A phone held over filled sheets: table, light, fold, curl, lens, compression, and where each square went.

The paper is bent inside its own plane: what a fold or a curl does to a picture taken from above is to pull
parts of the sheet together, and to shade them.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from simulation.filled_sheet import FilledSheet

Picture = NDArray[np.uint8]
Floats = NDArray[Any]
Field = NDArray[Any]


@dataclass(frozen=True, slots=True)
class PhotoConditions:
    """How a photo is taken. The defaults are a good photo from above."""

    square_px: float = 60.0
    """Pixels from one square to the next, about."""
    turn_deg: float = 0.0
    tilt: float = 0.0
    """How much smaller the far side is than the near one, as a part."""
    tilt_way: float = 0.0
    curl: float = 0.0
    """How far the paper's middle is pulled aside, in squares."""
    fold: float = 0.0
    shade: float = 0.0
    """How much darker it is where the phone's shadow lies."""
    slope: float = 0.0
    """How much the light falls off from one side to the other."""
    light: float = 1.0
    warm: float = 0.0
    crease: float = 0.0
    coffee: float = 0.0
    blur_px: float = 0.5
    motion_px: float = 0.0
    noise: float = 0.01
    quality: int = 90
    ground: str = "wood"


@dataclass(frozen=True)
class SheetPhoto:
    """A photo as the phone writes it, and for each sheet the corners of its squares (6×8×2 px)."""

    jpeg: bytes
    corners: tuple[Floats, ...]

    @property
    def image(self) -> Picture:
        """The photo decoded, blue, green and red."""
        return np.asarray(cv2.imdecode(np.frombuffer(self.jpeg, np.uint8), cv2.IMREAD_COLOR), dtype=np.uint8)


def random_conditions(rng: np.random.Generator, *, unseen: bool = False) -> PhotoConditions:
    """A photo as people take them; ``unseen`` ones come from tables and cameras no reader learned from."""

    def some(chance: float, low: float, high: float) -> float:
        return float(rng.uniform(low, high)) if rng.random() < chance else 0.0

    grounds = ("felt", "stone") if unseen else ("wood", "cloth", "plain")
    return PhotoConditions(
        square_px=float(np.exp(rng.uniform(np.log(26), np.log(95)))),
        turn_deg=float(rng.choice((0, 90, 180, 270)) + rng.normal(0, 12)),
        tilt=float(rng.uniform(0, 0.3)),
        tilt_way=float(rng.uniform(0, 2 * np.pi)),
        curl=some(0.5, 0.0, 0.13),
        fold=some(0.35, 0.02, 0.09),
        shade=some(0.5, 0.1, 0.5),
        slope=float(rng.uniform(0, 0.45)),
        light=float(rng.uniform(0.55, 1.02)),
        warm=float(rng.uniform(-0.12, 0.22)),
        crease=some(0.35, 0.05, 0.3),
        coffee=some(0.2, 0.1, 0.35),
        blur_px=float(rng.uniform(0.35, 1.1)) if not unseen else float(rng.uniform(0.4, 1.0)),
        motion_px=some(0.3, 0.5, 2.0),
        noise=float(rng.uniform(0.003, 0.03)),
        quality=int(rng.integers(60, 96)) if not unseen else int(rng.integers(65, 98)),
        ground=str(rng.choice(grounds)),
    )


def photographed(
    sheets: Sequence[FilledSheet], conditions: PhotoConditions, rng: np.random.Generator
) -> SheetPhoto:
    """These sheets beside each other on a table, photographed."""
    placed = [_placed(sheet, conditions, rng) for sheet in sheets]
    sizes = [bounds for _, _, bounds in placed]
    gap = conditions.square_px * 0.8
    height = int(max(size[1] for size in sizes) + 2 * gap)
    width = int(sum(size[0] for size in sizes) + gap * (len(sizes) + 1))
    image = _ground(conditions.ground, (height, width), conditions.square_px, rng)
    corners, x = [], gap
    for sheet, home, bounds in placed:
        move = np.array([[1, 0, x], [0, 1, (height - bounds[1]) / 2], [0, 0, 1.0]])
        corners.append(_lay(image, sheet, move @ home, (conditions, rng)))
        x += bounds[0] + gap
    image = _lit(image, conditions, rng)
    return SheetPhoto(_taken(image, conditions, rng), tuple(corners))


def _placed(
    sheet: FilledSheet, conditions: PhotoConditions, rng: np.random.Generator
) -> tuple[FilledSheet, Floats, tuple[float, float]]:
    """The homography of a sheet seen from the hand, its upper left at 0, 0, and its extent."""
    height, width = sheet.image.shape[:2]
    pitch = float(np.linalg.norm(sheet.corners[0, 1] - sheet.corners[0, 0]))
    scale = conditions.square_px / pitch
    turn = np.radians(conditions.turn_deg + float(rng.normal(0, 2)))
    c, s = np.cos(turn) * scale, np.sin(turn) * scale
    back = np.array([[1, 0, -width / 2], [0, 1, -height / 2], [0, 0, 1.0]])
    spin = np.array([[c, -s, 0], [s, c, 0], [0, 0, 1.0]])
    away = conditions.tilt / (1 - conditions.tilt / 2) / (max(width, height) * scale)
    lean = np.eye(3)
    lean[2, :2] = away * np.cos(conditions.tilt_way), away * np.sin(conditions.tilt_way)
    home = lean @ spin @ back
    edge = _through(home, np.array([(0, 0), (width, 0), (width, height), (0, height)], dtype=np.float64))
    low, high = edge.min(axis=0), edge.max(axis=0)
    shift = np.array([[1, 0, -low[0]], [0, 1, -low[1]], [0, 0, 1.0]])
    return sheet, shift @ home, (float(high[0] - low[0]), float(high[1] - low[1]))


def _through(home: Floats, points: Floats) -> Floats:
    return np.asarray(cv2.perspectiveTransform(points.reshape(-1, 1, 2), home).reshape(points.shape))


class _Bend:
    """How a sheet is pulled together by its curl and fold: smooth moves in pixels of the sheet."""

    def __init__(self, sheet: FilledSheet, conditions: PhotoConditions, rng: np.random.Generator) -> None:
        self.height, self.width = sheet.image.shape[:2]
        pitch = float(np.linalg.norm(sheet.corners[0, 1] - sheet.corners[0, 0]))
        self.curl = conditions.curl * pitch * rng.choice((-1, 1), 2) * rng.uniform(0.4, 1, 2)
        self.phase = rng.uniform(0, 2 * np.pi, 2)
        self.fold = conditions.fold * pitch * float(rng.choice((-1, 1)))
        self.at = float(rng.uniform(0.35, 0.65)) * self.width

    def move(self, x: Field | Floats, y: Field | Floats) -> tuple[Field | Floats, Field | Floats]:
        """How far along the sheet lies what is seen at x, y of the flat sheet's place."""
        u, v = x / self.width, y / self.height
        dx = self.curl[0] * np.sin(np.pi * u + 0.6 * np.sin(self.phase[0])) * np.cos(0.7 * v)
        dy = self.curl[1] * np.sin(np.pi * u + self.phase[1] * 0.2) + 0.3 * self.curl[0] * np.cos(np.pi * v)
        dx = dx + self.fold * (1 - np.minimum(np.abs(x - self.at) / (0.5 * self.width), 1))
        return dx, dy

    def light(self, x: Field) -> Field:
        """How the bent paper catches the light along it."""
        side = np.tanh((x - self.at) / (0.02 * self.width)) * (0.05 if self.fold else 0.0)
        wave = 0.0012 * self.curl[1] * np.sin(2 * np.pi * x / self.width + self.phase[0])
        return np.asarray(1 + side + wave * 3, dtype=np.float32)


def _lay(
    image: Field, sheet: FilledSheet, home: Floats, chance: tuple[PhotoConditions, np.random.Generator]
) -> Floats:
    """Draw a sheet where ``home`` puts it, and say where its squares' corners are."""
    conditions, rng = chance
    bend = _Bend(sheet, conditions, rng)
    height, width = sheet.image.shape[:2]
    rows, columns = image.shape[:2]
    mesh = np.stack(np.meshgrid(np.arange(columns), np.arange(rows)), axis=2).astype(np.float64)
    flat = _through(np.linalg.inv(home), mesh.reshape(-1, 2)).astype(np.float32).reshape(rows, columns, 2)
    dx, dy = bend.move(flat[..., 0], flat[..., 1])
    x, y = (flat[..., 0] + dx).astype(np.float32), (flat[..., 1] + dy).astype(np.float32)
    small = _shrunk(sheet, home)
    factor = small.shape[1] / width
    stained = _stained(small, conditions, rng)
    drawn = cv2.remap(stained, x * factor, y * factor, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    drawn *= bend.light(flat[..., 0])[:, :, None]
    inside = np.clip(np.minimum(np.minimum(x, width - x), np.minimum(y, height - y)) * factor + 0.5, 0, 1)
    drop = cv2.GaussianBlur(inside, (0, 0), max(1.0, conditions.square_px * 0.08))
    image *= (1 - 0.45 * np.roll(drop, 3, axis=(0, 1)) * (1 - inside))[:, :, None]
    image += inside[:, :, None] * (drawn - image)
    points = sheet.corners.reshape(-1, 2)
    guess = points.copy()
    for _ in range(8):
        guess = points - np.stack(bend.move(guess[:, 0], guess[:, 1]), axis=1)
    return _through(home, np.asarray(guess, dtype=np.float64)).reshape(sheet.corners.shape)


def _shrunk(sheet: FilledSheet, home: Floats) -> Field:
    """The sheet at about the size it is seen at, so that thin lines fade rather than break."""
    height, width = sheet.image.shape[:2]
    edge = _through(home, np.array([(0, 0), (width, 0), (width, height), (0, height)], dtype=np.float64))
    factor = min(
        1.0, 1.15 * float(np.linalg.norm(edge[0] - edge[1]) + np.linalg.norm(edge[2] - edge[3])) / 2 / width
    )
    return cv2.resize(sheet.image, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA)


def _stained(paper: Field, conditions: PhotoConditions, rng: np.random.Generator) -> Field:
    height, width = paper.shape[:2]
    out = paper.copy()
    if conditions.crease:
        mark: Field = np.zeros((height, width), np.float32)
        for _ in range(int(rng.integers(1, 5))):
            a, b = rng.uniform(0, 1, 2) * (width, height), rng.uniform(0, 1, 2) * (width, height)
            ends = [(int(p[0]), int(p[1])) for p in (a, b)]
            cv2.line(mark, ends[0], ends[1], float(rng.choice((-1, 1))), 1, cv2.LINE_AA)
        mark = cv2.GaussianBlur(mark, (0, 0), 0.8)
        out *= (1 + conditions.crease * mark)[:, :, None]
    if conditions.coffee:
        ring: Field = np.zeros((height, width), np.float32)
        radius = int(rng.uniform(0.12, 0.3) * height)
        spot = (int(rng.uniform(0, width)), int(rng.uniform(0, height)))
        cv2.circle(ring, spot, radius, 0.35, -1, cv2.LINE_AA)
        cv2.circle(ring, spot, radius, 1.0, max(1, radius // 14), cv2.LINE_AA)
        ring = cv2.GaussianBlur(ring, (0, 0), max(0.8, radius / 40))
        out *= 1 - conditions.coffee * ring[:, :, None] * np.array([1.0, 0.7, 0.45], np.float32)
    return out


def _ground(kind: str, size: tuple[int, int], scale: float, rng: np.random.Generator) -> Field:
    """The table: light per channel."""
    height, width = size
    base = {
        "wood": (0.22, 0.36, 0.52), "cloth": rng.uniform(0.08, 0.6, 3), "plain": rng.uniform(0.03, 0.75, 3),
        "felt": (0.16, 0.34, 0.12), "stone": (0.42, 0.43, 0.45),
    }[kind]  # fmt: skip
    grain: Field = rng.normal(0, 1, (height, width)).astype(np.float32)
    if kind == "wood":
        grain = cv2.GaussianBlur(grain, (0, 0), sigmaX=scale * 0.9, sigmaY=1.2) * 4
        planks = np.sin(np.arange(height) / scale * 1.3) > 0.995
        grain = grain - 1.5 * planks[:, None]
    elif kind == "cloth":
        weave = np.add.outer(np.sin(np.arange(height) * 1.1), np.sin(np.arange(width) * 1.1))
        grain = 0.5 * grain + weave.astype(np.float32)
    elif kind == "stone":
        grain = cv2.GaussianBlur(grain, (0, 0), scale * 0.12) * 3 + 0.3 * grain
    else:
        grain *= 0.4
    tone = np.empty((height, width, 3), np.float32)
    tone[:] = np.asarray(base, np.float32) * float(rng.uniform(0.6, 1.25))
    tone *= np.clip(1 + 0.1 * grain, 0.3, 1.7)[:, :, None]
    return tone


def _lit(image: Field, conditions: PhotoConditions, rng: np.random.Generator) -> Field:
    height, width = image.shape[:2]
    way = float(rng.uniform(0, 2 * np.pi))
    x, y = np.linspace(-0.5, 0.5, width, dtype=np.float32), np.linspace(-0.5, 0.5, height, dtype=np.float32)
    light = 1 + conditions.slope * (np.cos(way) * x[None, :] + np.sin(way) * y[:, None])
    if conditions.shade:
        shadow = np.zeros((height, width), np.float32)
        middle = (float(rng.uniform(0, width)), float(rng.uniform(0, height)))
        size = (float(rng.uniform(0.3, 0.8)) * width, float(rng.uniform(0.3, 0.9)) * height)
        box = cv2.boxPoints((middle, size, float(rng.uniform(0, 90)))).astype(np.int32)
        cv2.fillConvexPoly(shadow, box, 1.0)
        small = cv2.resize(shadow, (max(8, width // 8), max(8, height // 8)), interpolation=cv2.INTER_AREA)
        soft = cv2.GaussianBlur(small, (0, 0), float(rng.uniform(0.6, 6)))
        light = light * (1 - conditions.shade * cv2.resize(soft, (width, height)))
    tone = np.array([1 - conditions.warm, 1.0, 1 + 0.5 * conditions.warm], np.float32) * conditions.light
    return np.asarray(image * light[:, :, None].astype(np.float32) * tone, dtype=np.float32)


def _taken(image: Field, conditions: PhotoConditions, rng: np.random.Generator) -> bytes:
    """Through the lens, onto the sensor, into a JPEG."""
    image = cv2.GaussianBlur(image, (0, 0), max(0.3, conditions.blur_px))
    if conditions.motion_px > 0.5:
        length = int(np.ceil(conditions.motion_px)) * 2 + 1
        kernel = np.zeros((length, length), np.float32)
        way = float(rng.uniform(0, np.pi))
        reach = conditions.motion_px / 2
        for t in np.linspace(-reach, reach, 9):
            at = length // 2 + np.round(t * np.array([np.sin(way), np.cos(way)])).astype(int)
            kernel[at[0], at[1]] += 1 / 9
        image = cv2.filter2D(image, -1, kernel)
    grain = rng.standard_normal(image.shape, dtype=np.float32)
    image = image + grain * conditions.noise * np.sqrt(np.clip(image, 0.02, 1))
    # What is called light here is already the brightness a phone would write, so no curve follows.
    eight = (np.clip(image, 0, 1) * 255).astype(np.uint8)
    done, jpeg = cv2.imencode(".jpg", eight, [cv2.IMWRITE_JPEG_QUALITY, conditions.quality])
    assert done
    return bytes(jpeg)


def harder(conditions: PhotoConditions, **changes: float) -> PhotoConditions:
    """The same photo but for one thing, for curves."""
    return replace(conditions, **changes)  # type: ignore[arg-type]  # the fields named are all numbers
