"""A spellbook beside the maps: whose powers explain what is drawn, and who has to say what was named."""

from dataclasses import replace

import numpy as np
import pytest

from device.sheet_powers import power_words, with_powers
from device.sheet_reading import PhotoMap, ReadPhoto
from engine.kingdomino_duel.edition import AS_PRINTED
from engine.kingdomino_duel.kingdom import Kingdom
from engine.kingdomino_duel.map_score import Sheet
from vision.sheet_decoder import as_told
from vision.spellbook_reader import ReadLine, ReadSpellbook

APART = Kingdom.from_rows(["d0 . . . . . .", *[". . . . . . ."], ". . s1 C . . .", *[". . . . . . ."] * 2])
Ticks = tuple[int | None, int | None]


def photo(maps: int, *books: ReadSpellbook) -> ReadPhoto:
    """A photo of so many maps, each with a square that only P1 explains, and of these spellbooks."""
    one = PhotoMap(as_told(APART, False), np.zeros((6, 8, 2)), Sheet(APART))
    return ReadPhoto(np.zeros((1, 1, 3), np.uint8), (one,) * maps, books)


def book(*, used: bool = False, doubt: bool = False, **ticks: Ticks) -> ReadSpellbook:
    """A spellbook in which only these powers have ticks."""
    lines = []
    for coat, line in enumerate(AS_PRINTED.lines):
        told = ticks.get(f"P{line.power}", (0, 0))
        lines.append(ReadLine(coat, told, None, used and told != (0, 0), doubt))
    return ReadSpellbook(tuple(lines))


def joined(*photos: ReadPhoto) -> list[PhotoMap]:
    """The maps of these photos with their powers."""
    return [one for each in with_powers(photos) for one in each.maps]


def test_each_side_of_the_spellbook_is_one_maps_in_one_photo_or_in_three() -> None:
    """The left player's P1 explains a square far off; the right player's P5 asks which coat was named."""
    won = book(P1=(5, 0), P5=(0, 3), used=True)
    for photos in ([photo(2, won)], [photo(1), photo(1), photo(0, won)]):
        first, second = joined(*photos)
        assert (first.sheet.used_p1, second.sheet.used_p1) == (True, False)
        assert [len(one.score.doubts) for one in (first, second)] == [0, 1]
        assert (first.unnamed, second.unnamed) == (False, True)


def test_p1_explains_nothing_before_it_is_used() -> None:
    """A power won and not crossed off has drawn nothing; P6 works at once and is never crossed off."""
    first, second = joined(photo(2, book(P1=(5, 0), P6=(0, 3))))
    assert not first.sheet.used_p1
    assert (first.sheet.used_p6, second.sheet.used_p6) == (False, True)


def test_a_coat_that_was_told_is_not_asked_for() -> None:
    """Whoever said it on the command line, or played with a log, is left alone."""
    taken = photo(1, book(P5=(3, 0)))
    (one,) = taken.maps
    assert joined(taken)[0].unnamed
    named = replace(taken, maps=(replace(one, sheet=replace(one.sheet, named=2)),))
    logged = replace(taken, maps=(replace(one, name="Ada"),))
    assert not joined(named)[0].unnamed
    assert not joined(logged)[0].unnamed


@pytest.mark.parametrize(("ticks", "asked"), [((2, 0), True), ((1, 1), False), ((None, 3), True)])
def test_a_line_that_is_not_clear_asks_where_it_may_be_won(ticks: Ticks, asked: bool) -> None:
    """One box that is doubtful can be the last one."""
    (one,) = joined(photo(1, book(P5=ticks, doubt=True)))
    assert one.unnamed is asked


def test_two_spellbooks_say_nothing_of_one_game() -> None:
    """Which of them counts nobody can tell."""
    assert not any(one.sheet.used_p6 for one in joined(photo(2, *[book(P6=(3, 0))] * 2)))


def test_a_spellbook_is_told_line_by_line() -> None:
    """In the order of the powers, with who owns what."""
    words = power_words(book(P1=(5, 2), P4=(None, 4), used=True))
    assert words[0] == "P1: 5 of 5 and 2 of 5; it belongs to the left player, used"
    assert words[3] == "P4: struck out and 4 of 4; it belongs to the right player, used"
    assert words[5] == "P6: 0 of 3 and 0 of 3"
