"""Our own Duel sheets, rasterised and measured as a camera would."""

import io
from pathlib import Path

import numpy as np
import pypdfium2
import pytest

from calibration import aruco
from calibration.aruco import Grey
from calibration.duel_sheet import MAP_MARKS, SPELLBOOK_MARKS, square_middle
from calibration.sheet_printing import sheets_pdf
from device.cli import main

PX_PER_MM = 8.0


def pages(pdf: bytes) -> list[Grey]:
    """The pages at 8 px a millimetre."""
    document = pypdfium2.PdfDocument(io.BytesIO(pdf))
    try:
        pictures = [page.render(scale=PX_PER_MM * 25.4 / 72, grayscale=True).to_numpy() for page in document]
        return [np.ascontiguousarray(picture.reshape(picture.shape[:2])) for picture in pictures]
    finally:
        document.close()


@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_the_marks_lie_where_the_finder_expects_them(paper: str) -> None:
    """All eight marks are found, each within a third of a millimetre of its place."""
    for page, marks in zip(pages(sheets_pdf(paper)), (MAP_MARKS, SPELLBOOK_MARKS), strict=True):
        middle = np.array([page.shape[1] / 2, page.shape[0] / 2 - 4 * PX_PER_MM])
        found = dict(aruco.detect(page))
        assert sorted(found) == [mark.number for mark in marks]
        for mark in marks:
            seen = (found[mark.number] - middle) / PX_PER_MM * (1, -1)
            assert np.abs(seen - mark.corners_mm).max() < 0.34


def test_each_square_of_a_map_has_ink_only_where_its_form_is_printed() -> None:
    """The middle of every shield is white, and so is the roof that waits for colour."""
    (page,) = pages(sheets_pdf("a4", ("map",)))
    for row in range(5):
        for column in range(7):
            x, y = square_middle(row, column)
            above = 4.5 if (row, column) == (2, 3) else 0.0
            shift = 0.0 if (row, column) == (2, 3) else -3.6
            px = round(page.shape[1] / 2 + (x + shift) * PX_PER_MM)
            py = round(page.shape[0] / 2 - (y + above + 4) * PX_PER_MM)
            assert page[py - 12 : py + 12, px - 12 : px + 12].min() == 255


def test_the_command_prints_one_side_or_both(tmp_path: Path) -> None:
    """`--side map` writes one page and no side two; the same sheets are the same bytes."""
    for arguments, count in (["--side", "map"], 1), ([], 2):
        out = tmp_path / f"{count}.pdf"
        assert main(["print", "sheet", "-o", str(out), *arguments]) == 0
        assert len(pages(out.read_bytes())) == count
    assert sheets_pdf("letter") == sheets_pdf("letter")


def test_a_side_for_a_mat_is_a_misunderstanding(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """--side goes with sheets alone, and sheets fit no A2; both are one sentence and nothing is written."""
    out = tmp_path / "x.pdf"
    assert main(["print", "markers", "-o", str(out), "--side", "map"]) == 2
    assert main(["print", "sheet", "-o", str(out), "--paper", "a2"]) == 2
    assert len(capsys.readouterr().err.splitlines()) == 2
    assert not out.exists()
