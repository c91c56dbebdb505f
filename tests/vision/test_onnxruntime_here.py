"""A processor on which loading onnxruntime ends the process: the networks are run by OpenCV there."""

import os
import platform
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from vision import onnxruntime_here
from vision.onnxruntime_here import loads_onnxruntime
from vision.pieces import networks

ILLEGAL = "import os, signal\nos.kill(os.getpid(), signal.SIGILL)\n"
"""What Debian 13's onnxruntime does on a Pi 4, as seen by whoever imports it."""
READS = """
import numpy as np
from vision.pieces.networks import network
print(network("small_reader")(np.zeros((1, 3, 64, 64), np.float32)).shape)
"""
"""A process that reads a picture by a network, and ends."""
ROOT = Path(__file__).parents[2]


@pytest.fixture(autouse=True)
def anew(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A Raspberry Pi's kind of processor, asked for the first time; nothing that was loaded before is."""
    monkeypatch.setattr(platform, "machine", lambda: "aarch64")
    loaded = sys.modules.pop("onnxruntime", None)
    for cached in (loads_onnxruntime, networks.network):
        cached.cache_clear()
    yield
    for cached in (loads_onnxruntime, networks.network):
        cached.cache_clear()
    sys.modules.pop("onnxruntime", None)
    if loaded is not None:
        sys.modules["onnxruntime"] = loaded


def installed(folder: Path, code: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """An onnxruntime that does this when it is loaded stands before any other."""
    (folder / "onnxruntime.py").write_text(code, encoding="utf-8")
    monkeypatch.syspath_prepend(str(folder))


def processor(folder: Path, features: str) -> Path:
    """What Linux tells of a processor."""
    path = folder / "cpuinfo"
    path.write_text(f"processor : 0\nFeatures : {features}\n", encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("code", "loads"), [(ILLEGAL, False), ("raise ImportError('half installed')\n", False), ("", True)],
    ids=["ends the process", "cannot be imported", "loads"],
)  # fmt: skip
def test_on_a_pi_4_another_process_tries_first(
    code: str, loads: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And this one lives on."""
    installed(tmp_path, code, monkeypatch)
    assert loads_onnxruntime(processor(tmp_path, "fp asimd evtstrm crc32 cpuid")) is loads
    assert "onnxruntime" not in sys.modules


def test_the_networks_are_run_by_opencv_then(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a word: they say the same, and only take longer."""
    installed(tmp_path, ILLEGAL, monkeypatch)
    slower = processor(tmp_path, "fp asimd")
    monkeypatch.setattr(networks, "loads_onnxruntime", lambda: loads_onnxruntime(slower))
    used: list[Path] = []
    monkeypatch.setattr(networks, "by_opencv", used.append)
    networks.network("piece_finder")
    assert [path.name for path in used] == ["piece_finder.onnx.xz"]


@pytest.mark.parametrize("features", ["fp asimd asimdhp", "fp asimd"])
def test_where_no_process_can_be_started_nothing_is_tried(
    features: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A processor with half precision needs none."""
    installed(tmp_path, "", monkeypatch)

    def refused(*_words: object, **_more: object) -> None:
        raise OSError("no more processes")

    monkeypatch.setattr(subprocess, "run", refused)
    assert loads_onnxruntime(processor(tmp_path, features)) is ("asimdhp" in features)


def test_where_it_is_not_installed_nothing_is_asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As in Debian 12; nor is a processor of which nothing is told taken for a newer one."""
    monkeypatch.setattr(onnxruntime_here, "find_spec", lambda _name: None)
    assert not loads_onnxruntime(tmp_path / "nothing")
    loads_onnxruntime.cache_clear()
    monkeypatch.undo()
    monkeypatch.setattr(platform, "machine", lambda: "aarch64")
    installed(tmp_path, ILLEGAL, monkeypatch)
    assert not loads_onnxruntime(tmp_path / "nothing")


def test_another_kind_of_processor_just_loads_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Or finds that it cannot."""
    monkeypatch.setattr(platform, "machine", lambda: "x86_64")
    installed(tmp_path, "raise ImportError('half installed')\n", monkeypatch)
    assert not loads_onnxruntime(processor(tmp_path, ""))


def test_nobody_is_told_of_what_runs_here(tmp_path: Path) -> None:
    """The library keeps no number of this machine and no events to be sent: nothing at all in a new home."""
    found = subprocess.run(
        [sys.executable, "-c", READS], cwd=ROOT, env={"HOME": str(tmp_path), "PATH": os.defpath},
        capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert found.stdout.strip() == "(1, 58)", found.stderr
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []
