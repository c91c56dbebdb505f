"""The networks: whichever program runs them, they say the same."""

import sys
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest

from simulation.picture import shoot
from simulation.random_scene import photograph
from vision.onnxruntime_here import loads_onnxruntime
from vision.pieces import hidden_halves, networks
from vision.pieces.dice import DIE_SIZE
from vision.pieces.networks import MODELS, Run, by_onnxruntime, by_opencv, network
from vision.pieces.patches import DOMINO_SIZE, SMALL_SIZE
from vision.pieces.reading import read_picture

SIZES = {
    "piece_finder": (288, 416), "domino_reader": DOMINO_SIZE[::-1], "small_reader": SMALL_SIZE,
    "die_reader": DIE_SIZE, "hidden_halves": hidden_halves.SIZE[::-1],
}  # fmt: skip


@pytest.fixture
def fresh() -> Iterator[None]:
    """Networks that are loaded for this test and forgotten after it."""
    for cached in (network, loads_onnxruntime):
        cached.cache_clear()
    yield
    for cached in (network, loads_onnxruntime):
        cached.cache_clear()


def test_all_networks_together_take_at_most_eight_megabytes() -> None:
    """As files, those of the sheets with them."""
    assert sum(file.stat().st_size for file in MODELS.glob("*.onnx*")) <= 8_000_000


@pytest.mark.parametrize("name", SIZES)
def test_both_programs_give_the_same_numbers(name: str) -> None:
    """To a ten-thousandth, on what looks like a picture and on noise."""
    pytest.importorskip("onnxruntime", reason="onnxruntime is not here: there is nothing to compare with")
    noise = np.random.default_rng(5).uniform(0, 255, (1, 3, *SIZES[name])).astype(np.float32)
    soft = np.stack([[cv2.GaussianBlur(plane, (0, 0), 3) for plane in noise[0]]])
    for batch in (noise, soft):
        [file] = MODELS.glob(f"{name}.onnx*")
        one, other = (run(file)(batch) for run in (by_onnxruntime, by_opencv))
        assert one.shape == other.shape
        assert np.abs(one - other).max() < 1e-4


@pytest.mark.usefixtures("fresh")
def test_without_onnxruntime_opencv_runs_them(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a Raspberry Pi with Debian's packages alone, pictures are read all the same."""
    picture = shoot(photograph(31, "dominoes", (480, 360))).picture
    before = [(one.kind, one.value) for one in read_picture(picture).pieces]
    network.cache_clear()
    loads_onnxruntime.cache_clear()
    monkeypatch.setitem(sys.modules, "onnxruntime", None)
    used = []
    plain = networks.by_opencv

    def by_opencv(path: Path) -> Run:
        used.append(path.name.partition(".")[0])
        return plain(path)

    monkeypatch.setattr(networks, "by_opencv", by_opencv)
    assert [(one.kind, one.value) for one in read_picture(picture).pieces] == before
    assert "piece_finder" in used
    assert before
