"""The geometry under every OpenCV in the field: Debian 12's 4.6, Debian 13's 4.10, and today's 5."""

import os
import subprocess
import sys
import venv
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
TESTS = ("test_camera", "test_table", "test_follow", "test_lens", "test_learn", "test_view", "test_watch")
TOOLS = ("pytest>=8.3", "pytest-timeout>=2.3", "hypothesis>=6.120")
VERSIONS = {
    "4.6": ("opencv-contrib-python-headless==4.6.0.66", "numpy<2"),
    "4.10": ("opencv-python-headless==4.10.0.84",),
    "5.0": ("opencv-python-headless>=5,<6",),
}


def environment(version: str) -> Path:
    """The Python of an environment with this OpenCV, made once and kept."""
    folder = ROOT / f".venv-cv/{version}"
    python = folder / "bin" / "python"
    if not (folder / ".made").exists():
        venv.create(folder, with_pip=True, clear=True)
        command = [str(python), "-m", "pip", "--disable-pip-version-check", "install", "-q"]
        made = subprocess.run(
            [*command, *VERSIONS[version], *TOOLS], capture_output=True, text=True, check=False
        )
        if made.returncode:
            pytest.skip(f"OpenCV {version} cannot be installed here: {made.stderr.strip().splitlines()[-1]}")
        (folder / ".made").touch()
    return python


@pytest.mark.long
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("version", VERSIONS)
def test_the_geometry_holds_under(version: str) -> None:
    """All geometry tests pass, and the OpenCV asked for is the one that ran."""
    python = environment(version)
    asked = [str(python), "-c", "import cv2; print(cv2.__version__)"]
    assert subprocess.run(asked, capture_output=True, text=True, check=True).stdout.startswith(version)
    files = [f"tests/calibration/{name}.py" for name in TESTS]
    # The test of the `set` command needs the installed command line; everything else is geometry.
    options = ["-q", "-p", "no:cacheprovider", "-k", "not command and not costs"]
    run = subprocess.run(
        [str(python), "-m", "pytest", *options, *files],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONPATH": str(ROOT), "PYTEST_ADDOPTS": ""},
    )
    print(run.stdout[-3000:], run.stderr[-2000:], file=sys.stderr)
    assert run.returncode == 0
