"""Coats that were put right by hand, and marks that mean nothing: what counts stays to be seen."""

from dataclasses import replace

import numpy as np
import pytest

from simulation.drawn_coats import CoatBox
from simulation.filled_sheet import OUR_FORM, SQUARE_PX, filled, printed_form, random_cells
from simulation.pen_strokes import TAUGHT, Hand, SheetDrawing
from simulation.second_thoughts import put_right, small_drawings, specks, struck


def drawing(seed: int) -> SheetDrawing:
    """A steady person with a fine pen and an empty sheet."""
    return SheetDrawing(np.zeros((200, 200), np.uint8), Hand(shake=0.002), 3.0, np.random.default_rng(seed))


@pytest.mark.parametrize("seed", range(6))
def test_what_is_struck_out_leaves_room_for_what_counts(seed: int) -> None:
    """Ink lies in the other part of the shield, and hardly any in the room that is left."""
    work, box = drawing(seed), CoatBox(100, 100, 90, 110)
    left = struck(work, "dot", box)
    assert left.least >= 0.4 * box.least
    x0, x1 = round(left.x - 0.4 * left.width), round(left.x + 0.4 * left.width)
    y0, y1 = round(left.y - 0.4 * left.height), round(left.y + 0.4 * left.height)
    inside = (work.mask[y0:y1, x0:x1] > 0).mean()
    assert (work.mask > 0).sum() > 300
    assert inside < 0.04


def test_a_wide_pen_strikes_nothing_out() -> None:
    """What it struck out would look half black; empty squares are left alone by every pen."""
    coats = ["dot", None, "stripe", "black"] * 8
    wide = [put_right(np.random.default_rng(k), coats, 0.06) for k in range(30)]
    assert {way for ways in wide for way in ways.values()} == {"over"}
    fine = [put_right(np.random.default_rng(k), coats, 0.015) for k in range(60)]
    assert {coats[k] for ways in fine for k, way in ways.items() if way == "struck"} == {"dot", "stripe"}
    assert None not in {coats[k] for ways in fine for k in ways}


@pytest.mark.parametrize("marks", [specks, small_drawings])
def test_marks_that_mean_nothing_stay_off_the_shields(marks: object) -> None:
    """A dot on a shield would be a coat."""
    paper, corners = printed_form(OUR_FORM)
    mask = np.zeros(paper.shape[:2], np.uint8)
    for seed in range(12):
        assert callable(marks)
        marks(SheetDrawing(mask, Hand(), 2.0, np.random.default_rng(seed)), corners.reshape(-1, 2), SQUARE_PX)
    assert (mask > 0).sum() > 200
    field = OUR_FORM.field
    middle = np.array([0.5 + field.x, 0.5 + field.y]) * SQUARE_PX
    reach = np.array([0.36 * field.width, 0.36 * field.height]) * SQUARE_PX
    for corner in corners[:-1, :-1].reshape(-1, 2):
        (x0, y0), (x1, y1) = (corner + middle + side * reach for side in (-1, 1))
        assert not mask[round(y0) : round(y1), round(x0) : round(x1)].any()


def test_people_without_second_thoughts_draw_as_before() -> None:
    """What is measured with does not change with what is taught."""
    never = replace(TAUGHT, second_thoughts=0.0)
    often = replace(TAUGHT, second_thoughts=1.0)
    sheets = []
    for variety in (never, often, never):
        rng = np.random.default_rng(5)
        sheets.append(filled(OUR_FORM, random_cells(rng), False, rng, variety=variety).image)
    assert np.array_equal(sheets[0], sheets[2])
    assert not np.array_equal(sheets[0], sheets[1])
