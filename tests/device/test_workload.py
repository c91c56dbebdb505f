"""A slow board looks less often by itself, and says so; the settings have the last word."""

from pathlib import Path
from typing import Any

import pytest

from calibration import toml
from calibration.camera_errors import BadProfileFile
from device.cameras import naming
from device.cli import main, refereeing
from device.health import machine
from device.health.finding import Grade
from device.live.source_name import SourceName
from device.settings import Settings
from device.workload import FULL_FPS, SMALL_FPS, board, workload

SLOW = (
    "Raspberry Pi 4 Model B", "Raspberry Pi 400", "Raspberry Pi Compute Module 4", "Raspberry Pi Zero 2 W",
    "Raspberry Pi 3 Model B Plus", "Raspberry Pi Model B",
)  # fmt: skip
FAST = ("Raspberry Pi 5 Model B", "Raspberry Pi 500", "Raspberry Pi Compute Module 5", "Radxa ROCK 5B", "")


@pytest.fixture(autouse=True)
def _own_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))


def sysroot(folder: Path, model: bytes) -> Path:
    """A machine whose device tree says what it is, ended by a zero as the kernel does."""
    tree = folder / "proc" / "device-tree"
    tree.mkdir(parents=True)
    (tree / "model").write_bytes(model + b"\0")
    return folder


@pytest.mark.parametrize("name", [*SLOW, *FAST])
def test_the_board_chooses_and_says_why(tmp_path: Path, name: str) -> None:
    """All boards before the Raspberry Pi 5 do less; what is no Raspberry Pi is taken for a fast one."""
    here = board(sysroot(tmp_path, f"{name} Rev 1.4".encode())) if name else board(tmp_path)
    assert here == name
    work = workload("auto", here)
    assert work.fps == (SMALL_FPS if name in SLOW else FULL_FPS)
    assert work.small is (name in SLOW)
    assert (name or "this is no Pi") in work.words
    assert f"{work.fps:g} times a second" in work.words


def test_what_is_set_counts_more_than_the_board() -> None:
    """Both ways, and the words say that it was set."""
    assert workload("full", SLOW[0]).fps == FULL_FPS
    assert workload("small", FAST[0]).fps == SMALL_FPS
    assert 'work = "small" is set' in workload("small", "").words
    assert toml.parse('[service]\nwork = "small"', Settings, "config.toml").service.work == "small"
    with pytest.raises(BadProfileFile, match="should be one of 'auto', 'full', 'small'"):
        toml.parse('[service]\nwork = "tiny"', Settings, "config.toml")


def test_the_camera_is_asked_for_so_many_pictures(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whichever kind it is: its process is told, so that those not wanted are never made."""
    asked: list[list[str]] = []
    monkeypatch.setattr(naming, "Apart", lambda command, *_, **_more: asked.append(command))
    for name in (SourceName("picamera"), SourceName("webcam", "0")):
        naming.open_camera(name, fps=SMALL_FPS)
    assert [f'"fps": {SMALL_FPS}' in " ".join(command) for command in asked] == [True, True]


def test_who_referees_on_a_slow_board_is_told_and_the_camera_asked_for_less(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """One line; a recorded or a virtual table has the pictures that it has, and nothing is said."""
    asked: list[float] = []

    def no_camera(*given: Any) -> None:
        asked.append(given[-2])
        raise OSError("There is no camera.")

    monkeypatch.setattr(refereeing, "open_source", no_camera)
    monkeypatch.setattr(refereeing, "board", lambda: SLOW[0])
    for source, told in (("picamera", 1), ("virtual", 0)):
        assert main(["run", "--game", "draw-game", "--source", source, "--headless"]) == 2
        assert capsys.readouterr().err.count("work is small: this is a Raspberry Pi 4") == told
    assert asked == [SMALL_FPS, SMALL_FPS]


def test_the_doctor_says_what_was_chosen() -> None:
    """Doing less is no fault."""
    found = machine.work("auto", SLOW[0])
    assert found.grade is Grade.OK
    assert "small: this is a Raspberry Pi 4 Model B" in found.words
