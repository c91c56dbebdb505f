"""Fields of turned tiles with men on them: what lies there, and that the truth says so."""

import numpy as np
import pytest

from simulation.manned_field import MANNED, OPEN, manned_field
from simulation.picture import shoot
from simulation.virtual_scene import VirtualScene
from training.pictures import scene


@pytest.fixture(scope="module")
def field() -> VirtualScene:
    """One field in a small picture."""
    return manned_field(5, (480, 360))


def test_half_of_the_tiles_are_turned_and_most_manned(field: VirtualScene) -> None:
    """About as many as is said; each man stands on top of his tile, and no tile is there twice."""
    tiles = [one for one in field.pieces if one.kind == "domino" and one.name.startswith("tile")]
    turned = [one for one in tiles if one.face == "up"]
    assert len(turned) == pytest.approx(OPEN * len(tiles), abs=0.15 * len(tiles))
    assert len({tuple(one.value["pips"]) for one in turned if one.value}) == len(turned)
    men = {one.name.removeprefix("soldier on "): one for one in field.pieces if "soldier on tile" in one.name}
    manned = [one for one in turned if one.name in men]
    assert len(manned) == pytest.approx(MANNED * len(turned), abs=0.2 * len(turned))
    for tile in manned:
        man = men[tile.name]
        assert np.hypot(man.x_mm - tile.x_mm, man.y_mm - tile.y_mm) < tile.look.length_mm / 4  # type: ignore[union-attr]
        assert man.z_mm == tile.look.thickness_mm  # type: ignore[union-attr]


def test_a_man_hides_a_part_of_his_tile(field: VirtualScene) -> None:
    """The truth tells of both how much is seen."""
    facts = shoot(field).facts
    tiles = {one["name"]: one for one in facts if one["kind"] == "domino" and one["face"] == "up"}
    manned = [f"tile {one['name'].split()[-1]}" for one in facts if one["name"].startswith("soldier on tile")]
    shares = [tiles[name]["visible"] for name in manned if name in tiles]
    assert len(shares) > 12
    assert 0.3 < float(np.median(shares)) < 0.8
    alone = [one["visible"] for name, one in tiles.items() if name not in manned]
    assert float(np.median(alone)) > 0.85


def test_a_seed_is_one_field_and_it_is_drawn_only_when_asked_for() -> None:
    """The same seed gives the same field; of the usual kinds of pictures none is this one."""
    assert manned_field(7) == manned_field(7)
    assert manned_field(7).pieces != manned_field(8).pieces
    asked, kind = scene(3, 1, "manned")
    assert kind == "manned"
    assert any(one.name.startswith("soldier on") for one in asked.pieces)
    assert "manned" not in {scene(number, 1)[1] for number in range(8)}
