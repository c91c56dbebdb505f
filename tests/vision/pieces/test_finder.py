"""The finder: from what a network says to places in the picture."""

import math
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from vision.pieces import finder
from vision.pieces.finder import CELL_PX, KINDS, UNIT_PX, USUAL_MM, Spotted, find, levels, once_each, overlap
from vision.pieces.patches import rectangle

NOTHING = -9.0


class Maps:
    """A network that says what it is told, whatever it sees."""

    def __init__(self, rows: int, columns: int) -> None:
        self.maps = np.zeros((len(KINDS) + 6, rows // CELL_PX, columns // CELL_PX), dtype=np.float32)
        self.maps[: len(KINDS)] = NOTHING
        self.shown: list[tuple[int, ...]] = []

    def say(self, kind: str, cell: tuple[int, int], logit: float, numbers: tuple[float, ...]) -> "Maps":
        """A piece in a cell (row, column), with its six numbers."""
        self.maps[KINDS.index(kind)][cell] = logit
        self.maps[len(KINDS) :, cell[0], cell[1]] = numbers
        return self

    def __call__(self, batch: Any) -> Any:
        """Takes the picture in, and gives always the same maps."""
        self.shown.append(batch.shape)
        return self.maps[None]


def numbers(length: float, width: float, angle: float, dx: float = 0.0, dy: float = 0.0) -> tuple[float, ...]:
    """The numbers by which the network would tell this rectangle."""
    turn = math.radians(2 * angle)
    return dx, dy, math.log(length / UNIT_PX), math.log(width / UNIT_PX), math.cos(turn), math.sin(turn)


@pytest.fixture
def network(monkeypatch: pytest.MonkeyPatch) -> Maps:
    """Maps of a picture of 320×256."""
    maps = Maps(256, 320)
    monkeypatch.setattr(finder, "network", lambda _: maps)
    return maps


def blank(rows: int = 256, columns: int = 320) -> np.ndarray:
    """A picture of nothing."""
    return np.full((rows, columns, 3), 90, np.uint8)


def test_a_peak_becomes_a_piece_with_its_place_size_and_angle(network: Maps) -> None:
    """Cell, shares of a cell, logs of lengths and the double angle all come back as pixels and degrees."""
    network.say("domino", (20, 30), 3.0, numbers(60, 31, 25, 0.25, -0.5))
    (one,) = find(blank(), [1.0])
    assert (one.kind, one.x, one.y) == ("domino", 30.75 * 4 - 0.5, 20.0 * 4 - 0.5)
    assert (one.length, one.width, one.angle_deg) == pytest.approx((60, 31, 25), rel=1e-5)
    assert one.score == pytest.approx(1 / (1 + math.exp(-3)))
    assert np.allclose(one.corners, rectangle(one.x, one.y, 60, 31, 25), atol=1e-3)


@pytest.mark.parametrize("scale", [0.5, 0.25])
def test_a_smaller_look_tells_places_of_the_whole_picture(network: Maps, scale: float) -> None:
    """What is found at a scale is as much larger in the picture, and pixel centres stay pixel centres."""
    network.say("coin", (16, 20), 2.0, numbers(20, 20, 0))
    (one,) = find(blank(round(256 / scale), round(320 / scale)), [scale])
    assert one.length == pytest.approx(20 / scale)
    assert (one.x, one.y) == pytest.approx(((20.5 * 4) / scale - 0.5, (16.5 * 4) / scale - 0.5))
    assert network.shown == [(1, 3, 256, 320)]


def test_what_is_too_small_too_large_or_beyond_the_picture_is_no_piece(network: Maps) -> None:
    """Sizes that the network never learned are not believed, nor is what lies in the padding."""
    network.say("domino", (10, 10), 4.0, numbers(12, 6, 0))
    network.say("die", (30, 30), 4.0, numbers(100, 100, 0))
    network.say("domino", (40, 75), 4.0, numbers(50, 25, 0))
    assert find(blank(256, 300), [1.0]) == []


def test_only_the_top_of_a_hill_counts(network: Maps) -> None:
    """Neighbouring cells that see the same piece less clearly say nothing."""
    for cell, logit in (((20, 30), 3.0), ((20, 31), 2.5), ((21, 30), 1.0), ((19, 29), 2.9)):
        network.say("die", cell, logit, numbers(20, 20, 0))
    assert len(find(blank(), [1.0])) == 1


def spotted(kind: str, x: float, y: float, score: float, length: float = 60, angle: float = 0.0) -> Spotted:
    """Something found; only dominoes are longer than wide."""
    wide = length if kind in finder.SQUARE else length / 2
    return Spotted(kind, x, y, length, wide, angle, score)


def test_each_piece_is_kept_once_the_surest_look_first() -> None:
    """The same domino from two scales is one; neighbours that touch are two; a die is no domino."""
    same = [spotted("domino", 100, 100, 0.6), spotted("domino", 103, 101, 0.9, 63)]
    assert once_each(same) == [same[1]]
    touching = [spotted("domino", 100, 100, 0.9), spotted("domino", 100, 130, 0.8)]
    assert once_each(touching) == touching
    crossed = [spotted("domino", 100, 100, 0.9), spotted("domino", 100, 145, 0.8, angle=90)]
    assert once_each(crossed) == crossed
    edge = [spotted("wall", 100, 100, 0.5), spotted("domino", 101, 100, 0.7)]
    assert once_each(edge) == [edge[1]]
    on_top = [spotted("tile", 100, 100, 0.9, 60), spotted("coin", 100, 100, 0.8, 20)]
    assert once_each(on_top) == on_top
    guesses = [spotted("coin", 50, 50, 0.7, 20), spotted("pawn", 53, 50, 0.4, 18)]
    assert once_each(guesses) == [guesses[0]]


def test_a_photo_of_unknown_scale_is_looked_at_from_near_to_far() -> None:
    """Each look is smaller than the one before, and there is at least one, however small the picture."""
    for size in ((4000, 3000), (1280, 960), (100, 60), (16, 16)):
        scales = sorted(levels(blank(size[1], size[0])), reverse=True)
        assert 1 <= len(scales) <= 8
        assert all(0 < b < a <= 1 for a, b in pairwise(scales))


def test_overlap_is_a_share_of_both() -> None:
    """The same shape overlaps wholly, half of it by a third, and what is apart not at all."""
    one = rectangle(50, 50, 40, 20, 0)
    assert overlap(one, one) == pytest.approx(1)
    assert overlap(one, rectangle(70, 50, 40, 20, 0)) == pytest.approx(1 / 3, rel=1e-3)
    assert overlap(one, rectangle(50, 50, 40, 20, 90)) == pytest.approx(400 / 1200, rel=1e-3)
    assert overlap(one, rectangle(150, 50, 40, 20, 0)) == 0


def test_on_a_measured_table_a_small_sign_is_enough_and_the_usual_size_is_taken(network: Maps) -> None:
    """A soldier on a domino: weak, and with the domino's numbers in its cell."""
    network.say("soldier", (30, 40), -1.9, numbers(92, 46, 0.3, 1.5, -1.0))
    assert find(blank()) == []
    (found,) = find(blank(), [1.0], 2.0)
    assert (found.x, found.y) == (40.5 * CELL_PX - 0.5, 30.5 * CELL_PX - 0.5)
    assert found.length == pytest.approx(2.0 * USUAL_MM["soldier"])
    network.say("domino", (50, 60), -1.9, numbers(92, 46, 0.3))
    assert [one.kind for one in find(blank(), [1.0], 2.0)] == ["soldier"]
