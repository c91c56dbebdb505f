"""Sheets filled in by other hands: the second model of pens, which judges readers and is never learned from.

It shares the printed forms with ``simulation.filled_sheet`` and no stroke. What is drawn stays plain to a
person; where a square was put right, the truth is what was meant in the end.
"""

from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.kingdomino_duel.edition import COATS
from simulation.chances import spawned
from simulation.coat_strokes import CoatRoom, CrossWay, DrawingWays, cross, draw_coat_by
from simulation.filled_sheet import (
    CASTLE,
    COLUMNS,
    ROWS,
    SQUARE_PX,
    Cell,
    Cells,
    FilledSheet,
    Paper,
    SheetForm,
    printed_form,
    roof_outline,
)  # fmt: skip
from simulation.ink_flow import InkLayer, Nib, Path, Wrist
from simulation.pen_families import WIDE, Family, a_nib, a_wrist, plain_stripes, this_time, ways_of
from simulation.worn_paper import beside_drawings, coffee_on, crumpled, white_patch

Place = tuple[int, int]


@dataclass
class _Person:
    """Somebody with a pen: every layer of ink is theirs."""

    family: Family
    nib: Nib
    wrist: Wrist
    ways: DrawingWays

    def layer(self, paper: Paper, rng: np.random.Generator) -> InkLayer:
        return InkLayer((paper.shape[0], paper.shape[1]), self.nib, self.wrist, SQUARE_PX, rng)


def _somebody(family: Family, rng: np.random.Generator) -> _Person:
    nib = a_nib(str(rng.choice(family.pens)), rng)
    return _Person(family, nib, a_wrist(family, rng), ways_of(family, nib, rng))


def filled_by_another(
    form: SheetForm, cells: Cells, roof: bool, rng: np.random.Generator, family: Family
) -> FilledSheet:
    """A sheet of this form as one person of a family fills it in (of two-pens, two)."""
    paper, corners = printed_form(form)
    people = [_somebody(family, rng)]
    if family.two_pens:
        people.append(_somebody(family, rng))
    mended = _mended(cells, people[0], rng)
    for place, way in mended.items():
        _first_try(paper, (form, corners, place), (cells[place[0]][place[1]], way), people[0], rng)
    layers = [person.layer(paper, rng) for person in people]
    _coloured_roof(layers[0], roof_outline(form, corners), roof)
    changed = int(rng.integers(8, 28))
    crossed: list[Path] = []
    for index, (row, column) in enumerate(np.ndindex(ROWS, COLUMNS)):
        cell = cells[row][column]
        if cell is not None:
            who = (index >= changed) if family.two_pens else 0
            way = mended.get((row, column), "")
            spot = (form, _middle(corners, row, column))
            crossed += _drawn(layers[who], spot, cell, people[who], way)
    if family.outlined:
        _outline(layers[0], corners, form, cells)
    if family.shaded:
        _shade(layers[0], corners, form, cells)
    for layer in layers:
        layer.lay_on(paper)
    if family.doodles:
        ink = people[0].layer(paper, rng)
        beside_drawings(ink, form, corners, cells, int(rng.integers(3, family.doodles + 1)))
        ink.lay_on(paper)
    if family.crumpled:
        crumpled(paper, rng)
    if family.coffee:
        coffee_on(paper, rng)
    return FilledSheet(paper, cells, roof, corners, form.ours, np.array(crossed).reshape(-1, 2))


def sheet_by_ways(
    form: SheetForm, cells: Cells, rng: np.random.Generator, pen: tuple[Nib, Wrist], ways: DrawingWays
) -> FilledSheet:
    """A sheet on which all is drawn the same way, to vary one thing at a time."""
    paper, corners = printed_form(form)
    ink = InkLayer((paper.shape[0], paper.shape[1]), *pen, SQUARE_PX, rng)
    crossed: list[Path] = []
    # What chance does in one square does not hang on how others are drawn.
    chances = spawned(rng, ROWS * COLUMNS)
    for row, column in np.ndindex(ROWS, COLUMNS):
        cell = cells[row][column]
        if cell is not None:
            ink.rng = chances[row * COLUMNS + column]
            middle = _middle(corners, row, column)
            draw_coat_by(ink, cell[0], room_of(form, middle), ways)
            crossed += _crosses(ink, form, middle, cell[1], ways.cross)
    ink.lay_on(paper)
    return FilledSheet(paper, cells, False, corners, form.ours, np.array(crossed).reshape(-1, 2))


def room_of(form: SheetForm, middle: Path) -> CoatRoom:
    """Where the coat of a square goes."""
    field, px = form.field, SQUARE_PX
    return CoatRoom(
        middle[0] + field.x * px, middle[1] + field.y * px, field.width * px, field.height * px, px
    )


def _middle(corners: NDArray[np.float64], row: int, column: int) -> Path:
    return np.asarray((corners[row, column] + corners[row + 1, column + 1]) / 2)


