"""Hands: they read as hands, work where they are told to, and darken what lies under them."""

import math

import numpy as np
import pytest

from calibration.camera import Camera, Lens, Pose
from simulation.ground_view import GroundView
from simulation.hand_shadows import CELL_PX, veils
from simulation.hands import SKINS, Person, Sleeve, draw_hand, smeared
from simulation.skeleton import POSES, BoneChain, pencil, reach
from simulation.virtual_scene import Lamp, Surroundings

CAMERA = Camera(Lens.from_field_of_view((640, 480), 62), Pose.above(600, tilt_deg=5))
VIEW = GroundView.of(CAMERA)
LAMP = Lamp((-300.0, 250.0, 900.0), (1.0, 0.95, 0.9), 0.7, 40.0)
SHOULDER = np.array([150.0, -520.0, 280.0])
PERSON = Person(SKINS[1], Sleeve(30.0))


def hand(
    pose: str, x: float = 0.0, y: float = 0.0, z: float = 10.0, *, left: bool = False
) -> list[BoneChain]:
    """A hand that works at a point of the table."""
    return reach(POSES[pose], np.array([x, y, z]), SHOULDER, left=left)


@pytest.mark.parametrize("pose", sorted(POSES))
@pytest.mark.parametrize("left", [False, True])
def test_a_hand_works_where_it_is_told_to(pose: str, left: bool) -> None:
    """The tips that do the work of a pose end near the point asked for, and no bone is under the table."""
    parts = {part.name: part for part in hand(pose, 40, -25, 12, left=left)}
    tips = [parts[name].points[-1] for name in ("thumb", "index", "middle")]
    weights = POSES[pose].work
    middle = sum(w * tip for w, tip in zip(weights, tips, strict=True)) / sum(weights)
    assert np.hypot(*(middle[:2] - (40, -25))) < 1e-6
    assert 10 < middle[2] < 25
    assert min(float(part.points[:, 2].min()) for part in parts.values()) > -12


def test_the_thumb_is_on_the_other_side_of_a_left_hand() -> None:
    """Left and right hands mirror each other."""
    for left, sign in ((False, -1), (True, 1)):
        parts = {part.name: part for part in hand("flat", left=left)}
        thumb, little = parts["thumb"].points[-1], parts["little"].points[-1]
        assert math.copysign(1, thumb[0] - little[0]) == sign


def test_four_fingers_and_a_thumb_can_be_told_apart() -> None:
    """Along a line across the fingers of a flat hand the picture shows four fingers with table between."""
    parts = {part.name: part for part in hand("flat", z=3)}
    overlay = draw_hand(CAMERA, list(parts.values()), PERSON, (LAMP,), Surroundings())
    assert overlay is not None
    joints = np.array([parts[name].points[2] for name in ("index", "middle", "ring", "little")])
    ends = CAMERA.to_pixels(joints[[0, -1]]) - (overlay.left, overlay.upper)
    way = ends[1] - ends[0]
    steps = np.linspace(-0.2, 1.2, 200)[:, None]
    at = np.round(ends[0] + steps * way).astype(int)
    seen = (
        overlay.cover[
            at[:, 1].clip(0, overlay.cover.shape[0] - 1), at[:, 0].clip(0, overlay.cover.shape[1] - 1)
        ]
        > 0.5
    )
    assert np.count_nonzero(np.diff(seen.astype(int)) == 1) + int(seen[0]) >= 3


