"""The second pens: the same seed is the same paper, every family draws every coat, and the truth is told."""

import numpy as np
import pytest

from engine.kingdomino_duel.edition import COATS
from simulation.coat_strokes import CoatRoom, DrawingWays, StripeWay, chord, draw_coat_by
from simulation.filled_sheet import CASTLE, OUR_FORM, SQUARE_PX, Cells, FilledSheet, printed_form, random_form
from simulation.ink_flow import FINE, InkLayer, Nib, Wrist
from simulation.other_hands import filled_by_another, sheet_by_ways
from simulation.pen_families import FAMILIES, Family, a_slant, families_named, plain_stripes
from simulation.worn_paper import coffee_on, crumpled

BLANK: Cells = tuple((None,) * 7 for _ in range(5))
EVERY: Cells = ((*((coat, k % 4) for k, coat in enumerate(COATS)), None), *BLANK[1:])
WORN = ("creased", "coffee", "corrections")


def drawn(family: Family, cells: Cells, seed: int = 1) -> FilledSheet:
    """A sheet of ours by somebody of this family."""
    return filled_by_another(OUR_FORM, cells, False, np.random.default_rng(seed), family)


def ink_in(paper: FilledSheet, row: int, column: int, *, bare: bool = True) -> float:
    """How much darker a square is than it was printed, on average (bare), or the most of it."""
    (x0, y0), (x1, y1) = (
        paper.corners[row, column].astype(int),
        paper.corners[row + 1, column + 1].astype(int),
    )
    lost = (printed_form(OUR_FORM)[0] - paper.image)[y0 + 2 : y1 - 2, x0 + 2 : x1 - 2].mean(axis=2)
    return float(lost.mean() if bare else lost.max())


@pytest.mark.parametrize("name", FAMILIES)
def test_every_family_draws_every_coat_and_the_seed_alone_decides(name: str) -> None:
    """Each coat of a row leaves ink, the same seed the same sheet, and another seed another one."""
    one, again, other = (drawn(FAMILIES[name], EVERY, seed) for seed in (4, 4, 5))
    assert (one.image == again.image).all()
    assert (one.image != other.image).any()
    assert one.cells == EVERY
    assert one.corners.shape == (6, 8, 2)
    assert len(one.crossed) == sum(cell[1] for cell in EVERY[0] if cell)
    for column in range(len(COATS)):
        assert ink_in(one, 0, column, bare=False) > 0.1


@pytest.mark.parametrize("name", [name for name in FAMILIES if name not in WORN])
def test_an_empty_map_stays_nearly_as_it_was_printed(name: str) -> None:
    """Where nothing is meant, no shield has ink: doodles lie beside it."""
    paper = drawn(FAMILIES[name], BLANK, 3)
    field = OUR_FORM.field
    printed = printed_form(OUR_FORM)[0]
    for row, column in np.ndindex(5, 7):
        if (row, column) != CASTLE:
            middle = (paper.corners[row, column] + paper.corners[row + 1, column + 1]) / 2
            spot = middle + np.array([field.x, field.y]) * SQUARE_PX
            half = np.array([field.width, field.height]) * SQUARE_PX / 2
            (x0, y0), (x1, y1) = (spot - half).astype(int), (spot + half).astype(int)
            assert np.abs(printed - paper.image)[y0:y1, x0:x1].max() < 0.12


def test_crosses_are_where_they_are_told_to_be() -> None:
    """Around each cross the paper is darker, on our form and on forms of others with two to four circles."""
    cells: Cells = ((("dot", 3),) * 7, *BLANK[1:])
    for seed in range(4):
        rng = np.random.default_rng(seed)
        form = OUR_FORM if seed == 0 else random_form(rng)
        printed = printed_form(form)[0]
        paper = filled_by_another(form, cells, False, rng, FAMILIES["adults"])
        assert len(paper.crossed) == 21
        for x, y in paper.crossed.astype(int):
            part = (slice(y - 6, y + 7), slice(x - 6, x + 7))
            assert (printed[part] - paper.image[part]).max() > 0.15


