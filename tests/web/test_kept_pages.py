"""Around the game: house rules, matches that are kept, their exports, the first evening."""

import io
import json
import time
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from flask.testing import FlaskClient

from device.health.checkup import checkup
from device.health.finding import fails
from device.journal.events import Picture
from device.journal.game import added, began
from device.journal.store import Journal
from device.live.ports import Shot
from device.service import aiming
from device.service.aiming import Aiming, aimed
from device.service.box import Seating, Want
from device.service.reception import Reception
from device.service.shelf import delete, seated
from engine import GAMES
from engine.history import History
from tests.device.match.match_bench import FACTS, LEGAL, game
from tests.web.test_access import BOX, FILLED
from web.guard import TOKEN_HEADER, Door
from web.kept_pages import NOT_READ
from web.lobby import create_lobby, wish_in

NAME = "2026-11-25-kingdomino-duel-abc123"


@pytest.fixture
def client(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> FlaskClient:
    """The lobby of a box with one match, asked from the machine itself."""
    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path))
    (tmp_path / "matches").mkdir()
    history = game(*FACTS, LEGAL[0])
    with Journal(tmp_path / "matches" / f"{NAME}.match") as journal:
        journal.append([seated(Seating("kingdomino-duel", ("Ann", "Bo")))])
        journal.append(began(game()))
        journal.append(added(game(), history, [Picture("after", b"\xff\xd8jpeg")]))
    picture = np.full((90, 120, 3), 128, np.uint8)
    reception = Reception(
        lambda _: None, dict, dict,
        doctor=lambda: [dict(fails("camera", "it sends no picture", "check the cable").to_json())],
        aim=lambda: aimed(picture), focus=iter([True, False, None]).__next__,
    )  # fmt: skip
    door = Door()
    made = create_lobby(reception, door).test_client()
    made.environ_base["HTTP_HOST"] = "localhost"
    made.environ_base["REMOTE_ADDR"] = BOX
    made.environ_base["HTTP_" + TOKEN_HEADER.upper().replace("-", "_")] = door.token
    return made


def test_a_match_that_is_kept_is_told_and_stepped_through(client: FlaskClient) -> None:
    """Its page, how it stands, each entry, and the pictures; nothing can be done to it from there."""
    assert client.get(f"/matches/{NAME}").status_code == 200
    told = client.get(f"/api/matches/{NAME}/view").get_json()
    assert told["players"] == ["Ann", "Bo"]
    assert told["offers"] == []
    assert client.get(f"/api/matches/{NAME}/history/3").get_json()["step"]["text"] == LEGAL[0]
    assert client.get(f"/api/matches/{NAME}/history/9").status_code == 404
    assert client.get(f"/api/matches/{NAME}/evidence/1/after.jpg").data == b"\xff\xd8jpeg"
    assert client.get(f"/api/matches/{NAME}/evidence/1/secret.jpg").status_code == 404


def test_a_match_is_taken_along(client: FlaskClient) -> None:
    """As data, as a table, as text, as test cases; PPN tells Dominoids alone."""
    at = f"/api/matches/{NAME}"
    answer = client.get(f"{at}/export/json")
    assert json.loads(answer.data)["header"]["players"] == ["Ann", "Bo"]
    assert f'filename="{NAME}.json"' in answer.headers["Content-Disposition"]
    assert client.get(f"{at}/export/csv").data.decode().startswith("entry,kind,text")
    assert "Ann and Bo" in client.get(f"{at}/export/text").data.decode()
    assert client.get(f"{at}/export/ppn").status_code == 404
    assert client.get(f"{at}/export/exe").status_code == 404
    case = client.get(f"{at}/case.zip")
    assert case.status_code == 200
    assert zipfile.ZipFile(io.BytesIO(case.data)).namelist() == [
        "record.jsonl"
    ]  # nothing was asked or corrected


def test_a_match_without_a_game_is_not_taken_along(client: FlaskClient, tmp_path: Path) -> None:
    """It ended before the set-up was seen: nothing is made up, and it is said why."""
    with Journal(tmp_path / "matches" / "bare.match") as journal:
        journal.append([seated(Seating("dominoids", ("Ann", "Bo")))])
    for what, words in (("export/json", NOT_READ), ("export/ppn", NOT_READ), ("case.zip", "holds no game")):
        answer = client.get(f"/api/matches/bare/{what}")
        assert answer.status_code == 409
        assert words in answer.get_json()["error"]


