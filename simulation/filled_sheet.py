"""A filled map of Kingdomino Duel on paper: ours or anybody's form, any pen and hand, and the exact truth."""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration import aruco, duel_sheet
from calibration.mats import MarkerPlace
from engine.kingdomino_duel.edition import COATS
from simulation import castles
from simulation.drawn_coats import CoatBox, draw_coat
from simulation.pen_strokes import TAUGHT, Hand, Pen, SheetDrawing, Variety, laid, random_hand, random_pen
from simulation.second_thoughts import first_try, put_right, small_drawings, specks, struck

SQUARE_PX = 80
"""Pixels from one square to the next, along a row, on the flat sheet."""
ROWS, COLUMNS = 5, 7
CASTLE = (2, 3)
Paper = NDArray[np.float32]
Cell = tuple[str, int] | None
"""The coat and the crosses of a square, or nothing."""
Cells = tuple[tuple[Cell, ...], ...]


_TWO_PENS, _PAINTED, _OUTLINED = 0.15, 0.1, 0.08
"""So many sheets are written with two pens, have squares painted over, and their dominoes outlined."""
_FIELD = CoatBox(-0.12, 0.0, 0.56, 0.7)


@dataclass(frozen=True, slots=True)
class SheetForm:
    """What is printed on a sheet; lengths are parts of a square's width, places are around its middle."""

    ours: bool
    tall: float = 1.0
    """A square's height over its width."""
    gap: float = 0.0
    """The space between boxes; 0: one line between two squares."""
    line: float = 0.015
    ink: tuple[float, float, float] = (0.3, 0.3, 0.3)
    paper: tuple[float, float, float] = (0.93, 0.94, 0.94)
    shield: str = "heater"
    field: CoatBox = _FIELD
    """Where the coat goes."""
    circles: tuple[tuple[float, float], ...] = ()
    radius: float = 0.09
    castle: str = "keep"
    built: tuple[float, ...] = ()
    """Numbers from 0 to 1 that say how the castle "any" looks."""
    margins: tuple[float, float, float, float] = (0.5, 0.6, 0.5, 0.5)
    """Paper left, above, right and below the squares, in squares."""
    tint: float = 0.0
    """How much darker boxes are printed than the paper."""


@dataclass(frozen=True)
class FilledSheet:
    """A flat sheet and all that is true about it."""

    image: Paper
    """Light from 0 to 1, blue, green and red."""
    cells: Cells
    roof: bool
    corners: NDArray[np.float64]
    """The corners of the squares (6×8×2) in pixels of the sheet."""
    ours: bool
    crossed: NDArray[np.float64]
    """About where each cross was drawn (n×2), in pixels of the sheet."""


OUR_FORM = SheetForm(
    ours=True,
    gap=1 - duel_sheet.BOX_MM / duel_sheet.PITCH_MM,
    line=0.009,
    ink=(0.45, 0.45, 0.45),
    field=CoatBox(duel_sheet.SHIELD_MIDDLE[0] / 30, 0.0, 16.8 / 30, 21 / 30),
    circles=tuple((x / 30, -y / 30) for x, y in duel_sheet.CIRCLES),
    radius=duel_sheet.CIRCLE_MM / 30,
    castle="ours",
    margins=(1.35, 0.75, 1.35, 1.15),
)
_TAUGHT_CASTLES, _UNSEEN_CASTLES = ("keep", "twin", "house", "any", "any", "any"), ("tower", "hall")
_TAUGHT_SHIELDS = ("heater", "none", "square", "heater", "swallow", "hexagon", "arch")
_UNSEEN_SHIELDS = ("round", "heater")


