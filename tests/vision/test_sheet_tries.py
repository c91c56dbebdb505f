"""Which ways are tried at a look: all of them once, then some at a time, and none while nothing changes."""

from collections.abc import Iterator

import numpy as np
import pytest

from vision import sheet_tries
from vision.sheet_cells import Picture
from vision.sheet_finder import Candidate, FoundSheet, FoundSheets
from vision.sheet_tries import SheetTries

SIZE = (160, 120)


def part(light: int = 100, *, drawn: bool = False) -> Picture:
    """A part of the picture in which no map is seen."""
    picture = np.full((SIZE[1], SIZE[0], 3), light, np.uint8)
    if drawn:
        picture[40:60, 50:70] = 20
    return picture


def sheet(at: float, ways: int) -> FoundSheet:
    """A sheet of so many ways to lie."""
    return FoundSheet(tuple(Candidate(np.full((6, 8, 2), at), False, 0) for _ in range(ways)))


@pytest.fixture
def worked_out(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What was worked out, in order: papers by hue (6 ways), by light (8), boxes (4), places (20)."""
    done: list[str] = []

    def on_paper(_image: Picture, *, hued: bool = False) -> Iterator[FoundSheet]:
        done.append("hue" if hued else "light")
        yield sheet(1.0 if hued else 2.0, 6 if hued else 8)

    def find_sheets(_image: Picture, *, papers: bool) -> FoundSheets:
        assert not papers  # they are tried by themselves
        done.append("boxes")
        return FoundSheets((sheet(3.0, 4),), ())

    def maps_in_places(_image: Picture, _quads: object, most: int) -> tuple[np.ndarray, ...]:
        done.append("places")
        return tuple(np.full((6, 8, 2), 4.0) for _ in range(most))

    monkeypatch.setattr(sheet_tries, "on_paper", on_paper)
    monkeypatch.setattr(sheet_tries, "find_sheets", find_sheets)
    monkeypatch.setattr(sheet_tries, "maps_in_places", maps_in_places)
    return done


def look(tries: SheetTries, picture: Picture, start: tuple[int, int] = (30, 20)) -> list[float]:
    """Where the ways of a look begin, all of them read in vain."""
    return [float(one.sheets[0].candidates[0].corners.mean()) for one in tries.due(picture, start, ())]


def test_what_was_tried_in_vain_is_not_tried_again_while_the_place_looks_the_same(
    worked_out: list[str],
) -> None:
    """The first look tries all, the likeliest first; noise is no change."""
    tries = SheetTries()
    assert look(tries, part()) == [1, 2, 3, 4]
    assert worked_out == ["hue", "light", "boxes", "places"]
    noise = np.random.default_rng(2).integers(-1, 2, part().shape)
    assert look(tries, np.asarray(part() + noise, dtype=np.uint8)) == []
    assert look(tries, part()) == []
    assert len(worked_out) == 4


def test_a_place_that_looks_otherwise_is_tried_again_a_few_ways_a_look(worked_out: list[str]) -> None:
    """Each look goes on where the one before stopped, until all were tried once more."""
    tries = SheetTries()
    look(tries, part())
    worked_out.clear()
    assert look(tries, part(drawn=True)) == [1, 2]
    assert worked_out == ["hue", "light"]
    assert look(tries, part(drawn=True)) == [3, 4]
    assert look(tries, part(drawn=True)) == []
    # Where every look shows another light all ways have their turn, too.
    seen = [look(tries, part(light)) for light in (60, 70, 80, 90)]
    assert seen == [[1, 2], [3, 4], [1, 2], [3, 4]]


def test_a_map_that_was_found_and_lost_is_looked_for_with_all_that_there_is(worked_out: list[str]) -> None:
    """Whoever reads a good one stops there: the rest is not even worked out."""
    tries = SheetTries()
    for one in tries.due(part(), (30, 20), ()):
        assert not one.guessed
        break
    tries.found()
    assert worked_out == ["hue"]
    assert look(tries, part()) == [1, 2, 3, 4]
    assert [one.guessed for one in SheetTries().due(part(), (0, 0), ())] == [False, False, False, True]


@pytest.mark.usefixtures("worked_out")
def test_ways_worked_out_before_lie_where_they_lay_though_the_part_begins_elsewhere() -> None:
    """The table's camera is followed, and its regions move by a pixel or two."""
    tries = SheetTries()
    look(tries, part())
    look(tries, part(drawn=True), (30, 20))
    (boxes, places) = tries.due(part(drawn=True), (28, 23), ())
    for one, at in ((boxes, 3.0), (places, 4.0)):
        corner = one.sheets[0].candidates[0].corners[0, 0]
        assert corner.tolist() == [at + 2, at - 3]
