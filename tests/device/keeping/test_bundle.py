"""The bundle of a bug report: everything that helps, and no name, face or secret in it."""

import io
import json
import zipfile
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from device.cameras.virtual import VirtualSeats
from device.cli import main
from device.folders import SettingsFiles
from device.journal.game import added, began, note
from device.journal.store import Journal
from device.keeping.bundle import BundleParts, bundle
from device.keeping.masking import Mask, without_secrets
from device.live.ports import Shot
from device.live.source_name import SourceName
from device.live.starting import Agreed
from device.live.wiring import open_source
from device.service.address import Invitation, lines
from device.service.box import Seating
from device.service.hotspot import new_wifi
from device.service.shelf import seated
from engine import record
from engine.history import History
from tests.device.match.match_bench import FACTS, LEGAL

NAMES = ("Zoë O'Hara", 'Bo "Bö" Müller')
LOG = "Nov 25 pipwatch[7]: zoë o'hara moved; Bo \"Bö\" Müller's turn\nNov 25 pipwatch[7]: all well\n"


@pytest.fixture(autouse=True)
def _own_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))


def played(tmp_path: Path) -> Path:
    """A machine on which people with names have played, and an error was kept."""
    matches = tmp_path / "data" / "pipwatch" / "matches"
    matches.mkdir(parents=True)
    first = game = History.begin("kingdomino-duel", players=NAMES)
    for line in (*FACTS, *LEGAL):
        game = game.fact(line) if line.startswith("see ") else game.move(line)
    with Journal(matches / "a.match") as journal:
        journal.append(began(first))
        journal.append([note("asked", words=f"Was it {NAMES[0]}?", choices=[NAMES[1].upper()])])
        journal.append(added(first, game))
    case = matches / "a.errors" / "error-01"
    case.mkdir(parents=True)
    (case / "trace.txt").write_text(f"ValueError: {NAMES[0]} has no hand at {Path.home()}/x\n")
    (case / "record.jsonl").write_text(record.write(game.header, game.entries))
    return matches.parent


def none(tmp_path: Path) -> SettingsFiles:
    """No settings."""
    return SettingsFiles(tmp_path / "none", tmp_path / "none")


def texts(data: bytes) -> dict[str, str]:
    """The files of a bundle."""
    with zipfile.ZipFile(io.BytesIO(data)) as file:
        return {name: file.read(name).decode(errors="replace") for name in file.namelist()}


def test_no_name_and_no_secret_is_in_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """All that helps is there, with players called by number, as the command makes it."""
    played(tmp_path)
    settings = tmp_path / "config" / "pipwatch" / "config.toml"
    settings.parent.mkdir(parents=True)
    settings.write_text('[manners]\ncalm_s = 2.5\n[mqtt]\nbroker = "10.9.8.7"\npassword = "hush-hush"\n')
    (tmp_path / "log.txt").write_text(LOG)
    out = tmp_path / "report.zip"
    assert main(["diagnose", "-o", str(out), "--log", str(tmp_path / "log.txt")]) == 0
    assert "without names" in capsys.readouterr().out
    told = texts(out.read_bytes())
    assert set(told) == {
        "versions.json", "settings.json", "doctor.txt", "log.txt", "match-1/events.jsonl",
        "match-1/errors/error-01/trace.txt", "match-1/errors/error-01/record.jsonl",
    }  # fmt: skip
    whole = "\n".join(told.values()).casefold()
    for name in (*NAMES, "zoë", "o'hara", "müller", "m\\u00fc", "hush-hush", "10.9.8.7"):
        assert name.casefold() not in whole
        assert json.dumps(name)[1:-1].casefold() not in whole
    assert "was it player 1?" in whole
    assert "player 2's turn" in told["log.txt"]
    assert json.loads(told["settings.json"])["by hand"]["manners"] == {"calm_s": 2.5}
    assert json.loads(told["versions.json"])["sqlite"]
    assert "disk" in told["doctor.txt"]
    events = [json.loads(line) for line in told["match-1/events.jsonl"].splitlines()]
    assert events[0]["events"] == len(events) - 1 == 7
    assert events[1]["body"]["players"] == ["player 1", "player 2"]
    assert [one["body"]["move"] for one in events if "move" in one.get("body", {})] == [*LEGAL]


def test_pictures_show_the_mat_alone_and_only_if_wanted(tmp_path: Path) -> None:
    """What lies outside the markers is cut and blackened; where no mat is seen there is no picture."""
    state = played(tmp_path)
    case = state / "matches" / "a.errors" / "error-01"
    (case / "frame.png").write_bytes(b"")
    assert not pictures_of(state, tmp_path)
    source = open_source(SourceName("virtual"), Agreed("draw-game"), VirtualSeats())
    assert source is not None
    shot = source.next(5)
    assert isinstance(shot, Shot)
    faces = cv2.copyMakeBorder(shot.picture, 200, 200, 200, 200, cv2.BORDER_CONSTANT, value=(0, 0, 255))
    cv2.imwrite(str(case / "frame.png"), faces)
    assert not [name for name in texts(bundle(BundleParts(state, none(tmp_path)))) if name.endswith("jpg")]
    (shown,) = pictures_of(state, tmp_path)
    blue, green, red = (shown[..., channel].astype(int) for channel in range(3))
    assert shown.shape[0] < faces.shape[0] - 400
    assert shown.shape[1] < faces.shape[1] - 400
    assert not ((red > 200) & (green < 60) & (blue < 60)).any()
    cv2.imwrite(str(case / "frame.png"), np.full((240, 320, 3), 120, np.uint8))  # it sees no mat
    assert not pictures_of(state, tmp_path)


