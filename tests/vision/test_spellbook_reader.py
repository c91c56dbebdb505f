"""Our spellbook in simulated photos: ticks, struck lines, used powers; doubts where ink is faint."""

import numpy as np
import pytest

from engine.kingdomino_duel.edition import COATS
from simulation.filled_spellbook import BookLine, filled_spellbook, random_lines
from simulation.pen_strokes import UNSEEN
from simulation.sheet_photo import PhotoConditions, SheetPhoto, photographed
from training.measure_spellbooks import right
from vision.sheet_finder import find_sheets
from vision.spellbook_reader import ReadSpellbook, read_spellbook

LINES = (
    BookLine((5, 2), struck=2, used=True), BookLine((0, 1)), BookLine((3, 3)), BookLine((1, 4), struck=1),
    BookLine((0, 0)), BookLine((2, 3), struck=1),
)  # fmt: skip


def photo(lines: tuple[BookLine, ...], seed: int, conditions: PhotoConditions) -> SheetPhoto:
    """A spellbook with these lines, photographed."""
    rng = np.random.default_rng([seed, 77])
    return photographed([filled_spellbook(lines, rng, variety=UNSEEN)], conditions, rng)


def read(taken: SheetPhoto) -> ReadSpellbook:
    """The one spellbook of a photo."""
    (sheet,) = find_sheets(taken.image).spellbooks
    return read_spellbook(taken.image, sheet)


@pytest.mark.parametrize("turn", [4.0, 184.0])
def test_a_good_photo_is_read_line_by_line(turn: float) -> None:
    """Either way up: who ticked what, whose line is struck, and that P1 is used."""
    book = read(photo(LINES, 2, PhotoConditions(turn_deg=turn, tilt=0.1)))
    assert [right(line, true) for line, true in zip(book.lines, LINES, strict=True)] == [True] * 6
    assert (book.line_of(1).owner, book.line_of(1).used) == (1, True)
    assert [line.owner for line in book.lines] == [1, None, None, 2, None, 2]


def test_pens_nobody_tuned_for_are_read_or_doubted() -> None:
    """Over four random books few lines are wrong, and none of them unsaid."""
    wrong, silent = 0, 0
    for seed in range(4):
        lines = random_lines(np.random.default_rng(seed))
        book = read(photo(lines, seed, PhotoConditions(square_px=70, tilt=0.15, tilt_way=2.0, noise=0.015)))
        for line, true in zip(book.lines, lines, strict=True):
            wrong += not right(line, true)
            silent += not right(line, true) and not line.doubt
    assert silent == 0
    assert wrong <= 2


def test_a_full_line_on_both_sides_is_a_doubt() -> None:
    """Only one player can be first; two full lines are shown to a person."""
    lines = tuple(BookLine((3, 3)) if name == "black" else BookLine((1, 0)) for name in COATS)
    book = read(photo(lines, 3, PhotoConditions()))
    assert book.doubts == ("black",)
    assert book.line_of(5).owner is None


def test_an_untouched_book_has_no_ticks() -> None:
    """Print alone is no ink."""
    book = read(photo((BookLine((0, 0)),) * 6, 4, PhotoConditions(shade=0.3)))
    assert [line.ticks for line in book.lines] == [(0, 0)] * 6
    assert not any(line.used for line in book.lines)
