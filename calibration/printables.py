"""Markers, mats and the lens board as vector PDF, true to the millimetre.

Every sheet carries a bar of exactly 100 mm, because printers like to shrink: measured, it tells the scale.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from io import BytesIO

from reportlab.lib.pagesizes import A2, A4, landscape, letter, portrait
from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas

from calibration.lens_board import COLUMNS, ROWS, SQUARE_MM, black_squares, board_markers
from calibration.mats import MARKER_MM, PAPER_MM, MarkerPlace, black_cells, mat_markers
from calibration.plan import Region, TablePlan

PAPERS = {"a4": A4, "letter": letter, "a2": A2}
BAR_MM = 100.0

_EDGE_MM = 8.0
"""What a printer may leave white around a sheet."""
_OVERLAP_MM = 10.0
_FOOT_MM = 10.0
_GAP_MM = 12.0
_CORNERS = {0: "far left", 1: "far right", 2: "near right", 3: "near left"}
_LINE_GREY, _TEXT_GREY = 0.72, 0.45


@dataclass(frozen=True)
class Tile:
    """The part of a mat that one sheet shows, in table millimetres."""

    left: float
    bottom: float
    width: float
    height: float


def markers_pdf(paper: str, *, side_mm: float = MARKER_MM, count: int = 4) -> bytes:
    """Loose markers to cut out: the four of the corners, and more that make the table surer."""
    page = portrait(PAPERS[paper])
    width, height = page[0] / mm, page[1] / mm
    edge = side_mm * PAPER_MM / MARKER_MM
    columns = max(1, int((width - 2 * _EDGE_MM + _GAP_MM) / (edge + _GAP_MM)))
    rows = max(1, int((height - 2 * _EDGE_MM - 2 * _FOOT_MM + _GAP_MM) / (edge + _GAP_MM)))

    def drawer(numbers: Sequence[int]) -> Drawer:
        def draw(canvas: Canvas) -> None:
            for index, number in enumerate(numbers):
                x = width / 2 + (index % columns - (columns - 1) / 2) * (edge + _GAP_MM)
                y = height - _EDGE_MM - edge / 2 - (index // columns) * (edge + _GAP_MM)
                _cut_marks(canvas, x, y, edge)
                draw_marker(canvas, MarkerPlace(number, (x, y), 0.0, side_mm))
                title = f"{number}: {_CORNERS[number]}" if number in _CORNERS else f"{number}: anywhere"
                _text(canvas, x, y - edge / 2 - 4, title, size=8)
            told = f"Pipwatch markers, black side {side_mm:g} mm. Cut along the marks and lay them flat."
            draw_foot(canvas, width, told)

        return draw

    sheets = [range(first, min(first + rows * columns, count)) for first in range(0, count, rows * columns)]
    return write_pdf("Pipwatch markers", [(page, drawer(numbers)) for numbers in sheets])


def board_pdf(paper: str) -> bytes:
    """The lens board."""
    page = landscape(PAPERS[paper])

    def draw(canvas: Canvas) -> None:
        width, height = page[0] / mm, page[1] / mm
        x0, y0 = width / 2, (height + _FOOT_MM) / 2
        half = SQUARE_MM / 2
        canvas.setFillGray(0)
        for x, y in black_squares():
            canvas.rect((x0 + x - half) * mm, (y0 + y - half) * mm, SQUARE_MM * mm, SQUARE_MM * mm, 0, 1)
        for place in board_markers():
            x, y = place.centre_mm
            draw_marker(canvas, MarkerPlace(place.number, (x0 + x, y0 + y), 0.0, place.side_mm))
        squares = f"{COLUMNS}×{ROWS} squares of {SQUARE_MM:g} mm"
        draw_foot(canvas, width, f"Pipwatch lens board, {squares}. Glue it to something flat and stiff.")

    return write_pdf("Pipwatch lens board", [(page, draw)])


def mat_pdf(plan: TablePlan, paper: str, *, side_mm: float = MARKER_MM) -> bytes:
    """The mat of a game: one sheet, or several to tape together, with marks to cut and to overlap."""
    markers = mat_markers(plan, side_mm=side_mm)
    page, tiles = _best_tiling(plan, markers, PAPERS[paper])
    pages = []
    for row, line in enumerate(tiles):
        for column, tile in enumerate(line):
            name = f"{plan.game}, sheet {row * len(line) + column + 1} of {len(tiles) * len(line)}"
            pages.append((page, _tile_drawer(plan, markers, tile, (name, page[0] / mm))))
    return write_pdf(f"Pipwatch mat for {plan.game}", pages)


def sheet_count(plan: TablePlan, paper: str, *, side_mm: float = MARKER_MM) -> int:
    """How many sheets of a paper the mat of ``plan`` takes."""
    tiles = _best_tiling(plan, mat_markers(plan, side_mm=side_mm), PAPERS[paper])[1]
    return sum(len(line) for line in tiles)


Drawer = Callable[[Canvas], None]
Page = tuple[tuple[float, float], Drawer]


def write_pdf(title: str, pages: Sequence[Page]) -> bytes:
    """Pages as one file: the same pages are the same bytes."""
    out = BytesIO()
    # Without a date in it the same sheet is the same file, byte for byte.
    canvas = Canvas(out, pageCompression=1, invariant=1)
    canvas.setTitle(title)
    canvas.setAuthor("Pipwatch")
    for size, draw in pages:
        canvas.setPageSize(size)
        draw(canvas)
        canvas.showPage()
    canvas.save()
    return out.getvalue()


def _best_tiling(
    plan: TablePlan, markers: Sequence[MarkerPlace], paper: tuple[float, float]
) -> tuple[tuple[float, float], list[list[Tile]]]:
    """The way to lay the sheets that takes fewest of them, no marker being cut by a seam."""
    options = []
    for page in (landscape(paper), portrait(paper)):
        width, height = page[0] / mm - 2 * _EDGE_MM, page[1] / mm - 2 * _EDGE_MM - _FOOT_MM
        across = _even_cuts(plan.size_mm[0], width, [(m.centre_mm[0], m.side_mm) for m in markers])
        along = _even_cuts(plan.size_mm[1], height, [(m.centre_mm[1], m.side_mm) for m in markers])
        rows = [[Tile(x, y, w, h) for x, w in across] for y, h in reversed(along)]
        options.append((page, rows))
    return min(options, key=lambda option: sum(len(row) for row in option[1]))


def _even_cuts(length: float, most: float, spots: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    """As few pieces as can be, and none much smaller than the others."""
    fewest = len(_cuts(length, most, spots))
    shorter = (length + (fewest - 1) * _OVERLAP_MM) / fewest
    while shorter < most and len(_cuts(length, shorter, spots)) > fewest:
        shorter += 1
    return _cuts(length, min(shorter, most), spots)


def _cuts(length: float, most: float, spots: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    """Where to cut a length around 0 into pieces (start, extent) that overlap and leave markers whole."""
    start, end = -length / 2, length / 2
    pieces: list[tuple[float, float]] = []
    while end - start > most + 1e-6:
        seam = start + most
        # The overlap lies before the seam: what is printed there on one sheet is hidden under the next.
        for spot, side in sorted(spots, reverse=True):
            reach = side * PAPER_MM / MARKER_MM / 2
            if seam - _OVERLAP_MM < spot + reach and seam > spot - reach:
                seam = spot - reach
        pieces.append((start, seam - start))
        start = seam - _OVERLAP_MM
    pieces.append((start, end - start))
    return pieces


def _tile_drawer(
    plan: TablePlan, markers: Sequence[MarkerPlace], tile: Tile, sheet: tuple[str, float]
) -> Drawer:
    name, page_width = sheet

    def draw(canvas: Canvas) -> None:
        canvas.saveState()
        canvas.translate((_EDGE_MM - tile.left) * mm, (_EDGE_MM + _FOOT_MM - tile.bottom) * mm)
        outline = canvas.beginPath()
        outline.rect(tile.left * mm, tile.bottom * mm, tile.width * mm, tile.height * mm)
        canvas.clipPath(outline, stroke=0, fill=0)
        for region in plan.regions.values():
            _region(canvas, region)
        for marker in markers:
            draw_marker(canvas, marker)
        canvas.restoreState()
        _crop_marks(canvas, tile)
        draw_foot(canvas, page_width, f"Pipwatch mat: {name}. {_joining(plan, tile)}".strip())

    return draw


def _joining(plan: TablePlan, tile: Tile) -> str:
    right, top = tile.left + tile.width, tile.bottom + tile.height
    sides = []
    if right < plan.size_mm[0] / 2 - 1e-6:
        sides.append("right")
    if top < plan.size_mm[1] / 2 - 1e-6:
        sides.append("upper")
    if not sides:
        return ""
    return f"The next sheet covers {_OVERLAP_MM:g} mm of the {' and '.join(sides)} edge."


def _region(canvas: Canvas, region: Region) -> None:
    left, bottom, right, top = region.bounds_mm
    canvas.setStrokeGray(_LINE_GREY)
    canvas.setLineWidth(0.5)
    canvas.rect(left * mm, bottom * mm, (right - left) * mm, (top - bottom) * mm, 1, 0)
    if region.squares and region.unit_mm:
        columns, rows = region.squares
        x0, y0 = region.place_mm(0.5, 0.5)
        x1, y1 = region.place_mm(columns + 0.5, rows + 0.5)
        for column in range(columns + 1):
            x = region.place_mm(column + 0.5, 0)[0]
            canvas.line(x * mm, y0 * mm, x * mm, y1 * mm)
        for row in range(rows + 1):
            y = region.place_mm(0, row + 0.5)[1]
            canvas.line(x0 * mm, y * mm, x1 * mm, y * mm)
    if region.title:
        _text(canvas, (left + right) / 2, top - 4.5, region.title, size=7)


def draw_marker(canvas: Canvas, place: MarkerPlace) -> None:
    """The black cells as one path, so that no hairline shows between its runs."""
    canvas.setFillGray(0)
    path = canvas.beginPath()
    for corners in black_cells(place):
        path.moveTo(corners[0][0] * mm, corners[0][1] * mm)
        for x, y in corners[1:]:
            path.lineTo(x * mm, y * mm)
        path.close()
    canvas.drawPath(path, stroke=0, fill=1, fillMode=1)


def _cut_marks(canvas: Canvas, x: float, y: float, edge: float) -> None:
    canvas.setStrokeGray(_TEXT_GREY)
    canvas.setLineWidth(0.3)
    for dx in (-1, 1):
        for dy in (-1, 1):
            cx, cy = x + dx * edge / 2, y + dy * edge / 2
            canvas.line(cx * mm, cy * mm, (cx + dx * 3) * mm, cy * mm)
            canvas.line(cx * mm, cy * mm, cx * mm, (cy + dy * 3) * mm)


def _crop_marks(canvas: Canvas, tile: Tile) -> None:
    x0, y0 = _EDGE_MM, _EDGE_MM + _FOOT_MM
    _cut_marks_at(canvas, [(x0, y0), (x0 + tile.width, y0)], -1)
    _cut_marks_at(canvas, [(x0, y0 + tile.height), (x0 + tile.width, y0 + tile.height)], 1)


def _cut_marks_at(canvas: Canvas, corners: Sequence[tuple[float, float]], way: int) -> None:
    canvas.setStrokeGray(_TEXT_GREY)
    canvas.setLineWidth(0.3)
    (lx, ly), (rx, ry) = corners
    for x, y, side in ((lx, ly, -1), (rx, ry, 1)):
        canvas.line((x + side) * mm, y * mm, (x + 5 * side) * mm, y * mm)
        canvas.line(x * mm, (y + way) * mm, x * mm, (y + 5 * way) * mm)


def draw_foot(canvas: Canvas, width: float, text: str) -> None:
    """The check bar and a line of text at the sheet's foot."""
    y = 7.0
    left = _EDGE_MM + 2
    canvas.setStrokeGray(0)
    canvas.setLineWidth(0.4)
    canvas.line(left * mm, y * mm, (left + BAR_MM) * mm, y * mm)
    for step in range(11):
        tall = 2.2 if step % 5 == 0 else 1.2
        x = left + step * BAR_MM / 10
        canvas.line(x * mm, y * mm, x * mm, (y + tall) * mm)
    _text(
        canvas,
        left + BAR_MM / 2,
        y + 3,
        "this bar must measure 100 mm; if not, measure a marker: --marker-mm",
        size=6,
    )
    canvas.setFillGray(_TEXT_GREY)
    canvas.setFont("Helvetica", 6)
    room = (width - left - BAR_MM - 4 - _EDGE_MM) * mm
    for line_number, line in enumerate(_wrapped(canvas, text, room)):
        canvas.drawString((left + BAR_MM + 4) * mm, (y + 3 - 2.6 * line_number) * mm, line)


def _wrapped(canvas: Canvas, text: str, room: float) -> list[str]:
    lines = [""]
    for word in text.split():
        longer = f"{lines[-1]} {word}".strip()
        if lines[-1] and canvas.stringWidth(longer, "Helvetica", 6) > room:
            lines.append(word)
        else:
            lines[-1] = longer
    return lines


def _text(canvas: Canvas, x: float, y: float, text: str, *, size: float) -> None:
    canvas.setFillGray(_TEXT_GREY)
    canvas.setFont("Helvetica", size)
    canvas.drawCentredString(x * mm, y * mm, text)
