"""What `make` sets up: its own environment on a PC, one that sees Debian's packages on a Raspberry Pi."""

import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


def planned(folder: Path, model: str, *found: str) -> str:
    """What `make` would do on a machine of this model, whose Python finds these packages."""
    (folder / "model").write_bytes(model.encode() + b"\0")
    python = folder / "python3"
    python.write_text("#!/bin/sh\n" + "".join(f'case "$2" in *{one}*) echo yes;; esac\n' for one in found))
    python.chmod(0o755)
    words = [f"VENV={folder}/venv", f"PY={python}", f"MODEL={folder}/model", f"{folder}/venv/.run"]
    made = subprocess.run(["make", "-n", *words], cwd=ROOT, capture_output=True, text=True, check=True)
    return made.stdout


def test_a_pc_has_an_environment_of_its_own(tmp_path: Path) -> None:
    """Everything is installed, as it was tested, whatever else the machine has."""
    told = planned(tmp_path, "Some PC", "cv2")
    assert "--system-site-packages" not in told
    assert "-c constraints.txt -e '.[pc,print]'" in told


@pytest.mark.parametrize(
    ("model", "found"), [("Raspberry Pi 5 Model B", ["cv2"]), ("", ["picamera2", "cv2"])]
)
def test_a_raspberry_pi_uses_what_debian_has(tmp_path: Path, model: str, found: list[str]) -> None:
    """Camera, pins, OpenCV and numpy are Debian's; what runs the networks fastest comes in addition."""
    told = planned(tmp_path, model, *found)
    assert f"-m venv --system-site-packages {tmp_path}/venv" in told
    assert "-e '.[print]'" in told
    assert "install -q -c" in told
    assert "onnxruntime" in told
    assert "numpy==" in told


def test_a_raspberry_pi_without_these_packages_says_what_to_install(tmp_path: Path) -> None:
    """The command is told, and it goes on with packages of its own."""
    told = planned(tmp_path, "Raspberry Pi 4 Model B")
    assert "sudo apt install python3-opencv python3-picamera2" in told
    assert "-e '.[pc,print]'" in told
