"""The networks: whichever program runs them, they say the same."""

import subprocess
import sys
import tracemalloc
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest

from simulation.picture import shoot
from simulation.random_scene import photograph
from vision.onnxruntime_here import loads_onnxruntime
from vision.photos import hidden_halves
from vision.photos.picture_reading import read_picture
from vision.pieces import networks
from vision.pieces.dice import DIE_SIZE
from vision.pieces.networks import MODELS, Run, by_onnxruntime, by_opencv, network
from vision.pieces.patches import DOMINO_SIZE, SMALL_SIZE

SIZES = {
    "piece_finder": (288, 416), "domino_reader": DOMINO_SIZE[::-1], "manned_reader": DOMINO_SIZE[::-1],
    "small_reader": SMALL_SIZE, "die_reader": DIE_SIZE, "hidden_halves": hidden_halves.SIZE[::-1],
}  # fmt: skip


PEAK = """
import cv2, numpy as np
from pathlib import Path
from device.spare_memory import give_back
from vision.pieces.networks import answers

def mb(name):
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) / 1e3 for line in lines if line.startswith(name))

cv2.setNumThreads(1)
cuts = [np.random.default_rng(k).integers(0, 255, (72, 128, 3), dtype=np.uint8) for k in range(64)]
answers("domino_reader", cuts[:8])
rounds = []
for _ in range(3):
    give_back()
    Path("/proc/self/clear_refs").write_text("5")  # the most that it held is counted from now on
    before = mb("VmRSS")
    answers("domino_reader", cuts)
    rounds.append(mb("VmHWM") - before)
print(min(rounds))  # pages of programs that were taken away before, beside others, come back once
"""
MOST_MB = 25.0
"""While a network looks at any number of pictures; with 32 of them at once it took 41 to 47."""


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


@pytest.mark.usefixtures("fresh")
def test_a_network_that_is_loaded_does_not_keep_its_file() -> None:
    """What onnxruntime makes of a file is all that it needs; Python's half of it would keep both."""
    pytest.importorskip("onnxruntime")
    tracemalloc.start()
    try:
        before, _ = tracemalloc.get_traced_memory()
        for name in SIZES:
            network(name)
        after, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert sum(len(networks.content(file)) for name in SIZES for file in MODELS.glob(f"{name}.onnx*")) > 9e6
    assert after - before < 1e6


def test_many_pictures_are_looked_at_a_few_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of each the same is said as if it were one of many more, or of fewer."""
    rng = np.random.default_rng(7)
    cuts = [rng.integers(0, 255, (*SIZES["die_reader"], 3), dtype=np.uint8) for _ in range(19)]
    few = networks.answers("die_reader", cuts)
    monkeypatch.setattr(networks, "_AT_ONCE", len(cuts))
    assert np.abs(networks.answers("die_reader", cuts) - few).max() < 1e-4
    assert np.abs(np.concatenate([networks.answers("die_reader", [one]) for one in cuts]) - few).max() < 1e-4


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="counts pages as Linux does")
def test_so_much_memory_is_needed_for_any_number_of_pictures() -> None:
    """In a process of its own, as what others have needed would hide it."""
    done = subprocess.run(
        [sys.executable, "-c", PEAK], env={"PYTHONPATH": ":".join(sys.path)}, capture_output=True, text=True,
        check=True, timeout=60,
    )  # fmt: skip
    assert float(done.stdout) < MOST_MB
