"""The virtual table's pictures: repeatable, true to their facts, and lit the way light falls."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from calibration.camera import Camera, Lens, Pose
from simulation.bodies import place
from simulation.makes import DOMINOES, DominoLook, PiecepackLook, Stuff, ThingLook
from simulation.picture import room_of, shoot
from simulation.render import draw
from simulation.virtual_scene import Lamp, Piece, Sensor, Surface, Surroundings, VirtualScene, stream

SIZE = (320, 240)
FELT = Surface("felt", (0.05, 0.05, 0.05), (0.1, 0.1, 0.1))
LAMP = Lamp((-400.0, 300.0, 700.0), (1.0, 0.9, 0.8), 0.7, 40.0)
IVORY = DOMINOES["ivory"]


def camera(tilt_deg: float = 0.0, height_mm: float = 300.0) -> Camera:
    """A small camera over the middle of the table."""
    return Camera(Lens.from_field_of_view(SIZE, 50), Pose.above(height_mm, tilt_deg=tilt_deg, turn_deg=12))


def scene(*pieces: Piece, tilt_deg: float = 0.0, seed: int = 5) -> VirtualScene:
    """A small scene under one lamp."""
    return VirtualScene(pieces, FELT, (LAMP,), camera(tilt_deg), Surroundings(), Sensor(), seed)


def domino(
    x_mm: float = 0.0, y_mm: float = 0.0, angle_deg: float = 0.0, *, name: str = "a", z_mm: float = 0.0
) -> Piece:
    """A face-up 3-5."""
    value = {"pips": [3, 5]}
    return Piece(name, "domino", IVORY, x_mm, y_mm, angle_deg, z_mm, value=value)


def test_the_same_seed_gives_the_same_pixels() -> None:
    """A picture is a function of its scene: drawn twice, byte for byte equal; another seed, other noise."""
    first, again = (shoot(scene(domino(), tilt_deg=20)).picture for _ in range(2))
    assert np.array_equal(first, again)
    assert not np.array_equal(first, shoot(scene(domino(), tilt_deg=20, seed=6)).picture)


def test_streams_of_different_parts_do_not_touch_each_other() -> None:
    """Drawing more numbers for one part leaves those of another part as they were."""
    alone = stream(7, "lamps").random(4)
    stream(7, "table").random(1000)
    assert np.array_equal(alone, stream(7, "lamps").random(4))
    assert not np.array_equal(alone, stream(7, "table").random(4))
    assert not np.array_equal(alone, stream(8, "lamps").random(4))


@pytest.mark.parametrize("tilt", [0.0, 15.0, 33.0])
@pytest.mark.parametrize("z_mm", [0.0, 14.0])
def test_the_true_corners_are_where_the_picture_shows_the_top_face(tilt: float, z_mm: float) -> None:
    """At any tilt and height the body's pixels fill the quadrilateral of the facts."""
    sharp = replace(IVORY, corner_mm=0.2, edge_mm=0.15, thickness_mm=0.6)
    piece = Piece("a", "domino", sharp, 12, -8, 33, z_mm, value={"pips": [0, 6]})
    setting = scene(piece, tilt_deg=tilt)
    shot = shoot(setting)
    fact = shot.facts[0]
    rows, columns = np.nonzero(shot.bodies == 0)
    corners = np.array(fact["corners_px"])
    (x0, y0), (x1, y1), (x2, y2), (x3, y3) = corners
    area = abs((x2 - x0) * (y3 - y1) - (x3 - x1) * (y2 - y0)) / 2
    assert len(rows) == pytest.approx(area, rel=0.06)
    # The middle of the pixels is that of the quadrilateral, not the projected middle: perspective.
    moments = cv2.moments(corners.astype(np.float32))
    middle = (moments["m10"] / moments["m00"], moments["m01"] / moments["m00"])
    assert np.hypot(columns.mean() - middle[0], rows.mean() - middle[1]) < 0.6


def test_the_first_half_of_a_domino_is_nearer_to_corner_0() -> None:
    """The blank half of a 0-6 lies at corners 0 and 3, the half full of black pips at corners 1 and 2."""
    look = replace(IVORY, bar="none")
    piece = Piece("a", "domino", look, 0, 0, 40, value={"pips": [0, 6]})
    setting = replace(scene(piece), sensor=replace(Sensor(), shot_noise=0.0, read_noise=0.0))
    shot = shoot(setting)
    corners = np.array(shot.facts[0]["corners_px"])
    spread = []
    for a, b in ((0, 3), (1, 2)):
        middle = 0.5 * corners.mean(axis=0) + 0.25 * (corners[a] + corners[b])
        x, y = np.round(middle).astype(int)
        spread.append(float(shot.picture[y - 6 : y + 7, x - 6 : x + 7, 1].std()))
    assert spread[0] < 8 < 20 < spread[1]


