"""Where boxes mislead: squares that are not alike are no map's, and the paper itself is asked."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from simulation.filled_sheet import filled, random_cells, random_form
from simulation.sheet_photo import PhotoConditions, SheetPhoto, photographed
from vision.sheet_bend import mesh, on_lines, through
from vision.sheet_cells import Floats, Picture, cells_of
from vision.sheet_finder import FoundSheet, find_sheets, from_outline
from vision.sheet_likeness import likeness
from vision.sheet_maps import read_maps
from vision.sheet_reader import SheetReader, SheetReading, UnreadMap, sheet_reader


def photo(seed: int) -> SheetPhoto:
    """Somebody's sheet on a plain table."""
    rng = np.random.default_rng([seed, 8])
    paper = filled(random_form(rng), random_cells(rng), False, rng)
    return photographed([paper], PhotoConditions(square_px=45, tilt=0.1, ground="stone"), rng)


def moved(corners: Floats, columns: float, rows: float) -> Floats:
    """A map laid so many squares aside."""
    home, _ = cv2.findHomography(mesh().reshape(-1, 2), corners.reshape(-1, 2))
    return through(home, mesh() + np.array([columns, rows]))


@pytest.mark.parametrize("seed", range(3))
def test_squares_laid_a_row_aside_are_less_alike(seed: int) -> None:
    """However the map is filled in: blank paper shows no print."""
    taken = photo(seed)
    grey = np.asarray(cv2.cvtColor(taken.image, cv2.COLOR_BGR2GRAY), dtype=np.uint8)
    true = taken.corners[0]
    aside = [moved(true, *step) for step in ((1, 0), (-1, 0), (0, 1), (0, -1), (2, -1))]
    assert likeness(grey, true) > max(likeness(grey, way) for way in aside)


@pytest.mark.parametrize("aside", [(0.2, -0.05), (-0.15, 0.2), (0.0, 0.3)])
def test_circles_taken_for_squares_are_noticed_by_the_lines(aside: tuple[float, float]) -> None:
    """Squares laid a part of one aside, as round shields mislead, come back to the printed lines."""
    taken = photo(2)
    true = taken.corners[0]
    start = moved(true, *aside)
    found = on_lines(start, cells_of(taken.image, start).form)
    side = float(np.linalg.norm(true[0, 1] - true[0, 0]))
    assert np.linalg.norm(found - true, axis=2).max() < 0.08 * side
    assert on_lines(true, cells_of(taken.image, true).form) is true


class Misled(SheetReader):
    """A reader that was told of a place without a castle, and reads papers as the true one does."""

    def __init__(self, misleading: FoundSheet) -> None:
        self._misleading = misleading

    def read(self, image: Picture, sheet: FoundSheet) -> SheetReading | UnreadMap:
        """Nothing at the misleading place."""
        return UnreadMap.NO_CASTLE if sheet is self._misleading else sheet_reader().read(image, sheet)


def test_where_no_castle_is_seen_the_paper_is_asked() -> None:
    """What was found wrongly is told after what is read."""
    taken = photo(1)
    wrong = from_outline(np.array([(0, 0), (60, 0), (60, 40), (0, 40)]))
    read = read_maps(Misled(wrong), taken.image, [wrong])
    assert read[-1] is UnreadMap.NO_CASTLE
    (one,) = read[:-1]
    assert isinstance(one, SheetReading)
    side = float(np.linalg.norm(taken.corners[0][0, 1] - taken.corners[0][0, 0]))
    assert np.linalg.norm(one.corners - taken.corners[0], axis=2).max() < side / 4


def test_a_map_that_is_clear_is_read_once() -> None:
    """Nothing else is looked for then, and whoever finds it twice has found one."""
    taken = photo(2)
    sheet = from_outline(taken.corners[0][[0, 0, -1, -1], [0, -1, -1, 0]])
    (one,) = read_maps(sheet_reader(), taken.image, [sheet, sheet])
    assert isinstance(one, SheetReading)
    assert one.castle > 0.5


def test_two_looks_at_one_map_that_are_both_unclear_are_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """The one that is read more surely is told."""
    taken = photo(2)
    true = taken.corners[0]
    sheets = [from_outline(way[[0, 0, -1, -1], [0, -1, -1, 0]]) for way in (moved(true, 0.45, 0.4), true)]
    best = sheet_reader().read(taken.image, sheets[1])
    assert isinstance(best, SheetReading)
    monkeypatch.setattr("vision.sheet_maps.CLEAR_CASTLE", 1.01)
    read = [one for one in read_maps(sheet_reader(), taken.image, sheets) if isinstance(one, SheetReading)]
    assert [one.castle for one in read] == [best.castle]


class Sure(SheetReader):
    """A reader that sees a castle where it was told to look, though squares fit there so badly."""

    def __init__(self, misleading: FoundSheet, fit: float) -> None:
        self._misleading, self._fit = misleading, fit

    def read(self, image: Picture, sheet: FoundSheet) -> SheetReading | UnreadMap:
        """The true reading, said to lie elsewhere."""
        if sheet is not self._misleading:
            return sheet_reader().read(image, sheet)
        corners = sheet.candidates[0].corners
        true = from_outline(photo(1).corners[0][[0, 0, -1, -1], [0, -1, -1, 0]])
        reading = sheet_reader().read(image, true)
        assert isinstance(reading, SheetReading)
        return replace(reading, corners=corners, castle=0.99, fit=self._fit)


@pytest.mark.parametrize(("fit", "papers_win"), [(-17.0, True), (-5.0, False), (-0.5, False)])
def test_a_castle_alone_is_no_map(fit: float, *, papers_win: bool) -> None:
    """Squares may be laid around a castle at the wrong size: where they fit badly the paper is asked."""
    taken = photo(1)
    true = taken.corners[0]
    wrong = from_outline(moved(true, 0.4, 0.0)[[0, 0, -1, -1], [0, -1, -1, 0]])
    (one,) = read_maps(Sure(wrong, fit), taken.image, [wrong])
    assert isinstance(one, SheetReading)
    side = float(np.linalg.norm(true[0, 1] - true[0, 0]))
    off = float(np.linalg.norm(one.corners - true, axis=2).max())
    assert (off < side / 4) is papers_win


def test_faint_squares_with_gaps_between_are_found_on_their_paper() -> None:
    """No box can be outlined, each line is two, and bold ink outshines both: five of eight are found."""
    placed = 0
    for seed in range(8):
        rng = np.random.default_rng([seed, 81])
        form = replace(random_form(rng), gap=float(rng.uniform(0.1, 0.14)), line=0.012, ink=(0.5, 0.5, 0.5),
                       margins=(0.5, 0.6, 0.5, 0.5))  # fmt: skip
        paper = filled(form, random_cells(rng), False, rng)
        turn = float(rng.uniform(-20, 20))
        dim = PhotoConditions(square_px=29, tilt=0.12, turn_deg=turn, curl=0.06, shade=0.4, light=0.8,
                              blur_px=0.9, ground="stone")  # fmt: skip
        taken = photographed([paper], dim, rng)
        true = taken.corners[0]
        side = float(np.linalg.norm(true[0, 1] - true[0, 0]))
        read = read_maps(sheet_reader(), taken.image, find_sheets(taken.image).maps)
        told = [one for one in read if isinstance(one, SheetReading)]
        placed += bool(told) and float(np.linalg.norm(told[0].corners - true, axis=2).max()) < 0.3 * side
    assert placed >= 5
