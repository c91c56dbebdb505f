"""`pipwatch run` as people start it: what is refused, what is taken up again, and how it ends."""

import http.client
import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import cv2
import numpy as np
import pytest

from device.cli import main, refereeing
from device.folders import matches_folder
from device.journal.events import Draft
from device.journal.game import added, began, note
from device.journal.journal_reader import read_chain
from device.journal.store import Journal
from device.live import making
from device.live.source_name import SourceName, source_name
from tests.device.live.scripted import ScriptedSource, Stage, eye_on, shows
from tests.device.match.match_bench import FACTS, LEGAL, game
from vision.view import FrameState

ROOT = Path(__file__).parents[2]


@pytest.fixture(autouse=True)
def _own_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))


def kept(path: Path) -> Path:
    """A match that has begun."""
    first, played = game(), game(*FACTS, LEGAL[0])
    with Journal(path) as journal:
        journal.append(began(first))
        journal.append(added(first, played))
    return path


def black(folder: Path, count: int = 3) -> Path:
    """A recording of a covered lens."""
    folder.mkdir()
    for number in range(count):
        cv2.imwrite(str(folder / f"{number}.png"), np.zeros((240, 320, 3), np.uint8))
    return folder


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ([], "--game is needed"),
        (["--game", "ludo"], "There is no game 'ludo'"),
        (["--game", "draw-game", "--source", "radio"], "--source should be"),
        (["--game", "draw-game", "--source", "video"], "--source should be"),
        (["--game", "draw-game", "--source", "none:1"], "--source should be"),
        (["--game", "draw-game", "--source", "webcam:first"], "takes a camera as `pipwatch doctor` names it"),
        (["--game", "draw-game", "--source", "video:missing.mp4"], "There is no video 'missing.mp4'"),
        (["--game", "draw-game", "--source", "images:."], "There are no images"),
        (["--game", "draw-game", "--source", "video:text.mp4"], "is no video that this OpenCV can read"),
        (["--game", "draw-game", "--players", "Ann"], "two names with a comma between"),
        (["--game", "draw-game", "--setup", "missing.json"], "missing.json cannot be read"),
        (["--game", "draw-game", "--setup", "other.json"], "This is a set-up of kingdomino-duel"),
        (["--game", "draw-game", "--calm", "-1"], "calm_s should be between 0 and 60"),
        (["--game", "draw-game", "--port", "70000"], "--port should be between"),
        (["--game", "draw-game", "--speed", "-1"], "--speed is a factor such as 2"),
        (["--game", "draw-game", "--speed", "nan"], "--speed is a factor such as 2"),
        (["--game", "draw-game", "--config", "missing.toml"], "missing.toml cannot be read"),
        (["--game", "draw-game", "--camera", "mine.toml"], "--source none does not"),
        (["--game", "draw-game", "--source", "virtual", "--camera", "missing.toml"], "missing.toml"),
        (["--game", "draw-game", "--source", "virtual", "--looks", "missing.toml"], "missing.toml cannot"),
        (["--game", "draw-game", "--source", "virtual", "--looks", "text.mp4"], "text.mp4"),
        (["--game", "draw-game", "--journal", "text.mp4"], "file is not a database"),
        (["--game", "draw-game", "--journal", "duel.match"], "holds a game of kingdomino-duel"),
        (["--journal", "duel.match", "--setup", "other.json"], "--setup is for a new match"),
        (["--journal", "duel.match", "--players", "Cy,Di"], "is between Ann and Bo, not Cy and Di; name"),
        (
            ["--journal", "duel.match", "--profile", "default+p5_requires_presence=yes"],
            "is played by the profile default, not",
        ),
    ],
)
def test_bad_input_is_answered_in_one_sentence_with_status_2(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    arguments: list[str],
    sentence: str,
) -> None:
    """What, where and what would be right; no match is begun."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "text.mp4").write_text("hello" * 100)
    (tmp_path / "other.json").write_text(json.dumps(game().state.to_json()))
    kept(tmp_path / "duel.match")
    assert main(["run", "--headless", "--source", "none", *arguments]) == 2
    shown = capsys.readouterr()
    assert sentence in shown.err
    assert shown.err.count("\n") == 1
    assert shown.out == ""
    assert len(read_chain(tmp_path / "duel.match").events) == 4
    assert not list((tmp_path / "data").rglob("*.match*"))


def unfinished(name: str) -> Path:
    """A match in the folder of all matches."""
    folder = matches_folder()
    folder.mkdir(parents=True, exist_ok=True)
    return kept(folder / f"{name}.match")


def test_an_unfinished_match_does_not_go_on_under_other_terms(capsys: pytest.CaptureFixture[str]) -> None:
    """Other players or another profile than it has: one sentence, which names the way to a new match."""
    path = unfinished("monday")
    for more in (["--players", "Cy,Di"], ["--profile", "default+p5_requires_presence=yes"]):
        assert main(["run", "--game", "kingdomino-duel", "--headless", "--source", "none", *more]) == 2
        said = capsys.readouterr().err
        assert said.count("\n") == 1
        assert "--new" in said
    assert len(read_chain(path).events) == 4


def test_what_goes_on_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Game, profile, players and how far it has come, before anything else; the same names are no others."""
    unfinished("monday")
    command = ["run", "--game", "kingdomino-duel", "--source", f"images:{black(tmp_path / 'film')}"]
    journal = ["--journal", str(matches_folder() / "monday.match")]
    assert main([*command, *journal, "--players", "Ann,Bo", "--profile", "default", "--headless"]) == 0
    first = capsys.readouterr().err.splitlines()[0]
    assert "going on with monday.match: Kingdomino Duel (default), Ann and Bo, 3 entries" in first