def test_a_hand_has_the_colour_of_its_skin_and_a_lit_and_a_dark_side() -> None:
    """Paler skin gives a lighter picture, and a lamp from the other side swaps light and dark."""
    parts = hand("fist", z=30)
    bare = Sleeve(230.0)
    light = [
        draw_hand(CAMERA, parts, Person(skin, bare), (LAMP,), Surroundings())
        for skin in (SKINS[0], SKINS[-1])
    ]
    assert light[0] is not None
    assert light[1] is not None
    solid = light[0].cover > 0.9
    assert light[0].light[solid].mean() > 2.5 * light[1].light[solid].mean()
    sides = []
    for x in (-900.0, 900.0):
        drawn = draw_hand(
            CAMERA, parts, PERSON, (Lamp((x, 0.0, 500.0), (1, 1, 1), 0.8, 30.0),), Surroundings((0.05,) * 3)
        )
        assert drawn is not None
        columns = np.flatnonzero(drawn.cover.max(axis=0) > 0.9)
        half = (columns[0] + columns[-1]) // 2
        bright = drawn.light.sum(axis=2) * drawn.cover
        sides.append(bright[:, :half].sum() / bright[:, half:].sum())
    assert sides[0] > 1.3 * sides[1]


def test_people_differ_and_a_person_stays_the_same() -> None:
    """Twenty people have many skins, sleeves and at least one short-sleeved arm; a seed gives one person."""
    people = [Person.drawn(seed) for seed in range(20)]
    assert len({person.skin for person in people}) == 20
    assert len({person.sleeve.pattern for person in people}) >= 3
    assert {person.sleeve.cuff_mm > 100 for person in people} == {True, False}
    assert Person.drawn(7) == Person.drawn(7)


def test_no_overlay_where_no_hand_is() -> None:
    """A hand beyond the picture's edge is not drawn."""
    assert draw_hand(CAMERA, hand("open", 0, -900), PERSON, (LAMP,), Surroundings()) is None


def test_a_pencil_ends_where_the_hand_writes() -> None:
    """The pencil's tip is at the hand's work and its end is in the air."""
    part = pencil(np.array([10.0, 20.0, 1.0]), SHOULDER)
    assert np.allclose(part.points[0], (10, 20, 1))
    assert part.points[-1, 2] > 60


def test_what_moves_is_smeared_along_its_way_alone() -> None:
    """A moving hand keeps its light, and its edge is soft along the way it goes and sharp across."""
    drawn = draw_hand(CAMERA, hand("point", z=20), PERSON, (LAMP,), Surroundings())
    assert drawn is not None
    moved = smeared(drawn, (0.0, 14.0))
    assert moved.cover.sum() == pytest.approx(drawn.cover.sum(), rel=0.03)
    soft = [np.count_nonzero((one.cover > 0.05) & (one.cover < 0.95)) for one in (drawn, moved)]
    assert soft[1] > 2 * soft[0]
    assert smeared(drawn, (0.2, 0.1)) is drawn


def test_a_hand_throws_its_shadow_away_from_the_lamp() -> None:
    """The higher the hand, the farther from it its shadow falls, on the side away from the lamp."""
    places = []
    for z in (5.0, 60.0, 140.0):
        parts = [part for part in hand("fist", 0, 0, z) if part.name not in ("forearm", "upper arm")]
        dark = 1 - veils(VIEW, parts, (LAMP,))[0]
        rows, columns = np.nonzero(dark > 0.5 * dark.max())
        foot = VIEW.foot[(rows.mean() * CELL_PX).astype(int), (columns.mean() * CELL_PX).astype(int)]
        body = np.concatenate([part.points[:, :2] for part in parts]).mean(axis=0)
        places.append(foot - body)
    away = [float(p @ (300, -250)) for p in places]
    assert away[0] < away[1] < away[2]
    assert away[2] > 300 * 20


def test_shadows_are_softer_the_higher_the_hand_and_end_where_nothing_is() -> None:
    """A veil is 1 far from the hand, and its edge is wider under a higher one."""
    widths = []
    for z in (3.0, 120.0):
        veil = veils(VIEW, [p for p in hand("fist", 0, 0, z) if "arm" not in p.name], (LAMP,))[0]
        assert veil[0, 0] == 1
        assert veil.min() < 0.4
        widths.append(np.count_nonzero((veil > 0.15) & (veil < 0.85)) / np.count_nonzero(veil < 0.5))
    assert widths[1] > 1.2 * widths[0]
    assert veils(VIEW, [], (LAMP,)) == {}
