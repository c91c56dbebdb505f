"""What only a real board tells: one list for the report and the document, and nothing of its owner."""

import os
import re
import signal
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from gpiozero import Device
from gpiozero.pins.mock import MockFactory

from device.cameras.own_process import Apart, program
from device.cameras.wanted import CameraSettings
from device.cli import UserError, field_report, main
from device.health import field_checks, field_machine, watching
from device.health.bounce import bounce
from device.health.field_checks import ITEMS, NOT_MEASURED, Unmeasured, figures, table
from device.health.field_machine import ThisMachine
from device.health.watching import Thermometer, Watched, watch
from device.live.ports import Away, Shot
from device.live.source_name import SourceName
from device.panel.gpio_pins import Pins
from device.settings import Settings

DOCUMENT = Path(__file__).parents[2] / "docs" / "field.md"
SAID = {
    "rpicam-hello --version": "rpicam-apps build: v1.5.2 1-1-2026\nlibcamera build: v0.4.0+53-29156679\n",
    "rpicam-hello --list-cameras": (
        "Available cameras\n-----------------\n"
        "0 : imx708 [4608x2592 10-bit RGGB] (/base/soc/i2c0mux/i2c@1/imx708@1a)\n"
        "    Modes: 'SRGGB10_CSI2P' : 1536x864 [120.13 fps - (768, 432)/3072x1728 crop]\n"
        "                             4608x2592 [14.35 fps - (0, 0)/4608x2592 crop]\n"
    ),
    "vcgencmd get_throttled": "throttled=0x50000\n",
    "systemctl show": "17345678\n",
    "systemctl is-active": "inactive\n",
    "ping": "20 packets transmitted\nrtt min/avg/max/mdev = 1.103/3.251/11.870/2.1 ms\n",
}  # fmt: skip


class Pi:
    """A board that says of itself what a Raspberry Pi does; its owner's things lie about, too."""

    def __init__(self, root: Path) -> None:
        self.ran: list[str] = []
        for name, text in {
            "proc/device-tree/model": "Raspberry Pi 4 Model B Rev 1.4\0",
            "proc/cpuinfo": "Serial\t\t: 10000000deadbeef\n",
            "proc/meminfo": "MemTotal:        3882064 kB\nMemFree: 1 kB\n",
            "etc/os-release": 'PRETTY_NAME="Debian GNU/Linux 12 (bookworm)"\nID=debian\n',
            "etc/hostname": "anns-secret-pi\n",
            "sys/class/thermal/thermal_zone0/temp": "61234\n",
            "sys/class/net/wlan0/wireless/none": "",
            "sys/class/net/wlan0/address": "dc:a6:32:01:02:03\n",
            "proc/net/route": "Iface Destination Gateway Flags\nwlan0 00000000 FE02A8C0 0003 0 0\n",
        }.items():
            path = root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        self.this = ThisMachine(self.run, root)
        self.said = dict(SAID)

    def run(self, command: Sequence[str]) -> str:
        """What a program of it says."""
        line = " ".join(command)
        self.ran.append(line)
        return next((text for start, text in self.said.items() if line.startswith(start)), "")


