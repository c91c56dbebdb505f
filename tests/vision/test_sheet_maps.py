"""Where boxes mislead: squares that are not alike are no map's, and the paper itself is asked."""

import cv2
import numpy as np
import pytest

from simulation.filled_sheet import filled, random_cells, random_form
from simulation.sheet_photo import Conditions, Photo, photographed
from vision.sheet_bend import mesh, on_lines, through
from vision.sheet_cells import Floats, Picture, cells_of
from vision.sheet_finder import FoundSheet, from_outline
from vision.sheet_likeness import likeness
from vision.sheet_maps import read_maps
from vision.sheet_reader import SheetReader, SheetReading, Unread, sheet_reader


def photo(seed: int) -> Photo:
    """Somebody's sheet on a plain table."""
    rng = np.random.default_rng([seed, 8])
    paper = filled(random_form(rng), random_cells(rng), False, rng)
    return photographed([paper], Conditions(square_px=45, tilt=0.1, ground="stone"), rng)


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

    def read(self, image: Picture, sheet: FoundSheet) -> SheetReading | Unread:
        """Nothing at the misleading place."""
        return Unread.NO_CASTLE if sheet is self._misleading else sheet_reader().read(image, sheet)


def test_where_no_castle_is_seen_the_paper_is_asked() -> None:
    """What was found wrongly is told after what is read."""
    taken = photo(1)
    wrong = from_outline(np.array([(0, 0), (60, 0), (60, 40), (0, 40)]))
    read = read_maps(Misled(wrong), taken.image, [wrong])
    assert read[-1] is Unread.NO_CASTLE
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
