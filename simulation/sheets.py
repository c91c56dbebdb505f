"""Paper on the table: markers, mats, printed maps with pencil marks, notes, and blank sheets."""

import json
from collections.abc import Iterable
from functools import lru_cache, partial
from typing import Any, TypeAlias

import numpy as np

from calibration import aruco, duel_sheet
from simulation.canvas import Array, Canvas, Texture
from simulation.faces import COATS, coat_mask, draw_cross
from simulation.glyphs import number, shield
from simulation.makes import Colour, SheetLook, Stuff
from simulation.soft_patterns import blobs, smoothstep
from simulation.virtual_scene import stream

Map: TypeAlias = list[list[dict[str, Any] | None]]
PENCIL: Colour = (0.12, 0.12, 0.13)
INK_BLUE: Colour = (0.02, 0.04, 0.25)
_LINE_MM, _SHIELD_HALF_MM = 0.35, 9.0
Point: TypeAlias = tuple[float, float]
_MARKER_INK: Colour = (0.02, 0.02, 0.022)


@lru_cache(maxsize=64)
def sheet_face(look: SheetLook, value_text: str, seed: int, density: float) -> Texture:
    """The printed and written side of a sheet; ``value_text`` is JSON with the ``map`` drawn on it."""
    rng = stream(seed, "sheet", look.style)
    density = min(density, 2400 / max(look.width_mm, look.height_mm))
    canvas = Canvas((look.width_mm, look.height_mm), density, Stuff(look.paper, 0.06))
    canvas.colour *= (1 + 0.01 * rng.standard_normal(canvas.shape, dtype=np.float32))[:, :, None]
    canvas.depth += 0.12 * blobs(rng, canvas.shape, 40 * density)
    if look.style == "marker":
        _marker(canvas, look)
    elif look.style == "duel-map":
        value = json.loads(value_text) or {}
        if "dot" in value:
            _notes(canvas, look, rng)
        else:
            _duel_map(canvas, look, (value.get("map"), bool(value.get("roof"))), rng)
    elif look.style in ("notes", "lines"):
        _notes(canvas, look, rng)
    elif look.style == "photo":
        _photo(canvas, look, rng)
    elif look.style == "mat":
        _mat(canvas, look)
    return canvas.finish()


def _marker(canvas: Canvas, look: SheetLook) -> None:
    """An ArUco marker that leaves white all round: 32 mm of black on 46 mm of paper, or to scale."""
    side = min(look.width_mm, look.height_mm) * 32 / 46
    cell = side / aruco.MARKER_CELLS
    white = aruco.cells(look.number)
    canvas.ink(canvas.rectangle(0, 0, side, side), _MARKER_INK)
    for row, col in zip(*np.nonzero(white), strict=True):
        x, y = (col + 0.5) * cell - side / 2, side / 2 - (row + 0.5) * cell
        canvas.ink(canvas.rectangle(float(x), float(y), cell, cell), look.paper)


def _mat(canvas: Canvas, look: SheetLook) -> None:
    w, h = look.width_mm - 20, look.height_mm - 20
    frame = canvas.rectangle(0, 0, w, h) - canvas.rectangle(0, 0, w - 1.2, h - 1.2)
    canvas.ink(frame, look.ink)


def _scribble(canvas: Canvas, start: tuple[float, float], width: float, rng: np.random.Generator) -> Array:
    """A word-like wavy stroke."""
    n = max(6, int(width * 1.2))
    x = start[0] + np.linspace(0, width, n)
    y = start[1] + np.cumsum(rng.normal(0, 0.7, n)) * 0.5 + rng.uniform(-1.4, 1.4, n)
    points = [(float(a), float(b)) for a, b in zip(x, y, strict=True)]
    return canvas.strokes([points], float(rng.uniform(0.4, 0.7)))


def _notes(canvas: Canvas, look: SheetLook, rng: np.random.Generator) -> None:
    w, h = look.width_mm, look.height_mm
    if look.style == "lines":
        for k in range(1, int(h / 8)):
            y = h / 2 - 8 * k
            canvas.ink(canvas.line((-w / 2, y), (w / 2, y), 0.25) * 0.6, (0.35, 0.5, 0.7))
    ink = PENCIL if rng.random() < 0.5 else INK_BLUE
    rows = int(rng.integers(2, 6))
    for k in range(rows):
        y, x = h / 2 - 12 - 9 * k, -w / 2 + 8
        while x < w / 2 - 22 and rng.random() < 0.85 and y > -h / 2 + 5:
            long = float(rng.uniform(7, 20))
            if rng.random() < 0.35:
                number(str(rng.integers(1, 10)), 4).draw(canvas, (x + 2, y), 2.4, ink)
                x += 8
            else:
                canvas.ink(_scribble(canvas, (x, y), long, rng) * 0.85, ink)
                x += long + 4