def random_form(rng: np.random.Generator, *, unseen: bool = False) -> SheetForm:
    """Some other publisher's idea of a map; ``unseen`` ones have looks that no reader learned from."""
    tall = float(rng.uniform(0.85, 1.2))
    side = str(rng.choice(("right", "left", "below", "above") if not unseen else ("right", "left", "below")))
    count = int(rng.choice((3, 3, 3, 2, 4)))
    radius = float(rng.uniform(0.06, 0.095))
    shade = float(rng.uniform(0.1, 0.55))
    brown = np.array([rng.uniform(0.4, 1.0), rng.uniform(0.7, 1.0), 1.0])
    warm = rng.uniform(0.8, 0.97) * np.array([rng.uniform(0.72, 1.0), rng.uniform(0.88, 1.0), 1.0])
    shields = _UNSEEN_SHIELDS if unseen else _TAUGHT_SHIELDS
    kinds = _UNSEEN_CASTLES if unseen else _TAUGHT_CASTLES
    field, circles = _arranged(rng, side, count, (tall, radius))
    built = () if unseen else tuple(float(part) for part in rng.random(12))
    return SheetForm(
        ours=False,
        tall=tall,
        gap=float(rng.choice((0.0, rng.uniform(0.03, 0.14)))),
        line=float(rng.uniform(0.008, 0.035)),
        ink=_tuple(shade * brown),
        paper=_tuple(warm),
        shield=str(rng.choice(shields)),
        field=field,
        circles=circles,
        radius=radius,
        castle=str(rng.choice(kinds)),
        built=built,
        margins=_tuple4(rng.uniform(0.25, 1.3, 4)),
        tint=float(rng.choice((0.0, rng.uniform(0, 0.15)))),
    )


def _tuple(values: NDArray[np.float64]) -> tuple[float, float, float]:
    return (float(values[0]), float(values[1]), float(values[2]))


def _tuple4(values: NDArray[np.float64]) -> tuple[float, float, float, float]:
    return (float(values[0]), float(values[1]), float(values[2]), float(values[3]))


def _arranged(
    rng: np.random.Generator, side: str, count: int, sizes: tuple[float, float]
) -> tuple[CoatBox, tuple[tuple[float, float], ...]]:
    """The shield and a row of circles beside it."""
    tall, radius = sizes
    edge = 0.43 - radius + float(rng.uniform(-0.02, 0.02))
    upright = side in ("right", "left")
    length = (tall if upright else 1.0) * 0.9
    step = min(float(rng.uniform(2.3, 3.2)) * radius, length / count)
    along = [(k - (count - 1) / 2) * step for k in range(count)]
    if upright:
        x = edge if side == "right" else -edge
        width = 0.88 - 2 * radius - 0.1
        field = CoatBox(-np.sign(x) * (0.44 - width / 2), 0.0, width, tall * float(rng.uniform(0.6, 0.82)))
        return field, tuple((x, y) for y in along)
    y = (tall - 1) / 2 + edge if side == "below" else -(tall - 1) / 2 - edge
    height = 0.88 * tall - 2 * radius - 0.1
    field = CoatBox(0.0, -np.sign(y) * (0.44 * tall - height / 2), float(rng.uniform(0.5, 0.8)), height)
    return field, tuple((x, y) for x in along)


def filled(
    form: SheetForm, cells: Cells, roof: bool, rng: np.random.Generator, *, variety: Variety = TAUGHT
) -> FilledSheet:
    """A sheet of this form filled in by one person."""
    paper, corners = printed_form(form)
    crossed = _write(paper, form, corners, (cells, roof), (rng, variety))
    return FilledSheet(paper, cells, roof, corners, form.ours, np.array(crossed).reshape(-1, 2))


def printed_form(form: SheetForm) -> tuple[Paper, NDArray[np.float64]]:
    """A sheet of this form as it comes from the press, and the corners of its squares (6×8×2 px)."""
    left, above, right, below = form.margins
    px, tall = SQUARE_PX, SQUARE_PX * form.tall
    size = (round((above + below) * px + ROWS * tall), round((left + right + COLUMNS) * px))
    paper = np.empty((*size, 3), np.float32)
    paper[:] = form.paper
    mesh = np.stack(np.meshgrid(np.arange(COLUMNS + 1), np.arange(ROWS + 1)), axis=2).astype(np.float64)
    corners = mesh * (px, tall) + (left * px, above * px)
    printed = np.zeros(size, np.uint8)
    _print_form(printed, form, corners)
    if form.tint:
        x0, y0 = corners[0, 0].round().astype(int)
        x1, y1 = corners[-1, -1].round().astype(int)
        paper[y0:y1, x0:x1] *= 1 - form.tint * np.array([1.2, 1.0, 0.8], np.float32)
    alpha = printed.astype(np.float32)[:, :, None] / 255
    paper *= 1 - alpha * (1 - np.array(form.ink, np.float32))
    if form.ours:
        scale = SQUARE_PX / duel_sheet.PITCH_MM
        print_marks(paper, _middle(corners, *CASTLE), scale, duel_sheet.MAP_MARKS)
    return paper, corners


