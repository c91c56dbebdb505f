"""Our own Duel sheets, rasterised and measured as a camera would."""

import io
from pathlib import Path

import numpy as np
import pypdfium2
import pytest

from calibration import aruco
from calibration.aruco import Grey
from calibration.duel_sheet import CARD_MM, CARD_SCALE, MAP_MARKS, SPELLBOOK_MARKS, square_middle
from calibration.sheet_printing import cards_pdf, sheets_pdf
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


@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_the_two_cards_for_the_mat_are_whole_and_true(paper: str) -> None:
    """Every mark of a map is there twice, so much smaller, a card apart; the bar is 100 mm as ever."""
    (page,) = pages(cards_pdf(paper))
    corners = [marker for number, marker in aruco.detect(page) if number == MAP_MARKS[0].number]
    sides = [np.ptp(one[:, 0]) / PX_PER_MM for one in corners]
    assert sides == pytest.approx([MAP_MARKS[0].side_mm * CARD_SCALE] * 2, abs=0.3)
    assert abs(corners[0][0, 1] - corners[1][0, 1]) / PX_PER_MM == pytest.approx(CARD_MM[1], abs=0.3)
    assert sorted(number for number, _ in aruco.detect(page)) == sorted([one.number for one in MAP_MARKS] * 2)
    foot = (page[-round(7.4 * PX_PER_MM) : -round(6.6 * PX_PER_MM)] < 128).any(axis=0)
    assert np.ptp(np.flatnonzero(foot)) / PX_PER_MM == pytest.approx(100, abs=0.3)


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
    assert main(["print", "mat", "--game", "kingdomino-duel", "-o", str(out), "--for-mat"]) == 2
    assert main(["print", "sheet", "-o", str(out), "--for-mat", "--side", "spellbook"]) == 2
    assert len(capsys.readouterr().err.splitlines()) == 4
    assert not out.exists()
    assert main(["print", "sheet", "-o", str(out), "--for-mat"]) == 0
    assert len(pages(out.read_bytes())) == 1