def pictures_of(state: Path, tmp_path: Path) -> "list[Any]":
    """The pictures of a bundle for which they are wanted."""
    with zipfile.ZipFile(io.BytesIO(bundle(BundleParts(state, none(tmp_path), pictures=True)))) as file:
        names = [name for name in file.namelist() if not name.endswith((".txt", ".json", ".jsonl"))]
        return [cv2.imdecode(np.frombuffer(file.read(name), np.uint8), cv2.IMREAD_COLOR) for name in names]


@pytest.mark.parametrize("damage", [b"", b"no database", b"SQLite format 3\0" + bytes(200)])
def test_what_is_damaged_is_told_and_stops_nothing(tmp_path: Path, damage: bytes) -> None:
    """The trouble may be just that a match cannot be read."""
    state = played(tmp_path)
    (state / "matches" / "b.match").write_bytes(damage)
    settings = tmp_path / "config.toml"
    settings.write_bytes(b"\xff\xfe")
    told = texts(bundle(BundleParts(state, SettingsFiles(settings, tmp_path / "none"))))
    assert "cannot be read" in told["settings.json"]
    heads = [json.loads(told[f"match-{n}/events.jsonl"].splitlines()[0]) for n in (1, 2)]
    assert sorted(one["events"] for one in heads) == [0, 7]
    assert sum(bool(one["damage"]) for one in heads) == 1


def test_who_only_sat_down_is_named_nowhere(tmp_path: Path) -> None:
    """A match that was seated and never begun; and one that cannot be read, whose errors name its players."""
    matches = tmp_path / "data" / "pipwatch" / "matches"
    matches.mkdir(parents=True)
    with Journal(matches / "a.match") as journal:
        journal.append([seated(Seating("draw-game", ("Wilhelmina", "Ødger")))])
    (matches / "b.match").write_bytes(b"no database")
    case = matches / "b.errors" / "error-01"
    case.mkdir(parents=True)
    header = History.begin("draw-game", players=("Brunhild", "Kunigunde")).header
    (case / "record.jsonl").write_text(record.write(header, ()))
    (case / "trace.txt").write_text("ValueError: Brunhild's hand")
    told = texts(bundle(BundleParts(matches.parent, none(tmp_path))))
    events = "".join(told[f"match-{n}/events.jsonl"] for n in (1, 2))
    assert '"players": ["player 1", "player 2"]' in events
    whole = "\n".join(told.values()).casefold()
    for name in ("wilhelmina", "ødger", "\\u00f8dger", "brunhild", "kunigunde"):
        assert name not in whole
    assert "player 1's hand" in whole


def test_no_way_into_the_box_is_in_its_log(tmp_path: Path) -> None:
    """Neither as it is spoken, nor as a picture, nor as an address, of this run or of another machine's."""
    wifi, code = new_wifi(), "246813"
    found = Invitation(8000, "annas-pi.local", ("192.168.1.4", "fd12:3456::7"), wifi)
    said = [*lines(found, code), f"there is no network: the box has opened its own Wi-Fi, {wifi.name}."]
    said += ["pipwatch: the dashboard is at http://10.0.0.7:8000", "guest e4:5f:01:aa:bb:cc at 12:34:56 came"]
    said += ["there is no camera 046d:082d:8F3A-1: plug it in"]
    said += [found.link(code), "The MQTT broker at homeassistant.fritz.box:1883 (user wohnzimmer) is away"]
    said += ["pipwatch: the page is at http://127.0.0.1:8000/ and 0.0.0.0"]
    log = "".join(f"Nov 25 21:11:13 annas-pi pipwatch[7]: {line}\n" for line in said)
    settings = tmp_path / "config.toml"
    settings.write_text('[mqtt]\nhost = "mqtt.example.net"\nuser = "wohnzimmer"\n')
    files = SettingsFiles(settings, tmp_path / "none")
    told = texts(bundle(BundleParts(tmp_path, files, log=log)))["log.txt"]
    secrets = (code, f"{code[:3]} {code[3:]}", wifi.name, wifi.passphrase, "annas-pi", "192.168.1.4")
    for secret in (
        *secrets,
        "fd12",
        "10.0.0.7",
        "e4:5f:01",
        "8F3A",
        "homeassistant",
        "wohnzimmer",
        "█",
        "▀",
        "▄",
    ):
        assert secret not in told, secret
    assert "at 12:34:56 came" in told
    assert "http://127.0.0.1:8000/ and 0.0.0.0" in told
    assert "The code to play along: (masked)" in told


def test_short_names_are_taken_out_as_words_and_no_part_of_others() -> None:
    """Ann is taken out of "Ann's turn" and not of "announced"; shipped names stay."""
    mask = Mask([("Ann", "bo"), ("player 1", "player 2")], {"box-7": "this-machine"})
    told = mask.text("Ann's turn was announced at box-7 to BO, in a box; player 2 both.")
    assert told == "player 1's turn was announced at this-machine to player 2, in a box; player 2 both."
    assert mask.data({"Ann": [1, None, "x ann"]}) == {"player 1": [1, None, "x player 1"]}
    assert Mask([], {}).text("Ann") == "Ann"
    assert without_secrets({"a": {"api_token": "x", "calm_s": 1}, "keys": {"b": [1]}}) == {
        "a": {"api_token": "(masked)", "calm_s": 1}, "keys": {"b": [1]},
    }  # fmt: skip


@pytest.mark.parametrize(
    ("arguments", "words"),
    [(["--log", "missing.txt"], "missing.txt cannot be read"), (["-o", "no/x.zip"], "cannot be written")],
)
def test_bad_input_is_answered_in_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str],
    arguments: list[str], words: str,
) -> None:  # fmt: skip
    """What, where and what would be right."""
    monkeypatch.chdir(tmp_path)
    assert main(["diagnose", *arguments]) == 2
    assert words in capsys.readouterr().err