def roof_outline(form: SheetForm, corners: NDArray[np.float64]) -> NDArray[np.float64]:
    """Where the castle's roof lies on the sheet (px), to be coloured."""
    return np.asarray(_middle(corners, *CASTLE) + _roof(form) * SQUARE_PX * (1, form.tall))


def _print_form(printed: NDArray[np.uint8], form: SheetForm, corners: NDArray[np.float64]) -> None:
    pen = SheetDrawing(printed, _STEADY, max(1.0, form.line * SQUARE_PX), np.random.default_rng(0))
    for row in range(ROWS):
        for column in range(COLUMNS):
            middle = _middle(corners, row, column)
            _print_box(pen, form, middle)
            if (row, column) == CASTLE:
                _print_castle(pen, form, middle)
                continue
            if form.shield != "none":
                pen.line(_shield(form, middle), closed=True)
            for x, y in form.circles:
                circle = _circle(middle + np.array([x, y]) * SQUARE_PX, form.radius * SQUARE_PX)
                pen.line(circle, width=max(1.0, 0.75 * pen.width), closed=True)


_STEADY = Hand()


def _middle(corners: NDArray[np.float64], row: int, column: int) -> NDArray[np.float64]:
    return np.asarray((corners[row, column] + corners[row + 1, column + 1]) / 2)


def _print_box(pen: SheetDrawing, form: SheetForm, middle: NDArray[np.float64]) -> None:
    half = np.array([1.0, form.tall]) * SQUARE_PX / 2 - form.gap * SQUARE_PX / 2
    square = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * half
    pen.line(middle + square, closed=True)


def _circle(middle: NDArray[np.float64], radius: float) -> NDArray[np.float64]:
    turns = np.linspace(0, 2 * np.pi, 24, endpoint=False)
    return np.asarray(middle + radius * np.stack([np.cos(turns), np.sin(turns)], axis=1))


def _shield(form: SheetForm, middle: NDArray[np.float64]) -> NDArray[np.float64]:
    shape = {
        "heater": np.array(duel_sheet.SHIELD) * (1 / 16.8, -1 / 21),
        "square": np.array([(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)]),
        "round": _circle(np.zeros(2), 0.55) * (1, 1),
        "swallow": np.array([(-0.5, -0.5), (0, -0.38), (0.5, -0.5), (0.46, 0.2), (0, 0.5), (-0.46, 0.2)]),
        "hexagon": np.array([(-0.5, 0), (-0.3, -0.5), (0.3, -0.5), (0.5, 0), (0.3, 0.5), (-0.3, 0.5)]),
        "arch": np.array([(-0.5, 0.5), (-0.5, -0.2), (-0.25, -0.5), (0.25, -0.5), (0.5, -0.2), (0.5, 0.5)]),
    }[form.shield]
    field = form.field
    return np.asarray(
        middle
        + np.array([field.x, field.y]) * SQUARE_PX
        + shape * (field.width * SQUARE_PX, field.height * SQUARE_PX)
    )


def _roof(form: SheetForm) -> NDArray[np.float64]:
    if form.castle == "ours":
        return np.array(duel_sheet.ROOF) * (1 / 30, -1 / 30)
    if form.castle == "any":
        return castles.roof(form.built)
    wide, top, foot = {
        "keep": (0.2, -0.4, -0.12), "twin": (0.3, -0.38, -0.16), "house": (0.36, -0.36, -0.05),
        "tower": (0.16, -0.42, -0.15), "hall": (0.4, -0.33, -0.08),
    }[form.castle]  # fmt: skip
    if form.castle == "hall":
        return np.array([(-wide, foot), (wide, foot), (wide - 0.12, top), (-wide + 0.12, top)])
    return np.array([(-wide, foot), (wide, foot), (0.0, top)])


