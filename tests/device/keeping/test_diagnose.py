"""`pipwatch diagnose` beside a box that runs: it is asked, and nothing is tried that it has for itself."""

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import cv2
import numpy as np
import pytest

from device.cameras import naming
from device.cameras.usb_names import UsbCamera
from device.cli import held_by_box, main
from device.health import wired_parts
from device.health.field_machine import ThisMachine
from device.keeping.bundle import versions
from tests.device.home.well import WELL
from tests.device.keeping.test_bundle import NAMES, played, texts


@pytest.fixture(autouse=True)
def _own_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setattr(held_by_box, "ThisMachine", lambda: ThisMachine(lambda _: ""))


@pytest.fixture
def tried(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What of the hardware is tried."""
    found: list[str] = []

    class Wired:
        def __init__(self, *_: object) -> None:
            found.append("pins")

        def close(self) -> None:
            """Let go."""

    monkeypatch.setattr(wired_parts, "Wired", Wired)
    monkeypatch.setattr(naming, "open_camera", lambda *_a, **_k: found.append("camera"))
    return found


@pytest.fixture
def box(tmp_path: Path) -> Iterator[Callable[[Mapping[str, Any]], None]]:
    """A box of this machine, which answers with the health that it is given; its settings name its pins."""
    health: dict[str, Any] = {}

    class Answers(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            told = json.dumps(health).encode()
            self.send_response(200 if health and self.path == "/api/health" else 404)
            self.end_headers()
            self.wfile.write(told)

        def log_message(self, *_: object) -> None:
            """Nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Answers)
    settings = tmp_path / "config" / "pipwatch" / "config.toml"
    settings.parent.mkdir(parents=True)
    settings.write_text(f"[service]\nport = {server.server_port}\n[pins]\ngreen = 17\n", encoding="utf-8")
    thread = Thread(target=server.serve_forever)
    thread.start()
    yield health.update
    server.shutdown()
    thread.join()
    server.server_close()


def diagnosed(tmp_path: Path) -> dict[str, str]:
    """The files of the bundle that the command makes."""
    out = tmp_path / "report.zip"
    assert main(["diagnose", "-o", str(out)]) == 0
    return texts(out.read_bytes())


def line_of(told: Mapping[str, str], name: str) -> str:
    """What the bundle says of one check."""
    found = re.search(rf"^. {name} .*$", told["doctor.txt"], re.M)
    assert found is not None
    return found[0]


def test_a_box_that_answers_is_told_in_the_bundle_and_keeps_what_it_has(
    tmp_path: Path, box: Callable[[Mapping[str, Any]], None], tried: list[str]
) -> None:
    """Its health without names; of camera and pins what it says of them, and that they were not tried."""
    played(tmp_path)
    camera = {**WELL["camera"], "state": "stale", "words": "The camera gives no picture: it hangs."}
    box({**WELL, "camera": camera, "remarks": [f"{NAMES[0]} pressed at 10.1.2.3."]})
    told = diagnosed(tmp_path)
    health = json.loads(told["health.json"])
    assert health["camera"] == camera
    assert health["remarks"] == ["player 1 pressed at (masked)."]
    assert line_of(told, "camera").startswith(
        "– camera    the box that runs here has it; it is stale: The cam"
    )
    assert line_of(told, "pins") == "– pins      the box that runs here has them"
    assert tried == []


def test_without_a_box_the_camera_is_named_and_not_opened(
    tmp_path: Path,
    box: Callable[[Mapping[str, Any]], None],
    tried: list[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A match of `pipwatch run` may have it; nobody says that there is none."""
    box({})  # nothing of ours answers there
    monkeypatch.setattr(naming, "webcams", lambda: [UsbCamera(2)])
    monkeypatch.setattr(naming, "has_picamera", lambda: False)
    told = diagnosed(tmp_path)
    assert "health.json" not in told
    assert line_of(told, "camera").startswith("– camera    connected: Webcam 2; it was not tried")
    assert tried == ["pins"]


def test_a_service_that_hangs_has_its_camera_and_pins_all_the_same(
    tmp_path: Path,
    box: Callable[[Mapping[str, Any]], None],
    tried: list[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """systemd says that it runs; that it does not answer is what the report is about."""
    box({})

    def systemd(command: Sequence[str]) -> str:
        return "active\n" if command[:2] == ["systemctl", "is-active"] else ""

    monkeypatch.setattr(held_by_box, "ThisMachine", lambda: ThisMachine(systemd))
    told = diagnosed(tmp_path)
    assert line_of(told, "camera") == "– camera    pipwatch.service runs and has it, but does not answer"
    assert line_of(told, "pins") == "– pins      pipwatch.service runs and has them, but does not answer"
    assert tried == []


def test_the_versions_are_those_of_what_runs_however_it_came() -> None:
    """OpenCV by itself; the camera's libraries by their programs, or as Debian has them, or not at all."""
    packages = {"python3-picamera2": "ii  0.3.30-1", "python3-libcamera": "rc  0.4.0-1"}

    def debian(command: Sequence[str]) -> str:
        return packages.get(command[-1], "") if command[0] == "dpkg-query" else ""

    told = versions(ThisMachine(debian))
    assert (told["opencv"], told["numpy"]) == (cv2.__version__, np.__version__)
    assert told["picamera2"] == "0.3.30-1"
    assert told["libcamera"] == "not measured: it is not there"
    packages["python3-libcamera"] = "ii  0.4.0-1"
    assert versions(ThisMachine(debian))["libcamera"] == "0.4.0-1"
    said = versions(ThisMachine(lambda command: "libcamera build: v0.5\n" * (command[0] == "rpicam-hello")))
    assert said["libcamera"] == "v0.5"
