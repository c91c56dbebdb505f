"""`pipwatch status` asks the box that is running, and says in a sentence where none is."""

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import pytest

from device.cli import main, status
from device.home.wellbeing import is_health, wellbeing
from tests.device.home.household import free_port
from tests.device.home.well import ILL, NO_PI, WELL
from web.box_glance import glance


class Neighbour:
    """Something that listens at a port and answers whatever it is told to."""

    def __init__(self) -> None:
        self.code, self.body = 200, b""
        self.asked: list[str] = []
        self.closed: set[str] = set()
        """What is refused to us."""
        told = self

        class Answer(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                told.asked.append(self.path)
                refused = self.path in told.closed
                self.send_response(401 if refused else told.code)
                self.end_headers()
                self.wfile.write(b"" if refused else told.body)

            def log_message(self, *_: Any) -> None:
                """Say nothing."""

        self.server = HTTPServer(("127.0.0.1", 0), Answer)
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        self._thread = threading.Thread(target=self.server.serve_forever, args=(0.02,), daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Listen no more."""
        self.server.shutdown()
        self.server.server_close()
        self._thread.join()


@pytest.fixture
def neighbour() -> Iterator[Neighbour]:
    """One that is gone afterwards."""
    made = Neighbour()
    yield made
    made.close()


@pytest.mark.parametrize(("health", "status"), [(WELL, 0), (ILL, 1), ({**WELL, "status": "failing"}, 1)])
def test_the_exit_status_says_how_the_box_is(
    neighbour: Neighbour, capsys: pytest.CaptureFixture[str], health: dict[str, Any], status: int
) -> None:
    """0 where it is well, 1 where it is not; for programs all that it told."""
    neighbour.body = json.dumps(health).encode()
    assert main(["status", "--url", f"{neighbour.url}/", "--json"]) == status
    assert json.loads(capsys.readouterr().out) == health
    assert neighbour.asked == ["/api/health"]


GLANCE = glance(ILL, str, owner=False)


@pytest.mark.parametrize(("told", "status"), [(glance(WELL, str, owner=False), 0), (GLANCE, 1)])
def test_a_box_elsewhere_tells_in_words_what_everybody_may_hear(
    neighbour: Neighbour, capsys: pytest.CaptureFixture[str], told: dict[str, Any], status: int
) -> None:
    """Its figures are its owner's; what the game feels is told with what helps."""
    neighbour.closed, neighbour.body = {"/api/health"}, json.dumps(told).encode()
    assert main(["status", "--url", neighbour.url]) == status
    assert neighbour.asked == ["/api/health", "/api/health/glance"]
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == told["line"]
    assert f"  Screens that follow: {WELL['page']['viewers']}" in lines
    wrong = [line.removeprefix("! ") for line in lines if line.startswith("!")]
    assert wrong == [one["words"] for one in told["wrong"]]
    assert sum("→" in line for line in lines) == len(wrong)
    assert main(["status", "--url", neighbour.url, "--json"]) == status
    assert json.loads(capsys.readouterr().out) == told


@pytest.mark.parametrize("change", [
    {"line": 3}, {"wrong": {}}, {"wrong": ["hot"]}, {"wrong": [{"words": "hot"}]},
    {"figures": [{"of": "x", "is": 3}]},
])  # fmt: skip
def test_what_is_no_glance_is_told_in_one_sentence(
    neighbour: Neighbour, capsys: pytest.CaptureFixture[str], change: dict[str, Any]
) -> None:
    """Whatever else answers there after a refusal."""
    neighbour.closed, neighbour.body = {"/api/health"}, json.dumps({**GLANCE, **change}).encode()
    assert main(["status", "--url", neighbour.url]) == 2
    told = capsys.readouterr()
    assert "no box of Pipwatch's" in told.err
    assert (told.err.count("\n"), told.out) == (1, "")


def test_a_box_that_is_well_is_a_few_lines(neighbour: Neighbour, capsys: pytest.CaptureFixture[str]) -> None:
    """And has no remedy, as nothing is to be done."""
    neighbour.body = json.dumps(WELL).encode()
    assert "the newest 0.1 s old, started anew 2 times" in "\n".join(wellbeing(WELL))
    assert main(["status", "--url", neighbour.url]) == 0
    out = capsys.readouterr().out
    assert "The box is well. Pipwatch 1.2" in out
    assert "draw-game, watching, 14 entries" in out
    assert "gate 12 ms, reading 640 ms" in out
    assert "→" not in out
    assert len(out.splitlines()) <= 9


def test_each_trouble_is_told_with_what_to_do() -> None:
    """Camera, heat, power, disk and clock, and what the box itself remarks."""
    text = "\n".join(wellbeing(ILL))
    for words, remedy in (
        ("sends no picture; moves are typed", "check its cable"),
        ("held back: under-voltage", "power supply"), ("held back: frequency capped", "give it air"),
        ("no time server", "connect to a network once"),
    ):  # fmt: skip
        after = text.partition(words)[2]
        assert remedy in after.splitlines()[1], words
    assert [line for line in text.splitlines() if line.startswith("!")] == [
        f"! {one}" for one in ILL["remarks"]
    ]
    assert text.count("delete old matches") == 1  # what the box says itself is not said again
    assert "temperature" not in "\n".join(wellbeing(NO_PI))


@pytest.mark.parametrize("state", ["ok", "none", "away"])
def test_what_was_chosen_for_the_camera_stands_below_it(state: str) -> None:
    """With its sum; where there is no picture why not, once. Nobody is sent to a command that sends back."""
    words = "imx708: large 4608×2592, watched 1280×720, 3 buffers of each"
    camera = {**WELL["camera"], "state": state, "words": words}
    lines = list(wellbeing({**WELL, "camera": camera}))
    at = next(number for number, line in enumerate(lines) if line.startswith("  camera"))
    assert lines[at + 1].strip() == words
    assert ("rests" in lines[at]) is (state == "none")
    told = "\n".join(wellbeing({**WELL, "camera": camera, "remarks": [words]}))
    assert told.count(words) == 1
    if state == "away":
        assert "sudo systemctl stop pipwatch" in told


@pytest.mark.parametrize(
    ("code", "body", "said"),
    [
        (200, b"<html>", "no box of Pipwatch's"), (200, b"[]", "no box of Pipwatch's"),
        (200, b'{"status": "ok"}', "no box of Pipwatch's"), (404, b"", "no box of this version (HTTP 404)"),
        (403, b"", "has entered its code"), (500, b"", "HTTP 500"),
    ],
)  # fmt: skip
def test_what_is_no_box_is_told_in_one_sentence(
    neighbour: Neighbour, capsys: pytest.CaptureFixture[str], code: int, body: bytes, said: str
) -> None:
    """Exit status 2, and nothing on stdout that a program might take for health."""
    neighbour.code, neighbour.body = code, body
    assert main(["status", "--url", neighbour.url, "--json"]) == 2
    told = capsys.readouterr()
    assert said in told.err
    assert (told.err.count("\n"), told.out) == (1, "")


def test_no_box_answers(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The port is that of the settings; the sentence says how one is started."""
    port = free_port()
    config = tmp_path / "config.toml"
    config.write_text(f"[service]\nport = {port}\n", encoding="utf-8")
    assert main(["status", "--config", str(config)]) == 2
    told = capsys.readouterr().err
    assert f"no box answers at http://localhost:{port} (connection refused)" in told
    assert "pipwatch serve" in told


@pytest.mark.parametrize(
    ("host", "where"),
    [
        ("127.0.0.2", "127.0.0.2"), ("127.0.0.1", "localhost"), ("0.0.0.0", "localhost"), ("::", "localhost"),
        ("fd00::2", "[fd00::2]"),
    ],
)  # fmt: skip
def test_the_box_of_this_machine_is_asked_where_it_listens(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, host: str, where: str
) -> None:
    """At one address of the settings it is there alone, and not at localhost."""
    asked: list[str] = []
    monkeypatch.setattr(status, "asked", lambda url: asked.append(url) or {})
    config = tmp_path / "config.toml"
    config.write_text(f'[service]\nhost = "{host}"\nport = 8123\n', encoding="utf-8")
    assert status.box_here(str(config)) == {}
    assert asked == [f"http://{where}:8123"]


def test_a_box_is_asked_though_its_settings_are_broken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """It runs on with its last good ones; what is wrong is told, and named settings have to be right."""
    asked: list[str] = []
    monkeypatch.setattr(status, "asked", lambda url: asked.append(url) or WELL)
    config = tmp_path / "config.toml"
    config.write_text("[service\n", encoding="utf-8")
    monkeypatch.setenv("PIPWATCH_CONFIG", str(config))
    assert main(["status"]) == 0
    assert asked == ["http://localhost:8000"]
    assert "config.toml" in capsys.readouterr().err
    assert main(["status", "--config", str(config)]) == 2
    assert len(asked) == 1


@pytest.mark.parametrize(
    ("more", "said"), [(["--url", "pipwatch.local"], "begin with http"), (["--config", "nowhere"], "nowhere")]
)
def test_bad_input_is_one_sentence(more: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Exit status 2."""
    assert main(["status", *more]) == 2
    assert said in capsys.readouterr().err


def test_health_is_known_by_what_it_holds() -> None:
    """Whatever else is there; newer boxes may tell more."""
    assert is_health({**WELL, "more": 1})
    assert not is_health({**WELL, "status": "fine"})
    assert not is_health({**WELL, "camera": None})
    assert not is_health(None)
