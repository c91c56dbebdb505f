"""What befalls a sheet besides the game: drawings on its rim, white-out, folds and creases, coffee."""

import itertools
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration import duel_sheet
from simulation.coat_strokes import CoatRoom
from simulation.filled_sheet import CASTLE, COLUMNS, ROWS, Cells, Paper, SheetForm
from simulation.ink_flow import FINE, InkLayer, Path, curved, ring, spiral

_WORDS = ("Anna", "Jo", "12", "8+6=14", "3x2", "gg", "Max", "17", "?!", "Tom 31", "9", "win")


def white_patch(paper: Paper, spot: tuple[SheetForm, Path, float], rng: np.random.Generator) -> None:
    """Correcting fluid, or a strip of tape, over the coat and the crosses of a square: print and all."""
    form, middle, px = spot
    shape = np.zeros(paper.shape[:2], np.uint8)
    field = form.field
    centre = middle + np.array([field.x, field.y]) * px
    low = centre - np.array([field.width, field.height]) * px * 0.56
    high = centre + np.array([field.width, field.height]) * px * 0.56
    for x, y in form.circles:
        low = np.minimum(low, middle + (np.array([x, y]) - 1.3 * form.radius) * px)
        high = np.maximum(high, middle + (np.array([x, y]) + 1.3 * form.radius) * px)
    if rng.random() < 0.5:
        box = cv2.boxPoints((tuple(map(float, (low + high) / 2)), tuple(map(float, high - low)),
                             float(rng.normal(0, 3))))  # fmt: skip
        cv2.fillConvexPoly(shape, np.round(box).astype(np.int32), 255, cv2.LINE_AA)
    else:
        for y in np.arange(low[1], high[1] + 1, 0.1 * px):
            ends = [(int(low[0] + rng.normal(0, 2)), int(y)), (int(high[0] + rng.normal(0, 2)), int(y))]
            cv2.line(shape, ends[0], ends[1], 255, int(0.13 * px), cv2.LINE_AA)
    lump = cv2.GaussianBlur(rng.normal(0, 1, shape.shape).astype(np.float32), (0, 0), 2.0)
    cover = cv2.GaussianBlur(shape, (0, 0), 0.8).astype(np.float32)[:, :, None] / 255
    white = (0.95 + 0.06 * lump)[:, :, None] * np.array([0.97, 0.99, 1.0], np.float32)
    paper += float(rng.uniform(0.96, 1.0)) * cover * (white - paper)


def crumpled(paper: Paper, rng: np.random.Generator) -> None:
    """Folded in two or four, crumpled and smoothed: facets catch the light, and edges are worn."""
    height, width = paper.shape[:2]
    y, x = np.mgrid[0:height, 0:width].astype(np.float32)
    light: NDArray[Any] = np.ones((height, width), np.float32)
    worn: NDArray[Any] = np.zeros((height, width), np.float32)
    folds = [(1.0, 0.0, width * rng.uniform(0.46, 0.54))]
    if rng.random() < 0.7:
        folds.append((0.0, 1.0, height * rng.uniform(0.45, 0.55)))
    for a, b, at in folds:
        far = a * x + b * y - at
        light += rng.uniform(0.03, 0.1) * rng.choice((-1, 1)) * np.tanh(far / 60)
        light += rng.uniform(-0.25, 0.15) * np.exp(-((far / 1.6) ** 2))
        worn = np.maximum(worn, np.exp(-((far / 1.2) ** 2)))
    for _ in range(int(rng.integers(4, 14))):
        turn, spot = rng.uniform(0, 2 * np.pi), rng.uniform(0, 1, 2) * (width, height)
        far = (x - spot[0]) * np.cos(turn) + (y - spot[1]) * np.sin(turn)
        along = (y - spot[1]) * np.cos(turn) - (x - spot[0]) * np.sin(turn)
        reach = np.exp(-((along / rng.uniform(60, 220)) ** 2))
        light += reach * rng.uniform(-0.07, 0.07) * np.tanh(far / 3) * np.exp(-np.abs(far) / 60)
        light += reach * rng.uniform(-0.2, 0.12) * np.exp(-((far / 1.1) ** 2))
    light -= light.mean() - 1
    grain = cv2.GaussianBlur(rng.normal(0, 1, (height, width)).astype(np.float32), (0, 0), 0.8)
    lost = np.clip(worn * (0.25 + 0.5 * grain), 0, 0.6)[:, :, None]
    paper += lost * (np.median(paper, axis=(0, 1)) - paper)
    paper *= np.clip(light, 0.6, 1.1)[:, :, None]


