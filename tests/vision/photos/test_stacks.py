"""Piles of coins: how many lie on each other, told by the side that is seen aslant."""

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from calibration.camera import Camera, Lens, Pose
from calibration.table_finder import Table
from simulation.makes import PiecepackLook, Stuff
from simulation.picture import shoot
from simulation.virtual_scene import Lamp, Piece, Sensor, Surface, VirtualScene
from tests.vision.pieces.made import read_of, square
from vision.photos import stacks
from vision.photos.stack_side import px_a_mm_of_height
from vision.photos.stacks import Stack, chances, likeliest
from vision.pieces.patches import Picture
from vision.pieces.piece_read import Read

LOOK = PiecepackLook("light", coin_mm=19.0, coin_thick_mm=3.2, stuff=Stuff((0.75, 0.6, 0.4), 0.2))
SLOTS = {"one": (-60.0, 60.0, 1), "two": (-20.0, 60.0, 2), "five": (20.0, 60.0, 5), "six": (60.0, 60.0, 6)}
UNSEEN = Stack(0, 0.0, 0.5)
BELOW = "straight below"
CAMERA = Camera(Lens.from_field_of_view((900, 640), 50.0), Pose.above(330.0, tilt_deg=0.0))
TABLE = Table(CAMERA, (), 0.0)


def coins() -> list[Piece]:
    """Piles away from the middle of the picture, and one of six right below the camera."""
    found = []
    for name, (x, y, count) in {**SLOTS, BELOW: (0.0, 0.0, 6)}.items():
        for k in range(count):
            value = {"suit": "suns", "value": k}
            found.append(Piece(f"{name} {k}", "coin", LOOK, x, y, 40.0 * k, 3.2 * k, "up", value, k))
    return found


@pytest.fixture(scope="module")
def photo() -> tuple[Picture, dict[str, Read]]:
    """The piles on a dark table, drawn without trouble, and perfect readings of their upper coins."""
    laid = coins()
    lamps = (Lamp((-300.0, 500.0, 900.0), (1.0, 1.0, 1.0), 0.6, 60.0),)
    surface = Surface("plain", (0.02, 0.05, 0.03), (0.02, 0.05, 0.03))
    scene = VirtualScene(tuple(laid), surface, lamps, CAMERA, sensor=Sensor(), seed=3)
    tops = {one.name.rsplit(" ", 1)[0]: one for one in laid}
    return shoot(scene).picture, {name: read_of(one, CAMERA) for name, one in tops.items()}


def test_the_side_tells_how_many_lie_there(photo: tuple[Picture, dict[str, Read]]) -> None:
    """High piles within one coin, and that they are piles; of two coins less is seen than of five."""
    picture, tops = photo
    told = dict(zip(tops, stacks.counted(picture, list(tops.values()), TABLE), strict=True))
    one, two, five, six = (told[name] or UNSEEN for name in SLOTS)
    assert one.coins == 1
    assert one.several <= stacks.ALONE
    assert one.several < two.several < five.several
    for pile, coins_there in ((five, 5), (six, 6)):
        assert pile.several >= stacks.PILED
        assert abs(pile.coins - coins_there) <= 1


def test_right_below_the_camera_nothing_is_told(photo: tuple[Picture, dict[str, Read]]) -> None:
    """There no side is seen, however high the pile is."""
    picture, tops = photo
    assert stacks.counted(picture, [tops[BELOW]], TABLE) == (None,)


def test_where_the_side_cannot_be_seen_nothing_is_told(photo: tuple[Picture, dict[str, Read]]) -> None:
    """Behind another piece, half covered, at the rim of the picture; and of what is no coin."""
    picture, tops = photo
    pile = tops["five"]
    assert stacks.counted(picture, [pile], TABLE)[0] is not None
    x, y = (float(v) for v in pile.middle)
    before = square("pawn", {"suit": "arms"}, (x - 10, y + 45), 30)  # towards the middle of the picture
    assert stacks.counted(picture, [pile, before], TABLE) == (None, None)
    tile = square("tile", None, (x, y), 120, face="down")  # it may lie on that
    assert stacks.counted(picture, [pile, tile], TABLE)[0] is not None
    assert stacks.counted(picture, [replace(pile, visible=0.5)], TABLE) == (None,)
    for at in ((2.0, 2.0), (-40.0, 300.0), (899.0, 639.0)):
        assert stacks.counted(picture, [square("coin", None, at, pile.length)], TABLE) == (None,)
    assert stacks.counted(picture, [], TABLE) == ()


def test_a_millimetre_of_height_has_more_pixels_farther_out() -> None:
    """None right below the camera; elsewhere as many as its upper end is seen beside its foot."""
    below = CAMERA.to_pixels(np.zeros((1, 2)), np.zeros(1))[0]
    assert px_a_mm_of_height(below, CAMERA) == pytest.approx(0, abs=1e-3)
    far = [px_a_mm_of_height(below + np.array([x, 0.0]), CAMERA) for x in (50.0, 150.0, 300.0)]
    assert far == sorted(far)
    foot = np.array([[100.0, 0.0]])
    ends = CAMERA.to_pixels(np.repeat(foot, 2, axis=0), np.array([0.0, 10.0]))
    assert px_a_mm_of_height(ends[0], CAMERA) == pytest.approx(math.dist(*ends) / 10, rel=1e-3)


depth = st.floats(1.5, 28.0)
pixels = st.floats(stacks.LEAST_PX_A_MM, 4.0)


@given(depth, depth, pixels)
def test_chances_are_shares_and_never_certain(by_colour: float, by_edge: float, px_a_mm: float) -> None:
    """Whatever is seen: they add up to one, and one pile in some hundreds is always another."""
    p = chances(by_colour, by_edge, px_a_mm)
    assert p.sum() == pytest.approx(1)
    assert len(p) == stacks.MOST
    assert p.min() > 0
    assert p.max() < 0.999
    pile = likeliest(p)
    assert (pile.coins > 1) == (pile.several > 0.5)
    assert pile.confidence == p[pile.coins - 1]


@given(pixels)
def test_the_farther_down_a_side_goes_the_more_coins_there_are(px_a_mm: float) -> None:
    """The expected number never falls between a coin and six, where both ends agree."""
    number = [float(chances(h, h, px_a_mm) @ np.arange(1, stacks.MOST + 1)) for h in np.arange(4, 19, 1.5)]
    assert number == sorted(number)
    assert number[0] < 2.2
    assert number[-1] > 3.5


@pytest.mark.parametrize(("several", "below_mm"), [(0.9, 12.8), (0.5, 0.0)])
def test_what_a_pile_lifts_is_told_only_where_it_is_clear(several: float, below_mm: float) -> None:
    """The place of a coin is left alone where it may lie on the table."""
    assert Stack(5, 0.4, several).below_mm == pytest.approx(below_mm)
