"""Maps are found in photos by their marks or by their boxes, however the paper lies."""

import numpy as np
import pytest

from simulation.filled_sheet import OUR_FORM, filled, random_cells, random_form
from simulation.sheet_photo import PhotoConditions, SheetPhoto, photographed
from vision.sheet_cells import cells_of
from vision.sheet_finder import find_sheets, from_outline
from vision.sheet_paper import maps_on_papers


def photo_of(seed: int, conditions: PhotoConditions, *, ours: bool, sheets: int = 1) -> SheetPhoto:
    """Sheets filled at random, photographed."""
    rng = np.random.default_rng([seed, 5])
    papers = [
        filled(OUR_FORM if ours else random_form(rng), random_cells(rng), False, rng) for _ in range(sheets)
    ]
    return photographed(papers, conditions, rng)


def worst(found: np.ndarray, true: np.ndarray) -> float:
    """The largest distance of any square's corner from the truth, in squares."""
    side = np.linalg.norm(true[0, 1] - true[0, 0])
    return float(np.linalg.norm(found - true, axis=2).max() / side)


@pytest.mark.parametrize("turn", [0.0, 100.0, 185.0, 275.0])
def test_our_sheet_is_found_upright_however_it_is_turned(turn: float) -> None:
    """The marks tell which end is up: there is one candidate, true to a twelfth of a square when bent."""
    photo = photo_of(
        1, PhotoConditions(turn_deg=turn, tilt=0.2, tilt_way=1.0, curl=0.08, fold=0.04), ours=True
    )
    (sheet,) = find_sheets(photo.image).maps
    (way,) = sheet.candidates
    assert way.ours
    assert worst(way.corners, photo.corners[0]) < 1 / 12


@pytest.mark.parametrize("seed", range(4))
def test_a_sheet_of_any_publisher_is_found_by_its_boxes(seed: int) -> None:
    """One of the candidates is the truth, to an eighth of a square, and all are whole maps."""
    photo = photo_of(seed, PhotoConditions(turn_deg=30.0 * seed, tilt=0.15, curl=0.06), ours=False)
    (sheet,) = find_sheets(photo.image).maps
    assert min(worst(way.corners, photo.corners[0]) for way in sheet.candidates) < 1 / 8
    assert {way.corners.shape for way in sheet.candidates} == {(6, 8, 2)}


def test_two_players_sheets_in_one_photo_come_from_left_to_right() -> None:
    """Two of our maps have the same marks and are kept apart all the same."""
    photo = photo_of(3, PhotoConditions(square_px=50, turn_deg=4, tilt=0.1), ours=True, sheets=2)
    found = find_sheets(photo.image).maps
    assert len(found) == 2
    for sheet, true in zip(found, photo.corners, strict=True):
        assert worst(sheet.candidates[0].corners, true) < 1 / 12


def test_four_taps_on_the_corners_are_enough() -> None:
    """The squares between four given corners are those of the plane through them, from whichever corner."""
    photo = photo_of(2, PhotoConditions(tilt=0.25, tilt_way=2.0), ours=False)
    true = photo.corners[0]
    around = true[[0, 0, -1, -1], [0, -1, -1, 0]]
    way = from_outline(around).candidates[0]
    for first in range(4):
        ways = from_outline(np.roll(around, first, axis=0)).candidates
        assert any(np.allclose(one.corners, way.corners, atol=1e-6) for one in ways)
    assert worst(way.corners, true) < 0.02


def test_a_table_without_a_sheet_holds_none() -> None:
    """Noise and an empty table give no map of marks or boxes."""
    rng = np.random.default_rng(0)
    table = np.clip(rng.normal(120, 20, (600, 800, 3)), 0, 255).astype(np.uint8)
    assert find_sheets(table).maps == ()


def test_print_is_not_ink() -> None:
    """On a blank sheet in a slanting light what is left beside the form is next to nothing."""
    rng = np.random.default_rng(3)
    blank = filled(OUR_FORM, tuple((None,) * 7 for _ in range(5)), False, rng)
    photo = photographed([blank], PhotoConditions(slope=0.3, shade=0.0), rng)
    cells = cells_of(photo.image, photo.corners[0])
    ink = np.delete(cells.planes()[:, 2], 17, axis=0)
    assert (ink[:, 6:-6, 6:-6] > 0.5).mean() < 0.03
    assert cells.form.max() > 0.15


@pytest.mark.parametrize("turn", [10.0, 100.0])
def test_where_no_box_can_be_outlined_the_paper_and_its_lines_tell(turn: float) -> None:
    """Boxes that a broad pen runs through are no outlines any more; even lines across the paper still are."""
    photo = photo_of(1, PhotoConditions(turn_deg=turn, tilt=0.2, tilt_way=1.0), ours=False)
    ways = [way for ways in maps_on_papers(photo.image) for way in ways]
    assert min(worst(way, photo.corners[0]) for way in ways) < 1 / 6
    assert maps_on_papers(np.full((300, 400, 3), 90, np.uint8)) == ()
