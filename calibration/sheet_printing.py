"""Our own map and spellbook for Kingdomino Duel as vector PDF, one sheet each, to print at actual size."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from reportlab.lib.pagesizes import landscape, portrait
from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas

from calibration.duel_sheet import (
    BOX_MM,
    CARD_MM,
    CARD_SCALE,
    CASTLE,
    CIRCLE_MM,
    CIRCLES,
    MAP_MARKS,
    PITCH_MM,
    ROOF,
    SHIELD,
    SHIELD_MIDDLE,
    SPELL_HALF_MM,
    SPELLBOOK_MARKS,
    TICK_MM,
    USED_MM,
    Point,
    spell_line_y,
    square_middle,
    tick_x,
    used_middle,
)
from calibration.printables import PAPERS, Drawer, draw_foot, draw_marker, write_pdf
from engine.kingdomino_duel.edition import AS_PRINTED, COATS, coat_words
from engine.kingdomino_duel.kingdom import CASTLE as CASTLE_SQUARE
from engine.kingdomino_duel.kingdom import COLUMNS, ROWS, SQUARES

SIDES = ("map", "spellbook")
_SHIELD_GREY, _BOX_GREY, _WORD_GREY = 0.35, 0.55, 0.3
_CUT_GREY = 0.8
_FOOT_MM = 18.0
"""Room below the lower card for the sheet's foot."""
_POWERS = {
    1: ("Free place", "Draw this turn's domino wherever there", "are two empty squares side by side."),
    2: ("Two singles", "Draw your two dice as two squares apart,", "each of them by the placing rules."),
    3: ("First pick", "As player A take two dice at once;", "player B gets the other two."),
    4: ("Turn a die", "Turn one of your two dice to any face", "that this die has."),
    5: ("Name a coat", "At once: name a coat. Each of its domains", "is worth 3 more points at the end."),
    6: ("One more cross", "At once: add a cross to a coat", "on your map."),
}


def sheets_pdf(paper: str, sides: Sequence[str] = SIDES) -> bytes:
    """The sheets named in ``sides``, in that order, each on a page of its own."""
    page = landscape(PAPERS[paper])
    makers = {"map": _map, "spellbook": _spellbook}
    return write_pdf("Pipwatch sheets for Kingdomino Duel", [(page, makers[side](page)) for side in sides])


def cards_pdf(paper: str) -> bytes:
    """Two maps to cut out, as large as the players' places on the mat, on one page."""
    page = portrait(PAPERS[paper])

    def draw(canvas: Canvas) -> None:
        width, height = CARD_MM
        for card in range(2):
            canvas.saveState()
            canvas.translate(page[0] / 2, (_FOOT_MM + height * (card + 0.5)) * mm)
            _pen(canvas, 0.4, _CUT_GREY)
            canvas.rect(-width / 2 * mm, -height / 2 * mm, width * mm, height * mm, 1, 0)
            canvas.scale(CARD_SCALE, CARD_SCALE)
            _draw_map(canvas)
            canvas.restoreState()
        told = (
            "Pipwatch maps for the mat, one for each player. Cut along the thin lines, and draw at any turn."
        )
        draw_foot(canvas, page[0] / mm, told)

    return write_pdf("Pipwatch maps for the mat of Kingdomino Duel", [(page, draw)])


def _map(page: tuple[float, float]) -> Drawer:
    def draw(canvas: Canvas) -> None:
        canvas.saveState()
        canvas.translate(page[0] / 2, page[1] / 2 + 4 * mm)
        _draw_map(canvas)
        canvas.restoreState()
        draw_foot(
            canvas, page[0] / mm, "Pipwatch map. Shade the gap between equal coats to see your domains."
        )

    return draw


