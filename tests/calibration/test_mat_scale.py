"""A mat that was printed larger or smaller: its own markers tell, and loose ones laid anywhere do not."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from calibration.mats import MarkerPlace, loose_markers, mat_markers, mat_scale
from calibration.plan import plan_of
from engine import GAMES


def printed(game: str, scale: float, side_mm: float = 32.0, off_mm: float = 0.0) -> list[MarkerPlace]:
    """The markers of a mat printed at a scale, each sheet taped so far off its place."""
    rng = np.random.default_rng(4)
    return [
        replace(
            place,
            centre_mm=(
                place.centre_mm[0] * scale + float(rng.uniform(-off_mm, off_mm)),
                place.centre_mm[1] * scale + float(rng.uniform(-off_mm, off_mm)),
            ),
            side_mm=place.side_mm * scale,
        )
        for place in mat_markers(plan_of(game), side_mm=side_mm)
    ]


@pytest.mark.parametrize("scale", [0.707, 0.94, 1.06, 1.4142])
@pytest.mark.parametrize("game", GAMES)
def test_a_mat_tells_at_which_scale_it_was_printed(game: str, scale: float) -> None:
    """Of every game, its sheets taped 2 mm off, and with a marker between the corners covered."""
    places = printed(game, scale, off_mm=2.0)
    assert mat_scale(plan_of(game), places) == pytest.approx(scale, rel=0.01)
    assert mat_scale(plan_of(game), places[:-1]) == pytest.approx(scale, rel=0.01)
    true = printed(game, 1.0, off_mm=2.0)
    assert mat_scale(plan_of(game), true) == 1.0


def test_a_mat_of_small_markers_is_as_large_as_one_of_large_ones() -> None:
    """`print mat --marker-mm 25` changes the markers and not the mat; taken for 32 mm all of it has grown."""
    plan = plan_of("draw-game")
    places = printed("draw-game", 1.0, 25.0)
    assert mat_scale(plan, places) == 1.0
    share = 32 / 25
    grown = [
        replace(one, centre_mm=(one.centre_mm[0] * share, one.centre_mm[1] * share), side_mm=32.0)
        for one in places
    ]
    assert mat_scale(plan, grown) == pytest.approx(share, rel=0.001)


def pulled(places: Sequence[MarkerPlace], wide: float, deep: float) -> list[MarkerPlace]:
    """The same markers, laid farther apart or closer together."""
    return [replace(one, centre_mm=(one.centre_mm[0] * wide, one.centre_mm[1] * deep)) for one in places]


def test_loose_markers_laid_anywhere_say_nothing() -> None:
    """Four of them at any distance; more that lie where no mat has them; a mat with a corner covered."""
    plan = plan_of("draw-game")
    for side in (25.0, 32.0, 45.0):
        corners = list(loose_markers(plan.size_mm, side_mm=side))
        for wide, deep in ((1.0, 1.0), (1.4, 1.4), (0.7, 0.9)):
            four = pulled(corners, wide, deep)
            assert mat_scale(plan, four) == 1.0
            more = [MarkerPlace(4, (20.0, 120.0), 0.0, side), MarkerPlace(5, (-90.0, -60.0), 0.0, side)]
            assert mat_scale(plan, [*four, *more]) == 1.0
            assert mat_scale(plan, [*four, *(replace(one, number=one.number + 30) for one in more)]) == 1.0
    mat = printed("draw-game", 1.4)
    assert mat_scale(plan, mat[1:]) == 1.0
    assert mat_scale(plan, pulled(mat, 1.0, 1.3)) == 1.0


def test_what_is_printed_grows_and_what_is_laid_does_not() -> None:
    """The field's squares grow with the paper; a line of tiles has the tiles' own lattice."""
    war, draw = plan_of("dominoes-of-war"), plan_of("draw-game")
    assert war.scaled(1.0) is war
    grown = war.scaled(1.4)
    for name, region in war.regions.items():
        assert grown.regions[name].bounds_mm == pytest.approx([1.4 * v for v in region.bounds_mm])
        assert grown.regions[name].spill_mm == pytest.approx(1.4 * region.spill_mm)
    for name in ("board", "field"):
        there = grown.regions[name].place_mm(3, 5)
        assert there == pytest.approx([1.4 * v for v in war.regions[name].place_mm(3, 5)])
    line, longer = draw.regions["board"], draw.scaled(1.4).regions["board"]
    assert longer.unit_mm == line.unit_mm
    assert longer.place_mm(0, 0) == pytest.approx([1.4 * v for v in line.place_mm(0, 0)])
