"""The mounting guide's drawing as a PDF page of vectors."""

from reportlab.lib.colors import HexColor
from reportlab.lib.pagesizes import A4, landscape
from reportlab.pdfgen.canvas import Canvas

from calibration.mount_drawing import HIGH, WIDE, DrawnArea, DrawnLine, DrawnWords, Shape, mount_shapes
from calibration.mounting import AtHeight, MountGuide
from calibration.plan import TablePlan
from calibration.printables import Page, write_pdf

_PAGE = landscape(A4)
_SCALE = min(_PAGE[0] / WIDE, _PAGE[1] / HIGH)


def mount_pdf(plan: TablePlan, found: MountGuide, at: AtHeight, marker_mm: float) -> bytes:
    """The drawing on one sheet of A4; it is not to scale."""
    shapes = mount_shapes(plan, found, at, marker_mm)

    def draw(canvas: Canvas) -> None:
        canvas.translate((_PAGE[0] - WIDE * _SCALE) / 2, (_PAGE[1] + HIGH * _SCALE) / 2)
        canvas.scale(_SCALE, _SCALE)
        for shape in shapes:
            canvas.saveState()
            _lay_on(canvas, shape)
            canvas.restoreState()

    pages: list[Page] = [(_PAGE, draw)]
    return write_pdf(f"Pipwatch mounting guide for {found.game}", pages)


def _lay_on(canvas: Canvas, shape: Shape) -> None:
    """Paper counts upwards, the drawing downwards."""
    if isinstance(shape, DrawnWords):
        _write(canvas, shape)
        return
    outline = canvas.beginPath()
    (x, y), *others = shape.points
    outline.moveTo(x, -y)
    for x, y in others:
        outline.lineTo(x, -y)
    if shape.dashed:
        canvas.setDash(6, 4)
    if isinstance(shape, DrawnLine):
        canvas.setStrokeColor(HexColor(shape.colour))
        canvas.setLineWidth(shape.width)
        canvas.drawPath(outline, stroke=1, fill=0)
        return
    _fill(canvas, shape, outline)


def _fill(canvas: Canvas, shape: DrawnArea, outline: object) -> None:
    outline.close()  # type: ignore[attr-defined]  # reportlab has no types
    if shape.fill != "none":
        canvas.setFillColor(HexColor(shape.fill))
    if shape.rim:
        canvas.setStrokeColor(HexColor(shape.rim))
        canvas.setLineWidth(1.4)
    canvas.drawPath(outline, stroke=int(bool(shape.rim)), fill=int(shape.fill != "none"))


def _write(canvas: Canvas, shape: DrawnWords) -> None:
    canvas.setFillColor(HexColor(shape.colour))
    canvas.setFont("Helvetica-Bold" if shape.bold else "Helvetica", shape.size)
    canvas.translate(shape.at[0], -shape.at[1])
    if shape.upwards:
        canvas.rotate(90)
    {-1: canvas.drawString, 0: canvas.drawCentredString, 1: canvas.drawRightString}[shape.side](
        0, 0, shape.words
    )
