"""One picture, read again and again, says the same each time: who repeats a case sees what the box saw."""

import pytest

from simulation.picture import shoot
from simulation.random_scene import photograph
from vision.photos.picture_reading import read_picture


@pytest.mark.parametrize("times", [4, pytest.param(100, marks=[pytest.mark.long, pytest.mark.plain])])
@pytest.mark.parametrize("kind", ["dominoes", "dice"])
def test_a_picture_is_read_the_same_each_time(kind: str, times: int) -> None:
    """Every piece, its place to the last digit, and how sure it is."""
    picture = shoot(photograph(31, kind, (480, 360))).picture
    first = read_picture(picture)
    assert first.pieces
    for _ in range(times - 1):
        again = read_picture(picture)
        assert repr((again.pieces, again.alone)) == repr((first.pieces, first.alone))