def _draw_map(canvas: Canvas) -> None:
    """A map around the middle of the canvas."""
    for mark in MAP_MARKS:
        draw_marker(canvas, mark)
    for square in SQUARES:
        middle = square_middle(square // 8, square % 8)
        _box(canvas, middle)
        if square == CASTLE_SQUARE:
            _castle(canvas, middle)
        else:
            _shield(canvas, middle)
    edge = PITCH_MM * ROWS / 2
    _words(canvas, (-PITCH_MM * COLUMNS / 2, edge + 5), "Kingdom of", 11)
    _rule(canvas, (-80, edge + 4.5), 75)
    _words(canvas, (20, edge + 5), "Castle roof: colour it when you add your cross.", 8)
    _score_pad(canvas, -edge - 9)


def _score_pad(canvas: Canvas, y: float) -> None:
    """Room for the sum: squares × crosses, domain by domain."""
    _words(canvas, (-105, y), "Domains, squares × crosses:", 8)
    for k in range(8):
        _rule(canvas, (-68 + 16 * k, y - 0.5), 12)
        if k < 7:
            _words(canvas, (-55.2 + 16 * k, y), "+", 8)
    _words(canvas, (62, y), "Points:", 9)
    _rule(canvas, (75, y - 0.5), 28)


def _spellbook(page: tuple[float, float]) -> Drawer:
    def draw(canvas: Canvas) -> None:
        canvas.saveState()
        canvas.translate(page[0] / 2, page[1] / 2 + 4 * mm)
        for mark in SPELLBOOK_MARKS:
            draw_marker(canvas, mark)
        _words(canvas, (-104, 78), "Spells of", 11)
        _rule(canvas, (-84, 77.5), 60)
        _words(canvas, (20, 78), "Spells of", 11)
        _rule(canvas, (40, 77.5), 60)
        for coat in range(len(COATS)):
            _spell(canvas, coat)
        told = "Tick a square for every coat drawn without a cross, from your side inwards."
        _words(
            canvas, (-104, -79), f"{told} First to fill a line wins its power; strike out the other side.", 8
        )
        canvas.restoreState()
        draw_foot(
            canvas, page[0] / mm, "Pipwatch spellbook, one for both players. Cross off P1 to P4 when used."
        )

    return draw


def _spell(canvas: Canvas, coat: int) -> None:
    line = AS_PRINTED.lines[coat]
    y = spell_line_y(line.power)
    title, *told = _POWERS[line.power]
    for player in (1, 2):
        for k in range(line.length):
            x = tick_x(player, k, line.length)
            _pen(canvas, 0.5, _SHIELD_GREY)
            half = TICK_MM / 2
            canvas.roundRect((x - half) * mm, (y - half) * mm, TICK_MM * mm, TICK_MM * mm, 1.2 * mm, 1, 0)
    _pen(canvas, 0.4, _BOX_GREY)
    canvas.roundRect(-SPELL_HALF_MM * mm, (y - 9) * mm, 2 * SPELL_HALF_MM * mm, 18 * mm, 2 * mm, 1, 0)
    _coat(canvas, coat, (-SPELL_HALF_MM + 10.5, y))
    _words(canvas, (-SPELL_HALF_MM + 18, y + 3.4), f"P{line.power}  {title}", 9.5)
    _words(canvas, (-SPELL_HALF_MM + 18, y - 1), told[0], 6)
    _words(canvas, (-SPELL_HALF_MM + 18, y - 3.8), told[1], 6)
    _words(canvas, (-SPELL_HALF_MM + 18, y - 6.8), coat_words(coat), 5.5)
    _pen(canvas, 0.6, _SHIELD_GREY)
    for player in (1, 2):
        x, above = used_middle(player, line.power)
        canvas.circle(x * mm, above * mm, USED_MM * mm, 1, 0)


def _coat(canvas: Canvas, coat: int, middle: Point) -> None:
    """A small shield with its coat, as an example of how to draw it."""
    x, y = middle
    scale = 0.62
    outline = [(x + scale * px, y + scale * py) for px, py in SHIELD]
    path = canvas.beginPath()
    _trace(path, outline)
    canvas.saveState()
    canvas.clipPath(path, stroke=0, fill=0)
    canvas.setFillGray(0.1)
    canvas.setStrokeGray(0.1)
    canvas.setLineWidth(1.9 * mm)
    name = COATS[coat]
    heights = {"dot": (0.0,), "two-dots": (2.4, -1.8), "stripe": (0.0,), "two-stripes": (2.2, -2.2)}
    for dy in heights.get(name, ()):
        if "dot" in name:
            canvas.circle(x * mm, (y + dy) * mm, 1.4 * mm, 0, 1)
        else:
            canvas.line((x - 7) * mm, (y + dy - 3) * mm, (x + 7) * mm, (y + dy + 3) * mm)
    if name == "black":
        canvas.rect((x - 7) * mm, (y - 8) * mm, 14 * mm, 16 * mm, 0, 1)
    if name == "quarters":
        canvas.rect((x - 7) * mm, y * mm, 7 * mm, 8 * mm, 0, 1)
        canvas.rect(x * mm, (y - 8) * mm, 7 * mm, 8 * mm, 0, 1)
    canvas.restoreState()
    _pen(canvas, 0.7, _SHIELD_GREY)
    canvas.drawPath(path, stroke=1, fill=0)


def _box(canvas: Canvas, middle: Point) -> None:
    x, y = middle[0] - BOX_MM / 2, middle[1] - BOX_MM / 2
    _pen(canvas, 0.6, _BOX_GREY)
    canvas.roundRect(x * mm, y * mm, BOX_MM * mm, BOX_MM * mm, 1.5 * mm, 1, 0)


def _shield(canvas: Canvas, middle: Point) -> None:
    x, y = middle
    _pen(canvas, 0.8, _SHIELD_GREY)
    _closed(canvas, [(x + SHIELD_MIDDLE[0] + px, y + SHIELD_MIDDLE[1] + py) for px, py in SHIELD])
    _pen(canvas, 0.6, _SHIELD_GREY)
    for dx, dy in CIRCLES:
        canvas.circle((x + dx) * mm, (y + dy) * mm, CIRCLE_MM * mm, 1, 0)


def _castle(canvas: Canvas, middle: Point) -> None:
    x, y = middle
    _pen(canvas, 1.0, 0.15)
    for line in (*CASTLE, (*ROOF, ROOF[0])):
        for (ax, ay), (bx, by) in pairwise(line):
            canvas.line((x + ax) * mm, (y + ay) * mm, (x + bx) * mm, (y + by) * mm)


def _closed(canvas: Canvas, outline: Sequence[Point]) -> None:
    path = canvas.beginPath()
    _trace(path, outline)
    canvas.drawPath(path, stroke=1, fill=0)


def _trace(path: Any, outline: Sequence[Point]) -> None:
    path.moveTo(outline[0][0] * mm, outline[0][1] * mm)
    for x, y in outline[1:]:
        path.lineTo(x * mm, y * mm)
    path.close()


def _pen(canvas: Canvas, points: float, grey: float) -> None:
    canvas.setLineWidth(points)
    canvas.setStrokeGray(grey)


def _rule(canvas: Canvas, start: Point, width: float) -> None:
    _pen(canvas, 0.5, _BOX_GREY)
    canvas.line(start[0] * mm, start[1] * mm, (start[0] + width) * mm, start[1] * mm)


def _words(canvas: Canvas, start: Point, text: str, size: float) -> None:
    canvas.setFillGray(_WORD_GREY)
    canvas.setFont("Helvetica", size)
    canvas.drawString(start[0] * mm, start[1] * mm, text)
