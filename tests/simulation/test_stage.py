"""The film: drawing only what has changed gives what drawing everything gives."""

from dataclasses import replace

import numpy as np
import pytest

from calibration.camera import Camera, Lens, Pose
from simulation.bodies import Body, PlacedBody, Skin, square_corners
from simulation.makes import DOMINOES, DieLook, Stuff
from simulation.shapes import Limbs
from simulation.stage import Overlay, Stage, StageFrame, merged
from simulation.virtual_scene import Lamp, Piece, Sensor, Surface, VirtualScene

LENS = Lens.from_field_of_view((320, 240), 55)
SCENE = VirtualScene(
    (Piece("mark", "domino", DOMINOES["black"], -60, 40, value={"pips": [1, 1]}),),
    Surface("wood", (0.4, 0.25, 0.12), (0.2, 0.1, 0.05), gloss=0.4),
    (Lamp((-300, 300, 600), (1, 0.9, 0.8), 0.6, 60), Lamp((500, -200, 700), (0.8, 0.9, 1), 0.3, 150)),
    Camera(LENS, Pose.above(350, tilt_deg=12)),
    sensor=Sensor(jpeg_quality=100, sharpening=0.0),
    seed=3,
)
TILES = tuple(
    Piece(
        f"t{k}",
        "domino",
        DOMINOES["ivory"],
        -50 + 55 * (k % 3),
        -40 + 40 * (k // 3),
        10 * k,
        value={"pips": [k, 6 - k]},
    )
    for k in range(6)
)
DIE = Piece("die", "die", DieLook(), 90, 20, 15, value={"set": "pips", "face": "4"})


def finger(x_mm: float, z_mm: float = 20.0) -> PlacedBody:
    """A rod over the table that stands for a hand."""
    body = Body(_ROD, Skin(Stuff((0.5, 0.3, 0.2), 0.3)), square_corners(80, 20), 20.0)
    return PlacedBody("finger", body, x_mm, 0.0, z_mm, 20.0)


_ROD = Limbs(((-40.0, 0.0, 9.0, 40.0, 0.0, 9.0, 9.0, 7.0),))


def light_of(stage: Stage) -> np.ndarray:  # type: ignore[type-arg]
    """The light that the stage holds, all lamps together."""
    return stage._light.sum(axis=0)


def test_a_film_equals_its_frames_drawn_anew() -> None:
    """After pieces came, moved, were lifted and went, light and bodies are those of a fresh stage."""
    film = Stage(SCENE)
    film.frame(TILES)
    film.frame((*TILES[:2], replace(TILES[2], x_mm=20, z_mm=30), *TILES[3:]), hands=[finger(30)])
    film.frame((*TILES[:2], replace(TILES[2], x_mm=-20, y_mm=10, angle_deg=70), *TILES[4:], DIE))
    last = (*TILES[:2], replace(TILES[2], x_mm=-22, y_mm=60, angle_deg=75), *TILES[4:], DIE)
    got = film.frame(last)
    fresh = Stage(SCENE)
    wanted = fresh.frame(last)
    assert np.array_equal(got.bodies, wanted.bodies)
    assert np.abs(light_of(film) - light_of(fresh)).max() < 0.05
    assert got.facts() == wanted.facts()


def test_hands_hide_pieces_and_are_no_pieces() -> None:
    """A hand over a tile takes from what is seen of it, is named as hidden, and leaves no trace behind."""
    film = Stage(SCENE)
    before = film.frame(TILES)
    during = film.frame(TILES, hands=[finger(0)])
    after = film.frame(TILES)

    def seen(frame: StageFrame) -> float:
        return sum(fact["visible"] for fact in frame.facts())

    assert seen(during) < seen(before) - 0.3
    assert len(during.facts()) == len(before.facts()) == 7
    assert during.hidden()
    assert during.hand_share() > 0.01
    assert not after.hidden()
    assert np.array_equal(before.bodies, after.bodies)


def test_nothing_but_noise_changes_while_nothing_moves() -> None:
    """Two frames of a still table differ by noise alone: their difference has no place and no direction."""
    film = Stage(SCENE)
    a, b = (film.frame(TILES).picture.astype(float) for _ in range(2))
    assert not np.array_equal(a, b)
    assert abs(float((a - b).mean())) < 0.2
    assert float(np.abs(a - b).mean()) < 6


def test_lamps_switch_and_come_back() -> None:
    """With a lamp off the picture is darker everywhere; switched on again it is as before."""
    film = Stage(SCENE)
    film.frame(TILES)
    bright = film._shown.copy()
    film.frame(TILES, gains=(1.0, 0.0, 1.0))
    assert (film._shown < bright + 1).all()
    assert film._shown.mean() < 0.8 * bright.mean()
    film.frame(TILES)
    assert np.allclose(film._shown, bright, atol=1e-3)


def test_veils_and_overlays_are_gone_in_the_next_frame() -> None:
    """A passing shadow and a picture laid over change one frame and no other."""
    film = Stage(SCENE)
    film.frame(TILES)
    plain = film._shown.copy()
    veil = np.ones((12, 16), dtype=np.float32)
    veil[:, :8] = 0.2
    film.frame(TILES, veils={0: veil})
    assert film._shown[:, :100].mean() < 0.9 * plain[:, :100].mean()
    assert film._shown[:, 250:].mean() == pytest.approx(plain[:, 250:].mean(), rel=0.03)
    spot = Overlay(-10, 200, np.full((60, 60, 3), 0.9, np.float32), np.ones((60, 60), np.float32))
    covered = film.frame(TILES, overlays=[spot])
    assert covered.hidden()
    film.frame(TILES)
    assert np.allclose(film._shown, plain, atol=1e-3)


def test_a_bumped_camera_sees_the_same_table() -> None:
    """After a bump the table's surface is the same one: the same point of the table has the same colour."""
    film = Stage(SCENE)
    film.frame(())
    ground = film.room.ground
    film.look_from(Camera(LENS, Pose.above(350, tilt_deg=12.4, turn_deg=0.5)))
    film.frame(())
    assert film.room.ground is ground


def test_merged_rectangles_never_overlap() -> None:
    """Rectangles that touch become one, so that nothing is drawn twice."""
    whole = (0, 0, 100, 100)
    found = merged(
        [(0, 0, 10, 10), (50, 50, 60, 60), (5, 5, 55, 20), (52, 15, 70, 70), (-5, 90, 3, 120)], whole
    )
    cells = np.zeros((100, 100), dtype=int)
    for left, upper, right, lower in found:
        cells[upper:lower, left:right] += 1
    assert cells.max() == 1
    assert cells[:10, :10].all()
    assert cells[90:, :3].all()