def _drawn(
    ink: InkLayer, spot: tuple[SheetForm, Path], cell: tuple[str, int], person: _Person, way: str
) -> list[Path]:
    """A coat with its crosses; given back is where these are."""
    (form, middle), (coat, crosses) = spot, cell
    ways = this_time(person.family, person.nib, person.ways, ink.rng)
    ways = replace(ways, stripe=plain_stripes(ways.stripe, person.nib))
    room = room_of(form, middle)
    if way == "struck":
        # The coat that counts stands below the one that was struck out.
        room = CoatRoom(room.x, room.y + 0.2 * room.height, room.width, 0.58 * room.height, room.square_px)
        ways = replace(ways, stripe=replace(ways.stripe, length=max(0.9, ways.stripe.length), breaks=0))
    if way == "over":
        ways = _firmly(ways)
    draw_coat_by(ink, coat, room, ways)
    return _crosses(ink, form, middle, crosses, ways.cross)


def _firmly(ways: DrawingWays) -> DrawingWays:
    """So that nobody takes what lies beneath for what is meant."""
    return replace(
        ways,
        stripe=replace(ways.stripe, press=1.5, thick=1.6, band=0.0, length=max(1.0, ways.stripe.length)),
        dot=replace(ways.dot, shape="blob", size=max(0.12, ways.dot.size), press=1.5),
        quarter=replace(ways.quarter, style="solid", press=1.4),
        black=replace(ways.black, style="solid", press=1.4),
    )


def _crosses(ink: InkLayer, form: SheetForm, middle: Path, count: int, way: CrossWay) -> list[Path]:
    px, rng = SQUARE_PX, ink.rng
    spots = [np.array(spot) for spot in form.circles] or [np.array([0.38, y]) for y in (-0.3, 0.0, 0.3)]
    order = rng.random()
    if order < 0.15:
        spots.reverse()
    elif order < 0.3:
        spots = [spots[k] for k in rng.permutation(len(spots))]
    if len(spots) < count:
        step = form.circles[1][1] - form.circles[0][1] if len(form.circles) > 1 else 0.2
        spots.append(_beside(spots[-1], form, abs(step) or 0.2))
    drawn = [middle + spot * px for spot in spots[:count]]
    for spot in drawn:
        cross(ink, spot, form.radius * px, way)
    return drawn


def _beside(spot: Path, form: SheetForm, step: float) -> Path:
    """Room for one cross more than there are circles: towards the shield's corner that is free."""
    column = abs(spot[0]) > abs(spot[1]) or len({round(x, 3) for x, _ in form.circles}) == 1
    away = (
        np.array([-np.sign(spot[0]) * max(step, 0.2), 0.0])
        if column
        else np.array([0.0, -np.sign(spot[1]) * 0.2])
    )
    return np.asarray(spot + away)


def _mended(cells: Cells, person: _Person, rng: np.random.Generator) -> dict[Place, str]:
    """Which squares are put right, and how."""
    most = person.family.corrected
    if not most:
        return {}
    free = [place for place in np.ndindex(ROWS, COLUMNS) if place != CASTLE]
    chosen = rng.permutation(len(free))[: int(rng.integers(2, most + 1))]
    ways: dict[Place, str] = {}
    for k in chosen:
        row, column = free[int(k)]
        cell = cells[row][column]
        fit = ["white", "white", "rubbed"]
        if cell is not None:
            fit += ["faint"]
            fit += ["over"] * 2 if cell[0] in ("black", "quarters", "two-stripes") else []
            # With a wide pen what is struck out looks like a shield that is half black.
            narrow = person.nib.width < WIDE
            fit += ["struck"] * 2 if narrow and cell[0] in ("stripe", "two-stripes") else []
        ways[row, column] = str(rng.choice(fit))
    return ways


def _first_try(
    paper: Paper,
    where: tuple[SheetForm, NDArray[np.float64], Place],
    what: tuple[Cell, str],
    person: _Person,
    rng: np.random.Generator,
) -> None:
    """What stood in a square before it was put right, and what became of it."""
    (form, corners, place), (cell, way) = where, what
    middle = _middle(corners, *place)
    # Drawn over is only what the new coat covers, or does not look like.
    light: tuple[str, ...] = ("dot", "stripe") if cell is not None and cell[0] == "quarters" else COATS[:4]
    if cell is not None and cell[0] == "two-stripes" and way == "over":
        light = ("dot",)
    coat = str(rng.choice([one for one in (light if way in ("over", "faint", "struck") else COATS)
                           if cell is None or one != cell[0]]))  # fmt: skip
    ink = person.layer(paper, rng)
    ways = this_time(person.family, person.nib, person.ways, rng)
    room = room_of(form, middle)
    crosses = int(rng.integers(0, 2)) if way in ("white", "rubbed") else 0
    if way == "struck":
        upper = CoatRoom(room.x, room.y - 0.3 * room.height, 0.8 * room.width, 0.3 * room.height, SQUARE_PX)
        draw_coat_by(ink, coat, upper, replace(ways, dot=replace(ways.dot, apart=0.16, axis=0, size=0.08)))
        x0, x1 = upper.x - 0.62 * upper.width, upper.x + 0.62 * upper.width
        heights = upper.y + upper.height * np.linspace(-0.5, 0.5, 8) + rng.normal(0, 1.5, 8)
        ink.stroke(np.stack([np.tile([x0, x1], 4), heights], axis=1), press=1.2)
    else:
        draw_coat_by(ink, coat, room, ways)
        _crosses(ink, form, middle, crosses, ways.cross)
    if way in ("rubbed", "faint"):
        ink.amount *= float(rng.uniform(0.05, 0.14))
        ink.amount = cv2.GaussianBlur(ink.amount, (0, 0), 2.5)
    ink.lay_on(paper)
    if way == "white":
        white_patch(paper, (form, middle, SQUARE_PX), rng)


