"""The printed sheets, rasterised and measured as a camera would."""

import io
import itertools
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pypdfium2
import pytest

from calibration import aruco
from calibration.aruco import Grey
from calibration.lens_board import SQUARE_MM, board_markers, find_board
from calibration.mats import MarkerPlace, loose_markers, mat_markers
from calibration.plan import plan_of
from calibration.printables import board_pdf, markers_pdf, mat_pdf, sheet_count
from device.cli import main
from engine import GAMES

DPI = 300
PX_PER_MM = DPI / 25.4


def pages(pdf: bytes) -> list[Grey]:
    """The pages at 300 dpi."""
    document = pypdfium2.PdfDocument(io.BytesIO(pdf))
    try:
        pictures = [page.render(scale=DPI / 72, grayscale=True).to_numpy() for page in document]
        return [np.ascontiguousarray(picture.reshape(picture.shape[:2])) for picture in pictures]
    finally:
        document.close()


def corners_mm(page: Grey) -> dict[int, np.ndarray]:
    """The corners of the markers on a page in mm (y upwards), refined to where black meets white."""
    found = {}
    for number, corners in aruco.detect(page):
        found[number] = _refined(page, corners) / PX_PER_MM * (1, -1)
    return found


def _refined(page: Grey, corners: np.ndarray) -> np.ndarray:
    """The upright rectangle whose sides lie where the darkness along rows and columns across them says."""
    left, top = np.rint(corners.min(axis=0)).astype(int)
    right, bottom = np.rint(corners.max(axis=0)).astype(int)
    dark = 1 - page / 255.0
    rows = np.linspace(top + 20, bottom - 20, 9).astype(int)
    columns = np.linspace(left + 20, right - 20, 9).astype(int)
    # A pixel's centre has whole coordinates, so the first dark one reaches half a pixel further out.
    x0 = left + 12.5 - dark[rows, left - 12 : left + 13].sum(axis=1).mean()
    x1 = right - 12.5 + dark[rows, right - 12 : right + 13].sum(axis=1).mean()
    y0 = top + 12.5 - dark[top - 12 : top + 13, columns].sum(axis=0).mean()
    y1 = bottom - 12.5 + dark[bottom - 12 : bottom + 13, columns].sum(axis=0).mean()
    upright = np.array([(x0, y0), (x1, y0), (x1, y1), (x0, y1)])
    return upright[[int(np.argmin(np.linalg.norm(upright - corner, axis=1))) for corner in corners]]


def worst_distance_error(found: dict[int, np.ndarray], places: Sequence[MarkerPlace]) -> float:
    """The largest error of any distance between any two marker corners."""
    mine = [place for place in places if place.number in found]
    seen = np.concatenate([found[place.number] for place in mine])
    real = np.concatenate([place.corners_mm for place in mine])
    pairs = list(itertools.combinations(range(len(seen)), 2))
    off = [np.linalg.norm(seen[a] - seen[b]) - np.linalg.norm(real[a] - real[b]) for a, b in pairs]
    return float(np.abs(off).max())


@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_loose_markers_are_true_to_a_tenth_of_a_millimetre(paper: str) -> None:
    """All four markers are found, their sides measure 32 mm and white surrounds them for 7 mm."""
    (page,) = pages(markers_pdf(paper))
    found = corners_mm(page)
    assert sorted(found) == [0, 1, 2, 3]
    for number, corners in found.items():
        place = loose_markers((500, 400))[number]
        assert worst_distance_error({number: corners}, [place]) < 0.1
        left, top = np.floor((corners * (1, -1)).min(axis=0) * PX_PER_MM - 7 * PX_PER_MM + 4).astype(int)
        right, bottom = np.ceil((corners * (1, -1)).max(axis=0) * PX_PER_MM + 7 * PX_PER_MM - 4).astype(int)
        around = page[top:bottom, left:right].copy()
        rim = round(7 * PX_PER_MM) - 8
        around[rim:-rim, rim:-rim] = 255
        assert around.min() == 255


def test_more_and_larger_markers_fill_more_sheets() -> None:
    """Fifty markers of 60 mm are all there, at their size, over several pages."""
    sheets = pages(markers_pdf("a4", side_mm=60.0, count=12))
    found: dict[int, np.ndarray] = {}
    for page in sheets:
        found |= corners_mm(page)
    assert len(sheets) > 1
    assert sorted(found) == list(range(12))
    sides = [np.linalg.norm(c - np.roll(c, -1, axis=0), axis=1) for c in found.values()]
    assert np.abs(np.array(sides) - 60).max() < 0.1


