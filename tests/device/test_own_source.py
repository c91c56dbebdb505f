"""What is checked and measured is the camera that a match will get: the doctor goes by its settings, too."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from device.cameras.wanted import CameraSettings
from device.cli import doctor, field_report, main

SETTINGS = """
[service]
work = "small"

[camera]
source = "picamera"
size = [640, 480]
watch_size = [320, 240]
rotate = 90
"""


@pytest.fixture
def config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Settings of a camera, on a machine that has one by the camera library's stand-in."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parent / "stand_in"))
    monkeypatch.setenv("STAND_IN", str(tmp_path))
    monkeypatch.setattr(doctor, "box_here", lambda _config: {})
    monkeypatch.setattr(field_report, "reading_ratio", lambda *_: "30")
    (tmp_path / "plan").write_text("fine\nfine\nfine", encoding="utf-8")
    path = tmp_path / "config.toml"
    path.write_text(SETTINGS, encoding="utf-8")
    return path


def by_doctor(config: Path) -> None:
    """What `pipwatch doctor` opens."""
    main(["doctor", "--config", str(config), "--json"])


def by_report(config: Path) -> None:
    """What the field report opens."""
    out = config.with_name("figures.md")
    assert (
        main(["doctor", "--config", str(config), "--field-report", "--minutes", "0.01", "-o", str(out)]) == 0
    )


@pytest.mark.parametrize("command", [by_doctor, by_report])
def test_both_open_the_camera_as_its_settings_want_it_and_as_often_as_this_board_looks(
    config: Path, monkeypatch: pytest.MonkeyPatch, command: Callable[[Path], None]
) -> None:
    """Nothing of the part [camera] is left aside, nor the work of a slow board."""
    asked: list[tuple[float, CameraSettings | None]] = []

    def none_here(fps: float, wanted: CameraSettings | None) -> None:
        asked.append((fps, wanted))

    monkeypatch.setattr("device.live.wiring.camera_here", none_here)
    command(config)
    assert asked == [(6.0, CameraSettings("picamera", (640, 480), (320, 240), rotate=90))]


def test_the_picture_that_the_doctor_judges_has_the_size_and_the_turn_of_the_settings(
    config: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Through a camera's own process, as a match has it."""
    by_doctor(config)
    found = {line["name"]: line for line in map(json.loads, capsys.readouterr().out.splitlines())}
    assert found["camera"]["words"].startswith("sends pictures of 240×320; imx708: large 640×480")


def test_the_report_reads_through_the_lens_of_the_settings(
    config: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """One that is not kept here is told before anything is measured."""
    config.write_text(f'{SETTINGS}lens = "attic"\n', encoding="utf-8")
    assert main(["doctor", "--config", str(config), "--field-report", "--minutes", "0.01"]) == 2
    assert "The lens “attic” is not kept here any more" in capsys.readouterr().err