@pytest.mark.parametrize("name", ["nothing", "..%2fowner", "a" * 200, "UPPER", "-"])
def test_no_other_file_is_a_match(client: FlaskClient, name: str) -> None:
    """Names of matches, and never a way to another folder."""
    for path in (f"/matches/{name}", f"/api/matches/{name}/view", f"/api/matches/{name}/export/json"):
        assert client.get(path).status_code == 404


def test_a_match_is_deleted_with_all_of_it(client: FlaskClient, tmp_path: Path) -> None:
    """But not while a process plays it."""
    path = tmp_path / "matches" / f"{NAME}.match"
    with Journal(path):
        assert delete(path) == "This match is being played."
    assert delete(path) == ""
    assert [one.name for one in (tmp_path / "matches").iterdir()] == []
    assert client.get(f"/matches/{NAME}").status_code == 404


@pytest.mark.parametrize("name", GAMES)
def test_what_the_rules_leave_open_is_asked_in_plain_words(client: FlaskClient, name: str) -> None:
    """Each question with its choices and the usual one; each choice begins a match that is read so."""
    told = client.get(f"/api/readings/{name}").get_json()
    assert told["readings"]
    for one in told["readings"]:
        assert "?" in one["question"]
        values = [choice["value"] for choice in one["choices"]]
        assert one["default"] in values or (not values and one["default"] >= one["least"])
        other = next((value for value in values if value != one["default"]), one["default"])
        spelled = {True: "true", False: "false"}.get(other, other) if isinstance(other, bool) else other
        asked = {
            "kind": "begin", "game": name, "players": ["Ann", ""], "confirm": "auto", "by": "hand",
            "profile": f"default+{one['key']}={spelled}",
        }  # fmt: skip
        wanted = wish_in(asked)
        assert isinstance(wanted, Want)
        assert wanted.wanted.seating is not None
        assert History.begin(name, wanted.wanted.seating.profile).book.settings[one["key"]] == other
    assert wish_in({**asked, "profile": "default+nonsense=1"}) is None
    assert wish_in({**asked, "profile": 5}) is None


def test_the_first_evening_checks_prints_and_aims(client: FlaskClient) -> None:
    """The page, what the doctor finds, sheets to print, and how the camera hangs."""
    assert client.get("/first").status_code == 200
    told = client.post("/api/first/doctor", json={}).get_json()
    assert told["findings"][0]["remedy"] == "check the cable"
    for what in ("markers", "maps", "discs", *(f"mat-{name}" for name in GAMES)):
        assert client.get(f"/print/{what}.pdf").data.startswith(b"%PDF"), what
    assert client.get("/print/money.pdf").status_code == 404
    answer = client.get("/api/first/aim.jpg")
    assert answer.data.startswith(b"\xff\xd8")
    assert json.loads(answer.headers["X-Aim"])["well"] is False
    focused = [client.post("/api/first/focus", json={}) for _ in range(3)]
    assert [one.status_code for one in focused] == [204, 409, 404]
    assert "turned by hand" in focused[1].get_data(as_text=True)


def test_the_machine_is_checked_without_a_camera(tmp_path: Path) -> None:
    """All checks are told, whatever is missing."""
    (tmp_path / "config.toml").write_text("")
    found = {one.name: one for one in checkup(lambda: None, tmp_path / "config.toml")}
    assert {"camera", "markers", "light", "disk", "clock"} <= found.keys()
    assert str(found["camera"].grade) == "absent"


def test_the_camera_is_given_back_after_the_last_look(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is borrowed once for many looks, and closed when nobody has looked for a while."""

    class Camera:
        """One that only stands there."""

        recorded = False
        closed = 0

        def next(self, _timeout_s: float) -> Any:
            """A frame."""
            return Shot(1, 0.0, np.full((90, 120, 3), 128, np.uint8))

        def close(self) -> None:
            """Given back."""
            self.closed += 1

    camera, borrowed = Camera(), []
    monkeypatch.setattr(aiming, "KEPT_S", 0.2)

    def borrow() -> Camera:
        borrowed.append(1)
        return camera

    looks = Aiming(borrow)
    for _ in range(3):
        assert looks.look() is not None
    assert len(borrowed) == 1
    end = time.monotonic() + 5
    while not camera.closed:
        assert time.monotonic() < end
        time.sleep(0.02)
    assert Aiming(lambda: None).look() is None


def test_every_place_of_a_path_is_filled_in_the_tests() -> None:
    """So that the table of routes is really walked through."""
    assert {"<name>", "<form>", "<what>"} <= FILLED.keys()