def _photo(canvas: Canvas, look: SheetLook, rng: np.random.Generator) -> None:
    """A flyer: blocks of colour and lines of grey that stand for text."""
    w, h = look.width_mm, look.height_mm
    for _ in range(int(rng.integers(3, 8))):
        box = (rng.uniform(-0.4, 0.4) * w, rng.uniform(-0.4, 0.4) * h, rng.uniform(0.1, 0.5) * w,
               rng.uniform(0.05, 0.4) * h)  # fmt: skip
        tone = rng.uniform(0.02, 0.8, 3)
        canvas.ink(
            canvas.rectangle(*(float(v) for v in box)), (float(tone[0]), float(tone[1]), float(tone[2]))
        )
    for k in range(int(rng.integers(4, 14))):
        y = h / 2 - 6 - 3.2 * k
        canvas.ink(canvas.rectangle(-0.1 * w, y, w * float(rng.uniform(0.4, 0.7)), 1.1) * 0.6, look.ink)


def _duel_map(
    canvas: Canvas, look: SheetLook, drawn: tuple[Map | None, bool], rng: np.random.Generator
) -> None:
    """A map of 5×7 shields with circles, filled in with pencil as ``drawn`` says or at random."""
    coats, roof = drawn
    cell = min(look.width_mm / 7.8, look.height_mm / 5.8)
    share = cell / duel_sheet.PITCH_MM
    half = duel_sheet.BOX_MM / 2
    for row in range(5):
        for col in range(7):
            at = ((col - 3) * cell, (2 - row) * cell)
            print_ = partial(_printed, canvas, (at, share), look.ink)
            print_([(-half, -half), (half, -half), (half, half), (-half, half)])
            if (row, col) == (2, 3):
                print_(duel_sheet.ROOF)
                for line in duel_sheet.CASTLE:
                    print_(line)
                if roof:
                    canvas.ink(canvas.polygon(_placed(at, share, duel_sheet.ROOF)) * 0.8, PENCIL)
                continue
            middle = _placed(at, share, [duel_sheet.SHIELD_MIDDLE])[0]
            canvas.ink(_outline(canvas, _placed(middle, share, duel_sheet.SHIELD)), look.ink)
            spots = _placed(at, share, duel_sheet.CIRCLES)
            for spot in spots:
                canvas.ink(canvas.ring(*spot, duel_sheet.CIRCLE_MM * share, _LINE_MM), look.ink)
            mark = coats[row][col] if coats else _random_mark(rng)
            if mark:
                shown = (share * _SHIELD_HALF_MM, str(mark["coat"]))
                _drawn_coat(canvas, middle, shown, spots[: int(mark["crosses"])], rng)


def _placed(at: Point, share: float, points: Iterable[Point]) -> list[Point]:
    """Places of the printed sheet, in its millimetres around ``at``."""
    return [(at[0] + share * x, at[1] + share * y) for x, y in points]


def _outline(canvas: Canvas, points: list[Point]) -> Array:
    return canvas.strokes([[*points, points[0]]], _LINE_MM)


def _printed(canvas: Canvas, where: tuple[Point, float], ink: Colour, points: Iterable[Point]) -> None:
    canvas.ink(_outline(canvas, _placed(*where, points)), ink)


def _random_mark(rng: np.random.Generator) -> dict[str, Any] | None:
    if rng.random() < 0.4:
        return None
    return {"coat": COATS[int(rng.integers(len(COATS)))], "crosses": int(rng.choice([0, 0, 0, 1, 2]))}


def _drawn_coat(
    canvas: Canvas, middle: Point, coat: tuple[float, str], crosses: list[Point], rng: np.random.Generator
) -> None:
    """A coat filled in by hand: grey, grainy, not quite inside the lines; and its crosses."""
    half, shown = coat
    place = (middle[0] + float(rng.normal(0, 0.08)) * half, middle[1] + float(rng.normal(0, 0.08)) * half)
    outline = [(place[0] + half * x, place[1] + half * y) for x, y in shield(0)]
    mask = canvas.polygon(outline) * coat_mask(canvas, shown, place, half)
    grain = smoothstep(-1.2, 0.4, blobs(rng, canvas.shape, 0.5 * canvas.density))
    canvas.ink(mask * (0.55 + 0.4 * grain), PENCIL)
    for spot in crosses:
        draw_cross(canvas, spot, 1.3 * half / _SHIELD_HALF_MM * duel_sheet.CIRCLE_MM, PENCIL, 1)
