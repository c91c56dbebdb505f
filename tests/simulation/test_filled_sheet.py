"""Simulated sheets: the same seed is the same paper, and the truth told about a photo is true."""

import numpy as np
import pytest

from calibration import aruco, duel_sheet
from engine.kingdomino_duel.edition import COATS
from simulation.filled_sheet import CASTLE, OUR_FORM, Cells, filled, random_cells, random_form
from simulation.pen_strokes import TAUGHT, UNSEEN, Variety
from simulation.sheet_photo import PhotoConditions, photographed, random_conditions

BLANK: Cells = tuple((None,) * 7 for _ in range(5))


def with_cell(row: int, column: int, cell: tuple[str, int]) -> Cells:
    """A map with one square drawn."""
    rows = [list(line) for line in BLANK]
    rows[row][column] = cell
    return tuple(tuple(line) for line in rows)


def test_the_same_seed_gives_the_same_photo() -> None:
    """Forms, hands, light and noise all come from the generator that is passed in."""

    def photo(seed: int) -> bytes:
        rng = np.random.default_rng(seed)
        sheet = filled(random_form(rng), random_cells(rng), True, rng)
        return photographed([sheet], random_conditions(rng), rng).jpeg

    assert photo(4) == photo(4)
    assert photo(4) != photo(5)


@pytest.mark.parametrize("coat", COATS)
@pytest.mark.parametrize("kind", [TAUGHT, UNSEEN])
def test_a_coat_leaves_ink_in_its_own_square_alone(coat: str, kind: Variety) -> None:
    """Against the same sheet left blank, a coat with two crosses changes its square and nothing two away."""
    for seed in range(2):
        drawn = filled(OUR_FORM, with_cell(1, 1, (coat, 2)), False, np.random.default_rng(seed), variety=kind)
        blank = filled(OUR_FORM, BLANK, False, np.random.default_rng(seed), variety=kind)
        changed = np.abs(drawn.image - blank.image).max(axis=2)
        (x0, y0), (x1, y1) = drawn.corners[1, 1], drawn.corners[2, 2]
        inside = changed[int(y0) : int(y1), int(x0) : int(x1)]
        assert (inside > 0.1).sum() > 25
        far = changed[
            int(drawn.corners[3, 3, 1]) : int(drawn.corners[5, 7, 1]), int(drawn.corners[3, 3, 0]) :
        ]
        # What is drawn later comes from the same generator further on: a shaded border may differ.
        assert (far > 0.25).mean() < 0.05


def test_black_covers_more_than_quarters_and_quarters_more_than_a_dot() -> None:
    """Over many hands the coats leave as much ink as their names say."""
    covered = dict.fromkeys(COATS, 0.0)
    for coat in COATS:
        for seed in range(8):
            drawn = filled(OUR_FORM, with_cell(0, 0, (coat, 0)), False, np.random.default_rng([seed, 9]))
            (x0, y0), (x1, y1) = drawn.corners[0, 0], drawn.corners[1, 1]
            covered[coat] += float(
                (drawn.image[int(y0) : int(y1), int(x0) : int(x1)].max(axis=2) < 0.7).mean()
            )
    assert covered["black"] > covered["quarters"] > covered["dot"]


@pytest.mark.parametrize("seed", range(4))
def test_squares_lie_where_the_truth_of_a_bent_photo_says(seed: int) -> None:
    """Marks found in a folded, curled photo lie around the true squares as on the flat sheet."""
    rng = np.random.default_rng(seed)
    sheet = filled(OUR_FORM, BLANK, False, rng)
    conditions = PhotoConditions(
        square_px=70, turn_deg=25.0 * seed, tilt=0.05, tilt_way=1.0, curl=0.08, fold=0.05
    )
    photo = photographed([sheet], conditions, rng)
    found = dict(aruco.detect(np.asarray(photo.image[..., 1])))
    marks = [mark for mark in duel_sheet.MAP_MARKS if mark.number in found]
    assert len(marks) == 4
    middle = photo.corners[0][[2, 2, 3, 3], [3, 4, 4, 3]].mean(axis=0)
    seen = np.mean([found[mark.number].mean(axis=0) for mark in marks], axis=0)
    assert np.linalg.norm(seen - middle) < 0.35 * 70


def test_random_squares_leave_the_castle_alone() -> None:
    """The castle's square never holds a coat, and every coat turns up."""
    rng = np.random.default_rng(0)
    maps = [random_cells(rng) for _ in range(20)]
    assert all(cells[CASTLE[0]][CASTLE[1]] is None for cells in maps)
    assert {cell[0] for cells in maps for row in cells for cell in row if cell} == set(COATS)