def coffee_on(paper: Paper, rng: np.random.Generator) -> None:
    """Rings of cups, drops and puddles that dried: brown, darker along their edges."""
    height, width = paper.shape[:2]
    stain: NDArray[Any] = np.zeros((height, width), np.float32)
    for kind in rng.choice(("cup", "cup", "drops", "puddle"), int(rng.integers(1, 4))):
        spot = rng.uniform(0.1, 0.9, 2) * (width, height)
        if kind == "cup":
            radius = float(rng.uniform(75, 120))
            start = float(rng.uniform(0, 2 * np.pi))
            path = ring(spot, (radius, radius), start=start, turns=float(rng.uniform(0.6, 1.0)))
            part = np.zeros((height, width), np.uint8)
            for a, b in itertools.pairwise(path):
                ends = [(int(p[0]), int(p[1])) for p in (a, b)]
                cv2.line(
                    part, ends[0], ends[1], int(rng.integers(130, 255)), int(rng.integers(3, 9)), cv2.LINE_AA
                )
            stain += 0.4 * cv2.GaussianBlur(part, (0, 0), 1.6).astype(np.float32) / 255
            continue
        for _ in range(int(rng.integers(3, 9)) if kind == "drops" else 1):
            at = spot + rng.normal(0, 70, 2)
            size = float(rng.uniform(3, 14) if kind == "drops" else rng.uniform(40, 100))
            angle = np.linspace(0, 2 * np.pi, 40, endpoint=False)
            wave = (
                1
                + 0.12 * np.sin(3 * angle + rng.uniform(0, 6))
                + 0.08 * np.sin(5 * angle + rng.uniform(0, 6))
            )
            rim = at + np.stack([np.cos(angle), np.sin(angle)], axis=1) * (size * wave)[:, None]
            part = np.zeros((height, width), np.uint8)
            cv2.fillPoly(part, [np.round(rim).astype(np.int32)], 255, cv2.LINE_AA)
            inside = part.astype(np.float32) / 255
            edge = inside - cv2.erode(inside, np.ones((3, 3), np.uint8), iterations=2)
            stain += 0.16 * cv2.GaussianBlur(inside, (0, 0), 1.2) + 0.3 * cv2.GaussianBlur(edge, (0, 0), 1.0)
    strong = float(rng.uniform(0.5, 1.1))
    paper *= np.exp(-strong * stain[:, :, None] * np.array([1.5, 0.9, 0.5], np.float32))


def beside_drawings(
    ink: InkLayer, form: SheetForm, corners: NDArray[np.float64], cells: Cells, count: int
) -> None:
    """Small drawings and sums on the paper's rim, and beside the shields of squares that stay empty."""
    rng, px = ink.rng, ink.square_px
    height, width = ink.amount.shape[0] / FINE, ink.amount.shape[1] / FINE
    low, high = corners[0, 0], corners[-1, -1]
    for _ in range(count):
        size = float(rng.uniform(0.16, 0.3)) * px
        for _ in range(12):
            spot = rng.uniform((size, size), (width - size, height - size))
            outside = np.maximum(low - spot, spot - high).max()
            if outside > size + 0.08 * px and not _on_mark(form, corners, spot, size):
                # A word is long: beside the squares it would run into them.
                _doodle(ink, spot, size, words=bool(spot[1] + size < low[1] or spot[1] - size > high[1]))
                break
    for row, column in np.ndindex(ROWS, COLUMNS):
        if cells[row][column] is not None or (row, column) == CASTLE or rng.random() > 0.3:
            continue
        middle = (corners[row, column] + corners[row + 1, column + 1]) / 2
        size = float(rng.uniform(0.035, 0.06)) * px
        for _ in range(20):
            spot = middle + rng.uniform(-0.43, 0.43, 2) * (1, form.tall) * px
            if _beside_all(form, (spot - middle) / px, size / px):
                _doodle(ink, spot, size, words=False)
                break


