"""The doctor: what is wrong is named with its remedy, and what is merely absent is no fault."""

import json
from pathlib import Path

import numpy as np
import pytest
from gpiozero import Device
from gpiozero.pins.mock import MockFactory

from device.cli import main
from device.health import board, machine, sight, wiring
from device.health.finding import Finding, Grade
from device.live.ports import Away, Shot
from device.panel.pins import Pins


@pytest.fixture(autouse=True)
def _own_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setattr("device.cameras.naming.has_picamera", lambda: False)
    monkeypatch.setattr("device.cameras.naming.webcams", list)
    monkeypatch.setattr(sight, "nodes_denied", list)
    monkeypatch.setattr(board, "devices", lambda: None)


def failing(finding: Finding) -> str:
    """The words of a finding that fails; it has a remedy."""
    assert finding.grade is Grade.FAILS
    assert finding.remedy
    return finding.words


def test_a_computer_without_a_camera_is_told_plainly_and_is_not_ill(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Camera, markers, light and pins are absent, which is no failure: the exit status is 0."""
    assert main(["doctor", "--json"]) == 0
    found = {line["name"]: line for line in map(json.loads, capsys.readouterr().out.splitlines())}
    absent = {name for name, line in found.items() if line["grade"] == "absent"}
    assert {"camera", "markers", "light", "pins"} <= absent
    assert {found[name]["grade"] for name in ("packages", "models", "disk")} == {"ok"}


def test_the_virtual_table_is_well(capsys: pytest.CaptureFixture[str]) -> None:
    """Its camera sends pictures, its markers are seen and its light is enough."""
    assert main(["doctor", "--source", "virtual"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[1] for line in lines if line.startswith("✓")][:6] == [
        "board", "packages", "models", "camera", "markers", "light",
    ]  # fmt: skip


def test_a_failure_is_exit_status_1_with_its_remedy(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Settings that cannot be read are one failing line; the other checks go on."""
    config = tmp_path / "config.toml"
    config.write_text("[pins]\ngreen = 99\n", encoding="utf-8")
    assert main(["doctor", "--config", str(config)]) == 1
    out = capsys.readouterr().out
    assert "✗ settings" in out
    assert "→ mend the file" in out
    assert "disk" in out


def test_a_source_that_is_none_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    """One sentence and exit status 2."""
    assert main(["doctor", "--source", "telescope"]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_libraries_that_do_not_fit_together_are_named() -> None:
    """The well-known quarrel of two numpys is told with what to install."""

    def load(name: str) -> object:
        if name == "cv2":
            raise ValueError("numpy.dtype size changed, may indicate binary incompatibility")
        return object()

    finding = machine.packages(load)
    assert "dtype size changed" in failing(finding)
    assert "apt install python3-opencv" in finding.remedy


def test_models_are_missing_or_damaged(tmp_path: Path) -> None:
    """A reader that is not there, or not whole, is no reader."""
    assert "no trained reader" in failing(machine.models(tmp_path))
    (tmp_path / "half.onnx").write_bytes(b"half of it")
    assert "half.onnx cannot be read" in failing(machine.models(tmp_path))


def test_a_slow_disk_fails_and_a_full_one_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A card that takes seconds for a sync is worn; one without space keeps no match."""
    now = iter(range(1000))
    assert "a sync takes" in failing(machine.disk(tmp_path / "not" / "yet", lambda: 2.0 * next(now)))
    monkeypatch.setattr(machine, "_LEAST_FREE", 10**18)
    assert "MB are free" in failing(machine.disk(tmp_path))


def test_a_disk_that_takes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A read-only place is told with a way out."""

    def refuse(**_: object) -> None:
        raise OSError(30, "Read-only file system")

    monkeypatch.setattr(machine.tempfile, "TemporaryFile", refuse)
    finding = machine.disk(tmp_path)
    assert "Read-only file system" in failing(finding)
    assert "XDG_DATA_HOME" in finding.remedy


def test_clock_and_power() -> None:
    """A clock without a time, a time server that is not asked, too little voltage, heat, and no Pi at all."""
    assert "1970" in failing(machine.clock(lambda: 0.0))
    assert machine.clock(lambda: 1.8e9, lambda _: "no\n").grade is Grade.ABSENT
    assert machine.clock(lambda: 1.8e9, lambda _: "yes\n").grade is Grade.OK
    assert machine.power(lambda _: "").grade is Grade.ABSENT
    assert machine.power(lambda _: "throttled=0x0\n").grade is Grade.OK
    assert "voltage" in failing(machine.power(lambda _: "throttled=0x50005\n"))
    assert "heat" in failing(machine.power(lambda _: "throttled=0x80000\n"))


class Camera:
    """A source that gives one thing."""

    recorded = False

    def __init__(self, gives: Shot | Away) -> None:
        self.gives, self.closed = gives, False

    def next(self, _timeout_s: float) -> Shot | Away:
        """It."""
        return self.gives

    def close(self) -> None:
        """Let go."""
        self.closed = True


def test_a_camera_without_a_picture_says_why() -> None:
    """The camera's own reason, a remedy, and it is let go of."""
    camera = Camera(Away("Webcam 0 gives no picture: it hangs. It is tried again and again."))
    finding, picture = sight.camera(lambda: camera)
    assert failing(finding) == "Webcam 0 gives no picture: it hangs"
    assert picture is None
    assert camera.closed


def test_who_may_not_open_the_camera_is_told_the_group(monkeypatch: pytest.MonkeyPatch) -> None:
    """The commonest cause on a fresh system comes before all other advice."""
    monkeypatch.setattr(sight, "nodes_denied", lambda: ["/dev/video0"])
    finding, _ = sight.camera(lambda: Camera(Away("it is shut")))
    assert "video" in finding.remedy
    assert "usermod" in finding.remedy


def test_light_that_is_too_little_or_too_much() -> None:
    """A cap on the lens, a dark room and a lamp that glares have remedies of their own."""
    picture = np.full((240, 320, 3), 5, dtype=np.uint8)
    assert "black" in failing(sight.light(picture))
    assert "dark" in failing(sight.light(picture + np.uint8(25)))
    picture[:] = 120
    assert sight.light(picture).grade is Grade.OK
    assert "print markers" in sight.markers(picture).remedy
    picture[:80] = 255
    assert "white out" in failing(sight.light(picture))


def test_pins_are_tried() -> None:
    """What is wired is named; on a machine without pins the packages are."""
    Device.pin_factory = MockFactory()
    try:
        assert wiring.pins(Pins(green=17, confirm_a=5)).words == "confirm a, green"
    finally:
        Device.pin_factory.reset()
        Device.pin_factory = None
    assert wiring.pins(Pins()).grade is Grade.ABSENT
