"""What is checked and measured is the camera that a match will get: the doctor goes by its settings, too."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from calibration import toml
from calibration.camera import Lens
from calibration.lens import LensFit
from calibration.profiles import CameraProfile
from device.cameras import naming, usb_names
from device.cameras.wanted import CameraSettings
from device.cli import calibrate, doctor, field_report, for_the_box, main
from device.folders import state_folder
from tests.device.usb_sockets import SAME, TABLE, sockets

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


# — with sudo —


@pytest.fixture
def box(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """What a box keeps that root means by sudo: the second of two cameras is its usual one, with a lens."""
    state = tmp_path / "box"
    (state / "calibration").mkdir(parents=True)
    (state / "webcam.json").write_text(json.dumps({"ids": SAME[1], "place": "1-1.3:1.0"}))
    profile = CameraProfile("attic", 70.0)
    (state / "calibration/attic.toml").write_text(toml.dump(profile), encoding="utf-8")
    monkeypatch.setattr(usb_names, "NODES", sockets(tmp_path / "sockets", TABLE, ("1-1.3", SAME)))
    monkeypatch.setattr(naming, "has_picamera", lambda: False)
    monkeypatch.setattr(for_the_box, "STATE", state)
    monkeypatch.setattr(for_the_box, "is_meant", lambda: True)
    return state


def kept(state: Path) -> dict[str, str]:
    """All that the box keeps."""
    return {str(path.relative_to(state)): path.read_text() for path in state.rglob("*") if path.is_file()}


def test_with_sudo_the_camera_is_the_one_that_the_box_takes(
    box: Path, config: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The doctor opens it, and calls it taken; nothing is written for the box, nor where root lives."""
    before, opened = kept(box), list[str]()
    monkeypatch.setattr("device.live.wiring.open_camera", lambda name, **_: opened.append(name.text))
    monkeypatch.setattr("device.live.wiring.camera_here", lambda *_: opened.append("root's own"))
    config.write_text("", encoding="utf-8")
    by_doctor(config)
    assert opened == [f"webcam:{SAME[1]}"]
    assert f"taken is webcam:{SAME[1]}" in capsys.readouterr().out
    assert kept(box) == before
    assert not state_folder().exists()


@pytest.mark.usefixtures("config")
def test_with_sudo_a_lens_is_calibrated_for_the_camera_that_the_box_takes(
    box: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its name is that of the usual camera, and the box's user writes it."""
    given = list[Path]()
    lens = Lens.from_field_of_view((640, 480), 70.0)
    fit = LensFit(lens=lens, rms_px=0.2, focal_doubt=0.001, shots=11)
    monkeypatch.setattr(calibrate, "_lens_from_board", lambda _images: fit)
    monkeypatch.setattr(for_the_box, "write", lambda place, _text: given.append(place))
    assert main(["calibrate", "lens", "a.jpg"]) == 0
    assert given == [box / "calibration" / "webcam-1bcf-2c9b.toml"]


def test_with_sudo_the_report_has_the_lens_and_the_card_of_the_box(
    box: Path, config: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Root has no such lens, and no match; the folders are root's own again afterwards."""
    measured = list[Path]()
    monkeypatch.setattr("device.live.wiring.open_camera", lambda *_, **__: None)
    monkeypatch.setattr(
        field_report.field_machine, "card", lambda folder: measured.append(folder) or "1 MB/s"
    )
    config.write_text('[camera]\nlens = "attic"\n', encoding="utf-8")
    by_report(config)
    assert measured == [box / "matches"]
    assert state_folder() != box