@pytest.fixture
def pi(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Pi:
    """One, with folders of its own for what is written."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setattr(field_machine, "_BYTES", 2_000_000)
    monkeypatch.setattr(field_machine, "_SYNCS", 3)
    return Pi(tmp_path / "root")


def told_by(out: str) -> dict[str, str]:
    """The figure of each row by what it is of."""
    rows = [line.strip("| ").split(" | ") for line in out.splitlines()[2:]]
    return {row[0]: row[2] for row in rows}


def test_the_document_has_the_rows_of_the_report_and_claims_no_figure() -> None:
    """Until somebody has measured on a real board every cell says so."""
    rows = [line for line in DOCUMENT.read_text(encoding="utf-8").splitlines() if line.startswith("|")]
    assert rows == list(table({}))
    assert sum(line.endswith(f"| {NOT_MEASURED} |") for line in rows) == len(ITEMS)
    assert len({item.key for item in ITEMS}) == len({item.what for item in ITEMS}) == len(ITEMS)


def test_a_board_tells_all_that_it_can_and_of_the_rest_why_not(
    pi: Pi, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """No row is left without a figure or a reason; the virtual table stands in for a camera."""
    monkeypatch.setattr(field_report, "reading_ratio", lambda *_: "30")
    field_report.write(SourceName("virtual"), Settings(), 0.04, None, pi.this)
    told = told_by(capsys.readouterr().out)
    assert list(told) == [item.what for item in ITEMS]
    assert NOT_MEASURED not in told.values()
    assert told["board, memory"] == "Raspberry Pi 4 Model B, 3.7 GB"
    assert told["operating system"].startswith("Debian GNU/Linux 12 (bookworm), ")
    assert told["libcamera"] == "v0.4.0+53-29156679"
    assert told["camera and its modes"] == "imx708, 4608x2592; modes 1536x864 at 120/s, 4608x2592 at 14/s"
    assert told["picture delivered"] == "1280×960"
    assert re.fullmatch(r"[\d.]+ a second \(\d+ frames in \d+ s\)", told["frame rate reached"])
    assert re.fullmatch(r"[\d.]+ ms \(n = \d+\)", told["gate, a frame"])
    assert re.fullmatch(r"\d+ ms with \d+ pieces \(n = 5\)", told["reading the table that lies there"])
    assert told["kernel to service ready"] == "17.3 s"
    assert told["temperature under load"].startswith("61 to 61 °C")
    assert told["throttling and under-voltage"] == "0x50000"
    assert told["work chosen"] == "small"
    assert told["writing to the card"].endswith(" MB/s")
    assert told["network to the router"] == "3.251 ms on average, 11.870 ms at most, by Wi-Fi"
    assert told["button bounce"] == "not measured: no pins are set"
    assert told["page answers here"] == "not measured: no page answers on this machine"
    assert "no camera in a process of its own" in told["camera killed to first frame"]


def test_nobody_is_named(pi: Pi, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither serial numbers, nor names, nor addresses, nor folders; not even where something fails."""

    def fails(*_: object) -> str:
        raise PermissionError(13, "denied", "/home/ann/secret")

    monkeypatch.setattr(field_report, "reading_ratio", fails)
    out = tmp_path / "figures.md"
    field_report.write(SourceName("none"), Settings(), 0.01, out, pi.this)
    text = out.read_text(encoding="utf-8")
    assert "not measured: PermissionError" in text
    for secret in ("deadbeef", "anns-secret-pi", "dc:a6", "192.168", "/home", str(tmp_path), "/base/soc"):
        assert secret not in text
    assert "not measured: there is no camera" in told_by(text)["picture delivered"]


def test_a_board_that_has_nothing_says_so(tmp_path: Path) -> None:
    """No board, no programs, no network: each in a few words."""
    this = ThisMachine(lambda _: "", tmp_path)
    assert this.board().startswith("no Raspberry Pi")
    probes = {
        "system": this.system, "libcamera": this.libcamera, "camera": this.camera, "boot": this.boot,
        "network": this.network, "picamera2": lambda: field_machine.version_of("no-such-package"),
        "opencv": lambda: field_machine.module_version("no_such_module"),
    }  # fmt: skip
    told = {item.key: figure for item, figure in figures(probes)}
    assert all(told[key].startswith("not measured: ") for key in probes)
    assert told["gate"] == NOT_MEASURED
    assert (this.warmth(), this.held_back()) == (None, None)


class Film:
    """Frames under a clock of ours, a tenth of a second apart; each may be none."""

    recorded = False

    def __init__(self, *frames: Any) -> None:
        self.frames, self.now = list(frames), 0.0

    def clock(self) -> float:
        """The time of the film."""
        return self.now

    def next(self, _timeout_s: float) -> Any:
        """The next frame, or that there is none."""
        self.now += 0.1
        frame = self.frames.pop(0) if self.frames else None
        return Shot(0, self.now, frame) if isinstance(frame, np.ndarray) else frame

    def close(self) -> None:
        """Let go."""


class Still:
    """A reader of whom nothing is known."""

    def steady(self, *_: object) -> None:
        """Markers tell nothing."""

    def read(self, *_: object) -> str:
        """The table cannot be read."""
        return "I see no markers."

    arms: Callable[..., Any]


def grey(value: int, sharp: int) -> Any:
    """A picture of a grey with lines in it that are so clear."""
    picture = np.full((120, 160, 3), value, np.uint8)
    picture[::4] += np.uint8(sharp)
    return picture


def test_light_and_focus_that_wander_are_told_and_how_warm_it_became() -> None:
    """The least and the greatest over the watch; the firmware's words each once."""
    film = Film(*[grey(100, 40)] * 15, *[grey(120, 20)] * 15)
    warm, bits = iter((50.0, 60.0, 70.0)), iter((0, 0x50000, 0))
    warmth = Thermometer(lambda: next(warm), lambda: next(bits))
    seen = watch(film, Still(), 2.85, warmth, film.clock)  # type: ignore[arg-type]
    assert seen.frame_rate() == "10.0 a second (29 frames in 3 s)"
    assert seen.exposure() == "100 to 120 of 255 (n = 3)"
    assert seen.focus() == "25% (n = 3)"
    assert seen.size() == "160×120"
    assert seen.temperature() == "50 to 50 °C in 0 min"
    assert seen.throttling() == "none"
    with pytest.raises(Unmeasured, match="I see no markers"):
        watching.reading(seen, Still(), film.clock)  # type: ignore[arg-type]


def test_a_camera_that_gives_nothing_is_told_in_its_own_words() -> None:
    """The watch goes on, as it may come back."""
    film = Film(*[Away("The camera gives no picture: it hangs. It is tried again and again.")] * 40)
    seen = watch(film, Still(), 2.0, Thermometer(lambda: None, lambda: None), film.clock)  # type: ignore[arg-type]
    assert film.now >= 2.0
    for figure in (seen.size, seen.frame_rate, seen.gate, seen.focus):
        with pytest.raises(Unmeasured, match=r"it hangs$"):
            figure()
    with pytest.raises(Unmeasured, match="thermometer"):
        seen.temperature()
    with pytest.raises(Unmeasured, match="vcgencmd"):
        seen.throttling()


def test_the_camera_is_really_killed_and_timed_until_it_is_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its process is another one afterwards."""
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parent / "stand_in"))
    monkeypatch.setenv("STAND_IN", str(tmp_path))
    (tmp_path / "plan").write_text("fine\nfine\nfine", encoding="utf-8")
    wanted = CameraSettings(size=(640, 480), watch_size=(96, 72), fps=60.0)
    source = Apart(program("picamera", wanted.to_json(), "0.05"), "The camera")
    try:
        until = time.monotonic() + 20
        while not isinstance(source.next(0.2), Shot):
            assert time.monotonic() < until
        before = watching.camera_process()
        figure = watching.camera_back(source)
        assert re.fullmatch(r"[\d.]+ s", figure)
        assert watching.camera_process() not in (None, before)
        assert source.watchdog.restarts == 1
    finally:
        source.close()
    with pytest.raises(Unmeasured, match="process of its own"):
        watching.camera_back(source)


def test_bounce_is_the_span_of_edges_that_belong_together() -> None:
    """Pressing and letting go are two; a button that was not touched is not told."""
    edges = [
        ("confirm_a", True, 1.000), ("confirm_a", False, 1.001), ("confirm_a", True, 1.0035),
        ("undo", True, 1.2), ("confirm_a", False, 1.4), ("undo", False, 1.5),
    ]  # fmt: skip
    assert bounce(edges) == (
        "confirm a: 3.5 ms at most, 3 edges (n = 2 presses and releases); "
        "undo: 0.0 ms at most, 1 edges (n = 2 presses and releases)"
    )
    with pytest.raises(Unmeasured, match="no button was pressed"):
        bounce([])


def test_buttons_that_are_set_are_listened_to_during_the_watch(
    pi: Pi, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Through the pins that the match uses."""
    monkeypatch.setattr(field_report, "reading_ratio", lambda *_: "30")
    monkeypatch.setattr(Device, "pin_factory", MockFactory())

    def pressed(*_: object) -> Watched:
        pin = Device.pin_factory.pin(5)
        pin.drive_low()
        pin.drive_high()
        return Watched()

    monkeypatch.setattr(field_report.watching, "watch", pressed)
    field_report.write(SourceName("none"), Settings(pins=Pins(confirm_a=5)), 1, None, pi.this)
    assert re.match(r"confirm a: \d", told_by(capsys.readouterr().out)["button bounce"])


def test_the_service_is_stopped_for_the_watch_and_started_again(
    pi: Pi, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It has the camera; who may not stop it is told to use sudo, and nothing is touched."""
    monkeypatch.setattr(field_report, "reading_ratio", lambda *_: "30")
    pi.said["systemctl is-active"] = "active\n"
    monkeypatch.setattr(field_report.os, "geteuid", lambda: 1000)
    with pytest.raises(UserError, match="sudo"):
        field_report.write(SourceName("none"), Settings(), 1, None, pi.this)
    assert not [line for line in pi.ran if "stop" in line]
    monkeypatch.setattr(field_report.os, "geteuid", lambda: 0)
    field_report.write(SourceName("none"), Settings(), 1, None, pi.this)
    acts = [line.split()[1] for line in pi.ran if line.startswith("systemctl") and "show" not in line]
    assert acts == ["is-active", "is-active", "stop", "start"]


@pytest.mark.parametrize("amid", ["watch", "stop"])
@pytest.mark.parametrize("number", [signal.SIGHUP, signal.SIGTERM])
def test_a_line_that_is_cut_leaves_the_service_started(
    pi: Pi, monkeypatch: pytest.MonkeyPatch, number: signal.Signals, amid: str
) -> None:
    """Over ssh it hangs up at any time: the service is started all the same, whatever comes on top of it."""
    heard = list[int]()

    def cut(*_: object) -> Watched:
        os.kill(os.getpid(), number)
        return Watched()

    def run(command: Sequence[str]) -> str:
        if command[1] in ("start", amid):
            os.kill(os.getpid(), number)
        return pi.run(command)

    monkeypatch.setattr(field_report.watching, "watch", cut)
    monkeypatch.setattr(field_report.os, "geteuid", lambda: 0)
    pi.said["systemctl is-active"] = "active\n"
    before = signal.signal(number, lambda *_: heard.append(number))
    try:
        with pytest.raises(SystemExit) as ended:
            field_report.write(SourceName("none"), Settings(), 1, None, ThisMachine(run, pi.this.root))
        os.kill(os.getpid(), number)
    finally:
        signal.signal(number, before)
    assert ended.value.code == 128 + number
    assert pi.ran[-1] == "systemctl start pipwatch.service"
    assert heard == [number]


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (["--minutes", "1"], "are for --field-report"), (["-o", "x.md"], "are for --field-report"),
        (["--field-report", "--minutes", "0"], "--minutes should be"),
        (["--field-report", "-o", "/nowhere/x.md"], "cannot be written"),
    ],
)  # fmt: skip
def test_bad_input_is_one_sentence(
    pi: Pi, more: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Exit status 2, before anything is measured."""
    assert not pi.ran
    assert main(["doctor", "--source", "none", *more]) == 2
    err = capsys.readouterr().err
    assert said in err
    assert err.count("\n") == 1


def test_a_bar_in_a_figure_breaks_no_row() -> None:
    """Whatever a program says, the table stays one."""
    assert field_checks.row(ITEMS[0], "a | b").count("|") == 4