def test_a_damaged_match_and_one_that_is_being_played_keep_nobody_from_another(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Each is passed over with a line; a match that is whole is found behind them."""
    whole = unfinished("a-whole")
    (whole.parent / "b-damaged.match").write_bytes(b"SQLite format 3\0" + b"rubbish" * 500)
    with Journal(whole.parent / "c-unreadable.match") as journal:
        journal.append([Draft("begin", {"game": "ludo"})])
    later = time.time_ns() + 10**9
    for path in whole.parent.glob("[bc]-*.match"):
        os.utime(path, ns=(later, later))
    with Journal(unfinished("d-running")):
        command = ["run", "--game", "kingdomino-duel", "--headless", "--source", "none"]
        assert main([*command, "--players", "Cy,Di"]) == 2
    said = capsys.readouterr().err.splitlines()
    assert "a-whole.match, is between Ann and Bo" in said[-1]
    assert sorted(line.split(".match")[0].removeprefix("pipwatch: ") for line in said[:-1]) == [
        "b-damaged", "c-unreadable", "d-running",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("foreign", "reason"),
    [
        (note("stains", stains=[5]), "5"),
        (note("asked", words="Which?", options=[[]]), "'choices'"),
        (note("asked", words="Which?", choices=["a"], options=[]), "1 choices and 0 options"),
        (note("asked", words="Which?", choices=["a"], options=[[]], margins=[]), "1 choices and 0 margins"),
    ],
)
def test_a_note_that_cannot_be_read_is_told_in_one_sentence(
    foreign: Draft, reason: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Another program wrote it; the journal is left as it is."""
    path = kept(tmp_path / "foreign.match")
    with Journal(path) as journal:
        journal.append([foreign])
    before = read_chain(path)
    film = black(tmp_path / "film")
    assert main(["run", "--headless", "--source", f"images:{film}", "--journal", str(path)]) == 2
    said = capsys.readouterr().err.splitlines()[-1]
    assert said.startswith("pipwatch run: foreign.match: ")
    assert reason in said
    assert read_chain(path) == before


def test_a_recording_that_shows_nothing_is_judged_to_its_end(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A covered lens for a whole film: no ruling, no complaint, exit status 0, and nothing left behind."""
    folder = black(tmp_path / "film")
    source = f"images:{folder}"
    assert main(["run", "--game", "draw-game", "--source", source, "--headless", "--json"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert all("entry" not in json.loads(line) for line in lines)
    assert not (tmp_path / "data").exists()


def test_a_recording_goes_on_from_its_set_up_and_its_journal_is_kept_where_it_is_wanted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """With a set-up the game has begun; the last line tells how it stands."""
    setup, journal = tmp_path / "setup.json", tmp_path / "kept.match"
    setup.write_text(json.dumps(game(*FACTS).state.to_json()))
    command = ["run", "--game", "kingdomino-duel", "--source", f"images:{black(tmp_path / 'film')}"]
    more = ["--setup", str(setup), "--journal", str(journal), "--headless", "--json", "--players", "Ann,Bo"]
    assert main([*command, *more]) == 0
    end = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert end["state"] == game(*FACTS).state.to_json()
    (event,) = read_chain(journal).events
    assert event.body["players"] == ["Ann", "Bo"]


def test_what_was_done_while_a_match_was_stopped_is_taken_in(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Nobody looked meanwhile: that no hand was seen is no reason to doubt that somebody came."""
    stage = Stage()
    stage.show(FrameState.SETTLED, shows([*FACTS, *LEGAL[:2]]), 8)
    monkeypatch.setattr(refereeing, "open_source", lambda *_: ScriptedSource(stage))
    monkeypatch.setattr(making, "eye_for", lambda *_, **__: eye_on(stage, game()))
    journal = kept(tmp_path / "a.match")
    assert main(["run", "--source", "video:a.mp4", "--journal", str(journal), "--headless", "--json"]) == 0
    told = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [line["move"] for line in told if "move" in line] == [LEGAL[1]]
    assert not any("choices" in line for line in told)


def running(*arguments: str) -> "subprocess.Popen[str]":
    """The command as a process of its own."""
    return subprocess.Popen(
        [sys.executable, "-m", "device", "run", *arguments], cwd=ROOT, text=True, stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip


def test_a_match_is_played_by_hand_in_the_browser_and_taken_up_again(tmp_path: Path) -> None:
    """Without a camera moves are typed on the dashboard; after a stop the same command goes on with them."""
    for number, line in enumerate([FACTS[0], FACTS[1]]):
        process = running("--game", "kingdomino-duel", "--source", "none", "--port", "0", "--json")
        assert process.stderr is not None
        said = iter(process.stderr.readline, "")
        found = next(at for line in said if (at := re.search(r"http://localhost:\d+/", line)))
        page = urllib.request.urlopen(found[0], timeout=20).read().decode()
        (token,) = re.findall(r'name="token" content="([^"]+)"', page)
        body = json.dumps({"kind": "typed", "words": line}).encode()
        headers = {"Content-Type": "application/json", "X-Pipwatch-Token": token}
        asked = urllib.request.Request(f"{found[0]}api/do", body, headers)
        assert urllib.request.urlopen(asked, timeout=20).status == 204
        assert process.stdout is not None
        told = next(json.loads(said) for said in process.stdout if "entry" in json.loads(said))
        assert told["fact"] == line
        assert told["entry"] == number + 1
        began_s = time.monotonic()
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=20)
        assert time.monotonic() - began_s < 3
        assert process.returncode == 0
    (match,) = (tmp_path / "data" / "pipwatch" / "matches").glob("*.match")
    assert [event.kind for event in read_chain(match).events] == ["begin", "entry", "entry"]
    assert not Path(f"{match}-wal").exists()


def asked(port: str, path: str, body: object = None, **headers: str) -> tuple[int, bytes]:
    """What the page answers to a phone, which asks for it by its name in the network."""
    line = http.client.HTTPConnection("127.0.0.1", int(port), timeout=20)
    named = {"Host": f"pipwatch.local:{port}", "Content-Type": "application/json"}
    named |= {name.replace("_", "-"): value for name, value in headers.items()}
    named |= {"Origin": f"http://pipwatch.local:{port}"} if "Cookie" in named else {}
    line.request("GET" if body is None else "POST", path, None if body is None else json.dumps(body), named)
    answer = line.getresponse()
    told = answer.status, answer.read() if body is None else str(answer.headers["Set-Cookie"]).encode()
    line.close()
    return told


def test_a_dashboard_for_phones_has_a_code_and_keeps_who_entered_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Listening beyond this machine: nothing acts before the code; after a kill phones are known."""
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    monkeypatch.setenv("PATH", str(tmp_path))  # no Avahi: no test gives this machine a name in its network
    cookie, pause = "", {"kind": "pause"}
    for end in (signal.SIGKILL, signal.SIGTERM):
        process = running(
            "--game", "draw-game", "--source", "none", "--port", "0", "--host", "0.0.0.0", "--new"
        )
        assert process.stderr is not None
        said = iter(process.stderr.readline, "")
        port = next(at[1] for line in said if (at := re.search(r"localhost:(\d+)/", line)))
        page = asked(port, "/join")[1].decode()
        (token,) = re.findall(r'name="token" content="([^"]+)"', page)
        if not cookie:
            assert asked(port, "/api/do", pause, X_Pipwatch_Token=token)[0] == 401
            until = time.monotonic() + 20
            while not (tmp_path / "pipwatch" / "join.json").exists():
                assert time.monotonic() < until
                time.sleep(0.02)
            code = json.loads((tmp_path / "pipwatch" / "join.json").read_text())["code"]
            status, told = asked(port, "/api/join", {"code": code}, X_Pipwatch_Token=token)
            assert status == 204
            cookie = told.decode().split(";")[0]
        assert asked(port, "/api/do", pause, X_Pipwatch_Token=token, Cookie=cookie)[0] == 204
        process.send_signal(end)
        process.communicate(timeout=20)
    assert process.returncode == 0
    assert not (tmp_path / "pipwatch" / "join.json").exists()


def test_a_port_that_is_taken_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Two dashboards cannot share a port; the second match says so and does not begin."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        command = ["run", "--game", "draw-game", "--source", "none", "--port", port]
        assert main([*command, "--journal", str(tmp_path / "a.match")]) == 2
    told = capsys.readouterr().err
    assert (
        f"the dashboard cannot listen at 127.0.0.1:{port}: Address already in use; --port names another."
        in told
    )


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("auto", SourceName("auto")),
        ("webcam:2", SourceName("webcam", "2")),
        ("video:a:b.mp4", SourceName("video", "a:b.mp4")),
        ("virtual", SourceName("virtual")),
    ],
)
def test_a_source_is_named_as_the_contract_says(text: str, meant: SourceName) -> None:
    """Kinds stand before a colon, files and numbers after it."""
    assert source_name(text) == meant
