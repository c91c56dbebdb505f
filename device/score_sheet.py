"""The score sheet of a Duel as PDF: one map or two side by side, every domain, winner and tie-break."""

from collections.abc import Sequence
from io import BytesIO
from typing import Any

import cv2
from reportlab.lib.pagesizes import A4, landscape
from reportlab.lib.units import mm
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas

from calibration.printables import write_pdf
from device.sheet_reading import FlatMap, PhotoMap, called, outcome_of, winner_words
from engine.kingdomino_duel.edition import coat_words
from engine.kingdomino_duel.kingdom import NAMES
from vision.sheet_picture import overlaid

_PAGE = landscape(A4)
_WIDE_MM, _EDGE_MM = 128.0, 16.0
_LEAST_STEP_MM, _STEP_MM = 2.9, 5.0


def score_sheet_pdf(flats: Sequence[FlatMap]) -> bytes:
    """One page for the first two maps."""
    shown = flats[:2]
    maps = [flat.map for flat in shown]

    def draw(canvas: Canvas) -> None:
        _words(canvas, (_EDGE_MM, 194), "Kingdomino Duel", 18, bold=True)
        outcome = outcome_of(maps)
        if outcome is not None:
            _words(canvas, (_EDGE_MM, 185), f"{winner_words(maps, outcome)} [{outcome.rule}]", 12)
        for number, flat in enumerate(shown):
            left = _EDGE_MM + number * (_WIDE_MM + 10)
            _column(canvas, left, called(maps, number), flat)
        _words(canvas, (_EDGE_MM, 8), "Squares × crosses, domain by domain. Read by Pipwatch.", 7)

    return write_pdf("Score of a Kingdomino Duel", [(_PAGE, draw)])


def _column(canvas: Canvas, left: float, name: str, flat: FlatMap) -> None:
    """One player's map and its sum."""
    one, score = flat.map, flat.map.score
    _words(canvas, (left, 174), name, 13, bold=True)
    _words(canvas, (left + _WIDE_MM, 174), f"{score.total} points", 13, bold=True, right=True)
    picture = overlaid(flat.flat, one.read)
    height = _WIDE_MM * picture.shape[0] / picture.shape[1]
    done, jpeg = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, 88])
    assert done
    reader: Any = ImageReader(BytesIO(jpeg.tobytes()))
    canvas.drawImage(reader, left * mm, (171 - height) * mm, _WIDE_MM * mm, height * mm)
    lines = list(_lines(one))
    step = max(_LEAST_STEP_MM, min(_STEP_MM, (157 - height) / max(1, len(lines))))
    y = 171 - height - step
    for what, sum_told in lines:
        _words(canvas, (left, y), what, min(9.0, step * 1.9))
        _words(canvas, (left + _WIDE_MM, y), sum_told, min(9.0, step * 1.9), right=True)
        y -= step


def _lines(one: PhotoMap) -> list[tuple[str, str]]:
    """What stands under a map: every domain, the named coat, the tie-break, and what to look at."""
    score = one.score
    lines = [
        (
            f"{coat_words(domain.coat)} at {NAMES[domain.squares[0]]}",
            f"{len(domain.squares)} × {domain.crosses} = {domain.points}",
        )
        for domain in score.domains
    ]
    if one.sheet.named is not None:
        lines.append((f"named coat (P5): {coat_words(one.sheet.named)}", f"{score.named_points}"))
    elif one.unnamed:
        lines.append(("coat named with P5 (see the spellbook): not told", ""))
    lines.append((f"largest domain: {score.largest} squares", f"total {score.total}"))
    if one.read.doubts:
        lines.append((f"to be looked at: {', '.join(one.read.doubts)}", ""))
    return lines


def _words(
    canvas: Canvas,
    start: tuple[float, float],
    text: str,
    size: float,
    *,
    bold: bool = False,
    right: bool = False,
) -> None:
    canvas.setFillGray(0.1)
    canvas.setFont("Helvetica-Bold" if bold else "Helvetica", size)
    draw = canvas.drawRightString if right else canvas.drawString
    draw(start[0] * mm, start[1] * mm, text)