def _print_castle(pen: SheetDrawing, form: SheetForm, middle: NDArray[np.float64]) -> None:
    def draw(points: object) -> None:
        pen.line(middle + np.asarray(points) * SQUARE_PX * (1, form.tall), width=pen.width * 1.2)

    roof = _roof(form)
    draw(np.vstack([roof, roof[:1]]))
    if form.castle == "ours":
        for line in duel_sheet.CASTLE:
            draw(np.array(line) * (1 / 30, -1 / 30))
        return
    if form.castle == "any":
        for part in castles.walls(form.built):
            draw(part)
        return
    foot = float(roof[0, 1])
    half = float(roof[1, 0]) * (0.8 if form.castle != "tower" else 0.9)
    draw([(-half, foot), (-half, 0.36), (half, 0.36), (half, foot)])
    draw([(-0.07, 0.36), (-0.07, 0.18), (0.07, 0.18), (0.07, 0.36)])
    if form.castle in ("twin", "keep", "tower"):
        for side in (-1, 1):
            x = np.array([half, half, half + 0.14, half + 0.14])
            draw(np.stack([side * x, [0.36, 0.02, 0.02, 0.36]], axis=1))


def print_marks(
    paper: Paper, middle: NDArray[np.float64], scale: float, marks: Sequence[MarkerPlace]
) -> None:
    """Registration marks around the middle of a sheet of ``scale`` pixels a millimetre."""
    for mark in marks:
        side = round(mark.side_mm * scale)
        cells = aruco.cells(mark.number).astype(np.float32)
        face = cv2.resize(cells, (side, side), interpolation=cv2.INTER_NEAREST)
        spot = middle + np.array([mark.centre_mm[0], -mark.centre_mm[1]]) * scale - side / 2
        x, y = spot.round().astype(int)
        part = paper[y : y + side, x : x + side]
        part *= 0.06 + 0.94 * face[:, :, None]


def _write(
    paper: Paper,
    form: SheetForm,
    corners: NDArray[np.float64],
    drawn: tuple[Cells, bool],
    chance: tuple[np.random.Generator, Variety],
) -> list[tuple[float, float]]:
    """All that a person writes; what is given back is where the crosses are."""
    (cells, roof), (rng, variety) = drawn, chance
    hand, pens = random_hand(rng, variety), [random_pen(rng, variety)]
    if rng.random() < _TWO_PENS:
        pens.append(random_pen(rng, variety))
    _write_ghosts(paper, form, corners, (hand, pens[0], rng))
    _paint_over(paper, corners, rng)
    works = [
        SheetDrawing(np.zeros(paper.shape[:2], np.uint8), hand, max(0.8, pen.width * SQUARE_PX), rng)
        for pen in pens
    ]
    changed = int(rng.integers(1, ROWS * COLUMNS))
    ways = _put_right(paper, form, corners, cells, (hand, pens[0], rng, variety))
    crossed = []
    for index, (row, column) in enumerate(np.ndindex(ROWS, COLUMNS)):
        cell, middle = cells[row][column], _middle(corners, row, column)
        if cell is not None:
            one = works[-1 if index >= changed else 0]
            crossed += _write_cell(one, form, middle, cell, struck_out=ways.get(index) == "struck")
    work = works[0]
    if variety.second_thoughts and rng.random() < variety.second_thoughts:
        specks(work, corners.reshape(-1, 2), SQUARE_PX)
    if variety.second_thoughts and rng.random() < variety.second_thoughts / 2:
        small_drawings(work, corners.reshape(-1, 2), SQUARE_PX)
    if roof:
        outline = roof_outline(form, corners)
        if rng.random() < 0.3:
            work.line(outline, closed=True)
        work.fill([(float(x), float(y)) for x, y in outline])
    if rng.random() < 0.35:
        _shade_borders(work, form, corners, cells)
    if rng.random() < _OUTLINED:
        _outline_dominoes(work, corners, cells)
    for _ in range(int(rng.choice((0, 0, 1, 3)))):
        side, spot = rng.integers(2), rng.uniform(0, paper.shape[1])
        y = corners[0, 0, 1] * 0.5 if side else (corners[-1, -1, 1] + paper.shape[0]) / 2
        work.doodle(float(spot), float(y), float(rng.uniform(0.3, 1.0) * SQUARE_PX * 0.7))
    for one, pen in zip(works, pens, strict=True):
        laid(paper, one.mask, pen, rng, SQUARE_PX)
    return crossed


