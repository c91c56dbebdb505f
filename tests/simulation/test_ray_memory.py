"""Memory of rays: each ray to a body at rest is followed once, and what was met is told again unchanged."""

import numpy as np

from simulation.bodies import Body, PlacedBody, Skin, square_corners
from simulation.makes import Stuff
from simulation.ray_memory import Met, RayMemory
from simulation.shapes import Block

BODY = Body(Block(20, 10, 5), Skin(Stuff((0.5, 0.5, 0.5))), square_corners(20, 10), 5.0)
HERE = PlacedBody("tile", BODY, 0, 0)
RECT = (10, 20, 30, 40)


def rays(*columns: int) -> tuple[np.ndarray, np.ndarray]:  # type: ignore[type-arg]
    """Rays through the middles of pixels of one row."""
    return np.array([columns, [25] * len(columns)]), np.zeros(len(columns), dtype=np.int64)


class Follower:
    """Follows rays; even ones meet the body at the height of their number among those asked for."""

    def __init__(self) -> None:
        self.asked: list[int] = []

    def __call__(self, new: np.ndarray) -> Met:  # type: ignore[type-arg]
        """What the rays meet."""
        self.asked.append(len(new))
        hit = np.flatnonzero(new % 2 == 0)
        many = len(hit)
        height = new[hit].astype(np.float32)
        return Met(hit, height, np.ones((many, 4)), np.ones((many, 2)), np.ones((many, 3)))


def test_a_ray_is_followed_once_and_misses_are_remembered_too() -> None:
    """A second look at the same rays asks nothing; a wider look asks only for the new ones."""
    known, follow = RayMemory().of(HERE, RECT), Follower()
    first = known.look(*rays(11, 12, 13, 14), follow)
    again = known.look(*rays(11, 12, 13, 14), follow)
    wider = known.look(*rays(14, 13, 12, 11, 15), follow)
    assert follow.asked == [4, 1]
    assert first.rays.tolist() == again.rays.tolist() == [0, 2]
    assert first.height.tolist() == again.height.tolist() == [0.0, 2.0]
    # The order of the question is that of the answer; the new ray met something at its own height.
    assert wider.rays.tolist() == [1, 3, 4]
    assert wider.height.tolist() == [2.0, 0.0, 4.0]


def test_rays_through_one_pixel_are_told_apart() -> None:
    """The four rays of an edge pixel are not taken for the one through its middle."""
    known, follow = RayMemory().of(HERE, RECT), Follower()
    pixels, _ = rays(11, 11, 11)
    known.look(pixels, np.array([0, 1, 4]), follow)
    known.look(pixels, np.array([0, 2, 4]), follow)
    assert follow.asked == [3, 1]


def test_what_moves_is_forgotten() -> None:
    """Another place is another body; only bodies that are kept are remembered."""
    memory = RayMemory()
    known = memory.of(HERE, RECT)
    moved = PlacedBody("tile", BODY, 1, 0)
    assert memory.of(HERE, RECT) is known
    assert memory.of(moved, RECT) is not known
    memory.keep([moved])
    assert memory.of(HERE, RECT) is not known