@pytest.mark.parametrize("slant", [0, 30, 60, 90, 120, 150])
def test_a_stripe_has_the_slant_that_was_asked_for(slant: int) -> None:
    """The ink of one stripe lies along its slant, to a few degrees."""
    rng = np.random.default_rng(2)
    ink = InkLayer((100, 100), Nib(), Wrist(0.0, 0.0), SQUARE_PX, rng)
    draw_coat_by(ink, "stripe", CoatRoom(50, 50, 45, 56, SQUARE_PX), DrawingWays(StripeWay(slant=slant)))
    y, x = np.nonzero(ink.amount > 0.3)
    spread = np.cov(np.stack([x, -y]))
    way = np.linalg.eigh(spread)[1][:, 1]
    off = (np.degrees(np.arctan2(way[1], way[0])) - slant + 90) % 180 - 90
    assert abs(off) < 4


def test_a_stripe_ends_at_the_rim_and_no_chord_misses_its_room() -> None:
    """A chord runs from rim to rim; beside the room there is none."""
    room = CoatRoom(10, 10, 8, 4, SQUARE_PX)
    ends = chord(room, np.array([10.0, 10.0]), 0.0)
    assert ends is not None
    assert np.allclose(ends, [(6, 10), (14, 10)])
    assert chord(room, np.array([10.0, 20.0]), 0.0) is None


def test_two_stripes_have_paper_between_them() -> None:
    """However wide the pen, and however much they differ in slant."""
    for wide, splay in ((0.02, 0.0), (0.08, 0.0), (0.02, 12.0)):
        way = plain_stripes(StripeWay(gap=0.05, splay=splay), Nib(width=wide))
        assert way.gap > 2 * wide
    assert plain_stripes(StripeWay(breaks=2, length=0.5), Nib()).length > 0.8


def test_left_handers_and_children_have_their_slants() -> None:
    """Left-handers' stripes fall to the right; children's stand nearly upright."""
    rng = np.random.default_rng(1)
    left = [a_slant(FAMILIES["left-handers"].slants, rng) for _ in range(200)]
    child = [a_slant(FAMILIES["children"].slants, rng) for _ in range(200)]
    assert np.mean([90 < slant < 180 for slant in left]) > 0.95
    assert np.mean([40 < slant < 140 for slant in child]) > 0.95
    bold = [a_slant(FAMILIES["bold"].slants, rng) for _ in range(400)]
    assert np.histogram(bold, 6, (0, 180))[0].min() > 40


def test_more_ink_swallows_more_light() -> None:
    """Two strokes over each other are darker than one, and blue ink leaves blue light."""
    paper = np.ones((40, 40, 3), np.float32)
    ink = InkLayer(
        (40, 40), Nib(width=0.1, skips=0, swing=0), Wrist(0, 0), SQUARE_PX, np.random.default_rng(1)
    )
    ink.stroke(np.array([(5.0, 20.0), (35.0, 20.0)]))
    ink.stroke(np.array([(20.0, 5.0), (20.0, 35.0)]))
    ink.lay_on(paper)
    assert paper[20, 20].mean() < paper[20, 10].mean() < 0.5
    assert paper[20, 10, 0] > paper[20, 10, 2]
    assert ink.amount.shape == (40 * FINE, 40 * FINE)


@pytest.mark.parametrize("worn", [crumpled, coffee_on])
def test_worn_paper_stays_paper(worn: object) -> None:
    """Folds and coffee change the paper and neither blacken it nor make it shine."""
    paper = printed_form(OUR_FORM)[0]
    fresh = paper.copy()
    worn(paper, np.random.default_rng(3))  # type: ignore[operator]
    assert np.abs(paper - fresh).max() > 0.05
    assert np.median(paper) > 0.7
    assert paper.max() < 1.1


def test_a_sheet_by_ways_draws_all_the_same() -> None:
    """Every square of one coat has about as much ink as the others."""
    cells: Cells = ((("stripe", 0),) * 7, *BLANK[1:])
    steady = (Nib(skips=0), Wrist())
    paper = sheet_by_ways(OUR_FORM, cells, np.random.default_rng(1), steady, DrawingWays())
    inks = [ink_in(paper, 0, column) for column in range(7)]
    assert max(inks) < 1.3 * min(inks)


def test_families_are_found_by_name() -> None:
    """One by its name, or all; each has a sentence."""
    assert [one.name for one in families_named("felt")] == ["felt"]
    assert len(families_named("all")) == len(FAMILIES) >= 12
    assert all(one.told for one in FAMILIES.values())