QUICK = {("dominoids", "a4"), ("dominoes-of-war", "letter"), ("dominoids", "a2")}


@pytest.mark.parametrize(
    ("game", "paper"),
    [
        pytest.param(game, paper, marks=[] if (game, paper) in QUICK else [pytest.mark.long])
        for game in GAMES
        for paper in ("a4", "letter", "a2")
    ],
)
def test_every_marker_of_a_mat_is_whole_on_one_sheet_and_true(game: str, paper: str) -> None:
    """Over the sheets of a mat each marker is found exactly once, and all distances on a sheet hold."""
    plan = plan_of(game)
    places = mat_markers(plan)
    seen: list[int] = []
    sheets = pages(mat_pdf(plan, paper))
    assert len(sheets) == sheet_count(plan, paper)
    for page in sheets:
        found = corners_mm(page)
        seen += found
        if found:
            assert worst_distance_error(found, places) < 0.1
    assert sorted(seen) == [place.number for place in places]


def test_small_tables_fit_one_a2_sheet_and_large_ones_two() -> None:
    """An A2 sheet holds the mats of the two small games, two of them the large ones."""
    sheets = {game: sheet_count(plan_of(game), "a2") for game in GAMES}
    assert sheets == {"dominoids": 1, "kingdomino-duel": 1, "dominoes-of-war": 2, "draw-game": 2}


@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_the_lens_board_is_true(paper: str) -> None:
    """The lens board is found whole, and its squares measure what they should."""
    (page,) = pages(board_pdf(paper))
    assert worst_distance_error(corners_mm(page), board_markers()) < 0.1
    shot = find_board(page)
    assert shot is not None
    assert len(shot.seen_px) >= 30
    scale = np.linalg.norm(np.ptp(shot.seen_px, axis=0)) / np.linalg.norm(np.ptp(shot.board_mm, axis=0))
    assert scale == pytest.approx(PX_PER_MM, rel=1e-3)
    assert SQUARE_MM == 28.0


def test_the_check_bar_is_100_mm() -> None:
    """The bar at the foot of a sheet measures 100 mm to a tenth."""
    for pdf in (markers_pdf("a4"), board_pdf("letter")):
        page = pages(pdf)[0]
        row = page[round(page.shape[0] - 7.0 * PX_PER_MM)]
        dark = np.flatnonzero(row < 128)
        assert (dark[-1] - dark[0] + 1) / PX_PER_MM == pytest.approx(100, abs=0.25)


def test_the_same_sheet_is_the_same_file() -> None:
    """Printing twice gives identical bytes, and nothing but vectors."""
    assert markers_pdf("a4") == markers_pdf("a4")
    assert b"/Subtype /Image" not in markers_pdf("a4")


def test_the_command_writes_the_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`pipwatch print` writes a PDF and says what to measure."""
    out = tmp_path / "mat.pdf"
    assert main(["print", "mat", "--game", "dominoids", "--paper", "a2", "-o", str(out)]) == 0
    assert out.read_bytes().startswith(b"%PDF")
    assert "100 mm" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        (["mat"], "--game"),
        (["charuco", "--count", "9"], "--count"),
        (["markers", "--count", "51"], "0 to 49"),
        (["markers", "--marker-mm", "3"], "16 to 80"),
        (["markers", "--marker-mm", "nan"], "16 to 80"),
        (["markers", "--game", "dominoids"], "--game"),
    ],
)
def test_bad_input_is_one_sentence_and_writes_nothing(
    arguments: list[str], word: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """What cannot be printed is said in one line, with exit status 2 and no file."""
    out = tmp_path / "out.pdf"
    assert main(["print", *arguments, "-o", str(out)]) == 2
    said = capsys.readouterr().err.strip()
    assert word in said
    assert "\n" not in said
    assert not out.exists()


def test_a_folder_that_is_not_there_is_one_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A file that cannot be written is named, with the reason."""
    assert main(["print", "markers", "-o", str(tmp_path / "no" / "x.pdf")]) == 2
    assert "cannot be written" in capsys.readouterr().err