def test_what_lies_on_top_takes_away_from_what_can_be_seen() -> None:
    """A tile half under another is half seen, one beside it wholly, one out of the picture not at all."""
    under, over = domino(), domino(x_mm=24, name="b", z_mm=9)
    shot = shoot(scene(under, over, domino(0, 60, name="c"), domino(900, 0, name="d")))
    seen = {fact["name"]: fact["visible"] for fact in shot.facts}
    assert seen["a"] == pytest.approx(0.5, abs=0.06)
    assert seen["b"] > 0.99
    assert seen["c"] > 0.99
    assert seen["d"] == 0


def test_shadows_fall_away_from_the_lamp_and_end_where_geometry_says() -> None:
    """Beyond a block the table is dark as far as height × cotangent reaches, and bright after that."""
    block = DominoLook("block", 30, 30, 30, 0.5, 0.2, Stuff((0.5, 0.5, 0.5)))
    piece = Piece("a", "domino", block, 0, 0, face="down")
    lamp = Lamp((-4000.0, 0.0, 4000.0), (1, 1, 1), 0.8, 5.0)
    flat = Surface("paper", (0.6, 0.6, 0.6), (0.6, 0.6, 0.6))
    room = room_of(
        replace(scene(piece), lamps=(lamp,), surface=flat, camera=Camera(camera().lens, Pose.above(300)))
    )
    light = draw(room, [place(piece)]).light[1].mean(axis=-1)

    def at(x_mm: float) -> float:
        x, y = room.view.camera.to_pixels([(x_mm, 0.0)])[0]
        return float(light[round(y), round(x)])

    assert at(15 + 8) < 0.05 * at(-40)
    assert at(15 + 26) < 0.1 * at(-40)
    assert at(15 + 36) > 0.9 * at(-40)


def test_a_piece_in_the_air_throws_its_shadow_aside() -> None:
    """Under a lifted tile the slanting lamp reaches the table; its shadow lies farther off."""
    low, high = domino(), domino(z_mm=80.0)
    shadows = []
    for piece in (low, high):
        room = room_of(scene(piece))
        dark = draw(room, [place(piece)]).light[1].mean(axis=-1)
        bare = draw(room, []).light[1].mean(axis=-1)
        lost = (dark < 0.6 * bare) & (draw(room, [place(piece)]).bodies < 0)
        rows, columns = np.nonzero(lost)
        points = room.view.foot[rows, columns].mean(axis=0)
        shadows.append(points)
    assert np.hypot(*shadows[1]) > np.hypot(*shadows[0]) + 15


def test_things_that_are_no_pieces_are_not_in_the_facts_but_hide_what_is_behind() -> None:
    """A cup is no piece; it is named as a hidden region, and the tile behind it is seen less."""
    cup = Piece("cup", "distractor", ThingLook("cup"), 10, -20)
    shot = shoot(scene(domino(), cup, tilt_deg=25))
    assert [fact["name"] for fact in shot.facts] == ["a"]
    assert shot.facts[0]["visible"] < 0.8
    assert shot.hidden


def test_a_coin_lying_suit_side_up_shows_the_suit_and_not_the_value() -> None:
    """Value side and suit side of one coin are different pictures; two values look alike from behind."""
    look = PiecepackLook()
    pictures = {}
    for face, number in (("up", 2), ("down", 2), ("down", 5), ("up", 5)):
        coin = Piece("c", "coin", look, 0, 0, face=face, value={"suit": "crowns", "value": number})
        pictures[face, number] = shoot(replace(scene(coin), camera=camera(height_mm=120))).picture
    assert np.array_equal(pictures["down", 2], pictures["down", 5])
    assert not np.array_equal(pictures["up", 2], pictures["up", 5])
    assert not np.array_equal(pictures["up", 2], pictures["down", 2])


def test_light_falls_into_a_hollow() -> None:
    """A bowl throws the shadow of its rim, not of a lid: its floor is lit by a lamp overhead."""
    bowl = Piece("bowl", "distractor", ThingLook("bowl", 0.6, (0.5, 0.4, 0.3)), 0, 0)
    lamp = Lamp((100.0, 0.0, 1500.0), (1, 1, 1), 0.8, 20.0)
    room = room_of(replace(scene(bowl), lamps=(lamp,)))
    light = draw(room, [place(bowl)]).light[1].mean(axis=-1)
    x, y = room.view.camera.to_pixels([(0.0, 0.0)], 4.0)[0]
    assert light[round(y) - 5 : round(y) + 5, round(x) - 5 : round(x) + 5].mean() > 0.15


def test_a_metering_camera_brings_dark_and_bright_scenes_together() -> None:
    """With metering, twice the light changes the picture far less than without."""
    dim = replace(scene(domino()), surface=Surface("paper", (0.4, 0.4, 0.4), (0.4, 0.4, 0.4)))
    bright = replace(dim, lamps=(replace(LAMP, power=1.4),), surroundings=Surroundings((0.6, 0.6, 0.6)))
    means = {}
    for metering in (0.0, 1.0):
        sensor = Sensor(metering=metering, shot_noise=0.0)
        a, b = (float(shoot(replace(s, sensor=sensor)).picture.mean()) for s in (dim, bright))
        means[metering] = abs(b - a)
    assert means[1.0] < 0.3 * means[0.0]
