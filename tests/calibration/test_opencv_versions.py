"""Under every OpenCV in the field: Debian 12's 4.6 with its numpy, Debian 13's 4.10, and today's 5."""

import os
import subprocess
import sys
import venv
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
TESTS = ("test_camera", "test_table", "test_follow", "test_lens", "test_learn", "test_view", "test_watch")
TOOLS = (
    "pytest>=8.3", "pytest-timeout>=2.3", "hypothesis>=6.120", "pytest-randomly>=3.16", "pytest-xdist>=3.6",
    "pypdfium2>=4.30", "reportlab>=4.2", "flask>=3", "waitress>=3.0.2", "segno>=1.6.6",
)  # fmt: skip
OLDEST = "4.6"
VERSIONS = {
    # Python 3.12 and later has no numpy as old as Debian 12's, which knows less than those after it.
    OLDEST: (
        "opencv-contrib-python-headless==4.6.0.66",
        "numpy==1.24.2" if sys.version_info < (3, 12) else "numpy<2",
    ),
    "4.10": ("opencv-python-headless==4.10.0.84",),
    "5.0": ("opencv-python-headless>=5,<6",),
}


def environment(version: str) -> Path:
    """The Python of an environment with this OpenCV, made once and kept."""
    folder = ROOT / f".venv-cv/{version}"
    python = folder / "bin" / "python"
    if not (folder / ".made-3").exists():
        venv.create(folder, with_pip=True, clear=True)
        command = [str(python), "-m", "pip", "--disable-pip-version-check", "install", "-q"]
        made = subprocess.run(
            [*command, *VERSIONS[version], *TOOLS], capture_output=True, text=True, check=False
        )
        if made.returncode:
            pytest.skip(f"OpenCV {version} cannot be installed here: {made.stderr.strip().splitlines()[-1]}")
        (folder / ".made-3").touch()
    return python


@pytest.mark.long
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("version", VERSIONS)
def test_the_geometry_holds_under(version: str) -> None:
    """All geometry tests pass, and the OpenCV asked for is the one that ran."""
    python = environment(version)
    asked = [str(python), "-c", "import cv2; print(cv2.__version__)"]
    assert subprocess.run(asked, capture_output=True, text=True, check=True).stdout.startswith(version)
    # The test of the `set` command needs the installed command line; everything else is geometry.
    assert passes(
        python, "-k", "not command and not costs", *(f"tests/calibration/{name}.py" for name in TESTS)
    )


@pytest.mark.long
@pytest.mark.timeout(7200)
def test_tables_and_sheets_are_drawn_and_read_under_the_oldest() -> None:
    """Debian 12's OpenCV and numpy: what one of them does not know ended the eye there, and nowhere else."""
    assert passes(environment(OLDEST), "-n", "2", "tests/vision", "tests/simulation")


def passes(python: Path, *asked: str) -> bool:
    """Whether these tests pass there; what they said is told."""
    run = subprocess.run(
        [str(python), "-m", "pytest", "-q", "-p", "no:cacheprovider", *asked],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONPATH": str(ROOT), "PYTEST_ADDOPTS": ""},
    )
    print(run.stdout[-3000:], run.stderr[-2000:], file=sys.stderr)
    return run.returncode == 0
