"""The doctor: what is wrong is named with its remedy, and what is merely absent is no fault."""

import json
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from gpiozero import Device
from gpiozero.pins.mock import MockFactory

from device import rights
from device.cameras.frames import DOING, Frame, FrameKind
from device.cameras.own_process import Apart
from device.cli import doctor, main
from device.health import machine, pi_board, sight, wired_parts
from device.health.finding import Finding, Grade
from device.live.ports import Away, Shot
from device.panel.gpio_pins import Pins


@pytest.fixture(autouse=True)
def _own_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setattr("device.cameras.naming.has_picamera", lambda: False)
    monkeypatch.setattr("device.cameras.naming.webcams", list)
    monkeypatch.setattr(sight, "nodes", list)
    monkeypatch.setattr(pi_board, "devices", lambda: None)
    monkeypatch.setattr(doctor, "box_here", lambda _config: {})


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


def test_a_box_that_runs_here_keeps_camera_and_pins(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Neither is tried beside it, and that is no fault of theirs: what the box says of its camera is told."""
    monkeypatch.setattr(doctor, "box_here", lambda _config: {"camera": {"state": "stale"}})
    config = tmp_path / "config.toml"
    config.write_text("[pins]\ngreen = 17\n", encoding="utf-8")
    assert main(["doctor", "--json", "--config", str(config)]) == 0
    found = {line["name"]: line for line in map(json.loads, capsys.readouterr().out.splitlines())}
    assert "it is stale" in found["camera"]["words"]
    for name in ("camera", "pins"):
        assert "the box that runs here has" in found[name]["words"]
        assert "sudo systemctl stop pipwatch" in found[name]["remedy"]
    assert "markers" not in found
    monkeypatch.setattr(doctor, "box_here", lambda _config: {"camera": {"state": "ok"}})
    assert main(["doctor", "--config", str(config)]) == 0
    assert "✓ camera    the box that runs here has it; it is ok\n" in capsys.readouterr().out
    told = {"camera": {"state": "ok", "words": "imx708: large 4608×2592, 3 buffers of each"}}
    monkeypatch.setattr(doctor, "box_here", lambda _config: told)
    assert main(["doctor", "--config", str(config)]) == 0
    assert "it is ok: imx708: large 4608×2592, 3 buffers of each\n" in capsys.readouterr().out


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


def test_clock_and_power(tmp_path: Path) -> None:
    """A clock without a time, a time server that is not asked, too little voltage, heat, and no Pi at all."""
    assert "1970" in failing(machine.clock(lambda: 0.0))
    assert machine.clock(lambda: 1.8e9, lambda _: "no\n").grade is Grade.ABSENT
    assert machine.clock(lambda: 1.8e9, lambda _: "yes\n").grade is Grade.OK
    assert machine.power(lambda _: "", tmp_path).grade is Grade.ABSENT
    assert machine.power(lambda _: "throttled=0x0\n", tmp_path).grade is Grade.OK
    assert "voltage" in failing(machine.power(lambda _: "throttled=0x50005\n", tmp_path))
    assert "heat" in failing(machine.power(lambda _: "throttled=0x80000\n", tmp_path))
    silent = 'error=1 error_msg="Command not registered"\n'
    refused = machine.power(lambda _: silent, tmp_path, on="Raspberry Pi 5")
    assert refused.grade is Grade.ABSENT
    assert "Raspberry Pi 5 does not answer" in refused.words


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


class Beginning:
    """A camera's process under a clock of the test's: it loads its library, focuses, and sends a picture."""

    def __init__(self, library_s: float, focused_s: float, said: str = "") -> None:
        self.now, self._said, self._take = 0.0, said, list[Callable[[Frame], None]]()
        self._library_s, self._focused_s = library_s, focused_s
        self.source = Apart(self._opened, "The camera", clock=lambda: self.now, wait=self._wait)

    def _opened(self, take: Callable[[Frame], None]) -> "Beginning":
        self._take = [take]
        return self

    def _wait(self, _news: object, seconds: float) -> None:
        self.now += max(0.05, seconds)
        if self.now > self._focused_s:
            self._take[0](Frame(np.full((48, 64, 3), int(self.now * 10) % 250, np.uint8)))
        elif self.now > self._library_s:
            self._take[0](Frame(kind=FrameKind.WORDS, words={DOING: "it focuses on the mat (3 looks)"}))

    def ask(self, _line: bytes) -> bool:
        """It hears nothing."""
        return True

    def ended(self) -> bool:
        """Whether it had something to say, and is gone."""
        return bool(self._said)

    def kill(self) -> str:
        """Its last words."""
        return self._said


@pytest.mark.parametrize(("library_s", "focused_s"), [(6.0, 30.0), (18.0, 19.0), (6.0, 100.0)])
def test_a_cold_camera_is_waited_for_while_it_starts_and_focuses(library_s: float, focused_s: float) -> None:
    """Long after players would have been told that there is no picture; it is no fault of the cable."""
    begins = Beginning(library_s, focused_s)
    finding, picture = sight.camera(lambda: begins.source)
    assert finding.grade is Grade.OK, finding.words
    assert picture is not None
    assert begins.now == pytest.approx(focused_s, abs=1.0)


def test_a_camera_that_says_what_is_amiss_is_not_waited_for() -> None:
    """What its process says as it ends is told as soon as it counts as away."""
    begins = Beginning(100.0, 100.0, "no camera is connected: check the ribbon cable")
    finding, _ = sight.camera(lambda: begins.source)
    assert "check the ribbon cable" in failing(finding)
    assert begins.now < 6
    hangs = Beginning(1000.0, 1000.0)
    finding, _ = sight.camera(lambda: hangs.source)
    assert failing(finding) == "The camera gives no picture: it hangs"
    assert hangs.now < 25


def test_a_camera_that_focuses_for_ever_is_told_of_without_blaming_a_cable() -> None:
    """The check ends, and says what the camera does."""
    busy = Camera(Away("The camera gives no picture: it focuses. It is tried again.", is_busy=True))
    finding, _ = sight.camera(lambda: busy)
    assert finding.grade is Grade.ABSENT
    assert finding.words == "The camera gives no picture: it focuses"
    assert "cable" not in finding.remedy
    assert finding.remedy


def test_who_may_not_open_the_camera_is_told_the_group(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The commonest cause on a fresh system comes before all other advice."""
    (tmp_path / "video0").touch()
    (tmp_path / "video0").chmod(0o660)
    monkeypatch.setattr(sight, "nodes", lambda: [tmp_path / "video0"])
    monkeypatch.setattr(rights.os, "access", lambda *_: False)
    monkeypatch.setattr(rights, "getgrgid", lambda _gid: SimpleNamespace(gr_name="video"))
    finding, _ = sight.camera(lambda: Camera(Away("it is shut")))
    assert finding.remedy == f"sudo usermod -aG video {rights.whoever_runs().name}, then restart"


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
        assert wired_parts.pins(Pins(green=17, confirm_a=5)).words == "confirm a, green"
    finally:
        Device.pin_factory.reset()
        Device.pin_factory = None
    assert wired_parts.pins(Pins()).grade is Grade.ABSENT
