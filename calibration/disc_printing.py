"""The discs for soldiers' heads as vector PDF: a page for each army and side, as many as its pool has men."""

from reportlab.lib.pagesizes import portrait
from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas

from calibration.printables import PAPERS, Drawer, draw_foot, write_pdf
from calibration.soldier_marks import DISC_MM, outlines
from engine.dominoes_of_war.readings import READINGS, terms
from engine.dominoes_of_war.troops import ARMIES, Kind, title

SIDES = (1, 2)
_SPARE = 1
"""Of each type one disc more is printed: small papers are lost."""
_PITCH_MM = DISC_MM + 8.0
_LEFT_MM, _TOP_MM = 48.0, 40.0
_GREY, _CUT_GREY = 0.3, 0.75


def discs_pdf(paper: str) -> bytes:
    """For every army the discs of both sides; players print the two pages that they need."""
    page = portrait(PAPERS[paper])
    pages = [(page, _sheet(page, army, side)) for army in ARMIES for side in SIDES]
    return write_pdf("Pipwatch discs for soldiers", pages)


def discs_of(army: str) -> list[tuple[Kind, int]]:
    """How many discs of each type a page holds."""
    counts = terms({reading.key: reading.default for reading in READINGS.all}).pools[army]
    return [(kind, count + _SPARE) for kind, count in zip(ARMIES[army], counts, strict=True)]


def _sheet(page: tuple[float, float], army: str, side: int) -> Drawer:
    def draw(canvas: Canvas) -> None:
        width, height = page[0] / mm, page[1] / mm
        canvas.setFillGray(0)
        canvas.setFont("Helvetica-Bold", 14)
        canvas.drawString(14 * mm, (height - 20) * mm, f"{army.capitalize()}, side {side}")
        for row, (kind, count) in enumerate(discs_of(army)):
            y = height - _TOP_MM - row * _PITCH_MM
            canvas.setFillGray(_GREY)
            canvas.setFont("Helvetica", 10)
            canvas.drawString(14 * mm, (y - 1.5) * mm, title(kind))
            for column in range(count):
                draw_disc(canvas, kind, side, (_LEFT_MM + column * _PITCH_MM, y))
        told = (
            f"Pipwatch discs of {DISC_MM:g} mm. Cut along the circles and stick one on each soldier's head, "
            "the gap of the ring to where he faces."
        )
        draw_foot(canvas, width, told)

    return draw


def draw_disc(canvas: Canvas, kind: Kind, side: int, middle_mm: tuple[float, float]) -> None:
    """One disc whose soldier faces up the page, with a thin circle to cut along."""
    x0, y0 = middle_mm
    radius = DISC_MM / 2
    # All that is black is one path, so that no hairline shows between its sectors.
    path = canvas.beginPath()
    for outline in (outline for outline, ink in outlines(kind, side - 1) if ink == "black"):
        # The outlines face along x; on paper a soldier faces up.
        points = [((x0 - y * radius) * mm, (y0 + x * radius) * mm) for x, y in outline]
        path.moveTo(*points[0])
        for point in points[1:]:
            path.lineTo(*point)
        path.close()
    canvas.setFillGray(0)
    canvas.drawPath(path, stroke=0, fill=1)
    canvas.setStrokeGray(_CUT_GREY)
    canvas.setLineWidth(0.3)
    canvas.circle(x0 * mm, y0 * mm, radius * mm, stroke=1, fill=0)