def _paint_over(paper: Paper, corners: NDArray[np.float64], rng: np.random.Generator) -> None:
    """White over what was wrong, print and all; a coat may be drawn on it again."""
    if rng.random() > _PAINTED:
        return
    for _ in range(int(rng.integers(1, 4))):
        row, column = int(rng.integers(ROWS)), int(rng.integers(COLUMNS))
        if (row, column) == CASTLE:
            continue
        patch = np.zeros(paper.shape[:2], np.uint8)
        spot = _middle(corners, row, column) + rng.normal(0, 0.08, 2) * SQUARE_PX
        axes = tuple(int(a) for a in rng.uniform(0.16, 0.42, 2) * SQUARE_PX)
        cv2.ellipse(patch, tuple(int(v) for v in spot), axes, float(rng.uniform(0, 180)), 0, 360, 255, -1)
        cover = cv2.GaussianBlur(patch, (0, 0), 1.5).astype(np.float32)[:, :, None] / 255
        white = np.float32(rng.uniform(0.88, 1.0))
        paper += cover * np.float32(rng.uniform(0.75, 1.0)) * (white - paper)


def _outline_dominoes(work: SheetDrawing, corners: NDArray[np.float64], cells: Cells) -> None:
    """The rim of each domino traced, as some players do to see their turns."""
    free = {(r, c) for r, c in np.ndindex(ROWS, COLUMNS) if cells[r][c] is not None}
    for row, column in sorted(free):
        for r, c in ((row, column + 1), (row + 1, column)):
            if (row, column) in free and (r, c) in free:
                free -= {(row, column), (r, c)}
                a, b = corners[row, column], corners[r + 1, c + 1]
                inset = (b - a) * float(work.rng.uniform(-0.01, 0.02))
                x0, y0, x1, y1 = *(a + inset), *(b - inset)
                work.line([(x0, y0), (x1, y0), (x1, y1), (x0, y1)], closed=True)


def _put_right(
    paper: Paper,
    form: SheetForm,
    corners: NDArray[np.float64],
    cells: Cells,
    person: tuple[Hand, Pen, np.random.Generator, Variety],
) -> dict[int, str]:
    """Which squares (by their index) are put right, and how; what is drawn over later is drawn here."""
    hand, pen, rng, variety = person
    if not variety.second_thoughts or rng.random() > variety.second_thoughts:
        return {}
    ways = put_right(rng, [cell[0] if cell else None for row in cells for cell in row], pen.width)
    mask = np.zeros(paper.shape[:2], np.uint8)
    light = SheetDrawing(mask, hand, max(0.8, 0.8 * pen.width * SQUARE_PX), rng)
    for index, way in ways.items():
        row, column = divmod(index, COLUMNS)
        cell = cells[row][column]
        if way == "over" and cell is not None:
            first_try(light, cell[0], _field_of(form, _middle(corners, row, column)))
    faint = Pen(pen.width, pen.dark * float(rng.uniform(0.1, 0.4)), pen.colour, pen.grain)
    laid(paper, mask, faint, rng, SQUARE_PX)
    return ways


def _field_of(form: SheetForm, middle: NDArray[np.float64]) -> CoatBox:
    """Where the coat of the square with this middle goes."""
    px, field = SQUARE_PX, form.field
    return CoatBox(middle[0] + field.x * px, middle[1] + field.y * px, field.width * px, field.height * px)


