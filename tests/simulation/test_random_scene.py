"""Random scenes: repeatable, of every kind, with pieces that neither overlap nor leave the table."""

import itertools
from dataclasses import replace

import numpy as np
import pytest

from engine import GAMES
from simulation import arrange
from simulation.contact_sheet import main
from simulation.makes import DominoLook
from simulation.picture import shoot
from simulation.random_looks import brightness, random_domino
from simulation.random_scene import KINDS, game_table, photograph
from simulation.surfaces import MATERIALS
from simulation.virtual_scene import VirtualScene, stream


def small(scene: VirtualScene) -> VirtualScene:
    """The same scene through a camera with fewer pixels."""
    camera = scene.camera
    lens = camera.lens.scaled_to((camera.lens.size_px[0] // 4, camera.lens.size_px[1] // 4))
    return replace(scene, camera=replace(camera, lens=lens))


@pytest.mark.parametrize("kind", KINDS)
def test_photographs_can_be_taken_again(kind: str) -> None:
    """The same seed gives the same scene and picture; in it most pieces are seen."""
    scene = small(photograph(11, kind, (640, 480)))
    first, again = shoot(scene), shoot(small(photograph(11, kind, (640, 480))))
    assert np.array_equal(first.picture, again.picture)
    assert first.facts == again.facts
    assert first.picture.std() > 2
    assert np.mean([fact["visible"] > 0.5 for fact in first.facts]) > 0.5


def test_scenes_are_plain_data_that_differ_by_seed() -> None:
    """Forty photographs have many materials, kinds of light, sizes and makes."""
    scenes = [photograph(seed) for seed in range(40)]
    assert len({scene.surface.material for scene in scenes}) >= 8
    assert len({scene.surface.colour for scene in scenes}) == 40
    assert {len(scene.lamps) for scene in scenes} >= {0, 1, 2}
    looks = {p.look for scene in scenes for p in scene.pieces if isinstance(p.look, DominoLook)}
    assert len(looks) >= 10
    assert max(scene.camera.pose.tilt_deg for scene in scenes) > 15
    assert all(scene.camera.pose.tilt_deg <= 35 for scene in scenes)
    assert set(MATERIALS) > {scene.surface.material for scene in scenes}


def test_tile_sizes_span_what_readers_must_handle() -> None:
    """Dominoes appear from under 70 to over 400 pixels long, and never under 40."""
    lengths = []
    for seed in range(120):
        scene = photograph(seed, "dominoes", (1280, 960))
        look = scene.pieces[0].look
        assert isinstance(look, DominoLook)
        lengths.append(look.length_mm / scene.camera.mm_per_px((scene.pieces[0].x_mm, scene.pieces[0].y_mm)))
    assert min(lengths) > 30
    assert min(lengths) < 70
    assert max(lengths) > 400


@pytest.mark.parametrize("seed", range(6))
def test_strewn_and_chained_tiles_do_not_lie_in_each_other(seed: int) -> None:
    """Whatever the arrangement, no two tiles on the table share more than a careless millimetre."""
    rng = stream(seed, "test")
    numbers = [(a, b) for a in range(7) for b in range(a, 7)]
    order = [numbers[int(k)] for k in rng.permutation(28)]
    line = arrange.chain(rng, order, (48.0, 24.0), 0.5)
    places = [place for _, place in line]
    assert len(line) >= 3
    assert all(a[0][1] == b[0][0] for a, b in itertools.pairwise(line))
    strewn = [p for p in arrange.strewn(rng, [(48.0, 24.0)] * 12, 2.5) if p is not None]
    assert len(strewn) >= 8
    for group in (places, strewn):
        boxes = [(*place, 46.5, 22.5) for place in group]
        assert not any(arrange.overlapping(a, b) for a, b in itertools.combinations(boxes, 2))


def test_invented_dominoes_have_pips_that_can_be_told_from_the_body() -> None:
    """In 300 random makes ink and body differ at least by a third in brightness or clearly in colour."""
    rng = stream(3, "makes")
    for _ in range(300):
        look = random_domino(rng)
        for ink in look.inks:
            a, b = sorted((brightness(ink) + 0.02, brightness(look.stuff.colour) + 0.02))
            colours = np.abs(np.asarray(ink) - np.asarray(look.stuff.colour)).max()
            assert b / a > 1.35 or colours > 0.2
        assert 40 <= look.length_mm <= 57
        assert 8 <= look.thickness_mm <= 12.5


@pytest.mark.parametrize("game", GAMES)
def test_tables_of_the_four_games(game: str) -> None:
    """A position of each game with markers at the corners; every piece of its layout is in the facts."""
    scene = game_table(game, 5, (1280, 960), plies=12)
    shot = shoot(small(scene))
    assert sum(piece.kind == "marker" for piece in scene.pieces) == 4
    kinds = {fact["kind"] for fact in shot.facts}
    assert kinds & {"domino", "die"}
    assert all(fact["centre_mm"] is not None for fact in shot.facts)


def test_the_contact_sheet_refuses_a_folder_that_is_not_there(tmp_path, capsys) -> None:  # type: ignore[no-untyped-def]
    """A wrong --real is one sentence and exit status 2, and nothing is written."""
    out = tmp_path / "sheet.png"
    assert main(["-o", str(out), "--real", str(tmp_path / "nothing"), "--count", "1"]) == 2
    assert "should be a folder" in capsys.readouterr().err
    assert not out.exists()
