"""What nobody touched has not moved: neither vanished nor come, whatever one reading says."""

from collections.abc import Iterable
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from device.journal.ruling_pictures import Outline
from device.live.ports import Seen
from device.live.steadying import box_at, loses, steadied
from device.live.visits import Visits
from engine.scene import Guess, Scene, Sighting
from vision.view import Box, FrameState, Look, SeenArm

SIZE = (640, 480)
SPOTS = [(60 + 90 * column, 60 + 80 * row) for row in range(5) for column in range(6)]


def table(places: Iterable[int], pips: int = 3) -> Seen:
    """Dominoes on some of the spots, with their marks."""
    sightings, marks = [], []
    for number, place in enumerate(places):
        x, y = SPOTS[place]
        guess = Guess({"pips": [pips, place % 7]}, 0.99)
        sightings.append(Sighting("domino", "board", x / 10, y / 10, 0.0, guesses=(guess,), ref=str(number)))
        marks.append(
            Outline(((x - 20.0, y - 10.0), (x + 20.0, y - 10.0), (x + 20.0, y + 10.0), (x - 20.0, y + 10.0)))
        )
    return Seen(Scene(tuple(sightings)), tuple(marks))


def shown(seen: Seen) -> set[int]:
    """The spots on which something lies."""
    found = set()
    for one in seen.scene.sightings:
        box = box_at(one, seen.marks)
        assert box is not None
        found.add(SPOTS.index(((box[0] + box[2]) // 2, (box[1] + box[3]) // 2)))
    assert len(found) == len(seen.scene.sightings)
    return found


def at(places: Iterable[int]) -> list[Box]:
    """Boxes around some of the spots."""
    return [(SPOTS[k][0] - 25, SPOTS[k][1] - 15, SPOTS[k][0] + 25, SPOTS[k][1] + 15) for k in places]


spots = st.sets(st.integers(0, len(SPOTS) - 1))


@given(spots, spots, spots)
def test_where_a_place_looks_as_it_did_all_is_as_it_was_though_a_hand_has_been_there(
    before: set[int], now: set[int], alike: set[int]
) -> None:
    """What was there was overlooked, and what is new is none; elsewhere all is as it is seen."""
    boxes = set(at(alike))
    found = steadied(
        table(sorted(now)), table(sorted(before)), lambda _box: True, lambda box: bool(boxes & _near(box))
    )
    assert shown(found) == (now - alike) | (before & alike)


def test_what_is_read_instead_of_a_piece_that_lies_still_is_not_there() -> None:
    """The same place cannot hold both: a pawn was taken for a coin."""
    before, now = table([3]), table([3])
    (one,) = now.scene.sightings
    coin = Seen(replace(now.scene, sightings=(replace(one, kind="coin", guesses=()),)), now.marks)
    for same in (True, False):
        found = steadied(coin, before, lambda _box: True, lambda _box, same=same: same)
        assert [each.kind for each in found.scene.sightings] == (["domino"] if same else ["coin"])


@given(spots, spots, spots)
def test_only_where_somebody_was_something_can_have_changed(
    before: set[int], now: set[int], hands: set[int]
) -> None:
    """Elsewhere all is as it was; where somebody was, all is as it is seen."""
    boxes = set(at(hands))
    found = steadied(table(sorted(now)), table(sorted(before)), lambda box: bool(boxes & _near(box)))
    assert shown(found) == (now & hands) | (before - hands)
    assert set(found.scene.fresh) <= {one.ref for one in found.scene.sightings}
    assert len(found.scene.fresh) == len((now & hands) - before)


def _near(box: Box) -> set[Box]:
    return {(box[0] - 5, box[1] - 5, box[2] + 5, box[3] + 5)}


def test_a_better_reading_of_what_lies_there_counts() -> None:
    """Only that something lies there is kept, not what it was taken for."""
    found = steadied(table([3, 4], pips=5), table([3, 4], pips=6), lambda _box: False)
    values = [one.value for one in found.scene.sightings]
    assert values == [{"pips": [5, 3]}, {"pips": [5, 4]}]


def test_what_seems_to_lie_across_was_looked_at_through_the_wrong_corners() -> None:
    """Nobody was there: it lies as it lay, and shows what it showed; where somebody was, it was turned."""
    before, now = table([3, 4], pips=6), table([3, 4], pips=5)
    across = replace(now.scene.sightings[0], angle=88.0)
    now = replace(now, scene=replace(now.scene, sightings=(across, now.scene.sightings[1])))
    found = steadied(now, before, lambda _box: False)
    assert shown(found) == {3, 4}
    assert {(one.angle, str(one.value)) for one in found.scene.sightings} == {
        (0.0, str({"pips": [6, 3]})),
        (0.0, str({"pips": [5, 4]})),
    }
    assert not found.scene.fresh
    assert across in steadied(now, before, lambda _box: True).scene.sightings
    bare = replace(now, scene=replace(now.scene, sightings=(replace(across, angle=None),)))
    assert len(steadied(bare, before, lambda _box: False).scene.sightings) == 2


def pawn(middle_px: tuple[float, float], size_px: float) -> Seen:
    """A pawn as one reading has it: all of it, or its head alone."""
    (x, y), half = middle_px, size_px / 2
    outline = ((x - half, y - half), (x + half, y - half), (x + half, y + half), (x - half, y + half))
    return Seen(Scene((Sighting("pawn", "board", x / 50, y / 50, ref="0"),)), (Outline(outline),))


@pytest.mark.parametrize("turned", [False, True])
def test_a_tall_piece_that_is_read_whole_or_by_its_head_is_one(turned: bool) -> None:
    """Either is near the other by the larger of both; one that went farther left nothing behind."""
    two = pawn((566, 347), 27), pawn((572, 366), 46)
    before, now = two[::-1] if turned else two
    beside = lambda box: box == box_at(now.scene.sightings[0], now.marks)  # noqa: E731
    assert steadied(now, before, beside).scene.sightings == now.scene.sightings
    assert not steadied(now, before, beside).scene.fresh
    gone = pawn((572, 466), 46)
    assert steadied(gone, before, lambda _box: True).scene.fresh == ("0",)


def test_what_stands_on_a_tile_is_another_piece() -> None:
    """A soldier that one reading missed is still there, though the tile under him is seen."""
    tile = table([3])
    soldier = Sighting("soldier", "board", ref="1")
    both = Seen(Scene((*tile.scene.sightings, soldier)), (*tile.marks, *tile.marks))
    assert [one.kind for one in steadied(tile, both, lambda _box: False).scene.sightings] == [
        "domino",
        "soldier",
    ]
    assert [one.kind for one in steadied(both, tile, lambda _box: False).scene.sightings] == ["domino"]


def test_what_has_no_mark_is_left_as_it_is() -> None:
    """Sheets, and whatever the eye cannot show: nothing is said of them."""
    sheet = Sighting("sheet", "sheet-1", ref="7")
    bare = Seen(Scene((sheet, Sighting("domino", "board"))))
    assert steadied(bare, table([1]), lambda _box: True) == bare
    assert len(steadied(bare, table([1]), lambda _box: False).scene.sightings) == 3


def test_of_a_map_that_nobody_was_at_there_is_no_news() -> None:
    """Whatever is read on it; one that was not seen before is news, and so is one where somebody was."""
    mark = Outline(((10.0, 10.0), (90.0, 10.0), (90.0, 60.0), (10.0, 60.0)))
    first = Sighting("sheet", "sheet-1", guesses=(Guess({"map": []}, 1.0),), ref="0")
    other = replace(first, region="sheet-2")
    before, seen = Seen(Scene((first,)), (mark,)), Seen(Scene((first, other)), (mark,))
    kept = steadied(seen, before, lambda _box: False).scene.sightings
    assert kept == (replace(first, guesses=()), other)
    assert steadied(seen, before, lambda box: box == (10, 10, 90, 60)).scene.sightings == (first, other)


def test_a_piece_is_touched_where_a_hand_was_or_the_gate_saw_a_change() -> None:
    """And everywhere, if nobody could see for a while."""
    here, there = at([0])[0], at([29])[0]
    arm = ((50, 0), (70, 0), (70, 60), (50, 60))
    visits = Visits().note(
        Look(0.0, FrameState.HAND, 0.0, (arm,)), [SeenArm(frozenset({2}), arm)], SIZE, comes=True
    )
    assert visits.touched(here, ())
    assert not visits.touched(there, ())
    assert visits.touched(there, [there])
    later = Visits().note(Look(0.0, FrameState.BLACK, 0.0), (), SIZE, comes=False)
    visits = visits.add(later)
    assert visits.touched(there, ())


def test_a_camera_that_sends_another_size_begins_anew() -> None:
    """Cells of one size say nothing about pictures of another."""
    arm = ((5, 0), (70, 0), (70, 60), (5, 60))
    visits = Visits()
    for size in (SIZE, (320, 240)):
        visits = visits.note(
            Look(0.0, FrameState.HAND, 0.0, (arm,)), [SeenArm(frozenset({2}), arm)], size, comes=True
        )
    assert visits.covered is not None
    assert visits.covered.shape == (240 // 16 + 1, 320 // 16 + 1)
    other = replace(visits, covered=np.zeros((3, 3), np.uint8))
    visits = visits.add(other)
    assert visits.covered is not None
    assert visits.covered.shape == (3, 3)


@given(spots, spots, spots, spots)
def test_what_was_put_down_and_is_not_seen_again_is_missed(
    before: set[int], earlier: set[int], now: set[int], bare: set[int]
) -> None:
    """Of what lay there before, others keep count; where nothing can be lying it was taken away again."""
    known = steadied(table(sorted(earlier)), table(sorted(before)), lambda _: True)
    assert loses(table(sorted(now)), known) is bool(earlier - before - now)
    boxes = set(at(bare))
    left = earlier - before - now - bare
    assert loses(table(sorted(now)), known, lambda box: bool(boxes & _near(box))) is bool(left)