def _write_cell(
    work: SheetDrawing,
    form: SheetForm,
    middle: NDArray[np.float64],
    cell: tuple[str, int],
    *,
    struck_out: bool = False,
) -> list[tuple[float, float]]:
    """A coat and its crosses; what is given back is where the crosses are."""
    coat, crosses = cell
    px, rng, box = SQUARE_PX, work.rng, _field_of(form, middle)
    if struck_out:
        box = struck(work, coat, box)
    draw_coat(work, coat, box)
    spots = list(form.circles) or [(0.38, -0.3), (0.38, 0.0), (0.38, 0.3)]
    if rng.random() < 0.2:
        rng.shuffle(spots)
    elif rng.random() < 0.15:
        spots.reverse()
    while len(spots) < crosses:
        x, y = spots[-1]
        upright = abs(spots[0][0]) >= abs(spots[0][1]) and len({s[0] for s in spots}) == 1
        aside = np.sign(y if upright else x) or 1.0
        spots.append((x, y + aside * 0.2) if upright else (x + aside * 0.2, y))
    out = work.hand.sloppy > 0.6 and rng.random() < 0.12
    drawn = []
    for x, y in spots[:crosses]:
        if out:
            x, y = x + float(rng.normal(0, 0.04)), y + float(rng.normal(0, 0.04))
        drawn.append((float(middle[0] + x * px), float(middle[1] + y * px)))
        work.cross(*drawn[-1], form.radius * px)
    return drawn


def _write_ghosts(
    paper: Paper, form: SheetForm, corners: NDArray[np.float64], person: tuple[Hand, Pen, np.random.Generator]
) -> None:
    """What was rubbed out: a coat here and there that still shines through faintly."""
    hand, pen, rng = person
    if rng.random() > 0.3:
        return
    mask = np.zeros(paper.shape[:2], np.uint8)
    work = SheetDrawing(mask, hand, max(0.8, pen.width * SQUARE_PX), rng)
    for _ in range(int(rng.integers(1, 4))):
        row, column = int(rng.integers(ROWS)), int(rng.integers(COLUMNS))
        if (row, column) != CASTLE:
            _write_cell(
                work, form, _middle(corners, row, column), (str(rng.choice(COATS)), int(rng.integers(2)))
            )
    smeared = cv2.GaussianBlur(mask, (0, 0), float(rng.uniform(0.6, 2.0)))
    faint = Pen(pen.width, pen.dark * float(rng.uniform(0.05, 0.2)), pen.colour, 0.4)
    laid(paper, smeared, faint, rng, SQUARE_PX)


def _shade_borders(work: SheetDrawing, form: SheetForm, corners: NDArray[np.float64], cells: Cells) -> None:
    """The line between two equal coats, traced as players are told to."""
    width = max(work.width * 1.2, form.gap * SQUARE_PX * float(work.rng.uniform(0.4, 0.9)))
    for row, column in np.ndindex(ROWS, COLUMNS):
        here = cells[row][column]
        for down, right in ((1, 0), (0, 1)):
            r, c = row + down, column + right
            there = cells[r][c] if r < ROWS and c < COLUMNS else None
            if here is None or there is None or here[0] != there[0]:
                continue
            a, b = corners[r, c], corners[row + 1, column + 1]
            work.line([a + (b - a) * 0.08, a + (b - a) * 0.92], width=width)


def random_cells(rng: np.random.Generator) -> Cells:
    """Squares filled without regard to the rules, every coat and count alike: to learn from."""
    some: Sequence[int] = (0, 0, 0, 1, 1, 2, 2, 3)
    full = float(rng.uniform(0.45, 1.0))

    def one(place: tuple[int, int]) -> Cell:
        if place == CASTLE or rng.random() > full:
            return None
        return str(rng.choice(COATS)), int(rng.choice(some))

    return tuple(tuple(one((row, column)) for column in range(COLUMNS)) for row in range(ROWS))