def _on_mark(form: SheetForm, corners: NDArray[np.float64], spot: Path, size: float) -> bool:
    """Whether something so large lies on one of the marks of our form."""
    if not form.ours:
        return False
    middle = (corners[0, 0] + corners[-1, -1]) / 2
    scale = float(corners[0, 1, 0] - corners[0, 0, 0]) / duel_sheet.PITCH_MM
    marks = [middle + np.array([m.centre_mm[0], -m.centre_mm[1]]) * scale for m in duel_sheet.MAP_MARKS]
    reach = duel_sheet.MARK_MM * scale * 0.75 + size
    return any(float(np.abs(spot - mark).max()) < reach for mark in marks)


def _beside_all(form: SheetForm, place: Path, size: float) -> bool:
    """Whether something so small lies beside shield and circles."""
    field = form.field
    off = np.abs(place - (field.x, field.y)) - np.array([field.width, field.height]) / 2
    far = [float(np.hypot(place[0] - x, place[1] - y)) for x, y in form.circles]
    return bool(off.max() > size + 0.015) and all(one > form.radius + size + 0.02 for one in far)


def _doodle(ink: InkLayer, spot: Path, size: float, *, words: bool) -> None:
    rng = ink.rng
    kinds = ["star", "spiral", "heart", "flower", *["face"] * (size > 0.1 * ink.square_px), *["word"] * words]
    kind = str(rng.choice(kinds))
    if kind == "star":
        angle = np.arange(6) * 4 * np.pi / 5 + rng.uniform(0, 6)
        ink.stroke(spot + size * np.stack([np.cos(angle), np.sin(angle)], axis=1))
    elif kind == "spiral":
        ink.stroke(spiral(spot, size, float(rng.uniform(2, 4))))
    elif kind == "face":
        ink.stroke(ring(spot, (size, size)))
        for side in (-0.35, 0.35):
            ink.stroke(ring(spot + np.array([side, -0.25]) * size, (1.0, 1.0)))
        ink.stroke(curved(spot + np.array([-0.5, 0.3]) * size, spot + np.array([0.5, 0.3]) * size, 0.3))
    elif kind == "heart":
        t = np.linspace(0, 2 * np.pi, 40)
        heart = np.stack(
            [16 * np.sin(t) ** 3, -13 * np.cos(t) + 5 * np.cos(2 * t) + 2 * np.cos(3 * t)], axis=1
        )
        ink.stroke(spot + heart * size / 16)
    elif kind == "flower":
        for angle in np.arange(6) * np.pi / 3:
            leaf = np.array([np.cos(angle), np.sin(angle)]) * 0.6 * size
            ink.stroke(ring(spot + leaf, (0.35 * size, 0.35 * size)))
    else:
        room = CoatRoom(float(spot[0]), float(spot[1]), 4 * size, size, ink.square_px)
        _word(ink, room, str(rng.choice(_WORDS)))


def _word(ink: InkLayer, room: CoatRoom, word: str) -> None:
    part = np.zeros(ink.amount.shape, np.uint8)
    scale = room.height * FINE / 14
    start = (int((room.x - room.width / 4) * FINE), int((room.y + room.height / 2) * FINE))
    thick = max(1, int(ink.nib.width * ink.square_px * FINE * 0.8))
    cv2.putText(part, word, start, cv2.FONT_HERSHEY_SCRIPT_SIMPLEX, scale / 2, 255, thick, cv2.LINE_AA)
    ink.amount += ink.nib.full * cv2.GaussianBlur(part, (0, 0), 1.0).astype(np.float32) / 255
