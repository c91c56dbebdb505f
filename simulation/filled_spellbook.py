"""A filled spellbook of ours on paper: ticks, struck lines and used powers by any pen and hand."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration import duel_sheet
from engine.kingdomino_duel.edition import AS_PRINTED, COATS
from simulation.filled_sheet import FilledSheet, print_marks
from simulation.pen_strokes import TAUGHT, SheetDrawing, Variety, laid, random_hand, random_pen

PX_MM = 4.0
_SIZE_MM = (276.0, 196.0)
Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class BookLine:
    """What both players have done in one line."""

    ticks: tuple[int, int]
    struck: int | None = None
    """The player whose side is struck out."""
    used: bool = False


def random_lines(rng: np.random.Generator) -> tuple[BookLine, ...]:
    """Lines as a game may leave them, coat by coat."""
    lines = []
    for line in AS_PRINTED.lines:
        most = line.length
        first, second = int(rng.integers(most + 1)), int(rng.integers(most))
        ticks = (first, second) if rng.random() < 0.5 else (second, first)
        owner = next((player for player in (1, 2) if ticks[player - 1] == most), None)
        struck = 3 - owner if owner is not None and rng.random() < 0.9 else None
        used = owner is not None and line.power <= 4 and bool(rng.random() < 0.6)
        lines.append(BookLine(ticks, struck, used))
    return tuple(lines)


def filled_spellbook(
    lines: tuple[BookLine, ...], rng: np.random.Generator, *, variety: Variety = TAUGHT
) -> FilledSheet:
    """Our spellbook with these lines, filled in by one person."""
    size = (round(_SIZE_MM[1] * PX_MM), round(_SIZE_MM[0] * PX_MM))
    paper = np.empty((*size, 3), np.float32)
    paper[:] = (0.93, 0.94, 0.94)
    printed = np.zeros(size, np.uint8)
    for coat in range(len(COATS)):
        _print_line(printed, coat)
    paper *= 1 - printed.astype(np.float32)[:, :, None] / 255 * 0.6
    mesh = np.stack(np.meshgrid(np.arange(8) - 3.5, np.arange(6) - 2.5), axis=2)
    middle = np.array([_SIZE_MM[0], _SIZE_MM[1]]) / 2 * PX_MM
    corners = mesh * duel_sheet.PITCH_MM * PX_MM + middle
    print_marks(paper, middle, PX_MM, duel_sheet.SPELLBOOK_MARKS)
    pen = random_pen(rng, variety)
    mask = np.zeros(size, np.uint8)
    width = max(1.0, pen.width * duel_sheet.PITCH_MM * PX_MM)
    work = SheetDrawing(mask, random_hand(rng, variety), width, rng)
    habit = str(rng.choice(("tick", "cross", "fill", "stroke")))
    for coat, line in enumerate(lines):
        _write_line(work, coat, line, habit)
    laid(paper, mask, pen, rng, duel_sheet.PITCH_MM * PX_MM)
    return FilledSheet(paper, (), False, corners, True, np.zeros((0, 2)))


def _px(x: float, y: float) -> Point:
    """A place on the sheet, in pixels."""
    return ((x + _SIZE_MM[0] / 2) * PX_MM, (_SIZE_MM[1] / 2 - y) * PX_MM)


def _print_line(printed: NDArray[np.uint8], coat: int) -> None:
    line = AS_PRINTED.lines[coat]
    y = duel_sheet.spell_line_y(line.power)
    half = duel_sheet.TICK_MM / 2
    for player in (1, 2):
        for place in range(line.length):
            x = duel_sheet.tick_x(player, place, line.length)
            _frame(printed, (x - half, y - half), (x + half, y + half))
        spot = _px(*duel_sheet.used_middle(player, line.power))
        around = (round(spot[0]), round(spot[1])), round(duel_sheet.USED_MM * PX_MM)
        cv2.circle(printed, *around, 255, 1, cv2.LINE_AA)
    _frame(printed, (-duel_sheet.SPELL_HALF_MM, y - 9), (duel_sheet.SPELL_HALF_MM, y + 9))
    for told, size, below in ((f"P{line.power} power", 0.6, -3.4), ("what it does, in small words", 0.35, 3)):
        x, foot = _px(-18, y - below)
        place_px = (round(x), round(foot))
        cv2.putText(printed, told, place_px, cv2.FONT_HERSHEY_SIMPLEX, size, 255, 1, cv2.LINE_AA)


def _frame(printed: NDArray[np.uint8], low: Point, high: Point) -> None:
    (ax, ay), (bx, by) = _px(*low), _px(*high)
    cv2.rectangle(printed, (round(ax), round(ay)), (round(bx), round(by)), 255, 1, cv2.LINE_AA)


def _write_line(work: SheetDrawing, coat: int, line: BookLine, habit: str) -> None:
    length, power = AS_PRINTED.lines[coat].length, AS_PRINTED.lines[coat].power
    y = duel_sheet.spell_line_y(power)
    for player, count in zip((1, 2), line.ticks, strict=True):
        for place in range(count):
            x, level = _px(duel_sheet.tick_x(player, place, length), y)
            _tick(work, (x, level), habit)
        if line.struck == player:
            ends = [duel_sheet.tick_x(player, place, length) for place in (0, length - 1)]
            slope = float(work.rng.normal(0, 1.2))
            low, high = sorted(ends)
            work.line([_px(low - 6, y - slope), _px((low + high) / 2, y), _px(high + 6, y + slope)])
        if line.used and line.ticks[player - 1] == length:
            x, level = _px(*duel_sheet.used_middle(player, power))
            work.cross(x, level, duel_sheet.USED_MM * PX_MM * 1.1)


def _tick(work: SheetDrawing, spot: Point, habit: str) -> None:
    x, y = spot
    reach = duel_sheet.TICK_MM * PX_MM * 0.32 * float(work.rng.uniform(0.8, 1.2))
    x, y = x + float(work.rng.normal(0, 0.1)) * reach, y + float(work.rng.normal(0, 0.1)) * reach
    if habit == "cross":
        work.cross(x, y, reach)
    elif habit == "tick":
        work.line([(x - 0.8 * reach, y), (x - 0.2 * reach, y + reach), (x + reach, y - reach)])
    elif habit == "stroke":
        work.line([(x - 0.7 * reach, y + reach), (x + 0.7 * reach, y - reach)])
    else:
        half = reach * 1.2
        work.fill([(x - half, y - half), (x + half, y - half), (x + half, y + half), (x - half, y + half)])