def _coloured_roof(ink: InkLayer, roof: Path, coloured: bool) -> None:
    if not coloured:
        return
    style = ink.rng.random()
    if style < 0.6:
        ink.fill(roof)
    low, high = roof.min(axis=0), roof.max(axis=0)
    step = max(ink.nib.width * 1.4, 0.025) * SQUARE_PX
    turns = []
    for k, y in enumerate(np.arange(low[1] + step, high[1], step)):
        # A roof narrows upwards, by whatever outline it has.
        crossing = _width_at(roof, float(y))
        if crossing is not None:
            turns += [(crossing[k % 2], y), (crossing[1 - k % 2], y)]
    if len(turns) > 1:
        ink.stroke(np.array(turns), press=0.9)


def _width_at(outline: Path, y: float) -> tuple[float, float] | None:
    ends = []
    for a, b in zip(outline, np.roll(outline, -1, axis=0), strict=True):
        if (a[1] - y) * (b[1] - y) < 0:
            ends.append(float(a[0] + (b[0] - a[0]) * (y - a[1]) / (b[1] - a[1])))
    return (min(ends), max(ends)) if len(ends) >= 2 else None


def _pairs(cells: Cells, rng: np.random.Generator) -> list[tuple[Place, Place]]:
    """Drawn squares two by two, as dominoes may have lain."""
    free = {place for place in np.ndindex(ROWS, COLUMNS) if cells[place[0]][place[1]] is not None}
    found = []
    for row, column in sorted(free):
        near = [place for place in ((row, column + 1), (row + 1, column)) if place in free]
        if (row, column) in free and near:
            other = near[int(rng.integers(len(near)))]
            free -= {(row, column), other}
            found.append(((row, column), other))
    return found


def _outline(ink: InkLayer, corners: NDArray[np.float64], form: SheetForm, cells: Cells) -> None:
    """A line around each domino."""
    rng = ink.rng
    inset = (form.gap / 2 + float(rng.choice((-0.02, 0.01, 0.03)))) * SQUARE_PX
    for (row, column), (r, c) in _pairs(cells, rng):
        (x0, y0), (x1, y1) = corners[row, column] + inset, corners[r + 1, c + 1] - inset
        around = np.array([(x0, y0), (x1, y0), (x1, y1), (x0, y1), (x0, y0 - 2)])
        ink.stroke(around + rng.normal(0, 0.012 * SQUARE_PX, around.shape))


def _shade(ink: InkLayer, corners: NDArray[np.float64], form: SheetForm, cells: Cells) -> None:
    """Borders between equal coats (or unequal ones) made dark: by lines, waves or short strokes."""
    rng = ink.rng
    style, within = str(rng.choice(("line", "wave", "strokes"))), bool(rng.random() < 0.7)
    wide = max(form.gap * 0.8, 1.2 * ink.nib.width, 0.04) * SQUARE_PX
    for row, column in np.ndindex(ROWS, COLUMNS):
        here = cells[row][column]
        for r, c in ((row + 1, column), (row, column + 1)):
            there = cells[r][c] if r < ROWS and c < COLUMNS else None
            if here is None or there is None or (here[0] == there[0]) != within:
                continue
            a, b = corners[r, c], corners[row + 1, column + 1]
            along = (b - a) / np.hypot(*(b - a))
            across = np.array([-along[1], along[0]]) * wide / 2
            spots = a + (b - a) * np.linspace(0.06, 0.94, 18 if style != "line" else 2)[:, None]
            if style == "line":
                ink.stroke(spots, thick=max(1.0, wide / (ink.nib.width * SQUARE_PX)))
            elif style == "wave":
                ink.stroke(spots + across * (-1.0) ** np.arange(18)[:, None])
            else:
                for spot in spots[::2]:
                    ink.stroke(np.array([spot - across - 2 * along, spot + across + 2 * along]))
