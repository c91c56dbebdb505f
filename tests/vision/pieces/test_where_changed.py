"""The finder looks where something came or went, and sees there what it would see in the whole picture."""

from dataclasses import replace

import numpy as np
import pytest

from calibration.table_finder import Table
from simulation.picture import shoot
from simulation.random_scene import game_table
from vision.pieces import mat, where_changed
from vision.pieces.finder import WHOLE_CELLS, Spotted
from vision.pieces.memory import cells_in, differ
from vision.pieces.patches import Picture

SIZE = (1280, 960)
CELL_PX = 4
NEAR = 0.15


@pytest.fixture(scope="module", params=["draw-game", "dominoids", "dominoes-of-war"])
def pictures(request: pytest.FixtureRequest) -> tuple[Picture, Picture, tuple[float, float]]:
    """A table of a game before and after a piece was taken away, and where that lay."""
    scene = game_table(request.param, 12, SIZE, 14)
    gone = [one for one in scene.pieces if one.kind == "domino"][-1]
    left = replace(scene, pieces=tuple(one for one in scene.pieces if one is not gone))
    with_it = shoot(scene).picture
    table = mat.table_in(with_it)
    assert table is not None
    x, y = table.camera.to_pixels(np.array([(gone.x_mm, gone.y_mm)]), np.array([mat.TOP_MM[gone.kind]]))[0]
    return shoot(left).picture, with_it, (float(x), float(y))


def seen(one: Spotted, others: list[Spotted]) -> bool:
    """Whether it is among them."""
    return any(
        one.kind == other.kind and other.is_within(NEAR * one.length, np.array([one.x, one.y]))
        for other in others
    )


def test_what_has_come_is_seen_as_in_the_whole_picture(
    pictures: tuple[Picture, Picture, tuple[float, float]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """And much less than the whole picture is looked at."""
    before, after, at = pictures
    table = mat.table_in(before)
    assert table is not None
    whole = mat.spotted(after, table)
    looked: list[int] = []
    look = mat.spotted

    def spotted(part: Picture, of: Table) -> list[Spotted]:
        looked.append(part.size)
        return look(part, of)

    monkeypatch.setattr(mat, "spotted", spotted)
    found = where_changed.spotted(after, table, differ(cells_in(after), cells_in(before)), CELL_PX)
    come = [one for one in whole if one.score > 0.5 and one.is_within(one.length / 2, np.array(at))]
    assert come
    assert all(seen(one, found) for one in come)
    assert sum(looked) < 0.4 * after.size


def test_parts_begin_where_the_finders_squares_do(monkeypatch: pytest.MonkeyPatch) -> None:
    """And where most has changed there is one part, the whole picture."""
    picture = shoot(game_table("draw-game", 12, SIZE, 14)).picture
    table = mat.table_in(picture)
    assert table is not None
    numbered = np.zeros((SIZE[1], SIZE[0], 3), np.uint8)
    numbered[..., 0], numbered[..., 1] = np.arange(SIZE[0]) // 8, np.arange(SIZE[1])[:, None] // 8
    begun: list[tuple[int, int]] = []

    def spotted(part: Picture, _table: Table) -> list[Spotted]:
        begun.append((8 * int(part[0, 0, 0]), 8 * int(part[0, 0, 1])))
        return []

    monkeypatch.setattr(mat, "spotted", spotted)
    changed = np.zeros((SIZE[1] // CELL_PX, SIZE[0] // CELL_PX), bool)
    changed[120:125, 80:90] = changed[200:205, 280:290] = True
    assert where_changed.spotted(numbered, table, changed, CELL_PX) == []
    step = WHOLE_CELLS / mat.scale_for(table)
    assert len(begun) == 2
    assert all(min(side % step, -side % step) <= 8 for at in begun for side in at)
    begun.clear()
    where_changed.spotted(numbered, table, np.ones_like(changed), CELL_PX)
    assert begun == [(0, 0)]
